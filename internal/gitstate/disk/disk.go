// Package disk looks at the files of a directory: what lstat says of them, their
// bytes, and whether they are still what an index remembers. It follows no
// symbolic link in the last component of a path, and writes nothing.
package disk

import (
	"errors"
	"syscall"

	"poly/internal/gitstate/entry"
)

// File types in Stat.Mode, as every Unix has them.
const (
	typeMask    = 0o170000
	typeRegular = 0o100000
	typeSymlink = 0o120000
	typeDir     = 0o040000
)

// Kinds of a [Name].
const (
	KindFile = 1
	KindLink = 2
	KindDir  = 3
)

// Name is a name in a directory.
type Name struct {
	Name string
	Kind uint8 // KindFile, KindLink or KindDir
}

// Stat is what lstat says of a file.
type Stat struct {
	Dev, Ino             uint64
	Size                 int64
	MtimeSec, CtimeSec   int64
	MtimeNsec, CtimeNsec uint32
	Mode                 uint32 // 0 if nothing was looked at
}

func (s *Stat) mtime() int64 { return s.MtimeSec*1e9 + int64(s.MtimeNsec) }
func (s *Stat) ctime() int64 { return s.CtimeSec*1e9 + int64(s.CtimeNsec) }

// IsDir reports whether s is of a directory.
func (s *Stat) IsDir() bool { return s.Mode&typeMask == typeDir }

// IsSymlink reports whether s is of a symbolic link.
func (s *Stat) IsSymlink() bool { return s.Mode&typeMask == typeSymlink }

// GitMode returns the mode git would record; ok is false for what it does not
// record, and for directories.
func (s *Stat) GitMode() (m entry.Mode, ok bool) {
	switch s.Mode & typeMask {
	case typeRegular:
		if s.Mode&0o100 != 0 {
			return entry.ModeExec, true
		}
		return entry.ModeRegular, true
	case typeSymlink:
		return entry.ModeSymlink, true
	default:
		return 0, false
	}
}

// Stamp tells whether a file or directory has changed: mtime, ctime, inode and
// device.
func (s *Stat) Stamp() [4]uint64 {
	return [4]uint64{uint64(s.mtime()), uint64(s.ctime()), s.Ino, s.Dev}
}

// Same reports whether nothing that lstat tells has changed.
func (s *Stat) Same(o *Stat) bool { return *s == *o }

// Settled reports whether a change after the moment now would show in the
// times: both are older than the clock was then. File systems that record
// whole seconds get two of them.
func (s *Stat) Settled(now int64) bool {
	old := func(sec int64, nsec uint32) bool {
		if nsec == 0 {
			return sec+2 < now/1e9
		}
		return sec*1e9+int64(nsec) < now
	}
	return old(s.MtimeSec, s.MtimeNsec) && old(s.CtimeSec, s.CtimeNsec)
}

// ErrNotRegular means that what is at a path now is no regular file.
var ErrNotRegular = errors.New("not a regular file")

// Absent reports whether an error of looking means that nothing is there.
func Absent(err error) bool {
	return errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.ENOTDIR)
}
