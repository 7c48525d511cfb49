package imports

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/imports"

	"poly/internal/engine"
)

// judge compares format with goimports -format-only and returns how they
// differ, "" if they do not.
func judge(t *testing.T, text []byte) string {
	t.Helper()
	want, werr := imports.Process("", bytes.Clone(text), &imports.Options{FormatOnly: true, Comments: true, TabIndent: true, TabWidth: 8})
	got, gerr := formatter{}.format(t.Context(), engine.Source{Text: text})
	switch {
	case (werr == nil) != (gerr == nil):
		return fmt.Sprintf("error %v, want %v", gerr, werr)
	case werr == nil && !bytes.Equal(got, want):
		return fmt.Sprintf("\n%s\nwant\n%s\nof\n%s", got, want, text)
	}
	return ""
}

// tops returns the Go files of the standard library up to the end of their
// imports, with a little code behind, so that it does not take long.
func tops(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	goroot, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(goroot)), "src")
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if end := importsEnd(text); end > 0 {
			var rel string
			rel, err = filepath.Rel(root, name)
			out[filepath.ToSlash(rel)] = append(bytes.Clone(text[:end]), "\nfunc f() {\n}\n"...)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 1000 {
		t.Fatalf("%d files with imports in %s", len(out), root)
	}
	return out
}

// importsEnd is the end of the last line of imports; 0 if there are none.
func importsEnd(text []byte) int {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if err != nil || len(file.Imports) == 0 {
		return 0
	}
	end := int(file.Decls[len(file.Decls)-1].End() - file.FileStart)
	if i := bytes.IndexByte(text[end:], '\n'); i >= 0 {
		end += i + 1
	}
	return end
}

// loses reports whether goimports may lose track of comments in text: it does
// where it joins declarations.
func loses(text []byte) bool {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ImportsOnly|parser.ParseComments)
	if err != nil || len(file.Decls) < 2 {
		return false
	}
	start, end := file.Decls[0].Pos(), file.Decls[len(file.Decls)-1].End()
	return slices.ContainsFunc(file.Comments, func(g *ast.CommentGroup) bool { return g.Pos() > start && g.Pos() <= end+1 })
}

// TestStandardLibrary: files of the standard library come out as goimports
// writes them, but for some that test the compiler with comments.
func TestStandardLibrary(t *testing.T) {
	t.Parallel()
	files := tops(t)
	lost := 0
	for name, text := range files {
		switch diff := judge(t, text); {
		case diff == "":
		case loses(text):
			lost++
		default:
			t.Errorf("%s: %s", name, diff)
		}
	}
	if lost > len(files)/500 {
		t.Errorf("%d of %d files differ", lost, len(files))
	}
}

// TestShuffled: so do blocks in which nothing is where it was. Where goimports
// joins declarations it goes by places that what it moved has no longer, so
// those have neither names nor empty lines here.
func TestShuffled(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	paths := []string{
		"fmt", "os", "strings", "net/http", "a.b/c", "a.b/c/v2", "example.org/x", "x", "local/y", "appengine", "appengine/z", "golang.org/x/sys", "io", "embed", "Upper", "a-b", "é",
	}
	names := []string{"", "", "", "_ ", ". ", "fmt ", "c ", "z "}
	for range 20000 {
		comments := r.IntN(3) == 0
		declarations := 1
		if !comments {
			declarations += r.IntN(3)
		}
		text := "package p\n\n"
		// goimports takes one for the other if a path stands in several runs.
		r.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
		left := paths
		for range declarations {
			text += declaration(r, &left, names, comments, declarations == 1) + strings.Repeat("\n", r.IntN(3))
		}
		text += "func f() {\n}\n"
		if diff := judge(t, []byte(text)); diff != "" {
			t.Fatal(diff)
		}
	}
}

func declaration(r *rand.Rand, paths *[]string, names []string, comments, alone bool) string {
	one := func() string {
		path := (*paths)[0]
		*paths = (*paths)[1:]
		name := ""
		if alone {
			name = names[r.IntN(len(names))]
		}
		return name + `"` + path + `"`
	}
	if r.IntN(4) == 0 {
		return "import " + one() + "\n"
	}
	text := "import (\n"
	for range 1 + r.IntN(5) {
		line := "\t" + one()
		if alone && r.IntN(8) == 0 {
			text += line + "\n"
		}
		text += line
		if comments && r.IntN(5) == 0 {
			text += " // beside"
		}
		text += "\n"
		if alone {
			text += strings.Repeat("\n", max(r.IntN(5)-2, 0))
		}
	}
	return text + ")\n"
}
