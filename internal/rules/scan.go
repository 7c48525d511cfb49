package rules

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"poly/internal/rules/match"
	"poly/internal/syntax"
)

// Index is the rules of a set by language, ready to be run. It is immutable.
type Index struct {
	byLang map[string]*match.Scanner
	// injects: rules for scripts and styles within HTML are there.
	injects bool
}

// NewIndex makes an index of the rules that pass a filter; nil: of those whose
// severity is not off.
func NewIndex(rules []Rule, pick func(*Rule) bool) *Index {
	if pick == nil {
		pick = func(r *Rule) bool { return r.Severity != "off" }
	}
	lists := map[string][]*match.Rule{}
	for i := range rules {
		if r := &rules[i]; pick(r) {
			lists[r.Lang.Name] = append(lists[r.Lang.Name], r.Rule)
		}
	}
	x := &Index{byLang: map[string]*match.Scanner{}}
	for name, list := range lists {
		x.byLang[name] = match.NewScanner(list)
		x.injects = x.injects || Injectable(name)
	}
	return x
}

// InjectableNames are the languages that are found within HTML.
func InjectableNames() []string { return []string{"css", "javascript", "typescript", "tsx"} }

// Injectable reports whether a language is found within HTML.
func Injectable(name string) bool { return slices.Contains(InjectableNames(), name) }

// Covers reports whether a file of a language may have matches.
func (x *Index) Covers(l *match.Language) bool {
	return x.byLang[l.Name] != nil || l.Name == "html" && x.injects
}

// Langs lists the names of the languages that rules are for, sorted.
func (x *Index) Langs() []string {
	var out []string
	for name := range x.byLang {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Worker runs rules on one goroutine. The zero value is ready; Close it.
type Worker struct {
	// Unused: comments that suppress nothing are told, so texts with any are
	// looked at although no rule can match.
	Unused  bool
	parser  syntax.Parser
	matcher match.Matcher
}

// Close releases the parser.
func (w *Worker) Close() { w.parser.Close() }

// Found is what a scan found in a text, or in a part of it in another language.
// It is valid until the function it is handed to returns.
type Found struct {
	match.Result
	Doc     *match.Doc
	Matcher *match.Matcher
}

// Scan hands what the rules of an index find in a text to a function: first in
// the text as it is, then in each script and style of HTML. path is what globs
// of rules are matched with.
func (w *Worker) Scan(ctx context.Context, x *Index, l *match.Language, path string, text []byte, use func(*Found) error) error {
	applies := func(r *match.Rule) bool { return r.Applies(path) }
	inject := l.Name == "html" && x.injects
	told := w.Unused && bytes.Contains(text, []byte(match.Ignore))
	s := x.byLang[l.Name]
	if !inject && (s == nil || !told && !s.Possible(text, applies)) {
		return nil
	}
	doc, err := w.parse(l, text, text, 0)
	if err != nil {
		return err
	}
	if s != nil {
		if err := w.scan(ctx, doc, s, applies, use); err != nil {
			return err
		}
	}
	if !inject {
		return nil
	}
	return w.inject(ctx, x, doc, text, applies, use)
}

// inject scans the scripts and styles of HTML.
func (w *Worker) inject(ctx context.Context, x *Index, html *match.Doc, text []byte, applies func(*match.Rule) bool, use func(*Found) error) error {
	for _, p := range injected(html) {
		s := x.byLang[p.lang.Name]
		if s == nil || !p.lang.Built() {
			continue
		}
		doc, err := w.parse(p.lang, text, text[p.start:p.end], p.start)
		if err != nil {
			return err
		}
		if err := w.scan(ctx, doc, s, applies, use); err != nil {
			return err
		}
	}
	return nil
}

func (w *Worker) parse(l *match.Language, whole, text []byte, start int) (*match.Doc, error) {
	tree, err := w.parser.Parse(l.Language, text)
	if err != nil {
		return nil, err
	}
	return match.NewDoc(l, whole, tree, start), nil
}

func (w *Worker) scan(ctx context.Context, doc *match.Doc, s *match.Scanner, applies func(*match.Rule) bool, use func(*Found) error) error {
	res, err := w.matcher.Scan(ctx, doc, s, applies)
	if err != nil {
		return err
	}
	if len(res.Matches)+len(res.Unused) == 0 {
		return nil
	}
	return use(&Found{res, doc, &w.matcher})
}

// Unreadable tells why a text is not looked at; "" if it is.
func Unreadable(text []byte) string {
	switch {
	case len(text) == 0:
		return "empty"
	case !utf8.Valid(text):
		return "not UTF-8"
	case len(text) > maxSize && bytes.Count(text, []byte("\n")) > maxLines:
		return fmt.Sprintf("more than %d bytes and %d lines", maxSize, maxLines)
	}
	return ""
}

// A text is too large only if it is above both.
const (
	maxSize  = 3_000_000
	maxLines = 200_000
)

// part is code of another language within HTML.
type part struct {
	lang       *match.Language
	start, end int
}

// injected finds the scripts, then the styles, of HTML.
func injected(d *match.Doc) []part {
	var out []part
	for _, kind := range [...][2]string{{"script_element", "js"}, {"style_element", "css"}} {
		for n := match.Node(0); int(n) < d.Len(); n++ {
			if d.Kind(n) != kind[0] {
				continue
			}
			name, start, end := element(d, n, kind[1])
			if l, ok := match.Find(name); ok && start < end {
				out = append(out, part{l, start, end})
			}
		}
	}
	return out
}

// element returns the language of an element and the range of its code.
func element(d *match.Doc, n match.Node, otherwise string) (lang string, start, end int) {
	lang = otherwise
	named := false
	for c := n + 1; c < d.Past(n); c++ {
		switch d.Kind(c) {
		case "attribute":
			if named {
				continue
			}
			if value, ok := langOf(d, c); ok {
				lang, named = value, true
			}
		case "raw_text":
			if d.Parent(c) == n && start == end {
				start, end = d.Range(c)
			}
		}
	}
	return lang, start, end
}

// langOf returns the value of an attribute with the name lang.
func langOf(d *match.Doc, attr match.Node) (value string, ok bool) {
	name := ""
	for c := attr + 1; c < d.Past(attr); c++ {
		switch d.Kind(c) {
		case "attribute_name":
			name = string(d.Text(c))
		case "attribute_value":
			if name == "lang" {
				return string(d.Text(c)), true
			}
		}
	}
	return "", false
}
