package gitstate

import (
	"context"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"

	"poly/internal/gitstate/entry"
)

// overlay is a tree with some files replaced, added or removed.
type overlay struct {
	Tree
	files map[string]overlaid
	order []string // keys of files, sorted
	count int
}

type overlaid struct {
	File
	text []byte // nil: removed
	in   bool   // the tree below has the path
}

// Overlay returns tree with files replaced or added; nil bytes remove one. The
// bytes are what Read returns: no conversion is done on them. Closing it
// closes tree. The map and its slices must not be changed afterwards.
func Overlay(tree Tree, files map[string][]byte) Tree {
	o := &overlay{Tree: tree, files: make(map[string]overlaid, len(files)), order: slices.Sorted(maps.Keys(files)), count: tree.Len()}
	hashLen := len(entry.BlobID(nil, 0))
	for f := range tree.Files() {
		if f.ID != "" {
			hashLen = len(f.ID)
			break
		}
	}
	for _, p := range o.order {
		text := files[p]
		was, in := tree.Lookup(p)
		f := overlaid{text: text, in: in && inFiles(tree, was)}
		f.File = File{Path: p, Mode: ModeRegular, ID: entry.BlobID(text, hashLen), Size: int64(len(text)), Changed: true, Untracked: !in || was.Untracked}
		if in && was.Mode.Regular() {
			f.Mode = was.Mode
			f.Changed = was.Changed || was.ID != f.ID || was.Class != ""
		}
		if f.in {
			o.count--
		}
		if text != nil {
			o.count++
		}
		o.files[p] = f
	}
	return o
}

// inFiles reports whether Files yields f: a tree with limits also finds others.
func inFiles(t Tree, f File) bool {
	switch t := t.(type) {
	case *overlay:
		return inFiles(t.Tree, f)
	case *worktree:
		return t.wants(f.Path)
	default:
		return true
	}
}

// Files implements [Tree].
func (o *overlay) Files() iter.Seq[File] {
	return func(yield func(File) bool) {
		next := 0
		more := func(before string, all bool) bool {
			for ; next < len(o.order) && (all || o.order[next] < before); next++ {
				if f := o.files[o.order[next]]; f.text != nil && !yield(f.File) {
					return false
				}
			}
			return true
		}
		for f := range o.Tree.Files() {
			if !more(f.Path, false) {
				return
			}
			if _, over := o.files[f.Path]; over {
				continue
			}
			if !yield(f) {
				return
			}
		}
		more("", true)
	}
}

// Len implements [Tree].
func (o *overlay) Len() int { return o.count }

// Lookup implements [Tree].
func (o *overlay) Lookup(path string) (File, bool) {
	if f, over := o.files[path]; over {
		return f.File, f.text != nil
	}
	return o.Tree.Lookup(path)
}

// Read implements [Tree].
func (o *overlay) Read(ctx context.Context, f File) ([]byte, error) {
	over, ok := o.files[f.Path]
	switch {
	case !ok:
		return o.Tree.Read(ctx, f)
	case over.text == nil:
		return nil, &fs.PathError{Op: "read", Path: f.Path, Err: fs.ErrNotExist}
	case over.ID != f.ID || f.Class != "":
		return nil, &fs.PathError{Op: "read", Path: f.Path, Err: ErrChanged}
	default:
		return slices.Clone(over.text), ctx.Err()
	}
}

// Baseline implements [Tree]: the baseline of the tree below, with the files
// of the overlay as deviations.
func (o *overlay) Baseline() Baseline {
	b := o.Tree.Baseline()
	dev := make([]File, 0, len(b.Deviating)+len(o.order))
	known := map[string]bool{}
	for _, f := range b.Deviating {
		known[f.Path] = true
		if _, over := o.files[f.Path]; !over {
			dev = append(dev, f)
		}
	}
	removed := make([]string, 0, len(b.Removed))
	for _, p := range b.Removed {
		if f, over := o.files[p]; !over || f.text == nil {
			removed = append(removed, p)
		}
	}
	for _, p := range o.order {
		f := o.files[p]
		under, was := o.Tree.Lookup(p)
		if was && b.State != "" && !known[p] {
			b.Was = append(slices.Clip(b.Was), under)
		}
		switch {
		case f.text != nil:
			dev = append(dev, f.File)
		case was && b.State != "":
			removed = append(removed, p)
		}
	}
	slices.SortFunc(dev, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	slices.Sort(removed)
	slices.SortFunc(b.Was, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	b.Deviating, b.Removed = dev, slices.Compact(removed)
	return b
}
