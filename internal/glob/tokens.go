package glob

import "strings"

// op is what a token matches.
type op uint8

const (
	opByte  op = iota // one given byte
	opAny             // "?": one byte but "/"
	opClass           // "[...]": one byte of a set, never "/"
	opStar            // "*": any bytes but "/"
	opTree            // "**": any bytes
	opDirs            // "**/": nothing, or any bytes and a "/"
)

// set is a set of bytes.
type set [4]uint64

func (s *set) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *set) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }

type token struct {
	op    op
	b     byte
	class *set
}

func (t *token) one(c byte) bool {
	switch t.op {
	case opByte:
		return c == t.b
	case opAny:
		return c != '/'
	default:
		return t.class.has(c)
	}
}

// literal returns the text of toks if they are bytes only.
func literal(toks []token) (text string, ok bool) {
	b := make([]byte, 0, len(toks))
	for _, t := range toks {
		if t.op != opByte {
			return "", false
		}
		b = append(b, t.b)
	}
	return string(b), true
}

// tokenize compiles a pattern. ok is false if it can match nothing because it
// is malformed: an unclosed class, an unknown class name, a backslash at the
// end. fold is for text whose letters are lower case already.
func tokenize(p string, fold bool) (toks []token, ok bool) {
	for i := 0; i < len(p); {
		switch c := p[i]; c {
		case '\\':
			// git folds the case of plain characters but not of quoted ones.
			if i+1 == len(p) || fold && isUpper(p[i+1]) {
				return nil, false
			}
			toks = append(toks, token{op: opByte, b: p[i+1]})
			i += 2
		case '?':
			toks = append(toks, token{op: opAny})
			i++
		case '*':
			t, n := stars(p, i)
			toks = append(toks, t)
			i += n
		case '[':
			s, n := class(p[i:], fold)
			if n == 0 {
				return nil, false
			}
			toks = append(toks, token{op: opClass, class: s})
			i += n
		default:
			if fold {
				c = lower(p[i : i+1])[0]
			}
			toks = append(toks, token{op: opByte, b: c})
			i++
		}
	}
	return toks, true
}

// stars reads the run of "*" at p[i]; n is the number of bytes it takes.
func stars(p string, i int) (t token, n int) {
	end := i
	for end < len(p) && p[end] == '*' {
		end++
	}
	rest := p[end:]
	if end-i < 2 || i > 0 && p[i-1] != '/' {
		return token{op: opStar}, end - i
	}
	switch {
	case strings.HasPrefix(rest, "/"):
		return token{op: opDirs}, end - i + 1
	case rest == "", strings.HasPrefix(rest, `\/`):
		return token{op: opTree}, end - i
	default:
		return token{op: opStar}, end - i
	}
}

// class reads a bracket expression at the start of p; n is its length, 0 if
// it is malformed.
func class(p string, fold bool) (s *set, n int) {
	r := classReader{p: p, i: 1, fold: fold}
	negated := strings.HasPrefix(p[1:], "!") || strings.HasPrefix(p[1:], "^")
	if negated {
		r.i++
	}
	for first := true; ; first = false {
		switch {
		case r.i >= len(p):
			return nil, 0
		case p[r.i] == ']' && !first:
			return r.set.finish(negated), r.i + 1
		case !r.member():
			return nil, 0
		}
	}
}

// classReader reads the members of a bracket expression.
type classReader struct {
	p    string
	i    int
	fold bool
	set  set
	prev byte // start of a possible range; 0: none
}

// member reads one member, range or named class; false if it is malformed.
func (r *classReader) member() bool {
	rest := r.p[r.i:]
	switch {
	case rest[0] == '-' && r.prev != 0 && len(rest) > 1 && rest[1] != ']':
		r.i++
		end, ok := r.plain()
		r.set.addRange(r.prev, end, r.fold)
		r.prev = 0
		return ok
	case strings.HasPrefix(rest, "[:"):
		name, size, closed := className(rest)
		if size == 0 {
			return false
		}
		if closed {
			r.i += size
			r.prev = 0
			return r.set.addNamed(name, r.fold)
		}
		fallthrough // "[" and what follows are plain members
	default:
		c, ok := r.plain()
		r.set.add(c)
		r.prev = c
		return ok
	}
}

