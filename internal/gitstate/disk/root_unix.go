//go:build unix

package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Root is an open directory. Paths of its methods are relative to it and
// slash-separated. It may be used by many goroutines.
type Root struct {
	Path string // absolute
	fd   int
	at   int // fd, or less costly
}

// OpenRoot opens a directory by its absolute path. The caller closes it.
func OpenRoot(path string) (*Root, error) {
	fd, err := retryEINTR(func() (int, error) {
		return unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	r := &Root{Path: path, fd: fd, at: fd}
	// A descriptor is counted up and down in every call by a process of many
	// threads; the working directory, which never changes, is not.
	var st, wd unix.Stat_t
	if unix.Fstat(fd, &st) == nil && unix.Stat(".", &wd) == nil && st.Ino == wd.Ino && st.Dev == wd.Dev {
		r.at = unix.AT_FDCWD
	}
	return r, nil
}

// Close ends its use.
func (r *Root) Close() error { return unix.Close(r.fd) }

// LstatPath is lstat for a path that is no C string; "" is the root itself.
func (r *Root) LstatPath(path string, st *Stat) error {
	var buf [512]byte
	b := append(append(buf[:0], path...), 0)
	if path == "" {
		b = append(b[:0], '.', 0)
	}
	return r.Lstat(&b[0], st)
}

// open opens a regular file for reading. It never blocks and follows no link
// in the last component.
func (r *Root) open(path string) (*os.File, error) {
	fd, err := retryEINTR(func() (int, error) {
		return unix.Openat(r.fd, path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		if errors.Is(err, unix.ELOOP) {
			err = ErrNotRegular
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), filepath.Join(r.Path, path)), nil
}

// ReadFile returns the content of a regular file and what fstat said before
// and after it was read.
func (r *Root) ReadFile(path string) (b []byte, before, after Stat, err error) {
	f, err := r.open(path)
	if err != nil {
		return nil, before, after, err
	}
	defer func() { _ = f.Close() }()
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return nil, before, after, &fs.PathError{Op: "fstat", Path: path, Err: err}
	}
	before.set(&st)
	if before.Mode&typeMask != typeRegular {
		return nil, before, after, &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	b = make([]byte, 0, before.Size+1)
	for {
		n, err := f.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, before, after, err
		}
		if len(b) == cap(b) {
			b = slices.Grow(b, 4096)
		}
	}
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return nil, before, after, &fs.PathError{Op: "fstat", Path: path, Err: err}
	}
	after.set(&st)
	return b, before, after, nil
}

// ReadLink returns the target of a symbolic link.
func (r *Root) ReadLink(path string) ([]byte, error) {
	for size := 256; ; size *= 2 {
		b := make([]byte, size)
		n, err := retryEINTR(func() (int, error) { return unix.Readlinkat(r.fd, path, b) })
		if err != nil {
			return nil, &fs.PathError{Op: "readlink", Path: path, Err: err}
		}
		if n < size {
			return b[:n], nil
		}
	}
}

// ReadDir lists a directory in name order; "" is the root itself. It returns
// what fstat said afterwards. Sockets, pipes and devices are left out.
func (r *Root) ReadDir(path string) (names []Name, after Stat, err error) {
	at := path
	if at == "" {
		at = "."
	}
	fd, err := retryEINTR(func() (int, error) {
		return unix.Openat(r.fd, at, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, after, &fs.PathError{Op: "open", Path: at, Err: err}
	}
	f := os.NewFile(uintptr(fd), filepath.Join(r.Path, path))
	defer func() { _ = f.Close() }()
	list, err := f.ReadDir(-1)
	if err != nil {
		return nil, after, err
	}
	for _, e := range list {
		n := Name{Name: e.Name()}
		switch e.Type() {
		case 0:
			n.Kind = KindFile
		case fs.ModeSymlink:
			n.Kind = KindLink
		case fs.ModeDir:
			n.Kind = KindDir
		default:
			continue
		}
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b Name) int { return strings.Compare(a.Name, b.Name) })
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, after, &fs.PathError{Op: "fstat", Path: at, Err: err}
	}
	after.set(&st)
	return names, after, nil
}

func (s *Stat) set(st *unix.Stat_t) {
	s.Dev, s.Ino, s.Size, s.Mode = uint64(st.Dev), st.Ino, st.Size, uint32(st.Mode) //nolint:unconvert // their types differ between systems
	mtime, ctime := st.Mtim, st.Ctim
	s.MtimeSec, s.MtimeNsec = int64(mtime.Sec), uint32(mtime.Nsec) //nolint:unconvert // their types differ between systems
	s.CtimeSec, s.CtimeNsec = int64(ctime.Sec), uint32(ctime.Nsec) //nolint:unconvert // their types differ between systems
}

func retryEINTR(f func() (int, error)) (int, error) {
	for {
		n, err := f()
		if err != unix.EINTR { //nolint:errorlint // a bare errno
			return n, err
		}
	}
}
