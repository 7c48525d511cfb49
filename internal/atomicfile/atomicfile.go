// Package atomicfile replaces files whole or not at all: a temporary file
// beside the target, then a rename. It is the only place that renames. It never
// replaces a symlink or anything else that is not a regular file.
//
// A replaced file is a new inode: other hard links keep the old content, and
// extended attributes and ACLs are not carried over. The mode is, exactly; the
// owner is where the process may.
package atomicfile

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"unicode/utf8"
)

// TempSuffix ends the name of every temporary file this package makes.
const TempSuffix = ".poly.tmp"

// nameMax is the shortest limit of a file name, in bytes, on the file systems
// poly runs on.
const nameMax = 255

// ErrNotRegular means that the target exists and is no regular file.
var ErrNotRegular = errors.New("not a regular file")

// Options say what the new file is like. The zero value keeps the mode of the
// file that is replaced, or makes a new file with mode 0644.
type Options struct {
	Mode fs.FileMode // permission, setuid, setgid and sticky bits; 0: see above
	Sync bool        // fsync the file before the rename and the directory after it
}

// Write replaces or creates the file at path. On an error the old file is as
// it was and no temporary file is left, unless it could not be removed either.
func Write(path string, data []byte, opt Options) error {
	dir, name := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() { _ = root.Close() }()
	p, err := Prepare(root, name, TempName(name), data, opt)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := p.Commit(nil); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// Pending is a complete temporary file beside its target. One of Commit and
// Discard must be called, once.
type Pending struct {
	dir       *os.Root
	name, tmp string
	sync      bool
}

// Prepare writes data to the temporary file tmp in dir (see [TempName]). Both
// names are plain names in dir, which stays the caller's. If dir holds a file
// called name its mode (unless opt has one) and owner are taken over.
func Prepare(dir *os.Root, name, tmp string, data []byte, opt Options) (*Pending, error) {
	old, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		old = nil
	case err != nil:
		return nil, err
	case !old.Mode().IsRegular():
		return nil, ErrNotRegular
	}
	mode := opt.Mode
	switch {
	case mode != 0:
	case old != nil:
		mode = old.Mode()
	default:
		mode = 0o644
	}
	// O_EXCL neither follows a symlink nor opens what is there.
	f, err := dir.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	p := &Pending{dir: dir, name: name, tmp: tmp, sync: opt.Sync}
	err = fill(f, data, old, mode, opt.Sync)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, errors.Join(err, p.Discard())
	}
	return p, nil
}

// fill writes everything a new file is. The owner goes first: a change of
// owner clears the setuid bits.
func fill(f *os.File, data []byte, old fs.FileInfo, mode fs.FileMode, sync bool) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	if old != nil {
		keepOwner(f, old)
	}
	if err := f.Chmod(mode & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)); err != nil {
		return err
	}
	if sync {
		return f.Sync()
	}
	return nil
}

// Commit renames the temporary file over the target. check, if not nil, runs
// right before; its error is returned as it is and nothing is replaced.
func (p *Pending) Commit(check func() error) error {
	if check != nil {
		if err := check(); err != nil {
			return errors.Join(err, p.Discard())
		}
	}
	if fi, err := p.dir.Lstat(p.name); err == nil && !fi.Mode().IsRegular() {
		return errors.Join(ErrNotRegular, p.Discard())
	}
	if err := p.dir.Rename(p.tmp, p.name); err != nil {
		return errors.Join(err, p.Discard())
	}
	if p.sync {
		return syncDir(p.dir)
	}
	return nil
}

// Discard removes the temporary file. It is no error if it is gone.
func (p *Pending) Discard() error {
	if err := p.dir.Remove(p.tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// TempName returns a new name for a temporary file beside name:
// ".<name>.<pid>-<random>.poly.tmp", with name cut so that it fits the file system.
func TempName(name string) string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	tail := "." + strconv.Itoa(os.Getpid()) + "-" + hex.EncodeToString(b[:]) + TempSuffix
	if room := nameMax - 1 - len(tail); len(name) > room {
		cut := room
		for cut > room-utf8.UTFMax && !utf8.RuneStart(name[cut]) {
			cut--
		}
		name = name[:cut]
	}
	return "." + name + tail
}

// SetAside renames a file out of the way, over whatever is called newPath.
func SetAside(path, newPath string) error { return os.Rename(path, newPath) }

func syncDir(dir *os.Root) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
