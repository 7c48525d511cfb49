package gitstate

import (
	"path"
	"path/filepath"
	"slices"
	"sync"

	"poly/internal/gitstate/entry"
	"poly/internal/glob"
)

// IgnoreRule is the line that makes git ignore a path.
type IgnoreRule struct {
	Source  string // ".gitignore" files relative to the root of the tree; others by name
	Line    int
	Pattern string
}

// ignoreSources says where ignore rules come from.
type ignoreSources struct {
	// Outside are the files that are not in the tree, lowest precedence first.
	Outside []ignoreText
	// Read returns the text of the .gitignore of a directory of the tree. It is
	// called at most once for each directory, and never below an ignored one.
	Read     func(path string) ([]byte, bool)
	FoldCase bool
}

// ignores answers which paths git ignores. Files are read when a question
// needs them. It may be used by many goroutines.
type ignores struct {
	src     ignoreSources
	outside []*glob.List // highest precedence first
	names   []string     // of outside

	mu   sync.Mutex
	dirs map[string]*ignoreDir
}

// ignoreDir is what counts for the names in one directory.
type ignoreDir struct {
	set    *ignores
	parent *ignoreDir // nil for the root
	path   string
	list   *glob.List  // rules of its own .gitignore; nil if there are none
	by     *IgnoreRule // the directory itself is ignored, and with it all below
}

func newIgnores(src ignoreSources) *ignores {
	g := &ignores{src: src, dirs: map[string]*ignoreDir{}}
	for _, f := range slices.Backward(src.Outside) {
		g.outside = append(g.outside, glob.NewList(glob.Parse(f.text, ""), g.options()))
		g.names = append(g.names, f.name)
	}
	return g
}

func (g *ignores) options() glob.Options { return glob.Options{FoldCase: g.src.FoldCase} }

// match returns the rule that makes git ignore a path, or nil.
func (g *ignores) match(file string, isDir bool) *IgnoreRule {
	return g.dir(entry.Dir(file)).match(file, isDir)
}

// dir returns what counts in a directory; "" is the root.
func (g *ignores) dir(dir string) *ignoreDir {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.dirLocked(dir)
}

func (g *ignores) dirLocked(dir string) *ignoreDir {
	if d, ok := g.dirs[dir]; ok {
		return d
	}
	d := &ignoreDir{set: g, path: dir}
	if dir != "" {
		d.parent = g.dirLocked(entry.Dir(dir))
		d.by = d.parent.match(dir, true)
	}
	if d.by == nil {
		if text, ok := g.src.Read(path.Join(dir, ".gitignore")); ok {
			if rules := glob.Parse(text, dir); len(rules) > 0 {
				d.list = glob.NewList(rules, g.options())
			}
		}
	}
	g.dirs[dir] = d
	return d
}

// match is for paths directly in d.
func (d *ignoreDir) match(file string, isDir bool) *IgnoreRule {
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
func ignoredBy(l *glob.List, r glob.Result, source string) *IgnoreRule {
	if r.Negated {
		return nil
	}
	at := l.Rule(r.Rule)
	return &IgnoreRule{Source: source, Line: at.Line, Pattern: at.Pattern}
}

// ignoreText is an ignore file that lies in no tree.
type ignoreText struct {
	name string // as it is shown
	text []byte
}

// ignoreFiles reads the user's and the repository's ignore files, lowest
// precedence first.
func (r *Repo) ignoreFiles() ([]ignoreText, error) {
	name, err := r.userFile("core.excludesFile", "ignore")
	if err != nil {
		return nil, err
	}
	user, err := readOptional(name)
	if err != nil {
		return nil, err
	}
	info, err := readOptional(filepath.Join(r.CommonDir, "info", "exclude"))
	if err != nil {
		return nil, err
	}
	return []ignoreText{{name, user}, {".git/info/exclude", info}}, nil
}
