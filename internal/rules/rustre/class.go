package rustre

import (
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// set is a set of runes: sorted, disjoint ranges, two runes each.
type set []rune

func (s set) class() string {
	if len(s) == 0 {
		return `[^\x00-\x{10FFFF}]`
	}
	var b strings.Builder
	b.WriteString("(?-i:[")
	var buf [40]byte
	for i := 0; i < len(s); i += 2 {
		out := append(strconv.AppendUint(append(buf[:0], `\x{`...), uint64(s[i]), 16), `}-\x{`...)
		b.Write(append(strconv.AppendUint(out, uint64(s[i+1]), 16), '}'))
	}
	b.WriteString("])")
	return b.String()
}

// words is \w.
var words = sync.OnceValue(func() set {
	s := set{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	for _, table := range []*unicode.RangeTable{unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control} {
		s = s.union(fromTable(table))
	}
	return s
})

// spaces is \s.
var spaces = sync.OnceValue(func() set { return set{'\t', '\r', ' ', ' ', 0x85, 0x85}.union(fromTable(unicode.Z)) })

// moreWords is what \w has besides the categories that [usual] names.
var moreWords = sync.OnceValue(func() string {
	s := words()
	for _, table := range []*unicode.RangeTable{unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc} {
		s = s.intersect(fromTable(table).negate())
	}
	return strings.TrimSuffix(strings.TrimPrefix(s.class(), "(?-i:["), "])")
})

// usual returns \d, \s, \w or a negation as a short class; "" if c is no other.
// None has a member that differs from another rune in case only, so the flag i
// changes nothing.
func usual(c byte) string {
	class := ""
	switch unicode.ToLower(rune(c)) {
	case 'd':
		class = `\p{Nd}`
	case 's':
		class = `\t-\r \x{85}\p{Z}`
	case 'w':
		class = `\pL\pM\p{Nd}\p{Nl}\p{Pc}` + moreWords()
	default:
		return ""
	}
	if unicode.IsUpper(rune(c)) {
		class = "^" + class
	}
	return "(?-i:[" + class + "])"
}

func (s set) union(o set) set {
	type span struct{ lo, hi rune }
	spans := make([]span, 0, (len(s)+len(o))/2)
	for _, l := range [...]set{s, o} {
		for i := 0; i+1 < len(l); i += 2 {
			spans = append(spans, span{l[i], l[i+1]})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return int(a.lo) - int(b.lo) })
	var out set
	for _, x := range spans {
		if n := len(out); n > 0 && x.lo <= out[n-1]+1 {
			out[n-1] = max(out[n-1], x.hi)
			continue
		}
		out = append(out, x.lo, x.hi)
	}
	return out
}

func (s set) negate() set {
	var out set
	next := rune(0)
	for i := 0; i < len(s); i += 2 {
		if s[i] > next {
			out = append(out, next, s[i]-1)
		}
		next = s[i+1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, next, unicode.MaxRune)
	}
	return out
}

func (s set) intersect(o set) set { return s.negate().union(o.negate()).negate() }

// folded adds what differs from a member in case only.
func (s set) folded(fold bool) set {
	if !fold || len(s) == 0 {
		return s
	}
	re, err := syntax.Parse("(?i)"+strings.TrimSuffix(strings.TrimPrefix(s.class(), "(?-i:"), ")"), syntax.Perl)
	if err != nil {
		return s
	}
	switch re.Op {
	case syntax.OpCharClass:
		return set(re.Rune)
	case syntax.OpLiteral:
		var out set
		for r, first := re.Rune[0], true; first || r != re.Rune[0]; r = unicode.SimpleFold(r) {
			out, first = out.union(set{r, r}), false
		}
		return out
	case syntax.OpAnyChar:
		return set{0, unicode.MaxRune}
	}
	return s
}

// fromGo returns the set of a class in Go's syntax.
func fromGo(class string) (set, bool) {
	re, err := syntax.Parse("["+class+"]", syntax.Perl)
	if err != nil {
		return nil, false
	}
	switch re.Op {
	case syntax.OpCharClass:
		return set(re.Rune), true
	case syntax.OpLiteral:
		return set{re.Rune[0], re.Rune[0]}, true
	case syntax.OpAnyChar:
		return set{0, unicode.MaxRune}, true
	}
	return nil, false
}

// perl reads \d, \w, \s, \p and their negations; ok is false if none stands here.
func (t *translator) perl(f flags) (s set, ok bool, err error) {
	c := t.in[t.pos+1]
	switch unicode.ToLower(rune(c)) {
	case 'd':
		if s = (set{'0', '9'}); !f.ascii {
			s = fromTable(unicode.Nd)
		}
	case 's':
		if s = (set{'\t', '\r', ' ', ' '}); !f.ascii {
			s = spaces()
		}
	case 'w':
		if s = (set{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}); !f.ascii {
			s = words()
		}
	case 'p':
		t.pos += 2
		s, err = t.property(c == 'P')
		return s, true, err
	default:
		return nil, false, nil
	}
	if unicode.IsUpper(rune(c)) {
		s = s.negate()
	}
	t.pos += 2
	return s, true, nil
}

func fromTable(table *unicode.RangeTable) set {
	var s set
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			s = append(s, lo, hi)
			return
		}
		for r := lo; r <= hi; r += stride {
			s = append(s, r, r)
		}
	}
	for _, r := range table.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range table.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return s.union(nil)
}

