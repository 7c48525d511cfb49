package judge

import "testing"

func TestHarm(t *testing.T) {
	t.Parallel()
	before := Opinion{Values: "v", Comments: "c", Places: []int{0, 4}}
	tests := []struct {
		name  string
		after Opinion
		want  string
	}{
		{"the same", before, ""},
		{"beside the same key", Opinion{Values: "v", Comments: "c", Places: []int{1, 3}}, ""},
		{"moved", Opinion{Values: "v", Comments: "c", Places: []int{0, 6}}, "moves a comment to another value"},
		{"reordered", Opinion{Values: "v", Comments: "d", Places: []int{0, 4}}, "loses or reorders a comment"},
		{"other value", Opinion{Values: "w", Comments: "c", Places: []int{0, 4}}, "changes a value"},
		{"broken", Opinion{Values: "w", Errors: []string{"e"}}, "writes what does not parse"},
	}
	for _, tc := range tests {
		if got := Harm(before, tc.after); got != tc.want {
			t.Errorf("%s: Harm = %q, want %q", tc.name, got, tc.want)
		}
	}
}
