package gitstate

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestMain lets tests start their own binary, in git hooks and as another
// user: GITSTATE_CHILD says what it is to do instead of running tests.
func TestMain(m *testing.M) {
	switch os.Getenv("GITSTATE_CHILD") {
	case "":
		m.Run()
	case "hook":
		childHook()
	case "worktree":
		childWorktree()
	}
}

// childHook stands for poly in a hook: it writes what Staged sees, what git
// sees under the same environment, and what GIT_INDEX_FILE was, to files.
func childHook() {
	out := os.Getenv("GITSTATE_OUT")
	got, err := stagedHere()
	if err != nil {
		got = []byte(err.Error())
	}
	cmd := exec.CommandContext(context.Background(), "git", "ls-files", "-s", "-z", ":/")
	cmd.Stderr = os.Stderr
	want, err := cmd.Output()
	if err != nil {
		want = []byte(err.Error())
	}
	for name, b := range map[string][]byte{"got": got, "want": want, "index": []byte(os.Getenv("GIT_INDEX_FILE"))} {
		if err := os.WriteFile(filepath.Join(out, name), b, 0o666); err != nil {
			panic(err)
		}
	}
}

func stagedHere() ([]byte, error) {
	dir, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	r, err := Open(ctx, OpenOptions{Dir: dir, Env: os.Environ()})
	if err != nil {
		return nil, err
	}
	t, err := Staged(ctx, r)
	if err != nil {
		return nil, err
	}
	text := dumpTree(t)
	for f := range t.Files() {
		if !f.Mode.Regular() {
			continue
		}
		if _, err := t.Read(ctx, f); err != nil {
			return nil, err
		}
	}
	return []byte(text), t.Close()
}

// closing closes c at the end of the test.
func closing(tb testing.TB, c io.Closer) {
	tb.Helper()
	tb.Cleanup(func() {
		if err := c.Close(); err != nil {
			tb.Error(err)
		}
	})
}

// dumpTree prints a tree as `git ls-files -s -z` does.
func dumpTree(t Tree) string {
	var b bytes.Buffer
	for f := range t.Files() {
		stage := 0
		if f.Conflict {
			stage = 9
		}
		fmt.Fprintf(&b, "%06o %s %d\t%s\x00", f.Mode, f.ID, stage, f.Path)
	}
	return b.String()
}
