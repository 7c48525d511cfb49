package repo

import (
	"context"
	"os"
	"path/filepath"
)

// Doing is what a user is in the middle of.
type Doing struct {
	Branch string // short name; "" if HEAD is detached. During a rebase, the branch that is rebased.
	Merge  bool
	Rebase bool
}

// Doing looks at the branch and at what merges and rebases leave in the git
// directory while they last.
func (r *Repo) Doing(ctx context.Context) Doing {
	there := func(name string) bool {
		_, err := os.Lstat(filepath.Join(r.GitDir, name))
		return err == nil
	}
	d := Doing{Branch: r.branch(ctx), Merge: there("MERGE_HEAD"), Rebase: there("rebase-merge") || there("rebase-apply")}
	if d.Branch == "" && d.Rebase {
		d.Branch = r.rebased()
	}
	return d
}

// rebased is the branch that a rebase will move, "" if it is none.
func (r *Repo) rebased() string {
	for _, dir := range []string{"rebase-merge", "rebase-apply"} {
		text, err := os.ReadFile(filepath.Join(r.GitDir, dir, "head-name"))
		if err == nil {
			return shortBranch(string(text))
		}
	}
	return ""
}
