package gofumpt

import (
	"bytes"
	"errors"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"poly/internal/engine"
)

// standard returns every nth file of the standard library.
func standard(t *testing.T, nth int) map[string][]byte {
	t.Helper()
	goroot, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	out, n := map[string][]byte{}, 0
	err = filepath.WalkDir(filepath.Join(strings.TrimSpace(string(goroot)), "src"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		if n++; n%nth != 0 {
			return nil
		}
		out[name], err = os.ReadFile(name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// laidOut writes a file in another layout; nil if it does not parse.
func laidOut(text []byte) []byte {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var b bytes.Buffer
	if (&printer.Config{Mode: printer.UseSpaces, Tabwidth: 3}).Fprint(&b, fset, file) != nil {
		return nil
	}
	return b.Bytes()
}

// TestParts: a file that is formatted in two parts comes out as one that is
// formatted as a whole, which is printed twice, and what counts as steady stays
// as it is.
func TestParts(t *testing.T) {
	t.Parallel()
	var steady, files int
	var p pair
	for name, original := range standard(t, 40) {
		text := laidOut(original)
		if text == nil {
			continue
		}
		files++
		got, err := formatter{}.source(text, module{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, err := formatter{}.whole(text, module{})
		if err == nil && !bytes.Equal(got, want) {
			twice, _ := formatter{}.whole(got, module{})
			if !bytes.Equal(twice, want) {
				err = errors.New("other bytes")
			}
		}
		if err != nil {
			t.Errorf("%s: not as formatted in one piece: %v", name, err)
		}
		if !p.scan(text, got).steady {
			continue
		}
		steady++
		if again, err := (formatter{}).whole(got, module{}); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s: steady, and yet it changes once more (%v)", name, err)
		}
	}
	if files < 100 || steady < files/4 {
		t.Errorf("%d of %d files are steady", steady, files)
	}
}

// TestSeam: what stands at the end of the imports and what the printer moves
// comes out as in one piece.
func TestSeam(t *testing.T) {
	t.Parallel()
	const imports = "package q\n\nimport (\n\t\"fmt\"\n\t\"a.b/c\"\n)"
	for _, rest := range []string{
		"", "\n", "\nfunc f() {}\n", "\n\n\n\nfunc f() {}\n", " // beside\nfunc f() {}\n", "\n// below\nfunc f() {}\n", "\n// below\n\nfunc f() {}\n",
		"\n\n// apart\n\n\nvar x = 1\nvar y = 2\n", "\n\n//go:build linux\n\nvar x = 1\n", "\n\n// +build linux\n\nvar x = 1\n", "; var x = 1\n",
		"\n/* a */ var x = 1\n", "\n\n/* a\n   b */\nvar x = 1\n", "\nimport \"C\"\n\nvar x = 1\n", "\n\nvar x = 1\nimport \"d\"\n", "\n\n//line a.go:1\nvar x = 1\n",
		"\n\n  // in\n  var x = 1\n", "\nimport \"x\"\nvar x = 1\n", "\nimport \"x\"\n//go:embed y\nvar x string\n", "\n}\n",
	} {
		text := []byte(imports + rest)
		got, err := formatter{}.source(text, module{})
		want, werr := formatter{}.whole(text, module{})
		if (err == nil) != (werr == nil) || err != nil && err.Error() != werr.Error() || !bytes.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q, %v", rest, got, err, want, werr)
		}
	}
}

// TestAlike: what is steady is so for the printer and the rules.
func TestAlike(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, before, after string
		want                likeness
	}{
		{"indentation", "func f() {\n  g( 1 )\n}", "func f() {\n\tg(1)\n}", likeness{true, true}},
		{"line", "func f() {\n\n  g()\n}", "func f() {\n\tg()\n}", likeness{true, false}},
		{"semicolons", "func f() { g(); h() }", "func f() {\n\tg()\n\th()\n}", likeness{true, false}},
		{"dropped semicolon", "type t struct{ a int; }", "type t struct{ a int }", likeness{true, false}},
		{"comment in the column of the next token", "func f() {\n  // c\n  g()\n}", "func f() {\n\t\t// c\n\tg()\n}", likeness{true, false}},
		{"block comment in the first column", "func f() {\n/* c */\n  g()\n}", "func f() {\n\t/* c */\n\tg()\n}", likeness{true, false}},
		{"bytes of a function", "func f() { g( ) }", "func f() { g() }", likeness{true, false}},
		{"number", "var x = 0X1", "var x = 0x1", likeness{true, false}},
		{"other number", "var x = 0x1", "var x = 0x2", likeness{}},
		{"word", "var x = a", "var x = b", likeness{}},
		{"token lost", "var x = (a)", "var x = a", likeness{}},
		{"comment moved", "f() // c\ng()", "f()\ng() // c", likeness{}},
		{"comment", "// a", "// b", likeness{}},
		{"directive comes near", "//go:noinline\n\nfunc f()", "//go:noinline\nfunc f()", likeness{}},
		{"directive to the first column", " //go:noinline\nfunc f()", "//go:noinline\nfunc f()", likeness{}},
		{"C comes near", "/* c */\n\nimport \"C\"", "/* c */\nimport \"C\"", likeness{}},
		{"no Go", "var x = #", "var x  = #", likeness{}},
	} {
		var p pair
		if got := p.scan([]byte(tc.before), []byte(tc.after)); got != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
	}
}

// TestWorkerGuard: the guard of a worker that has just formatted sees what the
// one without a memory sees.
func TestWorkerGuard(t *testing.T) {
	t.Parallel()
	w := &worker{}
	for _, text := range []string{"package p\n\nvar  x=1\n", "package p\n\nfunc f() { var x = 0644; _ = x }\n", "package p\r\n\r\nvar  x = 1\r\n"} {
		out, err := w.Format(t.Context(), engine.Source{Path: "a.go", Text: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Same([]byte(text), out); err != nil {
			t.Errorf("Same(%q, %q) = %v", text, out, err)
		}
		for _, bad := range []string{string(out) + "var z int\n", "", strings.Replace(string(out), "x", "y", 1)} {
			if w.Same([]byte(text), []byte(bad)) == nil {
				t.Errorf("Same(%q, %q) = nil", text, bad)
			}
		}
	}
}

// TestSameGenerated: a comment that marks generated code stays one.
func TestSameGenerated(t *testing.T) {
	t.Parallel()
	const marked, bare = "// Code generated by x. DO NOT EDIT.\n\npackage p\n", "// Code generated by x. DO NOT EDIT\n\npackage p\n"
	for _, pair := range [][2]string{{marked, bare}, {bare, marked}} {
		if err := same([]byte(pair[0]), []byte(pair[1])); err == nil {
			t.Errorf("same(%q, %q) = nil", pair[0], pair[1])
		}
	}
}
