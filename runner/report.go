package runner

import (
	"context"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"poly/internal/diag"
	"poly/internal/discover"
	"poly/internal/engine"
	"poly/internal/gitstate"
	"poly/store"
)

// report runs the request: from the memo if it can, else file by file.
func (r *run) report(ctx context.Context) (diag.Report, error) {
	scope, err := r.scope(ctx)
	if err != nil {
		return diag.Report{}, err
	}
	if rep, ok, err := r.recall(ctx, scope); ok || err != nil {
		return rep, err
	}
	for _, eff := range r.req.Config.All() {
		if err := r.binder.bindAll(eff); err != nil {
			return diag.Report{}, err
		}
	}
	deviates := deviating(r.req.Tree.Baseline())
	var base, tally discover.Tally // of the baseline, and of what deviates from it
	var entries []*entry
	for f := range r.req.Tree.Files() {
		dec := scope.Decide(f)
		if !dec.In() {
			if deviates[f.Path] {
				tally.Add(f.Path, dec)
			} else {
				base.Add(f.Path, dec)
			}
			continue
		}
		e, err := r.entry(f, dec)
		if err != nil {
			return diag.Report{}, err
		}
		e.index = len(entries)
		entries = append(entries, e)
	}
	if err := r.resolve(ctx, entries); err != nil {
		return diag.Report{}, err
	}
	tally.Merge(&base)
	rep := r.collect(entries, scope, &tally)
	rep.Configs = r.hashes()
	learnt := gitstate.Learnt(ctx, r.req.Tree)
	if !r.remember(ctx, &rep, entries, base, deviates) && learnt {
		r.save(ctx, store.Batch{})
	}
	return rep, nil
}

func (r *run) scope(ctx context.Context) (*discover.Scope, error) {
	return discover.New(ctx, discover.Request{
		Tree: r.req.Tree, Config: r.req.Config, Paths: r.req.Paths, Exclude: r.req.Exclude, Base: r.req.ExcludeBase,
		IncludeExcluded: r.req.IncludeExcluded, Format: r.req.Verb == engine.Format, Exists: r.req.Exists,
		Anything: r.binder.anything,
	})
}

func (r *run) entry(f gitstate.File, dec discover.Decision) (*entry, error) {
	e := &entry{file: f, dec: dec, lang: dec.Lang}
	p, err := r.binder.planFor(&e.file, r.req.Config.For(dirOf(f.Path)), dec.Lang)
	if err != nil {
		return nil, err
	}
	e.plan, e.from = p, p
	if dec.Skip == "" && !dec.Sniff {
		e.results = make([]result, r.slots(p))
	}
	return e, nil
}

// resolve gives every entry its results: by the cache, else by work.
func (r *run) resolve(ctx context.Context, entries []*entry) error {
	if err := r.sniff(ctx, entries); err != nil {
		return err
	}
	ks := r.newKeys()
	for i, e := range entries {
		if e.dec.Skip == "" && !(e.dec.Sniff && !e.known) {
			ks.add(i, e)
		}
	}
	ks.lookup(ctx, entries)
	for _, e := range entries {
		if e.dec.Skip == "" {
			r.settle(e)
		}
	}
	if err := r.prove(ctx, entries); err != nil {
		return err
	}
	if err := r.work(ctx, entries); err != nil {
		return err
	}
	return r.fix(ctx, entries)
}

// prove makes sure that what the cache knows of a blob holds for the bytes
// that lie there. Where it does not, the file is read.
func (r *run) prove(ctx context.Context, entries []*entry) error {
	var hits []*entry
	var files []gitstate.File
	for _, e := range entries {
		if !e.missing && e.dec.Skip == "" {
			hits = append(hits, e)
			files = append(files, e.file)
		}
	}
	proven, err := gitstate.Proven(ctx, r.req.Tree, files)
	if err != nil {
		return err
	}
	for i, e := range hits {
		if !proven[i] {
			e.forget()
			e.missing = true
		}
	}
	return nil
}

