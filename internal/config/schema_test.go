package config

import "testing"

// TestForm: what an option takes, in words.
func TestForm(t *testing.T) {
	t.Parallel()
	tests := []struct {
		o    Option
		want string
	}{
		{Option{Type: Bool, Default: false}, "boolean, default false"},
		{Option{Type: Int, Min: 1, Max: 8, Default: 2}, "integer from 1 to 8, default 2"},
		{Option{Type: Int, Min: 1}, "integer from 1"},
		{Option{Type: Float, Max: 1, Default: 0.5}, "number from 0 to 1, default 0.5"},
		{Option{Type: String, Default: ""}, `string, default ""`},
		{Option{Type: String, Enum: []string{"a", "b"}, Default: "b"}, `one of a, b, default "b"`},
		{Option{Type: Strings}, "strings"},
		{Option{Type: Strings, Enum: []string{"a", "b"}, Default: []string{"a", "b"}}, "strings out of a, b, default a b"},
		{Option{Type: StringMap}, "table of strings"},
		{Option{Type: Table}, "table"},
	}
	for _, tc := range tests {
		if got := tc.o.Form(); got != tc.want {
			t.Errorf("Form of %+v = %q, want %q", tc.o, got, tc.want)
		}
	}
}
