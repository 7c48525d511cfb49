package runner

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"poly/internal/engine"
	"poly/internal/gitstate"
)

// inputs finds the files an engine declared as [engine.Inputs], directory by
// directory, and their digest, which joins the key of every file below.
type inputs struct {
	tree     gitstate.Tree
	names    []string
	paths    []string        // declared
	siblings []string        // patterns
	fixed    []gitstate.File // what is there of paths
	empty    [32]byte        // digest of fixed alone

	mu     sync.Mutex
	dirs   map[string]*dirInputs
	listed int                        // directories that were listed one by one
	lists  map[string][]gitstate.File // siblings of every directory; nil: not yet
}

// dirInputs are the inputs seen from one directory: those found by name, nearest
// first, and the siblings of its files.
type dirInputs struct {
	files    []gitstate.File
	siblings []gitstate.File
	digest   [32]byte
}

func newInputs(tree gitstate.Tree, in engine.Inputs) *inputs {
	s := &inputs{tree: tree, names: in.Names, paths: in.Paths, siblings: in.Siblings, dirs: map[string]*dirInputs{}}
	for _, p := range in.Paths {
		if f, ok := tree.Lookup(p); ok {
			s.fixed = append(s.fixed, f)
			continue
		}
		for _, f := range gitstate.Inside(tree, p) {
			if f.Mode.Regular() {
				s.fixed = append(s.fixed, f)
			}
		}
	}
	s.empty = fileDigest(s.fixed)
	return s
}

func fileDigest(files []gitstate.File) [32]byte {
	parts := make([][]byte, 0, 3*len(files))
	for _, f := range files {
		parts = append(parts, []byte(f.Path), []byte(f.ID), []byte(f.Class))
	}
	return digest(parts...)
}

// near returns the files found for Names, seen from the directory of a path.
func (s *inputs) near(file string) []gitstate.File {
	if len(s.names) == 0 {
		return nil
	}
	return s.dir(path.Dir(file)).files
}

// beside returns the files found for Siblings in the directory of a path, the
// path itself too.
func (s *inputs) beside(file string) []gitstate.File {
	if len(s.siblings) == 0 {
		return nil
	}
	return s.dir(path.Dir(file)).siblings
}

// digest returns the digest of everything a file at path may be influenced by.
func (s *inputs) digest(file string) [32]byte {
	if len(s.names) == 0 && len(s.siblings) == 0 {
		return s.empty
	}
	return s.dir(path.Dir(file)).digest
}

func (s *inputs) dir(dir string) *dirInputs {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dirLocked(dir)
}

func (s *inputs) dirLocked(dir string) *dirInputs {
	if d := s.dirs[dir]; d != nil {
		return d
	}
	var own []gitstate.File
	for _, n := range s.names {
		if f, ok := s.tree.Lookup(path.Join(dir, n)); ok && f.Mode.Regular() {
			own = append(own, f)
		}
	}
	d := &dirInputs{files: own, siblings: s.list(dir)}
	if dir != "." && len(s.names) > 0 {
		up := s.dirLocked(path.Dir(dir))
		if len(own)+len(d.siblings)+len(up.siblings) == 0 {
			s.dirs[dir] = up
			return up
		}
		d.files = append(own, up.files...)
	}
	fd, sd := fileDigest(d.files), fileDigest(d.siblings)
	d.digest = digest(s.empty[:], fd[:], sd[:])
	s.dirs[dir] = d
	return d
}

// maxListed is how many directories are listed one by one: few are found
// faster so, many by a look at the whole tree.
const maxListed = 16

// list finds the siblings of the files in a directory, by path.
func (s *inputs) list(dir string) []gitstate.File {
	if len(s.siblings) == 0 {
		return nil
	}
	if s.listed++; s.lists == nil && s.listed > maxListed && !gitstate.Limited(s.tree) {
		s.lists = map[string][]gitstate.File{}
		for f := range s.tree.Files() {
			if f.Mode.Regular() && matchesName(s.siblings, f.Path) {
				s.lists[path.Dir(f.Path)] = append(s.lists[path.Dir(f.Path)], f)
			}
		}
	}
	if s.lists != nil {
		return s.lists[dir]
	}
	var out []gitstate.File
	for _, f := range gitstate.Inside(s.tree, dir) {
		if f.Mode.Regular() && path.Dir(f.Path) == dir && matchesName(s.siblings, f.Path) {
			out = append(out, f)
		}
	}
	return out
}

// matchesName tells that the base name of a path matches one of the patterns.
func matchesName(patterns []string, file string) bool {
	base := path.Base(file)
	return slices.ContainsFunc(patterns, func(pat string) bool {
		ok, err := path.Match(pat, base)
		return ok && err == nil
	})
}

// inputReader reads each input file of a run once.
type inputReader struct {
	mu    sync.Mutex
	texts map[string][]byte
	// odd: an input lies there in another form than its Class said before it
	// was read. Keys were made of that Class, so nothing more is stored.
	odd atomic.Bool
}

func (r *run) readInput(ctx context.Context, f gitstate.File) ([]byte, error) {
	r.reader.mu.Lock()
	defer r.reader.mu.Unlock()
	if text, ok := r.reader.texts[f.Path]; ok {
		return text, nil
	}
	now, text, err := gitstate.ReadNow(ctx, r.req.Tree, f)
	if err != nil {
		return nil, err
	}
	if now.Class != f.Class {
		r.reader.odd.Store(true)
	}
	r.reader.texts[f.Path] = text
	return text, nil
}

// touch is an entry of the baseline that a memo must not speak about. again: it
// does not deviate, so that it is to be judged as it was.
type touch struct {
	gitstate.File
	again bool
}

// touched are the entries of the baseline that a memo must not speak about, by
// path: those that deviate, and those beside a file that does and that matches
// one of the patterns; again tells of the latter that they are to be judged.
func (r *run) touched(base gitstate.Baseline, patterns []string) []touch {
	var out []touch
	for _, f := range base.Was {
		out = append(out, touch{File: f})
	}
	dirs := besideDirs(base, patterns)
	if len(dirs) == 0 {
		return out
	}
	deviates := deviating(base)
	for dir := range dirs {
		for _, f := range gitstate.Inside(r.req.Tree, dir) {
			if path.Dir(f.Path) == dir && !deviates[f.Path] {
				out = append(out, touch{f, true})
			}
		}
	}
	slices.SortFunc(out, func(a, b touch) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// besideDirs are the directories of the deviating files that match a pattern.
func besideDirs(base gitstate.Baseline, patterns []string) map[string]bool {
	if len(patterns) == 0 {
		return nil
	}
	dirs := map[string]bool{}
	for _, files := range [...][]gitstate.File{base.Deviating, base.Was} {
		for _, f := range files {
			if matchesName(patterns, f.Path) {
				dirs[path.Dir(f.Path)] = true
			}
		}
	}
	return dirs
}

var _ fs.FS = treeFS{}

// treeFS is what engines see of the tree at Bind.
type treeFS struct{ fs.FS }
