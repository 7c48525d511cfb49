package editorconfig

import (
	"fmt"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"poly/internal/lang"
)

// TestProperties: nearest file first, root, unset, and what no section says.
func TestProperties(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{
		".editorconfig":       {Data: []byte("root = true\n[*]\nindent_style = tab\ncharset = utf-8\nmax_line_length = off\n[*.{js,ts}]\nindent_style=space ; comment\nindent_size = 2\n[/docs/**.md]\ntrim_trailing_whitespace = true\n")},
		"a/.editorconfig":     {Data: []byte("\ufeff[*.js]\r\nindent_size = 4\r\nCharset = UNSET\r\n")},
		"b/.editorconfig":     {Data: []byte("root = true\n[c/*.js]\ninsert_final_newline = true\nend_of_line = CRLF\n")},
		"docs/.editorconfig":  {Data: []byte("[broken\nindent_style = tab\n[*.md]\nmax_line_length = 80\nnonsense\nindent_style: space\n")},
		".ecrc":               {Data: []byte(`{"Exclude": ["^gen/"], "Disable": {"MaxLineLength": true}}`)},
		"x/y/z/.editorconfig": {Data: []byte("# nothing\n")},
	}
	r := newResolver(tree)
	for file, want := range map[string]properties{
		"x.go":                {charset: "utf-8", style: "tab"},
		"x/y/z/q.go":          {charset: "utf-8", style: "tab"},
		"x.js":                {charset: "utf-8", style: "space", size: 2},
		"a/d/x.js":            {style: "space", size: 4},
		"b/c/x.js":            {final: true, end: "crlf"},
		"b/x.js":              {},
		"docs/x.md":           {charset: "utf-8", style: "space", trim: true},
		"docs/d/x.md":         {charset: "utf-8", style: "space", trim: true},
		"gen/x.go":            {},
		"x/package-lock.json": {},
	} {
		if got := r.properties(file); got != want {
			t.Errorf("%s: %+v, want %+v", file, got, want)
		}
	}
	if got := newResolver(fstest.MapFS{"a.go": {}}).properties("a.go").class(); got != "" {
		t.Errorf("class without a file: %q", got)
	}
}

// TestTracker: which lines start inside of something, and which end there.
func TestTracker(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ lang, text, want string }{
		{"go", "a := `x\n\ty\nz`\nb", ".e se s. .."},
		{"javascript", "/* a\n b */ c\n'`' // `\nd", ".. s. .. .."},
		{"python", "x = \"\"\"a\n b\n\"\"\" + '\"\"\"'\ny # \"\"\"\nz", ".e se s. .. .."},
		{"shell", "cat <<-EOF | x\n\ta 'b\n\tEOF\necho 'a\nb' # '\nc", ".. se s. .e s. .."},
		{"shell", "x=$((1 << 2))\ny=${a#\"b\"}\nz", ".. .. .."},
		{"yaml", "a: |\n  b\n\n  c\nd: >- # x\n  e\nf: x", "..,se,se,se,..,se,.."},
		{"markdown", "a\n```go\n\tb\n```\nc", ".. .. se s. .."},
		{"ruby", "x = <<~SQL\n  a\nSQL\ny", ".. se s. .."},
		{"lua", "x = [[a\n b]]\ny", ".e s. .."},
		{"zig", "'\\'' \"/*\"\na", ".. .."},
	} {
		tr := newTracker(lang.ID(tc.lang))
		var got []string
		for line := range strings.SplitSeq(tc.text, "\n") {
			starts, ends := tr.next(line)
			s := []byte("..")
			if starts {
				s[0] = 's'
			}
			if ends {
				s[1] = 'e'
			}
			got = append(got, string(s))
		}
		if g := strings.Join(got, " "); g != strings.ReplaceAll(tc.want, ",", " ") {
			t.Errorf("%s %q: %s, want %s", tc.lang, tc.text, g, tc.want)
		}
	}
}

func BenchmarkPathClass(b *testing.B) {
	tree := fstest.MapFS{".editorconfig": {Data: []byte("root = true\n[*]\nindent_style = tab\n[*.{js,ts}]\nindent_size = 2\n[lib/**.js]\nindent_size = 4\n[Makefile]\nindent_style = tab\n")}}
	r := newResolver(tree)
	i := 0
	for b.Loop() {
		i++
		_ = r.properties(path.Join("a/b", fmt.Sprint(i%100), "x.js")).class()
	}
}
