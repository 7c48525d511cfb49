package hooks

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"poly/internal/blake3"
	"poly/internal/gitstate"
	"poly/internal/gitstate/entry"
	"poly/internal/snapshot"
	"poly/runner/job"
)

// worktreeKey tells worktrees apart.
func worktreeKey(root string) string {
	sum := blake3.Sum256([]byte(filepath.ToSlash(root)))
	const hex = "0123456789abcdef"
	var b strings.Builder
	for _, c := range sum[:8] {
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}

// defaultLinks are directories of dependencies that jobs find in the snapshot.
var defaultLinks = []string{"node_modules", ".venv", "venv"}

// isolation runs jobs in a snapshot of what is staged.
type isolation struct {
	r        *stageRun
	links    []string
	linksSet bool

	mu        sync.Mutex
	snap      *snapshot.Snapshot
	whole     bool            // the snapshot has every file
	wanted    map[string]bool // else these
	needs     []string        // and what these globs match
	filled    bool
	converted func(string) string
	linked    []string
	left      []string // files that jobs made and nobody keeps
}

// plan finds out whether a job of the run may look at every file, and which
// files the others declare.
func (i *isolation) plan(ctx context.Context, jobs []job.Planned) (err error) {
	i.wanted = map[string]bool{}
	open := false
	for k := range jobs {
		p := &jobs[k]
		if p.Skip != "" || p.Job.Do != nil {
			continue
		}
		i.whole = i.whole || p.Whole || p.Job.GitEnv
		open = open || p.Job.GitEnv
		i.needs = append(i.needs, p.Job.Needs...)
		for _, f := range p.Files {
			i.wanted[f.Path] = true
		}
		i.named(p.Job)
	}
	if open { // its directory is part of their environment
		err = i.open(ctx)
	}
	return err
}

// named wants the files of the tree that a job's commands name.
func (i *isolation) named(j *job.Job) {
	words := strings.FieldsFunc(strings.Join(append([]string{j.Run, j.Runner, j.Script, j.Precondition}, slices.Concat(j.Before, j.Args)...), " "), func(c rune) bool {
		return strings.ContainsRune(" \t\n'\"`;|&<>()=,", c)
	})
	for _, w := range words {
		for _, p := range []string{path.Clean(w), path.Join(j.Root, w)} {
			if f, ok := i.r.judged.Tree.Lookup(p); ok && f.Mode != gitstate.ModeGitlink {
				i.wanted[strings.Clone(f.Path)] = true
			}
		}
	}
}

func (i *isolation) open(ctx context.Context) (err error) {
	if i.snap != nil {
		return nil
	}
	if i.r.w.Homeless != nil {
		return i.r.w.Homeless
	}
	name := "files"
	if i.whole {
		name = "tree"
	}
	if i.snap, err = snapshot.Open(ctx, name, snapshot.Options{Dir: i.r.snapshotDir()}); err != nil {
		return err
	}
	i.converted, err = gitstate.Converted(i.r.w.Repo, i.r.judged.Tree)
	return err
}

// prepare fills the snapshot before the first job, and brings what engines fixed
// since into it.
func (i *isolation) prepare(ctx context.Context, j *job.Job, _ []job.File, _ bool) (string, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if err := i.open(ctx); err != nil {
		return "", err
	}
	if !i.filled {
		if err := i.fill(ctx); err != nil {
			return "", err
		}
		i.filled = true
	}
	for p, blob := range i.r.fixes.unknown() {
		id := entry.BlobID(blob, i.r.w.Repo.HashLen)
		text, err := i.r.checkoutForm(ctx, p, blob, i.converted(p) != "")
		if err == nil {
			err = i.snap.Put(p, text, id)
		}
		if err != nil {
			return "", err
		}
	}
	if root := j.Root; root != "" {
		_ = os.MkdirAll(filepath.Join(i.snap.Root(), filepath.FromSlash(root)), 0o755) // if no file lies there the job still begins
	}
	return i.snap.Root(), nil
}

func (i *isolation) fill(ctx context.Context) error {
	tree := i.r.judged.Tree
	for p := range i.wanted {
		if i.converted(p) != "" { // git reads them where it converts what a job made
			for _, f := range gitstate.Named(tree, ".gitattributes") {
				i.wanted[strings.Clone(f.Path)] = true
			}
			break
		}
	}
	files := make([]gitstate.File, 0, tree.Len())
	for f := range tree.Files() {
		if i.whole || i.wanted[f.Path] || len(i.needs) > 0 && job.Match(i.needs, f.Path) {
			files = append(files, f)
		}
	}
	links := i.dependencies()
	err := i.snap.Update(ctx, files, links, snapshot.Content{
		Read: tree.Read, Converted: i.converted,
		Checkout: func(ctx context.Context, dir string, paths []string) error {
			return gitstate.Checkout(ctx, i.r.w.Repo, dir, paths)
		},
	})
	for _, l := range links {
		i.linked = append(i.linked, l.Path)
	}
	return err
}

// dependencies finds the directories to link to: those of the configuration, as
// paths, or the usual ones at the root and beside each package.json.
func (i *isolation) dependencies() []snapshot.Link {
	names := defaultLinks
	if i.linksSet {
		names = i.links
	}
	dirs := []string{"."}
	for _, f := range gitstate.Named(i.r.judged.Tree, "package.json") {
		if d := path.Dir(f.Path); d != "." {
			dirs = append(dirs, d)
		}
	}
	seen := map[string]bool{}
	var out []snapshot.Link
	for _, name := range names {
		name = path.Clean(strings.TrimPrefix(name, "/"))
		at := dirs
		if strings.Contains(name, "/") {
			at = dirs[:1]
		}
		for _, dir := range at {
			p := path.Join(dir, name)
			if seen[p] || !fs.ValidPath(p) || p == "." || i.tracked(p) {
				continue
			}
			seen[p] = true
			target := filepath.Join(i.r.w.Root, filepath.FromSlash(p))
			if fi, err := os.Stat(target); err == nil && fi.IsDir() {
				out = append(out, snapshot.Link{Path: p, Target: target})
			}
		}
	}
	slices.SortFunc(out, func(a, b snapshot.Link) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(out, func(a, b snapshot.Link) bool { return strings.HasPrefix(b.Path, a.Path+"/") })
}

// tracked reports whether a path, or something in or above it, is staged.
func (i *isolation) tracked(p string) bool {
	tree := i.r.judged.Tree
	for up := p; up != "."; up = path.Dir(up) {
		if _, ok := tree.Lookup(up); ok {
			return true
		}
	}
	return len(gitstate.Inside(tree, p)) > 0
}

// after finds what a job changed. What a job with stage_fixed makes of the files
// it may change is staged if all goes well; what another one changes makes it
// fail.
func (i *isolation) after(ctx context.Context, res *job.Result) []job.File {
	if res.Job.Do != nil {
		return i.r.engineFiles(res)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.snap == nil || !i.filled {
		return nil
	}
	var look []string // all
	if whole := res.Job.Workspace || len(res.Files) == 0; !whole {
		look = paths(res.Files)
	}
	changed, added := i.snap.Changed(look)
	i.left = append(i.left, added...)
	var out []job.File
	for _, p := range changed {
		f, err := i.changed(ctx, p)
		switch {
		case err != nil:
			blame(res, err.Error())
		case f == nil: // the same bytes
		case !res.Job.StageFixed:
			blame(res, "it changed "+p+", and does not say stage_fixed = true")
		case res.Outcome == job.Passed:
			i.r.fixes.set(p, f.blob)
			if err := i.snap.Adopt(p, f.id); err != nil {
				blame(res, err.Error())
			}
			res.Changed = append(res.Changed, p)
			was, _ := i.r.judged.Tree.Lookup(p)
			was.ID, was.Class = f.id, ""
			out = append(out, fileOf(was))
		}
	}
	return out
}

// blame makes a job that passed fail.
func blame(res *job.Result, why string) {
	if res.Outcome == job.Passed {
		res.Outcome, res.Reason = job.Failed, why
	}
}

// content is what lies at a path of the snapshot now, in git's form.
type content struct {
	blob []byte
	id   gitstate.ID
}

// changed reads a path that is not what was written; nil if its bytes are.
func (i *isolation) changed(ctx context.Context, p string) (*content, error) {
	b, err := i.snap.ReadFile(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("it removed " + p)
	case err != nil:
		return nil, errors.New("it made something else of " + p + ": " + err.Error())
	}
	old := i.snap.ID(p)
	c := &content{blob: b, id: entry.BlobID(b, i.r.w.Repo.HashLen)}
	if i.converted(p) != "" {
		ids, err := gitstate.WriteFiles(ctx, i.r.w.Repo, i.snap.Root(), []string{p}, true)
		if err != nil {
			return nil, err
		}
		c.id = ids[0]
		if c.id != old {
			if _, c.blob, err = i.r.w.Repo.Objects().Contents(ctx, c.id); err != nil {
				return nil, err
			}
		}
	}
	if c.id == old {
		return nil, nil
	}
	return c, nil
}

func (i *isolation) root() string {
	if i.snap == nil {
		return ""
	}
	return i.snap.Root()
}

func (i *isolation) notes() []string {
	var out []string
	if len(i.linked) > 0 {
		out = append(out, "jobs see these directories of the worktree, which are not staged: "+listed(i.linked))
	}
	if i.snap != nil {
		if refused := i.snap.Refused(); len(refused) > 0 {
			out = append(out, "jobs do not see symbolic links that lead out of the tree: "+listed(refused))
		}
	}
	if len(i.left) > 0 {
		slices.Sort(i.left)
		out = append(out, "jobs made files that are not kept: "+listed(slices.Compact(i.left)))
	}
	return out
}

func (i *isolation) close() {
	if i.snap != nil {
		_ = i.snap.Close()
	}
}

// engineFiles are the files that a builtin changed, as they are now.
func (r *stageRun) engineFiles(res *job.Result) []job.File {
	var out []job.File
	tree := r.fixes.tree()
	for _, p := range res.Changed {
		if f, ok := tree.Lookup(p); ok {
			out = append(out, fileOf(f))
		}
	}
	return out
}

// checkoutForm returns what a checkout writes for a blob.
func (r *stageRun) checkoutForm(ctx context.Context, p string, blob []byte, converted bool) ([]byte, error) {
	if !converted {
		return blob, nil
	}
	list := []fixed{{file: gitstate.File{Path: p}, blob: blob}}
	if err := r.blobs(ctx, list); err != nil {
		return nil, err
	}
	return gitstate.Smudged(ctx, r.w.Repo, list[0].newID, p)
}
