package rustre

import (
	"fmt"
	"strconv"
	"strings"
)

// translator rewrites an expression of the crate regex in Go's syntax.
type translator struct {
	in    string
	pos   int
	out   strings.Builder
	words bool // \b or \B occurs
	depth int
}

// flags that change how the rest is written in Go.
type flags struct {
	fold    bool // i
	verbose bool // x
	ascii   bool // -u
}

// maxDepth bounds how deep groups and classes nest: the crate's limit is 250.
const maxDepth = 250

func (t *translator) translate() (string, error) {
	if err := t.sequence(flags{}); err != nil {
		return "", err
	}
	if t.pos < len(t.in) {
		return "", t.errorf("unopened group")
	}
	return t.out.String(), nil
}

func (t *translator) errorf(format string, args ...any) error {
	return fmt.Errorf("%s at column %d", fmt.Sprintf(format, args...), t.pos+1)
}

func (t *translator) peek() byte {
	if t.pos < len(t.in) {
		return t.in[t.pos]
	}
	return 0
}

// sequence translates alternatives up to the end or a closing parenthesis.
func (t *translator) sequence(f flags) error {
	if t.depth++; t.depth > maxDepth {
		return t.errorf("nests too deep")
	}
	defer func() { t.depth-- }()
	atom := "" // the last item, which a repetition takes
	has := false
	flush := func() {
		t.out.WriteString(atom)
		atom, has = "", false
	}
	defer func() { flush() }()
	for t.pos < len(t.in) {
		switch c := t.in[t.pos]; {
		case f.verbose && t.blank():
		case c == ')':
			return nil
		case c == '|':
			flush()
			t.out.WriteByte('|')
			t.pos++
		case strings.IndexByte("*+?{", c) >= 0:
			if !has {
				return t.errorf("repetition of nothing")
			}
			op, err := t.repetition()
			if err != nil {
				return err
			}
			atom = "(?:" + atom + op + ")"
		default:
			flush()
			next, err := t.item(&f)
			if err != nil {
				return err
			}
			atom, has = next, next != ""
		}
	}
	return nil
}

// blank passes over white space or a comment, which the flag x allows.
func (t *translator) blank() bool {
	rest := t.in[t.pos:]
	after := strings.TrimLeft(rest, " \t\n\r\f\v")
	if strings.HasPrefix(after, "#") {
		_, after, _ = strings.Cut(after, "\n")
	}
	t.pos = len(t.in) - len(after)
	return len(after) < len(rest)
}

// repetition reads an operator, with the question mark that makes it lazy.
func (t *translator) repetition() (string, error) {
	op := t.in[t.pos : t.pos+1]
	if op == "{" {
		end := strings.IndexByte(t.in[t.pos:], '}')
		if end < 0 {
			return "", t.errorf("unclosed repetition")
		}
		low, high, comma := strings.Cut(strings.ReplaceAll(t.in[t.pos+1:t.pos+end], " ", ""), ",")
		if low == "" && comma && high != "" {
			low = "0"
		}
		n, err := strconv.Atoi(low)
		m := n
		if err == nil && high != "" {
			m, err = strconv.Atoi(high)
		}
		if err != nil || n < 0 || m < n {
			return "", t.errorf("bad repetition")
		}
		op = "{" + low
		if comma {
			op += "," + high
		}
		op += "}"
		t.pos += end
	}
	t.pos++
	if t.peek() == '?' {
		t.pos++
		op += "?"
	}
	return op, nil
}

// item translates one thing a repetition may follow; "" for a change of flags.
func (t *translator) item(f *flags) (string, error) {
	switch c := t.in[t.pos]; c {
	case '(':
		return t.group(f)
	case '[':
		set, err := t.class(*f)
		if err != nil {
			return "", err
		}
		return set.class(), nil
	case '\\':
		return t.escape(*f)
	case '.', '^', '$':
		t.pos++
		return string(c), nil
	}
	r, n := t.rune()
	t.pos += n
	return literal(r), nil
}

