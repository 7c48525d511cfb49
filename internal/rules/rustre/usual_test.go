package rustre

import (
	"regexp/syntax"
	"slices"
	"testing"
	"unicode"
)

// TestUsual: the short classes are the sets, and case changes nothing in them.
func TestUsual(t *testing.T) {
	t.Parallel()
	for c, want := range map[byte]set{
		'd': fromTable(unicode.Nd), 'D': fromTable(unicode.Nd).negate(), 's': spaces(), 'S': spaces().negate(), 'w': words(), 'W': words().negate(),
	} {
		re, err := syntax.Parse(usual(c), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(set(re.Rune).union(nil), want.union(nil)) {
			t.Errorf(`\%c is another set`, c)
		}
		long := &translator{in: `\` + string(c)}
		s, ok, err := long.perl(flags{})
		if err != nil || !ok || !slices.Equal(s.union(nil), want.union(nil)) {
			t.Errorf(`\%c is another set within a class: %v`, c, err)
		}
		if !slices.Equal(want.folded(true).union(nil), want.union(nil)) {
			t.Errorf(`(?i)\%c is another set than \%c`, c, c)
		}
	}
	if n := len(usual('w')); n > 600 {
		t.Errorf(`\w is %d bytes long`, n)
	}
}
