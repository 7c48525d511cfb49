package gitstate

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"poly/internal/gitstate/disk"
	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/ignore"
	"poly/internal/gitstate/index"
	"poly/internal/gitstate/recall"
	"poly/internal/gitstate/repo"
	"poly/internal/gitstate/sum"
)

// walk finds what the index does not know, and the files git itself reads.
// A directory that has not changed since the last scan is not read.
type walk struct {
	*scan
	memory  Memory
	ignores *ignore.Set
	now     int64 // coarse clock before the first look at a directory

	seen    recall.Dirs            // what the memory holds
	old     map[string]*recall.Dir // remembered directories below none of the index's
	fresh   bool                   // what is remembered is of this index and these ignore rules
	below   []recall.Dir           // directories that hold no entry of the index
	reread  map[string]bool        // directories that were read, and so must not be trusted more
	unsure  map[string]bool        // read, but not to be remembered
	sources map[string]source      // .gitignore files, by directory
	rules   map[string]uint64      // digests of ignore rules, by directory with a .gitignore
	attrs   []string               // directories with a .gitattributes
	loose   []string               // those of attrs that the index does not know
}

// source is where the .gitignore of a directory is read.
type source struct {
	id   ID   // if it is known without reading
	blob bool // only the index has it
}

// open asks the memory.
func (w *walk) open(ctx context.Context) {
	if w.memory != nil {
		w.seen = recall.OpenDirs(w.memory.Recall(ctx, recall.Key(recall.KeyDirs, w.root.Path)))
	}
}

// run fills devs with untracked files.
func (w *walk) run(ctx context.Context, base uint64) error {
	w.fresh = w.seen.Index == w.identity
	w.reread, w.unsure = map[string]bool{}, map[string]bool{}
	w.rules = map[string]uint64{"": base}
	if err := w.read(ctx, w.recall()); err != nil {
		return err
	}
	w.collect()
	for i := range w.dirs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.names(ctx, &w.dirs[i]); err != nil {
			return err
		}
	}
	if err := w.strays(ctx); err != nil {
		return err
	}
	if w.memory != nil && w.limits == nil && w.outdated() {
		w.memory.Remember(recall.Key(recall.KeyDirs, w.root.Path), recall.EncodeDirs(w.identity, w.settled()))
	}
	return nil
}

// outdated reports whether all should be remembered anew. To read some
// directories again and again costs less than to write thousands of records.
func (w *walk) outdated() bool {
	n := len(w.dirs) + len(w.below)
	gone := max(0, w.seen.Len-n)
	return !w.fresh || len(w.reread)+gone > n/256
}

// settled returns the records that may be trusted next time.
func (w *walk) settled() []recall.Dir {
	all := make([]recall.Dir, 0, len(w.dirs)+len(w.below))
	for _, list := range [][]recall.Dir{w.dirs, w.below} {
		for i := range list {
			if !w.unsure[list[i].Path] {
				all = append(all, list[i])
			}
		}
	}
	return all
}

// recall takes over what is remembered of directories that have not changed
// and returns the others. The records of the index's directories come first,
// in their order.
func (w *walk) recall() (stale []*recall.Dir) {
	// The digests of an index that has not changed are those remembered.
	same, complete := w.seen.Index == w.identity, true
	if !same {
		w.digests()
	}
	old, more := w.seen.Next()
	for i := range w.dirs {
		d := &w.dirs[i]
		for more && place(&old, d.Path) < 0 {
			old, more = w.seen.Next()
		}
		if !more || place(&old, d.Path) > 0 {
			complete = false
			stale = append(stale, d)
			continue
		}
		if same {
			d.Digest = old.Digest
		}
		if old.Stamp == d.Stamp && old.Digest == d.Digest {
			d.Key, d.Flags, d.Names = old.Key, old.Flags, old.Names
		} else {
			stale = append(stale, d)
		}
		old, more = w.seen.Next()
	}
	if same && !complete {
		w.digests()
	}
	w.old = map[string]*recall.Dir{}
	for ; more; old, more = w.seen.Next() {
		if old.Flags&recall.Untracked != 0 {
			d := old
			w.old[d.Path] = &d
		}
	}
	return stale
}

// place tells whether a record comes before, is, or comes after that of a
// directory of the index. Directories are in the order of the entries below
// them; those without one come last.
func place(d *recall.Dir, path string) int {
	switch {
	case d.Flags&recall.Untracked != 0:
		return 1
	case d.Path == path:
		return 0
	default:
		return comparePaths(d.Path+"/", path+"/")
	}
}

