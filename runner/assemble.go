package runner

import (
	"slices"
	"strings"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/gitstate"
	"poly/internal/glob"
	"poly/internal/lang"
	"poly/internal/report"
	"poly/store"
)

// assemble makes the report of one entry from its results. It is the only
// place where an outcome is decided: errored, else skipped, else checked.
func (r *run) assemble(e *entry) diag.FileReport {
	f := diag.FileReport{Path: strings.Clone(e.file.Path), Config: r.configs[e.plan.eff], Fixed: e.applied}
	if e.err != nil {
		f.Outcome, f.Reason, f.More = diag.Errored, e.err.Error(), r.extras(e, "")
		return f
	}
	reason, detail := r.skipReason(e)
	f.Reason, f.More = reason, r.extras(e, detail)
	if f.Reason != "" {
		f.Outcome = diag.Skipped
	}
	if r.req.Verb == engine.Format {
		f.Changed = f.Outcome == diag.Checked && len(e.results) > 0 && e.results[0].kind == resultChanged
		return f
	}
	f.Diagnostics = r.diagnostics(e)
	f.FixWithheld = r.req.Fix != nil && r.generated(e) && hasFix(f.Diagnostics)
	return f
}

// extras returns what few reports hold, nil if this one has nothing of it.
func (r *run) extras(e *entry, detail string) *diag.Extras {
	x := diag.Extras{Detail: detail, Engines: r.engineRuns(e)}
	if r.req.Diff && e.after != nil && e.err == nil {
		x.Diff = string(report.Unified(e.file.Path, e.before, e.after))
	}
	if x.Detail == "" && x.Diff == "" && x.Engines == nil {
		return nil
	}
	return &x
}

// skipReason returns why e is skipped, most telling reason first.
func (r *run) skipReason(e *entry) (reason, detail string) {
	switch {
	case e.dec.Skip != "":
		return e.dec.Skip, ""
	case e.content.kind == resultSkip || e.content.kind == resultTemplate && !e.plan.anything:
		return e.content.reason, ""
	case e.plan.lang == "" && !e.plan.anything:
		return "no matching engine for this file type", ""
	case e.plan.skip != "":
		return e.plan.skip, ""
	case r.req.Verb == engine.Format && r.generated(e):
		return "generated file", ""
	}
	for i := range e.results {
		if res := &e.results[i]; res.kind == resultSkip && !(r.req.Verb != engine.Format && e.plan.engines[i].eng.Cross) {
			return res.reason, res.detail
		}
	}
	return "", ""
}

// generated reports whether fixes to e are withheld. A banner asks people not
// to edit; a formatter may still lay the file out, as the language's own tools
// do. A hash stamp would be made a lie.
func (r *run) generated(e *entry) bool {
	if r.req.FixGenerated {
		return false
	}
	switch r.req.Tree.Attr(e.file.Path, "linguist-generated") {
	case "set", "true":
		return true
	case "unset", "false":
		return false
	}
	return e.content.kind == resultGenerated && (r.req.Verb != engine.Format || e.content.reason == lang.Stamp.String())
}

// diagnostics returns what is reported for e, in document order: severity
// levels applied, per-file-ignores taken out.
func (r *run) diagnostics(e *entry) []diag.Diagnostic {
	var out []diag.Diagnostic
	ignored := r.ignored(e)
	for i := range e.results {
		for _, d := range e.results[i].diags {
			if !ignored(d.Code) {
				d.Severity = e.plan.engines[i].sel.Severity(&d)
				out = append(out, d)
			}
		}
	}
	diag.Sort(out)
	return out
}

func hasFix(ds []diag.Diagnostic) bool {
	for i := range ds {
		if len(ds[i].Fix) > 0 {
			return true
		}
	}
	return false
}

// ignores are the compiled [per-file-ignores] of one configuration. Each glob
// keeps the meaning it has in the file where it is written.
type ignores []ignoreRule

type ignoreRule struct {
	glob  *glob.List
	codes []string
}

func newIgnores(eff *config.Effective) ignores {
	var ig ignores
	for _, p := range eff.Ignores {
		g := glob.NewList([]glob.Rule{{Pattern: p.Glob, Base: p.Base}}, glob.Options{})
		ig = append(ig, ignoreRule{g, p.Codes})
	}
	return ig
}

// ignored tells which codes are not reported for e.
func (r *run) ignored(e *entry) func(code string) bool {
	rules := r.ignores[e.plan.eff]
	var codes []string
	asked := len(rules) == 0
	return func(code string) bool {
		if !asked {
			asked = true
			for _, rule := range rules {
				if rule.glob.Excluded(e.file.Path, false).Ignored() {
					codes = append(codes, rule.codes...)
				}
			}
		}
		return slices.ContainsFunc(codes, func(c string) bool { return engine.MatchesCode(code, c) })
	}
}

// hidden stands in a text for what must not be shown.
const hidden = "(hidden)"

// redact takes out of results what an engine with Spec.Redacts found: what the
// others say about those lines is kept without the line, and without the text
// that was found. It changes only copies of diagnostics.
func redact(p *plan, results []result, text []byte) {
	if len(p.redactors) == 0 || len(results) != len(p.engines) {
		return
	}
	var spans []diag.Span
	for _, i := range p.redactors {
		for j := range results[i].diags {
			if s := results[i].diags[j].Span; s != nil && s.End <= len(text) {
				spans = append(spans, *s)
			}
		}
	}
	if len(spans) == 0 {
		return
	}
	var pairs []string
	for _, s := range spans {
		if s.End > s.Start {
			pairs = append(pairs, string(text[s.Start:s.End]), hidden)
		}
	}
	r := strings.NewReplacer(pairs...)
	for i := range results {
		if slices.Contains(p.redactors, i) {
			continue
		}
		results[i].diags = slices.Clone(results[i].diags)
		for j := range results[i].diags {
			scrub(&results[i].diags[j], spans, r)
		}
	}
}

func scrub(d *diag.Diagnostic, spans []diag.Span, r *strings.Replacer) {
	d.Title, d.Description = r.Replace(d.Title), r.Replace(d.Description)
	if slices.ContainsFunc(d.Fix, func(e diag.Edit) bool { return r.Replace(e.Replacement) != e.Replacement }) {
		d.Fix = nil // a document shows it
	}
	if len(d.Metadata) > 0 {
		kept := make(map[string]string, len(d.Metadata))
		for k, v := range d.Metadata {
			kept[k] = r.Replace(v)
		}
		d.Metadata = kept
	}
	if d.Span != nil && slices.ContainsFunc(spans, func(s diag.Span) bool { return s.StartLine <= d.Span.StartLine && d.Span.StartLine <= s.EndLine }) {
		d.Excerpt = ""
	}
}

// seen joins to the key of an engine's result those of the engines that may
// redact it: they decide what is kept.
func (p *plan) seen(c store.Cfg, slot int, ns store.Namespace, f *gitstate.File) store.Cfg {
	if slices.Contains(p.redactors, slot) {
		return c
	}
	for _, i := range p.redactors {
		pl := &p.engines[i]
		by := pl.cfg(ns, classOf(pl, f), pl.inputs.digest(f.Path))
		c.Hash = digest(c.Hash[:], by.Hash[:])
	}
	return c
}
