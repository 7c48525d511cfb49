package engine_test

import (
	"strings"
	"testing"

	"poly/internal/engine"
)

func TestNests(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"":                              false,
		strings.Repeat("()", 10):        false,
		strings.Repeat("({[", 1):        false,
		strings.Repeat("({[", 2):        true,
		"))))" + "(((":                  false,
		strings.Repeat("(", 4) + "))))": true,
	} {
		if got := engine.Nests([]byte(text), 3); got != want {
			t.Errorf("Nests(%q, 3) = %v", text, got)
		}
	}
}
