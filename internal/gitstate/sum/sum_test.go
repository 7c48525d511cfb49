package sum

import (
	"strings"
	"testing"
)

// TestString: the digests are kept between processes and versions, and texts
// that differ in one place or in length alone have others.
func TestString(t *testing.T) {
	t.Parallel()
	seen := map[uint64]string{}
	for n := range 40 {
		for i := range n + 1 {
			s := strings.Repeat("a", i) + "b" + strings.Repeat("a", n-i)
			if was, ok := seen[String(s)]; ok {
				t.Errorf("%q and %q have one digest", was, s)
			}
			seen[String(s)] = s
		}
	}
	zeros := map[uint64]bool{}
	for n := range 40 {
		zeros[String(strings.Repeat("\x00", n))] = true
	}
	if len(zeros) != 40 {
		t.Errorf("%d digests of 40 lengths", len(zeros))
	}
	if Mix(Mix(0, 1), 2) == Mix(Mix(0, 2), 1) {
		t.Error("the order of what is added does not count")
	}
	if got, want := String("internal/gitstate"), uint64(0x5cada33d13712b34); got != want {
		t.Errorf("String = %#x, want %#x: what is remembered would be lost", got, want)
	}
}
