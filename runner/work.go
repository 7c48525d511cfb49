package runner

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"

	"poly/internal/diag"
	"poly/internal/discover"
	"poly/internal/engine"
	"poly/internal/gitstate"
	"poly/internal/lang"
	"poly/store"
)

// work reads and judges every entry that is not known yet, and keeps what it
// learns for the cache.
func (r *run) work(ctx context.Context, entries []*entry) error {
	var todo []*entry
	for _, e := range entries {
		if e.missing && e.err == nil {
			todo = append(todo, e)
		}
	}
	if len(todo) == 0 {
		return ctx.Err()
	}
	r.prepare(ctx, todo)
	sv := &saver{run: r}
	done := 0
	p := r.pool(entries, func(e *entry) {
		if done++; r.req.Progress != nil {
			r.req.Progress(done, len(todo))
		}
		sv.add(ctx, e)
		r.write(ctx, e)
	})
	p.run(ctx, chunks(todo))
	r.flush(ctx)
	sv.flush(ctx)
	return ctx.Err()
}

// prepare makes the Wasm modules ready that entries need. Compiling one for the
// first time takes seconds, which are not to count as those of a file. Errors
// come again where the module is used.
func (r *run) prepare(ctx context.Context, entries []*entry) {
	seen := map[*plan]bool{}
	for _, e := range entries {
		if r.wasm == nil || e.plan == nil || seen[e.plan] {
			continue
		}
		seen[e.plan] = true
		for i := range e.plan.engines {
			for _, name := range e.plan.engines[i].eng.ModulesFor(e.plan.lang) {
				_, _ = r.wasm.Module(ctx, name)
			}
		}
	}
}

// pool makes a pool of lint or format workers, which answer with changed
// copies of entries. Each takes the place of its original in entries before
// collect is called, for one at a time.
func (r *run) pool(entries []*entry, collect func(*entry)) *pool[*entry, *entry] {
	return &pool[*entry, *entry]{
		n: r.req.Jobs, limit: r.limit, busy: r.wasm.Busy,
		open: func(solo bool) poolWorker[*entry, *entry] {
			return &worker{run: r, open: map[*planned]engine.Worker{}, solo: solo}
		},
		batches: func(es []*entry) bool { return es[0].plan.batches.Load() },
		onHang: func(e *entry) *entry {
			e = e.copy()
			e.err = fmt.Errorf("no answer within %s", r.limit)
			return e
		},
		collect: func(e *entry) {
			entries[e.index] = e
			collect(e)
		},
	}
}

// chunks cuts todo into jobs of one plan each, small enough to be read at once.
func chunks(todo []*entry) []job[*entry] {
	var jobs []job[*entry]
	for len(todo) > 0 {
		n, size := 1, todo[0].file.Size
		for n < len(todo) && n < chunk && size < batchBytes && todo[n].plan == todo[0].plan {
			size += todo[n].file.Size
			n++
		}
		jobs = append(jobs, job[*entry]{todo[:n]})
		todo = todo[n:]
	}
	return jobs
}

// do implements poolWorker: it judges copies of items one after the other,
// and before that by the engines that take many files at once.
func (w *worker) do(ctx context.Context, items []*entry, done func(*entry)) {
	if w.run.req.Verb != engine.Format && !w.solo && len(items) > 1 {
		items = w.ahead(ctx, items)
	}
	w.each(ctx, items, done, w.judge)
}

// each hands copies of items to f, one after the other. Nobody else sees a
// copy before it is done, so that an abandoned worker does no harm.
func (w *worker) each(ctx context.Context, items []*entry, done func(*entry), f func(context.Context, *entry)) {
	for _, e := range items {
		e = e.copy()
		w.guarded(e, func() {
			if e.err = ctx.Err(); e.err == nil {
				w.runs = e.runs
				f(ctx, e)
				e.runs, e.text = w.runs, nil
			}
		})
		done(e)
	}
}

// guarded calls f. A panic makes e errored: those of engines are dealt with
// nearer to them, so it is our own.
func (w *worker) guarded(e *entry, f func()) {
	defer func() {
		if v := recover(); v != nil {
			w.run.log.Debug("panic", "path", e.file.Path, "value", v, "stack", string(debug.Stack()))
			e.err = fmt.Errorf("poly panicked: %v", v)
		}
	}()
	f()
}

// judge reads e and fills in what is missing.
func (w *worker) judge(ctx context.Context, e *entry) {
	src, err := w.read(ctx, e)
	if err != nil {
		e.err = err
		return
	}
	if w.run.req.Verb == engine.Format {
		w.judgeFormat(ctx, e, src)
		return
	}
	lines := diag.NewLines(src.Text)
	for s := range e.results {
		if e.results[s].kind != resultUnknown || !e.wanted(s) {
			continue
		}
		if e.results[s], e.err = w.lintOnce(ctx, &e.plan.engines[s], src, lines); e.err != nil {
			return
		}
	}
	redact(e.plan, e.results, src.Text)
}

