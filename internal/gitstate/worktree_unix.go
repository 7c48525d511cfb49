//go:build unix

package gitstate

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

// errNotRegular means that what is at a path now is no regular file.
var errNotRegular = errors.New("not a regular file")

// rootDir is an open directory below which paths are looked at without
// following a symbolic link in their last component.
type rootDir struct {
	path string // absolute
	fd   int
}

func openRoot(path string) (*rootDir, error) {
	fd, err := retryEINTR(func() (int, error) {
		return unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return &rootDir{path: path, fd: fd}, nil
}

func (r *rootDir) close() error { return unix.Close(r.fd) }

// lstatPath is lstat for a path that is no C string; "" is the root itself.
func (r *rootDir) lstatPath(path string, st *fileStat) error {
	var buf [512]byte
	b := append(append(buf[:0], path...), 0)
	if path == "" {
		b = append(b[:0], '.', 0)
	}
	return r.lstat(&b[0], st)
}

// open opens a regular file for reading. It never blocks and follows no link
// in the last component.
func (r *rootDir) open(path string) (*os.File, error) {
	fd, err := retryEINTR(func() (int, error) {
		return unix.Openat(r.fd, path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		if errors.Is(err, unix.ELOOP) {
			err = errNotRegular
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), filepath.Join(r.path, path)), nil
}

// readFile returns the content of a regular file and what fstat said before
// and after it was read.
func (r *rootDir) readFile(path string) (b []byte, before, after fileStat, err error) {
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
	if before.mode&typeMask != typeRegular {
		return nil, before, after, &fs.PathError{Op: "read", Path: path, Err: errNotRegular}
	}
	b = make([]byte, 0, before.size+1)
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

// readLink returns the target of a symbolic link.
func (r *rootDir) readLink(path string) ([]byte, error) {
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

// readDir lists a directory in name order and returns what
// fstat said afterwards. Sockets, pipes and devices are left out.
func (r *rootDir) readDir(path string) (names []Name, after fileStat, err error) {
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
	f := os.NewFile(uintptr(fd), filepath.Join(r.path, path))
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

func (s *fileStat) set(st *unix.Stat_t) {
	s.dev, s.ino, s.size, s.mode = uint64(st.Dev), st.Ino, st.Size, uint32(st.Mode) //nolint:unconvert // their types differ between systems
	mtime, ctime := st.Mtim, st.Ctim
	s.mtimeSec, s.mtimeNsec = int64(mtime.Sec), uint32(mtime.Nsec) //nolint:unconvert // their types differ between systems
	s.ctimeSec, s.ctimeNsec = int64(ctime.Sec), uint32(ctime.Nsec) //nolint:unconvert // their types differ between systems
}

func retryEINTR(f func() (int, error)) (int, error) {
	for {
		n, err := f()
		if err != unix.EINTR { //nolint:errorlint // a bare errno
			return n, err
		}
	}
}
