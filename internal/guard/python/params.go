package python

// Flags of a parameter.
const (
	hasAnnotation = 1 << iota
	hasDefault
)

// paramState is what the order of parameters depends on.
type paramState struct {
	n          int
	slash      bool
	star       bool // a star has come
	bare       bool // it stands alone, and no parameter has followed it yet
	defaults   bool // a parameter with a default has come
	doubleStar bool
}

// params reads parameters as far as the token that ends them, a colon for those
// of a lambda, and returns the number of their nodes.
func (p *parser) params(end kind) int {
	var s paramState
	for p.k != end && p.k != tEOF {
		if s.doubleStar {
			p.fail("a parameter after the last")
			break
		}
		switch p.k {
		case tSlash:
			p.slash(&s)
		case tStar:
			p.starParam(&s, end == tRParen)
		case tPower:
			s.doubleStar = true
			p.param(&s, nStarStarParam, end == tRParen)
		default:
			p.param(&s, nParam, end == tRParen)
		}
		s.n++
		if !p.accept(tComma) {
			break
		}
	}
	if s.bare {
		p.fail("no parameter after a star")
	}
	return s.n
}

func (p *parser) slash(s *paramState) {
	if s.slash || s.star || s.n == 0 {
		p.fail("a slash out of place")
		return
	}
	s.slash = true
	p.emit(nBareSlash, 0, 0, p.mark(), p.pos())
	p.next()
}

func (p *parser) starParam(s *paramState, annotations bool) {
	if s.star {
		p.fail("a second star")
		return
	}
	s.star = true
	if p.peek() == tComma {
		s.bare = true
		p.emit(nBareStar, 0, 0, p.mark(), p.pos())
		p.next()
		return
	}
	p.param(s, nStarParam, annotations)
}

func (p *parser) param(s *paramState, k node, annotations bool) {
	mark := p.mark()
	if k != nParam {
		if p.next(); k == nStarStarParam && s.bare {
			p.fail("no parameter after a star")
			return
		}
	}
	t := p.toks[p.i]
	p.expect(tName)
	s.bare = false
	op, n := uint8(0), 0
	if annotations && p.accept(tColon) {
		if k == nStarParam && p.k == tStar {
			p.needs = max(p.needs, 11)
			p.star()
		} else {
			p.expression()
		}
		op |= hasAnnotation
		n++
	}
	switch {
	case k != nParam:
	case p.accept(tAssign):
		p.expression()
		op |= hasDefault
		n++
		s.defaults = true
	case s.defaults && !s.star:
		p.fail("a parameter without a default after one with a default")
	}
	p.emit(k, op, n, mark, t.start)
	p.named(t)
}

// named gives the node emitted last the text of a token.
func (p *parser) named(t token) {
	if p.why == "" {
		e := p.last()
		e.lo, e.hi = t.start, t.end
	}
}

// typeParams reads type parameters, if there are any, and returns their number.
func (p *parser) typeParams() int {
	if !p.accept(tLBracket) {
		return 0
	}
	p.needs = max(p.needs, 12)
	n := 0
	for p.k != tRBracket && p.k != tEOF {
		p.typeParam()
		n++
		if !p.accept(tComma) {
			break
		}
	}
	if n == 0 {
		p.fail("no type parameter between brackets")
	}
	p.expect(tRBracket)
	return n
}

func (p *parser) typeParam() {
	mark, k := p.mark(), nTypeParam
	switch {
	case p.accept(tStar):
		k = nStarTypeParam
	case p.accept(tPower):
		k = nStarStarTypeParam
	}
	t := p.toks[p.i]
	p.expect(tName)
	op, n := uint8(0), 0
	if k == nTypeParam && p.accept(tColon) {
		p.expression()
		op |= hasAnnotation
		n++
	}
	if p.accept(tAssign) {
		p.needs = max(p.needs, 13)
		if k == nStarTypeParam {
			p.starExpression()
		} else {
			p.expression()
		}
		op |= hasDefault
		n++
	}
	p.emit(k, op, n, mark, t.start)
	p.named(t)
}
