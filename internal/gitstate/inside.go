package gitstate

import (
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

// limited reports whether Files leaves out files that Lookup and [Inside] find.
func limited(t Tree) bool {
	p, ok := t.(partial)
	return ok && p.limited()
}

func inside(t Tree, dir string) []File {
	var out []File
	for f := range t.Files() {
		if dir == "." || under(f.Path, dir) {
			out = append(out, f)
		}
	}
	return out
}

func (o *overlay) limited() bool { return limited(o.Tree) }

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
	if t.late == nil {
		t.late = map[string]*deviation{}
	}
	for i := range one.devs {
		t.late[one.devs[i].Path] = &one.devs[i]
	}
	return slices.Collect(one.Files())
}

// another scans part of the same worktree.
func (t *worktree) another(part string) (*worktree, error) {
	one := &worktree{scan: &scan{root: t.root, x: t.x}, repo: t.repo}
	return one, one.open(t.background(), WorktreeOptions{Paths: []string{part}, Jobs: 1})
}
