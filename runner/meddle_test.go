package runner_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
	"poly/runner"
)

// meddler makes an engine for Go that calls f with each file it is shown.
func meddler(f func(src engine.Source)) engine.Engine {
	e := linter("meddler", func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
		f(src)
		return find(src.Text, "X1", "X", "x", diag.Warning), nil
	}, lang.Go)
	return e
}

// TestFileChangesDuringRun: a file that is no longer what the tree saw is
// errored with the reason, or judged as it was; a later run is right.
func TestFileChangesDuringRun(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		victim string
		do     func(p *place)
		want   string // of the victim
	}{
		{"rewritten before it is read", "z.go", func(p *place) { p.Write("z.go", "package z // X\n") }, "errored: file changed while it was being read"},
		{"same size before it is read", "z.go", func(p *place) { p.sameTime("z.go", "package X // z\n") }, "errored: file changed while it was being read"},
		{"deleted before it is read", "z.go", func(p *place) { _ = os.Remove(p.Path("z.go")) }, "errored: file vanished during the run"},
		{"made a directory", "z.go", func(p *place) {
			_ = os.Remove(p.Path("z.go"))
			p.Write("z.go/x.go", "package x\n")
		}, "errored: file changed while it was being read"},
		{"made a link", "z.go", func(p *place) {
			_ = os.Remove(p.Path("z.go"))
			_ = os.Symlink("a.go", p.Path("z.go"))
		}, "errored: file changed while it was being read"},
		{"rewritten after it was read", "a.go", func(p *place) { p.Write("a.go", "package a // XX\n") }, ""},
		{"same size after it was read", "m.go", func(p *place) { p.sameTime("m.go", "package X // m\n") }, ""},
		{"rewritten with the same bytes", "z.go", func(p *place) { p.Write("z.go", "package z // z\n") }, ""},
	}
	for _, tc := range cases {
		for _, commit := range []bool{false, true} {
			t.Run(tc.name, func(t *testing.T) {
				t.Parallel()
				var p *place
				var once sync.Once
				p = newPlace(t, meddler(func(src engine.Source) {
					if src.Path == "m.go" {
						once.Do(func() { tc.do(p) })
					}
				}))
				for _, name := range []string{"a", "m", "z"} {
					p.Write(name+".go", "package "+name+" // "+name+"\n")
				}
				if commit {
					p.Commit("c")
				}
				rep := p.run(engine.Lint, true, func(q *runner.Request) { q.Jobs = 1 })
				f, _ := file(rep, tc.victim)
				got := outcomes(diag.Report{Files: []diag.FileReport{f}})[tc.victim]
				if got != tc.want && tc.want != "" || f.Path != "" && tc.want == "" {
					t.Errorf("%q, want %q", got, tc.want)
				}
				want := p.run(engine.Lint, false, nil)
				for range 2 {
					if d := differ(want, p.lint()); d != "" {
						t.Errorf("afterwards -want +got:\n%s", d)
					}
				}
			})
		}
	}
}

// sameTime writes a file of the same size and restores its time.
func (p *place) sameTime(name, text string) {
	p.tb.Helper()
	fi, err := os.Stat(p.Path(name))
	if err != nil {
		p.tb.Fatal(err)
	}
	if fi.Size() != int64(len(text)) {
		p.tb.Fatalf("%s has %d bytes, not %d", name, fi.Size(), len(text))
	}
	p.Write(name, text)
	if err := os.Chtimes(p.Path(name), fi.ModTime(), fi.ModTime()); err != nil {
		p.tb.Fatal(err)
	}
}

// TestInputChangesDuringRun: results made with another input than the key
// names are not kept.
func TestInputChangesDuringRun(t *testing.T) {
	t.Parallel()
	var p *place
	var once sync.Once
	p = newPlace(t, meddler(func(engine.Source) {
		once.Do(func() { p.Write("cfg.txt", "other") })
	}), near(), fixed())
	p.Write("a.go", "package a\n")
	p.Write("b/b.go", "package b\n")
	p.Write("cfg.txt", "one")
	rep := p.run(engine.Lint, true, func(q *runner.Request) { q.Jobs = 1 })
	for _, f := range rep.Files {
		if f.Path != "cfg.txt" && f.Reason != "read cfg.txt for near: file changed while it was being read" {
			t.Errorf("%+v", f)
		}
	}
	if d := differ(p.run(engine.Lint, false, nil), p.lint()); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestMeddling: whatever is changed while runs go on, a run in peace is right
// afterwards, with all the results that those runs kept.
func TestMeddling(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(7, 7))
	var p *place
	peace := false
	engines := revealing()
	engines = append(engines, meddler(func(engine.Source) {
		mu.Lock()
		defer mu.Unlock()
		if peace || r.IntN(6) > 0 {
			return
		}
		name := pick(r, []string{"a.go", "b.go", "c.go", "d.go", "a.yaml", "cfg.txt", "conf/tool.cfg", "poly.toml", ".gitattributes", "e/a.go"})
		text := pick(r, []string{"package a // X\n", "package a // Y\n", "package a // Z\n"})
		switch {
		case name == "poly.toml":
			text = pick(r, configs)
		case name == ".gitattributes":
			text = pick(r, attrTexts)
		case r.IntN(8) == 0:
			_ = os.Remove(p.Path(name))
			return
		}
		p.Write(name, text)
	}))
	p = newPlace(t, engines...)
	for _, name := range []string{"a.go", "b.go", "c.go", "d.go", "e/a.go", "f.go", "g.go"} {
		p.Write(name, "package a // X "+name+"\n")
	}
	p.Write("a.yaml", "a: X\n")
	p.Commit("c")
	for i := range 40 {
		mu.Lock()
		peace = false
		mu.Unlock()
		for _, verb := range []engine.Verb{engine.Lint, engine.Format} {
			// An error is that of a configuration that changed while it was read.
			_, _ = p.try(t.Context(), verb, true, nil)
		}
		_, _ = p.try(t.Context(), engine.Lint, true, func(q *runner.Request) { q.Fix = &sink{place: p} })
		mu.Lock()
		peace = true
		mu.Unlock()
		for _, verb := range []engine.Verb{engine.Lint, engine.Format} {
			want := p.run(verb, false, nil)
			if d := differ(want, p.run(verb, true, nil)); d != "" {
				t.Fatalf("round %d %v: -want +got:\n%s", i, verb, d)
			}
		}
		if i%10 == 9 {
			p.Commit("more")
		}
	}
}

// TestLateFix: what was changed meanwhile is not overwritten.
func TestLateFix(t *testing.T) {
	t.Parallel()
	var p *place
	var once sync.Once
	p = newPlace(t, meddler(func(src engine.Source) {
		if strings.Contains(string(src.Text), "x") { // the first pass over fixed text
			once.Do(func() { p.Write("a.go", "mine X\n") })
		}
	}))
	p.Write("a.go", "package a // X\n")
	rep, s := p.fix(engine.Lint, nil)
	want := map[string]string{"a.go": "errored: not written: before is not what is there"}
	if d := cmp.Diff(want, outcomes(rep)); d != "" || len(s.written) > 0 || p.Read("a.go") != "mine X\n" {
		t.Errorf("wrote %v, -want +got:\n%s", s.written, d)
	}
}
