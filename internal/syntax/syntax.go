// Package syntax parses texts with tree-sitter and gives the tree as one flat
// array, which Go walks without calling C.
//
// A tree is a value: nothing of it is C's. A grammar is data that is linked;
// nothing is done before the first parse. With the build tag "notreesitter"
// there is no tree-sitter, and every parse returns [ErrNotBuilt].
package syntax

import (
	"errors"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"poly/internal/syntax/fetched"
)

// Errors of [Parser.Parse].
var (
	ErrNotBuilt = errors.New("the grammar is not built in")
	ErrTooBig   = errors.New("the text is larger than 64 MiB")
	ErrLimit    = errors.New("the text is beyond what the parser can do in time")
)

// MaxText is the size of the largest text that is parsed, in bytes.
const MaxText = 64 << 20

// Limits of one parse, in processor time: a tenth of it is usual.
const (
	baseTime    = time.Second
	timePerByte = time.Microsecond / 2
)

// Kind is the public symbol of a node: what a rule calls kind.
type Kind uint16

// KindError is the kind of a node that holds what could not be parsed.
const KindError Kind = 65535

// Field is the id of a field of a grammar. 0 is none.
type Field uint16

// Flags of a node.
type Flags uint8

// What a node can be.
const (
	Named    Flags = 1 << iota // a rule of the grammar, not a token such as "("
	Extra                      // stands anywhere, such as a comment
	Missing                    // is not in the text: the parser put it there to go on
	HasError                   // is an error or holds one
)

// NoParent is the Parent of the root.
const NoParent = ^uint32(0)

// Node is a node of a [Tree]. Its children are the nodes i+1, then the Next of
// each, up to the Next of the node itself.
type Node struct {
	Start, End uint32 // bytes of the text
	Parent     uint32 // index of the parent, or NoParent
	Next       uint32 // index behind the last node below this one
	Kind       Kind
	Field      Field  // by which the parent knows it
	Children   uint16 // how many; 65,535 stands for more, too
	Flags      Flags
	_          uint8
}

// Is reports whether the node has all these flags.
func (n *Node) Is(f Flags) bool { return n.Flags&f == f }

// Tree is a parsed text: its nodes in preorder, the root first. The text may
// begin before the root and end behind it.
type Tree struct {
	Language *Language
	Text     []byte
	Nodes    []Node

	far []far // by parent and field
}

// NodeText returns the part of the text that node i covers.
func (t *Tree) NodeText(i uint32) []byte {
	n := &t.Nodes[i]
	return t.Text[n.Start:n.End]
}

// Language is a grammar and what is known of its language.
type Language struct {
	Name       string   // as a configuration spells it: "go"
	Aliases    []string // other names, lower case
	Extensions []string // of files, without the dot
	Sigil      rune     // what stands for "$" in a pattern, because the grammar knows no "$"
	Grammar    Grammar

	once  sync.Once
	state opened
}

// Grammar says where a grammar comes from.
type Grammar struct {
	Source  string // its repository, without a scheme
	Version string
	Licence string // by its SPDX id
}

// Notice returns the text of the licence, or "" if the sources that come with it
// were not fetched.
func (g *Grammar) Notice() string { return fetched.Notice(path.Base(g.Source)) }

// Runtime returns what reads the grammars.
func Runtime() *Grammar {
	return &Grammar{"github.com/tree-sitter/go-tree-sitter", "0.25.0", "MIT"}
}

// Languages returns every language, those that are not built in too, by name.
func Languages() []*Language { return slices.Clone(languages) }

// ByName finds a language by its name or an alias, in any case.
func ByName(name string) (*Language, bool) {
	name = strings.ToLower(name)
	for _, l := range languages {
		if l.Name == name || slices.Contains(l.Aliases, name) {
			return l, true
		}
	}
	return nil, false
}

// ByPath finds a language by the extension of a file's name, whose case
// matters.
func ByPath(name string) (*Language, bool) {
	ext := strings.TrimPrefix(path.Ext(name), ".")
	if ext == "" || path.Base(name) == "."+ext {
		return nil, false
	}
	for _, l := range languages {
		if slices.Contains(l.Extensions, ext) {
			return l, true
		}
	}
	return nil, false
}

// KindName returns the name of a kind, or "".
func (l *Language) KindName(k Kind) string {
	if k == KindError {
		return "ERROR"
	}
	names := l.open().kinds
	if int(k) >= len(names) {
		return ""
	}
	return names[k]
}

// Kinds returns how many kinds there are: each is below it, but for
// [KindError].
func (l *Language) Kinds() int { return len(l.open().kinds) }

// Field returns the id of a field, and whether there is such a field.
func (l *Language) Field(name string) (Field, bool) {
	i := slices.Index(l.open().fields, name)
	return Field(max(i, 0)), i > 0
}

// FieldName returns the name of a field, or "".
func (l *Language) FieldName(f Field) string {
	names := l.open().fields
	if int(f) >= len(names) {
		return ""
	}
	return names[f]
}
