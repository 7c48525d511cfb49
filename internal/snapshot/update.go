package snapshot

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"poly/internal/gitstate"
	"poly/internal/gitstate/disk"
	blob "poly/internal/gitstate/entry"
)

// update is one call of Update.
type update struct {
	s       *Snapshot
	content Content
	want    manifest // what shall lie there; stats are filled in
	files   []gitstate.File
	write   []int // entries of want to write, as indexes
}

// plan lists what shall lie in the directory.
func (u *update) plan(ctx context.Context, files []gitstate.File, links []Link) {
	targets := u.targets(ctx, files)
	dirs := map[string]bool{"": true}
	u.want.entries = make([]entry, 0, len(files)+len(files)/4+len(links)+1)
	u.want.entries = append(u.want.entries, entry{kind: kindDir})
	addDirs := func(p string) {
		for dir := path.Dir(p); dir != "." && !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
			u.want.entries = append(u.want.entries, entry{path: dir, kind: kindDir})
		}
	}
	for n, f := range files {
		if f.Conflict {
			continue
		}
		// The manifest outlives the tree.
		e := entry{path: strings.Clone(f.Path), id: strings.Clone(string(f.ID)), kind: kindFile, file: int32(n + 1)}
		switch f.Mode {
		case gitstate.ModeExec:
			e.kind = kindExec
		case gitstate.ModeSymlink:
			if Escapes(f.Path, targets[f.Path], func(p string) (string, bool) { t, ok := targets[p]; return t, ok }) {
				u.s.refused = append(u.s.refused, f.Path)
				continue
			}
			e.kind = kindLink
		case gitstate.ModeGitlink:
			e.kind, e.id = kindDir, ""
			dirs[f.Path] = true
		}
		if f.Mode.Regular() && u.content.Converted != nil {
			if e.conv = u.content.Converted(f.Path); e.conv != "" {
				e.kind += kindConverted - kindFile
			}
		}
		addDirs(e.path)
		u.want.entries = append(u.want.entries, e)
	}
	for _, l := range links {
		addDirs(l.Path)
		u.want.entries = append(u.want.entries, entry{path: l.Path, kind: kindLink, id: "to " + l.Target})
	}
	slices.SortFunc(u.want.entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	u.files = files
}

