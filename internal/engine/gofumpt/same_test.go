package gofumpt

import (
	"strings"
	"testing"

	"poly/internal/engine"
)

// TestSame: what a formatter may rewrite is the same, what changes the program
// or loses a comment is not.
func TestSame(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, before, after string
		same                bool
	}{
		{"layout", "var  x=1", "var x = 1\n\n\n", true},
		{"octal", "var x = 0644", "var x = 0o644", true},
		{"number case", "var x = 0XFF + 1E3", "var x = 0xFF + 1e3", true},
		{"grouped var", "var (\n\tx = 1\n)", "var x = 1", true},
		{"joined vars", "var a int\nvar b int", "var (\n\ta int\n\tb int\n)", true},
		{"short declaration", "func f() { var x = g(); _ = x }", "func f() { x := g(); _ = x }", true},
		{"elided elements", "var x = []T{T{1}, T{2}}", "var x = []T{{1}, {2}}", true},
		{"elided pointers", "var x = map[K]*T{K{1}: &T{2}}", "var x = map[K]*T{{1}: {2}}", true},
		{"nested elision", "var x = [][]T{[]T{T{1}}}", "var x = [][]T{{{1}}}", true},
		{"range blanks", "func f() { for _ = range x {} ; for i, _ := range x { _ = i } }", "func f() { for range x {} ; for i := range x { _ = i } }", true},
		{"slice end", "var x = s[1:len(s)]", "var x = s[1:]", true},
		{"grouped parameters", "func f(a int, b int) {}", "func f(a, b int) {}", true},
		{"clothed return", "func f() (n int, err error) { return }", "func f() (n int, err error) { return n, err }", true},
		{"comment blank", "//x\nvar y int", "// x\nvar y int", true},
		{"useless parentheses", "var x = (f)(1)", "var x = f(1)", true},
		{"sorted imports", "import (\n\"b\"\n\"a\"\n)", "import (\n\"a\"\n\n\"b\"\n)", true},
		{"constants", "const A = 1\nconst B = 2", "const (\n\tA = 1\n\tB = 2\n)", true},
		{"nolint blank", "//nolint\nfunc f() {}", "// nolint\nfunc f() {}", true},

		{"iota by joining", "const A = iota\nconst B = iota", "const (\n\tA = iota\n\tB = iota\n)", false},
		{"implicit constant", "const (\n\tA = iota\n\tB\n)", "const (\n\tA = iota\n\tB = 0\n)", false},
		{"value", "var x = 0644", "var x = 644", false},
		{"string", "var x = \"a\"", "var x = \"a \"", false},
		{"raw string", "var x = `a\n\tb`", "var x = `a\n    b`", false},
		{"operator", "var x = a - b", "var x = a + b", false},
		{"precedence", "var x = (a + b) * c", "var x = a + b*c", false},
		{"lost statement", "func f() { g(); h() }", "func f() { g() }", false},
		{"order", "func f() { g(); h() }", "func f() { h(); g() }", false},
		{"assignment", "func f() { x := 1 }", "func f() { x = 1 }", false},
		{"variadic", "func f() { g(x...) }", "func f() { g(x) }", false},
		{"alias", "type A = B", "type A B", false},
		{"channel", "var c <-chan int", "var c chan<- int", false},
		{"label", "func f() { L: for { break L } }", "func f() { L: for { break } }", false},
		{"other element type", "var x = []any{T{1}}", "var x = []any{{1}}", false},
		{"pointer element", "var x = []*T{&T{1}}", "var x = []T{{1}}", false},
		{"other slice", "var x = s[1:len(t)]", "var x = s[1:]", false},
		{"other return", "func f() (n int, err error) { return }", "func f() (n int, err error) { return err, n }", false},
		{"tag", "type T struct { A int `json:\"a\"` }", "type T struct { A int }", false},
		{"lost import", "import (\n\"a\"\n\"b\"\n)", "import \"a\"", false},
		{"import name", "import x \"a\"", "import \"a\"", false},
		{"cgo preamble", "// int x;\nimport \"C\"", "// int y;\nimport \"C\"", false},
		{"lost comment", "var x int // why", "var x int", false},
		{"changed comment", "// one two\nvar x int", "// one\nvar x int", false},
		{"moved directive", "//go:embed a\nvar a string\n\nvar b string", "var b string\n\n//go:embed a\nvar a string", false},
		{"directive of another", "//go:embed a\nvar a string\n\nvar b string", "var a string\n\n//go:embed a\nvar b string", false},
		{"no directive", "//go:noinline\nfunc f() {}", "// go:noinline\nfunc f() {}", false},
		{"type parameter", "func f[T any]() {}", "func f() {}", false},
		{"defer", "func f() { defer g() }", "func f() { go g() }", false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			before, after := []byte("package p\n\n"+tc.before+"\n"), []byte("package p\n\n"+tc.after+"\n")
			for _, pair := range [][2][]byte{{before, after}, {after, before}} {
				if err := same(pair[0], pair[1]); (err == nil) != tc.same {
					t.Errorf("same(%q, %q) = %v", pair[0], pair[1], err)
				}
			}
		})
	}
}

