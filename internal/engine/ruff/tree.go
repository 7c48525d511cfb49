package ruff

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// tree answers what ruff looks up on disk: which names are modules of the
// repository itself, and how files are configured. Its answers join the class
// of a path. It is not for more than one goroutine.
type tree struct {
	fs fs.FS // nil: nothing is there

	packages map[string]string
	parties  map[string]*party
	natives  map[string]nativeFound
	required map[string]int
}

func newTree(of fs.FS) *tree {
	return &tree{fs: of, packages: map[string]string{}, parties: map[string]*party{}, natives: map[string]nativeFound{}, required: map[string]int{}}
}

// party are the modules an import of which is first-party.
type party struct {
	modules []string // patterns of ruff
	others  []string // patterns below them that are none
}

// firstParty returns the modules that a file in dir finds below the folders
// src, or in its own package.
func (t *tree) firstParty(src []string, dir string, minor int) *party {
	pkg := ""
	if root := t.packageOf(dir); root != "" {
		pkg = path.Base(root)
	}
	key := strings.Join(src, "\x00") + "\x00\x00" + pkg + string(rune(minor))
	if p, ok := t.parties[key]; ok {
		return p
	}
	p := &party{}
	for _, root := range src {
		t.list(p, path.Clean(root), minor)
	}
	if pkg != "" && !isStdlib(pkg, minor) {
		p.modules = append(p.modules, pkg)
	}
	slices.Sort(p.modules)
	p.modules = slices.Compact(p.modules)
	slices.Sort(p.others)
	p.others = slices.Compact(p.others)
	t.parties[key] = p
	return p
}

// packageOf returns the folder of the outermost package that dir is in: the
// folders up to it have an __init__.py. "": it is in none.
func (t *tree) packageOf(dir string) string {
	if root, ok := t.packages[dir]; ok {
		return root
	}
	root := ""
	if t.fs != nil && dir != "." {
		if _, err := fs.Stat(t.fs, path.Join(dir, "__init__.py")); err == nil {
			if root = t.packageOf(path.Dir(dir)); root == "" {
				root = dir
			}
		}
	}
	t.packages[dir] = root
	return root
}

// list adds the modules in a folder. Ruff takes a.b for first-party if there is
// a/b or a/b.py, so a folder without Python itself speaks for its folders only.
func (t *tree) list(p *party, root string, minor int) {
	if t.fs == nil || !fs.ValidPath(root) {
		return
	}
	entries, err := fs.ReadDir(t.fs, root)
	if err != nil {
		return
	}
	for _, e := range entries {
		name, isDir := moduleName(e)
		if name == "" || isStdlib(name, minor) {
			continue
		}
		if !isDir {
			p.modules = append(p.modules, name)
			continue
		}
		t.folder(p, path.Join(root, name), name)
	}
}

func (t *tree) folder(p *party, dir, name string) {
	entries, err := fs.ReadDir(t.fs, dir)
	if err != nil {
		return
	}
	var below []string
	for _, e := range entries {
		sub, isDir := moduleName(e)
		switch {
		case sub == "":
		case !isDir:
			p.modules = append(p.modules, name)
			return
		default:
			below = append(below, name+"."+sub)
		}
	}
	if len(below) == 0 {
		p.modules, p.others = append(p.modules, name), append(p.others, name+".*")
		return
	}
	p.modules = append(p.modules, below...)
}

// moduleName returns the name under which an entry of a folder can be imported.
func moduleName(e fs.DirEntry) (name string, isDir bool) {
	name, isDir = e.Name(), e.IsDir()
	if !isDir {
		base, ok := strings.CutSuffix(name, ".py")
		if !ok {
			if base, ok = strings.CutSuffix(name, ".pyi"); !ok {
				return "", false
			}
		}
		name = base
	}
	for i, r := range name {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') && r < 0x80 {
			return "", false
		}
	}
	return name, isDir
}
