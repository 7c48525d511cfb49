package discover

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"poly/internal/diag"
)

// Tally counts what was left out of scope. The zero value is ready; a nil
// Tally counts nothing. Its fields are there to be stored: change them by its
// methods only.
type Tally struct {
	Excluded     map[Rule]int
	Named        []string // sentences about paths that are excluded though named
	Unrecognised int
	Pruned       int
	// Samples are the first unrecognised paths, sorted, at most keptSamples.
	Samples    []string
	Symlinks   int
	Submodules int
}

// shownSamples unrecognised files are named; more are kept, so that one can be
// taken away.
const (
	shownSamples = 3
	keptSamples  = 16
)

// Add counts an entry for a decision. An entry in scope counts nothing.
func (t *Tally) Add(path string, d Decision) {
	if t == nil {
		return
	}
	switch d.Why {
	case Excluded:
		if t.Excluded == nil {
			t.Excluded = map[Rule]int{}
		}
		t.Excluded[*d.Rule]++
		if d.Named {
			t.Named = append(t.Named, excludedThoughNamed(path, d.Rule))
		}
	case Unrecognised:
		t.Unrecognised++
		t.sample(path)
	case Pruned:
		t.Pruned++
	case Symlink:
		t.Symlinks++
	case Submodule:
		t.Submodules++
	}
}

// sample keeps path if it is among the first.
func (t *Tally) sample(path string) {
	i, found := slices.BinarySearch(t.Samples, path)
	if found || i == keptSamples {
		return
	}
	t.Samples = slices.Insert(t.Samples, i, strings.Clone(path))
	t.Samples = t.Samples[:min(len(t.Samples), keptSamples)]
}

func excludedThoughNamed(path string, r *Rule) string {
	return fmt.Sprintf("%s is excluded by %q (%s)", path, r.Pattern, r.Origin)
}

// Remove takes back an Add. It returns false if the tally can then no longer
// tell the first unrecognised paths.
func (t *Tally) Remove(path string, d Decision) bool {
	switch d.Why {
	case Excluded:
		if t.Excluded[*d.Rule]--; t.Excluded[*d.Rule] <= 0 {
			delete(t.Excluded, *d.Rule)
		}
		said := excludedThoughNamed(path, d.Rule)
		t.Named = slices.DeleteFunc(t.Named, func(s string) bool { return s == said })
	case Unrecognised:
		t.Unrecognised--
		if i, ok := slices.BinarySearch(t.Samples, path); ok {
			t.Samples = slices.Delete(t.Samples, i, i+1)
		}
		return len(t.Samples) >= min(shownSamples, t.Unrecognised)
	case Pruned:
		t.Pruned--
	case Symlink:
		t.Symlinks--
	case Submodule:
		t.Submodules--
	}
	return true
}

// Merge adds what other counted.
func (t *Tally) Merge(other *Tally) {
	for r, n := range other.Excluded {
		if t.Excluded == nil {
			t.Excluded = map[Rule]int{}
		}
		t.Excluded[r] += n
	}
	t.Named = append(t.Named, other.Named...)
	t.Unrecognised += other.Unrecognised
	for _, s := range other.Samples {
		t.sample(s)
	}
	t.Pruned += other.Pruned
	t.Symlinks += other.Symlinks
	t.Submodules += other.Submodules
}

// Rules lists the rules that excluded something, in a fixed order.
func (t *Tally) Rules() []Rule {
	return slices.SortedFunc(maps.Keys(t.Excluded), func(a, b Rule) int {
		return cmp.Or(strings.Compare(a.Pattern, b.Pattern), strings.Compare(a.Base, b.Base), strings.Compare(a.Origin, b.Origin))
	})
}

// Notes returns the counts: rules with the most files first, and equal ones
// by pattern. A file that was named and is excluded is a warning.
func (t *Tally) Notes() diag.Notes {
	n := diag.Notes{
		Unrecognised: t.Unrecognised, Pruned: t.Pruned, Samples: slices.Clone(t.Samples[:min(len(t.Samples), shownSamples)]),
		Symlinks: t.Symlinks, Submodules: t.Submodules, Warnings: slices.Sorted(slices.Values(t.Named)),
	}
	for _, r := range t.Rules() {
		n.Excluded = append(n.Excluded, diag.Rule{Pattern: r.Pattern, Files: t.Excluded[r]})
	}
	slices.SortStableFunc(n.Excluded, func(a, b diag.Rule) int { return cmp.Compare(b.Files, a.Files) })
	return n
}
