package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/gitstate"
	"poly/internal/lang"
	"poly/internal/usererr"
	"poly/store"
)

// plan is what is done to files of one language under one configuration.
type plan struct {
	lang    lang.ID
	eff     *config.Effective
	engines []planned
	// skip is why files of this plan are not checked although cross-cutting
	// engines look at them: "no lint rules for Zig". "" if an engine covers it.
	skip  string
	lints bool // engines lint; else they are a chain of formatters
	// batches: an engine takes many files at once, as a worker found out.
	batches atomic.Bool
	// content is the digest under which what the bytes say about themselves
	// (binary, template, generated, language) is cached.
	content [32]byte
	layout  layout
	// anything: the engines look at files whose language nobody knows.
	anything bool
	// redactors are the slots of the engines whose finds nobody may show.
	redactors []int
}

// planned is one engine bound to a plan.
type planned struct {
	eng    *engine.Engine
	bound  engine.Bound
	sel    engine.Selection
	inputs *inputs
	base   [32]byte // digest of everything but conversion class and inputs
	seq    int      // position among all bindings; names the engine in run statistics
}

// binder makes plans; each engine is bound once per (language, table, globals).
type binder struct {
	ctx context.Context //nolint:containedctx // a binder lives for one run
	run *run

	mu      sync.Mutex // guards what follows
	plans   map[planKey]*plan
	effects map[*config.Effective]bool
	count   int
}

type planKey struct {
	eff    *config.Effective
	lang   lang.ID
	layout layout
	// anything: for a file that nobody named and whose language nobody knows.
	anything bool
}

// anything reports whether an engine looks at files of no known language under
// a configuration.
func (b *binder) anything(eff *config.Effective) bool {
	if b.run.req.Verb == engine.Format {
		return false
	}
	for i := range b.run.engines {
		if e := &b.run.engines[i]; e.Anything && enabled(eff.Lint("", e.Name), e) {
			return true
		}
	}
	return false
}

// unknown returns the plan for files of no known language that nobody named.
func (b *binder) unknown(eff *config.Effective) (*plan, error) {
	return b.made(planKey{eff: eff, anything: true})
}

// planFor returns the plan for a file as being in a language.
func (b *binder) planFor(f *gitstate.File, eff *config.Effective, l lang.ID) (*plan, error) {
	if b.run.req.Verb != engine.Format || l == "" {
		return b.plan(eff, l, layout{})
	}
	props, err := b.run.editorconfig.Properties(f.Path)
	if err != nil {
		return nil, fmt.Errorf("read .editorconfig for %s: %w", f.Path, openError(err))
	}
	if f.Class != "" {
		props.EndOfLine = "" // git made the line ends
	}
	out := layout{Properties: props}
	if b.embeds(l) {
		out.dir, out.texts = b.run.editorconfig.Nearest(path.Dir(f.Path))
	}
	return b.plan(eff, l, out)
}

// embeds reports whether the formatter of a language formats others' code too.
func (b *binder) embeds(l lang.ID) bool {
	for i := range b.run.engines {
		if e := &b.run.engines[i]; e.Embeds && e.Verbs&engine.Format != 0 && slices.Contains(e.Langs, l) {
			return true
		}
	}
	return false
}

// plan returns the plan for a language under a configuration and a layout,
// made on first use.
func (b *binder) plan(eff *config.Effective, l lang.ID, lay layout) (*plan, error) {
	return b.made(planKey{eff: eff, lang: l, layout: lay})
}

func (b *binder) made(k planKey) (*plan, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.plans[k]; p != nil {
		return p, nil
	}
	p := &plan{
		lang: k.lang, eff: k.eff, lints: b.run.req.Verb != engine.Format, content: b.run.contentKey(k.eff, k.lang),
		layout: k.layout, anything: k.anything,
	}
	var err error
	if !p.lints {
		err = b.formatPlan(p)
	} else {
		err = b.lintPlan(p)
	}
	if err != nil {
		return nil, err
	}
	b.plans[k] = p
	return p, nil
}

func (b *binder) lintPlan(p *plan) error {
	covered := b.run.covered(p.lang)
	for i := range b.run.engines {
		e := &b.run.engines[i]
		if !p.mayLint(e) {
			continue
		}
		pl, ok, err := b.bind(p, e)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if e.Redacts {
			p.redactors = append(p.redactors, len(p.engines))
		}
		p.engines = append(p.engines, pl)
		covered = covered || pl.checks(p.lang)
	}
	for i := range b.run.missing { // their mistakes are told as those of others
		if e := &b.run.missing[i]; p.mayLint(e) {
			if _, err := engine.NewSelection(&e.Spec, engine.PicksOf(b.table(p, e))); err != nil {
				return err
			}
		}
	}
	if p.lang == "" {
		return nil
	}
	// What other engines see of a file does not stand for the one that is missing.
	p.skip = b.notBuiltIn(p, lints(p))
	if !covered {
		p.skip = cmp.Or(p.skip, "no lint rules for "+p.lang.Name())
	}
	return nil
}

