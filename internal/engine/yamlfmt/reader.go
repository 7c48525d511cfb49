package yamlfmt

import (
	"strings"

	"poly/internal/yamlevent"
)

// stream is all that two texts are compared by.
type stream struct {
	text     string
	events   []yamlevent.Event // up to the fault, if there is one
	comments []remark
	loose    []yamlevent.Loose
	err      error
	used     int // when it was asked for last
}

// remark is a comment and how many scalars and aliases are before it.
type remark struct {
	text  string
	leafs int
	own   bool // no value stands before it on its line, only the dashes of items
}

// onlyDashes reports whether the start of a line holds nothing but blanks and
// dashes of items.
func onlyDashes(s string) bool {
	for {
		s = strings.TrimLeft(s, " \t"+mark)
		rest, ok := strings.CutPrefix(s, "-")
		if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			return s == ""
		}
		s = rest
	}
}

// reader reads texts as streams. It keeps the last ones: the guard wants those
// that the formatter has just looked at. Its zero value is ready.
type reader struct {
	kept [4]stream
	now  int // counts what was asked for
}

// read returns the stream of a text, which is good until three other texts
// were asked for. With an error it is what is before the fault.
func (r *reader) read(text []byte) (*stream, error) {
	r.now++
	oldest := &r.kept[0]
	for i := range r.kept {
		s := &r.kept[i]
		if s.events != nil && s.text == string(text) {
			s.used = r.now
			return s, s.err
		}
		if s.used < oldest.used {
			oldest = s
		}
	}
	oldest.fill(text)
	oldest.used = r.now
	return oldest, oldest.err
}

// fill reads text into the memory of the stream before.
func (s *stream) fill(text []byte) {
	events := s.events[:0]
	if events == nil {
		events = make([]yamlevent.Event, 0, 1+len(text)/12)
	}
	*s = stream{text: string(text), events: events, comments: s.comments[:0]}
	p := yamlevent.New(text)
	leafs, seen := 0, 0
	for {
		e, err := p.Next()
		if err != nil {
			s.err = err
			return
		}
		for all := p.Comments(); seen < len(all) && (all[seen].Start < e.Start || e.Kind == yamlevent.StreamEnd); seen++ {
			c := all[seen]
			above := s.text[:c.Start]
			above = above[strings.LastIndexByte(above, '\n')+1:]
			s.comments = append(s.comments, remark{strings.TrimRight(s.text[c.Start:c.End], " \t"), leafs, onlyDashes(above)})
		}
		if e.Kind == yamlevent.StreamEnd {
			s.loose = p.Loose()
			return
		}
		if (e.Kind == yamlevent.Scalar || e.Kind == yamlevent.Alias) && e.End > e.Start {
			leafs++
		}
		s.events = append(s.events, e)
	}
}
