package runner

import (
	"bytes"
	"context"
	"fmt"

	"poly/internal/diag"
	"poly/internal/discover"
	"poly/internal/engine"
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
	sv := &saver{run: r}
	var hung []*entry
	done := 0
	p := r.pool(&hung, func(e *entry) {
		if done++; r.req.Progress != nil {
			r.req.Progress(done, len(todo))
		}
		sv.add(ctx, e)
		r.write(ctx, e)
	})
	p.run(ctx, chunks(todo))
	r.flush(ctx)
	for _, h := range hung {
		entries[h.index] = h
	}
	sv.flush(ctx)
	return ctx.Err()
}

// pool makes a pool of lint or format workers; collect is called for every
// entry, one at a time.
func (r *run) pool(hung *[]*entry, collect func(*entry)) *pool[*entry, *entry] {
	return &pool[*entry, *entry]{
		n: r.req.Jobs, limit: r.limit,
		open: func(solo bool) poolWorker[*entry, *entry] {
			return &worker{run: r, open: map[*planned]engine.Worker{}, solo: solo}
		},
		batches: func(es []*entry) bool { return es[0].plan.batches },
		onHang: func(e *entry) *entry {
			// The hung goroutine may still write to e: its name gets another entry.
			return &entry{index: e.index, file: e.file, dec: e.dec, plan: e.plan, hung: true, err: fmt.Errorf("no answer within %s", r.limit)}
		},
		collect: func(e *entry) {
			if e.hung {
				*hung = append(*hung, e)
			}
			collect(e)
		},
	}
}

// chunks cuts todo into jobs of one plan each.
func chunks(todo []*entry) []job[*entry] {
	var jobs []job[*entry]
	for len(todo) > 0 {
		n := 1
		for n < len(todo) && n < chunk && todo[n].plan == todo[0].plan {
			n++
		}
		jobs = append(jobs, job[*entry]{todo[:n]})
		todo = todo[n:]
	}
	return jobs
}

// do implements poolWorker: it judges one entry after the other.
func (w *worker) do(ctx context.Context, items []*entry, done func(*entry)) {
	for _, e := range items {
		if err := ctx.Err(); err != nil {
			e.err = err
		} else {
			w.runs = nil
			w.judge(ctx, e)
			e.runs = w.runs
		}
		done(e)
	}
}

// judge reads e and fills in what is missing.
func (w *worker) judge(ctx context.Context, e *entry) {
	text, err := w.run.req.Tree.Read(ctx, e.file)
	if err != nil {
		e.err = openError(err)
		return
	}
	if !e.known {
		e.content = w.run.look(e, text)
		e.known = true
		if e.dec.Sniff {
			if e.err = w.run.relabel(e); e.err != nil || e.lang == "" {
				return
			}
		}
	}
	if e.declined() {
		return
	}
	src := engine.Source{Path: e.file.Path, Lang: e.lang, Text: text, Exec: e.file.Mode&0o111 != 0}
	if w.run.req.Verb == engine.Format {
		w.judgeFormat(ctx, e, src)
		return
	}
	lines := diag.NewLines(text)
	for s := range e.results {
		if e.results[s].kind != resultUnknown || !e.wanted(s) {
			continue
		}
		res, err := w.lintOnce(ctx, &e.plan.engines[s], src, lines)
		if err != nil {
			e.err = err
			return
		}
		e.results[s] = res
	}
}

func (w *worker) judgeFormat(ctx context.Context, e *entry, src engine.Source) {
	if len(e.results) == 0 || !e.wanted(0) || e.results[0].kind != resultUnknown && !w.run.wantsText(e) {
		return
	}
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
		if w.run.req.Fix != nil || w.run.req.Diff {
			e.before, e.after = src.Text, out
		}
	}
}

// wantsText reports whether a result that says "changed" is not enough.
func (r *run) wantsText(e *entry) bool {
	return e.results[0].kind == resultChanged && (r.req.Fix != nil || r.req.Diff)
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
	p, err := r.binder.plan(e.plan.eff, e.lang)
	if err != nil {
		return err
	}
	e.plan = p
	e.results = make([]result, r.slots(p))
	for i := range e.results {
		e.results[i].kind = resultUnknown
	}
	return nil
}

// saver keeps results for the cache, in transactions of a bounded size.
type saver struct {
	run  *run
	keys *keys
	rows []store.Row
}

const maxRows = 5000

func (s *saver) add(ctx context.Context, e *entry) {
	if s.run.cache == nil || e.err != nil || !e.known {
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
	err := s.run.cache.Save(context.WithoutCancel(ctx), store.Batch{Cfgs: s.keys.cfgs, Rows: s.rows})
	if err != nil {
		s.run.log.Debug("cache save", "err", err)
	}
	s.keys, s.rows = nil, nil
}
