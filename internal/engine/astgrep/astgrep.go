// Package astgrep runs ast-grep rules: the built-in pack, and those of the
// directories that [rules] names.
package astgrep

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
	"poly/internal/rules"
	"poly/internal/rules/match"
	"poly/internal/syntax"
)

const engineName = "astgrep"

// InvalidRule is the code under which a rule file says what is wrong with it.
const InvalidRule = "invalid-rule"

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name: engineName, Revision: 1, Verbs: engine.Lint, UsesPath: true, Open: true,
		Langs: []lang.ID{
			"c", "cpp", "csharp", "css", "dart", "dockerfile", "elixir", "go", "haskell", "hcl", "html", "java", "javascript", "json", "jsx", "kotlin", "lua", "markdown",
			"nix", "php", "python", "ruby", "rust", "scala", "scss", "shell", "solidity", "sql", "swift", "toml", "tsx", "typescript", "yaml", "zig",
		},
		Rules: []engine.Rule{{
			Code: InvalidRule, Severity: diag.Error, Default: true,
			Doc: `A rule file holds a rule that cannot be applied.

Such a rule finds nothing, so its silence says nothing. The finding stands where the mistake is; the other rules are applied.

    id: no-eval
    language: python
    rule: { kind: no_such_kind }

Mend the rule, or take it out.`,
		}},
		Doc: `Runs ast-grep rules: patterns and relations over syntax trees.

The built-in pack is part of poly; directories of your own rules are named in [rules], by default .poly/rules. "poly rules list" shows them all,
"poly explain astgrep/<id>" explains one. A rule that is not valid is reported in its file, as invalid-rule, and harms no other. A comment with
ast-grep-ignore suppresses what follows it.`,
	},
	Bind: bind,
}

// grammar is the name in internal/syntax of a language.
func grammar(l lang.ID) string {
	switch l {
	case "shell":
		return "bash"
	case "jsx":
		return "javascript"
	case "scss":
		return "css"
	}
	return string(l)
}

// LibraryOf returns the rules that a configuration names, of the run's tree.
func LibraryOf(e *engine.Env) *rules.Library {
	var dirs []string
	for _, d := range e.RuleSources.Dirs {
		if d.Outside == "" && d.Git == "" && e.Tree != nil {
			dirs = append(dirs, d.Path)
		}
	}
	made := func() any { return rules.NewLibrary(e.Tree, dirs) }
	if e.Once == nil {
		return made().(*rules.Library) //nolint:forcetypeassert // made above
	}
	return e.Once("astgrep\x00"+strings.Join(dirs, "\x00"), made).(*rules.Library) //nolint:forcetypeassert // the key is ours
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	lib := LibraryOf(&e)
	b := engine.Bound{Covers: []lang.ID{}}
	digest := []string{strings.Join(e.RuleSources.Disable, "\x00")}
	for _, d := range e.RuleSources.Dirs {
		if d.Outside == "" && d.Git == "" {
			b.Inputs.Paths = append(b.Inputs.Paths, d.Path)
			digest = append(digest, d.Path)
		}
	}
	name := grammar(e.Lang)
	for _, l := range append(injected(name), name) {
		digest = append(digest, rules.PackDigest(l))
	}
	b.Digest = []byte(strings.Join(digest, "\x00\x00"))
	langs, err := lib.Languages()
	if err != nil {
		return b, err
	}
	j := &judge{env: e, lib: lib, name: name, ruleFiles: e.Lang == "yaml"}
	j.classes = sync.OnceValues(j.classesOf)
	j.judges = slices.Contains(langs, j.name) || e.Lang == "html" && slices.ContainsFunc(langs, rules.Injectable)
	if s, ok := syntax.ByName(j.name); !ok || !s.Built() {
		j.judges = false
	}
	if j.judges {
		b.Covers = []lang.ID{e.Lang}
	} else {
		b.Looks = j.isRuleFile
	}
	b.PathClass = j.class
	b.Open = func(context.Context) (engine.Worker, error) { return &worker{judge: j}, nil }
	return b, nil
}

// judge is what the workers of one language share.
type judge struct {
	env       engine.Env
	lib       *rules.Library
	name      string // of the grammar
	judges    bool   // there are rules for the language
	ruleFiles bool   // files of the language may be rule files
	classes   func() ([]*rules.Classes, error)
}

func (j *judge) isRuleFile(p string) bool {
	return j.ruleFiles && j.lib.InDir(p) && rules.IsRuleFile(path.Base(p))
}

// class tells which rules depend on the path, and how.
func (j *judge) class(p string) string {
	out := ""
	if j.isRuleFile(p) {
		out = "rule file:" + p
	}
	if !j.judges {
		return out
	}
	classes, err := j.classes()
	if err != nil {
		return out + p
	}
	for _, c := range classes {
		out += c.Of(p) + "/"
	}
	return out
}

