//go:build cgo && !notreesitter

package syntax

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestParallel: parsers of several goroutines share grammars and nothing else.
func TestParallel(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "python.sample"))
	if err != nil {
		t.Fatal(err)
	}
	want := cst(parse(t, "python", string(text)))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			p := new(Parser)
			defer p.Close()
			for i := range 50 {
				l := languages[i%len(languages)]
				if i%2 == 0 {
					l, _ = ByName("python")
				}
				tree, err := p.Parse(l, text)
				if err != nil {
					t.Errorf("%s: %v", l.Name, err)
					return
				}
				if i%2 == 0 && cst(tree) != want {
					t.Error("another tree of the same text")
					return
				}
			}
		})
	}
	wg.Wait()
}
