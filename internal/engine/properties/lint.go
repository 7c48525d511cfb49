package properties

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"poly/internal/diag"
	"poly/internal/engine"
)

func lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	r := reader{text: src.Text, seen: map[string]int{}}
	if bytes.HasPrefix(src.Text, []byte("\xef\xbb\xbf")) {
		r.at = 3
	}
	for n := 0; r.at < len(r.text); n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r.line()
	}
	return r.diags, ctx.Err()
}

// reader follows java.util.Properties.load through a text.
type reader struct {
	text  []byte
	at    int
	lines int            // line ends before at
	seen  map[string]int // keys and the lines they were set in
	diags []diag.Diagnostic
	stop  bool // a syntax error was told: Java reads no further
}

func (r *reader) report(code string, sev diag.Severity, start, end int, title string) {
	r.diags = append(r.diags, diag.Diagnostic{
		Engine: engineName, Code: code, Severity: sev, Title: title, Span: &diag.Span{Start: start, End: end},
	})
}

// line reads one logical line: blanks, a comment, or a key and its value.
func (r *reader) line() {
	r.blanks()
	if r.at >= len(r.text) {
		return
	}
	switch r.text[r.at] {
	case '\n', '\r':
		r.newline()
	case '#', '!':
		for r.at < len(r.text) && r.text[r.at] != '\n' && r.text[r.at] != '\r' {
			r.at++
		}
		r.newline()
	default:
		r.pair()
	}
}

// blanks skips blanks, tabs and form feeds.
func (r *reader) blanks() {
	for r.at < len(r.text) && strings.IndexByte(" \t\f", r.text[r.at]) >= 0 {
		r.at++
	}
}

// newline skips one line end, if there is one.
func (r *reader) newline() {
	if r.at < len(r.text) {
		if r.text[r.at] == '\r' && r.at+1 < len(r.text) && r.text[r.at+1] == '\n' {
			r.at++
		}
		r.at++
		r.lines++
	}
}

func (r *reader) pair() {
	start, line := r.at, r.lines+1
	key := r.chars(true)
	end := r.at
	if end > start {
		for end > start && (r.text[end-1] == '\n' || r.text[end-1] == '\r') {
			end--
		}
	}
	r.chars(false)
	r.newline()
	if r.stop {
		return
	}
	if first, twice := r.seen[key]; twice {
		r.report(codeDuplicate, diag.Warning, start, end, fmt.Sprintf("%s is already set in line %d", quote(key), first))
		return
	}
	r.seen[key] = line
}

func quote(key string) string {
	if len(key) > 80 {
		key = strings.ToValidUTF8(key[:80], "") + "..."
	}
	return strconv.Quote(key)
}

// chars reads a key, up to its separator, or a value, up to the end of the
// logical line, and returns it unescaped.
func (r *reader) chars(key bool) string {
	var out []byte
	for r.at < len(r.text) {
		c := r.text[r.at]
		if c == '\n' || c == '\r' || key && strings.IndexByte("=: \t\f", c) >= 0 {
			break
		}
		if c != '\\' {
			out = append(out, c)
			r.at++
			continue
		}
		out = r.escape(out)
	}
	return string(out)
}

// escape reads what starts with a backslash.
func (r *reader) escape(out []byte) []byte {
	start := r.at
	r.at++
	if r.at >= len(r.text) {
		r.atEnd(start)
		return out
	}
	c := r.text[r.at]
	switch c {
	case '\n', '\r':
		r.newline()
		r.blanks()
		if r.at >= len(r.text) {
			r.atEnd(start)
		}
		return out
	case 'u':
		return r.unicode(out, start)
	case 't', 'n', 'r', 'f':
		c = "\t\n\r\f"[strings.IndexByte("tnrf", c)]
	}
	r.at++
	return append(out, c)
}

func (r *reader) atEnd(start int) {
	r.report(codeEnd, diag.Warning, start, start+1, "The file ends in the middle of a continued line")
}

func (r *reader) unicode(out []byte, start int) []byte {
	digits := r.text[r.at+1 : min(r.at+5, len(r.text))]
	n, err := strconv.ParseUint(string(digits), 16, 16)
	if len(digits) == 4 && err == nil {
		r.at += 5
		return utf8.AppendRune(out, rune(n))
	}
	r.at++
	if !r.stop {
		end := r.at
		for end < len(r.text) && end < start+6 && !bytes.ContainsAny(r.text[end:end+1], "\r\n") {
			end++
		}
		for end > r.at && end < len(r.text) && !utf8.RuneStart(r.text[end]) {
			end--
		}
		r.report(codeSyntax, diag.Error, start, end, `\u needs four hexadecimal digits`)
		r.stop = true
	}
	return append(out, 'u')
}
