package text

import (
	"bytes"
	"slices"
	"testing"

	"poly/internal/engine"
	"poly/internal/lang"
)

// TestSame: line ends and blanks before them are layout, everything else counts.
func TestSame(t *testing.T) {
	t.Parallel()
	tests := []struct {
		before, after string
		same          bool
	}{
		{"a  \nb", "a\nb\n", true},
		{"a\r\nb\n", "a\nb\n", true},
		{"a\n", "a\r\n", true},
		{"  ", "", true},
		{"a\nb\n", "a\n", false},
		{"a\n", "a\n\n", false},
		{" a\n", "a\n", false},
		{"a  b\n", "a b\n", false},
		{"a\rb\n", "a\nb\n", false},
		{"a\f\n", "a\n", false},
	}
	for _, tc := range tests {
		if err := same([]byte(tc.before), []byte(tc.after)); (err == nil) != tc.same {
			t.Errorf("same(%q, %q) = %v", tc.before, tc.after, err)
		}
	}
}

// TestFormats: the table of languages names this engine, also for makefiles.
func TestFormats(t *testing.T) {
	t.Parallel()
	for _, l := range []lang.ID{lang.Text, lang.Make, "ini", "dotenv", "gitignore"} {
		if !slices.Contains(Formats(), l) {
			t.Errorf("%s is not among Formats", l)
		}
	}
	for _, l := range []lang.ID{lang.Go, lang.Markdown, lang.YAML, "diff", "properties", ""} {
		if slices.Contains(Formats(), l) {
			t.Errorf("%s is among Formats", l)
		}
	}
}

// TestPatch tells patches from texts that quote them.
func TestPatch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want bool
	}{
		{"diff --git a/x b/x\n", true},
		{"From: me\n\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n", true},
		{"Index: x\n====\n--- x\n+++ x\n@@ -1,2 +1,2 @@\n", true},
		{"--- a\nplain text\n", false},
		{"+++ only\n", false},
		{" diff --git is a command\n", false},
		{"", false},
	}
	for _, tc := range tests {
		if got := isPatch(lang.Text, []byte(tc.text)); got != tc.want {
			t.Errorf("isPatch(%q) = %v", tc.text, got)
		}
	}
	if !isPatch("diff", nil) {
		t.Error("a file of the language diff is no patch")
	}
}

// FuzzFormat: formatting is idempotent, accepted by the guard and keeps to one
// line ending.
func FuzzFormat(f *testing.F) {
	f.Add("a \nb\t\r\n", uint8(0))
	f.Add("A := x  \nall:  \n\techo  \n", uint8(1))
	f.Add("A=\"x  \n\"\n", uint8(2))
	langs := []lang.ID{lang.Text, lang.Make, "dotenv", "gitignore"}
	f.Fuzz(func(t *testing.T, text string, l uint8) {
		w := worker{globals: engine.Globals{FinalNewline: true, TrimTrailingWhitespace: true}}
		src := engine.Source{Lang: langs[int(l)%len(langs)], Text: []byte(text)}
		once, err := w.format(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		if string(src.Text) != text {
			t.Fatal("the source was modified")
		}
		if err := same(src.Text, once); err != nil {
			t.Fatal(err)
		}
		src.Text = once
		twice, err := w.format(t.Context(), src)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%q becomes %q, then %q (%v)", text, once, twice, err)
		}
		if n := countEndings(once); n.cr == 0 && n.lf > 0 && n.crlf > 0 && !isPatch(src.Lang, once) && !isBinary(once) {
			t.Fatalf("%q has mixed endings", once)
		}
	})
}

func BenchmarkLint(b *testing.B) {
	text := bytes.Repeat([]byte("func (w *worker) handleRequest(ctx context.Context) error {\n"), 5000)
	w := worker{endings: true}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_, _ = w.lint(b.Context(), engine.Source{Path: "a.go", Lang: lang.Go, Text: text})
	}
}
