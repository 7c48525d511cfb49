// Package jsonpb stands in for the deprecated package of this name: see the
// package proto beside it.
package jsonpb

import (
	"errors"
	"io"

	"google.golang.org/protobuf/proto"
)

// Marshaler would write messages as JSON.
type Marshaler struct{}

// Marshal always fails: nothing in poly writes a message as JSON.
func (Marshaler) Marshal(io.Writer, proto.Message) error {
	return errors.New("messages as JSON are not linked")
}
