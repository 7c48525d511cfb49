package yamlevent

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokVersion
	tokHandle
	tokReserved // a directive of a kind that is not known
	tokDocStart
	tokDocEnd
	tokSeqStart
	tokMapStart
	tokBlockEnd
	tokFlowSeqStart
	tokFlowSeqEnd
	tokFlowMapStart
	tokFlowMapEnd
	tokEntry // -
	tokComma
	tokKey
	tokValue
	tokAlias
	tokAnchor
	tokTag
	tokScalar
)

type token struct {
	kind       tokenKind
	start, end int
	value      string
	suffix     string // of a tag; value is its handle
	style      Style
	indent     int // of a block scalar: of its text
	parent     int // and what an indicator is counted from
	tail       int
}

// key is a place where an implicit key may have started.
type key struct {
	possible bool
	required bool // nothing else can stand there
	tabbed   bool
	token    int // number of the token that starts it
	pos      int
	line     int
	column   int
}

// bracket is an open flow collection.
type bracket struct {
	char byte
	pos  int
}

// scanner cuts the text into tokens. Indentation is made into tokens too, as
// in every parser of this family: what an implicit key starts is known only at
// its colon, so tokens wait in a queue until then.
type scanner struct {
	src       string
	pos       int
	line      int // counted from 0
	lineStart int
	comments  []Comment
	bad       *Error // the first character that no YAML may hold

	queue   []token
	room    []token // memory of the queue
	taken   int     // tokens given out
	flow    []bracket
	indent  int // column of the innermost block collection, -1 outside
	indents []int
	// keys has the block context first, then one for each flow level. Token
	// numbers of possible keys rise with the level.
	keys     []key
	low      int     // no key of a lower level is possible
	mayKey   bool    // an implicit key may start here
	tabbed   bool    // there is a tab where the indentation of a block collection would be
	prologue bool    // before a document, where directives may stand
	colons   bool    // an anchor's name ends with a colon
	json     int     // offset just after the last quoted scalar or flow collection
	loose    []Loose // lines that strict readers refuse
	tight    []int   // comments that strict readers refuse
}

// The longest implicit keys. The first limit, in code points, is the
// specification's; keys in flow mappings have none there.
const (
	maxKey     = 1024
	maxFlowKey = 8192
)

func (s *scanner) column() int { return s.pos - s.lineStart }

func (s *scanner) at(i int) byte {
	if s.pos+i < len(s.src) {
		return s.src[s.pos+i]
	}
	return 0
}

// blankAt tells that a blank, a line end or the end of the text is i bytes on.
func (s *scanner) blankAt(i int) bool {
	if s.pos+i >= len(s.src) {
		return true
	}
	c := s.src[s.pos+i]
	return isBlank(c) || isBreak(c)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isBreak(c byte) bool { return c == '\n' || c == '\r' }

func flowIndicator(c byte) bool { return c != 0 && strings.IndexByte(",[]{}", c) >= 0 }

// control looks for characters that no YAML may hold.
func (s *scanner) control() {
	for i := s.pos; i < len(s.src); i++ {
		if c := s.src[i]; c < ' ' && c != '\t' && !isBreak(c) {
			s.bad = &Error{i, i + 1, fmt.Sprintf("Control character U+%04X", c), "Write it as an escape in double quotes."}
			return
		}
	}
}

// peek returns the token in hand, or the error that hides it.
func (s *scanner) peek() (*token, *Error) {
	for {
		more, err := s.needMore()
		if err == nil && more {
			err = s.fetch()
		}
		if err != nil {
			return nil, err
		}
		if !more {
			return &s.queue[0], nil
		}
	}
}

func (s *scanner) skip() {
	s.queue = s.queue[1:]
	s.taken++
}

// needMore tells that the token in hand is not known yet: there is none, or an
// implicit key may start with it.
func (s *scanner) needMore() (bool, *Error) {
	if len(s.queue) == 0 {
		return true, nil
	}
	for ; s.low < len(s.keys); s.low++ {
		k := &s.keys[s.low]
		if err := s.refresh(s.low); err != nil {
			return false, err
		}
		if k.possible {
			return k.token == s.taken, nil
		}
	}
	return false, nil
}

// refresh drops the key of a level if it can no longer be one: an implicit key
// is on one line, except in a flow mapping.
func (s *scanner) refresh(level int) *Error {
	k := &s.keys[level]
	if !k.possible {
		return nil
	}
	if level > 0 && s.flow[level-1].char == '{' {
		k.possible = s.pos-k.pos <= maxFlowKey
		return nil
	}
	if k.line == s.line && (s.pos-k.pos <= maxKey || utf8.RuneCountInString(s.src[k.pos:s.pos]) <= maxKey) {
		return nil
	}
	return s.drop(k)
}

func (s *scanner) drop(k *key) *Error {
	if k.possible && k.required {
		end := k.pos + strings.IndexAny(s.src[k.pos:]+"\n", "\r\n")
		return &Error{k.pos, end, "Expected a key and a colon", "Every entry of a mapping at this indentation has the form `key: value`."}
	}
	k.possible = false
	return nil
}

// saveKey notes that the token about to be added may start an implicit key.
func (s *scanner) saveKey() *Error {
	if !s.mayKey {
		return nil
	}
	top := len(s.keys) - 1
	if err := s.drop(&s.keys[top]); err != nil {
		return err
	}
	s.keys[top] = key{
		possible: true, required: top == 0 && s.indent == s.column(), tabbed: s.tabbed,
		token: s.taken + len(s.queue), pos: s.pos, line: s.line, column: s.column(),
	}
	s.low = min(s.low, top)
	return nil
}

// add puts t at the end of the queue. An empty one starts in its old memory.
func (s *scanner) add(t token) {
	if len(s.queue) == 0 {
		s.queue = s.room[:0]
	}
	s.queue = append(s.queue, t)
}

// insert puts t before the token with number n.
func (s *scanner) insert(n int, t token) {
	i := n - s.taken
	s.add(token{})
	copy(s.queue[i+1:], s.queue[i:])
	s.queue[i] = t
}

func (s *scanner) newline() {
	if s.src[s.pos] == '\r' && s.at(1) == '\n' {
		s.pos++
	}
	s.pos++
	s.line++
	s.lineStart = s.pos
}

// gap skips blanks, line ends and comments.
func (s *scanner) gap() {
	s.tabbed = false
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == ' ':
			s.pos++
		case c == '\t':
			s.tabbed = s.tabbed || s.mayKey
			s.pos++
		case c == '#' && (s.column() == 0 || isBlank(s.src[s.pos-1])):
			s.comment()
		case isBreak(c):
			s.newline()
			s.tabbed = false
			if len(s.flow) == 0 {
				s.mayKey = true
			}
		default:
			return
		}
	}
}

