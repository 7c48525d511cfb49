package gitstate

import (
	"slices"
	"strings"
)

// Inside returns the files of a tree below a directory, "." for all, in path
// order; also where the tree was limited to others.
func Inside(t Tree, dir string) []File {
	var out []File
	if o, ok := t.(*overlay); ok {
		for _, f := range Inside(o.Tree, dir) {
			if _, over := o.files[f.Path]; !over {
				out = append(out, f)
			}
		}
		for _, p := range o.order {
			if f := o.files[p]; f.text != nil && (dir == "." || under(p, dir)) {
				out = append(out, f.File)
			}
		}
		slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
		return out
	}
	if w, ok := t.(*worktree); ok && w.limits != nil && !w.wants(dir) {
		return w.outsideDir(dir)
	}
	if dir == "." {
		return slices.Collect(t.Files())
	}
	return pick(t, dir, func(path string) bool { return under(path, dir) })
}

// limited reports whether Files leaves out files that Lookup and [Inside] find.
func limited(t Tree) bool {
	switch t := t.(type) {
	case *overlay:
		return limited(t.Tree)
	case *worktree:
		return t.limits != nil
	default:
		return false
	}
}

// outsideDir looks at a directory that the limits left out, or cut.
func (t *worktree) outsideDir(dir string) []File {
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