// classesOf returns the classes of the language, and of those within it.
func (j *judge) classesOf() (out []*rules.Classes, err error) {
	for _, name := range append(injected(j.name), j.name) {
		c, err := j.lib.Classes(name)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// injected are the languages that are found within one.
func injected(name string) []string {
	if name != "html" {
		return nil
	}
	return rules.InjectableNames()
}

// index returns the rules that are on.
func (j *judge) index() (*rules.Index, error) {
	var all []rules.Rule
	for _, name := range append(injected(j.name), j.name) {
		set, err := j.lib.Set(name)
		if err != nil {
			return nil, err
		}
		all = append(all, set.Rules...)
	}
	return rules.NewIndex(all, func(r *rules.Rule) bool {
		return Enabled(r, j.env.Rules, j.env.RuleSources.Disable)
	}), nil
}

// Enabled reports whether a run applies a rule.
func Enabled(r *rules.Rule, sel engine.Selection, disabled []string) bool {
	if slices.Contains(disabled, r.ID) || !sel.Allows(r.ID) {
		return false
	}
	return r.Severity != "off" || Severity(r, sel) != diag.SeverityUnset
}

// Severity is what a rule's findings have under a configuration; unset if the
// rule is off and nothing turns it on.
func Severity(r *rules.Rule, sel engine.Selection) diag.Severity {
	own, _ := diag.ParseSeverity(r.Severity) // off is unset
	return sel.Severity(&diag.Diagnostic{Code: r.ID, Severity: own})
}

// worker runs the rules on one goroutine.
type worker struct {
	judge *judge
	index *rules.Index
	run   rules.Worker
}

// Lint reports the matches of the rules, and what is wrong with a rule file.
func (w *worker) Lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var out []diag.Diagnostic
	if w.judge.isRuleFile(src.Path) {
		out = invalid(src)
	}
	if !w.judge.judges {
		return out, nil
	}
	switch reason := rules.Unreadable(src.Text); reason {
	case "":
	case "empty":
		return out, nil
	default:
		return nil, engine.Skip(reason)
	}
	if w.index == nil {
		x, err := w.judge.index()
		if err != nil {
			return nil, err
		}
		w.index = x
	}
	l, ok := match.Find(w.judge.name)
	if !ok {
		return nil, engine.Skip("no grammar of " + w.judge.name)
	}
	err := w.run.Scan(ctx, w.index, l, src.Path, src.Text, func(f *rules.Found) error {
		for i := range f.Matches {
			d, err := diagnostic(ctx, f, &f.Matches[i])
			if err != nil {
				return err
			}
			out = append(out, d)
		}
		return nil
	})
	if errors.Is(err, syntax.ErrLimit) || errors.Is(err, syntax.ErrTooBig) {
		return nil, engine.Skip(err.Error())
	}
	return out, err
}

// diagnostic makes a finding of a match.
func diagnostic(ctx context.Context, f *rules.Found, x *match.Match) (diag.Diagnostic, error) {
	start, end := f.Doc.Range(x.Node)
	d := diag.Diagnostic{
		Engine: engineName, Code: x.Rule.ID, Title: strings.TrimSpace(f.Matcher.Message(x)), Description: strings.TrimSpace(x.Rule.Note), URL: x.Rule.URL, Span: &diag.Span{Start: start, End: end},
	}
	if d.Title == "" {
		d.Title = "matches the rule " + x.Rule.ID
	}
	if first, rest, ok := strings.Cut(d.Title, "\n"); ok {
		d.Title, d.Description = strings.TrimSpace(first), strings.TrimSpace(rest+"\n\n"+d.Description)
	}
	d.Severity, _ = diag.ParseSeverity(x.Rule.Severity)
	if d.Severity == diag.SeverityUnset {
		d.Severity = diag.Hint // the rule is off; the configuration says what it is
	}
	edits, err := f.Matcher.Edits(ctx, x)
	if err != nil {
		return d, fmt.Errorf("rule %s: %w", x.Rule.ID, err)
	}
	if len(edits) > 0 && edits[0].Text != string(f.Doc.Source[edits[0].Start:edits[0].End]) {
		d.Fix = []diag.Edit{{Start: edits[0].Start, End: edits[0].End, Replacement: edits[0].Text}}
	}
	return d, nil
}

// invalid reports what is wrong with a rule file.
func invalid(src engine.Source) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, p := range rules.Check(src.Path, src.Text) {
		start, end := line(src.Text, p.Line)
		out = append(out, diag.Diagnostic{
			Engine: engineName, Code: InvalidRule, Severity: diag.Error, Title: p.Msg, Description: "The rule is not applied.", Span: &diag.Span{Start: start, End: end},
		})
	}
	return out
}

// line returns the range of a line, from 1.
func line(text []byte, n int) (start, end int) {
	lines := strings.SplitAfter(string(text), "\n")
	for i := 0; i < n-1 && i < len(lines); i++ {
		start += len(lines[i])
	}
	end = start
	for end < len(text) && text[end] != '\n' && text[end] != '\r' {
		end++
	}
	return start, end
}

// Format changes nothing.
func (w *worker) Format(_ context.Context, src engine.Source) ([]byte, error) { return src.Text, nil }

// Close releases the parser.
func (w *worker) Close() error {
	w.run.Close()
	return nil
}
