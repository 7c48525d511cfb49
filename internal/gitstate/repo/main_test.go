package repo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"poly/internal/testutil"
)

// TestMain lets a test start its own binary as another user: REPO_CHILD says
// what it is to do instead of running tests.
func TestMain(m *testing.M) {
	if os.Getenv("REPO_CHILD") == "open" {
		childOpen()
		return
	}
	m.Run()
}

// childOpen prints why the current directory cannot be opened.
func childOpen() {
	dir, err := filepath.Abs(".")
	if err == nil {
		_, err = Open(context.Background(), OpenOptions{Dir: dir, Env: os.Environ()})
	}
	fmt.Fprint(os.Stdout, err)
}

// open opens the repository of g until the end of the test.
func open(tb testing.TB, g *testutil.Repo) *Repo {
	tb.Helper()
	r, err := Open(tb.Context(), OpenOptions{Dir: g.Dir, Env: g.Env})
	if err != nil {
		tb.Fatalf("Open(%s): %v", g.Dir, err)
	}
	tb.Cleanup(func() { _ = r.Close() })
	return r
}
