package gitstate

import (
	"slices"
	"strings"
)

// Named returns the files of a tree that have a base name, in path order.
func Named(t Tree, base string) []File {
	w, ok := t.(*worktree)
	if !ok {
		var out []File
		for f := range t.Files() {
			if hasBase(f.Path, base) {
				out = append(out, f)
			}
		}
		return out
	}
	// Looking at paths alone saves making a File of every entry.
	w.resolve()
	var out []File
	for i, s := range w.state {
		if s == entryClean && hasBase(w.x.Path(i), base) {
			out = append(out, w.file(i))
		}
	}
	clean := len(out)
	for i := range w.devs {
		if hasBase(w.devs[i].Path, base) {
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
