package yamlfmt

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"poly/internal/engine"
	"poly/internal/yamlevent"
)

// maxDepth is how deep a text may be nested: the library recurses.
const maxDepth = 500

const mark = "\xef\xbb\xbf"

// surveyed is what is known about a text before it is formatted.
type surveyed struct {
	marked    bool   // it starts with a byte order mark
	crlf      bool   // most of its lines end with "\r\n"
	open      bool   // its last line has no line end
	nothing   bool   // it has no node
	directive []byte // the line that starts with %YAML, with its line end, or nil
	// body is the rest, with "\n" as its only line end.
	body []byte
}

// survey looks at text and skips what the library would damage.
func (r *reader) survey(text []byte) (surveyed, error) {
	if bytes.Contains(text, []byte("!yamlfmt!:ignore")) {
		return surveyed{}, engine.Skip("it says `!yamlfmt!:ignore`")
	}
	s := surveyed{marked: bytes.HasPrefix(text, []byte(mark))}
	s.body = bytes.TrimPrefix(text, []byte(mark))
	crlf := bytes.Count(s.body, []byte("\r\n"))
	s.crlf = 2*crlf > bytes.Count(s.body, []byte("\n"))
	if bytes.IndexByte(s.body, '\r') >= 0 {
		s.body = bytes.ReplaceAll(bytes.ReplaceAll(s.body, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	}
	s.open = !bytes.HasSuffix(s.body, []byte("\n"))
	if err := s.read(r); err != nil {
		return s, err
	}
	if s.directive != nil {
		s.body = s.body[len(s.directive):]
	}
	return s, nil
}

// read parses the body.
func (s *surveyed) read(r *reader) error {
	all, err := r.read(s.body)
	v := viewer{surveyed: s}
	s.nothing = true
	for i := range all.events {
		if err := v.see(&all.events[i]); err != nil {
			return err
		}
	}
	if fault := (*yamlevent.Error)(nil); errors.As(err, &fault) {
		return engine.Skip(fmt.Sprintf("YAML syntax error at line %d", 1+bytes.Count(s.body[:fault.Start], []byte("\n"))))
	}
	if s.open && s.ambiguous(v.last) {
		return engine.Skip("readers disagree about its last block scalar: add a line end to the last line")
	}
	return nil
}

// viewer looks at the events of a body.
type viewer struct {
	*surveyed
	last        *yamlevent.Event // the last scalar, or nil
	docs, depth int
}

func (v *viewer) see(e *yamlevent.Event) error {
	switch e.Kind {
	case yamlevent.DocumentStart:
		v.docs++
		return v.directives(e, v.docs == 1)
	case yamlevent.Scalar:
		v.last = e
		v.nothing = v.nothing && e.Head == e.End
	case yamlevent.MappingStart, yamlevent.SequenceStart:
		v.nothing = false
		if v.depth++; v.depth > maxDepth {
			return engine.Skip(fmt.Sprintf("nested deeper than %d levels", maxDepth))
		}
		if e.Style == yamlevent.Flow && bytes.HasPrefix(v.body[e.Start:], []byte("{{")) {
			return engine.Skip("`{{` outside of quotes: it looks like a template")
		}
	case yamlevent.MappingEnd, yamlevent.SequenceEnd:
		v.depth--
	}
	return nil
}

// directives notes a %YAML directive at the start of the text. The library
// refuses version 1.2 and drops what it does not refuse.
func (s *surveyed) directives(e *yamlevent.Event, first bool) error {
	switch {
	case len(e.Handles) > 0:
		return engine.Skip("it has %TAG directives, which yamlfmt drops")
	case e.Version == "":
		return nil
	case !first || !bytes.HasPrefix(s.body, []byte("%YAML")):
		return engine.Skip("it has directives inside, which yamlfmt drops")
	}
	s.directive = s.body[:bytes.IndexByte(s.body, '\n')+1]
	return nil
}

// ambiguous tells that the text ends with a block scalar that keeps a line end
// it does not have: some readers supply it, others do not.
func (s *surveyed) ambiguous(last *yamlevent.Event) bool {
	if last == nil || last.Style != yamlevent.Lit && last.Style != yamlevent.Fold || len(bytes.TrimSpace(s.body[last.End:])) > 0 {
		return false
	}
	header, _, _ := bytes.Cut(s.body[last.Start:], []byte("\n"))
	header, _, _ = bytes.Cut(header, []byte("#"))
	return !bytes.Contains(header, []byte("-"))
}

// restore gives formatted text what survey took away.
func (s *surveyed) restore(out []byte, g engine.Globals) []byte {
	if s.directive != nil {
		start := []byte(nil)
		if !bytes.HasPrefix(out, []byte("---")) {
			start = []byte("---\n")
		}
		out = slices.Concat(s.directive, start, out)
	}
	switch ended := bytes.HasSuffix(out, []byte("\n")); {
	case len(out) == 0:
	case !ended && (g.FinalNewline || !s.open):
		out = append(out, '\n')
	case ended && s.open && !g.FinalNewline:
		out = out[:len(out)-1]
	}
	if g.CRLF || s.crlf && !g.LF {
		out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	}
	if s.marked {
		out = append([]byte(mark), out...)
	}
	return out
}
