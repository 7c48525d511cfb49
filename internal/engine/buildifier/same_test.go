package buildifier

import (
	"slices"
	"strings"
	"testing"
	"time"

	"poly/internal/config"
	"poly/internal/engine"
)

func worker0(tb testing.TB, v config.Values) (engine.Bound, engine.Worker) {
	tb.Helper()
	b, err := Engine.Bind(tb.Context(), engine.Env{Lang: "starlark", Options: v, Globals: engine.Globals{FinalNewline: true}})
	if err != nil {
		tb.Fatal(err)
	}
	w, err := b.Open(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return b, w
}

func formatted(tb testing.TB, path, text string) string {
	tb.Helper()
	b, w := worker0(tb, nil)
	out, err := w.Format(tb.Context(), engine.Source{Path: path, Text: []byte(text)})
	if err != nil {
		tb.Fatalf("Format(%q): %v", text, err)
	}
	if err := b.Same([]byte(text), out); err != nil {
		tb.Errorf("refused: %v", err)
	}
	return string(out)
}

// TestSame: what buildifier is meant to change is equal, everything else is not.
func TestSame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, before, after string
		want                bool
	}{
		{"layout", "x=[1,2]\n", "x = [\n    1,\n    2,\n]\n", true},
		{"parentheses", "x = (a) + (b * c)\n", "x = a + b * c\n", true},
		{"needed parentheses", "x = (a + b) * c\n", "x = a + b * c\n", false},
		{"quotes", "x = 'a\"b'\n", "x = \"a\\\"b\"\n", true},
		{"a string changes", "x = 'a'\n", "x = \"b\"\n", false},
		{"raw strings", "x = r'\\d'\n", "x = '\\\\d'\n", true},
		{"raw becomes plain", "x = r'\\n'\n", "x = '\\n'\n", false},
		{"octal", "x = 0644\n", "x = 0o644\n", true},
		{"octal changes", "x = 0644\n", "x = 644\n", false},
		{"float", "x = 1.E+07\n", "x = 1e7\n", true},
		{"named arguments move", "f(b = 1, a = 2)\n", "f(a = 2, b = 1)\n", true},
		{"arguments without name move", "f(a, b)\n", "f(b, a)\n", false},
		{"star before an argument", "f(*a, b)\n", "f(b, *a)\n", false},
		{"sorted argument", "f(deps = [\"b\", \"a\", \"a\"])\n", "f(deps = [\"a\", \"b\"])\n", true},
		{"sorted in a select", "f(deps = a + select({\"c\": [\"y\", \"x\"]}))\n", "f(deps = a + select({\"c\": [\"x\", \"y\"]}))\n", true},
		{"sorted list that is no argument", "x = [\"b\", \"a\"]\n", "x = [\"a\", \"b\"]\n", false},
		{"keep sorted", "# keep sorted\nx = [\"b\", \"a\"]\n", "# keep sorted\nx = [\"a\", \"b\"]\n", true},
		{"numbers are not sorted", "f(x = [2, 1])\n", "f(x = [1, 2])\n", false},
		{"labels", "f(deps = [\"//a/b:b\", \"@c//:c\"])\n", "f(deps = [\"//a/b\", \"@c\"])\n", true},
		{"another label", "f(deps = [\"//a/b:c\"])\n", "f(deps = [\"//a/b\"])\n", false},
		{"joined strings", "f(x = \"//a\" + \":b\")\n", "f(x = \"//a:b\")\n", true},
		{"loads move", "x = 1\nload(\":b\", \"b\")\nload(\":a\", \"a\")\n", "load(\":a\", \"a\")\nload(\":b\", \"b\")\nx = 1\n", true},
		{"a symbol is lost", "load(\":a\", \"a\", \"b\")\n", "load(\":a\", \"a\")\n", false},
		{"a symbol is renamed", "load(\":a\", b = \"a\")\n", "load(\":a\", \"a\")\n", false},
		{"an empty load is lost", "load(\":a\")\nx = 1\n", "x = 1\n", false},
		{"docstring of a function", "def f():\n  \"\"\"A.\n  b \n  \"\"\"\n", "def f():\n    \"\"\"A.\n    b\n    \"\"\"\n", true},
		{"text of a docstring", "def f():\n  \"\"\"A.\"\"\"\n", "def f():\n  \"\"\"B.\"\"\"\n", false},
		{"a string of several lines", "x = \"\"\"a\n b\"\"\"\n", "x = \"\"\"a\n  b\"\"\"\n", false},
		{"elif", "if a:\n  b()\nelse:\n  if c:\n    d()\n", "if a:\n    b()\nelif c:\n    d()\n", true},
		{"a statement leaves its block", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n", false},
		{"compact", "def f(): pass\n", "def f():\n    pass\n", true},
		{"a comment is lost", "x = 1 # a\n", "x = 1\n", false},
		{"a comment is added", "x = 1\n", "x = 1  # a\n", false},
		{"a comment changes", "x = 1 # a\n", "x = 1 # b\n", false},
		{"not in", "x = a not in b\n", "x = not a in b\n", false},
		{"conditional", "x = (a if b else c)\n", "x = a if b else c\n", true},
		{"comprehension", "x = [a for a in b if c]\n", "x = [a for a in b]\n", false},
		{"dictionary", "x = {\"a\": 1}\n", "x = {\"a\": 2}\n", false},
		{"tuple", "x = (1,)\n", "x = (1)\n", false},
		{"slice", "x = a[1:2]\n", "x = a[1]\n", false},
		{"types", "def f(a: int = 1, *b, **c) -> str:\n    return a\n", "def f(a: int = 1, *b, **c) -> int:\n    return a\n", false},
		{"lambda", "x = lambda a, b = 1: a\n", "x = lambda a, b = 2: a\n", false},
		{"for", "for a, b in c:\n    pass\n", "for b, a in c:\n    pass\n", false},
		{"continued line", "x = 1 + \\\n  2\n", "x = 1 + 2\n", true},
		{"semicolon", "a(); b()\n", "a()\nb()\n", true},
		{"CRLF", "x = \"\"\"a\r\nb\"\"\"\r\n", "x = \"\"\"a\r\nb\"\"\"\r\n", true},
		{"does not parse", "x = 1\n", "x = (1\n", false},
		{"did not parse", "x = (1\n", "x = (1\n", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if err := Same([]byte(tc.before), []byte(tc.after)); (err == nil) != tc.want {
				t.Errorf("Same(%q, %q) = %v, want equal: %v", tc.before, tc.after, err, tc.want)
			}
		})
	}
}

