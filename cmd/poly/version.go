package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"poly/internal/engine"
	"poly/internal/report"
	"poly/internal/version"
)

// printVersion is poly --version.
func (a *app) printVersion(format string) error {
	out, err := report.Find(format)
	if err != nil {
		return err
	}
	exe, err := os.Executable()
	if err != nil {
		exe = ""
	}
	if out.Name == report.Pretty {
		_, err := fmt.Fprintf(a.stdout, "poly %s (%s build %s)\n", version.Version, version.Channel(), version.BuildID())
		return err
	}
	return a.object(out, report.Object{}.
		With("version", version.Version).
		With("build_id", version.BuildID()).
		With("channel", version.Channel()).
		With("executable", exe).
		With("engines", engineVersions(a.engines)))
}

// engineVersions maps each engine that is built in to the version it wraps; an
// engine of our own has poly's version.
func engineVersions(engines []engine.Engine) report.Object {
	sorted := slices.Clone(engines)
	slices.SortFunc(sorted, func(a, b engine.Engine) int { return cmp.Compare(a.Name, b.Name) })
	var o report.Object
	for i := range sorted {
		if !sorted[i].BuiltIn() {
			continue
		}
		o = o.With(sorted[i].Name, cmp.Or(sorted[i].Wrapped, version.Version))
	}
	return o
}

// line ends a document that has no line end of its own, as TOON has none.
func line(doc []byte) []byte {
	if n := len(doc); n == 0 || doc[n-1] == '\n' {
		return doc
	}
	return append(doc, '\n')
}

// object prints an answer that is not a run.
func (a *app) object(out report.Format, o report.Object) error {
	doc, err := out.Object(nil, o, report.Options{Color: out.Name == report.Pretty && a.color(a.stdout, false), Width: width(a.stdout)})
	if err != nil {
		return err
	}
	if _, err := a.stdout.Write(line(doc)); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}
