package main

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

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
	_, err := a.stdout.Write(b.Bytes())
	return err
}
