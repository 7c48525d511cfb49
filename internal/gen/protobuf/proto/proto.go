// Package proto stands in for the deprecated package of this name, which is
// google.golang.org/protobuf/proto under an old name and links protodesc: 0.6 ms
// of every start. Only the editor of buildtools asks for it, for an output
// that poly never writes; the module replaces it in the go.mod of poly.
package proto

import "google.golang.org/protobuf/proto"

// Message is a message.
type Message = proto.Message

// Marshal returns the wire format of a message.
func Marshal(m Message) ([]byte, error) { return proto.Marshal(m) }