// sniff asks the cache which language the entries are in whose name does not
// tell. Those it does not know are read, like every other miss.
func (r *run) sniff(ctx context.Context, entries []*entry) error {
	ks := r.newKeys()
	for i, e := range entries {
		if e.dec.Sniff {
			ks.push(ks.contentRow(e), i, -1)
		}
	}
	ks.lookup(ctx, entries)
	for _, e := range entries {
		if e.dec.Sniff && e.known {
			if err := r.relabel(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// collect makes the report of all entries; paths the tree could not look at
// are errored.
func (r *run) collect(entries []*entry, scope *discover.Scope, tally *discover.Tally) diag.Report {
	rep := diag.Report{Verb: r.req.Verb.String(), Fix: r.req.Fix != nil}
	for _, e := range entries {
		if r.unrecognised(e) {
			tally.Add(e.file.Path, discover.Decision{Why: discover.Unrecognised})
			continue
		}
		add(&rep, r.assemble(e))
		if e.missing {
			rep.Stats.Read++
		} else {
			rep.Stats.FromCache++
		}
	}
	for _, p := range r.req.Tree.Problems() {
		if scope.Covers(p.Path) {
			add(&rep, diag.FileReport{Path: p.Path, Outcome: diag.Errored, Reason: openError(p.Err).Error()})
		}
	}
	for _, p := range r.req.Declined {
		add(&rep, diag.FileReport{Path: p, Outcome: diag.Skipped, Reason: "not a regular file"})
	}
	slices.SortStableFunc(rep.Files, func(a, b diag.FileReport) int { return strings.Compare(a.Path, b.Path) })
	rep.Notes = tally.Notes()
	rep.Notes.Warnings = append(slices.Clone(r.req.Config.Notes()), rep.Notes.Warnings...)
	return rep
}

// unrecognised reports whether a file that was sniffed turned out to be of no
// known language: then nothing looked at it, unless somebody named it.
func (r *run) unrecognised(e *entry) bool {
	return e.dec.Sniff && !e.dec.Named && e.err == nil && (e.lang == "" && !e.plan.anything || e.content.kind == resultSkip && e.content.detail == "")
}

// add counts a file, and keeps its record if it has something to say.
func add(rep *diag.Report, f diag.FileReport) {
	switch f.Outcome {
	case diag.Checked:
		rep.Summary.Checked++
	case diag.Skipped:
		rep.Summary.Skipped++
	case diag.Errored:
		rep.Summary.Errored++
	}
	if f.Outcome != diag.Checked || len(f.Diagnostics) > 0 || f.Changed || f.Fixed > 0 {
		rep.Files = append(rep.Files, f)
	}
}

// hashes returns the hash of every configuration, in the order of their
// indexes: effective settings, rules, and the files engines read.
func (r *run) hashes() []string {
	fixed, named := r.inputFiles()
	var out []string
	for _, eff := range r.req.Config.All() {
		near := slices.Clone(named)
		near = slices.DeleteFunc(near, func(f gitstate.File) bool {
			dir := dirOf(f.Path)
			return !within(dir, eff.Dir) && !within(eff.Dir, dir)
		})
		settings, a, b := eff.Digest(), blobDigest(fixed), blobDigest(near)
		h := digest(settings[:], a[:], b[:])
		out = append(out, format+"/"+hex.EncodeToString(h[:8]))
	}
	return out
}

// blobDigest names files by path and blob. In which form a blob lies in the
// worktree may be known to one run and not yet to another, so it is left out.
func blobDigest(files []gitstate.File) [32]byte {
	parts := make([][]byte, 0, 2*len(files))
	for _, f := range files {
		parts = append(parts, []byte(f.Path), []byte(f.ID))
	}
	return digest(parts...)
}

// inputFiles returns the files that engines read: those at fixed paths, and
// those found by name in or above what the request names. Both are in path
// order, and the same for a tree that is limited to what the request names.
func (r *run) inputFiles() (fixed, named []gitstate.File) {
	names := map[string]bool{}
	for _, s := range r.inputSets {
		fixed = append(fixed, s.fixed...)
		for _, n := range s.names {
			names[n] = true
		}
	}
	for n := range names {
		for _, f := range gitstate.Named(r.req.Tree, n) {
			if slices.ContainsFunc(r.req.Paths, func(p string) bool { return within(f.Path, p) }) {
				named = append(named, f)
			}
		}
		for _, dir := range r.req.Paths {
			for ; dir != "."; dir = path.Dir(dir) {
				if f, ok := r.req.Tree.Lookup(path.Join(path.Dir(dir), n)); ok {
					named = append(named, f)
				}
			}
		}
	}
	return byPath(fixed), byPath(slices.DeleteFunc(named, func(f gitstate.File) bool { return !f.Mode.Regular() }))
}

// byPath sorts files and drops repetitions.
func byPath(files []gitstate.File) []gitstate.File {
	slices.SortFunc(files, func(a, b gitstate.File) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(files, func(a, b gitstate.File) bool { return a.Path == b.Path })
}

// within reports whether dir is base or lies below it.
func within(dir, base string) bool {
	return base == "." || dir == base || strings.HasPrefix(dir, base+"/")
}
