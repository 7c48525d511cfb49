package runner

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
)

// fix applies what lint found and writes it. Formatting needs no phase of its
// own: its texts are written as they are made.
func (r *run) fix(ctx context.Context, entries []*entry) error {
	if r.req.Verb == engine.Format || r.req.Fix == nil && !r.req.Diff {
		return nil
	}
	var todo []*entry
	for _, e := range entries {
		if e.err == nil && !e.declined() && r.fixable(e) && !r.generated(e) {
			todo = append(todo, e)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	p := r.pool(entries, func(e *entry) { r.write(ctx, e) })
	p.open = func(bool) poolWorker[*entry, *entry] {
		return &fixer{&worker{run: r, open: map[*planned]engine.Worker{}}}
	}
	p.batches = func([]*entry) bool { return false }
	p.run(ctx, chunks(todo))
	r.flush(ctx)
	return ctx.Err()
}

// fixable reports whether e has a diagnostic with a fix that is reported.
func (r *run) fixable(e *entry) bool {
	keep := r.keeps(e)
	for i := range e.results {
		for j := range e.results[i].diags {
			if d := &e.results[i].diags[j]; len(d.Fix) > 0 && keep(d) {
				return true
			}
		}
	}
	return false
}

// keeps tells which diagnostics of e are reported: only those are fixed.
func (r *run) keeps(e *entry) func(*diag.Diagnostic) bool {
	ignored := r.ignored(e)
	return func(d *diag.Diagnostic) bool { return !ignored(d.Code) }
}

// fixer is a worker that fixes instead of judging.
type fixer struct{ *worker }

func (w *fixer) do(ctx context.Context, items []*entry, done func(*entry)) {
	w.each(ctx, items, done, w.fix)
}

func (w *fixer) fix(ctx context.Context, e *entry) {
	// The results are known, unless the bytes turn out to lie there in another form.
	if w.judge(ctx, e); e.err != nil {
		return
	}
	src, err := w.read(ctx, e)
	if err != nil {
		e.err = err
		return
	}
	f, err := w.fixLoop(ctx, e, src, w.run.keeps(e))
	if err != nil {
		e.err = err
		return
	}
	if bytes.Equal(f.text, src.Text) {
		return
	}
	e.before, e.after = src.Text, f.text
	if w.run.req.Fix != nil {
		e.results, e.applied = f.results, f.applied
	}
}

// Changes are written many at a time: each batch costs the writer a sync.
const (
	batchFiles = 64
	batchBytes = 8 << 20
)

// write keeps a changed text for the next batch.
func (r *run) write(ctx context.Context, e *entry) {
	if e.after == nil || e.err != nil || r.req.Fix == nil {
		return
	}
	r.pending = append(r.pending, e)
	r.bytes += len(e.before) + len(e.after)
	if len(r.pending) >= batchFiles || r.bytes >= batchBytes {
		r.flush(ctx)
	}
}

// flush hands the pending texts to the writer, in path order, and forgets
// them. A refusal makes the file errored; what is on disk is untouched then.
func (r *run) flush(ctx context.Context) {
	todo := r.pending
	r.pending, r.bytes = nil, 0
	if len(todo) == 0 || ctx.Err() != nil {
		return
	}
	slices.SortFunc(todo, func(a, b *entry) int { return strings.Compare(a.file.Path, b.file.Path) })
	changes := make([]Change, len(todo))
	for i, e := range todo {
		changes[i] = Change{e.file, e.before, e.after}
	}
	for i, err := range r.req.Fix.WriteAll(ctx, changes) {
		e := todo[i]
		if err != nil {
			e.err, e.applied = fmt.Errorf("not written: %w", err), 0
		}
		e.before, e.after = nil, nil
	}
}

// fixed is what became of one file under lint --fix.
type fixed struct {
	text    []byte // what to write; equal to the input if nothing was fixed
	results []result
	applied int
}

// fixLoop applies the fixes of e's results to src.Text and lints again, until
// nothing is left to apply or maxPasses is reached. A fix must not break a
// file: where all of a pass together do, those that do are left out.
func (w *worker) fixLoop(ctx context.Context, e *entry, src engine.Source, keep func(*diag.Diagnostic) bool) (fixed, error) {
	f := fixed{text: src.Text, results: e.results}
	for range maxPasses {
		all := fixes(f.results, keep)
		next, broke := w.try(ctx, e, src, f, all)
		if broke {
			next, _ = w.try(ctx, e, src, f, w.harmless(ctx, e, src, f, all))
		}
		if next == nil {
			break
		}
		f = *next
	}
	return f, ctx.Err()
}

// try applies fixes to what became of a file so far. next is nil if nothing
// can be applied, or if it broke the file: it has an error it did not have
// before, or an engine fails on it.
func (w *worker) try(ctx context.Context, e *entry, src engine.Source, f fixed, fixes [][]diag.Edit) (next *fixed, broke bool) {
	text, n := diag.Apply(f.text, fixes)
	if n == 0 || bytes.Equal(text, f.text) {
		return nil, false
	}
	src.Text = text
	again, err := w.lintAll(ctx, e, src)
	if err != nil || breaks(f.results, again) {
		return nil, true
	}
	return &fixed{text: text, results: again, applied: f.applied + n}, false
}

// harmless finds, by halving, those of fixes that do not break the file alone.
func (w *worker) harmless(ctx context.Context, e *entry, src engine.Source, f fixed, fixes [][]diag.Edit) [][]diag.Edit {
	if len(fixes) < 2 || ctx.Err() != nil {
		return nil
	}
	var good [][]diag.Edit
	for _, half := range [...][][]diag.Edit{fixes[:len(fixes)/2], fixes[len(fixes)/2:]} {
		if _, broke := w.try(ctx, e, src, f, half); broke {
			half = w.harmless(ctx, e, src, f, half)
		}
		good = append(good, half...)
	}
	return good
}

// fixes collects the edit groups that may be applied, one for each diagnostic.
func fixes(rs []result, keep func(*diag.Diagnostic) bool) [][]diag.Edit {
	var out [][]diag.Edit
	for i := range rs {
		for j := range rs[i].diags {
			if d := &rs[i].diags[j]; len(d.Fix) > 0 && keep(d) {
				out = append(out, d.Fix)
			}
		}
	}
	return out
}

// breaks reports whether after has an error of a kind that before has not, or
// declines a file that was accepted.
func breaks(before, after []result) bool {
	type kind struct{ engine, code string }
	had := map[kind]bool{}
	for _, r := range before {
		for _, d := range r.diags {
			if d.Severity == diag.Error {
				had[kind{d.Engine, d.Code}] = true
			}
		}
	}
	for i, r := range after {
		if r.kind == resultSkip && before[i].kind != resultSkip {
			return true
		}
		for _, d := range r.diags {
			if d.Severity == diag.Error && !had[kind{d.Engine, d.Code}] {
				return true
			}
		}
	}
	return false
}
