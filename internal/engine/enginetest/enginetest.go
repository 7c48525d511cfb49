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
// alone.
package enginetest

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
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
	{"deterministic", checkDeterministic},
	{"ranges", checkRanges},
	{"idempotent", checkIdempotent},
	{"same", checkSame},
	{"endings", checkEndings},
	{"unmodified", checkUnmodified},
	{"hostile", checkHostile},
	{"truncated", checkTruncated},
	{"cancelled", checkCancelled},
	{"close", checkClose},
}

// defaultEnv binds e as a repository without poly.toml would.
func defaultEnv(spec *engine.Spec, l lang.ID) engine.Env {
	values := config.Values{}
	for i := range spec.Options {
		if d := spec.Options[i].Default; d != nil {
			values[spec.Options[i].Name] = d
		}
	}
	if spec.Cross {
		l = ""
	}
	sel, _ := engine.NewSelection(spec, engine.Picks{}) // no pattern, no error
	return engine.Env{
		Lang: l, Options: values, Rules: sel,
		Globals: engine.Globals{LineLength: 120, FinalNewline: true, TrimTrailingWhitespace: true, IndentWidth: indentOf(l)},
	}
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
