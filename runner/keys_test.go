package runner_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/gitstate"
	"poly/internal/lang"
	"poly/runner"
)

// telltale reports all that an engine is told.
func telltale() engine.Engine {
	e := linter("telltale", nil, lang.Go, lang.YAML, lang.JSON, lang.Markdown, lang.Text, lang.Shell)
	e.Bind = func(_ context.Context, env engine.Env) (engine.Bound, error) {
		conf, _ := fs.ReadFile(env.Tree, "conf/x")
		return engine.Bound{
			Inputs: engine.Inputs{Names: []string{"cfg.txt"}, Paths: []string{"conf"}},
			Open: engine.Stateless(engine.Funcs{LintFunc: func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
				return []diag.Diagnostic{say("A", "%s %s %+v %q %q %d bytes", env.Lang, src.Lang, env.Globals, conf, src.Inputs, len(src.Text)), say("B", "b")}, nil
			}}),
		}, nil
	}
	return e
}

// TestKeys: each thing a result depends on is part of its key: with a cache
// that knows the results of every other case, each run reports what a run
// without a cache does.
func TestKeys(t *testing.T) {
	t.Parallel()
	p := newPlace(t, telltale(), xs(), goFormat(), yamlFormat(), textFormat())
	steps := []struct{ name, file, text string }{
		{"start", "a.yaml", "X: W\n"},
		{"the same bytes in another language", "a.json", "X: W\n"},
		{"in a third", "a.md", "X: W\n"},
		{"in a fourth", "tool", "#!/bin/sh\nX W  \n"},
		{"in a fifth", "tool.go", "#!/bin/sh\nX W  \n"},
		{"a template in one language", "b.json", "{\"a\": {{ x }}}\n"},
		{"and none in another", "b.txt", "{\"a\": {{ x }}}\n"},
		{"line length", "poly.toml", "[defaults]\nline_length = 33\n"},
		{"line ends", "poly.toml", "[defaults]\nline_ending = \"crlf\"\n"},
		{"final newline", "poly.toml", "[defaults]\nfinal_newline = false\n"},
		{"trailing whitespace", "poly.toml", "[defaults]\ntrim_trailing_whitespace = false\n"},
		{"indent", "poly.toml", "[lint.yaml.telltale]\nindent_width = 7\n"},
		{"select", "poly.toml", "[lint.yaml.telltale]\nselect = [\"B\"]\n"},
		{"ignore", "poly.toml", "[lint.yaml.telltale]\nignore = [\"B\"]\n"},
		{"level", "poly.toml", "[lint.yaml.telltale.rules.B]\nlevel = \"error\"\n"},
		{"off", "poly.toml", "[lint.yaml.telltale]\nenabled = false\n"},
		{"size", "poly.toml", "[discovery]\nmax_file_size = 6\n"},
		{"larger size", "poly.toml", "[discovery]\nmax_file_size = 16\n"},
		{"nested", "sub/poly.toml", "[lint.yaml.telltale]\nignore = [\"A\"]\n"},
		{"below", "sub/a.yaml", "X: W\n"},
		{"an input", "cfg.txt", "one"},
		{"changed", "cfg.txt", "two"},
		{"nearer", "sub/cfg.txt", "two"},
		{"a fixed one", "conf/x", "one"},
		{"changed", "conf/x", "two"},
		{"back", "poly.toml", ""},
	}
	for _, s := range steps {
		p.Write(s.file, s.text)
		for _, verb := range []engine.Verb{engine.Lint, engine.Format} {
			for _, scope := range []string{"", "place"} {
				for _, sized := range []bool{true, false} {
					run := func(cached bool) diag.Report {
						return p.run(verb, cached, func(q *runner.Request) {
							if q.Scope = scope; !sized {
								q.Tree = sizeless{q.Tree}
							}
						})
					}
					if d := differ(run(false), run(true)); d != "" {
						t.Errorf("%s: %v, scope %q, sized %v: -want +got:\n%s", s.name, verb, scope, sized, d)
					}
				}
			}
		}
	}
}

// sizeless is a tree that knows no sizes, as git does not where it distrusts times.
type sizeless struct{ gitstate.Tree }

func (s sizeless) Files() iter.Seq[gitstate.File] {
	return func(yield func(gitstate.File) bool) {
		for f := range s.Tree.Files() {
			if f.Size = -1; !yield(f) {
				return
			}
		}
	}
}

