package yamlevent

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// roll opens a block collection at column c, if it is deeper than the
// innermost one; before is the number of the token it starts with, or -1.
func (s *scanner) roll(c, before int, t token) {
	if len(s.flow) > 0 || s.indent >= c {
		return
	}
	s.indents = append(s.indents, s.indent)
	s.indent = c
	if before < 0 {
		s.add(t)
	} else {
		s.insert(before, t)
	}
}

// unroll closes the block collections that are deeper than column c.
func (s *scanner) unroll(c int) {
	for s.indent > c {
		s.add(token{kind: tokBlockEnd, start: s.pos, end: s.pos})
		s.indent = s.indents[len(s.indents)-1]
		s.indents = s.indents[:len(s.indents)-1]
	}
}

func (s *scanner) finish() *Error {
	if err := s.unclosed(); err != nil {
		return err
	}
	s.unroll(-1)
	if err := s.drop(&s.keys[0]); err != nil {
		return err
	}
	s.add(token{kind: tokEnd, start: s.pos, end: s.pos})
	return nil
}

// unclosed is the fault of a flow collection that the document ends in.
func (s *scanner) unclosed() *Error {
	if len(s.flow) == 0 {
		return nil
	}
	b := s.flow[len(s.flow)-1]
	return &Error{b.pos, b.pos + 1, fmt.Sprintf("Unclosed `%c`", b.char), "The document ends before it is closed."}
}

// document reads a document marker.
func (s *scanner) document(k tokenKind) *Error {
	if err := s.unclosed(); err != nil {
		return err
	}
	s.unroll(-1)
	if err := s.drop(&s.keys[0]); err != nil {
		return err
	}
	s.mayKey = false
	s.prologue = k == tokDocEnd
	s.add(token{kind: k, start: s.pos, end: s.pos + 3})
	s.pos += 3
	if k == tokDocStart {
		return nil
	}
	for s.pos < len(s.src) && isBlank(s.src[s.pos]) {
		s.pos++
	}
	if !s.blankAt(0) && s.src[s.pos] != '#' {
		return s.oops(1, "Only a comment may follow `...`", "")
	}
	return nil
}