// targets reads the symbolic links of the tree.
func (u *update) targets(ctx context.Context, files []gitstate.File) map[string]string {
	u.s.refused = nil
	var out map[string]string
	for _, f := range files {
		if f.Mode != gitstate.ModeSymlink || f.Conflict {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		b, err := u.content.Read(ctx, f)
		if err != nil {
			b = []byte("/") // it leads nowhere: refused
		}
		out[f.Path] = string(b)
	}
	return out
}

// run compares what lies there with what shall, and writes what differs.
func (u *update) run(ctx context.Context) error {
	s := u.s
	if err := s.root.Chmod(".", 0o700); err != nil {
		return err
	}
	v := s.verify()
	if err := u.remove(v); err != nil {
		return err
	}
	changed := u.compare(v) || len(v.extra) > 0 || len(s.have.entries) != len(u.want.entries) || v.stale
	s.have, s.fresh = manifest{}, false
	if changed {
		// If this is cut short the old manifest still holds: what was written
		// since is another file than it says.
		if err := u.writeAll(ctx); err != nil {
			return err
		}
		if err := u.stampDirs(); err != nil {
			return err
		}
		if err := s.writeManifest(&u.want); err != nil {
			return err
		}
	}
	s.have, s.fresh = u.want, true
	return ctx.Err()
}

// compare keeps what lies there as it shall, lists the rest to be written, and
// reports whether that is anything.
func (u *update) compare(v *verified) bool {
	have := u.s.have.entries
	j := 0
	for i := range u.want.entries {
		e := &u.want.entries[i]
		for j < len(have) && have[j].path < e.path {
			j++
		}
		if j < len(have) && have[j].path == e.path && v.ok[j] && have[j].holds(e) {
			*e = have[j]
			continue
		}
		u.write = append(u.write, i)
	}
	return len(u.write) > 0
}

// verified is what was found of the entries of a manifest.
type verified struct {
	ok    []bool   // the entry is what it was
	extra []string // what lies there besides
	stale bool     // the manifest should be written anew, so that the next look costs less
}

// verify looks at each entry of the manifest, parents first: an entry in a
// directory that is not the one it was written to is not there.
func (s *Snapshot) verify() *verified {
	stats, ok := s.look()
	v := &verified{ok: ok}
	lost := map[string]bool{} // directories that are others now
	for i := range s.have.entries {
		e := &s.have.entries[i]
		if len(lost) > 0 && lost[path.Dir(e.path)] {
			v.ok[i] = false
		}
		switch {
		case e.kind == kindDir && !v.ok[i]:
			lost[e.path] = true
		case e.kind == kindDir:
			if e.racy || !stats[i].Same(&e.stat) {
				v.extra = append(v.extra, s.extras(e.path)...)
				v.stale = true
			}
		case v.ok[i] && e.racy:
			v.ok[i], v.stale = s.sameBytes(e), true
		}
	}
	return v
}

// look calls lstat for each entry of the manifest and tells which are what it
// says.
func (s *Snapshot) look() (stats []disk.Stat, ok []bool) {
	n := len(s.have.entries)
	stats, ok = make([]disk.Stat, n), make([]bool, n)
	s.each(n, func(i int) {
		e, st := &s.have.entries[i], &stats[i]
		switch err := s.disk.LstatPath(e.path, st); {
		case err != nil:
		case e.path == "": // it is open: it cannot be another
			ok[i] = true
		case e.kind == kindDir:
			ok[i] = st.IsDir() && st.Ino == e.stat.Ino && st.Dev == e.stat.Dev && st.Mode == e.stat.Mode
		default:
			ok[i] = st.Same(&e.stat)
		}
	})
	return stats, ok
}

// sameBytes reads a file whose stat data prove nothing.
func (s *Snapshot) sameBytes(e *entry) bool {
	if e.kind == kindLink {
		return true // a link cannot be changed, but replaced
	}
	b, _, _, err := s.disk.ReadFile(e.path)
	if err != nil {
		return false
	}
	want := e.id
	if e.kind == kindConverted || e.kind == kindConvertedExec {
		want = s.digests[e.path] // "" in another run: it is converted again
	}
	return string(blob.BlobID(b, len(e.id))) == want
}

// extras lists what a directory holds and the manifest does not.
func (s *Snapshot) extras(dir string) []string {
	names, err := fs.ReadDir(s.root.FS(), path.Join(".", dir))
	if err != nil {
		return nil
	}
	var out []string
	for _, n := range names {
		p := path.Join(dir, n.Name())
		if _, ok := s.have.find(p); !ok {
			out = append(out, p)
		}
	}
	return out
}

// remove takes away what is not wanted, or not at that place.
func (u *update) remove(v *verified) error {
	var gone []string
	if len(u.s.have.entries) == 0 { // nothing is known of what lies there
		v.extra = u.s.extras("")
	}
	gone = append(gone, v.extra...)
	want, j := u.want.entries, 0
	for i := range u.s.have.entries {
		e := &u.s.have.entries[i]
		for j < len(want) && want[j].path < e.path {
			j++
		}
		if e.path != "" && !(v.ok[i] && j < len(want) && want[j].path == e.path && want[j].holds(e)) {
			gone = append(gone, e.path)
		}
	}
	var last string
	slices.Sort(gone)
	for _, p := range gone {
		if last != "" && strings.HasPrefix(p, last) {
			continue // it went with its directory
		}
		if err := u.s.removeAll(p); err != nil {
			return err
		}
		last = p + "/"
	}
	return nil
}

// removeAll removes a path, directories without permissions too.
func (s *Snapshot) removeAll(p string) error {
	name := filepath.FromSlash(p)
	err := s.root.RemoveAll(name)
	if err == nil {
		return nil
	}
	_ = fs.WalkDir(s.root.FS(), p, func(at string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = s.root.Chmod(filepath.FromSlash(at), 0o700)
		}
		return nil
	})
	if up := path.Dir(p); up != "." {
		_ = s.root.Chmod(filepath.FromSlash(up), 0o700)
	}
	return s.root.RemoveAll(name)
}