// read reads directories in parallel.
func (w *walk) read(ctx context.Context, stale []*recall.Dir) error {
	type outcome struct {
		problem error
		unsure  bool
	}
	results := make([]outcome, len(stale))
	err := each(ctx, w.jobs, 64, len(stale), func(_ context.Context, i int) error {
		results[i].unsure, results[i].problem = w.readDir(stale[i])
		return nil
	})
	if err != nil {
		return err
	}
	for i, d := range stale {
		w.note(d, results[i].unsure, results[i].problem)
	}
	return nil
}

// note records the outcome of readDir.
func (w *walk) note(d *recall.Dir, unsure bool, problem error) {
	w.reread[d.Path] = true
	if unsure || problem != nil {
		w.unsure[d.Path] = true
	}
	if problem != nil && !errors.Is(problem, fs.ErrNotExist) {
		w.problems = append(w.problems, Problem{Path: orDot(d.Path), Err: problem})
	}
}

func orDot(p string) string {
	if p == "" {
		return "."
	}
	return p
}

// readDir fills a record with the names the index does not know. It does not
// touch w. unsure: the directory may change without a trace in its times.
func (w *walk) readDir(d *recall.Dir) (unsure bool, err error) {
	all, after, err := w.root.ReadDir(d.Path)
	if err != nil {
		return true, err
	}
	d.Flags &= recall.Untracked
	d.Names = nil
	for _, n := range all {
		if n.Name == ".git" {
			d.Flags |= recall.HasGitDir
			continue
		}
		if d.Flags&recall.Untracked == 0 && w.tracked(path.Join(d.Path, n.Name), n.Kind) {
			continue
		}
		switch {
		case n.Kind != disk.KindFile:
		case n.Name == ".gitignore":
			d.Flags |= recall.HasIgnoreFile
		case n.Name == ".gitattributes":
			d.Flags |= recall.HasAttributeFile
		}
		d.Names = recall.AppendName(d.Names, recall.Name{Name: n.Name, Kind: n.Kind})
	}
	return after.Stamp() != d.Stamp || !after.Settled(w.now), nil
}

// tracked reports whether the index knows a name as what it is now.
func (w *walk) tracked(name string, kind uint8) bool {
	i, ok := w.x.Find(name)
	if kind != disk.KindDir {
		return ok
	}
	if ok {
		return Mode(w.x.Mode(i)) == ModeGitlink
	}
	lo, hi := w.x.Dir(name)
	return lo < hi
}

// collect finds the files git itself reads, as far as they are known by now.
func (w *walk) collect() {
	w.sources = map[string]source{}
	for _, s := range w.special {
		state := w.state[s.entry]
		switch {
		case s.attrs:
			w.attrs = append(w.attrs, s.dir) // if deleted, git takes the index's
		case state == entryClean && Mode(w.x.Mode(int(s.entry))).Regular():
			w.sources[s.dir] = source{id: ID(w.x.ID(int(s.entry)))}
		case state == entrySparse:
			w.sources[s.dir] = source{id: ID(w.x.ID(int(s.entry))), blob: true}
		case state == entryDeviat:
			w.sources[s.dir] = source{}
		}
	}
	for i := range w.dirs {
		w.collectDir(&w.dirs[i])
	}
	w.collectAbove()
}

func (w *walk) collectDir(d *recall.Dir) {
	if d.Flags&recall.HasIgnoreFile != 0 {
		w.sources[d.Path] = source{}
	}
	if d.Flags&recall.HasAttributeFile != 0 {
		w.attrs = append(w.attrs, d.Path)
		w.loose = append(w.loose, d.Path)
	}
}

// collectAbove looks at the directories above the limits, which no scan has
// looked at.
func (w *walk) collectAbove() {
	seen := map[string]bool{}
	for _, l := range w.limits {
		for l != "" {
			l = entry.Dir(l)
			if seen[l] || w.wants(l) {
				continue
			}
			seen[l] = true
			var st disk.Stat
			if w.root.LstatPath(path.Join(l, ".gitignore"), &st) == nil {
				w.sources[l] = source{}
			} else if i, ok := w.x.Find(path.Join(l, ".gitignore")); ok && w.sparse(i) {
				w.sources[l] = source{id: ID(w.x.ID(i)), blob: true}
			}
			if _, ok := w.x.Find(path.Join(l, ".gitattributes")); ok {
				w.attrs = append(w.attrs, l)
			} else if w.root.LstatPath(path.Join(l, ".gitattributes"), &st) == nil {
				w.attrs = append(w.attrs, l)
				w.loose = append(w.loose, l)
			}
		}
	}
}

// key returns the digest of the ignore rules in force in a directory.
func (w *walk) key(dir string) uint64 {
	for d := dir; ; d = entry.Dir(d) {
		if k, ok := w.rules["/"+d]; ok {
			return k
		}
		if s, ok := w.sources[d]; ok {
			above := w.rules[""]
			if d != "" {
				above = w.key(entry.Dir(d))
			}
			if s.id == "" {
				s.id = entry.BlobID(w.ignores.Text(d), len(w.rule.Empty))
			}
			k := sum.Mix(sum.Mix(above, sum.String(d)), sum.String(string(s.id)))
			w.rules["/"+d] = k
			return k
		}
		if d == "" {
			return w.rules[""]
		}
	}
}

