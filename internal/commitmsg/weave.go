package commitmsg

import (
	"bytes"
	"slices"
	"strings"
)

// weaver writes a file with other lines for its message.
type weaver struct {
	*message
	have, want []string // lines of the message and of what it becomes
	pairs      []int    // see common
	last       int      // index in have of the last line that is not blank
	out        []byte
	line       int // next of want
}

// replace returns the file with other lines for the message; those that are
// in both stay where they are among the comments.
func (m *message) replace(want string) []byte {
	w := &weaver{message: m, want: tidied(want), out: slices.Clone(m.text[:m.start])}
	for _, r := range m.rows {
		if !r.comment {
			w.have = append(w.have, string(m.text[r.start:r.end]))
		}
	}
	w.last = len(w.have) - 1
	for w.last >= 0 && strings.TrimSpace(w.have[w.last]) == "" {
		w.last--
	}
	w.pairs = common(w.have[:w.last+1], w.want)
	at := 0
	for i, r := range m.rows {
		if r.comment || w.keep(i, at) {
			w.out = append(w.out, m.text[r.start:r.next]...)
		}
		if !r.comment {
			at++
		}
		if at == w.last+1 {
			w.emit(len(w.want))
		}
	}
	if m.tail == len(m.text) && !bytes.HasSuffix(m.text, []byte("\n")) {
		w.out = bytes.TrimSuffix(w.out, []byte("\n"))
	}
	return append(w.out, m.text[m.tail:]...)
}

// keep decides about row i, which is line at of the message, after what
// replaces it has been written.
func (w *weaver) keep(i, at int) bool {
	blanks := bytes.HasSuffix(w.out, []byte("\n\n"))
	switch {
	case at > w.last:
		// Of the blank lines below the message one stays, above what git drops.
		below := i+1 < len(w.rows) || w.tail < len(w.text)
		return below && !blanks && !w.blankNext(i)
	case w.pairs[at] >= 0:
		w.emit(w.pairs[at])
		w.line++
		return w.have[at] != "" || !blanks
	case w.have[at] == "" && w.besideComment(i): // one with the next in the message
		return !blanks
	}
	w.emit(min(w.line+1, w.nextPair(at)))
	return false
}

// emit writes lines of want up to an index.
func (w *weaver) emit(until int) {
	for ; w.line < until; w.line++ {
		w.out = append(append(ended(w.out), w.want[w.line]...), '\n')
	}
}

// nextPair is the line that the next row with a partner behind at is paired
// with, or behind the last.
func (w *weaver) nextPair(at int) int {
	for _, p := range w.pairs[at+1:] {
		if p >= 0 {
			return p
		}
	}
	return len(w.want)
}

func (m *message) besideComment(i int) bool {
	return i > 0 && m.rows[i-1].comment || i+1 < len(m.rows) && m.rows[i+1].comment
}

// blankNext reports whether the row below i is blank and no comment.
func (m *message) blankNext(i int) bool {
	return i+1 < len(m.rows) && !m.rows[i+1].comment && m.blank(m.rows[i+1])
}

// ended appends a line end to what lacks one.
func ended(out []byte) []byte {
	if len(out) > 0 && out[len(out)-1] != '\n' && !bytes.Equal(out, bom) {
		return append(out, '\n')
	}
	return out
}

// tidied splits a message into lines without blanks at their ends, with one
// blank line where there were more, and none at either end.
func tidied(s string) []string {
	var out []string
	for l := range strings.SplitSeq(s, "\n") {
		l = strings.TrimRight(l, " \t\r\f\v")
		if l == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, l)
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

const maxTable = 4 << 20

// common pairs the lines of have with equal ones of want, in order: result[i]
// is the index in want, or -1.
func common(have, want []string) []int {
	pairs := slices.Repeat([]int{-1}, len(have))
	head := 0
	for head < len(have) && head < len(want) && have[head] == want[head] {
		pairs[head] = head
		head++
	}
	tail := 0
	for tail < len(have)-head && tail < len(want)-head && have[len(have)-1-tail] == want[len(want)-1-tail] {
		tail++
		pairs[len(have)-tail] = len(want) - tail
	}
	a, b := have[head:len(have)-tail], want[head:len(want)-tail]
	if len(a) == 0 || len(b) == 0 || len(a)*len(b) > maxTable {
		return pairs
	}
	align(a, b, pairs[head:], head)
	return pairs
}

// align pairs the lines of a longest common sequence of a and b; base is added
// to the indexes in b.
func align(a, b []string, pairs []int, base int) {
	// longest of the suffixes a[i:] and b[j:], row by row.
	w := len(b) + 1
	longest := make([]int32, (len(a)+1)*w)
	for i, x := range slices.Backward(a) {
		for j, y := range slices.Backward(b) {
			if x == y {
				longest[i*w+j] = longest[(i+1)*w+j+1] + 1
			} else {
				longest[i*w+j] = max(longest[(i+1)*w+j], longest[i*w+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs[i] = base + j
			i, j = i+1, j+1
		case longest[(i+1)*w+j] >= longest[i*w+j+1]:
			i++
		default:
			j++
		}
	}
}
