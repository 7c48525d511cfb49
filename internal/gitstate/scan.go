package gitstate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"poly/internal/gitstate/disk"
	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/index"
	"poly/internal/gitstate/recall"
	"poly/internal/gitstate/sum"
)

// entryState is what the scan found for one index entry. The zero value means
// that the entry describes its file.
type entryState uint8

const (
	entryClean  entryState = iota
	entryDeviat            // described by a deviation instead
	entryAbsent            // in the index, not in the worktree
	entrySparse            // absent, and not wanted: outside the sparse checkout
	entryStage             // a further stage of a conflict
	entryOut               // outside the paths asked for
)

// deviation is a file of the tree that the index does not describe, or not
// for certain.
type deviation struct {
	File
	stat  disk.Stat
	entry int32 // of the index; -1: untracked
	kept  bool  // stat and id are settled: equal stat later means equal bytes
}

// scan is one look at a worktree. Its parts fill it one after the other.
type scan struct {
	root     *disk.Root
	x        *index.Index
	identity string // of x
	rule     disk.Rule
	jobs     int
	limits   []string // sorted, none inside another; nil: everything

	state    []entryState
	dirs     []recall.Dir // that hold entries of the index, in order
	devs     []deviation
	special  []special // .gitignore and .gitattributes of the index
	problems []Problem
	removed  []string
}

// special is an entry that git itself reads.
type special struct {
	dir   string
	entry int32
	attrs bool
}

// chunk is the part of a scan that one goroutine does: index entries [lo, hi).
type chunk struct {
	s        *scan
	lo, hi   int
	first    bool // the entry before lo is not looked at
	levels   []level
	dirs     []recall.Dir
	devs     []deviation
	special  []special
	problems []Problem
	removed  []string
	buf      []byte
}

// level is a directory on the way to the current entry.
type level struct {
	dir    string
	usable bool // it is a directory, and so are all above it
}

// entries looks at every file the index knows, and at the directories they
// are in, with one lstat each. expect is how many directories that may be.
func (s *scan) entries(ctx context.Context, expect int) error {
	s.state = make([]entryState, s.x.Len())
	s.dirs = make([]recall.Dir, 0, expect+1)
	if s.limits == nil {
		var st disk.Stat
		if err := s.root.LstatPath("", &st); err != nil {
			return fmt.Errorf("look at %s: %w", s.root.Path, err)
		}
		s.dirs = append(s.dirs, recall.Dir{Stamp: st.Stamp()})
	}
	chunks := s.chunks()
	if err := each(ctx, s.jobs, 1, len(chunks), func(ctx context.Context, i int) error { return chunks[i].run(ctx) }); err != nil {
		return err
	}
	for i, c := range chunks {
		if i == 0 {
			s.dirs = c.dirs
		} else {
			s.dirs = append(s.dirs, c.dirs...)
		}
		s.devs = append(s.devs, c.devs...)
		s.special = append(s.special, c.special...)
		s.problems = append(s.problems, c.problems...)
		s.removed = append(s.removed, c.removed...)
	}
	return nil
}

// chunks cuts the index into parts, some for each goroutine. The first one
// goes on with s.dirs, which saves copying where it is the only one.
func (s *scan) chunks() []*chunk {
	parts := 1
	if s.jobs > 1 {
		parts = 4 * s.jobs
	}
	var chunks []*chunk
	for _, r := range s.ranges() {
		for lo := r[0]; lo < r[1]; {
			hi := min(r[1], lo+max(512, (r[1]-r[0])/parts+1))
			for hi < r[1] && s.x.Path(hi) == s.x.Path(hi-1) {
				hi++
			}
			chunks = append(chunks, &chunk{s: s, lo: lo, hi: hi, first: lo == r[0]})
			lo = hi
		}
	}
	if len(chunks) > 0 {
		chunks[0].dirs = s.dirs
	}
	return chunks
}

// comparePaths orders directories, written with a slash at the end, as the
// entries below them are ordered.
func comparePaths(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == "/":
		return -1
	case b == "/":
		return 1
	default:
		return strings.Compare(a, b)
	}
}

// ranges returns the parts of the index to look at; all else is entryOut.
func (s *scan) ranges() [][2]int {
	if s.limits == nil {
		return [][2]int{{0, s.x.Len()}}
	}
	for i := range s.state {
		s.state[i] = entryOut
	}
	var out [][2]int
	for _, l := range s.limits {
		lo, ok := s.x.Find(l)
		hi := lo
		for ok && hi < s.x.Len() && s.x.Path(hi) == l {
			hi++
		}
		if !ok {
			lo, hi = s.x.Dir(l)
		}
		if lo < hi {
			out = append(out, [2]int{lo, hi})
			clear(s.state[lo:hi])
		}
	}
	slices.SortFunc(out, func(a, b [2]int) int { return a[0] - b[0] })
	return out
}

// wants reports whether a path is one of the limits or below one.
func (s *scan) wants(path string) bool {
	if s.limits == nil {
		return true
	}
	for _, l := range s.limits {
		if path == l || len(path) > len(l) && path[len(l)] == '/' && path[:len(l)] == l {
			return true
		}
	}
	return false
}

