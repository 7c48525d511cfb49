package runner

import (
	"slices"
	"strings"

	"poly/internal/diag"
	"poly/internal/gitstate"
	"poly/store"
)

// hidden stands in a text for what must not be shown.
const hidden = "(hidden)"

// redact takes out of results what an engine with Spec.Redacts found: what the
// others say about those lines is kept without the line, and without the text
// that was found. It changes only copies of diagnostics.
func redact(p *plan, results []result, text []byte) {
	if len(p.redactors) == 0 {
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
