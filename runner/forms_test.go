package runner_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"poly/internal/engine"
)

// switches are ways to switch core.autocrlf after which git calls files clean
// that lie there in another form than the settings say; each was a wrong answer
// of the cache once, or is one if the state of a tree, or what is known of
// blobs, leaves their sizes out.
var switches = []string{
	"run true checkout false",
	"run true checkout run false",
	"run commit true checkout false run",
	"part commit true checkout false run",
	"run true part checkout part false",
	"run true checkout input false part",
	"true checkout run false checkout run true",
	"true part checkout false run input false",
	"unsummed run true checkout false",
	"unsummed run part true checkout run false",
}

// TestForms: whichever way core.autocrlf is switched, files are checked out
// again or not, and poly is run in between or not, the cache never answers for
// another form of a blob than the one that lies there. POLY_FORMS adds as many
// random ways.
func TestForms(t *testing.T) {
	t.Parallel()
	ways := slices.Clone(switches)
	n, _ := strconv.Atoi(os.Getenv("POLY_FORMS"))
	for i := range n + 15 {
		r := rand.New(rand.NewPCG(uint64(i), 9))
		var ops []string
		for range 7 {
			ops = append(ops, []string{"true", "false", "input", "checkout", "checkout", "commit", "run", "run", "part"}[r.IntN(9)])
		}
		ways = append(ways, strings.Join(ops, " "))
	}
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			checkForms(t, strings.Fields(way))
		})
	}
}

func checkForms(t *testing.T, ops []string) {
	t.Helper()
	p := newPlace(t, revealing()...)
	names := []string{"a.md", "d/b.yaml", "c.qqq"}
	for _, name := range names {
		p.Write(name, "a: X W\nTODO  \n")
	}
	p.Commit("c")
	unsummed := false
	for i, op := range append([]string{"false", "checkout"}, ops...) {
		if unsummed {
			p.unsum()
		}
		switch op {
		case "unsummed":
			unsummed = true
		case "true", "input", "false":
			p.Git("config", "core.autocrlf", op)
		case "checkout":
			for _, name := range names {
				_ = os.Remove(p.Path(name))
			}
			p.Git("checkout", "-q", "-f", ".")
			for _, name := range names {
				p.settle(name)
			}
		case "commit":
			p.Write("new", fmt.Sprint(i))
			p.Git("add", "new")
			p.Git("commit", "-q", "-m", "c")
		case "run":
			p.lint()
		case "part":
			if _, err := p.limited(t.Context(), engine.Lint, p.cache, p.cache, []string{"d"}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if unsummed {
		p.unsum()
	}
	want := p.run(engine.Lint, false, nil)
	part, err := p.limited(t.Context(), engine.Lint, nil, nil, []string{"d"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.limited(t.Context(), engine.Lint, p.cache, p.cache, []string{"d"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(byFile(part), byFile(got), cmpopts.EquateEmpty()); d != "" {
		t.Errorf("limited -want +got\n%s", d)
	}
	for range 2 {
		if d := differ(want, p.lint()); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	}
}

// unsum makes git's index one without a checksum, as index.skipHash does.
func (p *place) unsum() {
	p.tb.Helper()
	file := p.Path(".git/index")
	b, err := os.ReadFile(file)
	if err != nil {
		p.tb.Fatal(err)
	}
	fi, err := os.Stat(file)
	if err != nil {
		p.tb.Fatal(err)
	}
	clear(b[len(b)-20:])
	if err := os.WriteFile(file, b, 0o600); err != nil {
		p.tb.Fatal(err)
	}
	if err := os.Chtimes(file, fi.ModTime(), fi.ModTime()); err != nil {
		p.tb.Fatal(err)
	}
}
