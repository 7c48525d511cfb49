package python

// starExpressions reads expressions and starred ones, a tuple if there is a comma.
func (p *parser) starExpressions() {
	mark, pos := p.mark(), p.pos()
	p.starExpression()
	if p.k != tComma {
		return
	}
	n := 1
	for p.accept(tComma) && p.startsExpression() {
		p.starExpression()
		n++
	}
	p.emit(nTuple, 0, n, mark, pos)
}

// startsExpression reports whether an expression may follow a comma here; if
// not, the comma was the last.
func (p *parser) startsExpression() bool {
	switch p.k {
	case tName, tNumber, tString, tFStart, tLParen, tLBracket, tLBrace, tEllipsis, tPlus, tMinus, tTilde, tStar,
		kNot, kLambda, kAwait, kNone, kTrue, kFalse:
		return true
	}
	return false
}

func (p *parser) starExpression() {
	if p.k == tStar {
		p.star()
		return
	}
	p.expression()
}

// star reads a starred operand.
func (p *parser) star() {
	mark, pos := p.mark(), p.pos()
	p.next()
	p.binary(1)
	p.emit(nStar, 0, 1, mark, pos)
}

func (p *parser) starNamedExpression() {
	if p.k == tStar {
		p.star()
		return
	}
	p.namedExpression()
}

func (p *parser) namedExpression() {
	if p.k == tName && p.peek() == tWalrus {
		mark, pos := p.mark(), p.pos()
		p.name(nName)
		p.next()
		p.expression()
		p.emit(nNamed, 0, 2, mark, pos)
		return
	}
	p.expression()
}

func (p *parser) yield() {
	mark, pos := p.mark(), p.pos()
	p.next()
	if p.accept(kFrom) {
		p.expression()
		p.emit(nYieldFrom, 0, 1, mark, pos)
		return
	}
	n := 0
	if p.startsExpression() {
		p.starExpressions()
		n = 1
	}
	p.emit(nYield, 0, n, mark, pos)
}

func (p *parser) expression() {
	p.enter()
	defer p.leave()
	if p.k == kLambda {
		p.lambda()
		return
	}
	mark, pos := p.mark(), p.pos()
	p.disjunction()
	if p.accept(kIf) {
		p.disjunction()
		p.expect(kElse)
		p.expression()
		p.emit(nIfElse, 0, 3, mark, pos)
	}
}

func (p *parser) lambda() {
	mark, pos := p.mark(), p.pos()
	p.next()
	n := p.params(tColon)
	p.expect(tColon)
	p.expression()
	p.emit(nLambda, 0, n+1, mark, pos)
}

func (p *parser) disjunction() {
	mark, pos, n := p.mark(), p.pos(), 1
	p.conjunction()
	for ; p.accept(kOr); n++ {
		p.conjunction()
	}
	if n > 1 {
		p.emit(nBool, uint8(kOr), n, mark, pos)
	}
}

func (p *parser) conjunction() {
	mark, pos, n := p.mark(), p.pos(), 1
	p.inversion()
	for ; p.accept(kAnd); n++ {
		p.inversion()
	}
	if n > 1 {
		p.emit(nBool, uint8(kAnd), n, mark, pos)
	}
}

func (p *parser) inversion() {
	if p.k != kNot {
		p.comparison()
		return
	}
	p.enter()
	mark, pos := p.mark(), p.pos()
	p.next()
	p.inversion()
	p.emit(nUnary, uint8(kNot), 1, mark, pos)
	p.leave()
}

func (p *parser) comparison() {
	mark, pos, n := p.mark(), p.pos(), 1
	p.binary(1)
	for ; ; n++ {
		part, at := p.mark(), p.pos()
		op, not := p.compareOperator()
		if op == tEOF {
			break
		}
		p.binary(1)
		k := nCompared
		if not {
			k = nNot
		}
		p.emit(k, uint8(op), 1, part, at)
	}
	if n > 1 {
		p.emit(nCompare, 0, n, mark, pos)
	}
}

// compareOperator reads an operator of a comparison; tEOF if there is none. The
// word "not" before or after it is told apart.
func (p *parser) compareOperator() (op kind, not bool) {
	switch p.k {
	case tLess, tGreater, tLessEq, tGreaterEq, tEqual, tNotEqual, kIn:
		op = p.k
		p.next()
	case kIs:
		op = p.k
		p.next()
		not = p.accept(kNot)
	case kNot:
		if p.peek() == kIn {
			op, not = kIn, true
			p.next()
			p.next()
		}
	}
	return op, not
}

