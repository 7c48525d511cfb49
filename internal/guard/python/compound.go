package python

import "slices"

// module reads the whole text.
func (p *parser) module() {
	mark, n := p.mark(), 0
	p.docAt = mark
	for p.k != tEOF {
		n += p.statement()
	}
	if p.why == "" {
		p.emit(nBody, 0, n, mark, 0)
	}
}

// statement reads a compound statement or a line of simple ones, and returns the
// number of statements.
func (p *parser) statement() int {
	p.enter()
	defer p.leave()
	switch p.k {
	case kIf:
		p.ifs()
	case kWhile:
		p.while()
	case kFor:
		p.forLoop(0)
	case kTry:
		p.try()
	case kWith:
		p.with(0)
	case kDef:
		p.function(p.mark(), p.pos(), 0, 0)
	case kClass:
		p.class(p.mark(), p.pos(), 0)
	case tAt:
		p.decorated()
	case kAsync:
		p.async(p.mark(), p.pos(), 0)
	default:
		if p.isWord("match") && p.isMatch() {
			p.match()
			return 1
		}
		return p.simpleStatements()
	}
	return 1
}

// body reads a colon and the block after it, which doc says a string may
// document.
func (p *parser) body(doc bool) {
	p.expect(tColon)
	mark, pos, n := p.mark(), p.pos(), 0
	if p.docAt = -1; doc {
		p.docAt = mark
	}
	if p.accept(tNewline) {
		p.expect(tIndent)
		for p.k != tDedent && p.k != tEOF {
			n += p.statement()
		}
		p.expect(tDedent)
	} else {
		n = p.simpleStatements()
	}
	p.emit(nBody, 0, n, mark, pos)
}

// elseBody reads an else clause, if there is one, and returns the number of
// nodes.
func (p *parser) elseBody() int {
	if p.k != kElse {
		return 0
	}
	mark, pos := p.mark(), p.pos()
	p.start()
	p.next()
	p.body(false)
	p.emit(nElse, 0, 1, mark, pos)
	return 1
}

// ifs reads an if statement. An elif is an if that is alone in an else.
func (p *parser) ifs() {
	type open struct {
		mark int
		pos  uint32
	}
	var chain []open
	for {
		chain = append(chain, open{p.mark(), p.pos()})
		p.start()
		p.next()
		p.namedExpression()
		p.body(false)
		if p.k != kElif {
			break
		}
	}
	n := 2 + p.elseBody()
	for i, c := range slices.Backward(chain) {
		p.emit(nIf, 0, n, c.mark, c.pos)
		if i > 0 {
			p.emit(nBody, 0, 1, c.mark, c.pos)
			p.emit(nElse, 0, 1, c.mark, c.pos)
			n = 3
		}
	}
}

func (p *parser) while() {
	mark, pos := p.mark(), p.pos()
	p.start()
	p.next()
	p.namedExpression()
	p.body(false)
	p.emit(nWhile, 0, 2+p.elseBody(), mark, pos)
}

func (p *parser) async(mark int, pos uint32, decorators int) {
	switch p.peek() {
	case kDef:
		p.next()
		p.function(mark, pos, decorators, 1)
		return
	case kFor:
		if decorators == 0 {
			p.next()
			p.forLoop(1)
			return
		}
	case kWith:
		if decorators == 0 {
			p.next()
			p.with(1)
			return
		}
	}
	p.fail("async before what cannot be")
}

func (p *parser) forLoop(async uint8) {
	mark, pos := p.mark(), p.pos()
	p.start()
	p.next()
	p.starTargets()
	p.expect(kIn)
	p.starExpressions()
	p.body(false)
	p.emit(nForLoop, async, 3+p.elseBody(), mark, pos)
}

// starTargets reads the targets of a loop.
func (p *parser) starTargets() {
	mark, pos := p.mark(), p.pos()
	p.starTarget()
	if p.k == tComma {
		n := 1
		for p.accept(tComma) && p.k != kIn {
			p.starTarget()
			n++
		}
		p.emit(nTuple, 0, n, mark, pos)
	}
	p.targets(mark, false)
}

func (p *parser) starTarget() {
	mark, pos := p.mark(), p.pos()
	if p.accept(tStar) {
		p.primary()
		p.emit(nStar, 0, 1, mark, pos)
		return
	}
	p.primary()
}

// with reads a with statement. Brackets around all of its items are none of an
// expression, if what stands in them can be items.
func (p *parser) with(async uint8) {
	mark, pos := p.mark(), p.pos()
	p.start()
	p.next()
	n, ok := p.bracketedItems()
	if !ok {
		p.item()
		for n = 1; p.accept(tComma); n++ {
			p.item()
		}
	}
	p.body(false)
	p.emit(nWith, async, n+1, mark, pos)
}

