package diag

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// Lines finds lines and columns of byte offsets in one text. A line ends with
// "\n"; "\r\n" is one line end. A leading byte order mark has no column.
// It is for one goroutine: it remembers where it looked last, since a minified
// file may have a hundred thousand findings on one line.
type Lines struct {
	text   []byte
	starts []int
	at     place
}

// place is a character on a line that starts at start.
type place struct{ start, offset, col int }

// NewLines indexes text, which must not change while the Lines is in use.
func NewLines(text []byte) *Lines {
	l := &Lines{text: text, starts: make([]int, 1, bytes.Count(text, []byte{'\n'})+1), at: place{col: 1}}
	for i := 0; ; {
		j := bytes.IndexByte(text[i:], '\n')
		if j < 0 {
			return l
		}
		i += j + 1
		l.starts = append(l.starts, i)
	}
}

// Position returns the 1-based line and the 1-based column in code points of
// the byte at offset. An offset outside the text is clamped to it.
func (l *Lines) Position(offset int) (line, col int) {
	offset = min(max(offset, 0), len(l.text))
	line = sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > offset })
	start := l.starts[line-1]
	if start == 0 && bytes.HasPrefix(l.text, bom) {
		start = min(len(bom), offset)
	}
	return line, l.column(start, offset)
}

// column returns the column of an offset on the line that starts at start,
// counted from the last place that was asked for if that is nearer.
func (l *Lines) column(start, offset int) int {
	at := l.at
	if at.start != start || at.offset-offset > offset-start {
		at = place{start, start, 1}
	}
	if offset < len(l.text) && !utf8.RuneStart(l.text[offset]) {
		return utf8.RuneCount(l.text[start:offset]) + 1
	}
	if at.offset <= offset {
		at.col += utf8.RuneCount(l.text[at.offset:offset])
	} else {
		at.col -= utf8.RuneCount(l.text[offset:at.offset])
	}
	at.offset = offset
	l.at = at
	return at.col
}

// Offset returns the byte offset of a 1-based line and a 1-based code-point
// column, clamped to that line.
func (l *Lines) Offset(line, col int) int {
	if line < 1 {
		return 0
	}
	if line > len(l.starts) {
		return len(l.text)
	}
	i := l.starts[line-1]
	if i == 0 && bytes.HasPrefix(l.text, bom) {
		i = len(bom)
	}
	for ; col > 1 && i < len(l.text) && l.text[i] != '\n'; col-- {
		_, n := utf8.DecodeRune(l.text[i:])
		i += n
	}
	return i
}

// Line returns the text of a 1-based line without its line end.
func (l *Lines) Line(line int) []byte {
	if line < 1 || line > len(l.starts) {
		return nil
	}
	end := len(l.text)
	if line < len(l.starts) {
		end = l.starts[line] - 1
	}
	return bytes.TrimSuffix(l.text[l.starts[line-1]:end], []byte{'\r'})
}

// Len returns the number of lines; a text that ends with a line end has an
// empty last one.
func (l *Lines) Len() int { return len(l.starts) }

// Fill sets the lines and columns of s from its byte offsets, which it first
// clamps to the text.
func (l *Lines) Fill(s *Span) {
	s.Start = min(max(s.Start, 0), len(l.text))
	s.End = min(max(s.End, s.Start), len(l.text))
	s.StartLine, s.StartCol = l.Position(s.Start)
	s.EndLine, s.EndCol = l.Position(s.End)
}

var bom = []byte("\xef\xbb\xbf")
