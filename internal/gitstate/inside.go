package gitstate

import (
	"iter"
	"slices"
	"strings"
)

// Inside returns the files of a tree below a directory, "." for all, in path
// order; also where the tree was limited to others.
func Inside(t Tree, dir string) []File {
	if p, ok := t.(partial); ok {
		return p.inside(dir)
	}
	return inside(t, dir)
}

// partial is a tree that may find more than Files yields.
type partial interface {
	limited() bool
	inside(dir string) []File
}

// Limited reports whether t was limited to some paths, so that Lookup and
// [Inside] find more than Files yields.
func Limited(t Tree) bool {
	p, ok := t.(partial)
	return ok && p.limited()
}

func inside(t Tree, dir string) []File {
	if dir == "." {
		return slices.Collect(t.Files())
	}
	return pick(t, dir, func(path string) bool { return under(path, dir) })
}

func (o *overlay) limited() bool { return Limited(o.Tree) }

func (o *overlay) inside(dir string) []File {
	out := slices.DeleteFunc(Inside(o.Tree, dir), func(f File) bool {
		_, over := o.files[f.Path]
		return over
	})
	for _, p := range o.order {
		if f := o.files[p]; f.text != nil && (dir == "." || under(p, dir)) {
			out = append(out, f.File)
		}
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

func (t *worktree) limited() bool { return t.limits != nil }

func (t *worktree) inside(dir string) []File {
	if t.wants(dir) {
		return inside(t, dir)
	}
	// A directory that the limits left out, or cut.
	t.mu.Lock()
	defer t.mu.Unlock()
	one, err := t.another(dir)
	if err != nil {
		return nil
	}
	files := slices.Collect(one.Files())
	for _, f := range files {
		if !t.wants(f.Path) {
			t.late[f.Path] = one
		}
	}
	return files
}

// scanOf returns the scan that found a path outside the limits; nil: none did.
func (t *worktree) scanOf(file string) *worktree {
	if t.limits == nil || t.wants(file) {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.late[file]
}

// another scans part of the same worktree. The caller has locked t.mu.
func (t *worktree) another(part string) (*worktree, error) {
	if t.late == nil {
		t.late = map[string]*worktree{}
	}
	one := &worktree{scan: &scan{root: t.root, x: t.x}, repo: t.repo, sizes: t.sizes}
	return one, one.open(t.background(), WorktreeOptions{Paths: []string{part}, Jobs: 1})
}

// Only returns a recorded tree, or an overlay of one, limited to some of its
// files, which are in path order: Files yields those that are there, Lookup,
// Read and [Inside] know all. Closing it closes tree.
func Only(tree Tree, paths []string) Tree {
	o := &only{Tree: tree, files: make([]File, 0, len(paths))}
	for _, p := range paths {
		if f, ok := tree.Lookup(p); ok {
			o.files = append(o.files, f)
		}
	}
	return o
}

type only struct {
	Tree
	files []File
}

// Files yields the files it is limited to.
func (o *only) Files() iter.Seq[File] { return slices.Values(o.files) }

// Len is their number.
func (o *only) Len() int { return len(o.files) }

func (o *only) limited() bool { return true }

func (o *only) inside(dir string) []File { return Inside(o.Tree, dir) }

// noDir reports whether t certainly has no directory of that name; false may
// mean that finding out is not cheap.
func noDir(t Tree, dir string) bool {
	switch t := t.(type) {
	case *only:
		return noDir(t.Tree, dir)
	case *overlay:
		return noDir(t.Tree, dir) && !slices.ContainsFunc(t.order, func(p string) bool { return under(p, dir) })
	case *entries:
		lo, hi := t.x.Dir(dir)
		return lo == hi && dir != "."
	case *worktree:
		if t.limited() || dir == "." { // a limited one looks when it is asked
			return false
		}
		t.resolve()
		lo, hi := t.x.Dir(dir)
		return lo == hi && !slices.ContainsFunc(t.devs, func(d deviation) bool { return under(d.Path, dir) })
	}
	return false
}
