package revive

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"go/token"
	"path"
	"strings"

	goversion "github.com/hashicorp/go-version"
	"github.com/mgechev/revive/lint"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
)

// worker judges files on one goroutine.
type worker struct {
	*linter
	sets []*ruleSet // one for each revive.toml met so far
}

// ruleSet are the rules in force under a revive.toml.
type ruleSet struct {
	input     engine.Input
	native    *nativeConfig // nil: there is none
	rules     []lint.Rule   // types and those of upstreams
	upstreams []upstream
	config    lint.Config
	asked     map[string]bool // by revive.toml
}

// Lint reports what the rules find.
func (w *worker) Lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if unlooked(src.Path) {
		return nil, nil
	}
	set, err := w.set(src)
	if err != nil {
		return nil, err
	}
	if set.native != nil && set.native.excludes(src.Path) && w.isRoot(set.input) {
		return nil, nil
	}
	failures, err := set.run(src)
	if err != nil {
		return nil, err
	}
	out := make([]diag.Diagnostic, 0, len(failures))
	lines := &lineStarts{text: src.Text}
	for i := range failures {
		out = append(out, set.finding(lines, &failures[i]))
	}
	return out, ctx.Err()
}

// Format is not called.
func (w *worker) Format(_ context.Context, src engine.Source) ([]byte, error) { return src.Text, nil }

// Close does nothing.
func (w *worker) Close() error { return nil }

// isRoot reports whether a revive.toml is the one that Bind has seen.
func (w *worker) isRoot(in engine.Input) bool {
	return in.Path == nativeName && bytes.Equal(in.Text, w.root)
}

// set returns the rules for a file.
func (w *worker) set(src engine.Source) (*ruleSet, error) {
	var in engine.Input
	for _, i := range src.Inputs {
		if path.Base(i.Path) == nativeName {
			in = i
			break
		}
	}
	for _, s := range w.sets {
		if s.input.Path == in.Path && bytes.Equal(s.input.Text, in.Text) {
			return s, nil
		}
	}
	s, err := w.makeSet(in)
	if err == nil {
		w.sets = append(w.sets, s)
	}
	return s, err
}

