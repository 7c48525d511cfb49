package esbuild

import "bytes"

// maxDepth bounds what esbuild's parser, which goes down once for each level,
// is given: ten times as much ends the process, and nothing can catch that.
const maxDepth = 4000

// free is a size at which no text can be nested too deeply.
const free = maxDepth

// tooDeep reports whether a text may nest deeper than maxDepth. It estimates
// from above, knows strings, comments and templates, and takes no notice of
// what else the text means.
func tooDeep(text []byte, css bool) bool {
	if len(text) <= free {
		return false
	}
	d := depther{text: text, css: css, levels: make([]level, 1, 64)}
	return d.run()
}

// level is an open bracket and the chain of operators in it.
type level struct {
	chain    int  // operators since the last separator
	template bool // a substitution of a template
}

type depther struct {
	text   []byte
	css    bool // only brackets nest
	at     int
	levels []level
	chains int  // sum of all chains
	tags   int  // open JSX elements
	last   byte // last character that counts
	word   bool // it ended a keyword: an operand follows
}

func (d *depther) run() bool {
	for d.at < len(d.text) {
		c := d.text[d.at]
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			d.at++
		case c == '\n':
			d.newline()
		case isWord(c):
			d.name()
		default:
			d.symbol(c)
		}
		if len(d.levels)+d.chains+d.tags > maxDepth {
			return true
		}
	}
	return false
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

func (d *depther) grow() {
	if d.css {
		return
	}
	d.levels[len(d.levels)-1].chain++
	d.chains++
}

// reset forgets the chain of this level: a separator ended it.
func (d *depther) reset() {
	l := &d.levels[len(d.levels)-1]
	d.chains -= l.chain
	l.chain = 0
}

func (d *depther) name() {
	start := d.at
	for d.at < len(d.text) && isWord(d.text[d.at]) {
		d.at++
	}
	d.last, d.word = 'a', false
	switch string(d.text[start:d.at]) {
	case "if", "for", "while", "with", "try", "function", "class":
		d.grow()
	case "else", "do", "new", "typeof", "void", "delete", "await", "yield", "return", "in", "of", "case", "throw", "instanceof", "extends":
		d.grow()
		d.word = true
	}
}

// newline ends a statement where a semicolon may be left out.
func (d *depther) newline() {
	last := d.last
	for d.at < len(d.text) && bytes.IndexByte([]byte(" \t\r\n"), d.text[d.at]) >= 0 {
		d.at++
	}
	if d.at == len(d.text) || !isWord(d.text[d.at]) || d.word {
		return
	}
	end := d.at
	for end < len(d.text) && isWord(d.text[end]) {
		end++
	}
	switch string(d.text[d.at:end]) {
	case "else":
		return
	case "if", "for", "while", "do", "with":
		if last == ')' {
			return // if (a) NEWLINE if (b)
		}
	}
	switch last {
	case 'a', ')', ']', '}', '"':
		d.reset()
	}
}

func (d *depther) symbol(c byte) {
	operand := d.operand()
	d.at++
	d.word = false
	if d.comparison(c) {
		d.last = '<'
		return
	}
	switch c {
	case '"', '\'':
		d.quoted(c)
		c = '"'
	case '`':
		d.template()
		c = '"'
	case '(', '[', '{':
		d.levels = append(d.levels, level{})
	case ')', ']', '}':
		d.close(c)
	case ';', ',':
		d.reset()
	case '/':
		if c = d.slash(operand); c == 0 {
			return // a comment
		}
	default:
		d.operator(c, operand)
	}
	d.last = c
}

// operator counts an operator, unless it is one whose right side does not nest.
func (d *depther) operator(c byte, operand bool) {
	next := d.peek()
	switch c {
	case '<':
		d.tag(operand)
	case '>':
		switch d.last {
		case '/':
			d.tags = max(d.tags-1, 0)
		case '=':
			d.grow() // an arrow
		}
	case '+', '-', '%', '&', '|', '^':
		if next == c {
			d.at++
		}
		if !operand {
			d.grow()
		}
	case '*':
		if !operand || next == '*' {
			d.grow()
		}
	case '=':
		if d.tags == 0 || bytes.IndexByte([]byte("\"'{"), next) < 0 { // no attribute
			d.grow()
		}
	default: // ? : ! ~ . @ and the like
		d.grow()
	}
}

// comparison reads the rest of ==, !==, <=, ??, && and the like: none of them
// nests to the right.
func (d *depther) comparison(c byte) bool {
	switch {
	case (c == '=' || c == '!' || c == '<' || c == '>') && d.peek() == '=':
		for d.peek() == '=' {
			d.at++
		}
		return true
	case c == '?' && d.peek() == '?':
		d.at++
		return true
	}
	return false
}

// operand reports whether what came last ended an operand.
func (d *depther) operand() bool {
	switch d.last {
	case 'a', ')', ']', '}', '"':
		return !d.word
	}
	return false
}

func (d *depther) peek() byte {
	if d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

func (d *depther) close(bracket byte) {
	if len(d.levels) == 1 {
		return
	}
	d.reset()
	inner := d.levels[len(d.levels)-1]
	d.levels = d.levels[:len(d.levels)-1]
	if inner.template {
		d.template()
		return
	}
	if bracket != '}' {
		d.grow() // calls and indices make chains too
	}
}

func (d *depther) quoted(closing byte) {
	for d.at < len(d.text) {
		c := d.text[d.at]
		if c == '\n' {
			return
		}
		d.at++
		if c == closing {
			return
		}
		if c == '\\' {
			d.at++
		}
	}
}

// template reads the text of a template up to its end or a substitution.
func (d *depther) template() {
	for d.at < len(d.text) {
		c := d.text[d.at]
		d.at++
		switch {
		case c == '\\':
			d.at++
		case c == '`':
			d.last = '"'
			return
		case c == '$' && d.peek() == '{':
			d.at++
			d.levels = append(d.levels, level{template: true})
			return
		}
	}
}

// slash reads a comment, for which it returns 0, or a regular expression.
func (d *depther) slash(operand bool) byte {
	switch {
	case d.peek() == '/' && !d.css:
		for d.at < len(d.text) && d.text[d.at] != '\n' {
			d.at++
		}
		return 0
	case d.peek() == '*':
		end := bytes.Index(d.text[d.at:], []byte("*/"))
		if end < 0 {
			end = len(d.text) - d.at
		}
		d.at = min(d.at+end+2, len(d.text))
		return 0
	case operand, d.css:
		return '/'
	}
	class := false
	for i := d.at; i < len(d.text) && d.text[i] != '\n'; i++ {
		switch d.text[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				d.at = i + 1
				return '"'
			}
		}
	}
	return '/'
}

// tag counts the elements of JSX that are open.
func (d *depther) tag(operand bool) {
	switch next := d.peek(); {
	case d.css:
	case next == '/':
		d.tags = max(d.tags-1, 0)
		d.at++
	case !operand && (isWord(next) || next == '>'):
		d.tags++
	}
}
