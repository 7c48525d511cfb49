package graphql

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
	"github.com/vektah/gqlparser/v2/parser"
)

// document is what a file defines.
type document struct {
	schema ast.SchemaDocument
	query  ast.QueryDocument
}

// fault is a syntax error and where it is, in bytes.
type fault struct {
	at   int
	text string
}

// maxParts is how often a file may change between definitions of types and
// operations: each time both parsers read the rest.
const maxParts = 64

// parse reads a file. The library has one parser for definitions of types and
// one for operations; where one meets what the other knows, the other goes on.
func parse(text string) (*document, *fault) {
	doc := &document{}
	types := startsTypes(text)
	for range maxParts {
		end, f := doc.part(text, types)
		if f == nil {
			return doc, nil
		}
		if end < 0 {
			return doc, f
		}
		// What was read is blanked out, so that positions stay.
		text = blank(text[:end]) + text[end:]
		types = !types
	}
	return doc, &fault{0, "too many changes between definitions of types and operations"}
}

// part adds what one parser knows. It returns where the other has to go on, -1
// if nowhere.
func (d *document) part(text string, types bool) (next int, f *fault) {
	f = d.read(text, types)
	if f == nil {
		return 0, nil
	}
	cut := turn(text, f.at, types)
	if cut < 0 {
		return -1, f
	}
	if before := d.read(text[:cut], types); before != nil {
		return -1, f
	}
	return cut, f
}

// read adds the definitions of a text, if it parses.
func (d *document) read(text string, types bool) *fault {
	src := &ast.Source{Input: text}
	if types {
		doc, err := parser.ParseSchema(src)
		if err != nil {
			return place(text, err)
		}
		d.schema.Merge(doc)
		return nil
	}
	doc, err := parser.ParseQuery(src)
	if err != nil {
		return place(text, err)
	}
	d.query.Operations = append(d.query.Operations, doc.Operations...)
	d.query.Fragments = append(d.query.Fragments, doc.Fragments...)
	return nil
}

// place finds the position of an error.
func place(text string, err error) *fault {
	e, ok := errors.AsType[*gqlerror.Error](err)
	if !ok || len(e.Locations) == 0 {
		return &fault{0, err.Error()}
	}
	at, rest := 0, text
	for range e.Locations[0].Line - 1 {
		_, after, ok := cutLine(rest)
		if !ok {
			break
		}
		at += len(rest) - len(after)
		rest = after
	}
	for range e.Locations[0].Column - 1 {
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
	return &fault{at, e.Message}
}

// cutLine cuts a text behind its first line end, as the lexer counts them.
func cutLine(s string) (line, rest string, ok bool) {
	i := strings.IndexAny(s, "\r\n")
	if i < 0 {
		return s, "", false
	}
	if strings.HasPrefix(s[i:], "\r\n") {
		return s[:i], s[i+2:], true
	}
	return s[:i], s[i+1:], true
}

// blank replaces everything but line ends by blanks, a blank for a character.
func blank(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return r
		}
		return ' '
	}, s)
}

// startsTypes tells that the first definition of a text is one of types.
func startsTypes(text string) bool {
	t, ok := firstWord(text)
	return !ok || !executable(t)
}

// turn tells that the other parser knows what is at a position: it returns
// where that definition starts, with its description, or -1.
func turn(text string, at int, types bool) int {
	if at >= len(text) {
		return -1
	}
	t, ok := firstWord(text[at:])
	if !ok || executable(t) != types || !executable(t) && !typeWord(t) {
		return -1
	}
	lex := lexer.New(&ast.Source{Input: text})
	runes := utf8.RuneCountInString(text[:at])
	before := lexer.Token{}
	for {
		t, err := lex.ReadToken()
		if err != nil || t.Kind == lexer.EOF || t.Pos.Start >= runes {
			break
		}
		if t.Kind != lexer.Comment {
			before = t
		}
	}
	if before.Kind != lexer.String && before.Kind != lexer.BlockString {
		return at
	}
	for i := range text {
		if before.Pos.Start--; before.Pos.Start < 0 {
			return i
		}
	}
	return at
}

// firstWord returns the first token of a text that is no description.
func firstWord(text string) (t lexer.Token, ok bool) {
	lex := lexer.New(&ast.Source{Input: text})
	for {
		t, err := lex.ReadToken()
		if err != nil {
			return t, false
		}
		switch t.Kind {
		case lexer.Comment, lexer.String, lexer.BlockString:
		case lexer.Name, lexer.BraceL:
			return t, true
		default:
			return t, false
		}
	}
}

func executable(t lexer.Token) bool {
	switch t.Value {
	case "query", "mutation", "subscription", "fragment":
		return t.Kind == lexer.Name
	}
	return t.Kind == lexer.BraceL
}

func typeWord(t lexer.Token) bool {
	switch t.Value {
	case "schema", "scalar", "type", "interface", "union", "enum", "input", "directive", "extend":
		return t.Kind == lexer.Name
	}
	return false
}
