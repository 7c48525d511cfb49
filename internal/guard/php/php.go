// Package php judges what a formatter did to a program in PHP: whether the same
// code, the same text around it and the same comments are left.
//
// It compares tokens, in which the case of keywords, quotes, commas at the end
// of a list, empty parentheses of new and exit, the order of imports that stand
// together and of modifiers, and parentheses that the precedence of operators
// makes redundant are written in one way. Text outside of the tags and strings
// of several lines count byte for byte, but for the indentation that the end of
// the latter takes away, and the layout of code in braces in them.
package php

import (
	"bytes"

	"poly/internal/guard"
)

// Same returns nil if after means what before means: see the package guard.
func Same(before, after []byte) error {
	if bytes.Equal(before, after) {
		return nil
	}
	b, a := read(before), read(after)
	if b.bad != "" {
		return &guard.CannotJudge{Line: guard.Line(before, b.badAt), Reason: b.bad}
	}
	if a.bad != "" {
		return &guard.Broken{Line: guard.Line(after, a.badAt), Reason: a.bad}
	}
	if err := guard.Compare("code", before, b.events, after, a.events); err != nil {
		return err
	}
	return guard.Compare("a comment", before, b.comments, after, a.comments)
}

type reader struct {
	lexer
	events []guard.Event
}

func read(src []byte) *reader {
	r := &reader{lexer: lexer{src: src}}
	r.run()
	return r
}

func (r *reader) run() {
	r.lex()
	if r.bad != "" {
		return
	}
	at := 0
	nodes := r.group(&at, "", 0)
	if r.bad == "" {
		r.emit(nodes)
	}
}

// node is a token, or what stands in brackets.
type node struct {
	token
	inner []node // of an opening bracket
	close int    // where it is closed
	end   string // the bracket that closes it
}

// maxDepth bounds the nesting of brackets.
const maxDepth = 500

// group reads up to the bracket that closes it.
func (r *reader) group(at *int, closing string, depth int) []node {
	var out []node
	for *at < len(r.tokens) {
		t := r.tokens[*at]
		*at++
		text := string(t.text)
		if t.kind == mark && (text == ")" || text == "]" || text == "}") {
			if text != closing {
				r.fail(t.at, "a bracket out of place")
				return nil
			}
			return append(out, node{token: t})
		}
		n := node{token: t}
		if t.kind == mark {
			switch text {
			case "(":
				n.end = ")"
			case "[", "#[":
				n.end = "]"
			case "{":
				n.end = "}"
			}
		}
		if n.end != "" {
			if depth > maxDepth {
				r.fail(t.at, "nested too deeply")
				return nil
			}
			n.inner = r.group(at, n.end, depth+1)
			if r.bad != "" {
				return nil
			}
			n.close = n.inner[len(n.inner)-1].at
			n.inner = n.inner[:len(n.inner)-1]
		}
		out = append(out, n)
	}
	if closing != "" {
		r.fail(len(r.src), "a bracket that is not closed")
	}
	return out
}

func (r *reader) put(k kind, text []byte, at int) {
	r.events = append(r.events, guard.Event{Sum: guard.Mix(uint64(k)+1, text), At: at})
}

// emit writes nodes down.
func (r *reader) emit(nodes []node) {
	for i := 0; i < len(nodes); i++ {
		if next := r.reordered(nodes, i); next > i {
			i = next - 1
			continue
		}
		n := &nodes[i]
		switch {
		case free(nodes, i):
			continue
		case n.is("(") && (empty(nodes, i) || redundant(nodes, i)):
			r.emit(n.inner)
			continue
		}
		r.put(n.kind, n.text, n.at)
		if n.end != "" {
			r.emit(n.inner)
			r.put(mark, []byte(n.end), n.close)
		}
	}
}

// reordered emits what has several orders or spellings and returns the index
// behind it; i if there is no such thing.
func (r *reader) reordered(nodes []node, i int) int {
	n := &nodes[i]
	if n.is("use") && startsStatement(nodes, i) && imports(nodes, i) > 0 {
		return r.imports(nodes, i)
	}
	if name := nullable(nodes, i); name != nil {
		r.put(mark, []byte("?"), n.at)
		r.put(word, name, n.at)
		return i + 3
	}
	j := i
	for j < len(nodes) && modifier(&nodes[j]) {
		j++
	}
	r.modifiers(nodes[i:j])
	return j
}

// free reports whether a comma or semicolon may go.
func free(nodes []node, i int) bool {
	n := &nodes[i]
	return n.is(",") && i == len(nodes)-1 && i > 0 && !nodes[i-1].is(",") || n.is(";") && (i == 0 || nodes[i-1].is(";"))
}

func (n *node) is(text string) bool {
	return (n.kind == mark || n.kind == word) && string(n.text) == text
}

// empty reports whether a pair of parentheses is one that new, exit and die may
// have or not.
func empty(nodes []node, i int) bool {
	if len(nodes[i].inner) > 0 || i == 0 {
		return false
	}
	prev := &nodes[i-1]
	return prev.is("exit") || prev.is("die") || i > 1 && nodes[i-2].is("new") && (prev.kind == word || prev.kind == variable)
}

func modifier(n *node) bool {
	if n.kind != word {
		return false
	}
	switch string(n.text) {
	case "abstract", "final", "public", "protected", "private", "static", "readonly":
		return true
	}
	return false
}

// nullable returns the type of `type|null` or `null|type` at i, nil if there is
// none: it is `?type`.
func nullable(nodes []node, i int) []byte {
	if i+2 >= len(nodes) || nodes[i].kind != word || !nodes[i+1].is("|") || nodes[i+2].kind != word {
		return nil
	}
	if i > 0 && (nodes[i-1].is("|") || nodes[i-1].is("&")) || i+3 < len(nodes) && (nodes[i+3].is("|") || nodes[i+3].is("&")) {
		return nil
	}
	switch {
	case nodes[i].is("null"):
		return nodes[i+2].text
	case nodes[i+2].is("null"):
		return nodes[i].text
	}
	return nil
}

// modifiers emits them in one order.
func (r *reader) modifiers(nodes []node) {
	for _, m := range [...]string{"abstract", "final", "public", "protected", "private", "static", "readonly"} {
		for i := range nodes {
			if nodes[i].is(m) {
				r.put(word, nodes[i].text, nodes[i].at)
			}
		}
	}
}