// covered reports whether a tool judges a language as a whole in this run.
func (r *run) covered(id lang.ID) bool { return slices.Contains(r.req.Covered, id) }

// lints returns what tells the linters of the language of p.
func lints(p *plan) func(*engine.Engine) bool {
	return func(e *engine.Engine) bool {
		return e.Verbs&engine.Lint != 0 && !e.Cross && slices.Contains(e.Langs, p.lang)
	}
}

// mayLint reports whether e is an engine for files of the plan.
func (p *plan) mayLint(e *engine.Engine) bool {
	return e.Verbs&engine.Lint != 0 && (e.Cross || slices.Contains(e.Langs, p.lang)) && (!p.anything || e.Anything)
}

// checks reports whether the engine makes files of a language checked.
func (e *planned) checks(l lang.ID) bool {
	return e.eng.Name == string(l) || !e.eng.Cross && e.bound.Looks == nil && slices.Contains(covers(e), l)
}

func covers(p *planned) []lang.ID {
	if p.bound.Covers != nil {
		return p.bound.Covers
	}
	return p.eng.Langs
}

// formatPlan builds the chain of formatters: every engine that formats the
// language and is on, by name, then its one default formatter, so that its
// layout is the one that stays. Without the default one nothing is formatted,
// so that a build with fewer engines never writes another layout.
func (b *binder) formatPlan(p *plan) error {
	if p.lang == "" {
		return nil
	}
	name := defaultFormatter(p.lang)
	if name == "" {
		p.skip = "no formatter for " + p.lang.Name()
		return nil
	}
	var last []planned // the default formatter
	for i := range b.run.engines {
		e := &b.run.engines[i]
		if !formatsLang(e, p.lang, name) {
			continue
		}
		pl, ok, err := b.bind(p, e)
		if err != nil {
			return err
		}
		if !ok && e.Name == name {
			p.engines, p.skip = nil, fmt.Sprintf("formatter %s is disabled", name)
			return nil
		}
		switch {
		case ok && e.Name == name:
			last = append(last, pl)
		case ok:
			p.engines = append(p.engines, pl)
		}
	}
	p.engines = append(p.engines, last...)
	if len(last) == 0 {
		p.engines, p.skip = nil, fmt.Sprintf("formatter %s for %s is not built in", name, p.lang.Name())
		if engine.IsExtra(name) {
			p.skip += ": build with -tags extra"
		}
		p.skip = cmp.Or(b.notBuiltIn(p, func(e *engine.Engine) bool {
			return e.Name == name && formatsLang(e, p.lang, name)
		}), p.skip)
	}
	return nil
}

// formatsLang reports whether e formats a language whose default formatter has
// the given name. Of engines for every language only the default one does.
func formatsLang(e *engine.Engine, l lang.ID, name string) bool {
	return e.Verbs&engine.Format != 0 && (slices.Contains(e.Langs, l) || e.Cross && e.Name == name)
}

// notBuiltIn tells of the first engine that would judge files of p if its
// modules were built in; "" if there is none.
func (b *binder) notBuiltIn(p *plan, judges func(*engine.Engine) bool) string {
	for i := range b.run.missing {
		if e := &b.run.missing[i]; judges(e) && enabled(b.table(p, e), e) {
			return fmt.Sprintf("%s for %s is not built in: run %s", e.Name, p.lang.Name(), e.BuildIn())
		}
	}
	return ""
}

// enabled reports whether the configuration leaves e on, or turns it on.
func enabled(t *config.EngineConfig, e *engine.Engine) bool {
	if t.Enabled != nil {
		return *t.Enabled
	}
	return !e.OptIn
}

