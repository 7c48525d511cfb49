package gitstate

import (
	"poly/internal/gitstate/index"
)

// File types in fileStat.mode, as every Unix has them.
const (
	typeMask    = 0o170000
	typeRegular = 0o100000
	typeSymlink = 0o120000
	typeDir     = 0o040000
)

// Kinds of names in a directory.
const (
	KindFile = 1
	KindLink = 2
	KindDir  = 3
)

// Name is a name in a directory.
type Name struct {
	Name string
	Kind uint8
}

// fileStat is what lstat says of a file.
type fileStat struct {
	dev, ino             uint64
	size                 int64
	mtimeSec, ctimeSec   int64
	mtimeNsec, ctimeNsec uint32
	mode                 uint32
}

func (s *fileStat) mtime() int64 { return s.mtimeSec*1e9 + int64(s.mtimeNsec) }
func (s *fileStat) ctime() int64 { return s.ctimeSec*1e9 + int64(s.ctimeNsec) }

// gitMode returns the mode git would record; ok is false for what it does not
// record, and for directories.
func (s *fileStat) gitMode() (m Mode, ok bool) {
	switch s.mode & typeMask {
	case typeRegular:
		if s.mode&0o100 != 0 {
			return ModeExec, true
		}
		return ModeRegular, true
	case typeSymlink:
		return ModeSymlink, true
	default:
		return 0, false
	}
}

// stamp tells whether a file or directory has changed: mtime, ctime, inode and
// device.
func (s *fileStat) stamp() [4]uint64 {
	return [4]uint64{uint64(s.mtime()), uint64(s.ctime()), s.ino, s.dev}
}

// same reports whether nothing that lstat tells has changed.
func (s *fileStat) same(o *fileStat) bool { return *s == *o }

// settled reports whether a change after the moment now would show in the
// times: both are older than the clock was then. File systems that record
// whole seconds get two of them.
func (s *fileStat) settled(now int64) bool {
	old := func(sec int64, nsec uint32) bool {
		if nsec == 0 {
			return sec+2 < now/1e9
		}
		return sec*1e9+int64(nsec) < now
	}
	return old(s.mtimeSec, s.mtimeNsec) && old(s.ctimeSec, s.ctimeNsec)
}

// statRule decides whether a file is what the index remembers of it.
type statRule struct {
	ctime    bool // core.trustCtime, and checkStat is not minimal
	minimal  bool // core.checkStat = minimal: no inode, no device
	fileMode bool // core.fileMode
	symlinks bool // core.symlinks
	index    index.FileInfo
	empty    ID // of the empty blob
}

// clean reports whether st equals entry i of x in all that tells a change, and
// cannot have changed since within the same tick of the clock (is not racy).
func (r *statRule) clean(x *index.Index, i int, st *fileStat) bool {
	e := x.Stat(i)
	if uint32(st.size) != e.Size || uint32(st.mtimeSec) != e.MtimeSec {
		return false
	}
	nsec := e.MtimeNsec != 0
	if nsec && st.mtimeNsec != e.MtimeNsec {
		return false
	}
	if r.ctime && (uint32(st.ctimeSec) != e.CtimeSec || e.CtimeNsec != 0 && st.ctimeNsec != e.CtimeNsec) {
		return false
	}
	if !r.minimal && uint32(st.ino) != e.Ino {
		return false
	}
	if !r.sameMode(Mode(x.Mode(i)), st) {
		return false
	}
	// git marks an entry it knows to be racy by the size 0.
	if e.Size == 0 && ID(x.ID(i)) != r.empty {
		return false
	}
	return !r.racy(&e, st, nsec)
}

// racy reports whether the file may have changed after the index was written
// without a trace in its times.
func (r *statRule) racy(e *index.Stat, st *fileStat, nsec bool) bool {
	sec, sub := r.index.MtimeNano/1e9, r.index.MtimeNano%1e9
	if !nsec || sub == 0 || st.dev != r.index.Dev {
		return int64(e.MtimeSec) >= sec
	}
	return int64(e.MtimeSec) > sec || int64(e.MtimeSec) == sec && int64(e.MtimeNsec) >= sub
}

func (r *statRule) sameMode(m Mode, st *fileStat) bool {
	switch {
	case m == ModeSymlink:
		return st.mode&typeMask == typeSymlink || !r.symlinks && st.mode&typeMask == typeRegular
	case st.mode&typeMask != typeRegular:
		return false
	default:
		return !r.fileMode || (uint32(m)^st.mode)&0o100 == 0
	}
}

// mode returns the mode to report for a file whose entry, if it has one, has
// the mode recorded; 0 if it has none.
func (r *statRule) mode(recorded Mode, st *fileStat) (m Mode, ok bool) {
	m, ok = st.gitMode()
	switch {
	case !ok || m == ModeSymlink || recorded == 0:
	case recorded == ModeSymlink && !r.symlinks:
		m = ModeSymlink
	case !r.fileMode && recorded.Regular():
		m = recorded
	}
	if ok && recorded == 0 && !r.fileMode && m == ModeExec {
		m = ModeRegular
	}
	return m, ok
}
