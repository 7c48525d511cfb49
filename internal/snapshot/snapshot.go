// Package snapshot keeps a directory that holds exactly the files of a tree,
// so that tools which read files can judge what is staged. The directory lies
// outside of the repository and stays between runs: it is brought up to date in
// place, and verified each time, by a manifest of what was written with which
// id and what lstat said of it then. Nothing in the user's worktree is touched,
// and no git index is written.
package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"poly/internal/filelock"
	"poly/internal/gitstate"
	"poly/internal/gitstate/disk"
	blob "poly/internal/gitstate/entry"
	"poly/internal/usererr"
)

// slots is how many runs in one worktree may have a snapshot at the same time.
const slots = 4

// maxLinks is how many links a system follows in one path.
const maxLinks = 40

// Options say where a snapshot lies.
type Options struct {
	Dir  string        // of the snapshots of one worktree; made with mode 0700
	Wait time.Duration // if all are in use; 0: 60 s
	Jobs int           // goroutines; 0: as many as there are processors
}

// Snapshot is one directory, locked for this process. Its methods are for one
// goroutine at a time.
type Snapshot struct {
	lock *filelock.Lock
	dir  string // of this snapshot and its manifest
	top  string // of the files
	root *os.Root
	disk *disk.Root
	jobs int

	have    manifest
	fresh   bool // have is what lies in the directory
	refused []string
	links   []Link
	digests map[string]string // of what git converted in this run
}

// Link is a directory outside that the snapshot links to.
type Link struct {
	Path   string // in the snapshot, slash-separated
	Target string // absolute
}

// Content tells what a file of the tree holds.
type Content struct {
	// Read returns the bytes of a blob, or the target of a link.
	Read func(ctx context.Context, f gitstate.File) ([]byte, error)
	// Converted tells how a checkout makes other bytes than the blob's, "" if it
	// does not: Checkout writes those files below a directory then, over what
	// lies there. Files that were converted in another way are written anew.
	Converted func(path string) string
	Checkout  func(ctx context.Context, dir string, paths []string) error
}

// Open locks a snapshot. name tells those of different purpose apart. The
// caller closes it.
func Open(ctx context.Context, name string, o Options) (*Snapshot, error) {
	s := &Snapshot{jobs: o.Jobs}
	if err := s.take(ctx, name, o); err != nil {
		return nil, err
	}
	s.top = filepath.Join(s.dir, "tree")
	if err := s.enter(); err != nil {
		return nil, errors.Join(unusable(s.dir, err), s.Close())
	}
	return s, nil
}

// take locks the first snapshot that nobody has.
func (s *Snapshot) take(ctx context.Context, name string, o Options) error {
	wait := o.Wait
	if wait == 0 {
		wait = time.Minute
	}
	for i := range slots + 1 {
		lock := filelock.Options{}
		if i == slots { // all are in use
			i, lock.Wait = 0, wait
		}
		dir := filepath.Join(o.Dir, fmt.Sprintf("%s-%d", name, i))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return unusable(dir, err)
		}
		l, err := filelock.Acquire(ctx, filepath.Join(dir, "lock"), lock)
		if err == nil {
			s.lock = l
			s.dir, err = filepath.EvalSymlinks(dir)
			return err
		}
		if _, held := errors.AsType[*filelock.HeldError](err); !held {
			return errors.Join(ctx.Err(), unusable(dir, err))
		}
	}
	return usererr.New("snapshot-locked", "other runs of poly have had every staged snapshot of this worktree for too long", "wait for them to end, or end them")
}

func unusable(dir string, err error) error {
	return &usererr.Error{
		Code: "snapshot", Msg: "no staged snapshot can be made in " + dir, Err: err,
		Hint: "jobs need it to see what is staged: make room there, or set POLY_CACHE_HOME to another place",
	}
}

