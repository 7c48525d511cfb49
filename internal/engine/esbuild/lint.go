package esbuild

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

type linter struct{ lang lang.ID }

// maxSize is more than any source people edit. What is larger was generated,
// and costs esbuild twenty times its size in memory.
const maxSize = 4 << 20

func (l linter) lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if reason := l.notJudged(src); reason != "" {
		return nil, engine.Skip(reason)
	}
	text := string(src.Text)
	var res api.TransformResult
	for i, o := range l.attempts() {
		again := api.Transform(text, o)
		if i == 0 || len(again.Errors) == 0 {
			res = again
		}
		if len(res.Errors) == 0 {
			break
		}
	}
	if pathClass(src.Path) == declares { // a constant has its value elsewhere
		res.Errors = slices.DeleteFunc(res.Errors, func(m api.Message) bool { return strings.HasSuffix(m.Text, "must be initialized") })
	}
	if len(res.Errors) > 0 {
		if filledIn(src.Text, res.Errors) {
			return nil, engine.Skip("template with placeholders")
		}
		if reason := l.otherLanguage(text); reason != "" {
			return nil, engine.Skip(reason)
		}
	}
	return findings(src.Text, res), ctx.Err()
}

func (l linter) notJudged(src engine.Source) string {
	switch pathClass(src.Path) {
	case ".pcss", ".postcss":
		return "PostCSS, whose syntax its plugins make"
	}
	if len(src.Text) > maxSize {
		return "larger than 4 MB"
	}
	if !utf8.Valid(src.Text) {
		return "not UTF-8"
	}
	head := src.Text[:min(len(src.Text), 8<<10)]
	if l.lang != "css" {
		if reason := foreign(head); reason != "" {
			return reason
		}
	} else if frontMatter(head) {
		return "front matter"
	}
	if tooDeep(src.Text, l.lang == "css") {
		return "nested too deeply"
	}
	return ""
}

// attempts are the ways in which a file may be meant: it is fine if one fits.
func (l linter) attempts() []api.TransformOptions {
	const (
		plain        = "{}"
		experimental = `{"compilerOptions":{"experimentalDecorators":true}}`
	)
	one := func(l api.Loader, config string) api.TransformOptions {
		return api.TransformOptions{Loader: l, TsconfigRaw: config, Sourcefile: "input", JSX: api.JSXPreserve, LogLevel: api.LogLevelSilent}
	}
	switch l.lang {
	case lang.TypeScript:
		return []api.TransformOptions{one(api.LoaderTS, plain), one(api.LoaderTS, experimental)}
	case "tsx":
		return []api.TransformOptions{one(api.LoaderTSX, plain), one(api.LoaderTSX, experimental)}
	case "css":
		return []api.TransformOptions{one(api.LoaderCSS, plain)}
	}
	return []api.TransformOptions{one(api.LoaderJSX, plain)}
}

// findings converts what esbuild says.
func findings(text []byte, res api.TransformResult) []diag.Diagnostic {
	var out []diag.Diagnostic
	lines := newLines(text)
	for i := range res.Errors {
		out = append(out, finding(lines, &res.Errors[i], codeSyntax, diag.Error))
	}
	for i := range res.Warnings {
		m := &res.Warnings[i]
		if isRule(m.ID) && !mistaken(m) {
			out = append(out, finding(lines, m, m.ID, diag.Warning))
		}
	}
	return out
}

func finding(lines *lines, m *api.Message, code string, sev diag.Severity) diag.Diagnostic {
	title, _, _ := strings.Cut(m.Text, "\n")
	d := diag.Diagnostic{Engine: name, Code: code, Severity: sev, Title: title}
	var notes []string
	for _, n := range m.Notes {
		if n.Text != "" {
			notes = append(notes, n.Text)
		}
	}
	d.Description = strings.Join(notes, "\n")
	if m.Location == nil {
		return d
	}
	d.Span = lines.span(m.Location)
	if code == "assert-to-with" && m.Location.Suggestion != "" {
		d.Fix = []diag.Edit{{Start: d.Span.Start, End: d.Span.End, Replacement: m.Location.Suggestion}}
	}
	return d
}

func isRule(id string) bool {
	for _, list := range [...][]engine.Rule{jsRules, cssRules} {
		for i := range list {
			if list[i].Code == id {
				return true
			}
		}
	}
	return false
}

// mistaken reports whether esbuild warns of what is right, or meant as it is.
func mistaken(m *api.Message) bool {
	if m.ID != "css-syntax-error" || m.Location == nil {
		return false
	}
	line := strings.TrimSpace(m.Location.LineText)
	before := strings.TrimSpace(m.Location.LineText[:min(m.Location.Column, len(m.Location.LineText))])
	switch {
	case strings.HasPrefix(m.Text, `Expected ";"`) && m.Location.LineText != "" && strings.HasPrefix(line, "@layer "):
		return true // the last statement of a block needs none
	case strings.HasPrefix(m.Text, `Expected ";" but found "}"`) && line == "}":
		return true
	case strings.Contains(m.Text, `"*"`) && (before == "" || strings.HasSuffix(before, "{") || strings.HasSuffix(before, ";")):
		return true // *zoom: 1
	}
	return false
}

// lines finds offsets by esbuild's lines.
type lines struct {
	text   []byte
	starts []int
}

func newLines(text []byte) *lines { return &lines{text: text} }

// start returns the offset of a line, counted from 1. To esbuild U+2028 and
// U+2029 end lines too, and so does a carriage return alone.
func (l *lines) start(n int) int {
	if l.starts == nil {
		l.starts = []int{0}
		for i, c := range l.text {
			switch {
			case c == '\r' && i+1 < len(l.text) && l.text[i+1] == '\n':
			case c == '\n', c == '\r':
				l.starts = append(l.starts, i+1)
			case c == 0xe2 && (bytes.HasPrefix(l.text[i:], []byte("\u2028")) || bytes.HasPrefix(l.text[i:], []byte("\u2029"))):
				l.starts = append(l.starts, i+3)
			}
		}
	}
	if n < 1 || n > len(l.starts) {
		return len(l.text)
	}
	return l.starts[n-1]
}

func (l *lines) span(at *api.Location) *diag.Span {
	start := l.align(l.start(at.Line) + at.Column)
	return &diag.Span{Start: start, End: max(start, l.align(start+at.Length))}
}

// align moves an offset into the text and to the start of a character.
func (l *lines) align(at int) int {
	at = max(0, min(at, len(l.text)))
	for at < len(l.text) && at > 0 && !utf8.RuneStart(l.text[at]) {
		at--
	}
	return at
}
