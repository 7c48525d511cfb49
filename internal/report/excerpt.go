package report

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"poly/internal/diag"
)

const (
	tab          = "    " // as it is shown
	defaultWidth = 120
	minWidth     = 20 // of an excerpt, however narrow the terminal
	ellipsis     = "…"
)

// appendExcerpt writes the first line of a span with a caret under each of its
// columns. Of a long line it shows the part around the span.
func appendExcerpt(dst []byte, d *diag.Diagnostic, o Options) []byte {
	if d.Span == nil || d.Excerpt == "" {
		return dst
	}
	const margin, rule = "    ", " | "
	var digits [20]byte
	number := strconv.AppendInt(digits[:0], int64(d.Span.StartLine), 10)
	width := o.Width
	if width <= 0 {
		width = defaultWidth
	}
	gutter := len(margin) + len(number) + len(rule)
	text, indent, carets := window(d.Excerpt, d.Span, max(width-gutter, minWidth))
	dst = o.open(dst, faint)
	dst = append(append(append(dst, margin...), number...), rule...)
	dst = o.close(dst, faint)
	dst = append(append(dst, text...), '\n')
	dst = o.open(dst, faint)
	dst = append(pad(dst, gutter-len("| ")), "| "...)
	dst = o.close(dst, faint)
	dst = pad(dst, indent)
	mark := colour(d.Severity)
	dst = o.open(dst, mark)
	for range carets {
		dst = append(dst, '^')
	}
	return append(o.close(dst, mark), '\n')
}

// cell is one code point as it is shown.
type cell struct {
	text  string
	width int
}

// window returns at most width columns of line that show the start of span, how
// many columns stand before the span and how many of its columns are shown.
func window(line string, span *diag.Span, width int) (text string, pad, carets int) {
	if span.StartLine == 1 {
		line = strings.TrimPrefix(line, "\ufeff") // it has no column
	}
	from := max(span.StartCol-1, 0)
	if len(line) <= width && harmless(line) { // a column is a byte
		from, until := min(from, len(line)), len(line)
		if span.EndLine == span.StartLine {
			until = min(span.EndCol-1, len(line))
		}
		return line, from, max(until-from, 1)
	}
	// Only what can be shown is decoded: a line may be a megabyte.
	skip := max(from-width, 0)
	cells, rest := decode(line, skip, min(from, skip+width)-skip+width)
	at := min(from-skip, len(cells))
	lo, hi := 0, len(cells)
	if skip > 0 || rest || total(cells) > width {
		lo, hi = cut(cells, at, skip > 0, width)
	}
	until := len(cells)
	if span.EndLine == span.StartLine {
		until = min(max(span.EndCol-1-skip, at), len(cells))
	}
	var b strings.Builder
	if lo > 0 || skip > 0 {
		b.WriteString(ellipsis)
		pad = 1
	}
	for _, c := range cells[lo:hi] {
		b.WriteString(c.text)
	}
	if hi < len(cells) || rest {
		b.WriteString(ellipsis)
	}
	return b.String(), pad + total(cells[lo:at]), max(total(cells[at:max(min(hi, until), at)]), 1)
}

// cut chooses which cells of a long line are shown: up to a third of the width
// before the span, which starts at the cell at, and what fits behind. more says
// that the line has text before the first cell. One column is left for the
// ellipsis on each side that needs one.
func cut(cells []cell, at int, more bool, width int) (lo, hi int) {
	lo = at
	for lo > 0 && total(cells[lo-1:at]) <= width/3 {
		lo--
	}
	room := width - total(cells[lo:at]) - 1
	if lo > 0 || more {
		room--
	}
	for hi = at; hi < len(cells) && cells[hi].width <= room; hi++ {
		room -= cells[hi].width
	}
	return lo, hi
}

func total(cells []cell) int {
	n := 0
	for _, c := range cells {
		n += c.width
	}
	return n
}

// decode returns at most n cells of line after skipping some code points, and
// whether there are more.
func decode(line string, skip, n int) (cells []cell, more bool) {
	cells = make([]cell, 0, min(n, len(line)))
	for line != "" {
		r, size := utf8.DecodeRuneInString(line)
		if skip > 0 {
			skip--
			line = line[size:]
			continue
		}
		if len(cells) == n {
			return cells, true
		}
		switch seen := visible(r); {
		case r == '\t':
			cells = append(cells, cell{tab, len(tab)})
		case seen != r || r == utf8.RuneError:
			cells = append(cells, cell{string(seen), cellWidth(seen)})
		default:
			cells = append(cells, cell{line[:size], cellWidth(r)})
		}
		line = line[size:]
	}
	return cells, false
}

func colour(s diag.Severity) style {
	switch s {
	case diag.Error:
		return red
	case diag.Info:
		return blue
	case diag.Hint:
		return faint
	default:
		return yellow
	}
}
