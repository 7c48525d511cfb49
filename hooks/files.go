package hooks

import (
	"context"
	"errors"
	"slices"
	"strings"

	"poly/internal/gitstate"
	"poly/internal/usererr"
	"poly/runner/job"
)

// candidates finds the files the run is about.
func (r *stageRun) candidates(ctx context.Context) error {
	switch {
	case r.req.Files != nil:
		for _, p := range r.req.Files {
			r.keep(p)
		}
	case r.req.AllFiles:
		for f := range r.judged.Tree.Files() {
			if f.Mode.Regular() && !f.Untracked && !f.Conflict {
				r.paths = append(r.paths, f.Path)
			}
		}
	case r.req.LastCommit:
		return r.lastCommit(ctx)
	case r.req.To != "":
		return r.between(ctx)
	case r.req.Stage.Kind == Push:
		r.paths = slices.Clone(r.pushes[0].paths)
		r.gone, r.changes = r.pushes[0].gone, r.pushes[0].changes
	case r.req.Source.Staged:
		changes, err := r.ahead.In(r.judged.Tree)
		if err != nil {
			return err
		}
		return r.take(changes)
	}
	return nil
}

func (r *stageRun) keep(p string) {
	if f, ok := r.judged.Tree.Lookup(p); ok && f.Mode.Regular() && !f.Conflict {
		r.paths = append(r.paths, p)
	}
}

// between takes what differs between two commits, as a pull request shows it.
func (r *stageRun) between(ctx context.Context) error {
	from := r.req.From
	if from != "" {
		base, err := gitstate.MergeBase(ctx, r.w.Repo, from, r.req.To)
		if err != nil {
			return err
		}
		if base != "" {
			from = base
		}
	}
	changes, err := gitstate.TreeChanges(ctx, r.w.Repo, from, r.req.To)
	if err != nil {
		return err
	}
	return r.take(changes)
}

// lastCommit takes what the last commit changed against its first parent.
func (r *stageRun) lastCommit(ctx context.Context) error {
	from := "HEAD^"
	if _, err := r.w.Repo.Objects().Info(ctx, from); err != nil {
		if !errors.Is(err, gitstate.ErrMissing) {
			return err
		}
		from = "" // the first one
	}
	changes, err := gitstate.TreeChanges(ctx, r.w.Repo, from, "HEAD")
	if err != nil {
		return err
	}
	return r.take(changes)
}

// take keeps the regular files of changes that are in the tree, and the names
// of those that are gone.
func (r *stageRun) take(changes []gitstate.Difference) error {
	r.changes = changes
	for _, d := range changes {
		switch {
		case d.Unmerged:
			return usererr.New("unmerged", d.Path+" has merge conflicts", "resolve them and git add the file")
		case d.Is == 0 && d.Was.Regular():
			r.gone = append(r.gone, d.Path)
		default:
			r.keep(d.Path)
		}
	}
	return nil
}

// files are the files of the run as jobs get them.
func (r *stageRun) files() []job.File {
	out := make([]job.File, 0, len(r.paths)+len(r.gone))
	for _, p := range r.paths {
		f, _ := r.judged.Tree.Lookup(p)
		out = append(out, fileOf(f))
	}
	for _, p := range r.gone {
		out = append(out, job.File{Path: p, Gone: true})
	}
	slices.SortFunc(out, func(a, b job.File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

func fileOf(f gitstate.File) job.File {
	out := job.File{Path: strings.Clone(f.Path), Exec: f.Mode == gitstate.ModeExec, Link: f.Mode == gitstate.ModeSymlink}
	if f.ID != "" {
		out.ID = f.ID.String() + string(f.Class)
	}
	return out
}

// everything lists the files of the tree.
func (r *stageRun) everything(context.Context) ([]job.File, error) {
	var out []job.File
	for f := range r.judged.Tree.Files() {
		if f.Mode.Regular() && !f.Conflict && !f.Untracked {
			out = append(out, fileOf(f))
		}
	}
	return out, nil
}

// headBytes is how much of a file tells what it is.
const headBytes = 1024

// head returns the first bytes of a file, for its type.
func (r *stageRun) head(f job.File) []byte {
	g, ok := r.judged.Tree.Lookup(f.Path)
	if !ok || !g.Mode.Regular() {
		return nil
	}
	b, err := r.judged.Tree.Read(context.Background(), g)
	if err != nil {
		return nil
	}
	return b[:min(len(b), headBytes)]
}

// push is one ref that is about to be pushed.
type push struct {
	commit  string
	changes []gitstate.Difference
	paths   []string // that differ from everything the remote has
	gone    []string
}

// pushed reads what git tells a pre-push hook, "<local ref> <local id> <remote
// ref> <remote id>" a line, and finds what is new to the remote. Without lines
// somebody runs the stage by hand: then HEAD stands for what is pushed.
func (r *stageRun) pushed(ctx context.Context) ([]push, error) {
	remote := ""
	if len(r.req.Args) > 0 {
		remote = r.req.Args[0]
	}
	var out []push
	byHand := r.req.Stdin == nil && len(r.req.Args) == 0
	if byHand {
		head, err := r.w.Repo.Head(ctx)
		if err != nil {
			return nil, err
		}
		p, ok, err := r.pushOf(ctx, "*", "", head.String())
		if err != nil || !ok {
			return nil, err
		}
		return []push{p}, nil
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(r.req.Stdin)) {
		f := strings.Fields(line)
		if len(f) < 4 {
			continue
		}
		f = f[len(f)-4:] // a local ref may be an expression with blanks
		local, known := f[1], f[3]
		if zero(local) || seen[local+known] {
			continue
		}
		seen[local+known] = true
		if zero(known) {
			known = ""
		}
		p, ok, err := r.pushOf(ctx, remote, known, local)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, p)
		}
	}
	return out, nil
}

// zero reports whether an id, of either width, stands for no object.
func zero(id string) bool { return strings.Trim(id, "0") == "" }

// pushOf finds what a push of a commit would bring: paths that differ from each
// commit at the border of what the remote has.
func (r *stageRun) pushOf(ctx context.Context, remote, known, local string) (p push, ok bool, err error) {
	border, ok, err := gitstate.Pushed(ctx, r.w.Repo, remote, known, local)
	if err != nil || !ok {
		return p, false, err
	}
	if len(border) == 0 {
		border = []string{""}
	}
	const mostBorders = 16 // of a history with many merges; more only adds files
	var common map[string]gitstate.Difference
	for _, b := range border[:min(len(border), mostBorders)] {
		changes, err := gitstate.TreeChanges(ctx, r.w.Repo, b, local+"^{tree}")
		if err != nil {
			return p, false, err
		}
		next := map[string]gitstate.Difference{}
		for _, d := range changes {
			if _, in := common[d.Path]; common == nil || in {
				next[d.Path] = d
			}
		}
		common = next
	}
	p.commit = local
	for path, d := range common {
		p.changes = append(p.changes, d)
		switch {
		case d.Is.Regular():
			p.paths = append(p.paths, path)
		case d.Is == 0:
			p.gone = append(p.gone, path)
		}
	}
	slices.SortFunc(p.changes, func(a, b gitstate.Difference) int { return strings.Compare(a.Path, b.Path) })
	slices.Sort(p.paths)
	slices.Sort(p.gone)
	return p, true, nil
}
