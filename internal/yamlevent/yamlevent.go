// Package yamlevent reads a YAML 1.2 stream as events: documents, collections,
// scalars and aliases, with the offsets of each. It keeps comments, resolves
// tag handles, expands no alias and gives no scalar a type. Its memory does
// not grow with the depth of nesting on any goroutine's stack.
//
// It follows the specification, except in two things that every reader of the
// libyaml family takes: the lines of flow collections and of quoted scalars
// need no indentation, and a comment needs no blank before it where no scalar
// can go on, as behind `]` or a quote. It tells where it was so forgiving.
package yamlevent

import (
	"strings"
	"unicode/utf8"
)

// Kind is the kind of an event.
type Kind uint8

// The events. Every Start has its End; StreamEnd is repeated for ever.
const (
	StreamEnd Kind = iota
	DocumentStart
	DocumentEnd
	SequenceStart
	SequenceEnd
	MappingStart // its keys and values follow in turn
	MappingEnd
	Scalar
	Alias
)

// Style is how a node is written.
type Style byte

// The styles. Plain is also that of an empty node, which has no text at all.
const (
	Plain  Style = 0
	Single Style = '\''
	Double Style = '"'
	Lit    Style = '|'
	Fold   Style = '>'
	Block  Style = '-' // collections
	Flow   Style = '['
)

// Event is one event. Its strings may share memory with the text.
type Event struct {
	Kind Kind
	// Start and End are byte offsets of the node's own text: without its
	// properties; an End event and an empty node may be of no length.
	Start, End int
	// Head is the offset of the first property, or Start.
	Head   int
	Anchor string // of a node; the name of an Alias
	Tag    string // resolved: "tag:yaml.org,2002:str", "!local", "!"; "" if there is none
	Value  string // of a Scalar, escapes and line folding resolved
	Style  Style
	// Indent is the column of the text of a block scalar, Parent the column
	// that an indentation indicator would be counted from. End is where the
	// last line of text ends, Tail where the blank lines after it end.
	Indent, Parent, Tail int
	// Explicit tells that `---` or `...` is written.
	Explicit bool
	// Version and Handles are the directives of a DocumentStart.
	Version string
	Handles []Handle
}

// Handle is a %TAG directive.
type Handle struct{ Handle, Prefix string }

// Comment is one comment with its `#`, without its line end.
type Comment struct{ Start, End int }

// Error is the first fault of a stream.
type Error struct {
	Start, End int
	Title      string // one sentence
	Help       string // or ""
}

func (e *Error) Error() string { return e.Title }

// Offset is where the fault starts.
func (e *Error) Offset() int { return e.Start }

// Parser reads one stream.
type Parser struct {
	scanner
	states  []state
	state   state
	handles []Handle
	err     *Error
}

// New returns a Parser of text. A byte order mark is skipped.
func New(text []byte) *Parser { return newParser(string(text)) }

func newParser(text string) *Parser {
	p := &Parser{scanner: scanner{src: text, indent: -1, mayKey: true, prologue: true, keys: make([]key, 1), room: make([]token, 0, 16)}}
	if strings.HasPrefix(text, mark) {
		p.pos = len(mark)
		p.lineStart = p.pos
	}
	p.state = streamStart
	p.control()
	return p
}

const mark = "\xef\xbb\xbf"

// Next returns the next event. After an error it returns the same error again.
func (p *Parser) Next() (Event, error) {
	if p.err == nil {
		e, err := p.step()
		if err == nil {
			return e, nil
		}
		if err.Start == err.End && err.End < len(p.src) {
			_, n := utf8.DecodeRuneInString(p.src[err.End:])
			err.End += n
		}
		p.err = err
	}
	return Event{}, p.err
}

// Loose is a line that strict readers refuse: it belongs to a quoted scalar or
// a flow collection and is not indented deeper than the block around it.
type Loose struct {
	Line  int // offset of the line
	Start int // offset of its first character that is not blank
	Need  int // columns it has to be indented by
}

// Loose returns the lines without indentation read so far, in order.
func (p *Parser) Loose() []Loose { return p.loose }

// Tight returns the offsets of the comments read so far that have no blank
// before them, which strict readers refuse, in order.
func (p *Parser) Tight() []int { return p.tight }

// Comments returns the comments read so far, in order.
func (p *Parser) Comments() []Comment { return p.comments }
