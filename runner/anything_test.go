package runner_test

import (
	"slices"
	"strings"
	"testing"

	"poly/internal/engine"
)

// TestAnything: text of no known language is checked by the engines that ask
// for it, and by no other, once they are on; what is not text is not counted.
func TestAnything(t *testing.T) {
	t.Parallel()
	asking := guarding()
	asking.Anything = true
	p := newPlace(t, asking, linter("every", nil), xs())
	p.Write("a.unknown", "HIDEME\n")
	p.Write("b.unknown", "nothing\n")
	p.Write("c.unknown", "\x00\x01HIDEME")
	p.Write("d.unknown", "#!/bin/sh\na {{ x }}\n")
	p.Write("sub/e.unknown", "HIDEME\n")
	p.Write("sub/poly.toml", "[lint.guarding]\nenabled = false\n")
	p.Write("f", "HIDEME\n")
	p.Write("same", "#!/bin/sh\na {{ x }}\n")
	p.Write("g.go", "package g\n")
	p.Commit("all")
	check := func(name string, checked, unrecognised int, found ...string) {
		t.Helper()
		for _, cached := range []bool{true, true, false} {
			rep := p.run(engine.Lint, cached, nil)
			var got []string
			for _, f := range rep.Files {
				for _, d := range f.Diagnostics {
					got = append(got, f.Path+":"+d.Code)
				}
			}
			if !slices.Equal(got, found) || rep.Summary.Checked != checked || rep.Notes.Unrecognised != unrecognised {
				t.Errorf("%s, cached %t: found %v, %d checked, %d of no language, want %v, %d, %d",
					name, cached, got, rep.Summary.Checked, rep.Notes.Unrecognised, found, checked, unrecognised)
			}
			for _, f := range rep.Files {
				if strings.HasSuffix(f.Path, ".unknown") && f.Reason != "" {
					t.Errorf("%s: %s is %s: %s", name, f.Path, f.Outcome, f.Reason)
				}
			}
		}
	}
	check("off", 2, 6)
	p.Write("poly.toml", "[lint.guarding]\nenabled = true\n")
	check("on", 6, 2, "a.unknown:G1", "f:G1")
	p.Write("b.unknown", "HIDEME\n")
	check("changed", 6, 2, "a.unknown:G1", "b.unknown:G1", "f:G1")
	p.Commit("it")
	check("committed", 6, 2, "a.unknown:G1", "b.unknown:G1", "f:G1")
}
