package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTableIsCurrent(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "lang")
	src, err := os.ReadFile(filepath.Join(dir, "languages.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := generate(string(src))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "table_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("table_gen.go is stale, run go generate ./internal/lang:\n%.2000s", diff)
	}
}

func TestGenerateRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ src, want string }{
		"fields":      {"go | Go | 4", "languages.txt:1: 3 fields"},
		"extension":   {"a | A | 4 | | x | | |\nb | B | 4 | | x | | |", `languages.txt:2: "x" belongs to a`},
		"alias":       {"a | A | 4 | | | | |\nb | B | 4 | | | | | a", `"a" belongs to a`},
		"upper case":  {"a | A | 4 | | X | | |", "not lower-case"},
		"indent":      {"a | A | | | x | | |", "width of indent"},
		"interpreter": {"a | A | 4 | | | | sh |\nb | B | 4 | | | | sh |", `"sh" belongs to a`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := generate(tc.src)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("generate(%q) = %v, want %q in it", tc.src, err, tc.want)
			}
		})
	}
}
