package yaml

import (
	"bytes"
	"slices"
	"strings"

	"poly/internal/diag"
)

// directiveMark is in every comment that yamllint obeys.
const directiveMark = "# yamllint "

// span is what a scalar covers; no comment begins inside of it.
type span struct{ start, end int }

// mark is one comment.
type mark struct {
	line  int
	kind  string // "disable", "enable", "disable-line"
	codes []string
	all   bool
}

// fileDisabled reports whether the first line of a text switches yamllint off.
func fileDisabled(text []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("\n"))
	rest, ok := bytes.CutPrefix(line, []byte("#"))
	return ok && string(bytes.TrimSpace(rest)) == "yamllint disable-file"
}

// readDirectives finds the comments outside of scalars, which are sorted.
func readDirectives(text []byte, scalars []span, lines *diag.Lines) []mark {
	var out []mark
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(directiveMark))
		if i < 0 {
			return out
		}
		at += i
		start := at
		at += len(directiveMark)
		begin := bytes.LastIndexByte(text[:start], '\n') + 1
		if commentStart(text, begin, scalars) != start {
			continue
		}
		before := bytes.TrimLeft(text[begin:start], " \t")
		rest, _, _ := bytes.Cut(text[at:], []byte("\n"))
		line, _ := lines.Position(start)
		m, ok := readMark(strings.TrimRight(string(rest), " \t\r"))
		if !ok {
			continue
		}
		if m.line = line; m.kind == "disable-line" && len(before) == 0 {
			m.line++ // on a line of its own it is about the next one
		}
		out = append(out, m)
	}
}

// commentStart returns where the comment of the line at begin starts, -1 if
// there is none.
func commentStart(text []byte, begin int, scalars []span) int {
	for i := begin; i < len(text) && text[i] != '\n'; i++ {
		if text[i] != '#' || i > begin && text[i-1] != ' ' && text[i-1] != '\t' {
			continue
		}
		k, _ := slices.BinarySearchFunc(scalars, i, func(s span, at int) int { return s.end - at - 1 })
		if k == len(scalars) || scalars[k].start >= i {
			return i
		}
	}
	return -1
}

func readMark(text string) (mark, bool) {
	words := strings.Split(text, " ")
	m := mark{kind: words[0], all: len(words) == 1}
	if !slices.Contains([]string{"disable", "enable", "disable-line"}, m.kind) {
		return mark{}, false
	}
	for _, w := range words[1:] {
		rule, ok := strings.CutPrefix(w, "rule:")
		if !ok || rule == "" {
			return mark{}, false
		}
		if code := codeOf(rule); code != "" {
			m.codes = append(m.codes, code)
		}
	}
	return m, true
}

// suppress removes the findings that comments switch off. What does not parse
// is always told.
func suppress(out []diag.Diagnostic, marks []mark, lines *diag.Lines) []diag.Diagnostic {
	return slices.DeleteFunc(out, func(d diag.Diagnostic) bool {
		if d.Code == codeSyntax {
			return false
		}
		line, _ := lines.Position(d.Span.Start)
		off := false
		for _, m := range marks {
			about := m.all || slices.Contains(m.codes, d.Code)
			switch {
			case !about:
			case m.kind == "disable-line":
				if m.line == line {
					return true
				}
			case m.line <= line:
				off = m.kind == "disable"
			}
		}
		return off
	})
}
