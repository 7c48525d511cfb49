package shfmt

import (
	"bytes"
	"strings"
)

// closer is what ends a list of commands.
type closer uint8

const (
	atEnd closer = iota
	closeParen
	closeBackquote // in the first text, a parenthesis in the second
)

// list is where in a list of commands the aligner is.
type list struct {
	until   closer
	command bool // a reserved word would be one here
	open    bool // newlines mean nothing here
	pattern bool // the patterns of a case come here
	named   bool // the name of a function was the last word
	keyword byte // of what the next names are: c of case, i of its in, f of function
	last    byte // last byte of the operator in front, 0: a word
	digits  bool // that word may be the number of a redirection
	tail    byte // last byte of that word
	brace   bool // that word may be a brace behind which newlines mean nothing
	over    bool
}

// code skips a list of commands and what closes it.
func (p *aligner) code(until closer) bool {
	if until != atEnd && len(p.docs) > 0 {
		return false
	}
	return p.commands(until) && (until == atEnd || len(p.docs) == 0)
}

func (p *aligner) commands(until closer) bool {
	l := &list{until: until, command: true, open: true, last: '('}
	for !l.over {
		x, y, ok := p.gap(l.last != 0)
		if ok && x >= newline && !l.pattern {
			y, ok = p.lastItem(y)
		}
		if !ok {
			return false
		}
		c, d := p.at()
		if c == 0 {
			return l.ends(x, y, d, p)
		}
		if l.pattern && l.open && c == '(' && d != c {
			p.i = skipBlanks(p.a, p.i+1) // the printer leaves it out
			c, d = p.at()
		}
		if !alike(c, d) || !l.separated(x, y, c, p.isProcess()) || !p.token(l, c) {
			return false
		}
	}
	return true
}

// ends reports whether the list may end where the first text does.
func (l *list) ends(x, y separation, d byte, p *aligner) bool {
	if l.open && max(x, y) == semicolon {
		return false
	}
	if l.until == closeBackquote && d == ')' {
		p.j++
		return true
	}
	return l.until == atEnd && d == 0
}

// lastItem skips the ;; that the printer adds to the last item of a case, and
// returns what then stands in front of the next token of the second text, which was y.
func (p *aligner) lastItem(y separation) (separation, bool) {
	if !hasAt(p.b, p.j, ";;") || hasAt(p.b, p.j, ";;&") || !hasAt(p.a, p.i, "esac") || isName(peek(p.a, p.i+4)) {
		return y, true
	}
	p.j += 2
	_, z, ok := p.gap(true)
	return newline, ok && (z == blank || z == newline)
}

// separated reports whether x and y mean the same in front of a token that
// begins with c.
func (l *list) separated(x, y separation, c byte, process bool) bool {
	word := l.last == 0 && (!isMeta(c) || process)
	if word && min(x, y) == nothing || (l.open || l.brace) && max(x, y) == semicolon {
		return false
	}
	if max(x, y) < newline {
		return l.mayTouch(x, y, c)
	}
	l.command = !l.pattern && l.keyword == 0
	if min(x, y) >= newline {
		return true
	}
	return (l.open || !l.pattern && (c == ')' || c == ';')) && l.mayTouch(x, y, c)
}

// mayTouch reports whether there is something in front of c in both texts, or in
// none, or whether that means nothing.
func (l *list) mayTouch(x, y separation, c byte) bool {
	if (x == nothing) == (y == nothing) {
		return true
	}
	if l.last == 0 {
		switch c {
		case '<', '>':
			return !l.digits
		case '(':
			return strings.IndexByte("?*+@!=$", l.tail) < 0
		}
		return isMeta(c)
	}
	switch c {
	case '(':
		return strings.IndexByte("|&;", l.last) >= 0
	case ')':
		return true
	case '-', '#':
		return strings.IndexByte("<>&", l.last) < 0
	}
	return l.last == ')' || !isMeta(c)
}

// token skips an operator or a word.
func (p *aligner) token(l *list, c byte) bool {
	if isMeta(c) && !p.isProcess() {
		return p.operator(l, c)
	}
	start := p.i
	if c == '#' || !p.word(false) {
		return false
	}
	w := p.a[start:p.i]
	end := w[len(w)-1]
	command, pattern, keyword := l.command, l.pattern, l.keyword
	*l = list{until: l.until, pattern: pattern, tail: end, digits: end == '}' && w[0] == '{' || len(bytes.Trim(w, "0123456789")) == 0}
	switch {
	case pattern:
		l.pattern = string(w) != "esac"
	case keyword == 'c':
		l.keyword = 'i'
	case keyword == 'i':
		l.pattern, l.open = true, true
		return string(w) == "in"
	case keyword == 'f':
		l.command, l.open, l.named = true, true, true
	case command:
		return p.reserved(l, w)
	default:
		l.brace = string(w) == "{"
	}
	return true
}

