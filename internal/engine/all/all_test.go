package all_test

import (
	"flag"
	"path/filepath"
	"testing"

	"poly/internal/engine/all"
	"poly/internal/engine/enginetest"
)

var update = flag.Bool("update", false, "rewrite the want sections of the fixtures")

// TestEngines checks the laws and the fixtures of every engine built in.
func TestEngines(t *testing.T) {
	t.Parallel()
	for _, e := range all.Engines() {
		t.Run(e.Name, func(t *testing.T) {
			enginetest.Run(t, e, enginetest.Options{
				Dir:    filepath.Join("..", "..", "..", "testdata", e.Name),
				Update: *update,
			})
		})
	}
}

// TestNames: names are unique and in order.
func TestNames(t *testing.T) {
	t.Parallel()
	engines := all.Engines()
	for i := 1; i < len(engines); i++ {
		if engines[i-1].Name >= engines[i].Name {
			t.Errorf("%s stands before %s", engines[i-1].Name, engines[i].Name)
		}
	}
	if len(engines) < 6 {
		t.Errorf("%d engines", len(engines))
	}
}
