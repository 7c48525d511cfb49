// Package markdown finds faults in Markdown: the rules of markdownlint, on a
// parser of poly's own. It never changes a document by itself; its fixes keep
// what the document says.
package markdown

import (
	"bytes"
	"context"
	"regexp"
	"slices"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
	"poly/internal/mdtree"
)

const name = "markdown"

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Revision: 1,
		Langs:    []lang.ID{lang.Markdown},
		Verbs:    engine.Lint,
		Rules:    rules,
		Doc: `Lints Markdown by the rules of markdownlint, under their numbers and with their parameters.

It reads CommonMark with tables, footnotes, directives and math, as the markdownlint command does. Front matter is no Markdown,
but a title in it counts. Comments such as <!-- markdownlint-disable MD013 --> are obeyed, with codes, aliases and tags.

Settings of .markdownlint.json, .jsonc, .yaml and .yml, and those under "config" in .markdownlint-cli2.jsonc and .yaml, count
where poly.toml sets nothing. A file that extends another one, or is a program, makes the document skipped.

Fixes are those of markdownlint, as far as they keep what a document says: no number that readers see changes, no line of code,
and no text becomes a heading or emphasis. A fix that would move something out of a list or join two lists is left out.`,
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	l := linter{params: e.Params}
	for i := range checks {
		if !e.Rules.Allows(checks[i].code) {
			l.skip |= 1 << i
		}
		for _, key := range [...]string{"front_matter_title", "ignored_pattern"} {
			pattern := e.Params[checks[i].code].String(key)
			if pattern == "" {
				continue
			}
			if _, err := regexp.Compile(pattern); err != nil {
				return engine.Bound{}, engine.BadRegexp(checks[i].code, key, pattern, err)
			}
		}
	}
	return engine.Bound{
		Inputs: engine.Inputs{Names: nativeNames},
		Open: func(context.Context) (engine.Worker, error) {
			w := l
			return engine.Funcs{LintFunc: w.lint}, nil
		},
	}, nil
}

// linter is a worker. It keeps the settings of the native files it saw last.
type linter struct {
	skip   uint64 // rules that are not reported in any case
	params map[string]config.Values

	inputs   []engine.Input
	settings *settings
}

func (l *linter) lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := l.native(src.Inputs); err != nil {
		return nil, err
	}
	start := 0
	if bytes.HasPrefix(src.Text, []byte("\ufeff")) {
		start = 3
	}
	body := start + frontMatter(src.Text[start:])
	f := &file{text: src.Text, front: src.Text[start:body], doc: mdtree.Parse(src.Text, body)}
	s := f.comments(l.settings)
	f.clear = f.cleared(src.Text, body)
	enabled := f.all
	for _, set := range f.on {
		enabled |= set
	}
	for i := range checks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if enabled&^l.skip&(1<<i) == 0 {
			continue
		}
		c := &check{file: f, rule: i, is: &checks[i], first: len(f.out), params: params{own: l.params[checks[i].code], native: s.params[i]}}
		checks[i].run(c)
	}
	f.settle()
	diag.Sort(f.out)
	return f.out, nil
}

// native reads the settings of the native files, unless they are those of the
// last source.
func (l *linter) native(inputs []engine.Input) error {
	same := func(a, b engine.Input) bool { return a.Path == b.Path && bytes.Equal(a.Text, b.Text) }
	if l.settings != nil && slices.EqualFunc(inputs, l.inputs, same) {
		return nil
	}
	s, err := native(inputs)
	if err != nil {
		return err
	}
	l.settings, l.inputs = s, slices.Clone(inputs)
	return nil
}

// frontMatter returns the length of the front matter at the start of text, with
// the blank lines after it; 0 if there is none.
func frontMatter(text []byte) int {
	line := func(at int) (s []byte, next int) {
		end := bytes.IndexAny(text[at:], "\r\n")
		if end < 0 {
			return text[at:], len(text)
		}
		next = at + end + 1
		if text[at+end] == '\r' && next < len(text) && text[next] == '\n' {
			next++
		}
		return text[at : at+end], next
	}
	if len(text) < 4 {
		return 0
	}
	first, at := line(0)
	var ends []string
	switch string(bytes.TrimRight(first, " \t")) {
	case "---":
		ends = []string{"---"}
	case "+++":
		ends = []string{"+++", "..."}
	case "{":
		ends = []string{"}"}
	default:
		return 0
	}
	for at < len(text) {
		s, next := line(at)
		at = next
		if !slices.Contains(ends, string(bytes.TrimRight(s, " \t"))) {
			continue
		}
		for at < len(text) {
			s, next := line(at)
			if len(bytes.TrimSpace(s)) > 0 {
				break
			}
			at = next
		}
		return at
	}
	return 0
}
