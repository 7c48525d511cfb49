package guard_test

import (
	"testing"

	"poly/internal/guard"
)

func TestBlockComment(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, a, b string
		same       bool
	}{
		{"indented", "/*\n    a\n  b */", "/*\n a\n b\n */", true},
		{"stars come", "/**\n* a\n*b\n*/", "/**\n * a\n * b\n */", true},
		{"empty lines", "/*\n *\n * a\n *\n *\n * b\n * */", "/*\n * a\n *\n * b\n */", true},
		{"line ends", "/*\r\n * a\r\n */", "/*\n * a\n */", true},
		{"empty", "/**/", "/**/", true},
		{"documentation", "/** a */", "/* a */", false},
		{"inner blanks", "/* a b */", "/* a  b */", false},
		{"lines joined", "/* a\nb */", "/* a b */", false},
		{"empty line lost", "/*\n a\n\n b */", "/*\n a\n b */", false},
		{"text", "/* a */", "/* b */", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := guard.BlockComment([]byte(tc.a)) == guard.BlockComment([]byte(tc.b)); got != tc.same {
				t.Errorf("the same: %v, want %v", got, tc.same)
			}
		})
	}
}

func TestMix(t *testing.T) {
	t.Parallel()
	seen := map[uint64]string{}
	text := []byte("0123456789abcdef\x00\x00\x00")
	for from := range text {
		for to := from; to <= len(text); to++ {
			s := string(text[from:to])
			h := guard.Mix(7, []byte(s))
			if other, ok := seen[h]; ok && other != s {
				t.Errorf("Mix(%q) = Mix(%q)", s, other)
			}
			seen[h] = s
		}
	}
	if guard.MixWord(guard.MixWord(0, 1), 2) == guard.MixWord(guard.MixWord(0, 2), 1) {
		t.Error("the order of numbers is lost")
	}
}
