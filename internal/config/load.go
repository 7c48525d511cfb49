package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"poly/internal/blake3"

	"poly/internal/usererr"
)

// maxFile bounds a configuration file, which is held in memory several times.
const maxFile = 1 << 20

// loader reads and validates files, each once, and remembers what it touched.
type loader struct {
	o         Options
	x         *index
	pin       func(ctx context.Context, e *extend) (oid string, p *problem)
	docs      map[string]*doc // by spot.id
	spots     map[string]spot // by display name
	files     map[string]bool
	externals map[string]External
	bases     []Base
	notes     []note
	problems  []problem
	lock      *lockFile
}

// doc is a file and, beneath it, its bases.
type doc struct {
	spot  spot
	own   *node // as written, validated
	layer *node // over its bases
	open  bool  // its bases are being resolved
	exist bool
}

// Load reads the configuration of o.Tree. An error about content is a
// *usererr.Error that lists everything that is wrong, with file and line.
func Load(ctx context.Context, o Options) (*Set, error) {
	l := newLoader(o)
	l.pin = l.pinned
	return l.load(ctx)
}

func newLoader(o Options) *loader {
	return &loader{
		o: o, x: newIndex(&o.Schema),
		docs: map[string]*doc{}, spots: map[string]spot{},
		files: map[string]bool{}, externals: map[string]External{},
	}
}

func (l *loader) load(ctx context.Context) (*Set, error) {
	levels, err := l.levels(ctx)
	if err != nil {
		return nil, err
	}
	if err := failure(l.sorted()); err != nil {
		return nil, err
	}
	s := l.assemble(levels)
	s.files = sortedKeys(l.files)
	for _, p := range sortedKeys(l.externals) {
		s.externals = append(s.externals, l.externals[p])
	}
	l.notes = append(l.notes, fruitless(s)...)
	seen := map[string]bool{}
	for _, n := range l.notes {
		if !seen[n.text] {
			seen[n.text] = true
			s.notes = append(s.notes, n.at.String()+": "+n.text)
		}
	}
	s.bases = l.bases
	return s, nil
}

// sorted returns the problems in the order a reader meets them, each once.
func (l *loader) sorted() []problem {
	slices.SortStableFunc(l.problems, func(a, b problem) int {
		if a.at.File != b.at.File {
			return 0
		}
		if a.at.Line != b.at.Line {
			return a.at.Line - b.at.Line
		}
		return a.at.Col - b.at.Col
	})
	return slices.CompactFunc(l.problems, func(a, b problem) bool { return a.at == b.at && a.msg == b.msg })
}

// level is what one directory contributes.
type level struct {
	dir  string
	node *node
}

func (l *loader) levels(ctx context.Context) ([]level, error) {
	if l.o.File != "" {
		return l.single(ctx)
	}
	dirs := slices.Clone(l.o.Dirs)
	if !slices.Contains(dirs, ".") {
		dirs = append(dirs, ".") // its poly.local.toml may stand alone
	}
	slices.SortFunc(dirs, outermost)
	dirs = slices.Compact(dirs)
	var out []level
	foreign := newForeign(l.o.Named)
	for _, dir := range dirs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if foreign.excluded(dir) {
			continue
		}
		d := l.read(ctx, spot{path: path.Join(dir, FileName)}, nil)
		n := d.layer
		if d.exist || dir == "." {
			n = l.local(ctx, spot{path: path.Join(dir, LocalFileName)}, n)
		}
		if n != nil {
			out = append(out, level{dir, n})
			foreign.add(out[len(out)-1])
		}
	}
	return out, ctx.Err()
}

// single is --config: one file, which stands for the whole tree.
func (l *loader) single(ctx context.Context) ([]level, error) {
	s := spot{abs: filepath.Clean(l.o.File)}
	if rel, ok := l.inside(s.abs); ok {
		s.shown = rel
	}
	d := l.read(ctx, s, nil)
	if len(l.problems) == 0 && !d.exist {
		return nil, usererr.Newf("config-missing", "no such configuration file: %s", l.o.File)
	}
	s = spot{abs: filepath.Join(filepath.Dir(s.abs), LocalFileName)}
	n := l.local(ctx, s, d.layer)
	if n == nil {
		return nil, ctx.Err()
	}
	return []level{{".", n}}, ctx.Err()
}

// local lays poly.local.toml over n.
func (l *loader) local(ctx context.Context, s spot, n *node) *node {
	if rel, ok := l.inside(s.abs); s.abs != "" && ok {
		s = spot{path: rel}
	}
	s.local = s.abs == ""
	d := l.read(ctx, s, nil)
	return merge(n, d.layer, true)
}

