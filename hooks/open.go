package hooks

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"poly/internal/gitstate"
	"poly/internal/gitstate/entry"
	"poly/runner/job"
)

// What of the worktree is read before a job, to tell what it changed: more is
// judged by size and times alone.
const (
	mostDigests = 2000
	mostBytes   = 64 << 20
)

// openPlace runs jobs in the worktree itself.
type openPlace struct {
	r *stageRun

	mu     sync.Mutex
	before map[string]map[string]seen // by job
	said   []string
}

// seen is a file of the worktree as it was before a job.
type seen struct {
	size int64
	time time.Time
	mode os.FileMode
	id   gitstate.ID // of the raw bytes; "" if they were not read
	// staged is what git add would have made of it, for jobs whose changes are
	// staged; "" if it is not what is staged.
	staged gitstate.ID
}

func (o *openPlace) plan(context.Context, []job.Planned) error { return nil }

func (o *openPlace) root() string { return o.r.w.Root }

func (o *openPlace) notes() []string { return o.said }

func (o *openPlace) close() {}

// prepare notes what the files of a job are.
func (o *openPlace) prepare(ctx context.Context, j *job.Job, files []job.File, _ bool) (string, error) {
	list := map[string]seen{}
	room := int64(mostBytes)
	for _, f := range files {
		s, ok := o.look(f.Path, len(files) <= mostDigests && room > 0)
		if ok {
			room -= s.size
			list[f.Path] = s
		}
	}
	if j.StageFixed && o.r.req.Source.Staged {
		if err := o.same(ctx, files, list); err != nil {
			return "", err
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.before == nil {
		o.before = map[string]map[string]seen{}
	}
	o.before[j.ID] = list
	return o.r.w.Root, nil
}

func (o *openPlace) look(p string, read bool) (seen, bool) {
	name := filepath.Join(o.r.w.Root, filepath.FromSlash(p))
	fi, err := os.Lstat(name)
	if err != nil || !fi.Mode().IsRegular() {
		return seen{}, false
	}
	s := seen{size: fi.Size(), time: fi.ModTime(), mode: fi.Mode()}
	if read {
		b, err := os.ReadFile(name)
		if err != nil {
			return seen{}, false
		}
		s.id = entry.BlobID(b, o.r.w.Repo.HashLen)
	}
	return s, true
}

// same finds out which files hold what is staged: only the changes to those can
// be staged without staging what the user has not.
func (o *openPlace) same(ctx context.Context, files []job.File, list map[string]seen) error {
	names := paths(files)
	ids, err := gitstate.HashFiles(ctx, o.r.w.Repo, names)
	if err != nil {
		return err
	}
	tree := o.r.fixes.tree()
	for i, p := range names {
		if f, ok := tree.Lookup(p); ok && f.ID == ids[i] {
			s := list[p]
			s.staged = f.ID
			list[p] = s
		}
	}
	return nil
}

// after finds what a job changed.
func (o *openPlace) after(ctx context.Context, res *job.Result) []job.File {
	if res.Job.Do != nil {
		return o.r.engineFiles(res)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	list := o.before[res.Job.ID]
	for _, f := range res.Files {
		was, ok := list[f.Path]
		if !ok {
			continue
		}
		now, there := o.look(f.Path, false)
		if there && now.size == was.size && now.time.Equal(was.time) {
			continue
		}
		if now, there = o.look(f.Path, was.id != ""); there && was.id != "" && now.id == was.id {
			continue
		}
		switch {
		case !there:
			blame(res, "it removed "+f.Path)
		case !res.Job.StageFixed:
			blame(res, "it changed "+f.Path+", and does not say stage_fixed = true")
		default:
			res.Changed = append(res.Changed, f.Path)
		}
	}
	if len(res.Changed) == 0 || res.Outcome != job.Passed {
		return nil
	}
	if !o.r.req.Source.Staged {
		o.said = append(o.said, res.Job.ID+" changed files of the worktree, which are not staged: "+listed(res.Changed))
		return nil
	}
	return o.stage(ctx, res, list)
}

// stage stages what a job made of files that were as staged before.
func (o *openPlace) stage(ctx context.Context, res *job.Result, list map[string]seen) []job.File {
	var mine []string
	for _, p := range res.Changed {
		if list[p].staged == "" {
			blame(res, p+" has changes that are not staged, so that what it made of it cannot be staged alone")
			continue
		}
		mine = append(mine, p)
	}
	ids, err := gitstate.WriteFiles(ctx, o.r.w.Repo, o.r.w.Root, mine, true)
	if err != nil {
		blame(res, err.Error())
		return nil
	}
	var out []job.File
	for i, p := range mine {
		_, blob, err := o.r.w.Repo.Objects().Contents(ctx, ids[i])
		if err != nil {
			blame(res, err.Error())
			continue
		}
		o.r.fixes.set(p, blob)
		f, _ := o.r.judged.Tree.Lookup(p)
		f.ID, f.Class = ids[i], ""
		out = append(out, fileOf(f))
	}
	return out
}
