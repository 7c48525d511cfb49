package proto

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bufbuild/protocompile/ast"
	"github.com/bufbuild/protocompile/parser"
	"github.com/bufbuild/protocompile/reporter"

	"poly/internal/diag"
	"poly/internal/engine"
)

const bom = "\xef\xbb\xbf"

// maxDepth bounds the nesting of what is parsed.
const maxDepth = 200

// worker keeps what it read of the directory it is in.
type worker struct {
	engine.Funcs
	own    settings
	dir    string
	parsed map[string]*peer // by path
}

// Lint implements [engine.Worker].
func (w *worker) Lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	set, err := w.own.with(src.Inputs, src.Path)
	if err != nil {
		return nil, err
	}
	text, marked := bytes.CutPrefix(src.Text, []byte(bom))
	if why := unjudged(text); why != "" {
		return nil, engine.Skip(why)
	}
	l := &linter{path: src.Path, text: text, settings: set}
	if marked {
		l.shift = len(bom)
	}
	file, faults := parse(src.Path, text)
	for i, f := range faults {
		if i == 0 || f.text != "syntax error: unexpected error" { // what a bad token leaves behind
			l.syntax(f)
		}
	}
	if len(faults) == 0 {
		l.file = file
		l.invalid(parsed{file})
		l.names()
		l.conventions()
		l.siblings(w.peers(src))
	}
	diag.Sort(l.out)
	return l.out, nil
}

// unjudged returns why a text cannot be judged, "" if it can.
func unjudged(text []byte) string {
	if e := edition(text); e != "" && e != "2023" {
		return "edition " + e + " is not known to the parser"
	}
	depth := 0
	for _, c := range text {
		switch c {
		case '{', '[', '<', '(':
			depth++
		case '}', ']', '>', ')':
			depth = max(0, depth-1)
		}
		if depth > maxDepth {
			return "nested too deeply"
		}
	}
	return ""
}

// edition returns the edition a text declares as its first statement, "" if it
// declares none.
func edition(text []byte) string {
	s := string(skipBlank(text))
	rest, ok := strings.CutPrefix(s, "edition")
	if !ok {
		return ""
	}
	rest, ok = strings.CutPrefix(string(skipBlank([]byte(rest))), "=")
	if rest = string(skipBlank([]byte(rest))); !ok || rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	value, _, ok := strings.Cut(rest[1:], rest[:1])
	if !ok || strings.ContainsAny(value, "\n\\") {
		return ""
	}
	return value
}

// skipBlank cuts white space and comments at the start.
func skipBlank(text []byte) []byte {
	for {
		text = bytes.TrimLeft(text, " \t\r\n\v\f")
		end := 0
		switch {
		case bytes.HasPrefix(text, []byte("//")):
			end = bytes.IndexByte(text, '\n')
		case bytes.HasPrefix(text, []byte("/*")):
			if end = bytes.Index(text[2:], []byte("*/")); end >= 0 {
				end += 4
			}
		default:
			return text
		}
		if end < 0 {
			return nil
		}
		text = text[end:]
	}
}

// fault is an error of the library and where it is.
type fault struct {
	start, end int
	text       string
}

// gather returns a handler that goes on after errors, up to so many, and what
// they are. The library takes quadratic time to go on.
func gather(limit int) (*reporter.Handler, *[]fault) {
	var out []fault
	return reporter.NewHandler(reporter.NewReporter(func(err reporter.ErrorWithPos) error {
		out = append(out, fault{err.Start().Offset, err.End().Offset + 1, err.Unwrap().Error()})
		if len(out) >= limit {
			return err
		}
		return nil
	}, nil)), &out
}

// The most errors of one file that are told.
const (
	maxSyntax  = 10
	maxInvalid = 100
)

func parse(file string, text []byte) (*ast.FileNode, []fault) {
	h, faults := gather(maxSyntax)
	node, err := parser.Parse(file, bytes.NewReader(text), h)
	if err != nil && len(*faults) == 0 {
		*faults = append(*faults, fault{text: err.Error()})
	}
	return node, *faults
}

// parsed is a file without syntax errors.
type parsed struct{ *ast.FileNode }

// validate returns what the compiler refuses in a file by itself.
func (p parsed) validate() []fault {
	h, faults := gather(maxInvalid)
	_, err := parser.ResultFromAST(p.FileNode, true, h)
	if err != nil && len(*faults) == 0 {
		*faults = append(*faults, fault{text: err.Error()})
	}
	return *faults
}

// linter looks at one file.
type linter struct {
	path     string
	text     []byte
	shift    int // of offsets, for a byte order mark
	settings settings
	file     *ast.FileNode
	pkg      string // name of the package, "" if there is none
	out      []diag.Diagnostic
	off      []string // codes that comments around switch off
}

func (l *linter) syntax(f fault) {
	l.put(codeSyntax, f.start, f.end, strings.ToUpper(f.text[:1])+f.text[1:], "")
}

// invalid reports what the compiler refuses.
func (l *linter) invalid(p parsed) {
	for _, f := range p.validate() {
		title := f.text
		if scope, rest, ok := strings.Cut(title, ": "); ok && strings.Contains(scope, " ") {
			title = rest
		}
		l.put(codeOf(f.text), f.start, f.end, strings.ToUpper(title[:1])+title[1:], "")
	}
}

// codeOf sorts what the library refuses.
func codeOf(text string) string {
	switch {
	case strings.Contains(text, "have the same tag"), strings.Contains(text, "have the same numeric value"),
		strings.Contains(text, "is using tag"), strings.Contains(text, "is using number"), strings.Contains(text, "out of range"),
		strings.Contains(text, "tag number"), strings.Contains(text, "in disallowed reserved range"):
		return codeNumber
	case strings.Contains(text, "is using a reserved name"):
		return codeReservedName
	}
	return codeInvalid
}

// node reports something about a node.
func (l *linter) node(code string, n ast.Node, title, help string) {
	i := l.file.NodeInfo(n)
	l.put(code, i.Start().Offset, i.End().Offset+1, title, help)
}

// put adds a diagnostic; the file may have more of one code than anybody reads.
func (l *linter) put(code string, start, end int, title, help string) {
	if l.settings.silent(code) || slices.Contains(l.off, code) {
		return
	}
	start = min(start, len(l.text))
	end = min(max(start, end), len(l.text))
	for start > 0 && start < len(l.text) && !utf8.RuneStart(l.text[start]) {
		start--
	}
	for end < len(l.text) && !utf8.RuneStart(l.text[end]) {
		end++
	}
	r := ruleOf(code)
	l.out = append(l.out, diag.Diagnostic{
		Engine: name, Code: code, Severity: r.Severity, Title: strings.ToValidUTF8(title, "\uFFFD"), Description: help, URL: r.URL,
		Span: &diag.Span{Start: start + l.shift, End: end + l.shift},
	})
}

// within runs f with the codes switched off that the comments of a node name.
func (l *linter) within(n ast.Node, f func()) {
	before := l.off
	l.off = append(slices.Clip(l.off), ignored(l.file.NodeInfo(n).LeadingComments())...)
	f()
	l.off = before
}

// ignored are the codes that comments ask to ignore.
func ignored(c ast.Comments) []string {
	var out []string
	for i := range c.Len() {
		for line := range strings.Lines(c.Index(i).RawText()) {
			_, rest, ok := strings.Cut(line, "buf:lint:ignore ")
			if f := strings.Fields(rest); ok && len(f) > 0 {
				out = append(out, f[0])
			}
		}
	}
	return out
}
