package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"poly/internal/diag"
	"poly/internal/discover"
	"poly/internal/engine"
	"poly/internal/gitstate"
	"poly/internal/lang"
	"poly/store"
)

// entry is one file in scope on its way to an outcome.
type entry struct {
	index int // in the run's entries
	file  gitstate.File
	dec   discover.Decision
	plan  *plan
	from  *plan // of the language the name tells; content is kept under its key

	content result   // what the bytes say about themselves
	results []result // one an engine of plan (lint), or one for the chain (fmt)
	missing bool     // something is not known yet and the file must be read
	known   bool     // content is known
	lang    lang.ID
	byPath  bool // what the bytes say depends on the path too
	err     error
	applied int // fixes applied
	runs    []diag.EngineRun
	text    []byte // what was read, while a worker has the entry
	before  []byte
	after   []byte // the new text, if it changed and is wanted
}

// namespace returns where results of the run's verb are kept.
func (r *run) namespace() store.Namespace {
	if r.req.Verb == engine.Format {
		return store.Format
	}
	return store.Lint
}

// slots returns how many results a file of plan p has.
func (r *run) slots(p *plan) int {
	if r.req.Verb == engine.Format {
		return min(1, len(p.engines))
	}
	return len(p.engines)
}

// keys collects the cache keys of entries for one batched lookup.
type keys struct {
	run  *run
	cfgs []store.Cfg
	ids  map[store.Cfg]int
	keys []store.Key
	refs []keyRef
}

// keyRef says whose result a key names; slot -1 is the content.
type keyRef struct {
	entry int32
	slot  int32
}

func (r *run) newKeys() *keys { return &keys{run: r, ids: map[store.Cfg]int{}} }

func (k *keys) cfg(c store.Cfg) int {
	i, ok := k.ids[c]
	if !ok {
		i = len(k.cfgs)
		k.ids[c] = i
		k.cfgs = append(k.cfgs, c)
	}
	return i
}

// contentRow returns the key of what the bytes of a file say about themselves.
// A file without a known language is sniffed, so its name is of no matter.
func (k *keys) contentRow(e *entry) store.Key {
	h := digest(e.from.content[:], []byte(e.file.Class))
	return store.Key{Cfg: k.cfg(store.Cfg{NS: k.run.namespace(), Hash: h}), OID: string(e.file.ID)}
}

// row returns the key of one result slot.
func (k *keys) row(e *entry, slot int) store.Key {
	ns, p := k.run.namespace(), e.plan
	if k.run.req.Verb != engine.Format {
		pl := &p.engines[slot]
		c := p.seen(pl.cfg(ns, classOf(pl, &e.file), pl.inputs.digest(e.file.Path)), slot, ns, &e.file)
		return store.Key{Cfg: k.cfg(c), OID: string(e.file.ID)}
	}
	parts := make([][]byte, 0, len(p.engines))
	for i := range p.engines {
		pl := &p.engines[i]
		c := pl.cfg(ns, classOf(pl, &e.file), pl.inputs.digest(e.file.Path))
		parts = append(parts, c.Hash[:])
	}
	return store.Key{Cfg: k.cfg(store.Cfg{NS: ns, Hash: digest(parts...)}), OID: string(e.file.ID)}
}

// classOf joins to the conversion class what an engine that looks at the path
// makes of it.
func classOf(pl *planned, f *gitstate.File) gitstate.Class {
	if !pl.eng.UsesPath {
		return f.Class
	}
	p := f.Path
	if pl.bound.PathClass != nil {
		p = pl.bound.PathClass(f.Path)
	}
	return gitstate.Class(fmt.Sprintf("%s\x00%s\x00%o", f.Class, p, f.Mode))
}

// add asks for everything e needs to know.
func (k *keys) add(i int, e *entry) {
	if !e.known {
		k.push(k.contentRow(e), i, -1)
	}
	for s := range e.results {
		if e.looks(s) {
			k.push(k.row(e, s), i, s)
		}
	}
}

func (k *keys) push(key store.Key, entry, slot int) {
	k.keys = append(k.keys, key)
	k.refs = append(k.refs, keyRef{int32(entry), int32(slot)})
}

// lookup fills the entries with what the cache knows and marks the others.
func (k *keys) lookup(ctx context.Context, entries []*entry) {
	if len(k.keys) == 0 {
		return
	}
	miss := func(i int) {
		e := entries[k.refs[i].entry]
		if k.refs[i].slot < 0 {
			e.known = false
		} else {
			e.results[k.refs[i].slot].kind = resultUnknown
		}
		e.missing = true
	}
	for i := range k.refs {
		if k.refs[i].slot < 0 {
			// Where a template's name is in the path, content alone tells nothing.
			e := entries[k.refs[i].entry]
			e.known = !strings.Contains(e.file.Path, "{{")
		}
	}
	if k.run.cache == nil {
		for i := range k.keys {
			miss(i)
		}
		return
	}
	res, err := k.run.cache.Lookup(ctx, k.cfgs, k.keys)
	if err != nil {
		k.run.log.Debug("cache lookup", "err", err)
		for i := range k.keys {
			miss(i)
		}
		return
	}
	for _, i := range res.Missing {
		miss(i)
	}
	for _, v := range res.Values {
		got, err := decodeResult(v.Data)
		if err != nil {
			miss(v.Index)
			continue
		}
		ref := k.refs[v.Index]
		if got.kind == resultByPath {
			miss(v.Index)
		} else if ref.slot < 0 {
			entries[ref.entry].content = got
		} else {
			entries[ref.entry].results[ref.slot] = got
		}
	}
}

// declined reports whether nothing at all looks at e's bytes.
func (e *entry) declined() bool { return e.known && e.content.kind == resultSkip }

// template reports whether only cross-cutting engines look at e.
func (e *entry) template() bool { return e.known && e.content.kind == resultTemplate }

// looks reports whether an engine of e's plan looks at files of its path.
func (e *entry) looks(slot int) bool {
	if !e.plan.lints {
		return true
	}
	looks := e.plan.engines[slot].bound.Looks
	return looks == nil || looks(e.file.Path)
}

// wanted reports whether the result of an engine matters for e.
func (e *entry) wanted(slot int) bool {
	if e.declined() || !e.looks(slot) {
		return false
	}
	return !e.template() || e.plan.lints && e.plan.engines[slot].eng.Cross
}

// prune forgets what was said about the same blob at another path, or under
// another configuration, by engines that do not look at e.
func (e *entry) prune() {
	for s := range e.results {
		if !e.wanted(s) {
			e.results[s] = result{kind: resultUnknown}
		}
	}
}

// forget makes e an entry nothing is known about.
func (e *entry) forget() {
	e.known, e.content = false, result{}
	for s := range e.results {
		e.results[s] = result{kind: resultUnknown}
	}
}

// copy returns an entry that may be changed while others look at e.
func (e *entry) copy() *entry {
	c := *e
	c.results = slices.Clone(e.results)
	return &c
}

// settle decides after a lookup whether e still has to be read.
func (r *run) settle(e *entry) {
	e.missing = !e.known
	if e.known {
		e.prune()
	}
	if e.known && r.req.Verb == engine.Format && len(e.results) > 0 && r.wantsText(e) {
		e.missing = true
	}
	for s := range e.results {
		if e.results[s].kind == resultUnknown && e.wanted(s) {
			e.missing = true
		}
	}
}

// openError makes the error of a read a sentence for people.
func openError(err error) error {
	switch {
	case errors.Is(err, gitstate.ErrChanged):
		return errors.New("file changed while it was being read")
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("file vanished during the run")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("permission denied")
	}
	return err
}

func dirOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return "."
}
