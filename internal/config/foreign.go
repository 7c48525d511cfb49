package config

import (
	"cmp"
	"path"
	"strings"

	"poly/internal/glob"
)

// foreign tells which directories are excluded by the files above them. It
// sees levels outermost first.
type foreign struct {
	named  func(dir string) bool
	levels map[string]level
	lists  map[string]*glob.List // by the innermost directory with a level
	any    bool                  // a level excludes something
}

func newForeign(named func(dir string) bool) *foreign {
	return &foreign{named: named, levels: map[string]level{}, lists: map[string]*glob.List{}}
}

func (f *foreign) add(v level) {
	f.levels[v.dir] = v
	f.any = f.any || v.node.get("discovery", "exclude") != nil
}

// excluded reports whether dir, or a directory above it, is excluded.
func (f *foreign) excluded(dir string) bool {
	if !f.any || dir == "." || f.named != nil && f.named(dir) {
		return false
	}
	for i, c := range dir + "/" {
		if c == '/' && f.list(path.Dir(dir[:i])).Match(dir[:i], true).Ignored() {
			return true
		}
	}
	return false
}

// list returns the globs in force for what is in dir.
func (f *foreign) list(dir string) *glob.List {
	for dir != "." {
		if _, ok := f.levels[dir]; ok {
			break
		}
		dir = path.Dir(dir)
	}
	l, ok := f.lists[dir]
	if !ok {
		var e Effective
		for _, v := range governing(f.levels, dir) {
			e.addGlobs(v)
		}
		rules := make([]glob.Rule, 0, len(e.Exclude))
		for _, p := range e.Exclude {
			rules = append(rules, glob.Rule{Pattern: p.Glob, Base: p.Base})
		}
		l = glob.NewList(rules, glob.Options{})
		f.lists[dir] = l
	}
	return l
}

// outermost orders directories: what lies above comes first.
func outermost(a, b string) int {
	return cmp.Or(cmp.Compare(depth(a), depth(b)), cmp.Compare(a, b))
}

func depth(dir string) int {
	if dir == "." {
		return -1
	}
	return strings.Count(dir, "/")
}
