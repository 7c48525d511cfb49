package toml

import (
	"fmt"
	"strings"
)

// kind is what a key stands for.
type kind uint8

const (
	plain       kind = iota // a value nothing can be added to
	inlineTable             // a table in braces
	implied                 // a table that headers of others lead through
	headed                  // a table with a header
	dotted                  // a table made by dotted keys
	tables                  // an array of tables; table is its last one
)

// node is what a key of a table stands for.
type node struct {
	kind  kind
	table *table // of every kind but plain
	at    int    // offset of what defined it
}

// table holds what its keys stand for.
type table struct{ nodes map[string]*node }

func (t *table) add(key part, k kind) *node {
	n := &node{kind: k, at: key.start}
	if k != plain {
		n.table = &table{}
	}
	if t.nodes == nil {
		t.nodes = map[string]*node{}
	}
	t.nodes[key.name] = n
	return n
}

// open makes the table of a header the current one. A header that contradicts
// what is there opens a table nobody sees, so that one fault is told once.
func (p *parser) open(key []part, array bool) {
	t := p.root
	p.table = &table{}
	for i, k := range key[:len(key)-1] {
		n := t.nodes[k.name]
		switch {
		case n == nil:
			n = t.add(k, implied)
		case n.kind == plain || n.kind == inlineTable:
			p.conflict(key, i, n, "")
			return
		}
		t = n.table
	}
	last := len(key) - 1
	k := key[last]
	n := t.nodes[k.name]
	switch {
	case n == nil && array:
		n = t.add(k, tables)
	case n == nil:
		n = t.add(k, headed)
	case array && n.kind == tables:
		n.table = &table{}
	case array:
		p.conflict(key, last, n, "an array of tables")
		return
	case n.kind == implied:
		n.kind, n.at = headed, k.start
	case n.kind == headed || n.kind == dotted:
		p.duplicate(key, last, n, "table")
		return
	default:
		p.conflict(key, last, n, "a table")
		return
	}
	p.table = n.table
}

// slot makes room for the value of a key in t; nil if there is none.
func (p *parser) slot(t *table, key []part) *node {
	for i, k := range key[:len(key)-1] {
		n := t.nodes[k.name]
		switch {
		case n == nil:
			n = t.add(k, dotted)
		case n.kind != dotted && n.kind != implied:
			p.conflict(key, i, n, "")
			return &node{}
		}
		t = n.table
	}
	last := len(key) - 1
	k := key[last]
	if n := t.nodes[k.name]; n != nil {
		p.duplicate(key, last, n, "key")
		return &node{}
	}
	return t.add(k, plain)
}

func (p *parser) duplicate(key []part, i int, n *node, what string) {
	p.report(codeDuplicate, key[0].start, key[i].end,
		fmt.Sprintf("Duplicate %s `%s`, %s", what, p.show(key[:i+1]), p.since(n.at)), "Readers refuse the file.")
}

// conflict reports that key[i] is no table, or not what want says.
func (p *parser) conflict(key []part, i int, n *node, want string) {
	is := [...]string{
		plain: "a value", inlineTable: "an inline table, which is complete", implied: "a table", headed: "a table with a header",
		dotted: "a table made by dotted keys", tables: "an array of tables",
	}[n.kind]
	title := fmt.Sprintf("`%s` is %s, %s", p.show(key[:i+1]), is, p.since(n.at))
	if want != "" {
		title = fmt.Sprintf("`%s` cannot be %s: it is %s, %s", p.show(key[:i+1]), want, is, p.since(n.at))
	}
	p.report(codeConflict, key[0].start, key[i].end, title, "What belongs to a table stands under its header or in its braces.")
}

// show writes a key for a title, shortened.
func (p *parser) show(key []part) string {
	s := []rune(visible(p.src[key[0].start:key[len(key)-1].end]))
	if len(s) > 60 {
		s = append(s[:57], '.', '.', '.')
	}
	return strings.ReplaceAll(string(s), "`", "'")
}
