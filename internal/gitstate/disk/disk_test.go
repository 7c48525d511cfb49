package disk

import (
	"testing"

	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/index"
)

// TestClean moves one thing at a time away from what the index remembers.
func TestClean(t *testing.T) {
	t.Parallel()
	same := Stat{Dev: 1, Ino: 2, Size: 3, MtimeSec: 100, MtimeNsec: 7, CtimeSec: 200, CtimeNsec: 8, Mode: 0o100644}
	id := string(entry.BlobID([]byte("abc"), 20))
	all := Rule{Ctime: true, FileMode: true, Symlinks: true, Index: index.FileInfo{Dev: 1, MtimeNano: 300e9 + 5}, Empty: entry.BlobID(nil, 20)}
	at := func(sec, nsec int64) index.FileInfo { return index.FileInfo{Dev: 1, MtimeNano: sec*1e9 + nsec} }
	for _, tc := range []struct {
		name  string
		stat  func(*Stat)
		rule  func(*Rule)
		entry func(*index.Entry)
		want  bool
	}{
		{name: "equal", want: true},
		{name: "size", stat: func(s *Stat) { s.Size++ }},
		{name: "seconds", stat: func(s *Stat) { s.MtimeSec++ }},
		{name: "nanoseconds", stat: func(s *Stat) { s.MtimeNsec++ }},
		{name: "nanoseconds the index lacks", stat: func(s *Stat) { s.MtimeNsec++ }, entry: func(e *index.Entry) { e.Stat.MtimeNsec = 0 }, want: true},
		{name: "ctime", stat: func(s *Stat) { s.CtimeSec++ }},
		{name: "ctime does not count", stat: func(s *Stat) { s.CtimeSec++ }, rule: func(r *Rule) { r.Ctime = false }, want: true},
		{name: "inode", stat: func(s *Stat) { s.Ino++ }},
		{name: "inode does not count", stat: func(s *Stat) { s.Ino++ }, rule: func(r *Rule) { r.Minimal = true }, want: true},
		{name: "executable", stat: func(s *Stat) { s.Mode = 0o100755 }},
		{name: "executable does not count", stat: func(s *Stat) { s.Mode = 0o100755 }, rule: func(r *Rule) { r.FileMode = false }, want: true},
		{name: "a link", stat: func(s *Stat) { s.Mode = 0o120777 }},
		{name: "a directory", stat: func(s *Stat) { s.Mode = 0o040755 }},
		{name: "a link kept as a file", entry: func(e *index.Entry) { e.Mode = 0o120000 }, rule: func(r *Rule) { r.Symlinks = false }, want: true},
		{name: "a link that is a file", entry: func(e *index.Entry) { e.Mode = 0o120000 }},
		{name: "smudged", stat: func(s *Stat) { s.Size = 0 }, entry: func(e *index.Entry) { e.Stat.Size = 0 }},
		{name: "index as old as the file", rule: func(r *Rule) { r.Index = at(100, 7) }},
		{name: "index a nanosecond younger", rule: func(r *Rule) { r.Index = at(100, 8) }, want: true},
		{name: "index of whole seconds", rule: func(r *Rule) { r.Index = at(100, 0) }},
		{name: "index on another disk", rule: func(r *Rule) { r.Index = at(100, 8); r.Index.Dev = 9 }},
		{name: "index older than the file", rule: func(r *Rule) { r.Index = at(99, 0) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			st, rule := same, all
			e := index.Entry{Path: "p", ID: id, Mode: 0o100644, Stat: index.Stat{
				Dev: 1, Ino: 2, Size: 3, MtimeSec: 100, MtimeNsec: 7, CtimeSec: 200, CtimeNsec: 8,
			}}
			if tc.stat != nil {
				tc.stat(&st)
			}
			if tc.rule != nil {
				tc.rule(&rule)
			}
			if tc.entry != nil {
				tc.entry(&e)
			}
			x, err := index.FromEntries(20, rule.Index, []index.Entry{e})
			if err != nil {
				t.Fatal(err)
			}
			if got := rule.Clean(x, 0, &st); got != tc.want {
				t.Errorf("Clean = %v, want %v", got, tc.want)
			}
		})
	}
}

func TestSettled(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		sec  int64
		nsec uint32
		want bool
	}{
		{sec: 99, nsec: 1, want: true},
		{sec: 100, nsec: 499, want: true},
		{sec: 100, nsec: 500},
		{sec: 101, nsec: 1},
		{sec: 98},
		{sec: 97, want: true},
	} {
		for _, s := range []Stat{{MtimeSec: tc.sec, MtimeNsec: tc.nsec, CtimeSec: 1}, {MtimeSec: 1, CtimeSec: tc.sec, CtimeNsec: tc.nsec}} {
			if got := s.Settled(100e9 + 500); got != tc.want {
				t.Errorf("%+v settled at 100.0000005: %v, want %v", s, got, tc.want)
			}
		}
	}
}
