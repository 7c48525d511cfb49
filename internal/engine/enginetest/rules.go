package enginetest

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/txtar"

	"poly/internal/engine"
)

// wantCases is how often a rule of our own must be seen to fire, and to be silent.
const wantCases = 3

// ruleCases are the cases of one rule.
type ruleCases struct {
	file   string
	code   string
	fires  []testCase
	silent []testCase
	real   bool // a silent case comes from real code
}

// met matches a line of an archive's text that says where the code of a real
// case was met: a project of GitHub or the sources of Go or CPython, and the
// file there.
var met = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(real[^ :]*): (?:[A-Za-z0-9][\w.-]*/[\w.-]+|GOROOT|CPython), \S+$`)
})

func ruleFile(code string) string { return strings.ReplaceAll(code, "/", "-") + ".txtar" }

// readRuleCases reads the archive of a rule, which its name tells. An error is
// a mistake in the archive.
func readRuleCases(file string, spec *engine.Spec) (ruleCases, error) {
	r := ruleCases{file: file}
	fail := func(format string, args ...any) (ruleCases, error) {
		return r, fmt.Errorf("%s: %w", file, fmt.Errorf(format, args...))
	}
	i := slices.IndexFunc(spec.Rules, func(k engine.Rule) bool { return ruleFile(k.Code) == filepath.Base(file) })
	if i < 0 {
		return fail("no rule of %s has this name", spec.Name)
	}
	r.code = spec.Rules[i].Code
	a, err := txtar.ParseFile(file)
	if err != nil {
		return r, err
	}
	settings, order, trees, err := sections(a)
	if err != nil {
		return fail("%w", err)
	}
	where := map[string]bool{}
	for _, m := range met().FindAllStringSubmatch(string(a.Comment), -1) {
		where[m[1]] = true
	}
	settings = "extend_select = [\"" + r.code + "\"]\n" + settings
	for _, key := range order {
		c, err := ruleCase(spec, r.code+" "+key, settings, trees[key])
		if err != nil {
			return fail("%s: %w", key, err)
		}
		if strings.HasPrefix(key, "fires/") {
			r.fires = append(r.fires, c)
			continue
		}
		r.silent = append(r.silent, c)
		if name := caseName(key); strings.HasPrefix(name, "real") {
			if r.real = true; !where[name] {
				return fail("%s: the text names no place in a line such as %q", key, name+": owner/project, file")
			}
		}
	}
	return r, nil
}

// caseName is the name of a silent case without its ending.
func caseName(key string) string {
	name := strings.TrimPrefix(key, "silent/")
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// sections gathers the files of each case, as fires/<case> and silent/<case> in
// the order they come, and the lines of config.
func sections(a *txtar.Archive) (settings string, order []string, trees map[string][]txtar.File, err error) {
	trees = map[string][]txtar.File{}
	for _, s := range a.Files {
		name, data, err := section(s)
		if err != nil {
			return "", nil, nil, err
		}
		if name == "config" {
			settings = string(data)
			continue
		}
		kind, rest, _ := strings.Cut(name, "/")
		if kind != "fires" && kind != "silent" || rest == "" {
			return "", nil, nil, fmt.Errorf("section %q is none of config, fires/<case> and silent/<case>", name)
		}
		key, path, ok := strings.Cut(rest, "/")
		if !ok {
			path = key
		}
		if key = kind + "/" + key; trees[key] == nil {
			order = append(order, key)
		} else if !ok {
			return "", nil, nil, fmt.Errorf("section %q stands twice", name)
		}
		trees[key] = append(trees[key], txtar.File{Name: path, Data: data})
	}
	return settings, order, trees, nil
}

func ruleCase(spec *engine.Spec, name, settings string, files []txtar.File) (testCase, error) {
	c := testCase{name: name, env: defaultEnv(spec, "")}
	c.src.Path, c.src.Text = files[0].Name, files[0].Data
	if err := c.configure(spec, settings); err != nil {
		return c, err
	}
	f := fixture{}
	around := map[string][]byte{}
	for _, s := range files[1:] {
		around[s.Name] = s.Data
	}
	if err := f.add(spec, c, around); err != nil {
		return c, err
	}
	return f.cases[0], nil
}

// checkRuleCases: every rule of our own has its cases, and they come out right.
func checkRuleCases(ctx context.Context, s *suite) []string {
	var out []string
	for i := range s.engine.Rules {
		rule := &s.engine.Rules[i]
		at := slices.IndexFunc(s.rules, func(r ruleCases) bool { return r.code == rule.Code })
		if at < 0 {
			if !rule.Upstream {
				out = append(out, fmt.Sprintf("rule %s has no cases in rules/%s", rule.Code, ruleFile(rule.Code)))
			}
			continue
		}
		out = append(out, s.rules[at].check(ctx, s.engine, rule)...)
	}
	return out
}

func (r *ruleCases) check(ctx context.Context, e engine.Engine, rule *engine.Rule) []string {
	var out []string
	bad := func(format string, args ...any) {
		out = append(out, r.code+": "+fmt.Sprintf(format, args...))
	}
	if len(r.fires) < wantCases || len(r.silent) < wantCases || !r.real {
		bad("%d cases that fire, %d silent, one from real code %v; want %d, %d and true", len(r.fires), len(r.silent), r.real, wantCases, wantCases)
	}
	fixed := false
	for i, c := range slices.Concat(r.fires, r.silent) {
		count, fix, err := reported(ctx, e, c, r.code)
		switch fires := i < len(r.fires); {
		case err != nil:
			bad("%s: %v", c.name, err)
		case fires && count == 0:
			bad("%s: not reported", c.name)
		case !fires && count > 0:
			bad("%s: reported %d times", c.name, count)
		}
		fixed = fixed || fix
	}
	if rule.Fixable != fixed {
		bad("fixable is %v, a case shows a fix: %v", rule.Fixable, fixed)
	}
	return out
}

// reported counts the diagnostics with a code, and tells whether one has a fix.
func reported(ctx context.Context, e engine.Engine, c testCase, code string) (n int, fix bool, err error) {
	b, w, err := open(ctx, e, c.env)
	if err != nil {
		return 0, false, err
	}
	defer func() { _ = w.Close() }()
	c.src.Inputs, c.src.Siblings = c.inputs(b), c.siblings(b)
	diags, err := w.Lint(ctx, c.src)
	if _, skip := engine.SkipReason(err); err != nil && !skip {
		return 0, false, err
	}
	for i := range diags {
		if diags[i].Code == code {
			n++
			fix = fix || len(diags[i].Fix) > 0
		}
	}
	return n, fix, nil
}
