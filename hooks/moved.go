package hooks

import (
	"context"
	"fmt"

	"poly/internal/gitstate"
	"poly/internal/gitstate/index"
)

// moved adds a result without a verdict if what is staged is not what was
// judged any more: git reads the index again after the hook, so that what
// somebody staged meanwhile would be committed unseen. Jobs that have git's
// variables or the worktree may stage themselves: then nothing is said.
func (r *stageRun) moved(ctx context.Context) error {
	now, err := index.StatFile(r.w.Repo.IndexPath)
	if err != nil || now == r.index || !r.isolated() || r.mayStage() {
		return nil // an index that is gone is git's to tell of
	}
	tree, err := gitstate.Staged(ctx, r.w.Repo)
	if err != nil {
		return err
	}
	defer func() { _ = tree.Close() }()
	if p := differing(r.judged.Tree, tree); p != "" {
		r.out.Results = append(r.out.Results, Result{
			Name: "index", Outcome: Errored, Reason: fmt.Sprintf("%s was staged while the hook ran and is not judged: nothing was changed; commit again", p),
		})
	}
	return nil
}

// mayStage reports whether a job of the stage can reach the index.
func (r *stageRun) mayStage() bool {
	for i := range r.config.Stage(r.req.Stage.Name).Jobs {
		if r.config.Stage(r.req.Stage.Name).Jobs[i].GitEnv {
			return true
		}
	}
	return false
}

// differing returns the first path that two trees do not have alike, "" if
// there is none.
func differing(a, b gitstate.Tree) string {
	for f := range a.Files() {
		if g, ok := b.Lookup(f.Path); !ok || g.ID != f.ID || g.Mode != f.Mode {
			return f.Path
		}
	}
	for f := range b.Files() {
		if _, ok := a.Lookup(f.Path); !ok {
			return f.Path
		}
	}
	return ""
}
