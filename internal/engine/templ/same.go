package templ

import (
	"fmt"
	"go/scanner"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"

	upstream "github.com/a-h/templ/parser/v2"

	"poly/internal/engine"
)

// Same reports whether two texts parse to the same templates: the same
// elements, attributes, text, code and comments in the same order. Code is
// compared by its tokens; white space only by whether there is some where HTML
// shows it, between words and elements that stand in a line.
func Same(before, after []byte) error {
	one, ends := engine.Plain(before)
	two, _ := engine.Plain(after)
	if ends.Mixed {
		one, two = before, after
	}
	a, err := read(string(one))
	if err != nil {
		return fmt.Errorf("the original does not parse: %w", err)
	}
	b, err := read(string(two))
	if err != nil {
		return fmt.Errorf("the result does not parse: %w", err)
	}
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Errorf("%s became %s", short(a[i]), short(b[i]))
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("there are %d parts, %d in the result", len(a), len(b))
	}
	return sameWords(string(one), string(two))
}

func short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "..."
	}
	return s
}

// read returns all that matters of a text, piece by piece.
func read(text string) ([]string, error) {
	file, err := upstream.ParseString(text)
	if err != nil {
		return nil, err
	}
	var w walker
	w.value(reflect.ValueOf(file))
	return w.out, nil
}

// walker writes down a tree of the parser, of any type of node.
type walker struct{ out []string }

func (w *walker) say(format string, args ...any) { w.out = append(w.out, fmt.Sprintf(format, args...)) }

func (w *walker) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			w.value(v.Elem())
		}
	case reflect.Slice:
		w.slice(v)
	case reflect.Struct:
		w.structure(v)
	case reflect.String:
		w.say("%q", v.String())
	case reflect.Bool, reflect.Int:
		w.say("%v", v.Interface())
	}
}

func (w *walker) slice(v reflect.Value) {
	if nodes, ok := reflect.TypeAssert[[]upstream.Node](v); ok {
		w.nodes(nodes, false)
		return
	}
	for i := range v.Len() {
		w.value(v.Index(i))
	}
	w.say("%d of %v", v.Len(), v.Type().Elem())
}

// nodes writes down what stands in an element, which is part of a line or not.
func (w *walker) nodes(nodes []upstream.Node, inline bool) {
	nodes = slices.DeleteFunc(slices.Clone(nodes), func(n upstream.Node) bool {
		_, blank := n.(*upstream.Whitespace)
		return blank
	})
	for i, n := range nodes {
		w.value(reflect.ValueOf(n))
		t, ok := n.(upstream.WhitespaceTrailer)
		if last := i+1 == len(nodes); ok && shows(n) && (last && inline || !last && shows(nodes[i+1])) {
			w.say("white space behind: %v", t.Trailing() != upstream.SpaceNone)
		}
	}
	w.say("%d nodes", len(nodes))
}

// shows tells that white space beside a node is seen by the reader.
func shows(n upstream.Node) bool {
	switch n := n.(type) {
	case *upstream.Element:
		return !n.IsBlockElement()
	case *upstream.Text, *upstream.StringExpression:
		return true
	}
	return false
}

func (w *walker) structure(v reflect.Value) {
	switch x := v.Interface().(type) {
	case upstream.Range, upstream.Position:
		return
	case upstream.Expression:
		w.code(x.Value)
		return
	case upstream.GoComment:
		w.say("comment %q", strings.TrimSpace(x.Contents))
		return
	case upstream.CallTemplateExpression: // the formatter writes it as the next
		w.say("call")
		w.code(x.Expression.Value)
		w.say("without children")
		return
	case upstream.TemplElementExpression:
		w.say("call")
		w.code(x.Expression.Value)
		if len(x.Children) == 0 {
			w.say("without children")
		} else {
			w.nodes(x.Children, false)
		}
		return
	case upstream.Element:
		w.say("element %s", x.Name)
		w.value(reflect.ValueOf(x.Attributes))
		w.nodes(x.Children, !x.IsBlockElement())
		return
	case upstream.ConstantAttribute:
		w.value(reflect.ValueOf(x.Key))
		w.say("= %q", x.Value)
		return
	}
	w.say("%v", v.Type())
	for i := range v.NumField() {
		switch f := v.Type().Field(i); f.Name {
		case "Filepath", "TrailingSpace":
		default:
			w.value(v.Field(i))
		}
	}
}

// code writes down the tokens of Go code. Commas before a closing bracket and
// the line ends that end statements are layout.
func (w *walker) code(text string) {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(text)), []byte(text), func(token.Position, string) {}, scanner.ScanComments)
	comma := false
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return
		case tok == token.SEMICOLON && lit != ";":
			continue
		case comma && tok != token.RPAREN && tok != token.RBRACE && tok != token.RBRACK:
			w.say(",")
		}
		if comma = tok == token.COMMA; comma {
			continue
		}
		if tok == token.COMMENT {
			lit = strings.TrimSpace(lit)
		}
		w.say("%v %s", tok, strconv.Quote(lit))
	}
}