func (s *Snapshot) enter() (err error) {
	if fi, err := os.Lstat(s.top); err == nil && !fi.IsDir() {
		if err := os.Remove(s.top); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(s.top, 0o700); err != nil {
		return err
	}
	if s.root, err = os.OpenRoot(s.top); err != nil {
		return err
	}
	s.disk, err = disk.OpenRoot(s.top)
	return err
}

// Root is the absolute directory that holds the files.
func (s *Snapshot) Root() string { return s.top }

// ID returns the blob that a path of the snapshot holds, "" if it is not a file
// of it.
func (s *Snapshot) ID(p string) gitstate.ID {
	i, ok := s.have.find(p)
	if !ok || s.have.entries[i].kind == kindDir || s.have.entries[i].kind == kindLink {
		return ""
	}
	return gitstate.ID(s.have.entries[i].id)
}

// Refused lists the symbolic links that were left out, because they lead out
// of the tree.
func (s *Snapshot) Refused() []string { return s.refused }

// Close gives the directory free. The files stay for the next run.
func (s *Snapshot) Close() error {
	var errs []error
	if s.disk != nil {
		errs = append(errs, s.disk.Close())
	}
	if s.root != nil {
		errs = append(errs, s.root.Close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Close())
	}
	return errors.Join(errs...)
}

// Update makes the directory hold files, which are in path order, the links,
// and nothing else. What lies there already is verified: a file that is not
// what the manifest says of it, to the last bit that lstat tells, is written
// anew. Gitlinks are empty directories, conflicts are left out.
func (s *Snapshot) Update(ctx context.Context, files []gitstate.File, links []Link, c Content) error {
	if !s.fresh {
		s.have = s.readManifest()
	}
	u := &update{s: s, content: c}
	u.plan(ctx, files, links)
	if err := u.run(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return unusable(s.dir, err)
	}
	s.links = links
	return nil
}

// Changed returns which of some paths, all if paths is nil, are not what the
// last Update wrote or Adopt took over, and, for all, what lies there besides.
func (s *Snapshot) Changed(paths []string) (changed, added []string) {
	if paths == nil {
		v := s.verify()
		for i, ok := range v.ok {
			if e := &s.have.entries[i]; !ok && e.kind != kindDir {
				changed = append(changed, e.path)
			}
		}
		return changed, v.extra
	}
	for _, p := range paths {
		i, ok := s.have.find(p)
		if !ok {
			continue
		}
		e := &s.have.entries[i]
		var st disk.Stat
		if err := s.disk.LstatPath(p, &st); err != nil || !e.stat.Same(&st) || e.racy && !s.sameBytes(e) {
			changed = append(changed, p)
		}
	}
	return changed, nil
}

// Adopt takes what lies at a path now for the content of a blob.
func (s *Snapshot) Adopt(p string, id gitstate.ID) error {
	i, ok := s.have.find(p)
	if !ok {
		return fmt.Errorf("%s is not in the snapshot", p)
	}
	e := &s.have.entries[i]
	b, _, after, err := s.disk.ReadFile(p)
	if err != nil {
		return err
	}
	e.id, e.stat, e.racy = string(id), after, true
	if e.kind == kindConverted || e.kind == kindConvertedExec {
		s.digest(p, b, len(e.id))
	}
	return nil
}

// Put replaces the content of a file: text is what a checkout of the blob id
// writes. A path that is not in the snapshot is left out.
func (s *Snapshot) Put(p string, text []byte, id gitstate.ID) error {
	i, ok := s.have.find(p)
	if !ok {
		return nil
	}
	name := filepath.FromSlash(p)
	if err := s.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unusable(s.dir, err)
	}
	mode := fs.FileMode(0o644)
	if k := s.have.entries[i].kind; k == kindExec || k == kindConvertedExec {
		mode = 0o755
	}
	if err := s.create(name, text, mode); err != nil {
		return unusable(s.dir, err)
	}
	return s.Adopt(p, id)
}

// create writes a file that is not there.
func (s *Snapshot) create(name string, text []byte, mode fs.FileMode) error {
	f, err := s.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(mode) // whatever the umask is
	}
	return errors.Join(err, f.Close())
}

// digest notes what git wrote at a path in this run.
func (s *Snapshot) digest(p string, text []byte, hashLen int) {
	if s.digests == nil {
		s.digests = map[string]string{}
	}
	s.digests[p] = string(blob.BlobID(text, hashLen))
}

// ReadFile returns the bytes of a regular file as they are now.
func (s *Snapshot) ReadFile(p string) ([]byte, error) {
	b, _, _, err := s.disk.ReadFile(p)
	return b, err
}

// Escapes reports whether a symbolic link at a path of the tree leads out of
// it. lookup returns the target of another link of the tree.
func Escapes(at, target string, lookup func(p string) (target string, ok bool)) bool {
	if path.IsAbs(target) {
		return true
	}
	dir := path.Dir(at)
	var here []string
	if dir != "." {
		here = strings.Split(dir, "/")
	}
	todo := strings.Split(target, "/")
	for links := 0; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if len(here) == 0 {
				return true
			}
			here = here[:len(here)-1]
			continue
		}
		next := append(slices.Clone(here), part)
		to, isLink := lookup(strings.Join(next, "/"))
		if !isLink {
			here = next
			continue
		}
		if path.IsAbs(to) {
			return true
		}
		if links++; links > maxLinks {
			return false // nobody can follow it
		}
		todo = append(strings.Split(to, "/"), todo...)
	}
	return false
}

// Clean removes the snapshots below a directory that holds those of several
// worktrees, but those that are in use, and returns how many bytes that freed.
func Clean(ctx context.Context, dir string) (freed int64, err error) {
	found, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		return 0, err
	}
	for _, at := range found {
		l, err := filelock.Acquire(ctx, filepath.Join(at, "lock"), filelock.Options{})
		if _, held := errors.AsType[*filelock.HeldError](err); held {
			continue
		}
		if err != nil {
			return freed, err
		}
		n := size(at)
		if err := errors.Join(empty(at), l.Close()); err != nil {
			return freed, err
		}
		freed += n
	}
	return freed, nil
}

// empty removes what is in a directory but its lock, which others may wait for.
func empty(dir string) error {
	list, err := os.ReadDir(dir)
	for _, e := range list {
		if e.Name() != "lock" {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

func size(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be looked at does not count
		}
		if fi, err := d.Info(); err == nil && fi.Mode().IsRegular() {
			n += fi.Size()
		}
		return nil
	})
	return n
}
