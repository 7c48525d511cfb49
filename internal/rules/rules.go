// Package rules loads sets of ast-grep rules and runs them: the built-in pack,
// directories of a tree, projects with an sgconfig.yml. What a rule means is
// internal/rules/match.
//
// A rule that is not valid is a [Problem] and harms no other. Rules are read
// through an fs.FS, so the tree being judged decides which there are.
package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"poly/internal/rules/match"
)

// Rule is a rule and where it comes from.
type Rule struct {
	*match.Rule
	File    string // path in the tree, or below the pack
	Builtin bool
}

// Problem is why a rule or a file of rules is refused.
type Problem struct {
	File string
	Line int // from 1; 0: the whole file
	Msg  string
}

func (p *Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Msg
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ": " + p.Msg
}

// Set is a number of rules. It is immutable after loading.
type Set struct {
	Rules    []Rule // in the order of files
	Problems []Problem
	// Unbuilt are rules for languages whose grammar is not part of the binary.
	Unbuilt []Problem
	// Notes are about keys that have no effect.
	Notes []Problem
}

// Find returns the rule with an id.
func (s *Set) Find(id string) (Rule, bool) {
	i := slices.IndexFunc(s.Rules, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return s.Rules[i], true
}

// Loader reads rules into a set. Close it.
type Loader struct {
	Set Set
	// Lenient: rules may have the same id, as ast-grep has it for one file.
	Lenient bool
	c       *match.Compiler
}

// NewLoader returns a loader.
func NewLoader() *Loader { return &Loader{c: match.NewCompiler()} }

// Close releases what compiling needs; the set stays.
func (l *Loader) Close() { l.c.Close() }

// IsRuleFile reports whether a file of a rule directory holds rules: tests do not.
func IsRuleFile(name string) bool { return isYAML(name) && !IsTestFile(name) }

// IsTestFile reports whether a file of a rule directory holds tests of rules.
func IsTestFile(name string) bool {
	return strings.HasSuffix(name, "-test.yml") || strings.HasSuffix(name, "-test.yaml")
}

func isYAML(name string) bool {
	return strings.HasSuffix(name, ".yml") || strings.HasSuffix(name, ".yaml")
}

// Files lists the files below a directory of a tree that a function picks, by
// path. A directory that is not there has none.
func Files(tree fs.FS, dir string, pick func(name string) bool) ([]string, error) {
	var out []string
	err := fs.WalkDir(tree, dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.Type().IsRegular() && pick(path.Base(p)):
			out = append(out, p)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the rules in %s: %w", dir, err)
	}
	slices.Sort(out)
	return out, nil
}

// AddDir adds the rules in the files below a directory.
func (l *Loader) AddDir(tree fs.FS, dir string, builtin bool) error {
	files, err := Files(tree, dir, IsRuleFile)
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := fs.ReadFile(tree, f)
		if err != nil {
			return fmt.Errorf("read the rules in %s: %w", f, err)
		}
		l.Add(f, text, builtin)
	}
	return nil
}

// Add adds the rules of a file. A rule of the user replaces a built-in one with
// the same id; one that is there already otherwise is a problem.
func (l *Loader) Add(file string, text []byte, builtin bool) {
	docs, err := match.Documents(text)
	if err != nil {
		l.problem(file, err)
	}
	for i, doc := range docs {
		l.addDocument(file, doc, fallbackID(file, i, len(docs)), builtin)
	}
}

// fallbackID is the id of document i of n in a file, if it has none.
func fallbackID(file string, i, n int) string {
	id := strings.TrimSuffix(strings.TrimSuffix(path.Base(file), ".yml"), ".yaml")
	if n > 1 {
		id += "-" + strconv.Itoa(i)
	}
	return id
}

func (l *Loader) addDocument(file string, doc *match.Document, id string, builtin bool) {
	r, err := l.c.Compile(doc, id)
	if err != nil {
		l.problem(file, err)
		return
	}
	for _, e := range r.Ignored {
		l.Set.Notes = append(l.Set.Notes, Problem{file, e.Line, e.Msg})
	}
	l.add(Rule{r, file, builtin})
}

func (l *Loader) add(r Rule) {
	at := slices.IndexFunc(l.Set.Rules, func(o Rule) bool { return o.ID == r.ID })
	switch {
	case at < 0 || l.Lenient:
		l.Set.Rules = append(l.Set.Rules, r)
	case l.Set.Rules[at].Builtin && !r.Builtin:
		l.Set.Rules[at] = r
	default:
		l.Set.Problems = append(l.Set.Problems, Problem{r.File, r.Line, fmt.Sprintf("rule %s is defined twice, also in %s", r.ID, l.Set.Rules[at].File)})
	}
}

// AddUtils adds the utilities below directories, for all rules added after them.
func (l *Loader) AddUtils(tree fs.FS, dirs []string) error {
	var docs []*match.Document
	var files []string
	for _, dir := range dirs {
		list, err := Files(tree, dir, isYAML)
		if err != nil {
			return err
		}
		for _, f := range list {
			text, err := fs.ReadFile(tree, f)
			if err != nil {
				return fmt.Errorf("read the utilities in %s: %w", f, err)
			}
			parsed, err := match.Documents(text)
			if err != nil {
				l.problem(f, err)
			}
			for _, d := range parsed {
				docs, files = append(docs, d), append(files, f)
			}
		}
	}
	for i, err := range l.c.AddGlobals(docs) {
		if err != nil {
			l.problem(files[i], err)
		}
	}
	return nil
}

func (l *Loader) problem(file string, err error) {
	if e, ok := errors.AsType[*match.UnbuiltError](err); ok {
		l.Set.Unbuilt = append(l.Set.Unbuilt, Problem{file, 0, e.Error()})
		return
	}
	if e, ok := errors.AsType[*match.Error](err); ok {
		l.Set.Problems = append(l.Set.Problems, Problem{file, e.Line, e.Msg})
		return
	}
	l.Set.Problems = append(l.Set.Problems, Problem{file, 0, err.Error()})
}