// binary reads operands joined by operators that bind at least that tightly.
func (p *parser) binary(least uint8) {
	mark, pos := p.mark(), p.pos()
	p.factor()
	for {
		op := p.k
		prec := precedence[op]
		if prec < least || prec == 0 {
			return
		}
		p.next()
		p.binary(prec + 1)
		p.emit(nBin, uint8(op), 2, mark, pos)
	}
}

func (p *parser) factor() {
	mark, pos, op := p.mark(), p.pos(), p.k
	switch op {
	case tPlus, tMinus, tTilde:
		p.enter()
		p.next()
		p.factor()
		p.emit(nUnary, uint8(op), 1, mark, pos)
		p.leave()
		return
	case kAwait:
		p.next()
		p.primary()
		p.emit(nAwait, 0, 1, mark, pos)
	default:
		p.primary()
	}
	if p.accept(tPower) {
		p.enter()
		p.factor()
		p.emit(nBin, uint8(tPower), 2, mark, pos)
		p.leave()
	}
}

func (p *parser) primary() {
	mark, pos := p.mark(), p.pos()
	p.atom()
	for {
		switch p.k {
		case tDot:
			p.next()
			if p.k != tName {
				p.fail("a name is missing")
				return
			}
			p.token(nAttribute, 1, mark)
			p.next()
		case tLParen:
			p.next()
			n := p.arguments(true)
			p.expect(tRParen)
			p.emit(nCall, 0, n+1, mark, pos)
		case tLBracket:
			p.next()
			p.slices()
			p.expect(tRBracket)
			p.emit(nSubscript, 0, 2, mark, pos)
		default:
			return
		}
	}
}

// arguments reads what stands between the brackets of a call or a class, where
// call says that a generator may stand alone, and returns its number.
func (p *parser) arguments(call bool) int {
	n := 0
	keyword, unpacked := false, false
	for p.k != tRParen && p.k != tEOF {
		mark, pos := p.mark(), p.pos()
		switch {
		case p.k == tPower:
			p.next()
			p.expression()
			p.emit(nDoubleStar, 0, 1, mark, pos)
			keyword, unpacked = true, true
		case p.k == tStar && !unpacked:
			p.next()
			p.expression()
			p.emit(nStar, 0, 1, mark, pos)
		case p.k == tName && p.peek() == tAssign:
			p.keywordArgument()
			keyword = true
		case keyword:
			p.fail("an argument without a name after one with a name")
		default:
			p.namedExpression()
			if n == 0 && call && (p.k == kFor || p.k == kAsync) {
				p.comprehension(nGenerator, mark, pos, 1)
				return 1
			}
		}
		n++
		if !p.accept(tComma) {
			break
		}
	}
	return n
}

func (p *parser) keywordArgument() {
	mark, t := p.mark(), p.toks[p.i]
	p.next()
	p.next()
	p.expression()
	p.emit(nKeyword, 0, 1, mark, t.start)
	e := p.last()
	e.lo, e.hi = t.start, t.end
}

// slices reads what stands between the brackets of a subscript.
func (p *parser) slices() {
	mark, pos := p.mark(), p.pos()
	alone := p.k != tStar
	p.slice()
	if p.k != tComma && alone {
		return
	}
	n := 1
	for p.accept(tComma) && p.k != tRBracket {
		p.slice()
		n++
	}
	p.emit(nTuple, 0, n, mark, pos)
}

func (p *parser) slice() {
	mark, pos := p.mark(), p.pos()
	if p.accept(tStar) {
		p.needs = max(p.needs, 11)
		p.expression()
		p.emit(nStar, 0, 1, mark, pos)
		return
	}
	op, n := uint8(0), 0
	if p.k != tColon {
		if p.k == tName && p.peek() == tWalrus {
			p.namedExpression()
			return
		}
		p.expression()
		if p.k != tColon {
			return
		}
		op, n = 1, 1
	}
	for bit := uint8(2); bit <= 4 && p.accept(tColon); bit *= 2 {
		if p.k != tColon && p.k != tComma && p.k != tRBracket {
			p.expression()
			op |= bit
			n++
		}
	}
	p.emit(nSlice, op, n, mark, pos)
}
