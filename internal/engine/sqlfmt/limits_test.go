package sqlfmt

import (
	"strings"
	"testing"
)

// TestLimits: what would take sqlformat minutes is not tried.
func TestLimits(t *testing.T) {
	for text, why := range map[string]string{
		strings.Repeat("select 1;\n", 7000):      "too long",
		"select " + strings.Repeat("a,", 2001):   "a list",
		"select " + strings.Repeat("(", 101):     "nests",
		"select f(" + strings.Repeat("a,", 2001): "",
		strings.Repeat("select (a),b;\n", 2001):  "",
	} {
		if got := limit([]byte(text)); why == "" && got != "" || !strings.HasPrefix(got, why) {
			t.Errorf("%.20q: %q, want %q", text, got, why)
		}
	}
}
