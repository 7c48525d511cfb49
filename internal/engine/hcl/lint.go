package hcl

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"poly/internal/diag"
	"poly/internal/engine"
)

// worker keeps what it read of the directory it is in.
type worker struct {
	formatter
	dir   string
	files map[string]*summary // by path
}

// Close implements [engine.Worker].
func (w *worker) Close() error { return nil }

// Format implements [engine.Worker].
func (w *worker) Format(ctx context.Context, src engine.Source) ([]byte, error) {
	return w.format(ctx, src)
}

// Lint implements [engine.Worker].
func (w *worker) Lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text := src.Text
	if why := unjudged(text); why != "" {
		return nil, engine.Skip(why)
	}
	off, err := silenced(src.Inputs)
	if err != nil {
		return nil, err
	}
	l := &linter{text: text, kind: kindOf(src.Path), off: off}
	file, diags := parse(text)
	if firstVersion(src.Path, text, diags) {
		return nil, engine.Skip("HCL of the first version")
	}
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			l.syntax(d)
		}
	}
	if len(l.out) == 0 {
		body := file.Body.(*hclsyntax.Body)
		l.ignores()
		l.expressions(body)
		if l.kind == module {
			l.declarations(body)
			l.module(w.summarise(src.Path, src.Text, body), w.siblings(src))
		}
	}
	diag.Sort(l.out)
	return l.out, nil
}

// firstVersion reports whether a text does not parse because of what HCL 1 has
// and HCL 2 has not: names in quotes or with dots, and several arguments in a
// block of one line. The configurations of Nomad, Consul and Vault are in it.
func firstVersion(file string, text []byte, diags hcl.Diagnostics) bool {
	if !mayBeFirst(file) || !diags.HasErrors() {
		return false
	}
	first := firstError(diags)
	if first.Subject == nil {
		return false
	}
	switch first.Summary {
	case "Invalid argument name", "Argument definition required":
		return true
	case "Argument or block definition required":
		at := first.Subject.Start.Byte
		begin := bytes.LastIndexByte(text[:min(at, len(text))], '\n') + 1
		line, _, _ := bytes.Cut(text[begin:], []byte("\n"))
		return dottedName().Match(line)
	}
	return false
}

// mayBeFirst reports whether a name tells nothing of the version of HCL.
func mayBeFirst(file string) bool {
	base := path.Base(file)
	ext := path.Ext(base)
	return (ext == ".hcl" || ext == ".nomad") && kindOf(file) == other && !strings.HasSuffix(base, ".pkr.hcl") &&
		!strings.HasPrefix(base, "terragrunt") && !strings.HasPrefix(base, ".")
}

var dottedName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*[A-Za-z_][\w-]*(?:\.[\w-]+)+\s*[={]`) })

// linter looks at one file.
type linter struct {
	text    []byte
	kind    kind
	off     []string // rules that .tflint.hcl switches off
	out     []diag.Diagnostic
	ignored []ignore
}

func (l *linter) syntax(d *hcl.Diagnostic) {
	out := diag.Diagnostic{Engine: name, Code: codeSyntax, Severity: diag.Error, Title: d.Summary, Description: d.Detail}
	if d.Subject != nil {
		out.Span = l.span(*d.Subject)
	}
	l.out = append(l.out, out)
}

// span makes a Span of a range, which the parser may place behind the text.
func (l *linter) span(r hcl.Range) *diag.Span {
	end := min(r.End.Byte, len(l.text))
	return &diag.Span{Start: min(r.Start.Byte, end), End: end}
}

// put reports something, unless a comment or .tflint.hcl switches it off.
func (l *linter) put(code string, at hcl.Range, title, help string, fix ...diag.Edit) {
	if slices.Contains(l.off, code) || slices.ContainsFunc(l.ignored, func(i ignore) bool { return i.covers(code, at.Start.Line) }) {
		return
	}
	r := ruleOf(code)
	l.out = append(l.out, diag.Diagnostic{
		Engine: name, Code: code, Severity: r.severity, Title: title, Description: help, URL: r.url(), Span: l.span(at), Fix: fix,
	})
}

func (l *linter) source(r hcl.Range) string { return string(r.SliceBytes(l.text)) }

// ignore is a comment that switches rules off: for its line and the next, or
// for the file.
type ignore struct {
	line  int // 0: the whole file
	rules []string
}

func (i ignore) covers(code string, line int) bool {
	return (i.line == 0 || line == i.line || line == i.line+1) && (slices.Contains(i.rules, code) || slices.Contains(i.rules, "all"))
}

// ignores reads the comments of tflint.
func (l *linter) ignores() {
	if !strings.Contains(string(l.text), "tflint-ignore") {
		return
	}
	tokens, _ := hclsyntax.LexConfig(l.text, "", hcl.InitialPos)
	for _, t := range tokens {
		if t.Type != hclsyntax.TokenComment {
			continue
		}
		text := strings.TrimSpace(strings.TrimSuffix(strings.TrimLeft(strings.TrimSpace(string(t.Bytes)), "#/*"), "*/"))
		word, rest, ok := strings.Cut(text, ":")
		i := ignore{line: t.Range.Start.Line}
		switch {
		case !ok:
			continue
		case word == "tflint-ignore-file":
			i.line = 0
		case word != "tflint-ignore":
			continue
		}
		for rule := range strings.SplitSeq(rest, ",") {
			if f := strings.Fields(rule); len(f) > 0 {
				i.rules = append(i.rules, f[0])
			}
		}
		l.ignored = append(l.ignored, i)
	}
}

// maxDepth bounds the nesting of what is parsed: the parser recurses.
const maxDepth = 500

// unjudged returns why a text cannot be judged, "" if it can.
func unjudged(text []byte) string {
	depth := 0
	for _, c := range text {
		switch c {
		case '{', '[', '(':
			if depth++; depth > maxDepth {
				return "nested too deeply"
			}
		case '}', ']', ')':
			depth = max(0, depth-1)
		}
	}
	return ""
}
