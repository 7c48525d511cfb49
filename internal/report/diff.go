package report

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// context is how many unchanged lines surround a change in a patch.
const context = 3

// Unified returns the patch that turns before into after, with three lines of
// context, in the form git apply and patch -p1 accept; nil if they are equal.
// path is slash-separated from the root of the repository and may hold any
// byte but NUL. Line ends are kept as they are, CRLF too.
func Unified(path string, before, after []byte) []byte {
	if bytes.Equal(before, after) {
		return nil
	}
	a, b := splitLines(before), splitLines(after)
	var dst []byte
	dst = fmt.Appendf(dst, "diff --git %s %s\n", gitQuote("a/"+path), gitQuote("b/"+path))
	dst = fmt.Appendf(dst, "--- %s%s\n+++ %s%s\n", gitQuote("a/"+path), tabAfter(path), gitQuote("b/"+path), tabAfter(path))
	changes := diffLines(a, b)
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && changes[n].a0-changes[n-1].a1 <= 2*context {
			n++
		}
		dst = appendHunk(dst, a, b, changes[:n])
		changes = changes[n:]
	}
	return dst
}

func appendHunk(dst []byte, a, b []string, changes []change) []byte {
	first, last := changes[0], changes[len(changes)-1]
	lead := min(context, first.a0)
	tail := min(context, len(a)-last.a1)
	from, to := first.a0-lead, last.a1+tail
	dst = append(dst, "@@ -"...)
	dst = appendRange(dst, from, to-from)
	dst = append(dst, " +"...)
	dst = appendRange(dst, first.b0-lead, last.b1+tail-(first.b0-lead))
	dst = append(dst, " @@\n"...)
	at := from
	for _, c := range changes {
		dst = appendLines(dst, ' ', a[at:c.a0])
		dst = appendLines(dst, '-', a[c.a0:c.a1])
		dst = appendLines(dst, '+', b[c.b0:c.b1])
		at = c.a1
	}
	return appendLines(dst, ' ', a[at:to])
}

// appendRange writes a start and a count; an empty range names the line before it.
func appendRange(dst []byte, start, n int) []byte {
	if n > 0 {
		start++
	}
	dst = strconv.AppendInt(dst, int64(start), 10)
	if n != 1 {
		dst = appendInt(dst, ",", n)
	}
	return dst
}

func appendLines(dst []byte, sign byte, lines []string) []byte {
	for _, l := range lines {
		dst = append(append(dst, sign), l...)
		if !strings.HasSuffix(l, "\n") {
			dst = append(dst, "\n\\ No newline at end of file\n"...)
		}
	}
	return dst
}

// splitLines returns the lines of text, each with its "\n".
func splitLines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	lines := strings.SplitAfter(string(text), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// tabAfter ends a file name that holds blanks, as git does for patch(1).
func tabAfter(path string) string {
	if strings.Contains(path, " ") && gitQuote(path) == path {
		return "\t"
	}
	return ""
}

// gitQuote writes a name as git does with core.quotePath: in C style if it holds
// a quote, a backslash, a control character or a byte that is not ASCII.
func gitQuote(name string) string {
	return cQuote(name, func(c byte) bool { return c < ' ' || c >= 0x7f })
}

// cQuote quotes name if it must, writing the bytes that odd reports in octal.
func cQuote(name string, odd func(byte) bool) string {
	var dst []byte
	quoted := false
	for i := range len(name) {
		c := name[i]
		if j := strings.IndexByte("\a\b\t\n\v\f\r\"\\", c); j >= 0 {
			dst = append(dst, '\\', `abtnvfr"\`[j])
			quoted = true
		} else if odd(c) {
			dst = fmt.Appendf(dst, `\%03o`, c)
			quoted = true
		} else {
			dst = append(dst, c)
		}
	}
	if !quoted {
		return name
	}
	return `"` + string(dst) + `"`
}
