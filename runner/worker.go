package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/gitstate"
)

// worker owns the engine workers of one goroutine. They are opened when the
// first file needs them.
type worker struct {
	run  *run
	open map[*planned]engine.Worker
	solo bool // do not batch: a batch hung before
	runs []diag.EngineRun
}

func (w *worker) close() {
	for e, ew := range w.open {
		if err := w.closeOne(e, ew); err != nil {
			w.run.log.Debug("close engine", "engine", e.eng.Name, "err", err)
		}
	}
}

func (w *worker) closeOne(e *planned, ew engine.Worker) (err error) {
	defer w.recovered(e, &err)
	return ew.Close()
}

func (w *worker) engine(ctx context.Context, e *planned) (ew engine.Worker, err error) {
	if ew := w.open[e]; ew != nil {
		return ew, nil
	}
	defer w.recovered(e, &err)
	ew, err = e.bound.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("open engine %s: %w", e.eng.Name, err)
	}
	w.open[e] = ew
	return ew, nil
}

// recovered turns a panic of an engine into an error of the file and drops the
// engine's worker, whose state is unknown now.
func (w *worker) recovered(e *planned, err *error) {
	v := recover()
	if v == nil {
		return
	}
	delete(w.open, e)
	w.run.log.Debug("engine panic", "engine", e.eng.Name, "value", v, "stack", string(debug.Stack()))
	*err = fmt.Errorf("engine %s panicked: %v", e.eng.Name, v)
}

// lintAll runs every engine that is wanted for e over src. An engine that
// declines yields a skip; one that fails ends the file with its error.
func (w *worker) lintAll(ctx context.Context, e *entry, src engine.Source) ([]result, error) {
	out := make([]result, len(e.plan.engines))
	lines := diag.NewLines(src.Text)
	for i := range e.plan.engines {
		if !e.wanted(i) {
			continue
		}
		r, err := w.lintOnce(ctx, &e.plan.engines[i], src, lines)
		if err != nil {
			return nil, err
		}
		out[i] = r
	}
	redact(e.plan, out, src.Text)
	return out, nil
}

func (w *worker) lintOnce(ctx context.Context, e *planned, src engine.Source, lines *diag.Lines) (r result, err error) {
	ew, err := w.engine(ctx, e)
	if err != nil {
		return result{}, err
	}
	start := time.Now()
	defer func() { w.ran(e, time.Since(start)) }()
	defer w.recovered(e, &err)
	if err = w.inputs(ctx, e, &src); err != nil {
		return result{}, err
	}
	before := w.guardCopy(src.Text)
	diags, err := ew.Lint(ctx, src)
	if !bytes.Equal(before, src.Text) {
		return result{}, modified(e)
	}
	return e.finish(diags, err, lines)
}

// guardCopy returns a copy of text to compare it with later, or text itself
// where nobody wants to.
func (w *worker) guardCopy(text []byte) []byte {
	if w.run.guardInput {
		return bytes.Clone(text)
	}
	return text
}

func modified(e *planned) error { return fmt.Errorf("engine %s modified its input", e.eng.Name) }

// ahead returns copies of items, which are of one plan, with the results of
// those engines that take many files at once. What such an engine fails on is
// left to judge, which asks it again for one file: so its error is told like
// that of any other engine.
func (w *worker) ahead(ctx context.Context, items []*entry) []*entry {
	copies := make([]*entry, len(items))
	for i, e := range items {
		copies[i] = e.copy()
	}
	p := items[0].plan
	for s := range p.engines {
		asked := slices.DeleteFunc(slices.Clone(copies), func(e *entry) bool {
			return s >= len(e.results) || e.results[s].kind != resultUnknown
		})
		if len(asked) < 2 {
			continue
		}
		ew, err := w.engine(ctx, &p.engines[s])
		if b, ok := ew.(engine.BatchLinter); ok && err == nil {
			p.batches.Store(true)
			w.lintBatch(ctx, b, asked, s)
		}
	}
	return copies
}

