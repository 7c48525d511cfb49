package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"poly/internal/gitstate"
	"poly/internal/gitstate/entry"
	"poly/internal/usererr"
	"poly/internal/worktree"
)

// fixed is one path with its staged content and what replaces it.
type fixed struct {
	file  gitstate.File // as staged
	blob  []byte        // the new content as git keeps it
	newID gitstate.ID
	// before and after are the old and the new content as a checkout writes them.
	before, after []byte
}

// applyFixes writes what fixes made of staged files: to the index git names,
// and to worktree files that still are what was staged, or into which the fix
// merges. Everything is prepared before anything is written; objects that are
// not used in the end harm nobody.
func (r *stageRun) applyFixes(ctx context.Context) error {
	if len(r.fixes.over) == 0 {
		return nil
	}
	if r.w.Homeless != nil {
		return r.w.Homeless
	}
	list, err := r.prepare(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	if r.emptied(list) {
		r.out.Results = append(r.out.Results, Result{Name: "fixes", Outcome: Failed, Reason: "the fixes leave nothing to commit: nothing was changed"})
		return nil
	}
	if r.req.Stage.Name == "pre-merge-commit" {
		r.out.Results = append(r.out.Results, Result{Name: "fixes", Outcome: Failed, Reason: "git commits a merge as it was before this hook, without fixes: nothing was changed; " +
			"git commit concludes the merge, with the fixes of pre-commit"})
		return nil
	}
	w, err := worktree.Open(ctx, worktree.Options{
		Root: r.w.Root, StateDir: filepath.Join(r.w.Dirs.State, "worktrees"), Borrow: r.w.getenv(worktree.TokenEnv),
	})
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	// A signal does not come between the index and the worktree.
	ctx = context.WithoutCancel(ctx)
	if list, err = r.stageFixes(ctx, list); err != nil {
		return err
	}
	for i := range list {
		r.out.Fixed = append(r.out.Fixed, list[i].file.Path)
	}
	r.writeBack(ctx, w, list)
	return nil
}

// prepare makes the blobs, and finds both forms of each file.
func (r *stageRun) prepare(ctx context.Context) ([]fixed, error) {
	var list []fixed
	for _, p := range slices.Sorted(maps.Keys(r.fixes.over)) {
		f, ok := r.judged.Tree.Lookup(p)
		if !ok || !f.Mode.Regular() {
			continue
		}
		old, err := r.judged.Tree.Read(ctx, f)
		if err != nil {
			return nil, err
		}
		if blob := r.fixes.over[p]; !bytes.Equal(old, blob) {
			list = append(list, fixed{file: f, blob: blob, before: old, after: blob})
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	if err := r.blobs(ctx, list); err != nil {
		return nil, err
	}
	converted, err := gitstate.Converted(r.w.Repo, r.judged.Tree)
	if err != nil {
		return nil, err
	}
	for i := range list {
		x := &list[i]
		if converted(x.file.Path) == "" {
			continue
		}
		if x.before, err = gitstate.Smudged(ctx, r.w.Repo, x.file.ID, x.file.Path); err != nil {
			return nil, err
		}
		if x.after, err = gitstate.Smudged(ctx, r.w.Repo, x.newID, x.file.Path); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// blobs writes the new contents into the repository.
func (r *stageRun) blobs(ctx context.Context, list []fixed) error {
	dir, err := r.w.tempDir()
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	names := make([]string, len(list))
	for i := range list {
		names[i] = fmt.Sprintf("%d", i)
		if err := os.WriteFile(filepath.Join(dir, names[i]), list[i].blob, 0o600); err != nil {
			return err
		}
	}
	ids, err := gitstate.WriteFiles(ctx, r.w.Repo, dir, names, false)
	if err != nil {
		return err
	}
	for i, id := range ids {
		if want := entry.BlobID(list[i].blob, r.w.Repo.HashLen); id != want {
			return fmt.Errorf("git made another object of %s", list[i].file.Path)
		}
		list[i].newID = id
	}
	return nil
}

// emptied reports whether nothing would be left to commit.
func (r *stageRun) emptied(list []fixed) bool {
	if len(r.changes) == 0 {
		return false
	}
	if _, err := os.Lstat(filepath.Join(r.w.Repo.GitDir, "MERGE_HEAD")); err == nil {
		return false
	}
	made := map[string]gitstate.ID{}
	for i := range list {
		made[list[i].file.Path] = list[i].newID
	}
	for _, d := range r.changes {
		id, ok := made[d.Path]
		if !ok {
			id = d.IsID
		}
		if id != d.WasID || d.Was != d.Is {
			return false
		}
	}
	return true
}

// stageFixes puts the new blobs into the index that git names, and into the one
// that becomes the repository's where git commits some paths only. It returns
// those that it did.
func (r *stageRun) stageFixes(ctx context.Context, list []fixed) ([]fixed, error) {
	changes := make([]gitstate.Staging, len(list))
	for i := range list {
		f := &list[i]
		changes[i] = gitstate.Staging{Path: f.file.Path, Mode: f.file.Mode, Was: f.file.ID, ID: f.newID}
	}
	done, err := gitstate.Stage(ctx, r.w.Repo, "", changes)
	if err != nil {
		return nil, fmt.Errorf("stage the fixes: %w", err)
	}
	if other := r.otherIndex(); other != "" {
		if _, err := gitstate.Stage(ctx, r.w.Repo, other, changes); err != nil {
			r.note("the fixes are in the commit but not in the index: " + err.Error())
		}
	}
	return slices.DeleteFunc(list, func(f fixed) bool {
		out := !slices.ContainsFunc(done, func(s gitstate.Staging) bool { return s.Path == f.file.Path })
		if out {
			r.note(f.file.Path + " was staged anew meanwhile: its fix was left out")
		}
		return out
	}), nil
}

// otherIndex is the index that git will have after "git commit -- path": while
// the hook runs it is index.lock, beside the temporary one that is committed.
func (r *stageRun) otherIndex() string {
	at := r.w.Repo.IndexPath
	if filepath.Dir(at) != r.w.Repo.GitDir || !strings.HasPrefix(filepath.Base(at), "next-index-") {
		return ""
	}
	other := filepath.Join(r.w.Repo.GitDir, "index.lock")
	if _, err := os.Lstat(other); err != nil {
		return ""
	}
	return other
}

// writeBack brings the fixes into the worktree. What the user has there wins:
// a file that is in the way of a fix is left alone and named.
func (r *stageRun) writeBack(ctx context.Context, w *worktree.Writer, list []fixed) {
	var changes []worktree.Change
	for i := range list {
		c, why := r.worktreeChange(ctx, &list[i])
		if why != "" {
			r.note(list[i].file.Path + ": the fix is staged, the file in the worktree is left as it is: " + why)
			continue
		}
		changes = append(changes, c)
	}
	for i, err := range w.WriteAll(ctx, changes) {
		if err != nil {
			r.note(changes[i].Path + ": the fix is staged, the file in the worktree is left as it is: " + err.Error())
		}
	}
}

// worktreeChange tells what to write to the worktree, or why nothing is.
func (r *stageRun) worktreeChange(ctx context.Context, x *fixed) (c worktree.Change, why string) {
	name := filepath.Join(r.w.Root, filepath.FromSlash(x.file.Path))
	fi, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, "it is not there"
	case err != nil:
		return c, err.Error()
	case !fi.Mode().IsRegular():
		return c, "it is no regular file"
	}
	now, err := os.ReadFile(name)
	if err != nil {
		return c, err.Error()
	}
	c = worktree.Change{Path: x.file.Path, Before: now, After: x.after}
	if bytes.Equal(now, x.before) || bytes.Equal(now, x.after) {
		return c, ""
	}
	merged, err := r.merge(ctx, now, x.before, x.after)
	if err != nil {
		return c, "it has changes that are not staged, and the fix does not merge with them (" + err.Error() + ")"
	}
	c.After = merged
	return c, ""
}

var errConflict = errors.New("they touch the same lines")

// merge puts the change from base to theirs into ours.
func (r *stageRun) merge(ctx context.Context, ours, base, theirs []byte) ([]byte, error) {
	dir, err := r.w.tempDir()
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var names []string
	for name, text := range map[string][]byte{"a-ours": ours, "b-base": base, "c-theirs": theirs} {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, text, 0o600); err != nil {
			return nil, err
		}
		names = append(names, p)
	}
	slices.Sort(names)
	merged, clean, err := gitstate.Merge(ctx, r.w.Repo, names[0], names[1], names[2])
	if err == nil && !clean {
		err = errConflict
	}
	return merged, err
}

func (r *stageRun) note(text string) { r.out.Notes = append(r.out.Notes, text) }

// tempDir makes a directory for a moment, where only the user may look.
func (w *World) tempDir() (string, error) {
	if w.Homeless != nil {
		return "", w.Homeless
	}
	if err := os.MkdirAll(w.Dirs.State, 0o700); err != nil {
		return "", &usererr.Error{Code: "state-dir", Msg: "no place for poly's files", Err: err, Hint: "set POLY_STATE_HOME to a directory you may write to"}
	}
	dir, err := os.MkdirTemp(w.Dirs.State, "hook-")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// getenv returns a variable of the environment, "" if it is unset.
func (w *World) getenv(name string) string {
	for _, kv := range slices.Backward(w.Env) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

// sweepAge is how old a temporary directory is that no run can be using.
const sweepAge = 24 * time.Hour

// Sweep removes the temporary directories that killed runs left in the state
// directory, and returns how many.
func Sweep(state string, now time.Time) (n int, err error) {
	list, err := filepath.Glob(filepath.Join(state, "hook-*"))
	if err != nil {
		return 0, err
	}
	for _, dir := range list {
		if fi, err := os.Lstat(dir); err != nil || !fi.IsDir() || now.Sub(fi.ModTime()) < sweepAge {
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
