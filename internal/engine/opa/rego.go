//go:build extra

package opa

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	upstream "github.com/open-policy-agent/opa/v1/format"

	"poly/internal/diag"
	"poly/internal/engine"
)

// maxSize is how many bytes a file may have: the parser is slow.
const maxSize = 512 << 10

// worker is one bound configuration.
type worker struct {
	version string
	globals engine.Globals
}

// parsed is a text and the version of Rego it was read as.
type parsed struct {
	module  *ast.Module
	version ast.RegoVersion
}

// parse reads a text as v1, else as v0, unless the version is given.
func parse(text []byte, version string) (parsed, error) {
	var first error
	for _, v := range []ast.RegoVersion{ast.RegoV1, ast.RegoV0} {
		if version == "v0" && v != ast.RegoV0 || version == "v1" && v != ast.RegoV1 {
			continue
		}
		m, err := ast.ParseModuleWithOpts("", string(text), ast.ParserOptions{RegoVersion: v, ProcessAnnotation: true})
		if err == nil {
			return parsed{m, v}, nil
		}
		if first == nil || offset(err) > offset(first) {
			first = err
		}
	}
	return parsed{}, first
}

// mistake returns the first error of a parser and where it is.
func mistake(err error) (message string, line, col int) {
	if list := ast.Errors(nil); errors.As(err, &list) && len(list) > 0 {
		err = list[0]
	}
	e := (*ast.Error)(nil)
	if !errors.As(err, &e) || e.Location == nil {
		return err.Error(), 1, 1
	}
	first, _, _ := strings.Cut(e.Message, "\n")
	return first, max(1, e.Location.Row), max(1, e.Location.Col)
}

func offset(err error) int {
	_, line, col := mistake(err)
	return line<<16 + col
}

func (w *worker) lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(src.Text) > maxSize {
		return nil, tooLarge()
	}
	body, _ := engine.Plain(src.Text)
	if empty(body) {
		return nil, nil
	}
	_, err := parse(body, w.version)
	if err == nil {
		return nil, nil
	}
	message, line, col := mistake(err)
	at := diag.NewLines(src.Text).Offset(line, col)
	return []diag.Diagnostic{{
		Engine: name, Code: codeSyntax, Severity: diag.Error, Title: message, Span: &diag.Span{Start: at, End: at},
	}}, nil
}

func tooLarge() error { return engine.Skip(fmt.Sprintf("larger than %d KiB", maxSize>>10)) }

// empty tells that a text has no statement: OPA does not take it for a module.
func empty(body []byte) bool {
	for line := range bytes.Lines(body) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

// format returns what opa fmt would write.
func (w *worker) format(ctx context.Context, src engine.Source) (out []byte, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(src.Text) > maxSize {
		return nil, tooLarge()
	}
	body, ends := engine.Plain(src.Text)
	if empty(body) {
		return src.Text, nil
	}
	p, err := parse(body, w.version)
	if err != nil {
		_, line, _ := mistake(err)
		return nil, engine.Skip(fmt.Sprintf("Rego syntax error at line %d", line))
	}
	defer func() {
		if v := recover(); v != nil {
			out, err = nil, engine.Skip(fmt.Sprintf("opa cannot format it: %v", v))
		}
	}()
	text, err := layout(body, p.version)
	if err != nil && p.version != ast.RegoV0 && w.version != "v1" {
		if old, fault := layout(body, ast.RegoV0); fault == nil {
			text, err = old, nil // v1 forbids more than its parser does
		}
	}
	if err != nil {
		return nil, engine.Skip("opa cannot format it: " + strings.Join(strings.Fields(err.Error()), " "))
	}
	if text = ends.Restore(text, w.globals); bytes.Equal(text, src.Text) {
		return src.Text, nil
	}
	return text, nil
}

// layout formats a text that is read as one version of Rego and written as the same.
func layout(body []byte, v ast.RegoVersion) ([]byte, error) {
	return upstream.SourceWithOpts("", body, upstream.Opts{RegoVersion: v, ParserOptions: &ast.ParserOptions{RegoVersion: v}})
}
