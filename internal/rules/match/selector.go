package match

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"poly/internal/syntax"
)

// selector reads the rule kind, which may be a selector as CSS has them: lists,
// the combinators " ", >, + and ~, and :has, :not, :is, :nth-child and
// :nth-last-child.
type selector struct {
	c    *Compiler
	lang *Language
	in   string
	tok  string // the token ahead; "" if it is not read yet
}

// kindRule compiles the rule kind.
func (c *Compiler) kindRule(l *Language, text string) (rule, error) {
	s := &selector{c: c, lang: l, in: strings.TrimSpace(text)}
	r, err := s.list()
	if err != nil {
		return nil, fmt.Errorf("kind %q: %w", text, err)
	}
	if s.in != "" || s.tok != "" {
		return nil, fmt.Errorf("kind %q: unexpected %q", text, s.tok+s.in)
	}
	return r, nil
}

// The tokens are single characters and names; a space is the descendant combinator.

func (s *selector) peek() (string, error) {
	if s.tok == "" && s.in != "" {
		return s.tok, s.scan()
	}
	return s.tok, nil
}

func (s *selector) take() { s.tok = "" }

func (s *selector) scan() error {
	trim := false
	n := 1
	switch c := s.in[0]; {
	case c == ' ':
		rest := strings.TrimLeftFunc(s.in, unicode.IsSpace)
		if rest != "" && strings.IndexByte("+~>),", rest[0]) >= 0 {
			s.in = rest
			return s.scan()
		}
		trim = true
	case strings.IndexByte("+~>(,", c) >= 0:
		trim = true
	case strings.IndexByte(".:)", c) >= 0:
	case isName(c) && (c < '0' || c > '9'):
		for n < len(s.in) && isName(s.in[n]) {
			n++
		}
	default:
		return fmt.Errorf("unexpected character %q", c)
	}
	s.tok, s.in = s.in[:n], s.in[n:]
	if trim {
		s.in = strings.TrimLeftFunc(s.in, unicode.IsSpace)
	}
	return nil
}

func isName(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

func (s *selector) list() (rule, error) {
	var rules []rule
	for s.in != "" || s.tok != "" {
		r, err := s.complex()
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
		if t, err := s.peek(); err != nil || t != "," {
			if err != nil {
				return nil, err
			}
			break
		}
		s.take()
	}
	return newAny(rules), nil
}

func (s *selector) complex() (rule, error) {
	r, err := s.compound()
	if err != nil {
		return nil, err
	}
	for {
		t, err := s.peek()
		if err != nil {
			return nil, err
		}
		rel := &relation{inner: r}
		switch t {
		case ">":
		case " ":
			rel.reach = toEnd
		case "+":
			rel.dir = follows
		case "~":
			rel.dir, rel.reach = follows, toEnd
		default:
			return r, nil
		}
		s.take()
		next, err := s.compound()
		if err != nil {
			return nil, err
		}
		s.c.relations = append(s.c.relations, rel)
		r = newAll([]rule{next, rel})
	}
}

func (s *selector) compound() (rule, error) {
	var rules []rule
	t, err := s.peek()
	if err != nil {
		return nil, err
	}
	if t != "" && isName(t[0]) {
		s.take()
		k := s.lang.kind(t)
		if k == 0 {
			return nil, fmt.Errorf("%s has no kind %s", s.lang.Name, t)
		}
		rules = append(rules, &kindRule{kind: k})
	}
	for {
		t, err := s.peek()
		switch {
		case err != nil:
			return nil, err
		case t == ".":
			return nil, fmt.Errorf("classes are not supported")
		case t == ":":
			r, err := s.pseudo()
			if err != nil {
				return nil, err
			}
			rules = append(rules, r)
			continue
		case len(rules) == 0:
			return nil, fmt.Errorf("a kind is missing")
		}
		return newAll(rules), nil
	}
}

// kind returns the id of a named kind, 0 if there is none.
func (l *Language) kind(name string) syntax.Kind {
	if name == "ERROR" {
		return errorKind
	}
	k, _ := l.Kind(name, true)
	return k
}

func (s *selector) pseudo() (rule, error) {
	s.take()
	name, err := s.peek()
	if err != nil || name == "" || !isName(name[0]) {
		return nil, fmt.Errorf("a name must follow a colon")
	}
	s.take()
	if t, err := s.peek(); err != nil || t != "(" {
		return nil, fmt.Errorf("( must follow :%s", name)
	}
	s.take()
	var r rule
	switch name {
	case "has":
		r, err = s.has()
	case "not":
		var inner rule
		inner, err = s.complex()
		r = &notRule{inner}
	case "is":
		r, err = s.list()
	case "nth-child", "nth-last-child":
		r, err = s.nth(name == "nth-last-child")
	default:
		return nil, fmt.Errorf(":%s is not known", name)
	}
	if err != nil {
		return nil, err
	}
	if t, err := s.peek(); err != nil || t != ")" {
		return nil, fmt.Errorf("unclosed :%s", name)
	}
	s.take()
	return r, nil
}

// has reads what follows ":has(".
func (s *selector) has() (rule, error) {
	rel := &relation{dir: has, reach: toEnd}
	if t, err := s.peek(); err == nil && t == ">" {
		s.take()
		rel.reach = neighbor
	}
	var err error
	if rel.inner, err = s.complex(); err != nil {
		return nil, err
	}
	s.c.relations = append(s.c.relations, rel)
	return rel, nil
}

func (s *selector) nth(reverse bool) (rule, error) {
	n := strings.IndexFunc(s.in, func(r rune) bool { return !strings.ContainsRune("0123456789nN+- ", r) })
	if n < 0 {
		n = len(s.in)
	}
	text := s.in[:n]
	s.in = strings.TrimLeftFunc(s.in[n:], unicode.IsSpace)
	step, offset, err := parseNth(text)
	if err != nil {
		return nil, err
	}
	r := &nthRule{step: step, offset: offset, reverse: reverse}
	if t, err := s.peek(); err == nil && t == "of" {
		s.take()
		s.in = strings.TrimLeftFunc(s.in, unicode.IsSpace)
		if r.of, err = s.complex(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// parseNth reads An+B, in which spaces do not count.
func parseNth(text string) (step, offset int, err error) {
	bad := fmt.Errorf("%q is not of the form An+B", text)
	text = strings.ToLower(strings.Join(strings.Fields(text), ""))
	number := func(s string) (int, error) {
		if strings.ContainsAny(s, "nN") || strings.LastIndexAny(s, "+-") > 0 || strings.Trim(s, "+-0123456789") != "" {
			return 0, bad
		}
		n, err := strconv.ParseInt(s, 10, 32)
		if err != nil {
			return 0, bad
		}
		return int(n), nil
	}
	a, b, ok := strings.Cut(text, "n")
	if !ok {
		offset, err = number(text)
		return 0, offset, err
	}
	switch a {
	case "", "+":
		step = 1
	case "-":
		step = -1
	default:
		if step, err = number(a); err != nil {
			return 0, 0, err
		}
	}
	if b == "" {
		return step, 0, nil
	}
	if b[0] != '+' && b[0] != '-' {
		return 0, 0, bad
	}
	offset, err = number(b)
	return step, offset, err
}
