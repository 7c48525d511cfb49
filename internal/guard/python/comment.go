package python

import (
	"bytes"

	"poly/internal/guard"
)

// place is where a comment stands.
type place struct {
	statement int // how many statements and clauses begin before it
	// tokens is how many tokens of that statement stand before it, without
	// those that a formatter adds, drops, moves and joins: see isFirm.
	tokens int
}

// walk goes through the comments of a text and tells where each stands.
type walk struct {
	t     *tree
	at    int // token that the walk has come to
	place place
}

func (w *walk) to(c *comment) place {
	for ; w.at < int(c.token); w.at++ {
		if n := w.place.statement; n < len(w.t.starts) && int(w.t.starts[n].token) == w.at {
			w.place = place{statement: n + 1}
		}
		if isFirm(w.t.toks[w.at].kind) {
			w.place.tokens++
		}
	}
	return w.place
}

// isFirm reports whether a token keeps its side of a line end whatever the
// layout: operators move to the start of the next line, brackets and commas come
// and go, strings are joined.
func isFirm(k kind) bool {
	return k == tName || k == tNumber || k == kNone || k == kTrue || k == kFalse
}

// sameComments compares the comments of two texts of the same syntax. Comments
// at the ends of several lines may have become one comment where the lines did.
func sameComments(a, b *tree) *guard.Difference {
	wa, wb := walk{t: a}, walk{t: b}
	j := 0
	var joined int // offset in b's comment j where the next of a's has to start
	for i := range a.comments {
		x := &a.comments[i]
		if j == len(b.comments) {
			return guard.Differ("a comment", a.src, int(x.start), b.src, len(b.src))
		}
		y := &b.comments[j]
		was, is := bytes.TrimRight(a.src[x.start:x.end], docBlanks), bytes.TrimRight(b.src[y.start:y.end], docBlanks)
		n := commonComment(was, is[joined:])
		if n < 0 {
			return guard.Differ("a comment", a.src, int(x.start), b.src, int(y.start)+joined)
		}
		if moved(x, wa.to(x), y, wb.to(y), isPragma(was)) || x.start == 0 && y.start != 0 && bytes.HasPrefix(was, []byte("#!")) {
			return guard.Differ("the place of a comment", a.src, int(x.start), b.src, int(y.start))
		}
		if joined += n; joined == len(is) {
			j, joined = j+1, 0
		}
	}
	if j < len(b.comments) {
		return guard.Differ("a comment", a.src, len(a.src), b.src, int(b.comments[j].start)+joined)
	}
	if x, y := encoding(a.src), encoding(b.src); x != y {
		return guard.Differ("the declared encoding", a.src, 0, b.src, 0)
	}
	return nil
}

// moved reports whether a comment stands elsewhere than it did.
func moved(x *comment, p place, y *comment, q place, pragma bool) bool {
	if pragma {
		return p != q || x.own != y.own
	}
	return p.statement != q.statement
}

// commonComment returns the length of what the comment has become at the start
// of is, with the blanks after it if another comment follows; -1 if it is not
// there. A blank may have come after the number sign, in place of a blank that
// does not break.
func commonComment(was, is []byte) int {
	n := len(was)
	if !bytes.HasPrefix(is, was) {
		rest, ok := bytes.CutPrefix(is, []byte("# "))
		if !ok || len(was) < 2 || bytes.IndexByte([]byte(" !:#"), was[1]) >= 0 {
			return -1
		}
		text := bytes.TrimPrefix(was[1:], []byte("\u00a0"))
		if !bytes.HasPrefix(rest, text) {
			return -1
		}
		n = 2 + len(text)
	}
	switch {
	case n == len(is):
		return n
	case bytes.HasPrefix(is[n:], []byte("  #")):
		return n + 2
	}
	return -1
}

// pragmas are how comments start that tools obey, in lower case.
var pragmas = [...]string{
	"type:", "noqa", "fmt:", "pylint:", "pragma", "ruff:", "mypy:", "pyright:", "isort:", "flake8:", "nosec", "yapf:",
	"pyre-", "pytype:", "noinspection", "nolint", "autopep8:", "pylama:", "nopycln", "pytest:", "coverage:", "ty:",
}

func isPragma(text []byte) bool {
	text = bytes.TrimLeft(text, "# \t")
	for _, p := range pragmas {
		if len(text) >= len(p) && bytes.EqualFold(text[:len(p)], []byte(p)) {
			return true
		}
	}
	return false
}
