package css

import (
	"bytes"

	"poly/internal/guard"
)

// mode is how a part of a statement is read.
type mode uint8

const (
	modeSelector  mode = iota
	modeAttribute      // in the brackets of a selector
	modeValue          // of a declaration
	modeRule           // after the name of an at-rule
)

// bracket is an open bracket of a statement.
type bracket struct {
	closing uint16
	outer   mode
	list    bool // a comma before the end means nothing
	parted  bool // semicolons stand in it
	group   bool // it opens no arguments
	block   bool // it opens a block that is an argument
}

// writer writes the tokens of one statement, without its block.
type writer struct {
	r        *reader
	from, to int
	block    bool
	mode     mode
	colon    int  // the token that parts a property from its value, or -1
	media    bool // names of an at-rule do not tell upper from lower case
	open     []bracket
	nth      int              // tokens before it are written already
	void     map[int]struct{} // parentheses that mean nothing
	closed   int              // the brace that closed a block last
}

func newWriter(r *reader, from, to int, block bool) *writer {
	w := &writer{r: r, from: from, to: to, block: block, colon: -1, nth: from, closed: -1}
	first := r.tokens[from]
	switch {
	case first.kind == kindAt && !w.isLessVariable():
		w.mode = modeRule
		switch string(bytes.ToLower(r.text(first))) {
		case "@media":
			w.media = true
		case "@scope", "@extend", "@at-root", "@nest", "@custom-selector", "@page":
			w.mode = modeSelector
		}
	case block && !w.isNested():
	case r.dialect == Less && (first.is('.') || first.kind == kindHash || first.is('&')):
	default:
		w.colon = w.findColon()
		w.mode = modeValue
	}
	return w
}

// isLessVariable reports whether "@name:" or a call of one starts here.
func (w *writer) isLessVariable() bool {
	if w.r.dialect != Less || w.from+1 >= w.to {
		return false
	}
	next := w.r.tokens[w.from+1]
	return next.is(':') || next.is('(') && !next.blank && w.from+3 == w.to
}

// isNested reports whether a block holds declarations whose names start with
// the one before it, or a value of Less or of a custom property.
func (w *writer) isNested() bool {
	last := w.r.tokens[w.to-1]
	if last.is(':') {
		return true
	}
	if w.r.dialect != SCSS || w.from+2 >= w.to {
		return false
	}
	second := w.r.tokens[w.from+1]
	return w.r.tokens[w.from].kind == kindIdent && second.is(':') && w.r.tokens[w.from+2].blank
}

// findColon returns the first colon outside brackets, or -1.
func (w *writer) findColon() int {
	depth := 0
	for i := w.from; i < w.to; i++ {
		t := w.r.tokens[i]
		switch {
		case t.closing() != 0:
			depth++
		case t.is(')') || t.is(']') || t.is('}'):
			depth--
		case depth == 0 && t.is(':'):
			return i
		}
	}
	return -1
}

func (w *writer) run() {
	for i := w.from; i < w.to; i++ {
		w.r.noteComments(i)
		if i < w.nth {
			continue
		}
		t := w.r.tokens[i]
		if w.dropped(i, t) {
			continue
		}
		if i > w.from && t.blank && w.blankCounts(i, w.r.tokens[i-1], t) {
			w.r.push(uint64(' '), t.start)
		}
		w.r.push(w.digest(i, t), t.start)
		if t.kind != kindDelim && t.kind != kindInterp {
			w.r.leaves++
		}
		w.brackets(i, t)
	}
}

// dropped reports whether a token means nothing: a comma or a semicolon at the
// end of a list that is one without it, or parentheses around all of an argument.
func (w *writer) dropped(i int, t token) bool {
	if t.kind != kindDelim || len(w.open) == 0 {
		return false
	}
	last, next := w.open[len(w.open)-1], w.r.tokens[i+1]
	switch t.op {
	case ',':
		return w.r.dialect == SCSS && last.list && next.is(')')
	case ';':
		return last.closing == '}' && next.is('}') || w.r.dialect == Less && last.parted && next.is(')')
	case '(':
		return w.mode != modeSelector && w.isWholeArgument(i)
	case ')':
		_, void := w.void[i]
		return void
	}
	return false
}

// isWholeArgument reports whether the parenthesis at i opens a group that is
// all of an argument, and so a group in any case, and notes where it ends. Less
// divides in groups only, and parentheses with commas or colons in them are
// lists.
func (w *writer) isWholeArgument(i int) bool {
	if before := w.r.tokens[i-1]; !before.is('(') && !before.is(',') {
		return false
	}
	end := w.closing(i)
	if after := w.r.tokens[end+1]; end == i+1 || !after.is(')') && !after.is(',') {
		return false
	}
	list, divides := w.holds(i+1, end)
	if list || w.r.dialect == Less && divides && !w.inGroup() {
		return false
	}
	if w.void == nil {
		w.void = map[int]struct{}{}
	}
	w.void[end] = struct{}{}
	return true
}

