package hooks

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"poly/internal/filesafety"
	"poly/internal/gitstate"
	"poly/runner/job"
)

// safety judges what is about to be recorded by what no commit should bring.
func (r *stageRun) safety(ctx context.Context, b *job.Builtin) (job.Result, error) {
	o, err := filesafety.FromTable(b.Options)
	if err != nil {
		return job.Result{}, err
	}
	req := filesafety.Request{
		Options: o, Tree: r.fixes.tree(), Changes: r.changes, All: r.req.AllFiles || r.req.Files != nil, Match: r.matcher(b),
		Blob: func(ctx context.Context, id gitstate.ID) ([]byte, error) {
			_, text, err := r.w.Repo.Objects().Contents(ctx, id)
			return text, err
		},
	}
	for _, name := range []string{"MERGE_HEAD", "rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD"} {
		if _, err := os.Lstat(filepath.Join(r.w.Repo.GitDir, name)); err == nil {
			req.Merging = true
		}
	}
	if r.req.Source.Staged {
		if req.Others, err = r.parents(ctx); err != nil {
			return job.Result{}, err
		}
	}
	if o.PrivateKey {
		if req.Secrets, err = filesafety.Detector(ctx, gitstate.FS(ctx, r.judged.Tree), r.judged.Config.Root()); err != nil {
			return job.Result{}, err
		}
		defer func() { _ = req.Secrets.Close() }()
	}
	rep, err := filesafety.Check(ctx, req)
	if err != nil {
		return job.Result{}, err
	}
	var res job.Result
	res.Outcome, res.NoVerdict, res.Reason = verdict(&rep)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reports[b.Name] = &rep
	return res, nil
}

// matcher tells which paths a builtin judges; nil: all.
func (r *stageRun) matcher(b *job.Builtin) func(string) bool {
	if len(b.Files)+len(b.Exclude) == 0 && r.req.Files == nil {
		return nil
	}
	named := map[string]bool{}
	for _, p := range r.req.Files {
		named[p] = true
	}
	return func(p string) bool {
		return (r.req.Files == nil || named[p]) && (len(b.Files) == 0 || job.Match(b.Files, p)) && !job.Match(b.Exclude, p)
	}
}

// parents are the trees that a merge brings in. They live as long as the run.
func (r *stageRun) parents(ctx context.Context) ([]gitstate.Tree, error) {
	text, err := os.ReadFile(filepath.Join(r.w.Repo.GitDir, "MERGE_HEAD"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []gitstate.Tree
	for id := range strings.FieldsSeq(string(text)) {
		t, err := gitstate.Commit(ctx, r.w.Repo, id)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}
