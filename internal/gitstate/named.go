package gitstate

import (
	"slices"
	"strings"
)

// Named returns the files of a tree that have a base name, in path order.
func Named(t Tree, base string) []File {
	return pick(t, "", func(path string) bool { return hasBase(path, base) })
}

// pick returns the files below dir that match. Looking at paths alone saves
// making a File of every entry.
func pick(t Tree, dir string, match func(path string) bool) []File {
	var out []File
	if e, ok := t.(*entries); ok {
		lo, hi := e.x.Dir(dir)
		for i := lo; i < hi; i++ {
			if match(e.x.Path(i)) && e.keep(i) {
				out = append(out, e.file(i))
			}
		}
		return out
	}
	w, ok := t.(*worktree)
	if !ok {
		for f := range t.Files() {
			if match(f.Path) {
				out = append(out, f)
			}
		}
		return out
	}
	w.resolve()
	lo, hi := w.x.Dir(dir)
	for i := lo; i < hi; i++ {
		if w.state[i] == entryClean && match(w.x.Path(i)) {
			out = append(out, w.file(i))
		}
	}
	clean := len(out)
	for i := range w.devs {
		if match(w.devs[i].Path) {
			out = append(out, w.devs[i].File)
		}
	}
	if len(out) > clean && clean > 0 {
		slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	}
	return out
}

func hasBase(path, base string) bool {
	n := len(path) - len(base)
	return n >= 0 && path[n:] == base && (n == 0 || path[n-1] == '/')
}
