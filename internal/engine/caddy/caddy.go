//go:build extra

// Package caddy formats Caddyfiles with Caddy's own formatter and finds what
// its lexer refuses. It knows no directives.
package caddy

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const (
	name = "caddy"

	codeSyntax = "syntax"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "2.11.9",
		Revision: 2,
		Licence:  "Apache-2.0",
		Langs:    []lang.ID{"caddyfile"},
		Verbs:    engine.Lint | engine.Format,
		Rules: []engine.Rule{
			{Code: codeSyntax, Severity: diag.Error, Default: true, Upstream: true, Doc: docSyntax, URL: "https://caddyserver.com/docs/caddyfile/concepts"},
		},
		Doc: `Formats Caddyfiles as caddy fmt does and reports what is no Caddyfile at all.

Directives belong to modules of Caddy and are not judged. A result is refused if its words, the lines they stand on, or its
comments are not those of the original.`,
	},
	Bind: bind,
}

const docSyntax = "The text is no Caddyfile.\n\n" +
	"Caddy refuses the whole file: a heredoc does not end, or braces do not match.\n\n" +
	"    respond <<END\n\nMend what stands at that place or before it."

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	f := &formatter{globals: e.Globals}
	return engine.Bound{Open: engine.Stateless(engine.Funcs{LintFunc: lint, FormatFunc: f.format}), Same: Same}, nil
}

// formatter is one bound configuration.
type formatter struct{ globals engine.Globals }

// format returns what caddy fmt would write.
func (f *formatter) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	body, ends := engine.Plain(src.Text)
	if len(bytes.TrimSpace(body)) == 0 {
		return src.Text, nil
	}
	if m := check(body); m != nil {
		return nil, engine.Skip(fmt.Sprintf("Caddyfile syntax error at line %d", m.line))
	}
	out := ends.Restore(caddyfile.Format(body), f.globals)
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

func lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	body, _ := engine.Plain(src.Text)
	m := check(body)
	if m == nil {
		return nil, nil
	}
	lines := diag.NewLines(src.Text)
	at := lines.Offset(m.line, 1)
	return []diag.Diagnostic{{
		Engine: name, Code: codeSyntax, Severity: diag.Error, Title: m.text, Span: &diag.Span{Start: at, End: at + len(lines.Line(m.line))},
	}}, nil
}

// mistake is what makes a text no Caddyfile.
type mistake struct {
	text string
	line int
}

var lineNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`line #(\d+)`) })

// check returns the first mistake of a text, nil if there is none.
func check(body []byte) *mistake {
	if len(body) == 0 {
		return nil // the lexer wants a byte
	}
	tokens, err := caddyfile.Tokenize(body, "")
	if err != nil {
		m := &mistake{err.Error(), 1}
		if n := lineNumber().FindStringSubmatch(m.text); n != nil {
			m.line, _ = strconv.Atoi(n[1])
		}
		m.text, _, _ = strings.Cut(m.text, "\n")
		return m
	}
	var open []int
	for i := range tokens {
		switch t := &tokens[i]; {
		case t.Quoted():
		case t.Text == "{":
			open = append(open, t.Line)
		case t.Text == "}" && len(open) == 0:
			return &mistake{"a closing brace without an opening one", t.Line}
		case t.Text == "}":
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return &mistake{"a brace is not closed", open[len(open)-1]}
	}
	return nil
}
