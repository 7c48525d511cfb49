package gitstate

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"

	"poly/internal/gitstate/attr"
	"poly/internal/gitstate/disk"
	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/ignore"
	"poly/internal/gitstate/index"
	"poly/internal/gitstate/repo"
	"poly/internal/gitstate/sum"
)

// WorktreeOptions of [Worktree] and [Plain].
type WorktreeOptions struct {
	// Memory makes the next scan cheap; nil: nothing is remembered.
	Memory Memory
	// Jobs bounds the goroutines; 0: as many as there are processors.
	Jobs int
	// Paths limits the scan to these files and directories, slash-separated
	// and relative to the root. nil: everything. Files outside are not yielded,
	// but Lookup, Read and Attr know them. A path that is missing or ignored
	// yields nothing.
	Paths []string
}

// worktree is a Tree of files on disk: what the index says of those it
// describes, and the deviations.
//
// Invariant: devs is in path order; entry i of x is yielded if state[i] is
// entryClean, its deviation if it is entryDeviat, else nothing.
type worktree struct {
	*scan
	repo    *Repo // nil outside a repository
	attrs   *attr.Set
	conv    *attr.Converter
	ignores *ignore.Set
	memory  Memory
	base    Baseline
	count   int
	// background is used where the interface has no context.
	background func() context.Context

	classes sync.Once
	forms   forms
	sizes   *sizes // shared by all scans of the worktree

	mu   sync.Mutex
	late map[string]*worktree // scans of paths outside the limits
}