// names adds the untracked files among the names of a directory, and of the
// untracked directories below it.
func (w *walk) names(ctx context.Context, d *recall.Dir) error {
	if len(d.Names) == 0 {
		return nil
	}
	if key := w.key(d.Path); w.reread[d.Path] || key != d.Key {
		w.judge(d)
		d.Key, w.fresh = key, w.fresh && w.reread[d.Path]
	}
	for rest := d.Names; ; {
		n, more, ok := recall.NextName(rest)
		if !ok {
			return nil
		}
		rest = more
		if n.Ignored {
			continue
		}
		at := n.Name
		if d.Path != "" {
			at = d.Path + "/" + n.Name
		}
		if n.Kind != disk.KindDir {
			w.devs = append(w.devs, deviation{File: File{Path: at, Untracked: true}, entry: -1})
			continue
		}
		if err := w.enter(ctx, at); err != nil {
			return err
		}
	}
}

// judge sets the ignored bits of names.
func (w *walk) judge(d *recall.Dir) {
	dir := w.ignores.Dir(d.Path)
	var names []byte
	for rest := d.Names; ; {
		n, more, ok := recall.NextName(rest)
		if !ok {
			break
		}
		rest = more
		n.Ignored = dir.Match(path.Join(d.Path, n.Name), n.Kind == disk.KindDir) != nil
		names = recall.AppendName(names, n)
	}
	d.Names = names
}

// enter looks at an untracked directory that is not ignored.
func (w *walk) enter(ctx context.Context, dir string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var st disk.Stat
	if err := w.root.LstatPath(dir, &st); err != nil {
		if !disk.Absent(err) {
			w.problems = append(w.problems, Problem{Path: dir, Err: err})
		}
		return nil
	}
	if !st.IsDir() {
		return nil // replaced in this moment
	}
	d := recall.Dir{Path: dir, Stamp: st.Stamp(), Flags: recall.Untracked}
	if o, ok := w.old[dir]; ok && o.Stamp == d.Stamp {
		d = *o
	} else {
		unsure, problem := w.readDir(&d)
		w.note(&d, unsure, problem)
	}
	w.below = append(w.below, d)
	if d.Flags&recall.HasGitDir != 0 && w.isRepository(dir) {
		w.devs = append(w.devs, deviation{File: File{Path: dir, Mode: ModeGitlink, Untracked: true, Changed: true, Size: -1}, entry: -1})
		return nil
	}
	w.collectDir(&d)
	at := len(w.below) - 1
	err := w.names(ctx, &d)
	w.below[at] = d
	return err
}

// isRepository reports whether a directory is the top of a repository.
func (w *walk) isRepository(dir string) bool {
	return repo.IsTop(filepath.Join(w.root.Path, dir))
}

// strays looks at the limits that the index does not know.
func (w *walk) strays(ctx context.Context) error {
	for _, l := range w.limits {
		if _, ok := w.x.Find(l); ok {
			continue
		}
		if lo, hi := w.x.Dir(l); lo < hi {
			continue
		}
		var st disk.Stat
		if w.throughLink(l) || w.root.LstatPath(l, &st) != nil {
			continue
		}
		isDir := st.IsDir()
		if w.ignores.Match(l, isDir) != nil || w.insideNested(l) {
			continue
		}
		if isDir {
			if err := w.enter(ctx, l); err != nil {
				return err
			}
		} else if _, ok := st.GitMode(); ok {
			w.devs = append(w.devs, deviation{File: File{Path: l, Untracked: true}, entry: -1})
		}
	}
	return nil
}

// throughLink reports whether a directory above p is none, or a link to one.
func (w *walk) throughLink(p string) bool {
	for d := entry.Dir(p); d != ""; d = entry.Dir(d) {
		var st disk.Stat
		if w.root.LstatPath(d, &st) != nil || !st.IsDir() {
			return true
		}
	}
	return false
}

// insideNested reports whether p lies in a repository of its own, or in ".git".
func (w *walk) insideNested(p string) bool {
	if strings.Contains("/"+p+"/", "/.git/") {
		return true
	}
	for d := entry.Dir(p); d != ""; d = entry.Dir(d) {
		if i, ok := w.x.Find(d); ok && Mode(w.x.Mode(i)) == ModeGitlink {
			return true
		}
		if lo, hi := w.x.Dir(d); lo == hi && w.isRepository(d) {
			return true
		}
	}
	return false
}

// sparse reports whether entry i is not wanted in the worktree.
func (w *walk) sparse(i int) bool { return w.x.Flags(i)&index.SkipWorktree != 0 }