// holds reports whether the tokens are a list, and whether something is
// divided in them.
func (w *writer) holds(from, to int) (list, divides bool) {
	depth := 0
	for _, t := range w.r.tokens[from:to] {
		switch {
		case t.closing() != 0:
			depth++
		case t.is(')') || t.is(']') || t.is('}'):
			depth--
		case t.is('/'):
			divides = true
		case t.is(',') || t.is(':') || t.is(';'):
			list = list || depth == 0
		}
	}
	return list, divides
}

// inGroup reports whether a bracket is open that opens no arguments.
func (w *writer) inGroup() bool {
	for _, b := range w.open {
		if b.group {
			return true
		}
	}
	return false
}

// closing returns the token that closes the bracket at i.
func (w *writer) closing(i int) int {
	depth := 0
	for ; i < w.to; i++ {
		t := w.r.tokens[i]
		if t.closing() != 0 {
			depth++
		} else if t.is(')') || t.is(']') || t.is('}') {
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return w.to - 1
}

// brackets keeps the mode up to date behind a token.
func (w *writer) brackets(i int, t token) {
	if t.kind == kindInterp {
		w.open = append(w.open, bracket{closing: '}', outer: w.mode})
		w.mode = modeValue
		return
	}
	if t.kind != kindDelim {
		return
	}
	switch t.op {
	case '(':
		call := w.isCall(i)
		w.open = append(w.open, bracket{closing: ')', outer: w.mode, list: call, group: !call})
		w.mode = w.inParens(i)
		if w.mode == modeSelector {
			w.tryNth(i)
		}
	case '[':
		w.open = append(w.open, bracket{closing: ']', outer: w.mode})
		if w.mode == modeSelector {
			w.mode = modeAttribute
		}
	case '{':
		w.open = append(w.open, bracket{closing: '}', outer: w.mode, block: true})
	case ')', ']', '}':
		last := len(w.open) - 1
		if w.open[last].block {
			w.closed = i
		}
		w.mode = w.open[last].outer
		w.open = w.open[:last]
	case ',', ':', ';':
		if len(w.open) > 0 && w.mode != modeSelector {
			w.open[len(w.open)-1].list = true
			w.open[len(w.open)-1].parted = w.open[len(w.open)-1].parted || t.op == ';'
		}
	}
}

// isCall reports whether the parenthesis at i opens arguments.
func (w *writer) isCall(i int) bool {
	if i == w.from {
		return false
	}
	before := w.r.tokens[i-1]
	return before.kind == kindIdent && (!w.r.tokens[i].blank || w.mode == modeRule)
}

// inParens is the mode behind the parenthesis at i.
func (w *writer) inParens(i int) mode {
	if w.mode == modeSelector {
		if w.r.dialect == Less && !w.isPseudo(i) {
			return modeValue // arguments or a guard of a mixin
		}
		return modeSelector
	}
	if i > w.from && bytes.EqualFold(w.r.text(w.r.tokens[i-1]), []byte("selector")) {
		return modeSelector
	}
	return w.mode
}

// isPseudo reports whether the name before the parenthesis at i follows a colon.
func (w *writer) isPseudo(i int) bool {
	return i-2 >= w.from && w.r.tokens[i-1].kind == kindIdent && (w.r.tokens[i-2].is(':') || w.r.tokens[i-2].is(':'<<8|':'))
}

// tryNth writes the inside of :nth-child() and its like without blanks.
func (w *writer) tryNth(i int) {
	if i == w.from || w.r.tokens[i-1].kind != kindIdent {
		return
	}
	if name := bytes.ToLower(w.r.text(w.r.tokens[i-1])); !bytes.HasPrefix(name, []byte("nth-")) {
		return
	}
	var text []byte
	j := i + 1
	for ; j < w.to && !w.r.tokens[j].is(')'); j++ {
		t := w.r.tokens[j]
		if t.kind != kindIdent && t.kind != kindNumber && !t.is('+') && !t.is('-') || bytes.EqualFold(w.r.text(t), []byte("of")) {
			return
		}
		text = append(text, bytes.TrimPrefix(bytes.ToLower(w.r.text(t)), []byte("1n"))...)
		if len(w.r.text(t)) > 1 && w.r.text(t)[0] == '1' && w.r.text(t)[1]|0x20 == 'n' {
			text = append(text, 'n') // 1n is n
		}
	}
	w.r.push(guard.Mix('n', text), w.r.tokens[i].start)
	w.r.leaves++
	w.nth = j
}
