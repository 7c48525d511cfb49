package ruff

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"poly/internal/diag"
	"poly/internal/engine"
)

// readable declines what is no text to ruff.
func readable(text []byte) error {
	if !utf8.Valid(text) {
		return engine.Skip("not UTF-8")
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return engine.Skip("NUL byte")
	}
	return nil
}

// refusal puts a line into what the formatter says of a text that does not
// parse, in place of a range of bytes.
func refusal(text []byte, message string) string {
	what, where, ok := strings.Cut(message, " at byte range ")
	if !ok {
		return message
	}
	at, _, _ := strings.Cut(where, "..")
	n, err := strconv.Atoi(at)
	if err != nil || n > len(text) {
		return message
	}
	line, _ := diag.NewLines(text).Position(n)
	return fmt.Sprintf("does not parse: line %d: %s", line, what)
}

// source is a file whose findings are put into words of ours.
type source struct {
	text  []byte
	lines []int // where each begins
	init  bool
	py310 bool
	plan  *plan
}

func newSource(text []byte, p *plan) *source {
	s := &source{text: text, lines: []int{0}, init: p.init, py310: p.minor >= 10, plan: p}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			s.lines = append(s.lines, i+1)
		case '\n':
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

var errShape = errors.New("ruff returned a finding of another shape")

// diagnostics reads what Workspace.check returns.
func (s *source) diagnostics(v any) ([]diag.Diagnostic, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, errShape
	}
	var out []diag.Diagnostic
	for _, item := range list {
		d, err := s.diagnostic(item)
		if err != nil {
			return nil, err
		}
		if s.leave(&d) {
			continue
		}
		out = append(out, d)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Span.Start < out[j].Span.Start })
	return out, nil
}

func (s *source) diagnostic(v any) (diag.Diagnostic, error) {
	m, ok := v.(object)
	if !ok {
		return diag.Diagnostic{}, errShape
	}
	span, err := s.span(m["start_location"], m["end_location"])
	if err != nil {
		return diag.Diagnostic{}, err
	}
	code, _ := m["code"].(string)
	title, _ := m["message"].(string)
	d := diag.Diagnostic{Engine: name, Code: code, Severity: diag.Error, Title: title, Span: &span, Asked: s.plan.native != ""}
	if code == "invalid-syntax" || code == "" {
		d.Code = codeSyntax
		return d, nil
	}
	code, d.Title = s.named(code, title)
	d.Code = code
	if r := ruleOf(code); r != nil {
		d.URL = r.URL
	}
	if fix, ok := m["fix"].(object); ok {
		if d.Fix, err = s.edits(fix["edits"]); err != nil {
			return d, err
		}
		if !s.safe(&d) {
			d.Fix = nil
		}
	}
	return d, nil
}

// named returns the code and title that a finding has in a file of this name:
// a package is no module, and all of a private module is private.
func (s *source) named(code, title string) (string, string) {
	if c, ok := codes()[code]; ok { // in previews ruff calls rules by name
		code = c
	}
	switch {
	case code == "D100" && s.init:
		return "D104", "Missing docstring in public package"
	case code == "ANN201" && s.plan.private:
		return "ANN202", strings.Replace(title, "public function", "private function", 1)
	}
	return code, title
}

// codes are the codes of rules by name.
var codes = sync.OnceValue(func() map[string]string {
	m := make(map[string]string, len(rules))
	for i := range rules {
		m[strings.Trim(strings.TrimPrefix(rules[i].URL, page), "/")] = rules[i].Code
	}
	return m
})

// ruleOf returns the rule of a code; nil if it is not listed.
func ruleOf(code string) *engine.Rule {
	listed := rules[1:] // the first is none of ruff's
	at, ok := slices.BinarySearchFunc(listed, code, func(r engine.Rule, c string) int { return strings.Compare(r.Code, c) })
	if !ok {
		return nil
	}
	return &listed[at]
}

func (s *source) edits(v any) ([]diag.Edit, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, errShape
	}
	var out []diag.Edit
	for _, item := range list {
		m, ok := item.(object)
		if !ok {
			return nil, errShape
		}
		span, err := s.span(m["location"], m["end_location"])
		if err != nil {
			return nil, err
		}
		text, _ := m["content"].(string)
		out = append(out, diag.Edit{Start: span.Start, End: span.End, Replacement: text})
	}
	return out, nil
}

func (s *source) span(from, to any) (diag.Span, error) {
	start, err := s.offset(from)
	if err != nil {
		return diag.Span{}, err
	}
	end, err := s.offset(to)
	return diag.Span{Start: start, End: max(start, end)}, err
}

// offset returns the byte at a row and column, both from 1, in bytes.
func (s *source) offset(v any) (int, error) {
	m, ok := v.(object)
	if !ok {
		return 0, errShape
	}
	row, _ := m["row"].(float64)
	column, _ := m["column"].(float64)
	if row < 1 || column < 1 || int(row) > len(s.lines) {
		return 0, fmt.Errorf("%w: row %v, column %v", errShape, row, column)
	}
	return min(s.lines[int(row)-1]+int(column)-1, len(s.text)), nil
}

// leave drops what ruff would not report if it knew the name of the file: no
// docstring is missing in a private module, rules about names of files say nothing, and __init__.py knows its path and
// may list modules beside it in __all__.
func (s *source) leave(d *diag.Diagnostic) bool {
	return d.Code != codeSyntax && ruleOf(d.Code) == nil || s.plan.private && len(d.Code) == 4 && d.Code[:3] == "D10" ||
		s.init && (d.Code == "F822" || d.Code == "PLC0414" || d.Code == "F821" && strings.Contains(d.Title, "`__path__`"))
}
