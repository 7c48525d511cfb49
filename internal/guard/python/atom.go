package python

func (p *parser) atom() {
	switch p.k {
	case tName:
		p.token(nName, 0, p.mark())
		p.next()
	case kNone, kTrue, kFalse, tEllipsis:
		p.emit(nConst, uint8(p.k), 0, p.mark(), p.pos())
		p.next()
	case tNumber:
		p.number()
		p.next()
	case tString, tFStart:
		p.strings()
	case tLParen:
		p.group()
	case tLBracket:
		p.list()
	case tLBrace:
		p.braces()
	default:
		p.fail("an expression is missing")
	}
}

// group reads what stands in round brackets: a tuple, a generator, or an
// expression of which the brackets leave no trace.
func (p *parser) group() {
	mark, pos := p.mark(), p.pos()
	p.next()
	if p.accept(tRParen) {
		p.emit(nTuple, 0, 0, mark, pos)
		return
	}
	if p.k == kYield {
		p.yield()
		p.expect(tRParen)
		return
	}
	starred := p.k == tStar
	p.starNamedExpression()
	switch {
	case !starred && (p.k == kFor || p.k == kAsync):
		p.comprehension(nGenerator, mark, pos, 1)
	case p.k == tComma:
		n := p.moreElements(tRParen)
		p.emit(nTuple, 0, n, mark, pos)
	case starred:
		p.fail("a star that stands alone")
	}
	p.expect(tRParen)
}

// moreElements reads elements after a first one as far as the bracket, and
// returns the number of all.
func (p *parser) moreElements(end kind) int {
	n := 1
	for p.accept(tComma) && p.k != end {
		p.starNamedExpression()
		n++
	}
	return n
}

func (p *parser) list() {
	mark, pos := p.mark(), p.pos()
	p.next()
	if p.accept(tRBracket) {
		p.emit(nList, 0, 0, mark, pos)
		return
	}
	starred := p.k == tStar
	p.starNamedExpression()
	if !starred && (p.k == kFor || p.k == kAsync) {
		p.comprehension(nListComp, mark, pos, 1)
	} else {
		n := p.moreElements(tRBracket)
		p.emit(nList, 0, n, mark, pos)
	}
	p.expect(tRBracket)
}

// braces reads a dict, a set or a comprehension of either.
func (p *parser) braces() {
	mark, pos := p.mark(), p.pos()
	p.next()
	if p.accept(tRBrace) {
		p.emit(nDict, 0, 0, mark, pos)
		return
	}
	if p.k == tPower {
		p.dict(mark, pos)
		p.expect(tRBrace)
		return
	}
	starred := p.k == tStar
	named := p.k == tName && p.peek() == tWalrus
	p.starNamedExpression()
	switch {
	case p.k == tColon && !starred && !named:
		p.next()
		p.expression()
		if p.k == kFor || p.k == kAsync {
			p.comprehension(nDictComp, mark, pos, 2)
			break
		}
		p.emit(nPair, 0, 2, mark, pos)
		p.dict(mark, pos)
	case !starred && (p.k == kFor || p.k == kAsync):
		p.comprehension(nSetComp, mark, pos, 1)
	default:
		n := p.moreElements(tRBrace)
		p.emit(nSet, 0, n, mark, pos)
	}
	p.expect(tRBrace)
}

// dict reads a dict from its first item, or from the comma after that.
func (p *parser) dict(first int, start uint32) {
	n := 0
	if len(p.events) > first {
		if n = 1; !p.accept(tComma) {
			p.emit(nDict, 0, n, first, start)
			return
		}
	}
	for p.k != tRBrace && p.k != tEOF {
		mark, pos := p.mark(), p.pos()
		if p.accept(tPower) {
			p.binary(1)
			p.emit(nDoubleStar, 0, 1, mark, pos)
		} else {
			p.expression()
			p.expect(tColon)
			p.expression()
			p.emit(nPair, 0, 2, mark, pos)
		}
		n++
		if !p.accept(tComma) {
			break
		}
	}
	p.emit(nDict, 0, n, first, start)
}

// comprehension reads the clauses of a comprehension whose n elements have been
// read.
func (p *parser) comprehension(k node, first int, start uint32, n int) {
	for p.k == kFor || p.k == kAsync {
		mark, pos := p.mark(), p.pos()
		async := uint8(0)
		if p.accept(kAsync) {
			async = 1
		}
		p.expect(kFor)
		p.starTargets()
		p.expect(kIn)
		p.disjunction()
		parts := 2
		for ; p.accept(kIf); parts++ {
			p.disjunction()
		}
		p.emit(nFor, async, parts, mark, pos)
		n++
	}
	p.emit(k, 0, n, first, start)
}
