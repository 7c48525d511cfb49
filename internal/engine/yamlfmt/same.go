package yamlfmt

import (
	"fmt"
	"slices"
	"strings"

	"poly/internal/yamlevent"
)

// Same reports whether before and after are the same streams to a reader: the
// documents, empty ones included, with their directives; every node with its
// tag, anchor and alias names; the order of keys; the value of every scalar and
// whether a reader may give it a type; and the comments in their order, between
// the same scalars give or take one and never from where no value stands before
// it on its line to behind one. It uses another parser than the formatter.
func Same(before, after []byte) error {
	var r reader
	return r.same(before, after)
}

func (r *reader) same(before, after []byte) error {
	a, err := r.read(before)
	if err != nil {
		return fmt.Errorf("the original does not parse: %w", err)
	}
	b, err := r.read(after)
	if err != nil {
		return fmt.Errorf("the result does not parse: %w", err)
	}
	for i := range min(len(a.events), len(b.events)) {
		x, y := &a.events[i], &b.events[i]
		if why := differ(x, y); why != "" {
			return fmt.Errorf("%s: before %s, after %s", why, excerpt(before, x.Head, x.End), excerpt(after, y.Head, y.End))
		}
	}
	if len(a.events) != len(b.events) {
		return fmt.Errorf("documents or nodes were lost or added: %d before, %d after", len(a.events), len(b.events))
	}
	if len(b.loose) > 0 && len(a.loose) == 0 {
		l := b.loose[0]
		return fmt.Errorf("strict readers refuse the result: %s is not indented", excerpt(after, l.Line, l.Line+strings.IndexByte(b.text[l.Line:]+"\n", '\n')))
	}
	return sameComments(a, b)
}

// differ says in what two events differ, or "".
func differ(x, y *yamlevent.Event) string {
	switch {
	case x.Kind != y.Kind:
		return "structure changed"
	case x.Tag != y.Tag:
		return "tag changed"
	case x.Anchor != y.Anchor:
		return "anchor or alias changed"
	case x.Version != y.Version, !slices.Equal(x.Handles, y.Handles):
		return "directives changed"
	case x.Value != y.Value:
		return "value changed"
	case x.Tag == "" && (x.Style == yamlevent.Plain) != (y.Style == yamlevent.Plain) && !text(x.Value):
		return "quotes added or removed"
	}
	return ""
}

// text tells that readers of every version of YAML take a plain value for a
// string, so that quotes make no difference.
func text(plain string) bool {
	switch strings.ToLower(plain) {
	case "", "y", "n", "yes", "no", "on", "off", "true", "false", "null", ".inf", ".nan":
		return false
	}
	if plain[0] == '.' && len(plain) > 1 {
		plain = plain[1:]
	}
	return !strings.ContainsAny(plain[:1], "0123456789+-~<=")
}

func sameComments(a, b *stream) error {
	for i := range min(len(a.comments), len(b.comments)) {
		x, y := a.comments[i], b.comments[i]
		if x.text != y.text {
			return fmt.Errorf("comments changed: before %s, after %s", quote(x.text), quote(y.text))
		}
		if d := x.leafs - y.leafs; d < -1 || d > 1 {
			return fmt.Errorf("comment %s moved to another value", quote(x.text))
		}
		if x.own && !y.own {
			return fmt.Errorf("comment %s moved behind a value", quote(x.text))
		}
	}
	if n := len(b.comments); len(a.comments) > n {
		return fmt.Errorf("comment %s was lost", quote(a.comments[n].text))
	}
	if n := len(a.comments); len(b.comments) > n {
		return fmt.Errorf("comment %s was added", quote(b.comments[n].text))
	}
	return nil
}

// excerpt shows a piece of a text with its line number.
func excerpt(text []byte, start, end int) string {
	line := 1 + strings.Count(string(text[:start]), "\n")
	if start == end {
		return fmt.Sprintf("nothing (line %d)", line)
	}
	return fmt.Sprintf("%s (line %d)", quote(string(text[start:end])), line)
}

func quote(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:57]) + "..."
	}
	return fmt.Sprintf("%q", s)
}
