package graphql

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"poly/internal/diag"
	"poly/internal/engine"
)

const bom = "\xef\xbb\xbf"

// maxDepth bounds the nesting of what is parsed.
const maxDepth = 500

func lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text, marked := bytes.CutPrefix(src.Text, []byte(bom))
	if deep(text) {
		return nil, engine.Skip("nested too deeply")
	}
	l := &linter{text: string(text)}
	if marked {
		l.shift = len(bom)
	}
	if strings.Trim(blankComments(l.text), " \t\r\n,\ufeff") == "" {
		return nil, nil // nothing but comments, as in a generated or disabled file
	}
	doc, f := parse(l.text)
	if f != nil {
		l.put(codeSyntax, f.at, f.at+1, f.text)
		return l.out, nil
	}
	l.types(&doc.schema)
	l.operations(&doc.query)
	l.out = slices.DeleteFunc(l.out, l.disabled())
	diag.Sort(l.out)
	return l.out, nil
}

// blankComments cuts comments. It need not know strings: a text of comments
// alone has none.
func blankComments(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		before, _, _ := strings.Cut(line, "#")
		b.WriteString(before)
	}
	return b.String()
}

func deep(text []byte) bool {
	depth := 0
	for _, c := range text {
		switch c {
		case '{', '[', '(':
			if depth++; depth > maxDepth {
				return true
			}
		case '}', ']', ')':
			depth = max(0, depth-1)
		}
	}
	return false
}

// linter looks at one file.
type linter struct {
	text   string
	shift  int
	places []int // byte offset of every character; nil if each is a byte
	known  bool  // places is made
	out    []diag.Diagnostic
}

// put reports something at a range of bytes.
func (l *linter) put(code string, start, end int, title string) {
	start = min(start, len(l.text))
	end = min(max(start, end), len(l.text))
	for end < len(l.text) && !utf8.RuneStart(l.text[end]) {
		end++
	}
	r := ruleOf(code)
	l.out = append(l.out, diag.Diagnostic{
		Engine: name, Code: code, Severity: r.severity, Title: strings.ToValidUTF8(title, "\uFFFD"), URL: r.url(),
		Span: &diag.Span{Start: start + l.shift, End: end + l.shift},
	})
}

// name reports something about a name that stands at or after a position.
func (l *linter) name(code string, p *ast.Position, word, format string, args ...any) {
	start := l.offset(p)
	for at := start; ; {
		i := strings.Index(l.text[at:], word)
		if i < 0 {
			break
		}
		at += i
		if !letter(l.text, at-1) && !letter(l.text, at+len(word)) {
			start = at
			break
		}
		at += len(word)
	}
	l.put(code, start, start+len(word), fmt.Sprintf(format, args...))
}

func letter(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// offset turns a position of the library, which counts characters, into bytes.
func (l *linter) offset(p *ast.Position) int {
	if p == nil {
		return 0
	}
	if !l.known {
		l.known = true
		if utf8.RuneCountInString(l.text) != len(l.text) {
			for i := range l.text {
				l.places = append(l.places, i)
			}
		}
	}
	if l.places == nil {
		return min(p.Start, len(l.text))
	}
	if p.Start >= len(l.places) {
		return len(l.text)
	}
	return l.places[p.Start]
}

// line is the number of the line of a position.
func (l *linter) line(p *ast.Position) int {
	return 1 + strings.Count(l.text[:l.offset(p)], "\n")
}

// disabled returns what tells that a comment switches a diagnostic off.
func (l *linter) disabled() func(diag.Diagnostic) bool {
	var all, next []directive
	line := 0
	for text := range strings.Lines(l.text) {
		line++
		_, comment, ok := strings.Cut(text, "#")
		if !ok {
			continue
		}
		word, codes, _ := strings.Cut(strings.TrimSpace(comment), " ")
		d := directive{line: line + 1, codes: strings.FieldsFunc(codes, func(r rune) bool { return r == ' ' || r == ',' })}
		switch word {
		case "eslint-disable-next-line":
			next = append(next, d)
		case "eslint-disable":
			all = append(all, d)
		}
	}
	if len(all)+len(next) == 0 {
		return func(diag.Diagnostic) bool { return false }
	}
	return func(d diag.Diagnostic) bool {
		at := 1 + strings.Count(l.text[:d.Span.Start-l.shift], "\n")
		return slices.ContainsFunc(all, func(x directive) bool { return x.covers(d.Code) }) ||
			slices.ContainsFunc(next, func(x directive) bool { return x.line == at && x.covers(d.Code) })
	}
}

// directive is a comment that switches codes off, all if it names none.
type directive struct {
	line  int
	codes []string
}

func (d directive) covers(code string) bool {
	return len(d.codes) == 0 || slices.ContainsFunc(d.codes, func(c string) bool {
		return c == code || strings.HasSuffix(c, "/"+code)
	})
}
