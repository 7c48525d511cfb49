package runner

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"poly/internal/diag"
	"poly/internal/discover"
	"poly/internal/gitstate"
	"poly/store"
)

// memo is the answer for the baseline of a tree: what a run would report if no
// file deviated from it. Files that do, and those that did when the memo was
// made, are judged one by one.
//
// Invariant: memo and the files judged beside it make the same report as a run
// that knows nothing.
type memo struct {
	summary  diag.Summary
	tally    discover.Tally
	files    []diag.FileReport // records of baseline entries, by path
	unknown  []string          // baseline entries that are not in the memo, sorted
	sniffed  []string          // baseline entries that turned out to be of no language, sorted
	configs  []string
	names    []string // base names of files that engines read, sorted
	paths    []string // fixed paths of such files and directories, there or not, sorted
	siblings []string // patterns of files that engines read beside others, sorted
	controls [32]byte // digest of those of names and paths that deviated
}

// memoKey names the question and the state: scope is who asks, key is what was
// asked about. Both are digests, so no path of this machine is stored.
func (r *run) memoKey(state gitstate.ID) (scope, key []byte) {
	q := &r.req
	opts := []byte(strconv.FormatBool(q.IncludeExcluded))
	s := digest([]byte("poly memo "+memoFormat), []byte(q.Scope), []byte(q.Verb.String()), opts,
		[]byte(joinNUL(q.Paths)), []byte(joinNUL(q.Exclude)), []byte(q.ExcludeBase))
	parts := [][]byte{[]byte(r.build), []byte(state), []byte(engineNames(r))}
	for _, id := range q.Covered {
		parts = append(parts, []byte("covered "+id))
	}
	for _, eff := range q.Config.All() {
		d, sd := eff.Digest(), eff.ScopeDigest()
		parts = append(parts, []byte(eff.Dir), d[:], sd[:])
	}
	k := digest(parts...)
	return s[:], k[:]
}

func engineNames(r *run) string {
	var b []byte
	for i := range r.engines {
		e := &r.engines[i]
		b = append(b, e.Name+"\x00"+e.Wrapped+"\x00"+strconv.Itoa(e.Revision)+"\x00"...)
		b = e.AppendModules(b, "")
	}
	return string(b)
}

// memos reports whether the run may be answered by, and kept in, the memo.
func (r *run) memos(base gitstate.Baseline) bool {
	return r.cache != nil && r.req.Scope != "" && base.State != "" && r.req.Fix == nil && !r.req.Diff && !r.req.Debug
}

// recall answers the run from the memo; ok is false if there is none for it.
func (r *run) recall(ctx context.Context, scope *discover.Scope) (rep diag.Report, ok bool, err error) {
	base := r.req.Tree.Baseline()
	if !r.memos(base) {
		return diag.Report{}, false, nil
	}
	sc, key := r.memoKey(base.State)
	value := r.cache.Memo(ctx, sc, key)
	if value == nil {
		return diag.Report{}, false, nil
	}
	m, err := decodeMemo(value)
	if err != nil || m.controls != controls(base, m.names, m.paths) || !m.forget(r.touched(base, m.siblings), scope) {
		return diag.Report{}, false, nil //nolint:nilerr // a memo that cannot be used is no memo
	}
	entries, err := r.beside(base, m, scope)
	if err != nil {
		return diag.Report{}, false, err
	}
	if err := r.resolve(ctx, entries); err != nil {
		return diag.Report{}, false, err
	}
	rep = r.collect(entries, scope, &m.tally)
	rep.Summary.Checked += m.summary.Checked
	rep.Summary.Skipped += m.summary.Skipped
	rep.Summary.Errored += m.summary.Errored
	rep.Files = merge(rep.Files, m.files)
	rep.Configs = m.configs
	rep.Stats.FromCache += m.summary.Checked + m.summary.Skipped
	return rep, true, nil
}

// forget takes out of m what it says about entries. It returns false if m
// cannot tell what that was.
func (m *memo) forget(files []touch, scope *discover.Scope) bool {
	var gone []int // in m.files
	var again []string
	for _, f := range files {
		if i, ok := slices.BinarySearch(m.unknown, f.Path); ok {
			m.unknown = slices.Delete(m.unknown, i, i+1)
			if f.again {
				again = append(again, f.Path)
			}
			continue
		}
		d := scope.Decide(f.File)
		if f.again {
			if !d.In() {
				continue // what it is like was not looked at
			}
			again = append(again, f.Path)
		}
		if i, ok := slices.BinarySearchFunc(m.files, f.Path, func(r diag.FileReport, p string) int { return strings.Compare(r.Path, p) }); ok {
			m.count(m.files[i].Outcome, -1)
			gone = append(gone, i)
			continue
		}
		if _, ok := slices.BinarySearch(m.sniffed, f.Path); ok {
			d = discover.Decision{Why: discover.Unrecognised}
		}
		if d.In() {
			m.summary.Checked--
		} else if !m.tally.Remove(f.Path, d) {
			return false
		}
	}
	m.files = without(m.files, gone)
	m.unknown = append(m.unknown, again...)
	return true
}

