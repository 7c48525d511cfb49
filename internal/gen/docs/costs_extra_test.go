//go:build extra

package main

import (
	"testing"

	"poly/internal/engine/all"
)

// TestCosts: each engine was measured: make costs.
func TestCosts(t *testing.T) {
	t.Parallel()
	for _, e := range all.Engines() {
		if cost(measured, e.Name) == cost("", e.Name) {
			t.Errorf("%s was not measured", e.Name)
		}
	}
}