// property reads the name after \p or \P.
func (t *translator) property(negated bool) (set, error) {
	var name string
	if t.peek() == '{' {
		end := strings.IndexByte(t.in[t.pos:], '}')
		if end < 0 {
			return nil, t.errorf("unclosed property")
		}
		name = t.in[t.pos+1 : t.pos+end]
		t.pos += end + 1
	} else {
		_, n := t.rune()
		name = t.in[t.pos : t.pos+n]
		t.pos += n
	}
	if rest, ok := strings.CutPrefix(name, "^"); ok {
		name, negated = rest, !negated
	}
	if key, value, ok := strings.Cut(name, "="); ok {
		switch loose(key) {
		case "gc", "generalcategory", "sc", "script":
			name = value
		default:
			return nil, t.errorf("property %s is not supported", key)
		}
	}
	s, ok := property(loose(name))
	if !ok {
		return nil, t.errorf("property %q is not known", name)
	}
	if negated {
		s = s.negate()
	}
	return s, nil
}

// loose drops what does not matter in names of properties.
func loose(name string) string {
	name = strings.ToLower(name)
	name = strings.NewReplacer(" ", "", "_", "", "-", "").Replace(name)
	return name
}

// categories are the long names of the general categories.
func categories() map[string]string {
	return map[string]string{
		"letter": "l", "mark": "m", "combiningmark": "m", "number": "n", "punctuation": "p", "punct": "p", "symbol": "s", "separator": "z", "other": "c",
		"uppercaseletter": "lu", "lowercaseletter": "ll", "titlecaseletter": "lt", "modifierletter": "lm", "otherletter": "lo",
		"nonspacingmark": "mn", "spacingmark": "mc", "enclosingmark": "me", "decimalnumber": "nd", "digit": "nd", "letternumber": "nl", "othernumber": "no",
		"connectorpunctuation": "pc", "dashpunctuation": "pd", "openpunctuation": "ps", "closepunctuation": "pe", "initialpunctuation": "pi",
		"finalpunctuation": "pf", "otherpunctuation": "po", "mathsymbol": "sm", "currencysymbol": "sc", "modifiersymbol": "sk", "othersymbol": "so",
		"spaceseparator": "zs", "lineseparator": "zl", "paragraphseparator": "zp", "control": "cc", "cntrl": "cc", "format": "cf", "privateuse": "co", "surrogate": "cs",
	}
}

func property(name string) (set, bool) {
	switch name {
	case "any":
		return set{0, unicode.MaxRune}, true
	case "ascii":
		return set{0, 0x7f}, true
	case "alphabetic", "alpha":
		return fromTable(unicode.L).union(fromTable(unicode.Nl)).union(fromTable(unicode.Other_Alphabetic)), true
	case "uppercase", "upper":
		return fromTable(unicode.Lu).union(fromTable(unicode.Other_Uppercase)), true
	case "lowercase", "lower":
		return fromTable(unicode.Ll).union(fromTable(unicode.Other_Lowercase)), true
	}
	if short, ok := categories()[name]; ok {
		name = short
	}
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts, unicode.Properties} {
		for key, table := range tables {
			if loose(key) == name {
				return fromTable(table), true
			}
		}
	}
	return nil, false
}