// without takes out the elements at ascending indexes.
func without(files []diag.FileReport, gone []int) []diag.FileReport {
	if len(gone) == 0 {
		return files
	}
	kept := gone[0]
	for k, i := range gone {
		end := len(files)
		if k+1 < len(gone) {
			end = gone[k+1]
		}
		kept += copy(files[kept:], files[i+1:end])
	}
	return files[:kept]
}

func (m *memo) count(o diag.Outcome, n int) {
	if o == diag.Skipped {
		m.summary.Skipped += n
	} else {
		m.summary.Checked += n
	}
}

// beside makes entries of the files the memo does not speak about.
func (r *run) beside(base gitstate.Baseline, m *memo, scope *discover.Scope) ([]*entry, error) {
	files := slices.Clone(base.Deviating)
	for _, p := range m.unknown {
		if f, ok := r.req.Tree.Lookup(p); ok {
			files = append(files, f)
		}
	}
	var entries []*entry
	for _, f := range files {
		dec := scope.Decide(f)
		if !dec.In() {
			m.tally.Add(f.Path, dec)
			continue
		}
		e, err := r.entry(f, dec)
		if err != nil {
			return nil, err
		}
		e.index = len(entries)
		entries = append(entries, e)
	}
	return entries, nil
}

// merge joins two lists, sorted by path and without common paths.
func merge(a, b []diag.FileReport) []diag.FileReport {
	if len(a) == 0 {
		return b
	}
	out := make([]diag.FileReport, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].Path < b[0].Path {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// remember keeps the answer for the next run, and reports whether it did.
func (r *run) remember(ctx context.Context, rep *diag.Report, entries []*entry, tally discover.Tally, deviates map[string]bool) bool {
	base := r.req.Tree.Baseline()
	if !r.memos(base) || r.reader.odd.Load() {
		return false
	}
	m := memo{configs: rep.Configs, tally: tally}
	for _, s := range r.inputSets {
		m.names = append(m.names, s.names...)
		m.paths = append(m.paths, s.paths...)
		m.siblings = append(m.siblings, s.siblings...)
	}
	m.names, m.paths, m.siblings = compact(m.names), compact(m.paths), compact(m.siblings)
	m.controls = controls(base, m.names, m.paths)
	for _, f := range base.Was {
		m.unknown = append(m.unknown, f.Path)
	}
	beside := besideDirs(base, m.siblings)
	for _, e := range entries {
		switch {
		case deviates[e.file.Path]:
		case beside[path.Dir(e.file.Path)]:
			m.unknown = append(m.unknown, strings.Clone(e.file.Path))
		default:
			r.keep(&m, e)
		}
	}
	slices.Sort(m.unknown)
	sc, key := r.memoKey(base.State)
	r.save(ctx, store.Batch{Memos: []store.Memo{{Scope: sc, Key: key, Value: m.encode()}}})
	return true
}

// save writes a batch, and with it what a scan wants to remember. The run goes
// on without it.
func (r *run) save(ctx context.Context, b store.Batch) {
	if r.cache == nil {
		return
	}
	if err := r.cache.Save(context.WithoutCancel(ctx), b); err != nil {
		r.log.Debug("cache save", "err", err)
	}
}

// deviating is the set of paths the memo does not speak about.
func deviating(base gitstate.Baseline) map[string]bool {
	if base.State == "" {
		return nil
	}
	m := make(map[string]bool, len(base.Deviating))
	for _, f := range base.Deviating {
		m[f.Path] = true
	}
	return m
}

// keep adds what is known about one baseline entry to m.
func (r *run) keep(m *memo, e *entry) {
	switch {
	case e.err != nil:
		m.unknown = append(m.unknown, strings.Clone(e.file.Path))
	case r.unrecognised(e):
		m.sniffed = append(m.sniffed, strings.Clone(e.file.Path))
		m.tally.Add(e.file.Path, discover.Decision{Why: discover.Unrecognised})
	default:
		f := r.assemble(e)
		m.count(f.Outcome, 1)
		if f.Outcome != diag.Checked || len(f.Diagnostics) > 0 || f.Changed {
			m.files = append(m.files, f)
		}
	}
}

func compact(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}

// controls is the digest of the deviating files that change what engines or
// attributes say about other files.
func controls(base gitstate.Baseline, names, paths []string) [32]byte {
	is := func(p string) bool {
		name := p[strings.LastIndexByte(p, '/')+1:]
		if name == ".gitattributes" {
			return true
		}
		_, byName := slices.BinarySearch(names, name)
		return byName || slices.ContainsFunc(paths, func(dir string) bool { return within(p, dir) })
	}
	var parts [][]byte
	for _, f := range base.Deviating {
		if is(f.Path) {
			parts = append(parts, []byte(f.Path), []byte(f.ID), []byte(f.Class), []byte(strconv.FormatUint(uint64(f.Mode), 8)))
		}
	}
	for _, f := range base.Was {
		if is(f.Path) {
			parts = append(parts, []byte(f.Path), nil)
		}
	}
	return digest(parts...)
}
