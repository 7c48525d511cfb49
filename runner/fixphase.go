package runner

import (
	"bytes"
	"context"
	"fmt"

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
	var hung []*entry
	p := r.pool(&hung, func(e *entry) { r.write(ctx, e) })
	p.open = func(bool) poolWorker[*entry, *entry] {
		return &fixer{&worker{run: r, open: map[*planned]engine.Worker{}}}
	}
	p.batches = func([]*entry) bool { return false }
	p.run(ctx, chunks(todo))
	for _, h := range hung {
		entries[h.index] = h
	}
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
	ig := r.ignoresOf(e.plan.eff)
	return func(d *diag.Diagnostic) bool { return !ig.ignored(e.file.Path, d.Code) }
}

// fixer is a worker that fixes instead of judging.
type fixer struct{ *worker }

func (w *fixer) do(ctx context.Context, items []*entry, done func(*entry)) {
	for _, e := range items {
		if e.err = ctx.Err(); e.err == nil {
			w.fix(ctx, e)
		}
		done(e)
	}
}

func (w *fixer) fix(ctx context.Context, e *entry) {
	text, err := w.run.req.Tree.Read(ctx, e.file)
	if err != nil {
		e.err = openError(err)
		return
	}
	src := engine.Source{Path: e.file.Path, Lang: e.lang, Text: text, Exec: e.file.Mode&0o111 != 0}
	f, err := w.fixLoop(ctx, e, src, w.run.keeps(e))
	if err != nil {
		e.err = err
		return
	}
	if !bytes.Equal(f.text, text) {
		e.before, e.after, e.results, e.applied = text, f.text, f.results, f.applied
	}
}

// write hands a changed text to the writer, and forgets it unless a diff is
// wanted. A refusal makes the file errored; what is on disk is untouched then.
func (r *run) write(ctx context.Context, e *entry) {
	if e.after == nil || e.err != nil || ctx.Err() != nil {
		return
	}
	if r.req.Fix != nil {
		if err := r.req.Fix.Write(ctx, e.file, e.before, e.after); err != nil {
			e.err = fmt.Errorf("not written: %w", err)
			return
		}
		e.written = true
	}
	if !r.req.Diff {
		e.before, e.after = nil, nil
	}
}