// plain reads one byte, which a backslash may quote.
func (r *classReader) plain() (c byte, ok bool) {
	if r.p[r.i] == '\\' {
		if r.i++; r.i == len(r.p) {
			return 0, false
		}
	}
	r.i++
	return r.p[r.i-1], true
}

// className reads "[:name:]" at the start of p. size is 0 if no "]" follows;
// closed is false if the text before that "]" does not end in ":".
func className(p string) (name string, size int, closed bool) {
	end := strings.IndexByte(p[2:], ']')
	if end < 0 {
		return "", 0, false
	}
	inner := p[2 : 2+end]
	name, closed = strings.CutSuffix(inner, ":")
	return name, 2 + end + 1, closed
}

func (s *set) addRange(lo, hi byte, fold bool) {
	for c := int(lo); c <= int(hi); c++ {
		s.add(byte(c))
		if fold && isUpper(byte(c)) {
			s.add(byte(c) + 'a' - 'A')
		}
	}
}

// finish applies negation and takes out "/", which no class matches.
func (s *set) finish(negated bool) *set {
	if negated {
		for i := range s {
			s[i] = ^s[i]
		}
	}
	s['/'>>6] &^= 1 << ('/' & 63)
	return s
}

func (s *set) addNamed(name string, fold bool) bool {
	for _, named := range namedClasses {
		if named.name != name {
			continue
		}
		for c := range byte(128) {
			if named.has(c) || fold && name == "upper" && isLower(c) {
				s.add(c)
			}
		}
		return true
	}
	return false
}

// namedClasses are the POSIX classes, which are ASCII for git.
var namedClasses = []struct {
	name string
	has  func(byte) bool
}{
	{"alnum", isAlnum},
	{"alpha", isAlpha},
	{"blank", func(c byte) bool { return c == ' ' || c == '\t' }},
	{"cntrl", func(c byte) bool { return c < 32 || c == 127 }},
	{"digit", isDigit},
	{"graph", isGraph},
	{"lower", isLower},
	{"print", func(c byte) bool { return c == ' ' || isGraph(c) }},
	{"punct", func(c byte) bool { return isGraph(c) && !isAlnum(c) }},
	{"space", func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }},
	{"upper", isUpper},
	{"xdigit", func(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }},
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isAlpha(c byte) bool { return isUpper(c) || isLower(c) }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }
func isGraph(c byte) bool { return c > 32 && c < 127 }

// retry is a place to go back to: token tok took s up to pos; tok < 0: none.
type retry struct{ tok, pos int }

// matchTokens matches all of s in time len(toks) * len(s) at worst. On a
// mismatch only the latest "*", and behind it the latest "**", need to take
// one byte more: an earlier one could reach nothing that the later cannot.
func matchTokens(toks []token, s string) bool {
	star, tree := retry{tok: -1}, retry{tok: -1}
	i, j := 0, 0
	for {
		if i < len(toks) {
			switch t := &toks[i]; {
			case t.op == opStar:
				star = retry{i, j}
				i++
				continue
			case t.op == opTree || t.op == opDirs:
				star, tree = retry{tok: -1}, retry{i, j}
				i++
				continue
			case j < len(s) && t.one(s[j]):
				i, j = i+1, j+1
				continue
			}
		} else if j == len(s) {
			return true
		}
		if star.tok >= 0 && star.pos < len(s) && s[star.pos] != '/' {
			star.pos++
			i, j = star.tok+1, star.pos
			continue
		}
		star.tok = -1
		if tree.tok < 0 || !tree.more(toks[tree.tok].op, s) {
			return false
		}
		i, j = tree.tok+1, tree.pos
	}
}

// more lets a tree token take the next longer text: one byte, or up to and
// with the next slash for "**/". It reports whether there is one.
func (r *retry) more(o op, s string) bool {
	if r.pos >= len(s) {
		return false
	}
	n := 1
	if o == opDirs {
		n = strings.IndexByte(s[r.pos:], '/') + 1
	}
	r.pos += n
	return n > 0
}