func (w *worker) makeSet(in engine.Input) (*ruleSet, error) {
	s := &ruleSet{input: in, asked: map[string]bool{}}
	s.config = lint.Config{Confidence: defaultConfidence, Rules: lint.RulesConfig{}, Directives: lint.DirectivesConfig{}}
	if in.Path != "" {
		n, err := parseNative(in)
		if err != nil {
			return nil, err
		}
		s.native = n
		s.config.Confidence, s.config.IgnoreGeneratedHeader = n.confidence, n.generated
		for code, d := range n.directives {
			s.config.Directives[code], s.asked[code] = lint.DirectiveConfig{Severity: lint.Severity(cmp.Or(string(d.Severity), n.severity))}, true
		}
	}
	if c, ok := w.env.Options["confidence"].(int); ok {
		s.config.Confidence = float64(c) / 100
	}
	for _, code := range [...]string{"specify-disable-reason", "specify-disable-rule"} {
		if _, ok := s.config.Directives[code]; !ok && w.env.Rules.Allows(code) {
			s.config.Directives[code] = lint.DirectiveConfig{}
		}
	}
	s.rules = append(s.rules, &types{func(code string) bool {
		_, ok := s.config.Rules[code]
		return ok
	}})
	for _, u := range library() {
		if err := w.add(s, u); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// add takes a rule into a set if it is on there.
func (w *worker) add(s *ruleSet, u upstream) error {
	on, args := w.env.Rules.Allows(u.code), w.params[u.code]
	var rc lint.RuleConfig
	if s.native != nil {
		r, named := s.native.rules[u.code]
		s.asked[u.code] = !r.Disabled && (named || s.native.allRules || s.native.defaults && isDefault(u.code))
		on = s.asked[u.code] || on && (!isDefault(u.code) || args != nil)
		if args == nil {
			args = withoutSubprocess(u.code, r.Arguments)
		}
		if w.isRoot(s.input) {
			rc.Exclude = r.Exclude
		}
		rc.Severity = lint.Severity(cmp.Or(r.Severity, s.native.severity))
	}
	if !on {
		return nil
	}
	rc.Arguments = args
	if err := rc.Initialize(); err != nil {
		return engine.Broken(s.input.Path, config.TOMLLine(s.input.Text, "rule", u.code), "%s", oneLine(err))
	}
	r, err := newRule(u, args)
	if err != nil {
		return engine.Broken(s.input.Path, config.TOMLLine(s.input.Text, "rule", u.code), "%s", oneLine(err))
	}
	s.config.Rules[u.code] = rc
	s.rules = append(s.rules, r)
	s.upstreams = append(s.upstreams, u)
	return nil
}

// newRule makes a rule and gives it its arguments.
func newRule(u upstream, args lint.Arguments) (lint.Rule, error) {
	r := u.make()
	if c, ok := r.(lint.ConfigurableRule); ok {
		return r, c.Configure(args)
	}
	return r, nil
}

// withoutSubprocess drops the option of package-naming that runs the go command.
func withoutSubprocess(code string, args []any) []any {
	if code != "package-naming" || len(args) == 0 {
		return args
	}
	table, ok := args[0].(map[string]any)
	if !ok {
		return args
	}
	kept := map[string]any{}
	for k, v := range table {
		if option(k) != "checkcollisionwithallstd" {
			kept[k] = v
		}
	}
	return []any{kept}
}

func isDefault(code string) bool {
	for _, table := range [...][]engine.Rule{styleRules, sizeRules, simpleRules, bugRules} {
		for i := range table {
			if table[i].Code == code {
				return table[i].Default
			}
		}
	}
	return false
}

// run applies the rules to one file.
func (s *ruleSet) run(src engine.Source) ([]lint.Failure, error) {
	l := lint.New(func(string) ([]byte, error) { return src.Text, nil }, 0)
	c := s.config
	c.GoVersion = goVersion(s.native, src.Inputs)
	rules, err := s.fresh()
	if err != nil {
		return nil, err
	}
	found, err := l.Lint([][]string{{src.Path}}, rules, c)
	if err != nil {
		return nil, err
	}
	var out []lint.Failure
	for f := range found {
		if f.IsInternal() {
			err = errors.New(f.Failure)
			continue
		}
		// A file that does not parse has no rule: the engine gofumpt reports it.
		if f.RuleName != "" && f.Failure != noPackageComment {
			out = append(out, f)
		}
	}
	return out, err
}

// noPackageComment is what the library says of a package without a comment,
// which one file cannot tell.
const noPackageComment = "should have a package comment"

// fresh returns the rules, those that remember earlier files made anew.
func (s *ruleSet) fresh() ([]lint.Rule, error) {
	rules := append([]lint.Rule(nil), s.rules...)
	for i, u := range s.upstreams {
		if u.code != "package-naming" && u.code != "package-comments" {
			continue
		}
		r, err := newRule(u, s.config.Rules[u.code].Arguments)
		if err != nil {
			return nil, err
		}
		rules[i+1] = r // behind types
	}
	return rules, nil
}

func (s *ruleSet) finding(lines *lineStarts, f *lint.Failure) diag.Diagnostic {
	title, more, _ := strings.Cut(f.Failure, "\n") // some show code
	d := diag.Diagnostic{
		Engine: name, Code: f.RuleName, Severity: diag.Warning, Title: strings.TrimSpace(title), URL: rulePage + f.RuleName,
		Span: lines.span(f.Position.Start, f.Position.End), Asked: s.asked[f.RuleName],
	}
	if more != "" {
		d.Description = f.Failure
	}
	if s.config.Rules[f.RuleName].Severity == lint.SeverityError || s.config.Directives[f.RuleName].Severity == lint.SeverityError {
		d.Severity = diag.Error
	}
	return d
}

// lineStarts finds places that have a line and a column only.
type lineStarts struct {
	text   []byte
	starts []int
}

func (l *lineStarts) offset(p token.Position) int {
	if p.Offset > 0 || p.Line <= 1 && p.Column <= 1 {
		return min(p.Offset, len(l.text))
	}
	if l.starts == nil {
		l.starts = []int{0}
		for i, c := range l.text {
			if c == '\n' {
				l.starts = append(l.starts, i+1)
			}
		}
	}
	line := max(0, min(p.Line-1, len(l.starts)-1))
	end := len(l.text)
	if line+1 < len(l.starts) {
		end = l.starts[line+1] - 1
	}
	return min(l.starts[line]+max(p.Column-1, 0), end)
}

// span is from start to the end of its line at most: many findings are about
// all of a declaration.
func (l *lineStarts) span(start, end token.Position) *diag.Span {
	from, to := l.offset(start), len(l.text)
	if end.IsValid() {
		to = max(from, l.offset(end))
	}
	if i := bytes.IndexByte(l.text[from:to], '\n'); i >= 0 {
		to = from + len(bytes.TrimRight(l.text[from:from+i], "\r"))
	}
	return &diag.Span{Start: align(l.text, from), End: align(l.text, to)}
}

// align moves into the text and to the start of a character.
func align(text []byte, at int) int {
	for at > 0 && at < len(text) && text[at]&0xc0 == 0x80 {
		at--
	}
	return at
}

// goVersion is that of revive.toml or of the nearest go.mod; the command takes
// 1.0 where neither says any.
func goVersion(n *nativeConfig, inputs []engine.Input) *goversion.Version {
	if n != nil && n.goVersion != nil {
		return n.goVersion
	}
	text := "1.0"
	for _, in := range inputs {
		if path.Base(in.Path) == "go.mod" {
			text = moduleVersion(in.Text)
			break
		}
	}
	v, err := goversion.NewVersion(text)
	if err != nil {
		v, _ = goversion.NewVersion("1.0")
	}
	return v
}

// moduleVersion reads the go line of a go.mod.
func moduleVersion(text []byte) string {
	for line := range bytes.Lines(text) {
		words := bytes.Fields(line)
		if len(words) >= 2 && string(words[0]) == "go" {
			return string(words[1])
		}
	}
	return "1.0"
}
