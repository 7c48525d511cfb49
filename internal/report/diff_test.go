package report

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnified(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, path, before, after, want string }{
		{"equal", "f", "a\n", "a\n", ""},
		{"one line", "f", "a\nb\nc\n", "a\nB\nc\n", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"no final newline", "f", "a", "a\n", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"still none", "f", "a\nb", "x\nb", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n"},
		{"CRLF", "f", "a\r\nb\r\n", "a\r\nc\r\n", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
		{"from empty", "f", "", "a\n", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n"},
		{"to empty", "f", "a\n", "", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a\n"},
		{
			"two hunks", "d/f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\ny\n",
			"diff --git a/d/f b/d/f\n--- a/d/f\n+++ b/d/f\n@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+y\n",
		},
		{"blank in the name", "a b", "1\n", "2\n", "diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@\n-1\n+2\n"},
		{"odd name", "é\"\n", "1\n", "2\n", "diff --git \"a/\\303\\251\\\"\\n\" \"b/\\303\\251\\\"\\n\"\n--- \"a/\\303\\251\\\"\\n\"\n+++ \"b/\\303\\251\\\"\\n\"\n@@ -1 +1 @@\n-1\n+2\n"},
	} {
		if diff := cmp.Diff(tc.want, string(Unified(tc.path, []byte(tc.before), []byte(tc.after)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// git runs git in dir with a private environment.
func git(t *testing.T, dir string, stdin []byte, args ...string) ([]byte, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "HOME="+dir, "LC_ALL=C")
	cmd.Stdin = bytes.NewReader(stdin)
	return cmd.CombinedOutput()
}

// edited returns a text and a random revision of it, with the line ends, missing
// final newlines, repeated and blank lines that make patches go wrong.
func edited(r *rand.Rand) (before, after []byte) {
	eol := []string{"\n", "\n", "\r\n"}[r.IntN(3)]
	line := func() string {
		switch r.IntN(6) {
		case 0:
			return eol
		case 1:
			return []string{"-", "+", " ", "\\ No newline at end of file", "@@ -1 +1 @@", "--- a/x"}[r.IntN(6)] + eol
		case 2:
			return "}" + []string{"\n", "\r\n", "\r\r\n"}[r.IntN(3)]
		default:
			return strings.Repeat("\t", r.IntN(3)) + "line " + strconv.Itoa(r.IntN(12)) + eol
		}
	}
	var a, b []string
	for range r.IntN(60) {
		a = append(a, line())
	}
	b = slices.Clone(a)
	for range r.IntN(6) {
		i := r.IntN(len(b) + 1)
		switch n := min(r.IntN(4), len(b)-i); r.IntN(3) {
		case 0:
			b = slices.Delete(b, i, i+n)
		case 1:
			b = slices.Insert(b, i, line(), line())
		default:
			for j := range n {
				b[i+j] = line()
			}
		}
	}
	end := func(lines []string) []byte {
		text := strings.Join(lines, "")
		if r.IntN(3) == 0 {
			text = strings.TrimRight(text, "\r\n")
		}
		return []byte(text)
	}
	return end(a), end(b)
}

// What git apply makes of our patches is what the formatter would have written.
func TestUnifiedApplies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if out, err := git(t, dir, nil, "init", "-q"); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	names := []string{
		"plain.txt", "with blank", " lead", "trail ", "two  blanks x", "é", "日本.txt", "q\"uote", "back\\slash", "tab\tname", "new\nline",
		"a b", "b/a", "x'y", "-dash", "bad\xff\xfename", "bell\a", "d i r/f", "\x7f", "esc\x1b[31m", "a/b/c", "..dots", "{}[]*?", "end\r",
	}
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 16 {
		var patch []byte
		want := map[string][]byte{}
		for i, name := range names {
			name = filepath.Join(fmt.Sprintf("r%d", round), strconv.Itoa(i)+"-"+name)
			if i%2 == 0 {
				name = filepath.Join(fmt.Sprintf("r%d", round), "s"+strconv.Itoa(i), names[i])
			}
			before, after := edited(r)
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, before, 0o644); err != nil {
				t.Fatal(err)
			}
			patch = append(patch, Unified(name, before, after)...)
			want[path] = after
		}
		if out, err := git(t, dir, patch, "apply", "--whitespace=nowarn", "-"); err != nil {
			t.Fatalf("round %d: git apply: %v\n%s\n%.3000s", round, err, out, patch)
		}
		for path, after := range want {
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, after) {
				t.Errorf("%q: git apply wrote %q, want %q", path, got, after)
			}
		}
	}
}

// apply is an independent reader of a list of changes.
func apply(a, b []string, changes []change) []string {
	var out []string
	at := 0
	for _, c := range changes {
		out = append(append(out, a[at:c.a0]...), b[c.b0:c.b1]...)
		at = c.a1
	}
	return append(out, a[at:]...)
}

// distance is the length of a shortest edit script, by the quadratic table.
func distance(a, b []string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		last := row[0]
		row[0] = i + 1
		for j := range b {
			best := min(row[j], row[j+1]) + 1
			if a[i] == b[j] {
				best = last
			}
			last, row[j+1] = row[j+1], best
		}
	}
	return row[len(b)]
}

// Scripts are right and shortest.
func TestDiffLines(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	for range 20000 {
		a, b := letters(r, 14), letters(r, 14)
		changes := diffLines(a, b)
		if diff := cmp.Diff(b, apply(a, b, changes), cmp.Transformer("nil", func(s []string) string { return strings.Join(s, "") })); diff != "" {
			t.Fatalf("diffLines(%q, %q) = %v does not lead to the second:\n%s", a, b, changes, diff)
		}
		cost := 0
		for _, c := range changes {
			cost += c.a1 - c.a0 + c.b1 - c.b0
		}
		if want := distance(a, b); cost != want {
			t.Fatalf("diffLines(%q, %q) = %v costs %d, want %d", a, b, changes, cost, want)
		}
	}
}

func letters(r *rand.Rand, n int) []string {
	s := make([]string, r.IntN(n))
	for i := range s {
		s[i] = string(rune('a' + r.IntN(1+r.IntN(4))))
	}
	return s
}

// Texts that differ everywhere take the way around the quadratic search.
func TestDiffLinesLarge(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	var a, b []string
	for range 6000 {
		a = append(a, strconv.Itoa(r.IntN(4000)))
		b = append(b, strconv.Itoa(r.IntN(4000)))
	}
	for _, tc := range []struct {
		name string
		a, b []string
	}{{"shuffled", a, b}, {"nothing common", a, slices.Repeat([]string{"x", "y"}, 4000)}, {"grown", a[:100], b}, {"shrunk", a, b[:50]}} {
		if got := apply(tc.a, tc.b, diffLines(tc.a, tc.b)); !slices.Equal(got, tc.b) {
			t.Errorf("%s: the changes do not lead to the second text", tc.name)
		}
	}
}

func BenchmarkUnified(b *testing.B) {
	var before, after bytes.Buffer
	for i := range 50000 {
		fmt.Fprintf(&before, "    line %d\n", i%5000)
		fmt.Fprintf(&after, "\tline %d\n", i%5000)
	}
	b.Run("reindented", func(b *testing.B) {
		for b.Loop() {
			Unified("f", before.Bytes(), after.Bytes())
		}
	})
	one := bytes.Replace(before.Bytes(), []byte("line 2500\n"), []byte("line x\n"), 1)
	b.Run("one line", func(b *testing.B) {
		for b.Loop() {
			Unified("f", before.Bytes(), one)
		}
	})
}
