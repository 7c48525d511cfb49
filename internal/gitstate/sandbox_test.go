package gitstate

import (
	"testing"

	"poly/internal/testutil"
)

// sandbox is a repository for tests, with what they ask it about trees.
type sandbox struct {
	*testutil.Repo
	t testing.TB
}

// newSandbox makes an empty repository.
func newSandbox(tb testing.TB, args ...string) *sandbox {
	tb.Helper()
	return &sandbox{testutil.NewRepo(tb, args...), tb}
}

// in returns g with another directory.
func (g *sandbox) in(dir string) *sandbox { return &sandbox{g.In(dir), g.t} }

// fakeGit returns g with a script in git's place.
func (g *sandbox) fakeGit(script string) *sandbox {
	g.t.Helper()
	return &sandbox{g.FakeGit(script), g.t}
}
