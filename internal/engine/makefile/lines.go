package makefile

import (
	"bytes"
	"context"
	"strings"

	"poly/internal/diag"
)

// line is a logical line: physical lines that backslashes join.
type line struct {
	start, end int    // in the file, without the last line end
	first      string // the first physical line, without its end
	text       string // all of them, joined by blanks
}

// reader follows make through a file.
type reader struct {
	text    []byte
	at      int
	prefix  byte // what starts a line of a recipe
	rule    bool // a recipe may follow
	foreign bool // not a makefile of GNU or BSD make: only backslashes are judged
	bsd     bool // its conditionals start with a dot
	ifs     []open
	defines []int // offsets of the open ones
	diags   []diag.Diagnostic
}

// open is a conditional that is not closed yet.
type open struct {
	at     int
	length int
	elses  int // a plain else was read
}

// dialect looks at what tells other makes: !IF of nmake, .SYMBOLIC of Open
// Watcom, .if of BSD make.
func (r *reader) dialect(class string) {
	r.foreign = class == "nmake"
	for l := range bytes.Lines(r.text) {
		if bytes.Contains(l, []byte(": .SYMBOLIC")) {
			r.foreign = true
		}
		if len(l) < 3 {
			continue
		}
		switch word := firstWord(string(l[1:])); l[0] {
		case '!':
			switch strings.ToLower(word) {
			case "if", "ifdef", "ifndef", "include", "else", "endif", "error", "message", "undef", "elseif":
				r.foreign = true
			}
		case '.':
			switch word {
			case "AUTODEPEND", "SWAP", "SYMBOLIC", "ERASE", "BEFORE", "AFTER": // Borland's and Watcom's
				r.foreign = true
			case "if", "ifdef", "ifndef", "ifmake", "ifnmake", "for", "include", "endif", "endfor", "else", "elif", "undef", "error", "info", "warning", "sinclude", "dinclude":
				r.bsd = true
			}
		}
	}
}

func firstWord(s string) string {
	s = strings.TrimLeft(s, " \t")
	if i := strings.IndexAny(s, " \t\r\n(<\""); i >= 0 {
		s = s[:i]
	}
	return s
}

// read reads all of the file.
func (r *reader) read(ctx context.Context) error {
	r.at = len(r.text) - len(bytes.TrimPrefix(r.text, []byte("\xef\xbb\xbf")))
	for n := 0; r.at < len(r.text); n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r.judge(r.next())
	}
	r.unclosed()
	return ctx.Err()
}

// physical returns the next physical line without its end.
func (r *reader) physical() string {
	rest := r.text[r.at:]
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		r.at = len(r.text)
		return string(rest)
	}
	r.at += n + 1
	return strings.TrimSuffix(string(rest[:n]), "\r")
}

// next returns the next logical line.
func (r *reader) next() line {
	l := line{start: r.at}
	var parts []string
	for {
		start := r.at
		s := r.physical()
		l.end = start + len(s)
		if len(parts) == 0 {
			l.first = s
		}
		slashes := len(s) - len(strings.TrimRight(s, `\`))
		r.trailing(s, start, strings.TrimLeft(l.first, " \t"))
		if slashes%2 == 0 || r.at >= len(r.text) {
			parts = append(parts, s[:len(s)-slashes%2])
			l.text = strings.Join(parts, " ")
			return l
		}
		parts = append(parts, s[:len(s)-1])
	}
}

// trailing reports blanks behind a backslash, where a line follows that the
// backslash was to be continued with.
func (r *reader) trailing(s string, start int, first string) {
	body := strings.TrimRight(s, " \t")
	n := len(body)
	if n == len(s) || n < 2 || body[n-1] != '\\' || body[n-2] == '\\' || strings.HasPrefix(first, "#") {
		return
	}
	before := strings.TrimRight(body[:n-1], " \t")
	// "SPACE = \ " makes a blank: there, it is what the backslash is for.
	if before == "" && len(first) == len(strings.TrimLeft(s, " \t")) || strings.HasSuffix(before, "=") && !r.indentedNext() || r.blankNext() || comment(before) {
		return
	}
	r.diags = append(r.diags, diag.Diagnostic{
		Engine: engineName, Code: codeTrailing, Severity: diag.Warning, Title: "Blanks after the backslash: the line is not continued",
		Span: &diag.Span{Start: start + n, End: start + len(s)},
	})
}

// comment reports whether a line may have a comment that holds its end.
func comment(s string) bool {
	return strings.Contains(s, " #") || strings.Contains(s, "\t#")
}

func (r *reader) peek() []byte {
	rest := r.text[r.at:]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	return rest
}

func (r *reader) blankNext() bool { return len(bytes.TrimSpace(r.peek())) == 0 }

func (r *reader) indentedNext() bool {
	next := r.peek()
	return len(next) > 0 && (next[0] == ' ' || next[0] == '\t')
}