func (p *parser) bracketedItems() (n int, ok bool) {
	if p.k != tLParen || p.why != "" {
		return 0, false
	}
	i, events, store, depth, needs := p.i, len(p.events), len(p.store), p.depth, p.needs
	p.next()
	p.item()
	for n = 1; p.accept(tComma) && p.k != tRParen; n++ {
		p.item()
	}
	p.expect(tRParen)
	if p.why == "" && p.k == tColon {
		return n, true
	}
	p.events, p.store, p.depth, p.needs, p.why = p.events[:events], p.store[:store], depth, needs, ""
	p.set(i)
	return 0, false
}

func (p *parser) item() {
	mark, pos := p.mark(), p.pos()
	p.expression()
	n := 1
	if p.accept(kAs) {
		target := p.mark()
		p.starTarget()
		p.targets(target, false)
		n = 2
	}
	p.emit(nItem, 0, n, mark, pos)
}

func (p *parser) try() {
	mark, pos := p.mark(), p.pos()
	p.start()
	p.next()
	p.body(false)
	n, stars := 1, 0
	for p.k == kExcept {
		stars += p.handler()
		n++
	}
	if handlers := n - 1; stars != 0 && stars != handlers {
		p.fail("except and except* in one statement")
	}
	if n > 1 {
		n += p.elseBody()
	}
	if p.k == kFinally {
		mark, pos := p.mark(), p.pos()
		p.start()
		p.next()
		p.body(false)
		p.emit(nFinally, 0, 1, mark, pos)
		n++
	}
	if n == 1 {
		p.fail("try without except or finally")
	}
	p.emit(nTry, 0, n, mark, pos)
}

// handler reads an except clause and returns 1 if it is one of groups.
func (p *parser) handler() int {
	mark, pos := p.mark(), p.pos()
	p.start()
	p.next()
	k, star := nHandler, 0
	if p.accept(tStar) {
		k, star = nStarHandler, 1
		p.needs = max(p.needs, 11)
	}
	n := 1
	if p.k != tColon || star == 1 {
		p.exceptions()
		n = 2
	}
	if p.k == kAs && n == 2 {
		p.next()
		p.name(nName)
		n = 3
	}
	p.body(false)
	p.emit(k, 0, n, mark, pos)
	return star
}

// exceptions reads what an except clause names. A list of them needs no brackets
// if no name follows.
func (p *parser) exceptions() {
	mark, pos := p.mark(), p.pos()
	p.expression()
	if p.k != tComma {
		return
	}
	p.needs = max(p.needs, 14)
	n := 1
	for p.accept(tComma) && p.k != tColon {
		p.expression()
		n++
	}
	p.emit(nTuple, 0, n, mark, pos)
	if p.k != tColon {
		p.fail("not what Python's grammar expects here")
	}
}

func (p *parser) decorated() {
	mark, pos := p.mark(), p.pos()
	n := 0
	for p.k == tAt {
		mark, pos := p.mark(), p.pos()
		p.start()
		p.next()
		p.namedExpression()
		p.expect(tNewline)
		p.emit(nDecorator, 0, 1, mark, pos)
		n++
	}
	switch p.k {
	case kDef:
		p.function(mark, pos, n, 0)
	case kClass:
		p.class(mark, pos, n)
	case kAsync:
		p.async(mark, pos, n)
	default:
		p.fail("a decorator before what cannot have one")
	}
}

// function reads a function whose n decorators have been read.
func (p *parser) function(mark int, pos uint32, n int, async uint8) {
	p.start()
	p.next()
	p.name(nName)
	n += 2 + p.typeParams()
	p.expect(tLParen)
	n += p.params(tRParen)
	p.expect(tRParen)
	if p.k == tArrow {
		mark, pos := p.mark(), p.pos()
		p.next()
		p.expression()
		p.emit(nResult, 0, 1, mark, pos)
		n++
	}
	p.body(true)
	p.emit(nFunction, async, n, mark, pos)
}

// class reads a class whose n decorators have been read.
func (p *parser) class(mark int, pos uint32, n int) {
	p.start()
	p.next()
	p.name(nName)
	n += 2 + p.typeParams()
	if p.accept(tLParen) {
		n += p.arguments(false)
		p.expect(tRParen)
	}
	p.body(true)
	p.emit(nClass, 0, n, mark, pos)
}
