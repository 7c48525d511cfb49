package runner

import (
	"context"
	"io/fs"
	"path"
	"sync"
	"sync/atomic"

	"poly/internal/engine"
	"poly/internal/gitstate"
)

// inputs finds the files an engine declared as [engine.Inputs], directory by
// directory, and their digest, which joins the key of every file below.
type inputs struct {
	tree  gitstate.Tree
	names []string
	paths []string        // declared
	fixed []gitstate.File // what is there of paths
	empty [32]byte        // digest of fixed alone

	mu   sync.Mutex
	dirs map[string]*dirInputs
}

// dirInputs are the inputs seen from one directory, nearest first.
type dirInputs struct {
	files  []gitstate.File
	digest [32]byte
}

func newInputs(tree gitstate.Tree, in engine.Inputs) *inputs {
	s := &inputs{tree: tree, names: in.Names, paths: in.Paths, dirs: map[string]*dirInputs{}}
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

// digest returns the digest of everything a file at path may be influenced by.
func (s *inputs) digest(file string) [32]byte {
	if len(s.names) == 0 {
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
	var d *dirInputs
	if dir == "." {
		d = &dirInputs{files: own}
	} else {
		up := s.dirLocked(path.Dir(dir))
		if len(own) == 0 {
			s.dirs[dir] = up
			return up
		}
		d = &dirInputs{files: append(own, up.files...)}
	}
	fd := fileDigest(d.files)
	d.digest = digest(s.empty[:], fd[:])
	s.dirs[dir] = d
	return d
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

var _ fs.FS = treeFS{}

// treeFS is what engines see of the tree at Bind.
type treeFS struct{ fs.FS }