// version is what a %YAML directive may name.
var version = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^1\.[0-9]+$`) })

// directive reads a line that starts with %. What a directive that is not known
// says is ignored, as the specification wants.
func (s *scanner) directive() *Error {
	start := s.pos
	line := s.src[start : start+strings.IndexAny(s.src[start:]+"\n", "\r\n")]
	s.pos += len(line)
	if i := strings.Index(line, " #"); i >= 0 {
		s.comments = append(s.comments, Comment{start + i + 1, s.pos})
		line = line[:i]
	}
	f := strings.Fields(line[1:])
	t := token{start: start, end: start + len(line)}
	fault := &Error{start, start + len(line), "Malformed directive", "It is `%YAML 1.2` or `%TAG !handle! prefix`."}
	switch {
	case len(f) == 0:
		return fault
	case f[0] == "YAML":
		if len(f) != 2 || !version().MatchString(f[1]) {
			return fault
		}
		t.kind, t.value = tokVersion, f[1]
	case f[0] == "TAG":
		if len(f) != 3 || f[1][0] != '!' || f[1][len(f[1])-1] != '!' {
			return fault
		}
		t.kind, t.value, t.suffix = tokHandle, f[1], f[2]
	default:
		t.kind = tokReserved
	}
	s.add(t)
	return nil
}

func (s *scanner) open(c byte) *Error {
	if err := s.saveKey(); err != nil {
		return err
	}
	s.flow = append(s.flow, bracket{c, s.pos})
	s.keys = append(s.keys, key{})
	s.mayKey = true
	k := tokFlowSeqStart
	if c == '{' {
		k = tokFlowMapStart
	}
	s.add(token{kind: k, start: s.pos, end: s.pos + 1})
	s.pos++
	return nil
}

func (s *scanner) close(c byte) *Error {
	if len(s.flow) == 0 {
		return s.oops(1, fmt.Sprintf("`%c` without an opening bracket", c), "Quote it if it is meant as text.")
	}
	want, k := byte(']'), tokFlowSeqEnd
	if b := s.flow[len(s.flow)-1]; b.char == '{' {
		want, k = '}', tokFlowMapEnd
	}
	if c != want {
		return s.oops(1, fmt.Sprintf("Expected `%c`, found `%c`", want, c), "")
	}
	s.flow = s.flow[:len(s.flow)-1]
	s.keys = s.keys[:len(s.keys)-1]
	s.low = min(s.low, len(s.keys))
	s.mayKey = false
	s.add(token{kind: k, start: s.pos, end: s.pos + 1})
	s.pos++
	s.json = s.pos
	return nil
}

func (s *scanner) comma() *Error {
	if len(s.flow) == 0 {
		return s.oops(1, "A plain scalar cannot start with `,`", "Quote the value.")
	}
	s.keys[len(s.keys)-1].possible = false
	s.mayKey = true
	s.add(token{kind: tokComma, start: s.pos, end: s.pos + 1})
	s.pos++
	return nil
}

// indicator tells that c, which may also start a plain scalar, is structure here.
func (s *scanner) indicator(c byte, inFlow bool) bool {
	if s.blankAt(1) {
		return true
	}
	if !inFlow || c == '-' {
		return false
	}
	return flowIndicator(s.at(1)) || c == ':' && s.adjacent()
}

// adjacent tells that only blanks, line ends and comments are between the last
// quoted scalar or flow collection and this colon.
func (s *scanner) adjacent() bool {
	if len(s.queue) == 0 {
		return false
	}
	t := s.queue[len(s.queue)-1]
	return t.end == s.json && (t.kind == tokScalar || t.kind == tokFlowMapEnd || t.kind == tokFlowSeqEnd)
}

// structure reads `- `, `? ` or `: `.
func (s *scanner) structure(c byte, inFlow bool) *Error {
	t := token{start: s.pos, end: s.pos + 1}
	switch {
	case c == ':':
		t.kind = tokValue
		if k := &s.keys[len(s.keys)-1]; k.possible {
			if err := s.implicit(k, inFlow); err != nil {
				return err
			}
			break
		}
		if err := s.explicit(inFlow, tokMapStart, "Mapping value is not allowed here", "An implicit key is on one line with its colon, and a mapping cannot start on the line of another key; quote text that has a colon and a blank."); err != nil {
			return err
		}
		s.mayKey = !inFlow
	case c == '?':
		t.kind = tokKey
		if err := s.explicit(inFlow, tokMapStart, "Mapping is not allowed here", "Put it on a line of its own."); err != nil {
			return err
		}
		s.mayKey = !inFlow
	case inFlow:
		return s.oops(1, "`-` cannot stand inside brackets", "Quote it if it is meant as text.")
	default:
		t.kind = tokEntry
		if err := s.explicit(inFlow, tokSeqStart, "Sequence is not allowed here", "Put it on a line of its own, indented, or quote the value."); err != nil {
			return err
		}
		s.mayKey = true
	}
	s.add(t)
	s.pos++
	return nil
}

// implicit makes the tokens since k a key.
func (s *scanner) implicit(k *key, inFlow bool) *Error {
	if !inFlow && k.tabbed {
		return tabs(k.pos)
	}
	s.insert(k.token, token{kind: tokKey, start: k.pos, end: k.pos})
	s.roll(k.column, k.token, token{kind: tokMapStart, start: k.pos, end: k.pos})
	k.possible = false
	s.mayKey = false
	return nil
}

// explicit opens the block collection that an indicator starts here.
func (s *scanner) explicit(inFlow bool, start tokenKind, title, help string) *Error {
	if !inFlow {
		if !s.mayKey {
			return s.oops(1, title, help)
		}
		if s.tabbed {
			return tabs(s.pos)
		}
		s.roll(s.column(), -1, token{kind: start, start: s.pos, end: s.pos})
	}
	return s.drop(&s.keys[len(s.keys)-1])
}

func tabs(pos int) *Error {
	return &Error{pos - 1, pos, "Tab used for indentation", "Indent with blanks."}
}

// anchor reads an anchor or an alias.
func (s *scanner) anchor(c byte) *Error {
	if err := s.saveKey(); err != nil {
		return err
	}
	n := s.word()
	ended := s.ended(n)
	if c == '*' && s.mayKey && n > 2 && s.at(n-1) == ':' && s.blankAt(n) && !s.colons {
		n-- // `*name: value`, which YAML 1.1 readers take as a key
	}
	s.mayKey = false
	if n == 1 {
		return s.oops(1, fmt.Sprintf("`%c` without a name", c), "Quote it if it is meant as text.")
	}
	if !ended {
		return s.oops(n+1, "A name must be followed by a blank", "")
	}
	t := token{kind: tokAnchor, start: s.pos, end: s.pos + n, value: s.src[s.pos+1 : s.pos+n]}
	if c == '*' {
		t.kind = tokAlias
	} else if strings.HasSuffix(t.value, ":") {
		s.colons = true
	}
	s.add(t)
	s.pos += n
	return nil
}

// ended tells that a blank, or an indicator inside brackets, is n bytes on.
func (s *scanner) ended(n int) bool {
	return s.blankAt(n) || len(s.flow) > 0 && flowIndicator(s.at(n))
}

// word returns the length of what runs from here up to a blank or flow indicator.
func (s *scanner) word() int {
	n := 0
	for !s.blankAt(n) && !flowIndicator(s.at(n)) {
		n++
	}
	return n
}

// uri is what a tag may consist of.
var uri = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[-0-9A-Za-z#;/?:@&=+$,_.!~*'()\[\]]|%[0-9A-Fa-f]{2})*$`)
})

// tag reads a tag.
func (s *scanner) tag() *Error {
	if err := s.saveKey(); err != nil {
		return err
	}
	s.mayKey = false
	t := token{kind: tokTag, start: s.pos}
	n := s.word()
	if s.at(1) == '<' {
		i := strings.IndexByte(s.src[s.pos:], '>')
		if i < 3 || strings.ContainsAny(s.src[s.pos:s.pos+i], " \t\r\n") {
			return s.oops(n, "Unclosed verbatim tag", "It has the form `!<tag:example.org,2000:name>`.")
		}
		n = i + 1
		t.suffix = s.src[s.pos+2 : s.pos+i]
	} else {
		word := s.src[s.pos : s.pos+n]
		i := strings.IndexByte(word[1:], '!') + 2 // without a second `!` the handle is the first
		t.value, t.suffix = word[:i], word[i:]
		if len(t.value) > 1 && t.suffix == "" {
			return s.oops(n, fmt.Sprintf("Tag handle `%s` without a name", t.value), "")
		}
	}
	if !s.ended(n) {
		return s.oops(n+1, "A tag must be followed by a blank", "")
	}
	if !uri().MatchString(t.suffix) {
		return s.oops(n, "A tag cannot have such characters", "Write them as `%` and two hex digits; if it is meant as text, quote it.")
	}
	t.end = s.pos + n
	s.add(t)
	s.pos += n
	return nil
}
