package css

// blankCounts reports whether the white space between two tokens of a statement
// means something.
func (w *writer) blankCounts(i int, before, t token) bool {
	if i-1 == w.colon || i == w.colon || i-1 == w.from && before.kind == kindAt && w.mode != modeValue {
		return false
	}
	if before.kind == kindInterp || w.mode == modeAttribute {
		return false
	}
	if i < w.colon {
		return true
	}
	if before.kind == kindDelim && w.absorbs(before.op, true) || t.kind == kindDelim && w.absorbs(t.op, false) || i-1 == w.closed {
		return false
	}
	return w.parts(i, before, t)
}

// parts is blankCounts where no delimiter takes the blank away.
func (w *writer) parts(i int, before, t token) bool {
	if w.mode == modeSelector {
		return w.r.dialect != Less || !t.is('(') && !(before.is(')') && w.keyword(t))
	}
	if t.is('(') {
		return !w.headOfDefinition(i) && !w.keyword(before)
	}
	return !ends(before) || !starts(w.r, t)
}

// absorbs reports whether blanks beside the delimiter mean nothing: behind it,
// or before it.
func (w *writer) absorbs(op uint16, behind bool) bool {
	switch op {
	case ',', ';', '{', '}':
		return op != '}' || !behind
	case '(', '[':
		return behind
	case ')', ']':
		return !behind
	case '/':
		return true
	}
	if w.mode == modeSelector {
		return selects(op)
	}
	switch op {
	case '>', '<', '=', '>'<<8 | '=', '<'<<8 | '=', '='<<8 | '=', '!'<<8 | '=', '*', '!':
		return true
	case ':':
		return len(w.open) > 0 && (behind || w.open[len(w.open)-1].closing != '}')
	}
	return false
}

// selects reports whether the delimiter combines selectors.
func selects(op uint16) bool {
	switch op {
	case '>', '+', '~', '|'<<8 | '|', '!', '=', '<':
		return true
	}
	return false
}

// ends reports whether a token ends by itself, so that a blank behind it parts
// nothing.
func ends(t token) bool {
	return t.is(')') || t.is(']') || t.kind == kindString || t.kind == kindURL
}

// starts reports whether a token starts by itself.
func starts(r *reader, t token) bool {
	switch t.kind {
	case kindString, kindURL, kindHash:
		return true
	case kindIdent:
		return r.src[t.start] != '-'
	case kindNumber:
		return r.src[t.start] != '-' && r.src[t.start] != '+'
	}
	return t.is('[')
}

// headOfDefinition reports whether the parenthesis at i belongs to the name
// behind @include, @mixin or @function, with a blank or without.
func (w *writer) headOfDefinition(i int) bool {
	if w.mode != modeRule || w.r.dialect != SCSS || len(w.open) > 0 {
		return false
	}
	switch string(w.r.text(w.r.tokens[w.from])) {
	case "@include", "@mixin", "@function":
		return true
	case "@else":
		return i == w.from+2
	}
	return false
}

// keyword reports whether a word of Less and SCSS needs no blanks between it
// and parentheses.
func (w *writer) keyword(t token) bool {
	if w.r.dialect == CSS || t.kind != kindIdent || w.media {
		return false
	}
	switch string(w.r.text(t)) {
	case "and", "or", "not", "when", "if", "in", "with":
		return true
	}
	return false
}
