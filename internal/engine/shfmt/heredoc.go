package shfmt

import (
	"bytes"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// kept are the here-documents that the library would damage: those of <<- with
// lines that a backslash continues. The shell joins such lines before it takes
// the tabs from their start, so tabs behind a backslash are text; the library
// indents them anew. Their bodies are printed as marks, and put back afterwards.
type kept struct {
	bodies []string
	where  []*syntax.Redirect
	was    []*syntax.Word
}

const markFormat = "\x01poly here-document %d\x01"

// keepDocuments replaces the bodies by marks.
func keepDocuments(file *syntax.File, text []byte) kept {
	var k kept
	if !bytes.Contains(text, []byte("<<-")) {
		return k
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		r, ok := n.(*syntax.Redirect)
		if !ok || r.Op != syntax.DashHdoc || r.Hdoc == nil || isQuoted(r.Word) {
			return true
		}
		start, end := r.Hdoc.Pos(), r.Hdoc.End()
		body := string(text[start.Offset():end.Offset()])
		body = body[:strings.LastIndexByte(body, '\n')+1] // the end is that of the delimiter
		if !hasContinued(body) {
			return true
		}
		mark := fmt.Sprintf(markFormat, len(k.bodies)) + "\n"
		k.bodies, k.where, k.was = append(k.bodies, body), append(k.where, r), append(k.was, r.Hdoc)
		r.Hdoc = &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{ValuePos: start, ValueEnd: end, Value: mark}}}
		return false
	})
	return k
}

// undo puts the bodies back in the tree.
func (k kept) undo() {
	for i, r := range k.where {
		r.Hdoc = k.was[i]
	}
}

// restore puts the bodies back in the place of the lines with their marks.
func (k kept) restore(out []byte) []byte {
	for i, body := range k.bodies {
		mark := []byte(fmt.Sprintf(markFormat, i) + "\n")
		at := bytes.Index(out, mark)
		if at < 0 {
			continue // the guard refuses it
		}
		start := len(bytes.TrimRight(out[:at], "\t"))
		out = bytes.Join([][]byte{out[:start], []byte(body), out[at+len(mark):]}, nil)
	}
	return out
}

func hasContinued(body string) bool {
	for line := range strings.Lines(body) {
		if continued(line) {
			return true
		}
	}
	return false
}

// continued reports whether a line ends in a backslash that is not escaped.
func continued(line string) bool {
	line, ok := strings.CutSuffix(line, "\n")
	return ok && (len(line)-len(strings.TrimRight(line, "\\")))%2 == 1
}

// isQuoted reports whether a word has any quotes: the document it ends is
// taken as it stands.
func isQuoted(w *syntax.Word) bool {
	for _, p := range w.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, "\\") {
			return true
		}
	}
	return false
}