// group translates a group, or a change of flags for the rest of this one.
func (t *translator) group(f *flags) (string, error) {
	start := t.pos
	t.pos++
	head, in := "(", *f
	if t.peek() == '?' {
		t.pos++
		rest := t.in[t.pos:]
		switch {
		case strings.HasPrefix(rest, "P<"), strings.HasPrefix(rest, "<") && !strings.HasPrefix(rest, "<=") && !strings.HasPrefix(rest, "<!"):
			end := strings.IndexByte(rest, '>')
			if end < 0 {
				return "", t.errorf("unclosed name of a group")
			}
			name := rest[strings.IndexByte(rest, '<')+1 : end]
			head = "(?P<" + name + ">"
			t.pos += end + 1
		case strings.HasPrefix(rest, "="), strings.HasPrefix(rest, "!"), strings.HasPrefix(rest, "<"):
			return "", t.errorf("look-around is not supported")
		default:
			set, err := t.flags(&in)
			if err != nil {
				return "", err
			}
			if t.peek() == ')' {
				t.pos++
				*f = in
				if set != "" {
					t.out.WriteString("(?" + set + ")")
				}
				return "", nil
			}
			t.pos++
			head = "(?" + set + ":"
		}
	}
	outer := t.out
	t.out = strings.Builder{}
	err := t.sequence(in)
	body := t.out.String()
	t.out = strings.Builder{}
	t.out.WriteString(outer.String())
	if err != nil {
		return "", err
	}
	if t.peek() != ')' {
		t.pos = start
		return "", t.errorf("unclosed group")
	}
	t.pos++
	return head + body + ")", nil
}

// flags reads flags up to a colon or a closing parenthesis and returns those
// that Go knows by the same letter.
func (t *translator) flags(f *flags) (string, error) {
	var on, off strings.Builder
	neg, any := false, false
	for ; ; t.pos++ {
		c := t.peek()
		switch {
		case c == ':' || c == ')':
			if !any && (c == ')' || neg) {
				return "", t.errorf("no flag")
			}
			if off.Len() > 0 {
				return on.String() + "-" + off.String(), nil
			}
			return on.String(), nil
		case c == '-' && !neg:
			neg, any = true, false
			continue
		case !f.set(c, neg):
			return "", t.errorf("unknown or unsupported flag")
		}
		any = true
		if strings.IndexByte("imsU", c) >= 0 {
			if neg {
				off.WriteByte(c)
			} else {
				on.WriteByte(c)
			}
		}
	}
}

// set sets a flag, or takes it back; ok is false if there is no such flag.
func (f *flags) set(c byte, neg bool) (ok bool) {
	switch c {
	case 'i':
		f.fold = !neg
	case 'x':
		f.verbose = !neg
	case 'u':
		f.ascii = neg
	case 'm', 's', 'U':
	default:
		return false
	}
	return true
}

// escape translates what begins with a backslash outside of a class.
func (t *translator) escape(f flags) (string, error) {
	if t.pos+1 >= len(t.in) {
		return "", t.errorf("a backslash at the end")
	}
	switch c := t.in[t.pos+1]; c {
	case 'A', 'z':
		t.pos += 2
		return `\` + string(c), nil
	case 'b', 'B':
		if strings.HasPrefix(t.in[t.pos+2:], "{") && c == 'b' {
			return "", t.errorf(`\b{ is not supported`)
		}
		t.pos += 2
		t.words = t.words || !f.ascii
		return `\` + string(c), nil
	case '<', '>':
		return "", t.errorf(`\%c is not supported`, c)
	}
	if class := usual(t.in[t.pos+1]); class != "" && !f.ascii {
		t.pos += 2
		return class, nil
	}
	if set, ok, err := t.perl(f); ok || err != nil {
		if err != nil {
			return "", err
		}
		return set.folded(f.fold).class(), nil
	}
	r, err := t.char()
	if err != nil {
		return "", err
	}
	return literal(r), nil
}

// literal writes a rune so that Go takes it for itself.
func literal(r rune) string {
	if r < 0x80 && (r < ' ' || strings.ContainsRune(`\.+*?()|[]{}^$`, r)) || r == 0x7f {
		return fmt.Sprintf(`\x{%x}`, r)
	}
	return string(r)
}
