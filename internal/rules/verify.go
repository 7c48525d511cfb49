package rules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"poly/internal/rules/match"
)

// Test is one snippet of a test file, and whether the rule does with it what it
// should.
type Test struct {
	RuleID string
	Kind   string // valid or invalid
	Index  int    // from 0, within its kind
	Passed bool
	Detail string // why it failed; "" if it passed
	File   string
}

// Tested is the outcome of running tests.
type Tested struct {
	Tests    []Test
	Missing  []string  // ids that have tests and no rule
	Untested []string  // ids of rules that have no tests
	Problems []Problem // of test files
}

// OK reports whether everything passed. A rule without tests is no failure.
func (t *Tested) OK() bool {
	return len(t.Missing)+len(t.Problems) == 0 && !slices.ContainsFunc(t.Tests, func(x Test) bool { return !x.Passed })
}

// suite is a document of a test file.
type suite struct {
	ID      string    `yaml:"id"`
	Valid   []string  `yaml:"valid"`
	Invalid []snippet `yaml:"invalid"`
}

// snippet is code that a rule must match, and what its fix must make of it.
type snippet struct {
	code  string
	fixed *string
}

// UnmarshalYAML reads a string, or an object with code and fixed.
func (s *snippet) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		s.code = n.Value
		return nil
	}
	var o struct {
		Code  *string `yaml:"code"`
		Fixed *string `yaml:"fixed"`
	}
	if err := n.Decode(&o); err != nil {
		return err
	}
	if o.Code == nil {
		return fmt.Errorf("line %d: a snippet is a string, or has code", n.Line)
	}
	s.code, s.fixed = *o.Code, o.Fixed
	return nil
}

// Tester runs tests of rules. Close it.
type Tester struct {
	set    *Set
	worker Worker
	seen   map[string]bool
	out    Tested
}

// NewTester returns a tester of the rules of a set.
func NewTester(set *Set) *Tester { return &Tester{set: set, seen: map[string]bool{}} }

// Close releases the parser.
func (t *Tester) Close() { t.worker.Close() }

// AddDir runs the tests in the files below a directory that pick picks.
func (t *Tester) AddDir(ctx context.Context, tree fs.FS, dir string, pick func(name string) bool) error {
	files, err := Files(tree, dir, pick)
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := fs.ReadFile(tree, f)
		if err != nil {
			return fmt.Errorf("read the tests in %s: %w", f, err)
		}
		t.Add(ctx, f, text)
	}
	return nil
}

// AddPack runs the tests of the built-in rules that are in the set.
func (t *Tester) AddPack(ctx context.Context) error {
	files, err := Files(pack, packDir, IsTestFile)
	if err != nil {
		return err
	}
	for _, f := range files {
		id := strings.TrimSuffix(strings.TrimSuffix(path.Base(f), "-test.yml"), "-test.yaml")
		if r, ok := t.set.Find(id); ok && !r.Builtin {
			continue // the user has another rule in its place
		}
		text, err := fs.ReadFile(pack, f)
		if err != nil {
			return err
		}
		t.Add(ctx, strings.TrimPrefix(f, packDir+"/"), text)
	}
	return nil
}

// Add runs the tests of a file.
func (t *Tester) Add(ctx context.Context, file string, text []byte) {
	docs, err := match.Documents(text)
	if err != nil {
		t.problem(file, err)
	}
	for _, doc := range docs {
		var s suite
		if err := doc.Decode(&s); err != nil {
			t.problem(file, &match.Error{Line: doc.Line, Msg: strings.TrimPrefix(err.Error(), "yaml: ")})
			continue
		}
		t.run(ctx, file, &s)
	}
}

func (t *Tester) problem(file string, err error) {
	p := Problem{File: file, Msg: err.Error()}
	if e, ok := errors.AsType[*match.Error](err); ok {
		p.Line, p.Msg = e.Line, e.Msg
	}
	t.out.Problems = append(t.out.Problems, p)
}

func (t *Tester) run(ctx context.Context, file string, s *suite) {
	r, ok := t.set.Find(s.ID)
	if !ok {
		if t.unbuilt(s.ID) {
			return
		}
		if !slices.Contains(t.out.Missing, s.ID) {
			t.out.Missing = append(t.out.Missing, s.ID)
		}
		return
	}
	t.seen[s.ID] = true
	for i, code := range s.Valid {
		found, _, err := t.try(ctx, &r, code)
		detail := ""
		switch {
		case err != nil:
			detail = err.Error()
		case found:
			detail = "the rule matches what is valid"
		}
		t.out.Tests = append(t.out.Tests, Test{s.ID, "valid", i, detail == "", detail, file})
	}
	for i, x := range s.Invalid {
		found, fixed, err := t.try(ctx, &r, x.code)
		detail := ""
		switch {
		case err != nil:
			detail = err.Error()
		case !found:
			detail = "the rule does not match what is invalid"
		case x.fixed != nil && *x.fixed != fixed:
			detail = fmt.Sprintf("the fix makes %q of it, want %q", fixed, *x.fixed)
		}
		t.out.Tests = append(t.out.Tests, Test{s.ID, "invalid", i, detail == "", detail, file})
	}
}

// unbuilt reports whether the rule is one whose grammar is not there: its tests
// say nothing.
func (t *Tester) unbuilt(id string) bool {
	return slices.ContainsFunc(t.set.Unbuilt, func(p Problem) bool {
		return strings.TrimSuffix(path.Base(p.File), path.Ext(p.File)) == id
	})
}

// try reports whether a rule matches in a snippet, and what its fixes make of it.
func (t *Tester) try(ctx context.Context, r *Rule, code string) (found bool, fixed string, err error) {
	text := []byte(code)
	doc, err := t.worker.parse(r.Lang, text, text, 0)
	if err != nil {
		return false, "", err
	}
	matches, err := t.worker.matcher.Matches(ctx, doc, r.Rule)
	if err != nil || len(matches) == 0 {
		return false, code, err
	}
	fixed, err = Apply(ctx, text, &t.worker.matcher, matches)
	return true, fixed, err
}

// Apply applies the first fix of each match, but for those that begin before
// the end of the one before, in the order of the matches.
func Apply(ctx context.Context, text []byte, m *match.Matcher, matches []match.Match) (string, error) {
	var b strings.Builder
	at := 0
	for i := range matches {
		edits, err := m.Edits(ctx, &matches[i])
		if err != nil {
			return "", err
		}
		if len(edits) == 0 || edits[0].Start < at {
			continue
		}
		b.Write(text[at:edits[0].Start])
		b.WriteString(edits[0].Text)
		at = edits[0].End
	}
	b.Write(text[at:])
	return b.String(), nil
}

// Result returns the outcome. rules are those that should have tests.
func (t *Tester) Result(rules []Rule) *Tested {
	for i := range rules {
		if !t.seen[rules[i].ID] {
			t.out.Untested = append(t.out.Untested, rules[i].ID)
		}
	}
	return &t.out
}
