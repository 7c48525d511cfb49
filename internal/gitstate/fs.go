package gitstate

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// FS returns a read-only view of the regular files of t: what configuration
// and engines see of it. It implements [fs.ReadFileFS], [fs.StatFS] and
// [fs.ReadDirFS]; a file costs what Lookup and Read cost, a directory one
// pass over t the first time. ctx bounds its reads.
func FS(ctx context.Context, t Tree) fs.FS {
	return &treeFS{tree: t, read: func(f File) ([]byte, error) {
		_, b, err := ReadNow(ctx, t, f)
		return b, err
	}}
}

// ReadNow reads a file of t, and returns what t knows of it then: a worktree
// may find only while it reads a file that its bytes do not lie there in the
// form its Class said, after a change of settings. What was known about f.ID
// in the other form does not hold for the bytes.
func ReadNow(ctx context.Context, t Tree, f File) (File, []byte, error) {
	b, err := t.Read(ctx, f)
	if errors.Is(err, ErrChanged) {
		if now, ok := t.Lookup(f.Path); ok && now.ID == f.ID && now.Class != f.Class {
			f = now
			b, err = t.Read(ctx, f)
		}
	}
	return f, b, err
}

type treeFS struct {
	tree Tree
	read func(File) ([]byte, error)

	mu   sync.Mutex
	dirs map[string][]fs.DirEntry // by path, "." is the root; nil: there is no such directory
}

// lookup finds a regular file; links and submodules are not part of the view.
func (v *treeFS) lookup(op, name string) (File, error) {
	if !fs.ValidPath(name) {
		return File{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	f, ok := v.tree.Lookup(name)
	if !ok || !f.Mode.Regular() {
		return File{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return f, nil
}

// ReadFile returns the content of a file.
func (v *treeFS) ReadFile(name string) ([]byte, error) {
	f, err := v.lookup("open", name)
	if err != nil {
		return nil, err
	}
	return v.read(f)
}

// Stat describes a file or a directory.
func (v *treeFS) Stat(name string) (fs.FileInfo, error) {
	f, err := v.lookup("stat", name)
	if err == nil {
		return info{name: path.Base(name), size: f.Size, mode: fileMode(f)}, nil
	}
	if fs.ValidPath(name) && noDir(v.tree, name) {
		return nil, err
	}
	if v.dir(name) != nil {
		return info{name: path.Base(name), mode: fs.ModeDir | 0o555}, nil
	}
	return nil, err
}

// ReadDir lists a directory.
func (v *treeFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	list := v.dir(name)
	if list == nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	return slices.Clone(list), nil
}

// Open opens a file or a directory.
func (v *treeFS) Open(name string) (fs.File, error) {
	f, err := v.lookup("open", name)
	if err == nil {
		b, err := v.read(f)
		if err != nil {
			return nil, err
		}
		return &openFile{Reader: bytes.NewReader(b), info: info{name: path.Base(name), size: int64(len(b)), mode: fileMode(f)}}, nil
	}
	if list := v.dir(name); list != nil {
		return &openDir{info: info{name: path.Base(name), mode: fs.ModeDir | 0o555}, rest: list}, nil
	}
	return nil, err
}

// dir lists a directory; nil means that there is none. All directories are
// found by the first call, but those of a limited tree one by one.
func (v *treeFS) dir(name string) []fs.DirEntry {
	if !fs.ValidPath(name) {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	list, known := v.dirs[name]
	switch {
	case known, v.dirs != nil && !Limited(v.tree):
		return list
	case Limited(v.tree):
		found := listings(Inside(v.tree, name))
		if v.dirs == nil {
			v.dirs = map[string][]fs.DirEntry{}
		}
		v.dirs[name] = found[name]
	default:
		v.dirs = listings(slices.Collect(v.tree.Files()))
	}
	return v.dirs[name]
}

// listings lists every directory of files.
func listings(files []File) map[string][]fs.DirEntry {
	dirs := map[string][]fs.DirEntry{".": {}}
	for _, f := range files {
		if !f.Mode.Regular() {
			continue
		}
		dir := path.Dir(f.Path)
		mkdir(dirs, dir)
		dirs[dir] = append(dirs[dir], fs.FileInfoToDirEntry(info{name: path.Base(f.Path), size: f.Size, mode: fileMode(f)}))
	}
	for _, list := range dirs {
		slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return dirs
}

func mkdir(dirs map[string][]fs.DirEntry, dir string) {
	if _, ok := dirs[dir]; ok {
		return
	}
	dirs[dir] = nil
	parent := path.Dir(dir)
	mkdir(dirs, parent)
	dirs[parent] = append(dirs[parent], fs.FileInfoToDirEntry(info{name: path.Base(dir), mode: fs.ModeDir | 0o555}))
}

func fileMode(f File) fs.FileMode {
	if f.Mode == ModeExec {
		return 0o555
	}
	return 0o444
}

// info describes a file of the view.
type info struct {
	name string
	size int64
	mode fs.FileMode
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

type openFile struct {
	*bytes.Reader
	info info
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

type openDir struct {
	info info
	rest []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.name, Err: fs.ErrInvalid}
}

func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.rest)
	} else if len(d.rest) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.rest))
	out := slices.Clone(d.rest[:n])
	d.rest = d.rest[n:]
	return out, nil
}