// class reads a bracketed class.
func (t *translator) class(f flags) (set, error) {
	if t.depth++; t.depth > maxDepth {
		return nil, t.errorf("nests too deep")
	}
	defer func() { t.depth-- }()
	start := t.pos
	t.pos++
	negated := t.peek() == '^'
	if negated {
		t.pos++
	}
	var s, left set
	op := byte(0)
	for first := true; ; first = false {
		if f.verbose {
			t.pos = len(t.in) - len(strings.TrimLeft(t.in[t.pos:], " \t\n\r"))
		}
		if t.pos >= len(t.in) {
			t.pos = start
			return nil, t.errorf("unclosed class")
		}
		rest := t.in[t.pos:]
		switch {
		case rest[0] == ']' && !first:
			t.pos++
			s = combined(left, op, s.folded(f.fold))
			if negated {
				s = s.negate()
			}
			return s, nil
		case strings.HasPrefix(rest, "&&"), strings.HasPrefix(rest, "--") && !first, strings.HasPrefix(rest, "~~"):
			left, s, op = combined(left, op, s.folded(f.fold)), nil, rest[0]
			t.pos += 2
		default:
			more, err := t.member(f)
			if err != nil {
				return nil, err
			}
			s = s.union(more)
		}
	}
}

// combined applies an operator of classes; 0: there is none.
func combined(left set, op byte, s set) set {
	switch op {
	case '&':
		return left.intersect(s)
	case '-':
		return left.intersect(s.negate())
	case '~':
		return left.union(s).intersect(left.intersect(s).negate())
	}
	return s
}

// posix reads a named class, such as [:alpha:].
func (t *translator) posix() (set, bool) {
	rest := t.in[t.pos:]
	end := strings.Index(rest, ":]")
	if !strings.HasPrefix(rest, "[:") || end < 0 {
		return nil, false
	}
	s, ok := fromGo(rest[:end+2])
	if ok {
		t.pos += end + 2
	}
	return s, ok
}

// member reads a nested class, a named one, a range or a rune of a class.
func (t *translator) member(f flags) (set, error) {
	rest := t.in[t.pos:]
	if s, ok := t.posix(); ok {
		return s, nil
	}
	if rest[0] == '[' {
		return t.class(f)
	}
	if rest[0] == '\\' {
		if len(rest) == 1 {
			return nil, t.errorf("a backslash at the end")
		}
		if s, ok, err := t.perl(f); ok || err != nil {
			return s, err
		}
	}
	lo, err := t.classRune()
	if err != nil {
		return nil, err
	}
	rest = t.in[t.pos:]
	if len(rest) < 2 || rest[0] != '-' || rest[1] == ']' || rest[1] == '-' {
		return set{lo, lo}, nil
	}
	t.pos++
	hi, err := t.classRune()
	if err != nil {
		return nil, err
	}
	if hi < lo {
		return nil, t.errorf("a range that ends before it begins")
	}
	return set{lo, hi}, nil
}

func (t *translator) classRune() (rune, error) {
	if t.peek() == '\\' {
		return t.char()
	}
	r, n := t.rune()
	if n == 0 {
		return 0, t.errorf("unclosed class")
	}
	t.pos += n
	return r, nil
}

func (t *translator) rune() (rune, int) { return utf8.DecodeRuneInString(t.in[t.pos:]) }

// char reads an escape that stands for one rune.
func (t *translator) char() (rune, error) {
	if t.pos+1 >= len(t.in) {
		return 0, t.errorf("a backslash at the end")
	}
	c := t.in[t.pos+1]
	if i := strings.IndexByte("aftnrv", c); i >= 0 {
		t.pos += 2
		return rune("\a\f\t\n\r\v"[i]), nil
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	switch {
	case digits > 0:
		return t.hex(digits)
	case '0' <= c && c <= '9':
		return 0, t.errorf("backreferences are not supported")
	case c < utf8.RuneSelf && !('a' <= c && c <= 'z') && !('A' <= c && c <= 'Z') && c != '<' && c != '>':
		t.pos += 2
		return rune(c), nil
	}
	return 0, t.errorf("unknown escape")
}

func (t *translator) hex(digits int) (rune, error) {
	t.pos += 2
	text := ""
	if t.peek() == '{' {
		end := strings.IndexByte(t.in[t.pos:], '}')
		if end < 0 {
			return 0, t.errorf("unclosed escape")
		}
		text = t.in[t.pos+1 : t.pos+end]
		t.pos += end + 1
	} else if t.pos+digits <= len(t.in) {
		text = t.in[t.pos : t.pos+digits]
		t.pos += digits
	}
	n, err := strconv.ParseUint(text, 16, 32)
	if err != nil || !utf8.ValidRune(rune(n)) {
		return 0, t.errorf("bad code point")
	}
	return rune(n), nil
}
