package diag

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// Apply applies as many of the fixes as it can and returns the new text and
// how many it applied. The edits of one fix are applied together or not at
// all; a fix that overlaps an accepted one, leaves the text or cuts a code
// point is left out. Fixes are taken in the order of their first edit, so the
// result depends on the set only. text is not modified.
func Apply(text []byte, fixes [][]Edit) (out []byte, applied int) {
	order := make([][]Edit, 0, len(fixes))
	for _, f := range fixes {
		if f = sane(text, f); f != nil {
			order = append(order, f)
		}
	}
	slices.SortStableFunc(order, func(a, b []Edit) int {
		return cmp.Or(cmp.Compare(a[0].Start, b[0].Start), cmp.Compare(a[0].End, b[0].End), cmp.Compare(a[0].Replacement, b[0].Replacement))
	})
	var taken []Edit // sorted, without clashes
	for _, f := range order {
		if !free(taken, f) {
			continue
		}
		for _, e := range f {
			i, _ := slices.BinarySearchFunc(taken, e, byStart)
			taken = slices.Insert(taken, i, e)
		}
		applied++
	}
	if applied == 0 {
		return text, 0
	}
	out = make([]byte, 0, len(text)) // not nil, also if nothing is left
	at := 0
	for _, e := range taken {
		out = append(out, text[at:e.Start]...)
		out = append(out, e.Replacement...)
		at = e.End
	}
	return append(out, text[at:]...), applied
}

func byStart(a, b Edit) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
}

// sane returns f sorted, or nil if it cannot be applied to text at all.
func sane(text []byte, f []Edit) []Edit {
	if len(f) == 0 {
		return nil
	}
	f = slices.Clone(f)
	slices.SortFunc(f, byStart)
	for i, e := range f {
		if e.Start < 0 || e.End < e.Start || e.End > len(text) || !boundary(text, e.Start) || !boundary(text, e.End) {
			return nil
		}
		if i > 0 && clash(f[i-1], e) {
			return nil
		}
	}
	return f
}

// free reports whether no edit of f touches bytes of taken, which is sorted,
// or inserts where taken does.
func free(taken, f []Edit) bool {
	for _, e := range f {
		i, _ := slices.BinarySearchFunc(taken, e, byStart)
		if i < len(taken) && clash(e, taken[i]) || i > 0 && clash(taken[i-1], e) {
			return false
		}
	}
	return true
}

// clash reports whether b, which does not start before a, touches bytes of a
// or starts at the same point.
func clash(a, b Edit) bool { return b.Start < a.End || b.Start == a.Start }

func boundary(text []byte, i int) bool { return i == len(text) || utf8.RuneStart(text[i]) }
