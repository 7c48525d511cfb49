package css

import (
	"bytes"
)

// maxDepth is how deep blocks may nest before a text is not judged.
const maxDepth = 500

// reader reads statements and writes them as digests.
type reader struct {
	lexer
	next     int // the token to read
	depth    int
	hashes   []uint64
	at       []int32
	leaves   int
	comments []comment
	fences   int // braces of blocks
	noted    int // comments whose place is known
	nested   int // how many strings stand around the text
}

func read(src []byte, d Dialect) *reader {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	r := &reader{lexer: lexer{src: src, dialect: d, tokens: make([]token, 0, len(src)/3+16)}}
	r.run()
	r.comments = r.lexer.comments
	if r.bad != "" {
		return r
	}
	r.hashes = make([]uint64, 0, len(r.tokens)+16)
	r.at = make([]int32, 0, len(r.tokens)+16)
	r.statements()
	if r.bad == "" && r.tokens[r.next].kind != kindEOF {
		r.fail("a brace too many", int(r.tokens[r.next].start))
	}
	r.noteComments(len(r.tokens))
	return r
}

// noteComments gives the comments before the token their place.
func (r *reader) noteComments(token int) {
	for r.noted < len(r.comments) && r.comments[r.noted].token <= token {
		r.comments[r.noted].leaf, r.comments[r.noted].fence = r.leaves, r.fences
		r.noted++
	}
}

func (r *reader) push(h uint64, at int32) {
	r.hashes = append(r.hashes, h)
	r.at = append(r.at, at)
}

// is reports whether the token is the delimiter.
func (t token) is(op uint16) bool { return t.kind == kindDelim && t.op == op }

func (r *reader) text(t token) []byte { return r.src[t.start:t.end] }

// statements reads up to the end of a block or of the text.
func (r *reader) statements() {
	for r.bad == "" {
		t := r.tokens[r.next]
		switch {
		case t.kind == kindEOF || t.is('}'):
			return
		case t.is(';'):
			if r.depth == 0 && r.dialect == CSS {
				r.push(uint64(';'), t.start) // it takes the rule after it away
			}
			r.next++
		case r.htmlComment():
		default:
			r.statement()
		}
	}
}

// htmlComment skips <!-- and -->, which mean nothing at the top.
func (r *reader) htmlComment() bool {
	t := r.tokens[r.next]
	if r.depth > 0 || r.dialect != CSS || !t.is('<') && !t.is('-') && t.kind != kindIdent {
		return false
	}
	rest := r.src[t.start:]
	n := 0
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		n = 4
	case bytes.HasPrefix(rest, []byte("-->")):
		n = 3
	default:
		return false
	}
	i, end := r.next, t.start+int32(n)
	for r.tokens[i].kind != kindEOF && r.tokens[i].end <= end {
		i++
	}
	if r.tokens[i-1].end != end {
		return false // the dashes belong to a longer name
	}
	r.next = i
	return true
}

// statement reads one statement: up to a semicolon, with a block, or up to the
// end of the block around it.
func (r *reader) statement() {
	from := r.next
	to := r.preludeEnd(from)
	if r.bad != "" {
		return
	}
	end := r.tokens[to]
	if to > from {
		newWriter(r, from, to, end.is('{')).run()
	}
	r.next = to
	switch {
	case end.is('{'):
		r.block()
	case end.is(';'):
		r.push(uint64(';'), end.start)
		r.next++
	default:
		r.push(uint64(';'), end.start)
	}
}

// block reads what stands in braces.
func (r *reader) block() {
	if r.depth++; r.depth > maxDepth {
		r.fail("blocks nest too deeply", int(r.tokens[r.next].start))
		return
	}
	open := r.tokens[r.next]
	r.noteComments(r.next)
	r.push(uint64('{'), open.start)
	r.fences++
	r.next++
	r.statements()
	if r.bad != "" {
		return
	}
	t := r.tokens[r.next]
	if !t.is('}') {
		r.fail("a block has no end", int(open.start))
		return
	}
	r.noteComments(r.next)
	r.push(uint64('}'), t.start)
	r.fences++
	r.next++
	r.depth--
}

// preludeEnd returns the token that ends what starts at from: a brace, a
// semicolon or the end.
func (r *reader) preludeEnd(from int) int {
	var open []uint16 // the closing brackets that are awaited
	for i := from; ; i++ {
		t := r.tokens[i]
		switch {
		case t.kind == kindEOF && len(open) > 0:
			r.fail("a bracket is not closed", int(r.tokens[from].start))
			return i
		case t.kind == kindEOF, len(open) == 0 && (t.is('{') || t.is('}') || t.is(';')):
			return i
		case len(open) > maxDepth:
			r.fail("brackets nest too deeply", int(t.start))
			return i
		}
		if closing := t.closing(); closing != 0 {
			open = append(open, closing)
		} else if t.is(')') || t.is(']') || t.is('}') {
			if len(open) == 0 || open[len(open)-1] != t.op {
				r.fail("brackets do not match", int(t.start))
				return i
			}
			open = open[:len(open)-1]
		}
	}
}

// closing is the bracket that closes the one that t opens, or 0.
func (t token) closing() uint16 {
	if t.kind == kindInterp {
		return '}'
	}
	if t.kind != kindDelim {
		return 0
	}
	switch t.op {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	}
	return 0
}