// TestOtherForm: a file whose bytes lie there in another form than git's
// settings now say, since they have changed, is judged as it lies there.
func TestOtherForm(t *testing.T) {
	t.Parallel()
	p := newPlace(t, telltale(), xs())
	p.Write("a.yaml", "a: X\nb: 1\n")
	p.Write("poly.toml", "[discovery]\nexclude = [\"poly.toml\"]\n")
	p.Commit("c")
	p.lint()
	p.Git("config", "core.autocrlf", "true")
	p.Git("rm", "-q", "--cached", "a.yaml", "poly.toml")
	p.Git("reset", "-q", "--hard")
	p.settle("a.yaml")
	p.lint() // poly has seen the settings under which the file got its form
	p.Git("config", "--unset", "core.autocrlf")
	if !strings.Contains(p.Read("a.yaml"), "\r\n") {
		t.Fatal("git did not convert the file")
	}
	want := p.run(engine.Lint, false, nil)
	f, _ := file(want, "a.yaml")
	if len(f.Diagnostics) != 3 || !strings.HasSuffix(f.Diagnostics[0].Title, "12 bytes") {
		t.Errorf("%+v", f)
	}
	for i := range 2 {
		if d := differ(want, p.lint()); d != "" {
			t.Errorf("run %d: -want +got:\n%s", i, d)
		}
	}
	_, s := p.fix(engine.Lint, nil)
	if got := p.Read("a.yaml"); got != "a: x\r\nb: 1\r\n" || len(s.written) != 1 {
		t.Errorf("fixed to %q", got)
	}
}

// TestFormsAreKeptApart: results of one form of a blob are not those of another.
func TestFormsAreKeptApart(t *testing.T) {
	t.Parallel()
	p := newPlace(t, telltale(), xs())
	p.Write("a.yaml", "a: X\nb: 1\n")
	p.Commit("c")
	for _, form := range []struct {
		name, checkout, now string
		bytes               int
	}{
		{"CRLF without a conversion", "true", "false", 12},
		{"as the blob", "false", "false", 10},
		{"CRLF", "true", "true", 12},
		{"as the blob, to be converted", "input", "input", 10},
	} {
		p.Git("config", "core.autocrlf", form.checkout)
		p.Git("rm", "-q", "--cached", "a.yaml")
		p.Git("reset", "-q", "--hard")
		p.settle("a.yaml")
		p.Git("config", "core.autocrlf", form.now)
		for _, cache := range []runner.Cache{nil, p.cache, p.cache} {
			// A scan without memory finds the first form only by reading.
			got, err := p.limited(t.Context(), engine.Lint, nil, cache, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if f, _ := file(got, "a.yaml"); len(f.Diagnostics) != 3 || !strings.HasSuffix(f.Diagnostics[0].Title, fmt.Sprint(form.bytes, " bytes")) {
				t.Errorf("%s, cached %v: %+v", form.name, cache != nil, f)
			}
		}
	}
}

// TestEncodings: what bytes say about themselves is kept by form, too.
func TestEncodings(t *testing.T) {
	t.Parallel()
	p := newPlace(t, telltale(), xs())
	p.Write(".gitattributes", "*.yaml working-tree-encoding=UTF-16LE-BOM\n")
	p.Write("a.yaml", "\xff\xfea\x00:\x00X\x00\n\x00")
	p.Write("a.go", "a:X\n")
	p.Write("poly.toml", "[discovery]\nexclude = [\"poly.toml\", \".gitattributes\"]\n")
	p.Commit("c")
	if id := strings.Fields(p.Git("ls-files", "-s", "a.yaml", "a.go")); id[1] != id[5] {
		t.Fatal("git did not convert the file")
	}
	want := map[string]string{"a.go": "checked, 3", "a.yaml": "skipped: UTF-16 text"}
	for i := range 2 {
		if d := cmp.Diff(want, outcomes(p.lint())); d != "" {
			t.Errorf("run %d -want +got:\n%s", i, d)
		}
	}
	p.Write("b.yaml", "a:X\n")
	p.Write(".gitattributes", "")
	p.Write("a.yaml", "a:X\n")
	want = map[string]string{"a.go": "checked, 3", "a.yaml": "checked, 3", "b.yaml": "checked, 3"}
	for i := range 2 {
		if d := cmp.Diff(want, outcomes(p.lint())); d != "" {
			t.Errorf("without the attribute, run %d -want +got:\n%s", i, d)
		}
	}
}

// TestMemoControls: a memo does not answer for a tree in which a file, in it
// or not, has changed that decides about others.
func TestMemoControls(t *testing.T) {
	t.Parallel()
	p := newPlace(t, revealing()...)
	for _, name := range []string{"a.go", "a.yaml", "d/b.yaml", "d/x/c.yaml", "z.md", "run.sh", "tool"} {
		p.Write(name, "a: X W  # TODO "+name+"\n")
	}
	p.Write("global/attributes", "")
	p.Git("config", "core.attributesFile", p.Path("global/attributes"))
	p.Commit("c")
	p.lint()
	p.format()
	for _, s := range []struct{ file, text string }{
		{".gitattributes", "*.yaml linguist-generated\n"},
		{"d/.gitattributes", "b.yaml -linguist-generated\n"},
		{".git/info/attributes", "*.go linguist-generated\n"},
		{"global/attributes", "*.md linguist-generated\n"},
		{".gitignore", "d/\n"},
		{"cfg.txt", "one"},
		{"d/cfg.txt", "two"},
		{"conf/tool.cfg", "hard"},
		{"rules/deep/r", "soft"},
		{"poly.toml", "[lint.yaml.optional]\nword = \"a\"\n"},
		{"d/poly.toml", "[discovery]\nexclude = [\"x\"]\n"},
		{"poly.local.toml", "[defaults]\nline_length = 44\n"},
		{"d/x/poly.toml", "[per-file-ignores]\n\"*\" = [\"ALL\"]\n"},
	} {
		for i, change := range []func(){
			func() { p.Write(s.file, s.text) },
			func() { p.Git("add", "-f", "-A", "--", ":!.git") },
			func() { p.Git("commit", "-q", "--allow-empty", "-m", "c") },
			func() { _ = os.Remove(p.Path(s.file)) },
			func() { p.Git("checkout", "-q", "-f") },
			func() { p.Write(s.file, "") },
			func() { p.Write(s.file, s.text) },
		} {
			change()
			for _, verb := range []engine.Verb{engine.Lint, engine.Format} {
				want := p.run(verb, false, nil)
				for range 2 {
					if d := differ(want, p.run(verb, true, nil)); d != "" {
						t.Errorf("%s, change %d, %v: -want +got:\n%s", s.file, i, verb, d)
					}
				}
			}
		}
	}
}

// settle makes a file old, so that git vouches for it by its times.
func (p *place) settle(name string) {
	p.tb.Helper()
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(p.Path(name), old, old); err != nil {
		p.tb.Fatal(err)
	}
	p.Git("update-index", "-q", "--refresh")
}

// TestUnrecognised: nothing looks at a file of no language, unless it is named.
func TestUnrecognised(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var seen []string
	spy := linter("spy", func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, src.Path)
		return nil, nil
	})
	p := newPlace(t, spy, xs())
	p.Write("unknown", "text\n")
	p.Write("a.qqq", "text\n")
	p.Write("b.go", "package b\n")
	for i := range 3 {
		rep := p.run(engine.Lint, true, func(q *runner.Request) { q.Scope = "" })
		if i > 0 && rep.Stats.Read > 0 {
			t.Errorf("run %d read %d files", i, rep.Stats.Read)
		}
	}
	if d := cmp.Diff([]string{"b.go"}, seen); d != "" {
		t.Errorf("seen -want +got:\n%s", d)
	}
}

