package actionlint

import (
	"bytes"

	upstream "github.com/rhysd/actionlint"

	"poly/internal/diag"
)

// place returns the bytes an error is about. The library counts columns in a
// block scalar from its header on, as if all of it stood on that line. Behind
// the end of a line the last word of it is taken.
func place(text []byte, lines *diag.Lines, e *upstream.Error) diag.Span {
	begin := lines.Offset(e.Line, 1)
	line := bytes.TrimRight(text[begin:begin+lineLength(text[begin:])], "\r\n")
	if at := header(line); at >= 0 {
		if _, col := lines.Position(begin + at); e.Column > col {
			if s, ok := inBlock(text, begin, at, e.Column-col); ok {
				return s
			}
		}
	}
	if start := lines.Offset(e.Line, max(1, e.Column)); start < begin+len(line) {
		return diag.Span{Start: start, End: start + wordLength(text[start:])}
	}
	word := len(bytes.TrimRight(line, " \t\r"))
	first := bytes.LastIndexAny(line[:word], " \t") + 1
	return diag.Span{Start: begin + first, End: begin + word}
}

// header returns where in a line the header of a block scalar stands, or -1.
func header(line []byte) int {
	if i := bytes.Index(line, []byte(" #")); i >= 0 {
		line = line[:i]
	}
	line = bytes.TrimRight(line, " \t\r")
	i := len(bytes.TrimRight(line, "+-")) - 1
	if i < 1 || line[i] != '|' && line[i] != '>' || line[i-1] != ' ' {
		return -1
	}
	return i
}

// inBlock finds the byte at an offset of the value of the block scalar whose
// header stands at a place of the line at begin. ok is false if it cannot be
// told, or does not lie behind the start of an expression.
func inBlock(text []byte, begin, at, offset int) (s diag.Span, ok bool) {
	folded := text[begin+at] == '>'
	next := begin + lineLength(text[begin:])
	indent, wasText := -1, false
	for next < len(text) && offset >= 0 {
		line := text[next : next+lineLength(text[next:])]
		body := bytes.TrimRight(line, "\r\n")
		blank := len(bytes.TrimLeft(body, " \t")) == 0
		if indent < 0 && !blank {
			indent = len(body) - len(bytes.TrimLeft(body, " "))
		}
		size := max(0, len(body)-max(indent, 0))
		if folded && blank && wasText {
			offset++ // the end of the line before the first blank one is no part of the value
		}
		wasText = !blank
		if offset < size {
			start := next + indent + offset
			if !bytes.Contains(text[next:start], []byte("${{")) {
				return diag.Span{}, false
			}
			return diag.Span{Start: start, End: start + wordLength(text[start:])}, true
		}
		offset -= size + 1
		next += len(line)
	}
	return diag.Span{}, false
}

// lineLength is the length of the first line of text with its end.
func lineLength(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// wordLength is the length of the text up to a blank, or of a blank.
func wordLength(text []byte) int {
	switch n := bytes.IndexAny(text, " \t\r\n"); {
	case n > 0:
		return n
	case n == 0 && (text[0] == ' ' || text[0] == '\t'):
		return 1
	case n == 0:
		return 0
	}
	return len(text)
}