func (c *chunk) run(ctx context.Context) error {
	for i := c.lo; i < c.hi; i++ {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		path := c.s.x.Path(i)
		c.enter(path, i)
		c.entry(i, path)
	}
	return nil
}

// enter makes levels the directories above path, looking at new ones.
func (c *chunk) enter(path string, i int) {
	n := len(c.levels)
	for n > 0 && !under(path, c.levels[n-1].dir) {
		n--
	}
	c.levels = c.levels[:n]
	start := 0
	if n > 0 {
		start = len(c.levels[n-1].dir) + 1
	}
	for {
		slash := strings.IndexByte(path[start:], '/')
		if slash < 0 {
			return
		}
		c.levels = append(c.levels, c.level(path[:start+slash], i))
		start += slash + 1
	}
}

func under(path, dir string) bool {
	return len(path) > len(dir) && path[len(dir)] == '/' && path[:len(dir)] == dir
}

// level looks at one directory.
func (c *chunk) level(dir string, i int) level {
	usable := len(c.levels) == 0 || c.levels[len(c.levels)-1].usable
	var st disk.Stat
	if usable {
		c.buf = append(append(c.buf[:0], dir...), 0)
		err := c.s.root.Lstat(&c.buf[0], &st)
		usable = err == nil && st.IsDir()
		if err != nil && !disk.Absent(err) {
			usable = true // let each of its files tell what is wrong
		}
	}
	// A directory that the chunk before has met is recorded there.
	again := i == c.lo && !c.first && under(c.s.x.Path(i-1), dir)
	if usable && st.Mode != 0 && !again && c.s.wants(dir) {
		c.dirs = append(c.dirs, recall.Dir{Path: dir, Stamp: st.Stamp()})
	}
	return level{dir: dir, usable: usable}
}

// entry looks at one file.
func (c *chunk) entry(i int, path string) {
	x := c.s.x
	stage := x.Stage(i)
	if stage != 0 && i > 0 && x.Path(i-1) == path {
		c.s.state[i] = entryStage
		return
	}
	usable := true
	base := path
	if n := len(c.levels); n > 0 {
		usable = c.levels[n-1].usable
		base = path[len(c.levels[n-1].dir)+1:]
	}
	mode, flags := Mode(x.Mode(i)), x.Flags(i)
	if base == ".gitignore" || base == ".gitattributes" {
		c.special = append(c.special, special{dir: strings.TrimSuffix(path[:len(path)-len(base)], "/"), entry: int32(i), attrs: base == ".gitattributes"})
	}
	var st disk.Stat
	var err error = syscall.ENOENT
	if usable {
		err = c.s.root.Lstat(x.CPath(i), &st)
	}
	switch {
	case err == nil:
		c.found(i, path, mode, flags, &st)
	case !disk.Absent(err):
		c.s.state[i] = entryAbsent
		c.removed = append(c.removed, path)
		c.problems = append(c.problems, Problem{Path: path, Err: err})
	case flags&index.SkipWorktree != 0:
		c.s.state[i] = entrySparse
	default:
		c.s.state[i] = entryAbsent
		c.removed = append(c.removed, path)
	}
}

// found judges what is at the place of entry i.
func (c *chunk) found(i int, path string, mode Mode, flags index.Flags, st *disk.Stat) {
	s := c.s
	if mode == ModeGitlink && st.IsDir() {
		if s.x.Stage(i) == 0 {
			return // a submodule, entered or not, is what the index says
		}
		s.state[i] = entryDeviat
		c.devs = append(c.devs, deviation{File: File{Path: path, Mode: mode, Conflict: true, Changed: true, Size: -1}, stat: *st, entry: int32(i)})
		return
	}
	conflict := s.x.Stage(i) != 0
	own := flags&(index.IntentToAdd|index.SkipWorktree) != 0 // never part of the baseline
	if !conflict && !own && mode != ModeGitlink && s.rule.Clean(s.x, i, st) {
		return
	}
	now, ok := s.rule.Mode(mode, st)
	if !ok { // a directory, a pipe: the file is gone
		s.state[i] = entryAbsent
		c.removed = append(c.removed, path)
		return
	}
	s.state[i] = entryDeviat
	c.devs = append(c.devs, deviation{File: File{Path: path, Mode: now, Conflict: conflict, Size: st.Size}, stat: *st, entry: int32(i)})
}

// digests computes the digest of the index's names in each directory: of files,
// of submodules and of directories. Order does not matter to a sum.
func (s *scan) digests() {
	at := make(map[string]*uint64, len(s.dirs))
	for i := range s.dirs {
		s.dirs[i].Digest = 0
		at[s.dirs[i].Path] = &s.dirs[i].Digest
	}
	add := func(dir, name string) {
		if d := at[dir]; d != nil {
			*d += sum.String(name)
		}
	}
	last := ""
	for i := range s.x.Len() {
		path := s.x.Path(i)
		if path == last { // a further stage
			continue
		}
		dir := entry.Dir(path)
		name := strings.TrimPrefix(path[len(dir):], "/")
		if Mode(s.x.Mode(i)) == ModeGitlink {
			name += "\x00"
		}
		add(dir, name)
		for dir != "" && !under(last, dir) {
			up := entry.Dir(dir)
			add(up, strings.TrimPrefix(dir[len(up):], "/")+"/")
			dir = up
		}
		last = path
	}
}
