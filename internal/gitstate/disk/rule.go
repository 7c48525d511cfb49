package disk

import (
	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/index"
)

// Rule decides whether a file is what the index remembers of it.
type Rule struct {
	Ctime    bool // core.trustCtime, and checkStat is not minimal
	Minimal  bool // core.checkStat = minimal: no inode, no device
	FileMode bool // core.fileMode
	Symlinks bool // core.symlinks
	Index    index.FileInfo
	Empty    entry.ID // of the empty blob
}

// Clean reports whether st equals entry i of x in all that tells a change, and
// cannot have changed since within the same tick of the clock (is not racy).
func (r *Rule) Clean(x *index.Index, i int, st *Stat) bool {
	e := x.Record(i)
	if uint32(st.Size) != e.Size() || uint32(st.MtimeSec) != e.MtimeSec() {
		return false
	}
	nsec := e.MtimeNsec() != 0
	if nsec && st.MtimeNsec != e.MtimeNsec() {
		return false
	}
	if r.Ctime && (uint32(st.CtimeSec) != e.CtimeSec() || e.CtimeNsec() != 0 && st.CtimeNsec != e.CtimeNsec()) {
		return false
	}
	if !r.Minimal && uint32(st.Ino) != e.Ino() {
		return false
	}
	if !r.sameMode(entry.Mode(e.Mode()), st) {
		return false
	}
	// git marks an entry it knows to be racy by the size 0.
	if e.Size() == 0 && entry.ID(x.ID(i)) != r.Empty {
		return false
	}
	return !r.racy(e, st, nsec)
}

// racy reports whether the file may have changed after the index was written
// without a trace in its times.
func (r *Rule) racy(e *index.Record, st *Stat, nsec bool) bool {
	sec, sub := r.Index.MtimeNano/1e9, r.Index.MtimeNano%1e9
	if !nsec || sub == 0 || st.Dev != r.Index.Dev {
		return int64(e.MtimeSec()) >= sec
	}
	return int64(e.MtimeSec()) > sec || int64(e.MtimeSec()) == sec && int64(e.MtimeNsec()) >= sub
}

func (r *Rule) sameMode(m entry.Mode, st *Stat) bool {
	switch {
	case m == entry.ModeSymlink:
		return st.Mode&typeMask == typeSymlink || !r.Symlinks && st.Mode&typeMask == typeRegular
	case st.Mode&typeMask != typeRegular:
		return false
	default:
		return !r.FileMode || (uint32(m)^st.Mode)&0o100 == 0
	}
}

// Mode returns the mode to report for a file whose entry, if it has one, has
// the mode recorded; 0 if it has none.
func (r *Rule) Mode(recorded entry.Mode, st *Stat) (m entry.Mode, ok bool) {
	m, ok = st.GitMode()
	switch {
	case !ok || m == entry.ModeSymlink || recorded == 0:
	case recorded == entry.ModeSymlink && !r.Symlinks:
		m = entry.ModeSymlink
	case !r.FileMode && recorded.Regular():
		m = recorded
	}
	if ok && recorded == 0 && !r.FileMode && m == entry.ModeExec {
		m = entry.ModeRegular
	}
	return m, ok
}
