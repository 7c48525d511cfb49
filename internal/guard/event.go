package guard

// Event is a part of a text that a guard compares: a token, a piece of its
// syntax, a comment.
type Event struct {
	Sum uint64 // equal sums, equal parts: see [Mix]
	At  int    // where it starts, in bytes
}

// Compare returns nil if both texts have the same events, and the [Difference]
// of what otherwise.
func Compare(what string, before []byte, was []Event, after []byte, is []Event) error {
	for i := range max(len(was), len(is)) {
		switch {
		case i >= len(was):
			return Differ(what, before, len(before), after, is[i].At)
		case i >= len(is):
			return Differ(what, before, was[i].At, after, len(after))
		case was[i].Sum != is[i].Sum:
			return Differ(what, before, was[i].At, after, is[i].At)
		}
	}
	return nil
}
