package main

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"poly/internal/syntax"
	"poly/internal/wasm/pack"
)

// printLicences is poly --licenses: the engines with what they wrap, then the
// full text for each Wasm module, which comes with it.
func (a *app) printLicences() error {
	var b bytes.Buffer
	b.WriteString("Engines that are built in, and the licences of what they wrap:\n\n")
	for i := range a.engines {
		e := &a.engines[i].Spec
		if e.BuiltIn() && e.Wrapped != "" {
			fmt.Fprintf(&b, "  %-12s %-13s %s\n", e.Name, cmp.Or(e.Licence, "MIT"), e.Wrapped)
		}
	}
	modules := pack.Names()
	if len(modules) > 0 {
		b.WriteString("\nWasm modules, with the texts of their licences:\n")
	}
	for _, name := range modules {
		m, _ := pack.Find(name)
		title := fmt.Sprintf("%s %s, %s", m.Name, m.Version, m.Licence)
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", title, strings.Repeat("=", len(title)), strings.TrimSpace(m.LicenceText()))
	}
	appendGrammars(&b)
	_, err := a.stdout.Write(b.Bytes())
	return err
}

// appendGrammars lists the grammars of tree-sitter and its runtime, then the
// text of each licence that is there.
func appendGrammars(b *bytes.Buffer) {
	if !syntax.Built() {
		return
	}
	grammars := []*syntax.Grammar{syntax.Runtime()}
	for _, l := range syntax.Languages() {
		if l.Built() && *grammars[len(grammars)-1] != l.Grammar { // tsx comes with typescript
			grammars = append(grammars, &l.Grammar)
		}
	}
	b.WriteString("\nThe parser tree-sitter and its grammars:\n\n")
	for _, g := range grammars {
		fmt.Fprintf(b, "  %-10s %-8s %s\n", g.Licence, g.Version, g.Source)
	}
	for _, g := range grammars {
		if text := g.Notice(); text != "" {
			title := fmt.Sprintf("%s %s, %s", g.Source, g.Version, g.Licence)
			fmt.Fprintf(b, "\n%s\n%s\n\n%s\n", title, strings.Repeat("=", len(title)), strings.TrimSpace(text))
		}
	}
}
