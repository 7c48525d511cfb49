package migrate

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"poly/internal/config"
	"poly/runner/job"
)

var update = flag.Bool("update", false, "write what poly.toml becomes into the archives")

// engines are those that the archives speak of.
func engines() []string {
	return []string{"actionlint", "dockerfile", "editorconfig", "gofumpt", "hcl", "json", "markdown", "proto", "revive", "ruff", "shell", "shfmt", "toml", "typos", "xml", "yaml", "yamlfmt"}
}

// schema knows the one engine that a migration configures.
func schema() config.Schema {
	return config.Schema{Languages: []string{"go", "yaml"}, Engines: []config.EngineTable{
		{Name: "gofumpt", Langs: []string{"go"}, Fmt: true, Options: []config.Option{{Name: "mode", Type: config.String}}},
		{Name: "yaml", Langs: []string{"yaml"}, Lint: true},
	}}
}

// load reads a poly.toml and decodes its hooks, as a run would.
func load(tb testing.TB, text []byte) *job.Config {
	tb.Helper()
	set, err := config.Load(tb.Context(), config.Options{
		Schema: schema(), Dirs: []string{"."}, Tree: fstest.MapFS{"poly.toml": {Data: text}},
	})
	if err != nil {
		tb.Fatalf("the result does not load: %v\n%s", err, text)
	}
	c, err := job.Decode(set.Root().Section("hooks"), func(keys ...string) string { return set.Root().Origin(keys...).String() })
	if err != nil {
		tb.Fatalf("the hooks do not load: %v\n%s", err, text)
	}
	return c
}

func show(p *Plan) string {
	var b strings.Builder
	for _, h := range p.Hooks {
		b.WriteString(strings.TrimSpace(fmt.Sprintf("%s: %s %s", h.ID, h.Outcome, h.To)) + "\n")
	}
	return b.String()
}

// TestArchives: what each tool's configuration becomes. Each file of
// testdata is a repository, the table of its hooks, and the result.
func TestArchives(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 4 {
		t.Fatalf("%d archives, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tree := fstest.MapFS{}
			var want, text []byte
			for _, f := range a.Files {
				switch f.Name {
				case "want":
					want = f.Data
				case "poly.toml":
					text = f.Data
				default:
					tree[f.Name] = &fstest.MapFile{Data: f.Data}
				}
			}
			p, err := Do(Request{Tree: tree, Engines: engines()})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), show(p)); diff != "" {
				t.Error(diff)
			}
			load(t, p.Text)
			result := append(append([]byte{}, p.Text...), comments(p)...)
			if *update {
				a.Files[len(a.Files)-1].Data = result
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(string(text), string(result)); diff != "" {
				t.Error(diff)
			}
			again, err := Do(Request{Tree: tree, Engines: engines(), Existing: p.Text})
			if err != nil || string(again.Text) != string(p.Text) {
				t.Errorf("migrated again: %v\n%s", err, cmp.Diff(string(p.Text), string(again.Text)))
			}
		})
	}
}

// comments shows every note below the result.
func comments(p *Plan) string {
	var b strings.Builder
	for _, h := range p.Hooks {
		for _, n := range h.Notes {
			fmt.Fprintf(&b, "# %s: %s\n", h.ID, n)
		}
	}
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "# note: %s\n", n)
	}
	return b.String()
}

