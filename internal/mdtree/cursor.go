package mdtree

// tabSize is where tabs stop.
const tabSize = 4

// line is what is left of a line for the document that reads it.
type line struct {
	start, end int
	col        int // visual column of start
	pend       int // columns of a tab before start that are not used up
}

// cursor moves along a line. A tab may be used up in part: pend columns of it
// are then still to come, and off stands behind it.
type cursor struct {
	off, end  int
	col, pend int
}

func (l line) cursor() cursor { return cursor{off: l.start, end: l.end, col: l.col, pend: l.pend} }

// rest returns what is left as a line.
func (c cursor) rest() line { return line{start: c.off, end: c.end, col: c.col, pend: c.pend} }

// blank reports whether only blanks are left.
func (c *cursor) blank(text []byte) bool {
	for _, b := range text[c.off:c.end] {
		if b != ' ' && b != '\t' {
			return false
		}
	}
	return true
}

// space reports whether a blank comes next.
func (c *cursor) space(text []byte) bool {
	return c.pend > 0 || c.off < c.end && (text[c.off] == ' ' || text[c.off] == '\t')
}

// skip passes up to limit columns of blanks and returns how many it passed. A
// negative limit means all.
func (c *cursor) skip(text []byte, limit int) int {
	n := 0
	for n != limit {
		switch {
		case c.pend > 0:
			c.pend--
			n++
		case c.off >= c.end:
			return n
		case text[c.off] == ' ':
			c.off++
			c.col++
			n++
		case text[c.off] == '\t':
			c.off++
			width := tabSize - c.col%tabSize
			c.col += width
			c.pend = width - 1
			n++
		default:
			return n
		}
	}
	return n
}

// byte returns the next byte, 0 at the end of the line or inside a tab.
func (c *cursor) byte(text []byte) byte {
	if c.pend > 0 {
		return ' '
	}
	if c.off < c.end {
		return text[c.off]
	}
	return 0
}

// advance passes n bytes that are no tabs.
func (c *cursor) advance(n int) {
	c.off += n
	c.col += n
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func isAlpha(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func isAlnum(b byte) bool { return isDigit(b) || isAlpha(b) }

func isSpace(b byte) bool { return b == ' ' || b == '\t' }

func isSpaceOrEOL(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

func isControl(b byte) bool { return b < 0x20 || b == 0x7f }

// isPunct reports whether b is punctuation of ASCII.
func isPunct(b byte) bool {
	return '!' <= b && b <= '/' || ':' <= b && b <= '@' || '[' <= b && b <= '`' || '{' <= b && b <= '~'
}

// trimEnd returns the end of text[start:end] without blanks at its end.
func trimEnd(text []byte, start, end int) int {
	for end > start && isSpace(text[end-1]) {
		end--
	}
	return end
}

// skipSpace returns the first offset from i on that holds no blank.
func skipSpace(text []byte, i, end int) int {
	for i < end && isSpace(text[i]) {
		i++
	}
	return i
}
