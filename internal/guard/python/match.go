package python

// isMatch reports whether the line that starts with the word match is the head
// of a match statement: only such a head ends in a colon and has a block of
// cases below it.
func (p *parser) isMatch() bool {
	i := p.i
	for p.toks[i].kind != tNewline && p.toks[i].kind != tEOF {
		i++
	}
	if i-p.i < 3 || p.toks[i-1].kind != tColon || i+2 >= len(p.toks) || p.toks[i+1].kind != tIndent {
		return false
	}
	t := p.toks[i+2]
	return t.kind == tName && string(p.src[t.start:t.end]) == "case"
}

func (p *parser) match() {
	mark, pos := p.mark(), p.pos()
	p.start()
	p.next()
	subject, at := p.mark(), p.pos()
	starred := p.k == tStar
	p.starNamedExpression()
	if p.k == tComma {
		n := p.moreElements(tColon)
		p.emit(nTuple, 0, n, subject, at)
	} else if starred {
		p.fail("a star that stands alone")
	}
	p.expect(tColon)
	p.expect(tNewline)
	p.expect(tIndent)
	n := 1
	for ; p.isWord("case"); n++ {
		p.caseBlock()
	}
	p.expect(tDedent)
	p.emit(nMatch, 0, n, mark, pos)
}

func (p *parser) caseBlock() {
	mark, pos := p.mark(), p.pos()
	p.start()
	p.next()
	n := 2
	first, at := p.mark(), p.pos()
	starred := p.k == tStar
	p.starPattern()
	if p.k == tComma {
		n := p.morePatterns(tColon)
		p.emit(nPatSequence, 0, n, first, at)
	} else if starred {
		p.fail("a star that stands alone")
	}
	if p.k == kIf {
		mark, pos := p.mark(), p.pos()
		p.next()
		p.namedExpression()
		p.emit(nGuard, 0, 1, mark, pos)
		n++
	}
	p.body(false)
	p.emit(nCase, 0, n, mark, pos)
}

// morePatterns reads patterns after a first one, and returns the number of all.
func (p *parser) morePatterns(end kind) int {
	n := 1
	for p.accept(tComma) && p.k != end && p.k != kIf {
		p.starPattern()
		n++
	}
	return n
}

func (p *parser) starPattern() {
	if p.k != tStar {
		p.pattern()
		return
	}
	mark, pos := p.mark(), p.pos()
	p.next()
	p.capture()
	p.emit(nPatStar, 0, 1, mark, pos)
}

// capture reads a name that takes a value, or the underscore that takes none.
func (p *parser) capture() {
	if p.isWord("_") {
		p.emit(nPatCapture, 0, 0, p.mark(), p.pos())
		p.next()
		return
	}
	p.name(nPatCapture)
}

func (p *parser) pattern() {
	p.enter()
	defer p.leave()
	mark, pos, n := p.mark(), p.pos(), 1
	p.closedPattern()
	for ; p.accept(tPipe); n++ {
		p.closedPattern()
	}
	if n > 1 {
		p.emit(nPatOr, 0, n, mark, pos)
	}
	if p.accept(kAs) {
		if p.isWord("_") {
			p.fail("an underscore is no name here")
		}
		p.name(nName)
		p.emit(nPatAs, 0, 2, mark, pos)
	}
}

func (p *parser) closedPattern() {
	mark, pos := p.mark(), p.pos()
	switch p.k {
	case tMinus, tNumber, tString, tFStart, kNone, kTrue, kFalse:
		p.literalPattern()
	case tName:
		if next := p.peek(); p.isWord("_") || next != tDot && next != tLParen {
			p.capture()
			return
		}
		p.dottedValue()
		if p.k == tLParen {
			p.classPattern(mark, pos)
			return
		}
		p.emit(nPatValue, 0, 1, mark, pos)
	case tLParen:
		p.groupPattern()
	case tLBracket:
		p.next()
		n := 0
		if p.k != tRBracket {
			p.starPattern()
			n = p.morePatterns(tRBracket)
		}
		p.expect(tRBracket)
		p.emit(nPatSequence, 0, n, mark, pos)
	case tLBrace:
		p.mappingPattern()
	default:
		p.fail("a pattern is missing")
	}
}

func (p *parser) dottedValue() {
	mark := p.mark()
	p.name(nName)
	for p.accept(tDot) {
		if p.k != tName {
			p.fail("a name is missing")
			return
		}
		p.token(nAttribute, 1, mark)
		p.next()
	}
}

func (p *parser) literalPattern() {
	mark, pos := p.mark(), p.pos()
	switch p.k {
	case kNone, kTrue, kFalse:
		p.emit(nPatConst, uint8(p.k), 0, mark, pos)
		p.next()
		return
	case tString, tFStart:
		p.strings()
	default:
		p.signedNumber()
	}
	p.emit(nPatValue, 0, 1, mark, pos)
}

// signedNumber reads a number, or a sum or difference of a real and an imaginary
// one.
func (p *parser) signedNumber() {
	mark, pos := p.mark(), p.pos()
	minus := p.accept(tMinus)
	p.literalNumber()
	imaginary := p.last().node == nImag
	if minus {
		p.emit(nUnary, uint8(tMinus), 1, mark, pos)
	}
	if op := p.k; op == tPlus || op == tMinus {
		p.next()
		p.literalNumber()
		if imaginary || p.last().node != nImag {
			p.fail("no complex number")
		}
		p.emit(nBin, uint8(op), 2, mark, pos)
	}
}

func (p *parser) literalNumber() {
	if p.k != tNumber {
		p.fail("a number is missing")
		return
	}
	p.number()
	p.next()
}

// groupPattern reads a pattern in round brackets, or a sequence of them.
func (p *parser) groupPattern() {
	mark, pos := p.mark(), p.pos()
	p.next()
	if p.accept(tRParen) {
		p.emit(nPatSequence, 0, 0, mark, pos)
		return
	}
	starred := p.k == tStar
	p.starPattern()
	if p.k == tComma {
		n := p.morePatterns(tRParen)
		p.emit(nPatSequence, 0, n, mark, pos)
	} else if starred {
		p.fail("a star that stands alone")
	}
	p.expect(tRParen)
}

func (p *parser) mappingPattern() {
	mark, pos, n := p.mark(), p.pos(), 0
	p.next()
	for p.k != tRBrace && p.k != tEOF {
		key, at := p.mark(), p.pos()
		if p.accept(tPower) {
			if p.isWord("_") {
				p.fail("an underscore is no name here")
			}
			p.name(nPatRest)
			n++
			p.accept(tComma)
			break
		}
		if p.k == tName {
			if p.dottedValue(); p.last().node != nAttribute {
				p.fail("a name is no key")
			}
			p.emit(nPatValue, 0, 1, key, at)
		} else {
			p.literalPattern()
		}
		p.expect(tColon)
		p.pattern()
		n += 2
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRBrace)
	p.emit(nPatMapping, 0, n, mark, pos)
}

func (p *parser) classPattern(mark int, pos uint32) {
	p.next()
	n, keywords := 1, false
	for p.k != tRParen && p.k != tEOF {
		part, t := p.mark(), p.toks[p.i]
		switch {
		case p.k == tName && p.peek() == tAssign:
			keywords = true
			p.next()
			p.next()
			p.pattern()
			p.emit(nPatKeyword, 0, 1, part, t.start)
			p.named(t)
		case keywords:
			p.fail("a pattern without a name after one with a name")
		default:
			p.pattern()
		}
		n++
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRParen)
	p.emit(nPatClass, 0, n, mark, pos)
}
