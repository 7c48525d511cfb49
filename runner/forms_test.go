package runner_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"poly/internal/engine"
)

// TestForms: whichever way core.autocrlf is switched, files are checked out
// again or not, and poly is run in between or not, the cache never answers for
// another form of a blob than the one that lies there.
func TestForms(t *testing.T) {
	t.Parallel()
	n := 24
	if s, err := strconv.Atoi(os.Getenv("POLY_FORMS")); err == nil {
		n = s
	}
	for i := range n {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, revealing()...)
			r := rand.New(rand.NewPCG(uint64(i), 9))
			names := []string{"a.md", "d/b.yaml", "c.qqq"}
			for _, name := range names {
				p.Write(name, "a: X W\nTODO  \n")
			}
			p.Commit("c")
			old := time.Now().Add(-time.Hour)
			var done []string
			do := func(op string) {
				done = append(done, op)
				switch op {
				case "true", "input", "false":
					p.Git("config", "core.autocrlf", op)
				case "unset":
					p.Git("config", "--unset-all", "core.autocrlf")
				case "checkout":
					for _, name := range names {
						_ = os.Remove(p.Path(name))
					}
					p.Git("checkout", "-q", "-f", ".")
					for _, name := range names {
						_ = os.Chtimes(p.Path(name), old, old)
					}
					p.Git("update-index", "-q", "--refresh")
				case "commit":
					p.Write("new", fmt.Sprint(len(done)))
					p.Git("add", "new")
					p.Git("commit", "-q", "-m", "c")
				case "run":
					p.lint()
				case "part":
					_, _ = p.limited(t.Context(), engine.Lint, p.cache, p.cache, []string{"d"}, nil)
				}
			}
			p.Git("config", "core.autocrlf", "false")
			do("checkout")
			for range 7 {
				op := []string{"true", "false", "input", "checkout", "checkout", "commit", "run", "run", "part"}[r.IntN(9)]
				do(op)
			}
			want := p.run(engine.Lint, false, nil)
			part, err := p.limited(t.Context(), engine.Lint, nil, nil, []string{"d"}, nil)
			got, err2 := p.limited(t.Context(), engine.Lint, p.cache, p.cache, []string{"d"}, nil)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			if d := cmp.Diff(byFile(part), byFile(got), cmpopts.EquateEmpty()); d != "" {
				t.Errorf("%s: limited -want +got\n%s", strings.Join(done, " "), d)
			}
			for range 2 {
				if d := differ(want, p.lint()); d != "" {
					t.Errorf("%s: -want +got\n%s", strings.Join(done, " "), d)
				}
			}
		})
	}
}