// TestScanIsLinear: the guard's scanner looks at each byte a few times at most.
func TestScanIsLinear(t *testing.T) {
	t.Parallel()
	text := "x = [" + strings.Repeat("0x1F, 1.5, 'a', b, # c\n", 1<<16) + "]\n"
	start := time.Now()
	if err := Same([]byte(text), []byte(text)); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("%d bytes took %v", len(text), d)
	}
}

// TestCommentsStay: the library stands comments in all the places where one was
// lost or moved once (bazel-contrib/buildtools#1470, #1481).
func TestCommentsStay(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"def f(): pass\n# comment\nx = [ # why\n    1,2]\n",
		"def f(): # a\n    pass\n# b\n",
		"def f():\n    # a\n    pass\n    # b\n\n# c\nx = 1\n",
		"if a:\n    pass\n# b\nelse: pass # c\n# d\n",
		"for a in b: c() # d\n# e\n",
		"x = {  # a\n    \"b\": 1,  # c\n    # d\n}  # e\n",
		"f(  # a\n    b,  # c\n    # d\n)\n",
		"x = (  # a\n    b +  # c\n    d\n)\n",
		"load(\":a\", \"b\")  # c\n# d\n",
		"def f(  # a\n    b,  # c\n    # d\n):  # e\n    pass\n",
		"x = [a  # b\n    for a in c  # d\n    if e]  # f\n",
		"return_ = lambda: 1  # a\n",
	} {
		for _, path := range []string{"BUILD", "a.bzl", "a.star"} {
			once := formatted(t, path, text)
			if twice := formatted(t, path, once); twice != once {
				t.Errorf("%s: %q becomes %q and then %q", path, text, once, twice)
			}
			if got, want := strings.Count(once, "#"), strings.Count(text, "#"); got != want {
				t.Errorf("%s: %q becomes %q: %d comments, want %d", path, text, once, got, want)
			}
		}
	}
}

// TestWorkArounds: each of them, and that the library needs it.
func TestWorkArounds(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, path, text, want string }{
		{"characters", "BUILD", "x = 'é — it\\'s'\n", "x = \"é — it's\"\n"},
		{"characters and odd escapes", "BUILD", "x = \"é\\d\"\n", "x = \"é\\\\d\"\n"},
		{"characters between three quotes", "BUILD", "x = '''é\n'''\n", "x = \"\"\"é\n\"\"\"\n"},
		{"characters with a double quote", "BUILD", "x = 'é\"'\n", "x = 'é\"'\n"},
		{
			"comment of a second load", "BUILD", "load(\":a\", \"b\")\n\n# c\nload(\":a\", \"d\")\n",
			"load(\":a\", \"b\")\n\n# c\nload(\":a\", \"d\")\n",
		},
		{"second load", "BUILD", "load(\":a\", \"b\")\nload(\":a\", \"d\")\n", "load(\":a\", \"b\", \"d\")\n"},
		{"load in a Tiltfile", "Tiltfile", "x()\nload('ext://b', 'c')\n", "x()\n\nload(\"ext://b\", \"c\")\n"},
		{"load in a BUILD file", "BUILD", "x()\nload(\":b\", \"c\")\n", "load(\":b\", \"c\")\n\nx()\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := formatted(t, tc.path, tc.text); got != tc.want {
				t.Errorf("%q becomes %q, want %q", tc.text, got, tc.want)
			}
		})
	}
}

