package discover

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"poly/internal/diag"
)

// Tally counts what was left out of scope. The zero value is ready; a nil
// Tally counts nothing.
type Tally struct {
	excluded     map[*Rule]int
	named        []string // excluded though named
	unrecognised int
	samples      []string
	symlinks     int
	submodules   int
}

// maxSamples is how many unrecognised files are named.
const maxSamples = 3

// Add counts an entry for a decision. An entry in scope counts nothing.
func (t *Tally) Add(path string, d Decision) {
	if t == nil {
		return
	}
	switch d.Why {
	case Excluded:
		if t.excluded == nil {
			t.excluded = map[*Rule]int{}
		}
		t.excluded[d.Rule]++
		if d.Named {
			t.named = append(t.named, fmt.Sprintf("%s is excluded by %q (%s)", path, d.Rule.Pattern, d.Rule.Origin))
		}
	case Unrecognised:
		t.unrecognised++
		if len(t.samples) < maxSamples {
			t.samples = append(t.samples, strings.Clone(path))
		}
	case Symlink:
		t.symlinks++
	case Submodule:
		t.submodules++
	}
}

// Notes returns the counts: rules with the most files first, and equal ones
// by pattern. A file that was named and is excluded is a warning.
func (t *Tally) Notes() diag.Notes {
	n := diag.Notes{
		Unrecognised: t.unrecognised, Samples: t.samples,
		Symlinks: t.symlinks, Submodules: t.submodules, Warnings: t.named,
	}
	for r, files := range t.excluded {
		n.Excluded = append(n.Excluded, diag.Rule{Pattern: r.Pattern, Files: files})
	}
	slices.SortFunc(n.Excluded, func(a, b diag.Rule) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), strings.Compare(a.Pattern, b.Pattern))
	})
	return n
}
