package ruff

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// TestFacts: both generated tables list the same codes.
func TestFacts(t *testing.T) {
	t.Parallel()
	if len(rules) != len(facts)+1 {
		t.Fatalf("%d rules and %d facts", len(rules), len(facts))
	}
	for i := range rules[1:] {
		r := &rules[i+1]
		f := factOf(r.Code)
		if f.code != r.Code {
			t.Fatalf("%s has no fact", r.Code)
		}
		if fixable := f.fix != fixNone && f.fix != fixWithheld; fixable != r.Fixable {
			t.Errorf("%s: Fixable is %v, want %v", r.Code, r.Fixable, fixable)
		}
		if f.preview && r.Default {
			t.Errorf("%s is a preview and on by default", r.Code)
		}
	}
}

func TestTarget(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]int{"py311": 11, "3.11": 11, "py37": 7, "3.15": 15, "py36": 0, "3": 0, "4.1": 0, "": 0, "11": 0, "3.x": 0} {
		if got, err := target(version); got != want || (err == nil) != (want > 0) {
			t.Errorf("target(%q) = %d, %v, want %d", version, got, err, want)
		}
	}
}

func TestRequires(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		">=3.8": 8, ">= 3.9, <4": 9, "~=3.10.1": 10, "==3.11.*": 11, ">3.7,!=3.9": 7, "<3.12": 0, "": 0, ">=2.7,>=3.9": 9, ">=3.40": 0,
	} {
		if got := requires(object{"project": object{"requires-python": text}}); got != want {
			t.Errorf("requires(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestPattern(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dir, glob, file string
		want            bool
	}{
		{".", "a.py", "x/a.py", true},
		{"x", "a.py", "x/a.py", true},
		{"x", "y/*.py", "x/y/z/a.py", true},
		{"x", "y/*.py", "y/a.py", false},
		{".", "**/test_*.py", "test_a.py", true},
		{".", "**/test_*.py", "a/b/test_a.py", true},
		{".", "{a,b}.py", "b.py", true},
		{".", "{a,b}.py", "c.py", false},
		{".", "[!a].py", "b.py", true},
		{".", "[!a].py", "a.py", false},
		{".", "a?.py", "ab.py", true},
		{".", "!a.py", "a.py", false},
		{".", "!a.py", "b.py", true},
		{".", "a.b", "axb", false},
	} {
		if got := newPattern(c.dir, c.glob).matches(c.file); got != c.want {
			t.Errorf("%s in %s matches %s: %v, want %v", c.glob, c.dir, c.file, got, c.want)
		}
	}
	for file, want := range map[string]bool{"gen/a/b.py": true, "a/gen.py": false, "lib/gen/b.py": true} {
		if got := newPattern(".", "gen").excludes(file); got != want {
			t.Errorf("gen excludes %s: %v, want %v", file, got, want)
		}
	}
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// plans returns a linter of a tree without a table in poly.toml.
func plans(t *testing.T, files fstest.MapFS) *linter {
	t.Helper()
	sel, err := engine.NewSelection(&Engine.Spec, engine.Picks{})
	if err != nil {
		t.Fatal(err)
	}
	e := engine.Env{Lang: lang.Python, Rules: sel, Tree: files, Globals: engine.Globals{LineLength: 120, IndentWidth: 4}}
	s, err := settingsOf(&e)
	if err != nil {
		t.Fatal(err)
	}
	return &linter{env: e, verb: fromLint, settings: s, tree: newTree(files)}
}

func TestNative(t *testing.T) {
	t.Parallel()
	l := plans(t, fstest.MapFS{
		"pyproject.toml":   file("[project]\nrequires-python = \">=3.9\"\n[tool.ruff]\nline-length = 70\nexclude = [\"old\"]\n[tool.ruff.lint]\nselect = [\"E\"]\nignore = [\"E501\"]\n"),
		"a/.ruff.toml":     file("extend = \"../pyproject.toml\"\n[lint]\nextend-select = [\"E501\", \"F\"]\n[lint.per-file-ignores]\n\"t*.py\" = [\"F401\", \"E\"]\n"),
		"a/ruff.toml":      file("line-length = 1"), // .ruff.toml comes first
		"b/pyproject.toml": file("[tool.other]\n"),
		"c/ruff.toml":      file("target-version = \"py312\"\n[per-file-target-version]\n\"new.py\" = \"py313\"\n[lint]\nexclude = [\"x.py\"]\n"),
		"d/ruff.toml":      file("line-length = "),
		"e/ruff.toml":      file("extend = \"nowhere.toml\""),
		"f/ruff.toml":      file("\n[lint.isort]\nsection-order = []\nsplit-on-comma = true\n"),
		"g/ruff.toml":      file("[isort]\nforce-single-line = true\n[lint.per-file-ignores]\nx = []"),
	})
	lint := func(p *plan) object { o, _ := p.options["lint"].(object); return o }
	top := l.of("b/x.py")
	if top.native != "pyproject.toml" || top.options["line-length"] != 70.0 || top.options["target-version"] != "py39" {
		t.Errorf("b/x.py: %s, %v", top.native, top.options)
	}
	in := l.of("a/x.py")
	if in.native != "a/.ruff.toml" || in.options["line-length"] != 70.0 || in.options["target-version"] != "py39" {
		t.Errorf("a/x.py: %s, %v", in.native, in.options)
	}
	want := object{"select": []any{"E"}, "ignore": []any{}, "extend-select": []any{"E501", "F"}}
	got := object{}
	for key := range want {
		got[key] = lint(in)[key]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lint of a/x.py: -want +got\n%s", diff)
	}
	if got := lint(l.of("a/test.py"))["per-file-ignores"]; !cmp.Equal(got, object{"*": []any{"E", "F401"}}) {
		t.Errorf("a/test.py ignores %v", got)
	}
	if l.class("a/test.py") == l.class("a/x.py") || l.class("a/x.py") != l.class("a/y.py") {
		t.Error("classes of paths do not follow what is ignored in them")
	}
	if p := l.of("c/new.py"); p.options["target-version"] != "py313" {
		t.Errorf("c/new.py aims at %v", p.options["target-version"])
	}
	for path, want := range map[string]string{
		"old/x.py": "excluded by pyproject.toml", "c/x.py": "excluded by c/ruff.toml", "d/x.py": "d/ruff.toml:1: ", "f/x.py": "f/ruff.toml:4: unknown key lint.isort.split-on-comma", "e/x.py": "there is no nowhere.toml",
		"x.pyi": "stub file",
	} {
		if p := l.of(path); p.err == nil || !strings.Contains(p.err.Error(), want) {
			t.Errorf("of(%s): %v, want %q", path, p.err, want)
		}
	}
}

func TestFirstParty(t *testing.T) {
	t.Parallel()
	tree := newTree(fstest.MapFS{
		"one.py": file(""), "pkg/__init__.py": file(""), "src/two/x.py": file(""), "docker/Dockerfile": file(""),
		"google/mine/x.py": file(""), "json/x.py": file(""), "no-name/x.py": file(""), "lib/deep/__init__.py": file(""), "lib/deep/more/__init__.py": file(""),
		"parser.py": file(""),
	})
	p := tree.firstParty([]string{".", "src"}, "lib/deep/more", 11)
	want := []string{"deep", "docker", "google.mine", "lib.deep", "one", "parser", "pkg", "src.two", "two"}
	if diff := cmp.Diff(want, p.modules); diff != "" {
		t.Errorf("modules: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{"docker.*"}, p.others); diff != "" {
		t.Errorf("others: -want +got\n%s", diff)
	}
	if p := tree.firstParty([]string{"."}, ".", 8); slices.Contains(p.modules, "parser") {
		t.Error("parser is of the standard library of Python 3.8")
	}
}

func TestPrivate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, root string
		want       bool
	}{
		{"a.py", "", false},
		{"_a.py", "", true},
		{"__main__.py", "", false},
		{"_x/a.py", "", false},
		{"lib/_x/a.py", "lib/_x", true},
		{"_lib/x/a.py", "_lib/x", false},
		{"lib/x/_y/__init__.py", "lib/x", true},
	} {
		if got := private(c.file, c.root); got != c.want {
			t.Errorf("private(%q, %q) = %v, want %v", c.file, c.root, got, c.want)
		}
	}
}

// TestSafe has a fix of each kind that depends on more than its rule.
func TestSafe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, code, text, span, with string
		plan                         plan
		want                         bool
	}{
		{"always", "I001", "import b, a", "import b, a", "x", plan{}, true},
		{"never", "E711", "x == None", "None", "x is None", plan{}, false},
		{"unknown", "X1", "x", "x", "y", plan{}, false},
		{"comment", "UP004", "class A(\n    object  # why\n): ...", "object  # why", "", plan{}, false},
		{"no comment", "UP004", "class A(object): ...", "(object)", "", plan{}, true},
		{"ASCII", "B009", `getattr(x, "y")`, `getattr(x, "y")`, "x.y", plan{}, true},
		{"not ASCII", "B009", `getattr(x, "ſ")`, `getattr(x, "ſ")`, "x.ſ", plan{}, false},
		{"import", "F401", "import os", "import os", "", plan{}, true},
		{"import of a package", "F401", "import os", "import os", "", plan{init: true}, false},
		{"string", "F541", `x = f"a"`, `f"a"`, `"a"`, plan{}, true},
		{"argument", "F541", "g(\n    f\"a\",\n)", `f"a"`, `"a"`, plan{}, true},
		{"docstring", "F541", "def f():\n    f\"a\"", `f"a"`, `"a"`, plan{}, false},
		{"docstring of a module", "F541", `f"a"`, `f"a"`, `"a"`, plan{}, false},
		{"exception", "F841", "try: x()\nexcept E as e: pass", "e:", "", plan{}, true},
		{"variable", "F841", "e = 1", "e", "", plan{}, false},
		{"version", "UP007", "Union[int, str]", "Union[int, str]", "int | str", plan{minor: 10}, true},
		{"old version", "UP007", "Union[int, str]", "Union[int, str]", "int | str", plan{minor: 9}, false},
		{"future", "UP037", `x: "int"`, `"int"`, "from __future__ import annotations", plan{}, false},
		{"no future", "UP037", `x: "int"`, `"int"`, "int", plan{}, true},
		{"blanks", "W291", "x = 1 ", " ", "", plan{}, true},
		{"blanks in a text", "W291", "x = ''' \n'''", " \n", "", plan{}, false},
		{"argument of format", "F523", `"{}".format(a, b)`, `"{}".format(a, b)`, `"{}".format(a)`, plan{}, true},
		{"silence stays", "I001", "import b  # noqa: X\nimport a", "import b  # noqa: X\nimport a", "import a\nimport b  # noqa: X", plan{}, true},
		{"silence moves", "I001", "from a import b  # noqa", "from a import b  # noqa", "from a import (\n    b,  # noqa\n)", plan{}, false},
		{"silence goes", "F401", "import b  # noqa: X\n", "import b  # noqa: X\n", "", plan{}, true},
		{"silence itself", "RUF100", "x  # noqa: A, B", "# noqa: A, B", "# noqa: A", plan{}, true},
		{"silence behind a fix", "E703", "x;  # noqa: X", ";", "", plan{}, true},
		{"call in format", "F523", `"{}".format(a, b())`, `"{}".format(a, b())`, `"{}".format(a)`, plan{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			at := strings.LastIndex(c.text, c.span)
			d := diag.Diagnostic{
				Code: c.code, Span: &diag.Span{Start: at, End: at + len(c.span)},
				Fix: []diag.Edit{{Start: at, End: at + len(c.span), Replacement: c.with}},
			}
			if got := newSource([]byte(c.text), &c.plan).safe(&d); got != c.want {
				t.Errorf("safe = %v, want %v", got, c.want)
			}
		})
	}
}