// reserved looks at a word where a command may begin.
func (p *aligner) reserved(l *list, w []byte) bool {
	switch string(w) {
	case "if", "then", "elif", "else", "while", "until", "do", "{":
		l.command, l.open = true, true
	case "!":
		l.command = true
	case "time":
		l.command = !p.posix
	case "case":
		l.keyword = 'c'
	case "function":
		l.keyword = 'f'
		return !p.posix
	case "for":
		i, j := skipBlanks(p.a, p.i), skipBlanks(p.b, p.j)
		if hasAt(p.a, i, "((") && hasAt(p.b, j, "((") {
			p.i, p.j = i+2, j+2
			l.last = ')'
			return p.arithmetic(true)
		}
	case "[[":
		p.tests++
		ok := !p.posix && p.test()
		p.tests--
		return ok
	case "select", "coproc":
		return false // seldom met
	}
	return true
}

// operators are those of more than one byte, longer ones first.
const operators = "&>> <<- <<< ;;& && &> || |& ;; ;& << >> <& >& <> >|"

func (p *aligner) operator(l *list, c byte) bool {
	op := operatorAt(p.a, p.i)
	if op != operatorAt(p.b, p.j) {
		return false
	}
	if op == "(" {
		return p.parenthesis(l)
	}
	p.i, p.j = p.i+len(op), p.j+len(op)
	pattern := l.pattern
	*l = list{until: l.until, pattern: pattern, last: op[len(op)-1]}
	switch {
	case pattern:
		if c == ')' {
			l.pattern, l.command, l.open = false, true, true
		}
		return c == ')' || op == "|"
	case c == ')':
		l.over = true
		return l.until == closeParen
	case c == ';':
		l.pattern, l.open, l.last = true, true, ';'
		return op[0] == ';' && len(op) > 1
	case op == "<<" || op == "<<-":
		return p.document(l, op == "<<-")
	case op == "&" || op == "&&" || c == '|':
		l.command, l.open = true, true
	}
	return true
}

func operatorAt(text []byte, i int) string {
	if strings.IndexByte("&>|<;", peek(text, i+1)) < 0 || text[i] == '(' || text[i] == ')' {
		return string(text[i : i+1])
	}
	for op := range strings.SplitSeq(operators, " ") {
		if hasAt(text, i, op) {
			return op
		}
	}
	return string(text[i : i+1])
}

// parenthesis skips a subshell, an arithmetic command, the parentheses of a
// function or the one in front of a pattern.
func (p *aligner) parenthesis(l *list) bool {
	named := l.named || !l.command
	pattern := l.pattern
	*l = list{until: l.until, pattern: pattern, last: '('}
	switch {
	case pattern:
		return p.both("(")
	case named:
		p.both("(")
		p.i, p.j = skipBlanks(p.a, p.i), skipBlanks(p.b, p.j)
		l.command, l.open, l.last = true, true, ')'
		return p.both(")")
	case !p.posix && p.both("(("):
		l.last = ')'
		return p.arithmetic(false)
	case hasAt(p.a, p.i, "((") || hasAt(p.b, p.j, "(("):
		return false
	}
	l.last = ')'
	return p.both("(") && p.commands(closeParen)
}

// document skips the delimiter of a here-document.
func (p *aligner) document(l *list, dashed bool) bool {
	p.i, p.j = skipBlanks(p.a, p.i), skipBlanks(p.b, p.j)
	start := p.i
	if c, _ := p.at(); c == '-' || c == '#' || isMeta(c) || !p.word(false) {
		return false
	}
	w := string(p.a[start:p.i])
	if strings.ContainsAny(w, "$`(\n") {
		return false
	}
	delimiter := strings.NewReplacer(`"`, "", "'", "", `\`, "").Replace(w)
	p.docs = append(p.docs, document{delimiter, start, dashed, delimiter != w})
	l.last = 0
	return true
}

// condition is where between [[ and ]] the aligner is.
type condition struct {
	regexp bool // behind =~
	depth  int  // of parentheses
	last   byte // first byte of the last token
}

// test skips the rest of [[ a ]]. Blanks may be more or less; there must be
// some in both texts or in none.
func (p *aligner) test() bool {
	var t condition
	for p.testGap(&t) {
		c, start := peek(p.a, p.i), p.i
		t.last = c
		if isMeta(c) {
			switch {
			case c == ';', p.isProcess(), !p.verbatim(1):
				return false
			case c == '(':
				t.depth++
			case c == ')':
				t.depth--
			}
			continue
		}
		if !p.word(false) {
			return false
		}
		switch string(p.a[start:p.i]) {
		case "]]":
			return true
		case "=~":
			t.regexp = true
		}
	}
	return false
}

func (p *aligner) testGap(t *condition) bool {
	i, j := p.i, p.j
	x, y, ok := p.gap(false)
	c, d := p.at()
	switch {
	case !ok, !alike(c, d), max(x, y) == semicolon:
		return false
	case x == nothing && p.i > i, y == nothing && p.j > j: // a line goes on in a token
		return false
	case t.regexp:
		return x == y && (t.depth == 0 || x == nothing)
	}
	return x == y || max(x, y) == blank && (t.last == '(' || c == ')')
}