// TestFormatterReusesBuffer: what a formatter returned may be overwritten by its next call.
func TestFormatterReusesBuffer(t *testing.T) {
	t.Parallel()
	var shared [64]byte
	p := newPlace(t, formatter("gofumpt", func(_ context.Context, src engine.Source) ([]byte, error) {
		return append(shared[:0], bytes.ToUpper(src.Text)...), nil
	}, lang.Go))
	for i := range 5 {
		p.Write(fmt.Sprintf("a%d.go", i), fmt.Sprintf("package a%d\n", i))
	}
	_, s := p.fix(engine.Format, func(q *runner.Request) { q.Jobs = 1 })
	for i := range 5 {
		if got, want := p.Read(fmt.Sprintf("a%d.go", i)), fmt.Sprintf("PACKAGE A%d\n", i); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if !slices.IsSorted(s.written) || len(s.written) != 5 {
		t.Errorf("written %v", s.written)
	}
}

// TestConfigHash: the hash of a configuration tells of every file that engines
// read for it, and of nothing else.
func TestConfigHash(t *testing.T) {
	t.Parallel()
	p := newPlace(t, near(), fixed(), xs())
	p.Write("a.go", "package a\n")
	p.Write("sub/b.yaml", "a: 1\n")
	p.Write("other/c.yaml", "a: 1\n")
	p.Write("other/poly.toml", "[defaults]\nline_length = 9\n")
	hash := func(path string) string {
		rep := p.run(engine.Lint, true, nil)
		f, _ := file(rep, path)
		return rep.Configs[f.Config]
	}
	p.Write("other/d.zig", "") // a record under the other configuration
	for _, tc := range []struct {
		name, file, text string
		root, other      bool // whose hash changes
	}{
		{"a source", "a.go", "package b\n", false, false},
		{"an input of all", "cfg.txt", "1", true, true},
		{"the same again", "cfg.txt", "1", false, false},
		{"a nested input", "sub/cfg.txt", "1", true, false},
		{"an input of the other", "other/cfg.txt", "1", true, true},
		{"a fixed input", "conf/tool.cfg", "1", true, true},
		{"in a directory", "rules/deep/r", "1", true, true},
		{"not in it", "rulesx/r", "1", false, false},
		{"the configuration", "poly.toml", "[defaults]\nline_length = 8\n", true, false},
		{"a default spelt out", "other/poly.toml", "[defaults]\nline_length = 9\n[cache]\nenabled = true\n", false, false},
		{"one that outranks .editorconfig then", "other/poly.toml", "[defaults]\nline_length = 9\nfinal_newline = true\n", false, true},
	} {
		p.Write("zig.zig", "")
		root, other := hash("zig.zig"), hash("other/d.zig")
		p.Write(tc.file, tc.text)
		if r, o := hash("zig.zig") != root, hash("other/d.zig") != other; r != tc.root || o != tc.other {
			t.Errorf("%s: changes %v and %v, want %v and %v", tc.name, r, o, tc.root, tc.other)
		}
	}
}