// bind makes e ready for p; ok is false if the configuration turns it off.
func (b *binder) bind(p *plan, e *engine.Engine) (pl planned, ok bool, err error) {
	t := b.table(p, e)
	sel, err := engine.NewSelection(&e.Spec, engine.PicksOf(t))
	if err != nil {
		return planned{}, false, err // also of an engine that is off
	}
	if !enabled(t, e) {
		return planned{}, false, nil
	}
	g := globalsOf(p, t)
	defer func() {
		if v := recover(); v != nil {
			b.run.log.Debug("engine panic", "engine", e.Name, "value", v, "stack", string(debug.Stack()))
			err = fmt.Errorf("engine %s panicked: %v", e.Name, v)
		}
	}()
	bound, err := e.Bind(b.ctx, engine.Env{
		Lang: p.lang, Options: t.Values, Params: t.Params, Globals: g, Rules: sel, Tree: b.run.fs,
		Wasm: b.run.wasm, Embedded: b.embedded(p), Configured: b.configured(p, e),
		RuleSources: p.eff.Rules, Once: b.run.once,
	})
	if err != nil {
		return planned{}, false, bindError(e, t, err)
	}
	pl = planned{eng: e, bound: bound, sel: sel, inputs: b.run.inputSet(bound.Inputs), seq: b.count}
	b.count++
	own := bound.Digest
	if e.Embeds {
		formats := p.eff.FmtDigest()
		inner := digest(own, formats[:], []byte(engineNames(b.run)), []byte(p.layout.dir), []byte(p.layout.texts))
		own = inner[:]
	}
	pl.base = b.run.engineKey(e, p.lang, t, g, own)
	return pl, true, nil
}

// bindError tells which engine does not take its configuration, and where the
// value stands.
func bindError(e *engine.Engine, t *config.EngineConfig, err error) error {
	bad, ok := errors.AsType[*engine.OptionError](err)
	if !ok {
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	where := t.OriginOf(bad.Item, bad.Keys()...).String()
	if where != "" {
		where += ": "
	}
	return &usererr.Error{Code: "bad-value", Msg: fmt.Sprintf("%sbad value for %s: %s", where, e.Name, bad), Hint: bad.Hint}
}

// embedded returns the function by which an engine formats code of another
// language inside its own. To .editorconfig such code is a file beside the
// nearest one, with the language's usual ending.
func (b *binder) embedded(outer *plan) func(context.Context, lang.ID, []byte) ([]byte, error) {
	return func(ctx context.Context, l lang.ID, text []byte) ([]byte, error) {
		if b.run.req.Verb != engine.Format {
			return nil, engine.Skip("embedded code is only formatted")
		}
		name := "embedded"
		if info, _ := lang.Lookup(l); len(info.Extensions) > 0 {
			name += "." + info.Extensions[0]
		}
		p, err := b.planFor(&gitstate.File{Path: path.Join(outer.layout.dir, name)}, outer.eff, l)
		if err != nil {
			return nil, err
		}
		if p.skip != "" || len(p.engines) == 0 {
			return nil, engine.Skip(cmp.Or(p.skip, "no formatter for "+l.Name()))
		}
		w := &worker{run: b.run, open: map[*planned]engine.Worker{}}
		defer w.close()
		return w.formatChain(ctx, p, engine.Source{Path: name, Lang: l, Text: text})
	}
}

func (b *binder) table(p *plan, e *engine.Engine) *config.EngineConfig {
	if b.run.req.Verb == engine.Format {
		return p.eff.Fmt(string(p.lang), e.Name)
	}
	return p.eff.Lint(string(p.lang), e.Name)
}

// configured reports whether there is a table for e, of either verb.
func (b *binder) configured(p *plan, e *engine.Engine) bool {
	l := string(p.lang)
	return p.eff.Lint(l, e.Name).Configured || p.eff.Fmt(l, e.Name).Configured
}

// bindAll binds every engine for every language it knows, so that the inputs
// of a configuration do not depend on which files exist, and for every language
// that the configuration speaks of, so that its mistakes do not either.
func (b *binder) bindAll(eff *config.Effective) error {
	if b.effects[eff] {
		return nil
	}
	b.effects[eff] = true
	for i := range b.run.engines {
		for _, l := range b.run.engines[i].Langs {
			if _, err := b.plan(eff, l, layout{}); err != nil {
				return err
			}
		}
	}
	verb := config.Lint
	if b.run.req.Verb == engine.Format {
		verb = config.Fmt
	}
	for _, l := range eff.Languages(verb) {
		if _, err := b.plan(eff, lang.ID(l), layout{}); err != nil {
			return err
		}
	}
	_, err := b.plan(eff, "", layout{})
	return err
}

// cfg returns the store's name for results of e on files of class c that see
// the inputs with the given digest.
func (e *planned) cfg(ns store.Namespace, class gitstate.Class, inputs [32]byte) store.Cfg {
	return store.Cfg{NS: ns, Hash: digest(e.base[:], []byte(class), inputs[:])}
}

func defaultFormatter(l lang.ID) string {
	info, _ := lang.Lookup(l)
	return info.Formatter
}