// TestSkipped: what the library cannot judge is declined, by both verbs.
func TestSkipped(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, path, text, want string }{
		{"loop", "Tiltfile", "while True:\n    x()\n", whileReason},
		{"compact if", "BUILD", "if a: pass\n# b\nelse: pass\n", ownReason},
		{"NAnt", "default.build", "<?xml version=\"1.0\"?>\n<project/>\n", "it is XML, not Starlark"},
		{"deep", "a.bzl", strings.Repeat("[", 300) + strings.Repeat("]", 300), "brackets nested deeper than 200 levels"},
		{"long", "a.bzl", "x = 1" + strings.Repeat(" + 1000000000", 2000), "an expression of more than 1500 operators"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, w := worker0(t, nil)
			src := engine.Source{Path: tc.path, Text: []byte(tc.text)}
			_, lintErr := w.Lint(t.Context(), src)
			_, fmtErr := w.Format(t.Context(), src)
			for _, err := range []error{lintErr, fmtErr} {
				if got, _ := engine.SkipReason(err); got != tc.want {
					t.Errorf("skipped as %q, want %q", got, tc.want)
				}
			}
		})
	}
}

// TestNative: .buildifier.json is obeyed where the options say nothing.
func TestNative(t *testing.T) {
	t.Parallel()
	const text = "f(name = \"a\", deps = [\"b\", \"a\"])\nf(name = \"a\")\n"
	for _, tc := range []struct {
		name, file string
		options    config.Values
		codes      []string
		formatted  string
	}{
		{"none", "", nil, []string{"duplicated-name"}, "f(\n    name = \"a\",\n    deps = [\n        \"a\",\n        \"b\",\n    ],\n)\n\nf(name = \"a\")\n"},
		{"type", `{"type": "bzl"}`, nil, []string{"module-docstring"}, "f(name = \"a\", deps = [\"b\", \"a\"])\nf(name = \"a\")\n"},
		{"option before type", `{"type": "bzl"}`, config.Values{"type": "build"}, []string{"duplicated-name"}, "-"},
		{"warnings", `{"warnings": "load,print"}`, nil, nil, "-"},
		{"fewer warnings", `{"warningsList": ["-duplicated-name"]}`, nil, nil, "-"},
		{"default warnings", `{"warnings": "default"}`, nil, []string{"duplicated-name"}, "-"},
		{"rewrites", `{"buildifier_disable": ["listsort"]}`, nil, []string{"duplicated-name"}, "f(\n    name = \"a\",\n    deps = [\n        \"b\",\n        \"a\",\n    ],\n)\n\nf(name = \"a\")\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, w := worker0(t, tc.options)
			src := engine.Source{Path: "BUILD", Text: []byte(text)}
			if tc.file != "" {
				src.Inputs = []engine.Input{{Path: nativeName, Text: []byte(tc.file)}}
			}
			diags, err := w.Lint(t.Context(), src)
			if err != nil {
				t.Fatal(err)
			}
			var codes []string
			for _, d := range diags {
				codes = append(codes, d.Code)
			}
			if !slices.Equal(codes, tc.codes) {
				t.Errorf("codes %q, want %q", codes, tc.codes)
			}
			out, err := w.Format(t.Context(), src)
			if err != nil {
				t.Fatal(err)
			}
			if tc.formatted != "-" && string(out) != tc.formatted {
				t.Errorf("formatted %q, want %q", out, tc.formatted)
			}
		})
	}
	_, w := worker0(t, nil)
	src := engine.Source{Path: "BUILD", Text: []byte(text), Inputs: []engine.Input{{Path: nativeName, Text: []byte(`{"tables": "t.json"}`)}}}
	if _, err := w.Format(t.Context(), src); err == nil || !strings.Contains(err.Error(), "names tables") {
		t.Errorf("with tables: %v", err)
	}
	src.Inputs[0].Text = []byte(`{"type": "x"}`)
	if _, err := w.Lint(t.Context(), src); err == nil || !strings.Contains(err.Error(), `type "x" is none`) {
		t.Errorf("with an odd type: %v", err)
	}
}

// TestRewrites: named one by one they are all of the command.
func TestRewrites(t *testing.T) {
	t.Parallel()
	const text = "g((a), [ ])\nload(\":b\", \"z\", \"b\")\nf(srcs = [\"b\", \"a\"] +\n[\"c\"], name = \"//x:x\", n = 0644, x = 1., deps = [\"//x:x\"])\nload(\":b\", \"c\")\n"
	for _, path := range []string{"BUILD", "a.bzl", "WORKSPACE", "MODULE.bazel", "x.sky"} {
		want := formatted(t, path, text)
		_, w := worker0(t, config.Values{"disable_rewrites": []string{"none"}})
		got, err := w.Format(t.Context(), engine.Source{Path: path, Text: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