// writeAll writes the entries that are missing: directories first.
func (u *update) writeAll(ctx context.Context) error {
	var files, converted []int
	for _, i := range u.write {
		switch e := &u.want.entries[i]; e.kind {
		case kindDir:
			if e.path == "" {
				continue
			}
			if err := u.mkdir(e); err != nil {
				return err
			}
		case kindConverted, kindConvertedExec:
			converted = append(converted, i)
		default:
			files = append(files, i)
		}
	}
	g, gctx := errgroup.WithContext(ctx)
	jobs := u.s.workers()
	for w := range jobs {
		g.Go(func() error {
			for k := w; k < len(files); k += jobs {
				if err := gctx.Err(); err != nil {
					return err
				}
				if err := u.writeOne(gctx, files[k]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return u.checkout(ctx, converted)
}

func (u *update) mkdir(e *entry) error {
	name := filepath.FromSlash(e.path)
	err := u.s.root.Mkdir(name, 0o755)
	if errors.Is(err, fs.ErrExist) {
		if err = u.s.removeAll(e.path); err == nil {
			err = u.s.root.Mkdir(name, 0o755)
		}
	}
	return err
}

// writeOne writes a file or a link, which is not there.
func (u *update) writeOne(ctx context.Context, i int) error {
	e := &u.want.entries[i]
	name := filepath.FromSlash(e.path)
	if to, ok := strings.CutPrefix(e.id, "to "); ok && e.kind == kindLink {
		return u.link(e, to)
	}
	b, err := u.content.Read(ctx, u.files[e.file-1])
	if err != nil {
		return err
	}
	if e.kind == kindLink {
		return u.link(e, string(b))
	}
	mode := fs.FileMode(0o644)
	if e.kind == kindExec {
		mode = 0o755
	}
	if err := u.s.create(name, b, mode); err != nil {
		return err
	}
	return u.stamp(e)
}

func (u *update) link(e *entry, target string) error {
	if err := u.s.root.Symlink(target, filepath.FromSlash(e.path)); err != nil {
		return err
	}
	return u.stamp(e)
}

// checkout lets git write the files that it converts.
func (u *update) checkout(ctx context.Context, list []int) error {
	if len(list) == 0 {
		return nil
	}
	paths := make([]string, len(list))
	for k, i := range list {
		paths[k] = u.want.entries[i].path
	}
	if err := u.content.Checkout(ctx, u.s.top, paths); err != nil {
		return err
	}
	for _, i := range list {
		e := &u.want.entries[i]
		b, _, _, err := u.s.disk.ReadFile(e.path)
		if err != nil {
			return err
		}
		u.s.digest(e.path, b, len(e.id))
		if err := u.stamp(e); err != nil {
			return err
		}
	}
	return nil
}

// stamp notes what lstat says of what was written.
func (u *update) stamp(e *entry) error {
	if err := u.s.disk.LstatPath(e.path, &e.stat); err != nil {
		return err
	}
	return nil
}

// stampDirs does so for directories, whose times have moved, and finds out
// which entries a change would show of.
func (u *update) stampDirs() error {
	for i := range u.want.entries {
		e := &u.want.entries[i]
		if e.kind == kindDir {
			if err := u.stamp(e); err != nil {
				return err
			}
		}
	}
	now := disk.CoarseNow()
	for i := range u.want.entries {
		e := &u.want.entries[i]
		e.racy = !e.stat.Settled(now)
	}
	return nil
}

func (s *Snapshot) workers() int {
	if s.jobs > 0 {
		return s.jobs
	}
	return runtime.GOMAXPROCS(0)
}

// each calls f for 0 to n-1, from several goroutines where that is worth it.
func (s *Snapshot) each(n int, f func(i int)) {
	jobs := min(s.workers(), n/2000+1)
	var wg sync.WaitGroup
	for w := range jobs {
		wg.Go(func() {
			for i := w * n / jobs; i < (w+1)*n/jobs; i++ {
				f(i)
			}
		})
	}
	wg.Wait()
}