// Worktree returns the tree of files in the worktree of r. It looks at each
// file and directory the index knows once, and reads only what the index does
// not vouch for: changed, racy and untracked files, and directories whose
// times changed. The caller closes it; r must outlive it.
func Worktree(ctx context.Context, r *Repo, o WorktreeOptions) (Tree, error) {
	if r.Root == "" {
		return nil, errors.New("a bare repository has no worktree")
	}
	x, err := r.Index(ctx)
	if err != nil {
		return nil, err
	}
	root, err := disk.OpenRoot(r.Root)
	if err != nil {
		return nil, errors.Join(err, x.Close())
	}
	t := &worktree{scan: &scan{root: root, x: x}, repo: r, sizes: &sizes{}}
	if err := t.open(ctx, o); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// open does the whole scan.
func (t *worktree) open(ctx context.Context, o WorktreeOptions) error {
	t.memory, t.jobs = o.Memory, o.Jobs
	if t.jobs <= 0 {
		t.jobs = runtime.GOMAXPROCS(0)
	}
	t.limits = limits(o.Paths)
	later := context.WithoutCancel(ctx)
	t.background = func() context.Context { return later }
	src, err := t.settings()
	if err != nil {
		return err
	}
	w := &walk{scan: t.scan, memory: o.Memory, now: disk.CoarseNow()}
	w.ignores = ignore.New(ignore.Sources{Outside: src.ignore, FoldCase: src.fold, Read: func(file string) ([]byte, bool) {
		s, ok := w.sources[entry.Dir(file)]
		if !ok {
			return nil, false
		}
		return t.readSpecial(later, file, s.blob)
	}})
	t.ignores = w.ignores
	t.identity = t.x.Identity()
	w.open(ctx)
	if err := t.entries(ctx, w.seen.Len); err != nil {
		return err
	}
	base := sum.String(fmt.Sprint(src.fold, t.repo != nil))
	for _, f := range src.ignore {
		base = sum.Mix(base, sum.String(string(entry.BlobID(f.Text, sha256.Size))))
	}
	if err := w.run(ctx, base); err != nil {
		return err
	}
	t.attrs = attr.New(attr.Sources{
		Outside: src.attrs, Info: src.info, Dirs: w.attrs, FoldCase: src.fold,
		Read: func(file string) ([]byte, bool) { return t.readSpecial(later, file, true) },
	})
	if t.repo != nil {
		if t.conv, err = attr.NewConverter(t.repo.Config, t.attrs); err != nil {
			return err
		}
	}
	h := &rehash{scan: t.scan, repo: t.repo, memory: o.Memory, conv: t.conv}
	if err := h.run(ctx); err != nil {
		return err
	}
	slices.Sort(t.removed)
	slices.SortStableFunc(t.problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	t.baseline(ctx, src, w.loose)
	return nil
}

// limits cleans, sorts and prunes paths; nil means everything.
func limits(paths []string) []string {
	if paths == nil {
		return nil
	}
	all := make([]string, 0, len(paths))
	for _, p := range paths {
		p = strings.Trim(path.Clean("/"+p), "/")
		if p == "" {
			return nil
		}
		all = append(all, p)
	}
	// In the order of directories what lies below one follows it.
	slices.SortFunc(all, func(a, b string) int { return comparePaths(a+"/", b+"/") })
	kept := all[:0]
	for _, p := range all {
		if n := len(kept); n == 0 || p != kept[n-1] && !under(p, kept[n-1]) {
			kept = append(kept, p)
		}
	}
	return kept
}

// settings are what configuration says about a scan.
type settings struct {
	fold   bool
	ignore []ignore.File
	attrs  [][]byte
	info   []byte
}

func (t *worktree) settings() (settings, error) {
	var s settings
	t.rule = disk.Rule{Ctime: true, FileMode: true, Symlinks: true, Index: t.x.File(), Empty: entry.BlobID(nil, t.x.HashLen())}
	if t.repo == nil {
		return s, nil
	}
	c := t.repo.Config
	var errs [4]error
	s.fold, errs[0] = c.Bool("core.ignoreCase", false)
	t.rule.FileMode, errs[1] = c.Bool("core.fileMode", true)
	t.rule.Symlinks, errs[2] = c.Bool("core.symlinks", true)
	t.rule.Ctime, errs[3] = c.Bool("core.trustCtime", true)
	if t.rule.Minimal = strings.EqualFold(c.String("core.checkStat"), "minimal"); t.rule.Minimal {
		t.rule.Ctime = false
	}
	if err := errors.Join(errs[:]...); err != nil {
		return s, err
	}
	files, err := repo.IgnoreFiles(t.repo)
	if err != nil {
		return s, err
	}
	for _, f := range files {
		s.ignore = append(s.ignore, ignore.File{Name: f.Name, Text: f.Text})
	}
	s.attrs, s.info, err = repo.AttributeFiles(t.repo)
	return s, err
}

// readSpecial reads a file that git itself reads, from the worktree or, if it
// is not there, from the index. Links are not followed.
func (t *worktree) readSpecial(ctx context.Context, file string, orBlob bool) ([]byte, bool) {
	b, _, _, err := t.root.ReadFile(file)
	if err == nil {
		return b, true
	}
	i, ok := t.x.Find(file)
	if !orBlob || !ok || !errors.Is(err, fs.ErrNotExist) || t.repo == nil || t.x.Stage(i) != 0 {
		return nil, false
	}
	_, b, err = t.repo.Objects().Contents(ctx, ID(t.x.ID(i)))
	return b, err == nil
}

// baseline computes how the tree differs from a known state.
func (t *worktree) baseline(ctx context.Context, src settings, loose []string) {
	t.count = len(t.devs)
	for _, s := range t.state {
		if s == entryClean {
			t.count++
		}
	}
	if t.repo == nil || t.limits != nil {
		return
	}
	t.base.State = t.stateID(ctx, src, loose)
	t.base.Removed = t.removed
	t.base.Deviating = make([]File, len(t.devs))
	for i := range t.devs {
		t.base.Deviating[i] = t.devs[i].File
	}
	for i, s := range t.state {
		if !t.inBaseline(i) {
			continue
		}
		t.base.Total++
		if s == entryDeviat || s == entryAbsent {
			t.base.Was = append(t.base.Was, t.file(i))
		}
	}
}

// stateID is the digest of the baseline. It covers all that ids and classes of
// clean entries follow from, besides the entries themselves: settings,
// attribute files outside the tree, and those in it that neither the index nor
// the deviations tell of.
func (t *worktree) stateID(ctx context.Context, src settings, loose []string) ID {
	b := []byte("worktree\x00")
	add := func(s []byte) {
		sum := sha256.Sum256(s)
		b = append(b, sum[:]...)
	}
	add([]byte(t.identity))
	if t.identity != t.x.Trailer() {
		// By its size a clean entry stands for one form of its blob, and an
		// identity that is no checksum of the file does not cover sizes.
		add(binary.LittleEndian.AppendUint64(nil, t.sizesSum()))
	}
	add(fmt.Append(nil, t.rule.FileMode, t.rule.Symlinks, src.fold, " "+t.conv.Defaults()))
	for _, v := range t.repo.Config.List() {
		if strings.HasPrefix(v.Key, "filter.") {
			add([]byte(v.Key + "\x00" + v.Text))
		}
	}
	for _, text := range append(slices.Clone(src.attrs), src.info) {
		add(text)
	}
	slices.Sort(loose)
	for _, dir := range loose {
		text, _ := t.readSpecial(ctx, path.Join(dir, ".gitattributes"), false)
		add([]byte(dir))
		add(text)
	}
	sum := sha256.Sum256(b)
	return ID(sum[:])
}

// sizesSum is a digest of the sizes of all entries.
func (t *worktree) sizesSum() uint64 {
	var h uint64
	for i := range t.x.Len() {
		h = sum.Mix(h, uint64(t.x.Record(i).Size()))
	}
	return h
}

// inBaseline reports whether entry i is part of the baseline: what is there
// whatever its file is like is not.
func (t *worktree) inBaseline(i int) bool {
	return t.x.Stage(i) == 0 && t.x.Flags(i)&(index.IntentToAdd|index.SkipWorktree) == 0
}

// Baseline implements [Tree]. With limits, or outside a repository, there is
// no state to start from.
func (t *worktree) Baseline() Baseline {
	if t.base.State == "" {
		return Baseline{Deviating: slices.Collect(t.Files())}
	}
	return t.base
}

// Files implements [Tree].
func (t *worktree) Files() iter.Seq[File] {
	return func(yield func(File) bool) {
		t.resolve()
		next := 0
		for i, s := range t.state {
			if s != entryClean {
				continue
			}
			for p := t.x.Path(i); next < len(t.devs) && t.devs[next].Path < p; next++ {
				if !yield(t.devs[next].File) {
					return
				}
			}
			if !yield(t.file(i)) {
				return
			}
		}
		for ; next < len(t.devs); next++ {
			if !yield(t.devs[next].File) {
				return
			}
		}
	}
}

// file makes the File of a clean entry.
func (t *worktree) file(i int) File {
	f := File{Path: t.x.Path(i), Mode: entry.CanonicalMode(t.x.Mode(i)), ID: ID(t.x.ID(i)), Size: int64(t.x.Stat(i).Size)}
	if f.Mode == ModeGitlink || f.Size == 0 && f.ID != t.rule.Empty {
		f.Size = -1 // git writes 0 where it does not trust the times
	}
	f.Class = t.forms.of(i)
	return f
}

// Len implements [Tree].
func (t *worktree) Len() int { return t.count }

// dev finds a deviation by path.
func (t *worktree) dev(file string) (*deviation, bool) {
	i := sort.Search(len(t.devs), func(i int) bool { return t.devs[i].Path >= file })
	if i < len(t.devs) && t.devs[i].Path == file {
		return &t.devs[i], true
	}
	return nil, false
}

// Lookup implements [Tree].
func (t *worktree) Lookup(file string) (File, bool) {
	if d, ok := t.dev(file); ok {
		return d.File, true
	}
	i, ok := t.x.Find(file)
	if ok && t.state[i] == entryClean {
		t.resolve()
		return t.file(i), true
	}
	if t.limits != nil && !t.wants(file) {
		return t.outside(file)
	}
	return File{}, false
}

// outside looks at one file that the limits left out.
func (t *worktree) outside(file string) (File, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	one := t.late[file]
	if one == nil {
		var err error
		if one, err = t.another(file); err != nil {
			return File{}, false
		}
		t.late[file] = one
	}
	return one.Lookup(file)
}

// Read implements [Tree].
func (t *worktree) Read(ctx context.Context, f File) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !f.Mode.Regular() {
		return nil, &fs.PathError{Op: "read", Path: f.Path, Err: fs.ErrInvalid}
	}
	if one := t.scanOf(f.Path); one != nil {
		return one.Read(ctx, f)
	}
	b, before, after, err := t.root.ReadFile(f.Path)
	if errors.Is(err, disk.ErrNotRegular) {
		return nil, fmt.Errorf("%s: %w", f.Path, ErrChanged)
	}
	if err != nil {
		return nil, err
	}
	if t.unchanged(f, &before, &after) || t.verify(f, b) {
		return b, nil
	}
	if i, ok := t.x.Find(f.Path); ok && before.Same(&after) && t.vouched(f, i, &after) {
		t.odd(i, b)
	}
	return nil, fmt.Errorf("%s: %w", f.Path, ErrChanged)
}

// unchanged reports whether the stat data of an open file vouch for its
// being what the scan saw. For a clean entry they do not tell in which form
// the blob lies there, unless a class does: see resolve.
func (t *worktree) unchanged(f File, before, after *disk.Stat) bool {
	if !before.Same(after) {
		return false
	}
	if d, ok := t.dev(f.Path); ok {
		return d.kept && d.ID == f.ID && d.Class == f.Class && d.stat.Same(after)
	}
	i, ok := t.x.Find(f.Path)
	return ok && f.Class != "" && f.Class == t.forms.of(i) && t.vouched(f, i, after)
}

// vouched reports whether entry i describes the file f.
func (t *worktree) vouched(f File, i int, st *disk.Stat) bool {
	return t.state[i] == entryClean && ID(t.x.ID(i)) == f.ID && t.rule.Clean(t.x, i, st)
}

// verify reports whether b is what f names, by its bytes alone.
func (t *worktree) verify(f File, b []byte) bool {
	if f.Class == "" {
		same := entry.BlobID(b, t.x.HashLen()) == f.ID
		if _, deviates := t.dev(f.Path); same && !deviates {
			t.sizes.add(f.ID, int64(len(b)))
		}
		return same
	}
	conv := t.conv.Of(f.Path)
	// A class that holds no digest of the bytes is not proof.
	class := conv.ClassOf(b, f.ID)
	return class == f.Class && (class == "crlf" || strings.Contains(string(class), "raw="))
}

// Attr implements [Tree].
func (t *worktree) Attr(file, name string) string { return t.attrs.Value(file, name) }

// Problems implements [Tree].
func (t *worktree) Problems() []Problem { return t.problems }

// Close implements [Tree].
func (t *worktree) Close() error { return errors.Join(t.x.Close(), t.root.Close()) }

// IgnoreRule is the line that makes git ignore a path.
type IgnoreRule = ignore.Rule

// Ignored tells the rule by which git ignores a path of a worktree or a plain
// directory. ok is false if there is none, and for trees that know no ignore
// rules.
func Ignored(t Tree, file string, isDir bool) (rule IgnoreRule, ok bool) {
	if o, over := t.(*overlay); over {
		t = o.Tree
	}
	w, is := t.(*worktree)
	if !is {
		return IgnoreRule{}, false
	}
	r := w.ignores.Match(file, isDir)
	if r == nil {
		return IgnoreRule{}, false
	}
	return *r, true
}
