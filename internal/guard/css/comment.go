package css

import (
	"bytes"

	"poly/internal/guard"
)

// addComment notes the comment from pos to end, and goes there.
func (l *lexer) addComment(end int, ownLine bool) {
	body := l.src[l.pos:end]
	c := comment{start: l.pos, end: end, token: len(l.tokens), ownLine: ownLine}
	rest := bytes.TrimLeft(l.src[end:], " \t")
	c.endsLine = len(rest) == 0 || rest[0] == '\n' || rest[0] == '\r'
	if body[1] == '*' {
		c.text = guard.BlockComment(body)
	} else {
		text := bytes.TrimLeft(body, "/")
		c.text = guard.Mix(uint64(len(body)-len(text)), bytes.TrimSpace(text))
	}
	c.pragma = bytes.Contains(body, []byte("stylelint-")) || bytes.Contains(body, []byte("-ignore")) || bytes.Contains(body, []byte("disable"))
	l.comments = append(l.comments, c)
	l.pos = end
}

// sameComments compares what two texts of the same rules say in comments.
func sameComments(before, after *reader) error {
	for i := range max(len(before.comments), len(after.comments)) {
		if i >= len(before.comments) {
			return guard.Differ("a comment", before.src, len(before.src), after.src, after.comments[i].start)
		}
		b := before.comments[i]
		if i >= len(after.comments) {
			return guard.Differ("a comment", before.src, b.start, after.src, len(after.src))
		}
		a := after.comments[i]
		what := ""
		switch {
		case b.text != a.text:
			what = "a comment"
		case b.leaf != a.leaf || b.fence != a.fence:
			what = "the place of a comment"
		case b.pragma && (b.ownLine != a.ownLine || b.endsLine && !a.endsLine):
			what = "the line of a comment for tools"
		}
		if what != "" {
			return guard.Differ(what, before.src, b.start, after.src, a.start)
		}
	}
	return nil
}
