package buildifier

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/bazelbuild/buildtools/build"
	"github.com/bazelbuild/buildtools/warn"

	"poly/internal/diag"
	"poly/internal/engine"
)

// lint reports a syntax error, or the warnings of buildifier that are allowed.
func (w *worker) lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w, err := w.native(src.Inputs)
	if err != nil {
		return nil, err
	}
	body, _ := engine.Plain(src.Text)
	if err := judgeable(body); err != nil {
		return nil, err
	}
	f, kind, err := w.parse(src.Path, body)
	if fault, ok := errors.AsType[build.ParseError](err); ok {
		if err := doubted(kind, string(body)); err != nil {
			return nil, err
		}
		return []diag.Diagnostic{syntaxError(src.Text, fault.Pos.Line, fault.Pos.LineRune, strings.ReplaceAll(fault.Message, "\n", "line end"))}, nil
	} else if err != nil {
		return nil, err
	}
	l := &linter{worker: w, src: src, body: body, file: f, lines: diag.NewLines(src.Text), silences: silencesOf(f)}
	for i := range rules {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if r := &rules[i]; r.Code != codeSyntax && w.rules.Allows(r.Code) && w.wants(r.Code) {
			l.run(r)
		}
	}
	return l.out, nil
}

// linter judges one file.
type linter struct {
	*worker
	src      engine.Source
	body     []byte
	file     *build.File
	lines    *diag.Lines
	silences []silence
	out      []diag.Diagnostic
	// formatted: the body is as buildifier prints it; nil: not known yet.
	formatted *bool
	fixes     int
}

// find returns what one warning finds in f.
func find(f *build.File, code string) []*warn.LinterFinding {
	if check, ok := warn.FileWarningMap[code]; ok {
		return check(f)
	}
	if check, ok := warn.MultiFileWarningMap[code]; ok {
		return check(f, nil)
	}
	return nil
}

func (l *linter) run(r *engine.Rule) {
	for n, found := range find(l.file, r.Code) {
		if l.silent(found.Start.Line, r.Code) {
			continue
		}
		title, more, _ := strings.Cut(strings.TrimSpace(found.Message), "\n")
		d := diag.Diagnostic{
			Engine: name, Code: r.Code, Severity: r.Severity, Title: strings.TrimSpace(title), Description: strings.TrimSpace(more), URL: found.URL,
			Span: l.span(found.Start, found.End),
		}
		if r.Fixable && len(found.Replacement) > 0 {
			d.Fix = l.fix(r.Code, n)
		}
		l.out = append(l.out, d)
	}
}

// span is the first line of what was found: a warning about a function need
// not mark all of it.
func (l *linter) span(start, end build.Position) *diag.Span {
	s := &diag.Span{Start: l.lines.Offset(start.Line, start.LineRune)}
	s.End = s.Start
	if end.Line == start.Line {
		s.End = max(s.Start, l.lines.Offset(end.Line, end.LineRune))
	} else {
		s.End += len(strings.TrimRight(l.rest(s.Start), " \t\r"))
	}
	return s
}

func (l *linter) rest(at int) string {
	line, _, _ := strings.Cut(string(l.src.Text[at:min(len(l.src.Text), at+4096)]), "\n")
	return line
}

// silence is a part of a file and the words of the comments that belong to it.
type silence struct {
	first, last int // lines
	node        build.Expr
}

// silencesOf finds the nodes whose comments switch warnings off.
func silencesOf(f *build.File) []silence {
	var out []silence
	build.Walk(f, func(e build.Expr, _ []build.Expr) {
		if e == nil {
			return
		}
		c := e.Comment()
		if c == nil || !speaks(c) {
			return
		}
		start, end := e.Span()
		if len(c.Before) > 0 {
			start, _ = c.Before[0].Span()
		}
		if len(c.After) > 0 {
			_, end = c.After[len(c.After)-1].Span()
		}
		out = append(out, silence{start.Line, end.Line, e})
	})
	return out
}

// speaks tells that a comment may be meant for buildifier.
func speaks(c *build.Comments) bool {
	return slices.ContainsFunc([][]build.Comment{c.Before, c.Suffix, c.After}, func(list []build.Comment) bool {
		return slices.ContainsFunc(list, func(c build.Comment) bool { return strings.Contains(c.Token, "disable=") })
	})
}

func (l *linter) silent(line int, code string) bool {
	return slices.ContainsFunc(l.silences, func(s silence) bool {
		return s.first <= line && line <= s.last && warn.HasDisablingComment(s.node, code)
	})
}