// TestMerge: what is in poly.toml stays, byte by byte, and wins.
func TestMerge(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{".pre-commit-config.yaml": {Data: []byte(`repos:
- repo: local
  hooks:
  - {id: a, entry: ./a, language: script}
- repo: x
  hooks:
  - id: check-yaml
  - id: conventional-pre-commit
    stages: [commit-msg]
`)}}
	for _, tc := range []struct{ name, have string }{
		{"nothing", ""},
		{"other tables", "# mine\n[lint.yaml.yaml]  # really\nignore = ['x'] # c\n"},
		{"no final line end", "[defaults]\nline_length = 80"},
		{"CRLF", "# mine\r\n[defaults]\r\nline_length = 80\r\n"},
		{"the same table", "[hooks.builtin]  # mine\nfmt = true\n\n[defaults]\nline_length = 80\n"},
		{"a table below", "[hooks.builtin.lint]\nenabled = false\n"},
		{"a switch", "[hooks.builtin]\nlint = false\ncommit = { enabled = false }\n"},
		{"jobs", "[hooks.pre-commit]\nparallel = true\n\n[[hooks.pre-commit.jobs]]\nname = 'z'\nrun = 'z'\n"},
		{"the alias of a stage", "[[hooks.commit.jobs]]\nname = 'z'\nrun = 'z'\n"},
		{"the preset", "[commit]\npreset = 'simple'\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p, err := Do(Request{Tree: tree, Existing: []byte(tc.have), Engines: []string{"yaml"}})
			if err != nil {
				t.Fatal(err)
			}
			load(t, p.Text)
			text := string(p.Text)
			for line := range strings.Lines(tc.have) {
				if !strings.Contains(text, line) {
					t.Errorf("%q is lost:\n%s", line, text)
				}
				text = text[strings.Index(text, strings.TrimRight(line, "\r\n")):]
			}
			if n := strings.Count(string(p.Text), "\n") - strings.Count(string(p.Text), "\r\n"); strings.Contains(tc.have, "\r\n") && n != 0 {
				t.Errorf("%d lines end otherwise", n)
			}
			if !strings.Contains(string(p.Text), `name = "a"`) {
				t.Errorf("the job is not there:\n%s", p.Text)
			}
		})
	}
	for _, have := range []string{"hooks.pre-commit.jobs = [{name='z', run='z'}]\n", "hooks = { pre-commit = { parallel = true } }\n"} {
		if p, err := Do(Request{Tree: tree, Existing: []byte(have)}); err == nil || !strings.Contains(err.Error(), "nothing can be added") {
			t.Errorf("%q is merged: %v", have, p)
		}
	}
	if _, err := Do(Request{Tree: tree, Existing: []byte("[")}); err == nil {
		t.Error("a poly.toml that does not parse is merged")
	}
}

func TestWrongUse(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		from, want string
		tree       fs.FS
	}{
		{"leftook", "does not migrate from leftook", fstest.MapFS{}},
		{"", "there is no configuration", fstest.MapFS{}},
		{"husky", "there is no configuration of husky", fstest.MapFS{"lefthook.yml": {Data: []byte("{}")}}},
		{"", "cannot read .pre-commit-config.yaml", fstest.MapFS{".pre-commit-config.yaml": {Data: []byte("a: [")}}},
		{"", "cannot read package.json", fstest.MapFS{".lintstagedrc": {Data: []byte("{}")}, "package.json": {Data: []byte("{")}}},
	} {
		if _, err := Do(Request{Tree: tc.tree, From: tc.from}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("from %q: %v, want %q", tc.from, err, tc.want)
		}
	}
}

// FuzzDo: whatever the files say, the result loads, and each hook is accounted
// for.
func FuzzDo(f *testing.F) {
	f.Add(0, "repos:\n- repo: local\n  hooks:\n  - {id: \"a\\nb\", entry: \"x 'y\\\"\", language: fail, files: '^a|b$'}\n")
	f.Add(1, "pre-commit:\n  commands:\n    a: {run: \"x\\u0007\", env: {\"a.b\": 'c'}, glob: ['*']}\n")
	f.Add(2, "a='b'\nnpx lint-staged $1\n")
	f.Add(3, `{"*.js": ["a 'b", "c"]}`)
	f.Add(4, "hooks {\n[\"pre-commit\"] {\nsteps {\n[\"a\"] {\ncheck = \"x\"\n}\n}\n}\n}\n")
	f.Add(0, "repos: &a\n- *a\n- repo: x\n  hooks: [{id: check-yaml, stages: [manual], exclude: '(?x)['}]\n")
	engines := engines()
	f.Fuzz(func(t *testing.T, kind int, text string) {
		names := []string{".pre-commit-config.yaml", "lefthook.yml", ".husky/commit-msg", ".lintstagedrc", "hk.pkl"}
		name := names[((kind%len(names))+len(names))%len(names)]
		p, err := Do(Request{Tree: fstest.MapFS{name: {Data: []byte(text)}}, Engines: engines})
		if err != nil {
			return
		}
		load(t, p.Text)
		for _, h := range p.Hooks {
			if h.Outcome == "" || h.Outcome != Left && h.To == "" || h.Outcome == Left && len(h.Notes) == 0 {
				t.Fatalf("not accounted for: %+v", h)
			}
		}
	})
}
