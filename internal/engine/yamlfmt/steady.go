package yamlfmt

import (
	"strings"

	"poly/internal/yamlevent"
)

// bare tells that no setting looks at the lines of a text.
func (s *settings) bare() bool {
	return !s.retain && !s.retainSingle && !s.trim && !s.foldedLiteral && s.width == 0
}

// steady tells that the library makes of out what it has made of text, which is
// out: it writes nodes and comments, and there are no comments, and the nodes
// are spelled the same in both, on one line or as a literal.
func (r *reader) steady(text, out []byte) bool {
	a, err := r.read(text)
	if err != nil {
		return false
	}
	b, err := r.read(out)
	if err != nil || len(a.comments)+len(b.comments) > 0 || len(a.events) != len(b.events) {
		return false
	}
	for i := range a.events {
		x, y := &a.events[i], &b.events[i]
		if differ(x, y) != "" || x.Style != y.Style || x.Version != "" || len(x.Handles) > 0 {
			return false
		}
		if x.Kind == yamlevent.Scalar && !spelledAlike(x, y, a.text, b.text) {
			return false
		}
	}
	return true
}

// spelledAlike tells that the library reads the same value from both scalars.
func spelledAlike(x, y *yamlevent.Event, before, after string) bool {
	switch x.Style {
	case yamlevent.Fold:
		return false
	case yamlevent.Lit:
		return strings.Trim(x.Value[:min(1, len(x.Value))], " \t\n") != ""
	}
	spelling := before[x.Start:x.End]
	return spelling == after[y.Start:y.End] && !strings.Contains(spelling, "\n")
}