// read returns the file at s over its bases; chain are the files that led to it.
func (l *loader) read(ctx context.Context, s spot, chain []*doc) *doc {
	if d, ok := l.docs[s.id()]; ok {
		return d
	}
	d := &doc{spot: s}
	l.docs[s.id()] = d
	l.spots[s.name()] = s
	text, err := l.bytes(s)
	if errors.Is(err, fs.ErrNotExist) {
		return d
	}
	d.exist = true
	if err == nil && len(text) > maxFile {
		err = errors.New("larger than 1 MiB")
	}
	if err != nil {
		l.problems = append(l.problems, problem{at: Origin{File: s.name()}, code: "config-unreadable", msg: err.Error()})
		return d
	}
	n, p := parse(s.name(), text)
	if p != nil {
		l.problems = append(l.problems, *p)
		return d
	}
	v := &validator{top: l.x.top}
	v.validate(n, l.x.top, place{})
	l.notes = append(l.notes, v.notes...)
	if len(v.problems) > 0 {
		l.problems = append(l.problems, v.problems...)
		return d
	}
	unalias(n)
	l.notes = append(l.notes, l.x.settle(n)...)
	d.own = n
	d.layer = l.overBases(ctx, d, chain)
	return d
}

// unalias gives stages their one name.
func unalias(n *node) {
	hooks := n.get("hooks")
	for _, s := range stages {
		if c := hooks.get(s.alias); c != nil {
			hooks.table[s.name] = c
			delete(hooks.table, s.alias)
		}
	}
}

// bytes reads a file and remembers that the answer depends on it.
func (l *loader) bytes(s spot) ([]byte, error) {
	switch {
	case s.git != nil:
		return readRegular(s.git, s.path)
	case s.abs != "":
		return l.external(s.abs, false, l.o.Outside)
	case s.local:
		return l.external(s.path, true, l.o.Local)
	}
	l.files[s.path] = true
	if l.o.Tree == nil {
		return nil, fs.ErrNotExist
	}
	return fs.ReadFile(l.o.Tree, s.path)
}

func readRegular(fsys fs.FS, name string) ([]byte, error) {
	if info, err := fs.Stat(fsys, name); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return nil, fs.ErrNotExist
		}
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	return fs.ReadFile(fsys, name)
}

func (l *loader) external(name string, local bool, read func(string) ([]byte, error)) ([]byte, error) {
	if read == nil {
		if local {
			return nil, fs.ErrNotExist
		}
		return nil, errors.New("outside the tree, where nothing is read here")
	}
	text, err := read(name)
	l.externals[name] = newExternal(name, local, text, err)
	return text, err
}

func newExternal(name string, local bool, text []byte, err error) External {
	x := External{Path: name, Local: local}
	if err == nil {
		x.Present, x.Digest = true, blake3.Sum256(text)
	}
	return x
}

// spot is where a file stands: in the tree, outside of it, or in a git base.
type spot struct {
	path  string // slash-separated, from the root of the tree or of git
	local bool   // path is of the worktree, not of the tree
	abs   string // outside: absolute
	shown string // outside: how it was named
	git   fs.FS
	url   string
	oid   string
}

func (s spot) id() string {
	switch {
	case s.git != nil:
		return "git\x00" + s.url + "\x00" + s.oid + "\x00" + s.path
	case s.abs != "":
		return "abs\x00" + s.abs
	}
	return "tree\x00" + s.path
}

// name is how messages and origins show the file.
func (s spot) name() string {
	switch {
	case s.git != nil:
		return s.url + "@" + s.oid[:min(12, len(s.oid))] + ":" + s.path
	case s.shown != "":
		return s.shown
	case s.abs != "":
		return filepath.ToSlash(s.abs)
	}
	return s.path
}

// inside returns the path from the root of the tree of an absolute path under it.
func (l *loader) inside(abs string) (string, bool) {
	if l.o.Root == "" || abs == "" {
		return "", false
	}
	rel, err := filepath.Rel(l.o.Root, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) || filepath.IsAbs(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// join resolves a path written in the file at s, relative to its directory.
func (l *loader) join(s spot, name string) (spot, error) {
	slashed := filepath.ToSlash(name)
	absolute := filepath.IsAbs(name) || strings.HasPrefix(slashed, "/")
	switch {
	case s.git != nil:
		p := path.Join(path.Dir(s.path), slashed)
		if absolute || p == ".." || strings.HasPrefix(p, "../") {
			return spot{}, errors.New("leaves the repository it is in")
		}
		s.path = p
		return s, nil
	case absolute:
		return l.outside(filepath.Clean(name), filepath.ToSlash(name))
	case s.abs != "":
		return l.outside(filepath.Join(filepath.Dir(s.abs), name), path.Join(path.Dir(s.name()), slashed))
	}
	p := path.Join(path.Dir(s.path), slashed)
	if p != ".." && !strings.HasPrefix(p, "../") {
		return spot{path: p}, nil
	}
	if l.o.Root == "" {
		return spot{}, errors.New("leaves the tree")
	}
	return l.outside(filepath.Join(l.o.Root, filepath.FromSlash(p)), p)
}

func (l *loader) outside(abs, shown string) (spot, error) {
	if rel, ok := l.inside(abs); ok && l.o.File == "" {
		return spot{path: rel}, nil
	}
	return spot{abs: abs, shown: shown}, nil
}
