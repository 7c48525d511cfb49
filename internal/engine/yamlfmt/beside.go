package yamlfmt

import (
	"bytes"
	"errors"
	"strings"

	"poly/internal/diag"
	"poly/internal/yamlevent"
)

// beside stands before a comment that [detach] has put on a line of its own.
const beside = "#poly~beside~"

// hasProperty reports whether there may be a comment behind an anchor or a tag:
// a word with & or ! and blanks before a #.
func hasProperty(text []byte) bool {
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], '#')
		if i < 0 {
			return false
		}
		at += i
		word := bytes.TrimRight(text[:at], " \t")
		if len(word) == at {
			continue
		}
		if i := bytes.LastIndexAny(word, " \t\r\n"); bytes.ContainsAny(word[i+1:], "&!") {
			return true
		}
	}
}

// detach puts comments behind the anchor or tag of a block collection on lines
// of their own. The library moves them to the first value inside otherwise, and
// writes what it cannot read where one is there already. [attach] undoes it.
func detach(text []byte) []byte {
	if !hasProperty(text) {
		return text
	}
	p := yamlevent.New(text)
	var edits [][]diag.Edit
	for {
		e, err := p.Next()
		if fault := (*yamlevent.Error)(nil); errors.As(err, &fault) || e.Kind == yamlevent.StreamEnd {
			break
		}
		if (e.Kind == yamlevent.MappingStart || e.Kind == yamlevent.SequenceStart) && e.Style == yamlevent.Block && e.Head < e.Start {
			edits = append(edits, moveDown(string(text), e, p.Comments())...)
		}
	}
	if len(edits) == 0 {
		return text
	}
	out, _ := diag.Apply(text, edits)
	return out
}

// moveDown gives the first comment between the properties of e and e its own
// line, as deep as e.
func moveDown(text string, e yamlevent.Event, comments []yamlevent.Comment) [][]diag.Edit {
	for i := len(comments) - 1; i >= 0 && comments[i].Start > e.Head; i-- {
		c := comments[i]
		if c.Start > e.Start || strings.Contains(text[e.Head:c.Start], "\n") {
			continue
		}
		head := strings.TrimRight(text[e.Head:c.Start], " \t")
		column := e.Start - 1 - strings.LastIndexByte(text[:e.Start], '\n')
		return [][]diag.Edit{{{Start: e.Head + len(head), End: c.Start, Replacement: "\n" + strings.Repeat(" ", column) + beside}}}
	}
	return nil
}

// attach undoes detach.
func (s *settings) attach(text []byte) []byte {
	t := string(text)
	if !strings.Contains(t, beside) {
		return text
	}
	out := make([]byte, 0, len(t))
	for line := range strings.Lines(t) {
		comment, ok := strings.CutPrefix(strings.TrimLeft(line, " "), beside)
		if ok && len(out) > 0 {
			out = append(out[:len(out)-1], strings.Repeat(" ", max(1, s.pad))...)
			line = comment
		}
		out = append(out, strings.Replace(line, beside, "", 1)...)
	}
	return out
}