// indented notes a line of a quoted scalar or flow collection, which starts
// here or further left, that is not indented deeper than the block it is in. A
// closing bracket may stand as far left as that.
func (s *scanner) indented(closing bool) {
	blanks := s.src[s.lineStart:s.pos]
	rest := strings.TrimLeft(blanks, " ")
	need := s.indent + 1
	if n := len(blanks) - len(rest); n >= need || n == s.indent && closing || strings.Trim(rest, "\t") != "" {
		return
	}
	if n := len(s.loose); n == 0 || s.loose[n-1].Line != s.lineStart {
		s.loose = append(s.loose, Loose{Line: s.lineStart, Start: s.pos, Need: need})
	}
}

func (s *scanner) comment() {
	start := s.pos
	for s.pos < len(s.src) && !isBreak(s.src[s.pos]) {
		s.pos++
	}
	s.comments = append(s.comments, Comment{start, s.pos})
}

// fetch adds tokens to the queue.
func (s *scanner) fetch() *Error {
	s.gap()
	if s.prologue && s.column() == 0 && strings.HasPrefix(s.src[s.pos:], mark) {
		s.pos += len(mark)
		s.lineStart = s.pos
		return nil
	}
	if err := s.refresh(len(s.keys) - 1); err != nil {
		return err
	}
	if len(s.flow) == 0 {
		s.unroll(s.column())
	} else if s.pos < len(s.src) {
		s.indented(s.src[s.pos] == ']' || s.src[s.pos] == '}')
	}
	err := s.one()
	if s.bad != nil && s.pos > s.bad.Start {
		return s.bad
	}
	return err
}

func (s *scanner) one() *Error {
	if s.pos >= len(s.src) {
		return s.finish()
	}
	if s.column() == 0 {
		if s.src[s.pos] == '%' && s.prologue {
			return s.directive()
		}
		if s.marker("---") {
			return s.document(tokDocStart)
		}
		if s.marker("...") {
			return s.document(tokDocEnd)
		}
	}
	s.prologue = false
	return s.content()
}

// marker tells that m, a document marker, stands here.
func (s *scanner) marker(m string) bool {
	return s.column() == 0 && strings.HasPrefix(s.src[s.pos:], m) && s.blankAt(3)
}

// content reads a token that is neither a directive nor a document marker.
func (s *scanner) content() *Error {
	inFlow := len(s.flow) > 0
	switch c := s.src[s.pos]; c {
	case '[', '{':
		return s.open(c)
	case ']', '}':
		return s.close(c)
	case ',':
		return s.comma()
	case '-', '?', ':':
		if s.indicator(c, inFlow) {
			return s.structure(c, inFlow)
		}
	case '*', '&':
		return s.anchor(c)
	case '!':
		return s.tag()
	case '|', '>':
		if inFlow {
			return s.oops(1, fmt.Sprintf("`%c` cannot start a value inside brackets", c), "Quote it.")
		}
		return s.block(c)
	case '\'', '"':
		return s.quoted(c)
	case '#':
		s.tight = append(s.tight, s.pos)
		s.comment()
		return nil
	case '%', '@', '`':
		return s.oops(1, fmt.Sprintf("A plain scalar cannot start with %q", c), "Quote the value.")
	}
	return s.plain()
}

func (s *scanner) oops(n int, title, help string) *Error {
	return &Error{s.pos, min(s.pos+n, len(s.src)), title, help}
}
