//go:build unix

package index

import (
	"fmt"
	"io/fs"
	"math"

	"golang.org/x/sys/unix"
)

// Open maps and reads the index at path. hashLen is the length of object ids
// in bytes: 20 or 32. The error wraps [fs.ErrNotExist] if there is no file:
// git takes that as an index without entries. Close the Index after use.
func Open(path string, hashLen int) (*Index, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer func() { _ = unix.Close(fd) }()
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, &fs.PathError{Op: "fstat", Path: path, Err: err}
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, fmt.Errorf("%s: %w: not a regular file", path, ErrCorrupt)
	}
	if st.Size < headerLen+20 || st.Size > math.MaxUint32 {
		return nil, fmt.Errorf("%s: %w: %d bytes", path, ErrCorrupt, st.Size)
	}
	data, err := unix.Mmap(fd, 0, int(st.Size), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil, &fs.PathError{Op: "mmap", Path: path, Err: err}
	}
	x, err := Parse(data, hashLen)
	if err != nil {
		// Formats the message before the bytes it may quote are unmapped.
		err = fmt.Errorf("%s: %w", path, detach(err))
		_ = unix.Munmap(data)
		return nil, err
	}
	x.file = fileInfo(&st)
	x.unmap = func() error { return unix.Munmap(data) }
	return x, nil
}

// StatFile describes the file at path as [Index.File] would.
func StatFile(path string) (FileInfo, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return FileInfo{}, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return fileInfo(&st), nil
}

func fileInfo(st *unix.Stat_t) FileInfo {
	return FileInfo{
		Dev: uint64(st.Dev), Ino: st.Ino, Size: st.Size, //nolint:unconvert // Dev is an int32 on macOS
		MtimeNano: st.Mtim.Nano(), CtimeNano: st.Ctim.Nano(),
	}
}
