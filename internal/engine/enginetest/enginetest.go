// Package enginetest holds the laws every engine obeys and the fixtures that
// show what an engine does. The test of internal/engine/all runs it for every
// engine that is built in; an engine needs no test of its own for them.
//
// A fixture is a txtar archive in testdata/<engine>/ with one input:
//
//	config           lines "key = value": options, and the keys below
//	input.<ext>      the source; other files of the tree are further sections
//	want.diag        what lint says, in the form of [Format]
//	want.fixed       the input with all fixes applied
//	want.formatted   what format returns
//	want.skip        the reason format declines the input
//
// Values in config are JSON; a bare word is a string. Besides the engine's
// options there are path, lang, exec, select, extend_select, ignore, indent_width
// and defaults.<key> for the keys of [defaults]. A section whose name ends in
// .q holds Go string literals, one a line, to be joined: for bytes an archive
// cannot hold. An archive without an input section holds sources for the laws
// alone. rules.<code>.<name> sets a parameter of a rule.
//
// A rule of our own (not [engine.Rule.Upstream]) has its cases in the archive
// testdata/<engine>/rules/<code>.txtar, a slash in the code being written as a
// dash: at least three sections fires/... in which it must be reported, and
// three silent/... in which it must not be, one of them named silent/real...:
// a false alarm that was met on real code. A line of the text, such as "real:
// owner/project, path/of/the/file", says of each such case where; for the
// sources of Go and CPython it begins "real: GOROOT," or "real: CPython,". What
// follows fires/ or silent/ is the file: "fires/quoted.sh"; or, for a file whose path matters or that needs
// others beside it, the case and the path in its tree: "fires/from/Dockerfile".
// The first section of a case is the source, the others lie around it. The
// rule is switched on for its cases; config counts for all of them.
package enginetest

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
	"poly/internal/wasm"
	"poly/internal/wasm/wasmtest"
)

// Options are for [Run].
type Options struct {
	// Dir holds the fixtures, *.txtar.
	Dir string
	// Update rewrites the want sections instead of comparing with them.
	Update bool
}

// Run checks the fixtures and the laws as subtests of t.
func Run(t *testing.T, e engine.Engine, o Options) {
	t.Helper()
	if e.Optional() && !e.BuiltIn() { // builds with the tag show the rest
		for _, problem := range checkSpec(t.Context(), &suite{engine: e}) {
			t.Error(problem)
		}
		return
	}
	if len(e.Modules) > 0 {
		e.Bind = withHost(e.Bind, wasmtest.Host(t))
	}
	s := &suite{engine: e}
	for _, file := range fixtureFiles(t, o.Dir) {
		f, err := readFixture(file, &e.Spec)
		if err != nil {
			t.Fatal(err)
		}
		if f.golden {
			t.Run(filepath.Base(file), func(t *testing.T) { f.compare(t, e, o.Update) })
		}
		s.cases = append(s.cases, f.cases...)
	}
	for _, file := range fixtureFiles(t, filepath.Join(o.Dir, "rules")) {
		r, err := readRuleCases(file, &e.Spec)
		if err != nil {
			t.Fatal(err)
		}
		s.rules = append(s.rules, r)
		s.cases = append(s.cases, r.fires...)
		s.cases = append(s.cases, r.silent...)
	}
	if len(s.cases) == 0 {
		t.Errorf("engine %s has no fixtures in %s", e.Name, o.Dir)
	}
	for _, l := range laws {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			for _, problem := range l.check(t.Context(), s) {
				t.Error(problem)
			}
		})
	}
}

// withHost hands the environment of a bind what runs modules.
func withHost(bind func(context.Context, engine.Env) (engine.Bound, error), host *wasm.Host) func(context.Context, engine.Env) (engine.Bound, error) {
	return func(ctx context.Context, env engine.Env) (engine.Bound, error) {
		env.Wasm = host
		return bind(ctx, env)
	}
}

func fixtureFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}

// suite is what the laws are checked on.
type suite struct {
	engine engine.Engine
	cases  []testCase
	rules  []ruleCases
}

// testCase is one source and the environment it is judged in.
type testCase struct {
	name string
	src  engine.Source
	env  engine.Env
}

// law returns what breaks it, nothing if nothing does.
type law struct {
	name  string
	check func(ctx context.Context, s *suite) []string
}

// laws in the order they are run. More than the first few problems of one kind
// help nobody, so each law stops early.
var laws = []law{
	{"spec", checkSpec},
	{"rules", checkRuleCases},
	{"deterministic", checkDeterministic},
	{"ranges", checkRanges},
	{"idempotent", checkIdempotent},
	{"same", checkSame},
	{"damage", checkDamage},
	{"endings", checkEndings},
	{"unmodified", checkUnmodified},
	{"hostile", checkHostile},
	{"truncated", checkTruncated},
	{"cancelled", checkCancelled},
	{"close", checkClose},
}

// defaultEnv binds e as a repository without poly.toml would.
func defaultEnv(spec *engine.Spec, l lang.ID) engine.Env {
	values, params := defaults(spec.Options), map[string]config.Values{}
	for i := range spec.Rules {
		if r := &spec.Rules[i]; len(r.Options) > 0 {
			params[r.Code] = defaults(r.Options)
		}
	}
	if spec.Cross {
		l = ""
	}
	indent := 0 // until the language is known
	if l != "" {
		indent = indentOf(l)
	}
	sel, _ := engine.NewSelection(spec, engine.Picks{}) // no pattern, no error
	return engine.Env{
		Lang: l, Options: values, Params: params, Rules: sel, RuleSources: config.Rules{Dirs: []config.RuleDir{{Path: ".poly/rules"}}},
		Globals: engine.Globals{LineLength: 120, FinalNewline: true, TrimTrailingWhitespace: true, IndentWidth: indent},
	}
}

func defaults(options []config.Option) config.Values {
	values := config.Values{}
	for i := range options {
		if d := options[i].Default; d != nil {
			values[options[i].Name] = d
		}
	}
	return values
}

// open binds and opens e.
func open(ctx context.Context, e engine.Engine, env engine.Env) (engine.Bound, engine.Worker, error) {
	b, err := e.Bind(ctx, env)
	if err != nil {
		return b, nil, err
	}
	w, err := b.Open(ctx)
	return b, w, err
}
