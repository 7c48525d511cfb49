package python

import "bytes"

// sameDoc compares two strings that document something and have different
// values. code says that code in them may be laid out anew. Lines are those of
// the source: an escaped line end is none.
func sameDoc(was, is *literal, code bool) bool {
	if len(was.body) == 0 || len(is.body) == 0 {
		return false
	}
	a, b := docLines(was.body), docLines(is.body)
	return sameLines(values(a, was), values(b, is)) || code && sameListings(a, was, b, is, maxListings)
}

// values returns what the lines stand for.
func values(lines [][]byte, l *literal) [][]byte {
	out := make([][]byte, len(lines))
	for i, line := range lines {
		var p parser
		p.toks = []token{{}}
		p.unescape(line, l, false)
		out[i] = p.store
	}
	return out
}

func sameLines(a, b [][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// docBlanks are what may be dropped at the end of a line of a docstring.
const docBlanks = " \t\f\v\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\x1c\x1d\x1e\x1f"

// docLines returns the lines of the source of a docstring as readers of it see them: without
// the indentation that all lines but the first share, without blanks at the ends
// of lines and without blank lines at either end.
func docLines(text []byte) [][]byte {
	if bytes.IndexByte(text, '\r') >= 0 {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	}
	lines := bytes.Split(text, []byte("\n"))
	margin := -1
	for i, line := range lines {
		line = bytes.TrimRight(line, docBlanks)
		if i == 0 {
			lines[i] = bytes.TrimLeft(line, " \t\f")
			continue
		}
		lines[i] = expand(line)
		if len(line) > 0 {
			if in := indentOf(lines[i]); margin < 0 || in < margin {
				margin = in
			}
		}
	}
	for i := range lines {
		if i > 0 && len(lines[i]) > 0 {
			lines[i] = lines[i][margin:]
		}
	}
	for len(lines) > 0 && len(lines[0]) == 0 {
		lines = lines[1:]
	}
	for len(lines) > 0 && len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func indentOf(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

// expand returns a line with blanks for the tabs of its indentation.
func expand(line []byte) []byte {
	n, i := 0, 0
	for ; i < len(line) && (line[i] == ' ' || line[i] == '\t' || line[i] == '\f'); i++ {
		switch line[i] {
		case ' ':
			n++
		case '\t':
			n = (n/8 + 1) * 8
		}
	}
	if i == n {
		return line
	}
	return append(bytes.Repeat([]byte(" "), n), line[i:]...)
}

// passage is a part of a docstring: text, or code that is shown.
type passage struct {
	code  bool
	lines [][]byte
}

// maxListings bounds how deeply shown code nests in blocks that are none.
const maxListings = 4

// sameListings compares two docstrings of which the code may be laid out anew,
// and nothing but that. A block that is no code may have some in it.
func sameListings(a [][]byte, was *literal, b [][]byte, is *literal, depth int) bool {
	x, y := passages(a), passages(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		a, b := x[i].lines, y[i].lines
		switch {
		case x[i].code != y[i].code:
			return false
		case sameLines(values(a, was), values(b, is)):
		case !x[i].code || depth == 0:
			return false
		case same(listing(a), listing(b), false) != nil && !sameListings(a, was, b, is, depth-1):
			return false
		}
	}
	return true
}

// listing returns code without the indentation that all of it has.
func listing(lines [][]byte) []byte {
	margin := -1
	for _, line := range lines {
		if in := indentOf(line); len(line) > 0 && (margin < 0 || in < margin) {
			margin = in
		}
	}
	var out []byte
	for _, line := range lines {
		if len(line) > 0 {
			out = append(out, line[margin:]...)
		}
		out = append(out, '\n')
	}
	return out
}

// passages splits a docstring. Code is what follows the prompts of a session,
// what a fence holds, and an indented block that reStructuredText takes as it
// stands.
func passages(lines [][]byte) []passage {
	var out []passage
	for i := 0; i < len(lines); {
		n, p := 0, passage{}
		switch line := bytes.TrimLeft(lines[i], " "); {
		case isPrompt(line, ">>>"):
			n, p = session(lines[i:])
		case len(fence(line)) > 0:
			p = fenced(lines[i:])
		case isDirective(line):
			for isOption(lines[i+1:]) {
				out = appendText(out, lines[i])
				i++
			}
			p = indented(lines[i:])
		case bytes.HasSuffix(line, []byte("::")):
			p = indented(lines[i:])
		}
		if n > 0 {
			out = append(out, p)
			i += n
			continue
		}
		out = appendText(out, lines[i])
		i++
		if len(p.lines) > 0 {
			out = append(out, p)
			i += len(p.lines)
		}
	}
	return out
}

func appendText(out []passage, line []byte) []passage {
	if n := len(out); n > 0 && !out[n-1].code {
		out[n-1].lines = append(out[n-1].lines, line)
		return out
	}
	return append(out, passage{lines: [][]byte{line}})
}

// isPrompt reports whether a line starts with the prompt.
func isPrompt(line []byte, prompt string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(prompt))
	return ok && (len(rest) == 0 || rest[0] == ' ')
}

// session reads a statement after a prompt, and the lines after the prompts that
// continue it.
func session(lines [][]byte) (n int, p passage) {
	prompt, in := ">>>", indentOf(lines[0])
	for n < len(lines) && indentOf(lines[n]) == in && isPrompt(lines[n][in:], prompt) {
		code := lines[n][in+len(prompt):]
		p.lines = append(p.lines, bytes.TrimPrefix(code, []byte(" ")))
		prompt = "..."
		n++
	}
	p.code = true
	return n, p
}

// fence returns the marks at the start of a line that open a fence.
func fence(line []byte) []byte {
	for _, c := range []byte("`~") {
		if n := len(line) - len(bytes.TrimLeft(line, string(c))); n >= 3 {
			return line[:n]
		}
	}
	return nil
}

// fenced returns what stands between the fence on the first line and the one that
// closes it, or the end.
func fenced(lines [][]byte) passage {
	mark := fence(bytes.TrimLeft(lines[0], " "))
	for i, line := range lines[1:] {
		if bytes.HasPrefix(bytes.TrimLeft(line, " "), mark) {
			return passage{code: true, lines: lines[1 : i+1]}
		}
	}
	return passage{code: true, lines: lines[1:]}
}

func isDirective(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte(".. "))
	return ok && bytes.Contains(rest, []byte("::"))
}

// isOption reports whether the first line is an option of a directive.
func isOption(lines [][]byte) bool {
	if len(lines) == 0 {
		return false
	}
	line := bytes.TrimLeft(lines[0], " ")
	return len(line) > 1 && line[0] == ':' && bytes.IndexByte(line[1:], ':') > 0
}

// indented returns the block after the first line that is indented more
// deeply, without the blank lines at its end.
func indented(lines [][]byte) passage {
	end, least := 0, indentOf(lines[0])
	if isOption(lines) {
		least-- // options and the block below them may stand in one column
	}
	for i, line := range lines[1:] {
		if len(line) == 0 {
			continue
		}
		if indentOf(line) <= least {
			break
		}
		end = i + 1
	}
	return passage{code: true, lines: lines[1 : 1+end]}
}
