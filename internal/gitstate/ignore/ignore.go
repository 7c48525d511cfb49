// Package ignore answers which paths git ignores, and by which line of which
// file. It reads files only through the function it is given.
package ignore

import (
	"path"
	"slices"
	"sync"

	"poly/internal/gitstate/entry"
	"poly/internal/glob"
)

// Rule is the line that makes git ignore a path.
type Rule struct {
	Source  string // ".gitignore" files relative to the root of the tree; others by name
	Line    int
	Pattern string
}

// File is an ignore file that lies in no tree.
type File struct {
	Name string // as it is shown
	Text []byte
}

// Sources says where ignore rules come from.
type Sources struct {
	// Outside are the files that are not in the tree, lowest precedence first.
	Outside []File
	// Read returns the text of the .gitignore of a directory of the tree. It is
	// called at most once for each directory, and never below an ignored one.
	Read     func(path string) ([]byte, bool)
	FoldCase bool
}

// Set is all the ignore files that count for the paths of a tree. Those in the
// tree are read when a question needs them. It may be used by many goroutines.
type Set struct {
	src     Sources
	outside []*glob.List // highest precedence first
	names   []string     // of outside

	mu   sync.Mutex
	dirs map[string]*Dir
}

// Dir is what counts for the names in one directory.
type Dir struct {
	set    *Set
	parent *Dir // nil for the root
	path   string
	list   *glob.List // rules of its own .gitignore; nil if there are none
	by     *Rule      // the directory itself is ignored, and with it all below
}

// New makes a Set.
func New(src Sources) *Set {
	s := &Set{src: src, dirs: map[string]*Dir{}}
	for _, f := range slices.Backward(src.Outside) {
		s.outside = append(s.outside, glob.NewList(glob.Parse(f.Text, ""), s.options()))
		s.names = append(s.names, f.Name)
	}
	return s
}

func (s *Set) options() glob.Options { return glob.Options{FoldCase: s.src.FoldCase} }

// Text returns the text of the .gitignore of a directory.
func (s *Set) Text(dir string) []byte {
	b, _ := s.src.Read(path.Join(dir, ".gitignore"))
	return b
}

// Match returns the rule that makes git ignore a path, or nil.
func (s *Set) Match(file string, isDir bool) *Rule {
	return s.Dir(entry.Dir(file)).Match(file, isDir)
}

// Dir returns what counts in a directory; "" is the root.
func (s *Set) Dir(dir string) *Dir {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dirLocked(dir)
}

func (s *Set) dirLocked(dir string) *Dir {
	if d, ok := s.dirs[dir]; ok {
		return d
	}
	d := &Dir{set: s, path: dir}
	if dir != "" {
		d.parent = s.dirLocked(entry.Dir(dir))
		d.by = d.parent.Match(dir, true)
	}
	if d.by == nil {
		if text, ok := s.src.Read(path.Join(dir, ".gitignore")); ok {
			if rules := glob.Parse(text, dir); len(rules) > 0 {
				d.list = glob.NewList(rules, s.options())
			}
		}
	}
	s.dirs[dir] = d
	return d
}

// Match returns the rule that makes git ignore a path directly in d, or nil.
func (d *Dir) Match(file string, isDir bool) *Rule {
	if d.by != nil {
		return d.by
	}
	for at := d; at != nil; at = at.parent {
		if r := at.list.Match(file, isDir); r.Rule >= 0 {
			return ignoredBy(at.list, r, path.Join(at.path, ".gitignore"))
		}
	}
	for i, l := range d.set.outside {
		if r := l.Match(file, isDir); r.Rule >= 0 {
			return ignoredBy(l, r, d.set.names[i])
		}
	}
	return nil
}

// ignoredBy describes the rule that decided; nil if it is negated.
func ignoredBy(l *glob.List, r glob.Result, source string) *Rule {
	if r.Negated {
		return nil
	}
	at := l.Rule(r.Rule)
	return &Rule{Source: source, Line: at.Line, Pattern: at.Pattern}
}
