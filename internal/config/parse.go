package config

import (
	"bytes"
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"github.com/pelletier/go-toml/v2/unstable"
)

const maxDepth = 64 // of tables and arrays

// DecodeTOML decodes a document into plain values: bool, int64, float64,
// string, time.Time, []any (tables in it too) and map[string]any. A byte order
// mark is accepted. It is for engines that read native configuration files.
// The error is a *usererr.Error whose message starts with name:line:col.
func DecodeTOML(name string, text []byte) (map[string]any, error) {
	n, p := parse(name, text)
	if p != nil {
		return nil, failure([]problem{*p})
	}
	return n.plainMap(), nil
}

// TOMLLine returns the line of the value at keys in a document that
// [DecodeTOML] decodes, or of the innermost table or array of them that is
// there; 0 if there is none.
func TOMLLine(text []byte, keys ...string) int {
	n, p := parse("", text)
	if p != nil {
		return 0
	}
	for ; len(keys) > 0; keys = keys[:len(keys)-1] {
		if in := n.get(keys...); in != nil {
			return in.at.Line
		}
	}
	return 0
}

// parse reads one document; exactly one result is nil.
func parse(name string, text []byte) (*node, *problem) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(text) {
		return nil, syntaxProblem(name, text, firstInvalid(text), "not valid UTF-8")
	}
	marks, bad := locate(name, text)
	if bad != nil {
		return nil, bad
	}
	var values map[string]any
	if _, err := toml.Decode(string(text), &values); err != nil {
		at, msg := Origin{File: name, Line: 1, Col: 1}, err.Error()
		if pe, ok := errors.AsType[toml.ParseError](err); ok {
			at.Line, at.Col, msg = pe.Position.Line, max(pe.Position.Col, 1), pe.Message
		}
		return nil, &problem{at: at, code: "toml-syntax", msg: msg, column: true}
	}
	return build(values, marks, Origin{File: name, Line: 1, Col: 1}), nil
}

func syntaxProblem(name string, text []byte, offset int, msg string) *problem {
	line, col := lineCol(text, offset)
	return &problem{at: Origin{File: name, Line: line, Col: col}, code: "toml-syntax", msg: msg, column: true}
}

func firstInvalid(text []byte) int {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return len(text)
}

func lineCol(text []byte, offset int) (line, col int) {
	offset = min(max(offset, 0), len(text))
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	return 1 + bytes.Count(text[:start], []byte{'\n'}), 1 + utf8.RuneCount(text[start:offset])
}

// mark is the place of a value: the skeleton of the document that the
// positioned parser sees and the decoder does not.
type mark struct {
	offset int
	line   int
	col    int
	keys   map[string]*mark
	items  []*mark
}

// locator collects the places of one document.
type locator struct {
	parser unstable.Parser
	text   []byte
	all    []*mark
	last   int // offset of the last key that was followed
}

// locate parses text for the places of its keys and array items.
func locate(name string, text []byte) (*mark, *problem) {
	l := &locator{text: text}
	l.parser.Reset(text)
	root := &mark{}
	at := root
	for l.parser.NextExpression() {
		e := l.parser.Expression()
		ok := true
		switch e.Kind {
		case unstable.KeyValue:
			ok = l.keyValue(at, e, 0)
		case unstable.Table:
			at, ok = l.descend(root, e.Key())
		case unstable.ArrayTable:
			if at, ok = l.descend(root, e.Key()); ok {
				at = l.item(at, l.last)
			}
		}
		if !ok {
			return nil, syntaxProblem(name, text, int(e.Raw.Offset), "nested too deeply")
		}
	}
	if err := l.parser.Error(); err != nil {
		offset := len(text)
		var pe *unstable.ParserError
		if errors.As(err, &pe) && len(pe.Highlight) > 0 {
			offset = int(l.parser.Range(pe.Highlight).Offset)
		}
		return nil, syntaxProblem(name, text, offset, err.Error())
	}
	l.number()
	return root, nil
}

// number turns offsets into lines and columns.
func (l *locator) number() {
	slices.SortFunc(l.all, func(a, b *mark) int { return a.offset - b.offset })
	line, start := 1, 0
	for _, m := range l.all {
		for {
			i := bytes.IndexByte(l.text[start:], '\n')
			if i < 0 || start+i >= m.offset {
				break
			}
			start += i + 1
			line++
		}
		m.line, m.col = line, 1+utf8.RuneCount(l.text[start:m.offset])
	}
}

// descend follows a dotted key from m. The place of an array of tables is its
// last item.
func (l *locator) descend(m *mark, keys unstable.Iterator) (*mark, bool) {
	depth := 0
	for keys.Next() {
		k := keys.Node()
		if depth++; depth > maxDepth {
			return m, false
		}
		if n := len(m.items); n > 0 {
			m = m.items[n-1]
		}
		m = l.step(m, k)
	}
	return m, true
}

// step returns the mark of a key of m; it stays where the key came first.
func (l *locator) step(m *mark, k *unstable.Node) *mark {
	l.last = int(k.Raw.Offset)
	if c, ok := m.keys[string(k.Data)]; ok {
		return c
	}
	if m.keys == nil {
		m.keys = map[string]*mark{}
	}
	c := &mark{offset: l.last}
	m.keys[string(k.Data)] = c
	l.all = append(l.all, c)
	return c
}

func (l *locator) item(m *mark, offset int) *mark {
	c := &mark{offset: offset}
	l.all = append(l.all, c)
	m.items = append(m.items, c)
	return c
}

func (l *locator) keyValue(m *mark, e *unstable.Node, depth int) bool {
	m, ok := l.descend(m, e.Key())
	return ok && l.value(m, e.Value(), depth+1)
}

func (l *locator) value(m *mark, v *unstable.Node, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch v.Kind {
	case unstable.Array:
		for it := v.Children(); it.Next(); {
			offset := m.offset
			if r := it.Node().Raw; r.Length > 0 {
				offset = int(r.Offset)
			}
			if !l.value(l.item(m, offset), it.Node(), depth+1) {
				return false
			}
		}
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			if it.Node().Kind == unstable.KeyValue && !l.keyValue(m, it.Node(), depth) {
				return false
			}
		}
	}
	return true
}

// build joins decoded values and their places. A value without a mark, which
// the two parsers would have to disagree about, has the place of its parent.
func build(v any, m *mark, at Origin) *node {
	if m == nil {
		m = &mark{}
	}
	if m.line > 0 {
		at.Line, at.Col = m.line, m.col
	}
	switch v := v.(type) {
	case map[string]any:
		n := &node{kind: kindTable, table: make(map[string]*node, len(v)), at: at}
		for k, c := range v {
			n.table[k] = build(c, m.keys[k], at)
		}
		return n
	case []map[string]any:
		n := &node{kind: kindArray, at: at, items: make([]*node, len(v))}
		for i, c := range v {
			n.items[i] = build(c, m.item(i), at)
		}
		return n
	case []any:
		n := &node{kind: kindArray, at: at, items: make([]*node, len(v))}
		for i, c := range v {
			n.items[i] = build(c, m.item(i), at)
		}
		return n
	}
	return &node{kind: scalarKind(v), value: v, at: at}
}

func (m *mark) item(i int) *mark {
	if i < len(m.items) {
		return m.items[i]
	}
	return nil
}

func scalarKind(v any) kind {
	switch v.(type) {
	case bool:
		return kindBool
	case int64:
		return kindInt
	case float64:
		return kindFloat
	case time.Time:
		return kindTime
	}
	return kindString
}
