package editorconfig

import (
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	library "github.com/editorconfig/editorconfig-core-go/v2"
)

// TestMatch compares the matcher with the library of the EditorConfig project
// on random patterns and paths.
func TestMatch(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"*", "**", "a", "b", ".go", "/", "?", "[ab]", "[!a]", "{a,b}", "{a,{b,c}}", "*.{go,js}", "{1..3}", "Makefile", "*.go", "**/", "{a}", ".", "-", "1"}
	paths := []string{"a", "b", "a.go", "b.js", "x/a.go", "x/y/b", "Makefile", "x/Makefile", "1", "a/b/1", "a-b", ".go", "ab", "a/a", "{a}", "c", "2", "x/.a.js", "a.b.go"}
	compared := 0
	for range 20_000 {
		pattern := ""
		for range 1 + r.IntN(4) {
			pattern += parts[r.IntN(len(parts))]
		}
		p := paths[r.IntN(len(paths))]
		m := compile(pattern, ".")
		want, err := library.FnmatchCase(anchored(pattern), "/"+p)
		if err != nil || strings.Contains(pattern, "***") {
			continue
		}
		compared++
		if got := m.matches(p); got != want {
			t.Errorf("[%s] matches %q: %v, want %v", pattern, p, got, want)
		}
	}
	if compared < 15_000 {
		t.Errorf("%d patterns compared", compared)
	}
}

// anchored is what the library makes of a section's name for a file at the root.
func anchored(pattern string) string {
	switch {
	case strings.HasPrefix(pattern, "/"):
		return pattern
	case strings.Contains(pattern, "/"):
		return "/" + pattern
	}
	return "**/" + pattern
}

// TestProperties: nearest file first, root, unset, what follows from what, and
// what no section says.
func TestProperties(t *testing.T) {
	t.Parallel()
	r := NewResolver(fstest.MapFS{
		".editorconfig":     {Data: []byte("root = true\n[*]\nindent_style = tab\ntab_width = 8\nmax_line_length = off\ninsert_final_newline = false\n[*.{js,ts}]\nindent_style=space\nindent_size = tab ; comment\n")},
		"a/.editorconfig":   {Data: []byte("\ufeff[*.js]\r\nindent_size = 4\r\nmax_line_length = UNSET\r\nEnd_Of_Line = LF\r\n")},
		"b/.editorconfig":   {Data: []byte("root = true\n[c/*.js]\nindent_style = tab\nindent_size = 3\ntrim_trailing_whitespace = maybe\n[*.md]\ntrim_trailing_whitespace = false\n")},
		"d/.editorconfig/x": {},
		"d/e/.editorconfig": {Data: []byte("[broken\nindent_style = space\n[*]\nnonsense\ncharset: utf-8-bom\n")},
	})
	for file, want := range map[string]Properties{
		"x.go":     {IndentStyle: "tab", IndentSize: 8, TabWidth: 8, MaxLineLength: NoLimit, Final: "false"},
		"x.js":     {IndentStyle: "space", IndentSize: 8, TabWidth: 8, MaxLineLength: NoLimit, Final: "false"},
		"a/d/x.js": {IndentStyle: "space", IndentSize: 4, TabWidth: 8, Final: "false", EndOfLine: "lf"},
		"b/c/x.js": {IndentStyle: "tab", IndentSize: 3, TabWidth: 3},
		"b/x.js":   {},
		"b/x.md":   {Trim: "false"},
		"d/e/x":    {Charset: "utf-8-bom", IndentStyle: "tab", IndentSize: 8, TabWidth: 8, MaxLineLength: NoLimit, Final: "false"},
	} {
		if got, err := r.Properties(file); got != want || err != nil {
			t.Errorf("%s: %+v, %v, want %+v", file, got, err, want)
		}
	}
	near, texts := r.Nearest("a/d")
	_, same := r.Nearest("a")
	if _, above := r.Nearest("."); near != "a" || texts != same || texts == above || !strings.HasSuffix(texts, above) {
		t.Errorf("Nearest(a/d) = %q, %q", near, texts)
	}
	if got, err := NewResolver(nil).Properties("x.go"); got != (Properties{}) || err != nil {
		t.Errorf("no tree: %+v, %v", got, err)
	}
}

// unreadable is a tree of which one file cannot be read.
type unreadable struct{ fstest.MapFS }

func (u unreadable) ReadFile(name string) ([]byte, error) {
	if name == FileName {
		return nil, fs.ErrPermission
	}
	return u.MapFS.ReadFile(name)
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	r := NewResolver(unreadable{fstest.MapFS{FileName: {}, "a/" + FileName: {Data: []byte("[*]\nindent_size = 2\n")}}})
	if got, err := r.Properties("a/x"); got.IndentSize != 2 || err == nil {
		t.Errorf("%+v, %v, want a size and an error", got, err)
	}
}
