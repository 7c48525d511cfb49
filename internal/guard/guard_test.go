package guard_test

import (
	"strings"
	"testing"

	"poly/internal/guard"
)

func TestDiffer(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 40)
	for _, tc := range []struct {
		name          string
		before, after string
		was, is       int
		want          string
	}{
		{"plain", "a\nb = 1\n", "a\nb = 2\n", 6, 6, "line 2: a number differs: `1` became `2`"},
		{"ended", "a\n# x", "a\n", 2, 2, "line 2: a number differs: `# x` became nothing"},
		{"beyond", "a", "a", 9, 9, "line 1: a number differs: nothing became nothing"},
		{"line ending", "a\r\nb", "a\nb", 3, 1, "line 2: a number differs: `b` became `end of line`"},
		{"inside CRLF", "a\r\nb", "a\nb", 2, 2, "line 1: a number differs: `end of line` became `b`"},
		{
			"cut between characters", long, "x" + long, 0, 0,
			"line 1: a number differs: `" + long[:40] + "…` became `x" + long[:38] + "…`",
		},
		{"control characters", "\x00\xff", "\t1", 0, 0, "line 1: a number differs: ` �` became ` 1`"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := guard.Differ("a number", []byte(tc.before), tc.was, []byte(tc.after), tc.is).Error()
			if got != tc.want {
				t.Errorf("Differ = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	if got, want := (&guard.CannotJudge{Line: 3, Reason: "no such token"}).Error(), "cannot judge: line 3: no such token"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	if got, want := (&guard.Broken{Line: 3, Reason: "no such token"}).Error(), "broken by formatting: line 3 of the result: no such token"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	if got, want := (&guard.CannotJudge{Reason: "too deep"}).Error(), "cannot judge: too deep"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
}
