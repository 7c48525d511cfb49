//go:build extra

package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/engine/all"
)

func TestPageIsUpToDate(t *testing.T) {
	t.Parallel()
	got, err := os.ReadFile("../../docs/engines.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(page(all.Engines(), measured)), string(got)); diff != "" {
		t.Errorf("engines.md is not what the engines say; run go generate ./internal/docs (-want +got):\n%s", diff)
	}
}
