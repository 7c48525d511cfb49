//go:build extra

package cue

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"
	upstream "cuelang.org/go/cue/format"
	"cuelang.org/go/cue/parser"

	"poly/internal/diag"
	"poly/internal/engine"
)

// moduleFile says which version of the language a module is written in.
const moduleFile = "cue.mod/module.cue"

// maxDepth is how deep brackets may be nested: the library recurses.
const maxDepth = 500

// worker is one bound configuration.
type worker struct {
	simplify bool
	globals  engine.Globals
}

var languageVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)\blanguage\b.{0,40}?\bversion\s*:\s*"(v\d+\.\d+\.\d+[^"]*)"`)
})

// parse reads a text in the version its module names.
func parse(text []byte, inputs []engine.Input) (*ast.File, error) {
	options := []parser.Option{parser.ParseComments}
	if len(inputs) > 0 {
		if m := languageVersion().FindSubmatch(inputs[0].Text); m != nil {
			options = append(options, parser.Version(string(m[1])))
		}
	}
	return parser.ParseFile("", text, options...)
}

// format returns what cue fmt would write.
func (w *worker) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	body, ends := engine.Plain(src.Text)
	if err := judgeable(body); err != nil {
		return nil, err
	}
	file, err := parse(body, src.Inputs)
	if err != nil {
		return nil, engine.Skip(fmt.Sprintf("CUE syntax error at line %d", first(err).line))
	}
	var options []upstream.Option
	if w.simplify {
		options = append(options, upstream.Simplify())
	}
	out, err := upstream.Node(file, options...)
	if err != nil {
		return nil, engine.Skip("cue cannot format it: " + strings.ReplaceAll(err.Error(), "\n", " "))
	}
	if out = ends.Restore(out, w.globals); bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

func (w *worker) lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	body, _ := engine.Plain(src.Text)
	if err := judgeable(body); err != nil {
		return nil, err
	}
	if _, err := parse(body, src.Inputs); err != nil {
		m := first(err)
		lines := diag.NewLines(src.Text)
		start := lines.Offset(m.line, 1)
		start += min(max(0, m.column-1), len(lines.Line(m.line)))
		return []diag.Diagnostic{{
			Engine: name, Code: codeSyntax, Severity: diag.Error, Title: m.text, Span: &diag.Span{Start: start, End: start},
		}}, nil
	}
	return nil, nil
}

// mistake is an error and where it is; the column counts bytes.
type mistake struct {
	text         string
	line, column int
}

func first(err error) mistake {
	m := mistake{text: err.Error(), line: 1, column: 1}
	if list := errors.Errors(err); len(list) > 0 {
		format, args := list[0].Msg()
		m.text = fmt.Sprintf(format, args...)
		if p := list[0].Position(); p.IsValid() {
			m.line, m.column = p.Line(), p.Column()
		}
	}
	m.text, _, _ = strings.Cut(m.text, "\n")
	return m
}

// judgeable declines what the library cannot stand.
func judgeable(body []byte) error {
	depth, deepest := 0, 0
	for _, c := range body {
		switch c {
		case '(', '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ')', ']', '}':
			depth--
		}
	}
	if deepest > maxDepth {
		return engine.Skip(fmt.Sprintf("brackets nested deeper than %d levels", maxDepth))
	}
	return nil
}
