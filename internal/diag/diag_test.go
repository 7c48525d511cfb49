package diag_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"poly/internal/diag"
)

func TestApply(t *testing.T) {
	t.Parallel()
	ed := func(start, end int, s string) diag.Edit { return diag.Edit{Start: start, End: end, Replacement: s} }
	for _, tc := range []struct {
		name  string
		text  string
		fixes [][]diag.Edit
		want  string
		n     int
	}{
		{"none", "abc", nil, "abc", 0},
		{"replace", "abc", [][]diag.Edit{{ed(1, 2, "X")}}, "aXc", 1},
		{"two parts of one fix", "abcd", [][]diag.Edit{{ed(3, 4, ""), ed(0, 1, "")}}, "bc", 1},
		{"overlap: the first in the file wins", "abcd", [][]diag.Edit{{ed(1, 3, "Y")}, {ed(0, 2, "X")}}, "Xcd", 1},
		{"a fix is all or nothing", "abcdef", [][]diag.Edit{{ed(0, 1, "1")}, {ed(0, 1, "2"), ed(4, 5, "2")}}, "1bcdef", 1},
		{"adjacent", "abcd", [][]diag.Edit{{ed(0, 2, "X")}, {ed(2, 4, "Y")}}, "XY", 2},
		{"two inserts at one point", "ab", [][]diag.Edit{{ed(1, 1, "X")}, {ed(1, 1, "Y")}}, "aXb", 1},
		{"own edits overlap", "abcd", [][]diag.Edit{{ed(0, 2, "X"), ed(1, 3, "Y")}}, "abcd", 0},
		{"outside", "ab", [][]diag.Edit{{ed(1, 3, "X")}}, "ab", 0},
		{"negative", "ab", [][]diag.Edit{{ed(-1, 1, "X")}}, "ab", 0},
		{"cuts a code point", "é", [][]diag.Edit{{ed(1, 2, "X")}}, "é", 0},
		{"nothing is left", "abc", [][]diag.Edit{{ed(0, 3, "")}}, "", 1},
		{"empty", "", [][]diag.Edit{{ed(0, 0, "X")}}, "X", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			in := []byte(tc.text)
			got, n := diag.Apply(in, tc.fixes)
			if string(got) != tc.want || n != tc.n || got == nil {
				t.Errorf("Apply(%q) = %q, %d, want %q, %d", tc.text, got, n, tc.want, tc.n)
			}
			if string(in) != tc.text {
				t.Errorf("Apply modified its input: %q", in)
			}
		})
	}
}

// TestApplyOrder: the result depends on the set of fixes, not on their order.
func TestApplyOrder(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		text := bytes.Repeat([]byte("abcdefgh"), 4)
		var fixes [][]diag.Edit
		for range 1 + r.IntN(8) {
			var f []diag.Edit
			for range 1 + r.IntN(2) {
				a := r.IntN(len(text))
				f = append(f, diag.Edit{Start: a, End: a + r.IntN(len(text)-a+1), Replacement: string(rune('A' + r.IntN(26)))})
			}
			fixes = append(fixes, f)
		}
		want, n := diag.Apply(text, fixes)
		r.Shuffle(len(fixes), func(i, j int) { fixes[i], fixes[j] = fixes[j], fixes[i] })
		got, m := diag.Apply(text, fixes)
		if !bytes.Equal(got, want) || n != m {
			t.Fatalf("order matters: %q (%d) and %q (%d) for %v", want, n, got, m, fixes)
		}
	}
}

func TestPosition(t *testing.T) {
	t.Parallel()
	text := "\xef\xbb\xbfa\r\né🦊b\n"
	l := diag.NewLines([]byte(text))
	for _, tc := range []struct{ offset, line, col int }{
		{0, 1, 1}, {3, 1, 1}, {4, 1, 2}, {5, 1, 3}, {6, 2, 1}, {8, 2, 2}, {12, 2, 3}, {14, 3, 1}, {99, 3, 1}, {-1, 1, 1},
	} {
		line, col := l.Position(tc.offset)
		if line != tc.line || col != tc.col {
			t.Errorf("Position(%d) = %d:%d, want %d:%d", tc.offset, line, col, tc.line, tc.col)
		}
	}
	if got := string(l.Line(1)); got != "\xef\xbb\xbfa" {
		t.Errorf("Line(1) = %q", got)
	}
}

// What was asked for before has no influence on an answer.
func TestPositionInAnyOrder(t *testing.T) {
	t.Parallel()
	text := []byte("\xef\xbb\xbfa\u0301🦊\r\n\n" + strings.Repeat("é🦊x\xff\xe2\x82", 9) + "\nb")
	var got, want [][2]int
	used, rnd := diag.NewLines(text), rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		offset := rnd.IntN(len(text)+3) - 1
		line, col := used.Position(offset)
		got = append(got, [2]int{line, col})
		line, col = diag.NewLines(text).Position(offset)
		want = append(want, [2]int{line, col})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A hundred thousand findings on one line take no time in the square of it.
func BenchmarkPositionOnOneLine(b *testing.B) {
	text := bytes.Repeat([]byte("é, "), 500_000)
	for b.Loop() {
		l := diag.NewLines(text)
		for i := 0; i < len(text); i += 16 {
			l.Position(i)
		}
	}
}

// FuzzPosition: Offset undoes Position at every code-point boundary.
func FuzzPosition(f *testing.F) {
	f.Add([]byte("a\nb"), 2)
	f.Add([]byte("\xef\xbb\xbf\r\n\xff\n"), 1)
	f.Fuzz(func(t *testing.T, text []byte, offset int) {
		l := diag.NewLines(text)
		line, col := l.Position(offset)
		if line < 1 || line > l.Len() || col < 1 {
			t.Fatalf("Position(%d) = %d:%d in %q", offset, line, col, text)
		}
		if !utf8.Valid(text) || offset < 0 || offset > len(text) || offset < len(text) && !utf8.RuneStart(text[offset]) {
			return
		}
		if offset < 3 && bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
			return
		}
		if got := l.Offset(line, col); got != offset {
			t.Fatalf("Offset(%d, %d) = %d, want %d in %q", line, col, got, offset, text)
		}
	})
}

func TestSortIsTotal(t *testing.T) {
	t.Parallel()
	sp := func(a, b int) *diag.Span { return &diag.Span{Start: a, End: b} }
	want := []diag.Diagnostic{{Engine: "z"}, {Engine: "a", Span: sp(0, 1)}, {Engine: "a", Code: "b", Span: sp(0, 1)}, {Engine: "a", Span: sp(0, 2)}, {Engine: "a", Span: sp(3, 3)}}
	got := []diag.Diagnostic{want[4], want[2], want[0], want[3], want[1]}
	diag.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