// read reads e and, if nobody knows yet, finds out what its bytes say.
func (w *worker) read(ctx context.Context, e *entry) (engine.Source, error) {
	if e.text == nil {
		f, text, err := gitstate.ReadNow(ctx, w.run.req.Tree, e.file)
		if err != nil {
			return engine.Source{}, openError(err)
		}
		if e.text = text; f.Class != e.file.Class {
			e.file = f
			e.forget()
		}
	}
	if !e.known {
		e.content = w.run.look(e, e.text)
		e.known = true
		if e.dec.Sniff {
			if err := w.run.relabel(e); err != nil {
				return engine.Source{}, err
			}
		}
		e.prune()
	}
	return engine.Source{Path: e.file.Path, Lang: e.lang, Text: e.text, Exec: e.file.Mode&0o111 != 0}, nil
}

func (w *worker) judgeFormat(ctx context.Context, e *entry, src engine.Source) {
	if len(e.results) == 0 || !e.wanted(0) || e.results[0].kind != resultUnknown && !w.run.wantsText(e) {
		return
	}
	src.Verdict = w.run.req.Fix == nil && !w.run.req.Diff
	out, err := w.formatChain(ctx, e.plan, src)
	if reason, ok := engine.SkipReason(err); ok {
		e.results[0] = result{kind: resultSkip, reason: reason, detail: detail(err)}
		return
	}
	switch {
	case err != nil:
		e.err = err
	case bytes.Equal(out, src.Text):
		e.results[0] = result{}
	default:
		e.results[0] = result{kind: resultChanged}
		if w.run.wantsText(e) {
			e.before, e.after = src.Text, out
		}
	}
}

// wantsText reports whether a result that says "changed" is not enough.
func (r *run) wantsText(e *entry) bool {
	return e.results[0].kind == resultChanged && (r.req.Fix != nil || r.req.Diff) && !r.generated(e)
}

// look finds out what the bytes of a file say about themselves.
func (r *run) look(e *entry, text []byte) result {
	if reason := discover.TooLarge(int64(len(text)), e.dec.Limit); reason != "" {
		return result{kind: resultSkip, reason: reason}
	}
	if reason := lang.Content(text); reason != "" {
		return result{kind: resultSkip, reason: reason}
	}
	l, found := e.lang, ""
	if e.dec.Sniff {
		l = lang.Sniff(e.file.Path, text)
		found = string(l)
	}
	e.byPath = lang.ByPath(e.file.Path, l, text)
	if reason := lang.Template(e.file.Path, l, text); reason != "" {
		return result{kind: resultTemplate, reason: reason, detail: found}
	}
	if k := lang.Generated(e.file.Path, text); k != lang.NotGenerated {
		return result{kind: resultGenerated, reason: k.String(), detail: found}
	}
	return result{detail: found}
}

// relabel gives a sniffed entry its language, its plan and the slots to fill.
func (r *run) relabel(e *entry) error {
	if e.content.kind == resultSkip {
		return nil
	}
	e.lang = lang.ID(e.content.detail)
	if e.dec.Anything {
		e.lang = ""
	}
	p, err := r.planOfSniffed(e)
	if p == nil || err != nil {
		return err // out of scope after all
	}
	e.plan = p
	e.results = make([]result, r.slots(p))
	for i := range e.results {
		e.results[i].kind = resultUnknown
	}
	return nil
}

// planOfSniffed returns the plan of a sniffed entry, nil if nothing looks at it.
func (r *run) planOfSniffed(e *entry) (*plan, error) {
	if e.lang != "" || e.dec.Named {
		return r.binder.planFor(&e.file, e.plan.eff, e.lang)
	}
	if !r.binder.anything(e.plan.eff) {
		return nil, nil
	}
	return r.binder.unknown(e.plan.eff)
}

// saver keeps results for the cache, in transactions of a bounded size.
type saver struct {
	run  *run
	keys *keys
	rows []store.Row
}

const maxRows = 5000

func (s *saver) add(ctx context.Context, e *entry) {
	if s.run.cache == nil || e.err != nil || !e.known || s.run.reader.odd.Load() {
		return
	}
	if s.keys == nil {
		s.keys = s.run.newKeys()
	}
	if e.byPath {
		s.row(s.keys.contentRow(e), result{kind: resultByPath})
	} else {
		s.row(s.keys.contentRow(e), e.content)
	}
	for i := range e.results {
		if e.results[i].kind != resultUnknown {
			s.row(s.keys.row(e, i), e.results[i])
		}
	}
	if len(s.rows) >= maxRows {
		s.flush(ctx)
	}
}

func (s *saver) row(k store.Key, r result) {
	s.rows = append(s.rows, store.Row{Cfg: k.Cfg, OID: k.OID, Value: r.encode()})
}

// flush writes what was learned, also when the run was cancelled.
func (s *saver) flush(ctx context.Context) {
	if len(s.rows) == 0 {
		return
	}
	s.run.save(ctx, store.Batch{Cfgs: s.keys.cfgs, Rows: s.rows})
	s.keys, s.rows = nil, nil
}