// lintBatch fills slot s of entries, as far as b has an answer.
func (w *worker) lintBatch(ctx context.Context, b engine.BatchLinter, entries []*entry, s int) {
	e := &entries[0].plan.engines[s]
	var failed error // its text is that of a single call, which follows
	defer w.recovered(e, &failed)
	var srcs []engine.Source
	entries = slices.DeleteFunc(entries, func(x *entry) bool {
		src, err := w.read(ctx, x)
		if err == nil {
			err = w.inputs(ctx, e, &src)
		}
		if err != nil || !x.wanted(s) {
			return true
		}
		srcs = append(srcs, src)
		return false
	})
	before := make([][]byte, len(srcs))
	for i := range srcs {
		before[i] = w.guardCopy(srcs[i].Text)
	}
	start := time.Now()
	diags, errs := b.LintBatch(ctx, slices.Clone(srcs))
	took := time.Since(start) / time.Duration(max(1, len(srcs)))
	if len(diags) != len(srcs) || len(errs) != len(srcs) {
		return
	}
	for i, x := range entries {
		if !bytes.Equal(before[i], srcs[i].Text) {
			x.text = nil
			continue
		}
		if r, err := e.finish(diags[i], errs[i], diag.NewLines(srcs[i].Text)); err == nil {
			x.results[s] = r
			x.runs = w.note(x.runs, e, took)
		}
	}
}

// finish makes what an engine returned a result: unselected rules dropped,
// positions and excerpts filled in, in document order.
func (e *planned) finish(diags []diag.Diagnostic, err error, lines *diag.Lines) (result, error) {
	if reason, ok := engine.SkipReason(err); ok {
		return result{kind: resultSkip, reason: reason, detail: detail(err)}, nil
	}
	if err != nil {
		return result{}, fmt.Errorf("%s: %w", e.eng.Name, err)
	}
	kept := diags[:0:0]
	for _, d := range diags {
		if !e.sel.Reports(&d) {
			continue
		}
		d.Asked = false
		if d.Engine == "" {
			d.Engine = e.eng.Name
		}
		if d.Span != nil {
			s := *d.Span
			lines.Fill(&s)
			d.Span = &s
			if !e.eng.Redacts {
				d.Excerpt = excerpt(lines, s)
			}
		}
		kept = append(kept, d)
	}
	if len(kept) == 0 {
		return result{}, nil
	}
	diag.Sort(kept)
	return result{kind: resultDiags, diags: kept}, nil
}

func detail(err error) string {
	var d interface{ Detail() string }
	if errors.As(err, &d) {
		return d.Detail()
	}
	return ""
}

// maxExcerpt bounds the excerpt kept with a diagnostic, in bytes.
const maxExcerpt = 400

// excerpt returns the first line of s, or nothing if the line is too long to
// be shown whole: a minified file has no line a person would read.
func excerpt(lines *diag.Lines, s diag.Span) string {
	line := lines.Line(s.StartLine)
	if s.StartLine == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	if len(line) > maxExcerpt {
		return ""
	}
	return string(line)
}

// inputs gives a source the files an engine declared for its path. One that
// cannot be read makes the file errored: the key says it was there.
func (w *worker) inputs(ctx context.Context, e *planned, src *engine.Source) (err error) {
	if src.Inputs, err = w.inputTexts(ctx, e, e.inputs.near(src.Path), ""); err == nil {
		src.Siblings, err = w.inputTexts(ctx, e, e.inputs.beside(src.Path), src.Path)
	}
	return err
}

// inputTexts reads files, but not the one at a path.
func (w *worker) inputTexts(ctx context.Context, e *planned, files []gitstate.File, but string) ([]engine.Input, error) {
	if len(files) == 0 {
		return nil, nil
	}
	out := make([]engine.Input, 0, len(files))
	for _, f := range files {
		if f.Path == but {
			continue
		}
		text, err := w.run.readInput(ctx, f)
		if err != nil {
			return nil, fmt.Errorf("read %s for %s: %w", f.Path, e.eng.Name, openError(err))
		}
		out = append(out, engine.Input{Path: f.Path, Text: text})
	}
	return out, nil
}

// ran notes what an engine did for the file at hand, for --debug.
func (w *worker) ran(e *planned, d time.Duration) {
	w.runs = w.note(w.runs, e, d)
}

func (w *worker) note(runs []diag.EngineRun, e *planned, d time.Duration) []diag.EngineRun {
	if w.run.req.Debug {
		runs = append(runs, diag.EngineRun{Engine: e.eng.Name, Version: e.eng.Wrapped, Micros: d.Microseconds()})
	}
	return runs
}

// engineRuns tells for each engine of an entry whether it ran or was answered
// by the cache.
func (r *run) engineRuns(e *entry) []diag.EngineRun {
	if !r.req.Debug || e.plan == nil {
		return nil
	}
	out := append([]diag.EngineRun(nil), e.runs...)
	for i := range e.plan.engines {
		eng := e.plan.engines[i].eng
		ran := false
		for _, x := range e.runs {
			ran = ran || x.Engine == eng.Name
		}
		if !ran && e.wanted(i) {
			out = append(out, diag.EngineRun{Engine: eng.Name, Version: eng.Wrapped, CacheHit: true})
		}
	}
	return out
}