// TestGuardRefuses: gofumpt joins two constants that count from zero each, so
// that the second becomes one. The guard refuses what it wrote.
func TestGuardRefuses(t *testing.T) {
	t.Parallel()
	before := []byte("package p\n\nconst A = iota\nconst B = iota\n")
	b, err := Engine.Bind(t.Context(), engine.Env{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := b.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	after, err := w.Format(t.Context(), engine.Source{Path: "a.go", Text: before})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Same(before, after); err == nil {
		t.Errorf("the guard accepts\n%s", after)
	}
}

// TestSameConstraint: both syntaxes of a build constraint are compared as one.
func TestSameConstraint(t *testing.T) {
	t.Parallel()
	plus := "// +build linux darwin\n// +build !arm\n\npackage p\n"
	both := "//go:build (linux || darwin) && !arm\n" + plus
	other := strings.Replace(both, "!arm\n//", "arm\n//", 1)
	if err := same([]byte(plus), []byte(both)); err != nil {
		t.Error(err)
	}
	if err := same([]byte(both), []byte(other)); err == nil {
		t.Error("another constraint counts as the same")
	}
	if err := same([]byte(plus), []byte("package p\n")); err == nil {
		t.Error("no constraint counts as the same")
	}
}

// TestModule reads what go.mod says.
func TestModule(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       module
	}{
		{"plain", "module example.com/m\n\ngo 1.24\n", module{"go1.24", "example.com/m"}},
		{"patch and comment", "module m // here\ngo 1.26.8 // now\ntoolchain go1.27.0\n", module{"go1.26.8", "m"}},
		{"quoted", "module \"a/b\"\n", module{"go1.16", "a/b"}},
		{"blocks", "module (\n\tx/y\n)\n\nrequire (\n\tgo 1.2.3\n)\n\ngo 1.20\n", module{"go1.20", "x/y"}},
		{"no version", "module m\n", module{"go1.16", "m"}},
		{"odd version", "module m\ngo latest\n", module{"go1.16", "m"}},
		{"CRLF", "module m\r\n\r\ngo 1.21\r\n", module{"go1.21", "m"}},
		{"empty", "", module{"go1.16", ""}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := moduleOf([]engine.Input{{Path: "a/go.mod", Text: []byte(tc.text)}, {Path: "go.mod", Text: []byte("module outer\ngo 1.1\n")}})
			if got != tc.want {
				t.Errorf("moduleOf(%q) = %+v, want %+v", tc.text, got, tc.want)
			}
		})
	}
	if got := moduleOf(nil); got != (module{}) {
		t.Errorf("moduleOf(nil) = %+v, want none", got)
	}
}

// TestPathClass: two classes, whatever the path.
func TestPathClass(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]string{
		"a.go": "", "a/b.go": "", "testdata.go": "", "a/mytestdata/b.go": "",
		"testdata/a.go": "testdata", "a/testdata/b/c.go": "testdata", "vendor/a/b.go": "testdata",
	} {
		if got := pathClass(p); got != want {
			t.Errorf("pathClass(%q) = %q, want %q", p, got, want)
		}
	}
}
