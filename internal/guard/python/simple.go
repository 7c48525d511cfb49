package python

import "slices"

// simpleStatements reads the statements of a line, which are parts of a body,
// and returns how many there are.
func (p *parser) simpleStatements() int {
	n := 0
	for {
		p.start()
		p.simple()
		n++
		if p.accept(tSemi) {
			if p.accept(tNewline) {
				return n
			}
			continue
		}
		p.expect(tNewline)
		return n
	}
}

// start notes that a statement or a clause begins here.
func (p *parser) start() {
	p.starts = append(p.starts, statement{p.pos(), uint32(p.i)})
}

func (p *parser) simple() {
	switch p.k {
	case kPass:
		p.word(nPass)
	case kBreak:
		p.word(nBreak)
	case kContinue:
		p.word(nContinue)
	case kReturn:
		p.returns()
	case kRaise:
		p.raise()
	case kGlobal:
		p.names(nGlobal)
	case kNonlocal:
		p.names(nNonlocal)
	case kDel:
		p.deletes()
	case kAssert:
		p.assert()
	case kImport:
		p.imports()
	case kFrom:
		p.importsFrom()
	default:
		if p.isWord("type") && p.peek() == tName {
			p.typeAlias()
			return
		}
		p.expressionStatement()
	}
}

// word reads a statement of one word.
func (p *parser) word(k node) {
	p.emit(k, 0, 0, p.mark(), p.pos())
	p.next()
}

func (p *parser) returns() {
	mark, pos := p.mark(), p.pos()
	p.next()
	n := 0
	if p.k != tNewline && p.k != tSemi {
		p.starExpressions()
		n = 1
	}
	p.emit(nReturn, 0, n, mark, pos)
}

func (p *parser) raise() {
	mark, pos := p.mark(), p.pos()
	p.next()
	n := 0
	if p.k != tNewline && p.k != tSemi {
		p.expression()
		n = 1
		if p.accept(kFrom) {
			p.expression()
			n = 2
		}
	}
	p.emit(nRaise, 0, n, mark, pos)
}

func (p *parser) names(k node) {
	mark, pos := p.mark(), p.pos()
	p.next()
	p.name(nName)
	n := 1
	for ; p.accept(tComma); n++ {
		p.name(nName)
	}
	p.emit(k, 0, n, mark, pos)
}

// deletes reads a del statement. Brackets around its targets change nothing:
// the targets of the statement are the names, attributes and items in them.
func (p *parser) deletes() {
	mark, pos := p.mark(), p.pos()
	p.next()
	p.primary()
	for p.accept(tComma) && p.k != tNewline && p.k != tSemi {
		p.primary()
	}
	if p.targets(mark, true); p.why != "" {
		return
	}
	n := 0
	for i := len(p.events) - 1; i >= mark; {
		if e := &p.events[i]; e.node == nTuple || e.node == nList {
			e.node = nGone
			i--
		} else {
			n++
			i = int(e.first) - 1
		}
	}
	p.events = append(p.events[:mark], slices.DeleteFunc(p.events[mark:], func(e event) bool { return e.node == nGone })...)
	p.emit(nDelete, 0, n, mark, pos)
}

func (p *parser) assert() {
	mark, pos := p.mark(), p.pos()
	p.next()
	p.expression()
	n := 1
	if p.accept(tComma) {
		p.expression()
		n = 2
	}
	p.emit(nAssert, 0, n, mark, pos)
}

// dottedName emits the parts of a name and returns their number.
func (p *parser) dottedName() int {
	p.name(nName)
	n := 1
	for ; p.accept(tDot); n++ {
		p.name(nName)
	}
	return n
}

func (p *parser) alias(dotted bool) {
	mark, pos := p.mark(), p.pos()
	n := 1
	if dotted {
		n = p.dottedName()
	} else {
		p.name(nName)
	}
	op := uint8(0)
	if p.accept(kAs) {
		p.name(nName)
		n++
		op = 1
	}
	p.emit(nAlias, op, n, mark, pos)
}

func (p *parser) imports() {
	mark, pos := p.mark(), p.pos()
	p.next()
	p.alias(true)
	n := 1
	for ; p.accept(tComma); n++ {
		p.alias(true)
	}
	p.emit(nImport, 0, n, mark, pos)
}

func (p *parser) importsFrom() {
	mark, pos := p.mark(), p.pos()
	p.next()
	n := 0
	for p.k == tDot || p.k == tEllipsis {
		dots := 1
		if p.k == tEllipsis {
			dots = 3
		}
		for range dots {
			p.emit(nDots, 0, 0, p.mark(), p.pos())
		}
		n += dots
		p.next()
	}
	if n == 0 || p.k != kImport {
		n += p.dottedName()
	}
	p.expect(kImport)
	switch {
	case p.accept(tStar):
		p.emit(nFrom, 1, n, mark, pos)
		return
	case p.accept(tLParen):
		p.alias(false)
		for n++; p.accept(tComma) && p.k != tRParen; n++ {
			p.alias(false)
		}
		p.expect(tRParen)
	default:
		p.alias(false)
		for n++; p.accept(tComma); n++ {
			p.alias(false)
		}
	}
	p.emit(nFrom, 0, n, mark, pos)
}

func (p *parser) typeAlias() {
	p.needs = max(p.needs, 12)
	mark, pos := p.mark(), p.pos()
	p.next()
	p.name(nName)
	n := 2 + p.typeParams()
	p.expect(tAssign)
	p.expression()
	p.emit(nTypeAlias, 0, n, mark, pos)
}

// expressionStatement reads an expression, or an assignment that starts with one.
func (p *parser) expressionStatement() {
	mark, pos := p.mark(), p.pos()
	first := p.i
	p.yieldOrStars()
	if p.docAt == mark && len(p.events) == mark+1 && p.events[mark].node == nStr {
		p.events[mark].node = nDoc
		p.document(first)
	}
	switch p.k {
	case tColon:
		p.annotated(mark, pos, first)
	case tAugmented:
		if root := p.last().node; root != nName && root != nAttribute && root != nSubscript {
			p.fail("this cannot be a target")
			return
		}
		op := p.toks[p.i]
		p.next()
		p.yieldOrStars()
		p.emit(nAugmented, 0, 2, mark, pos)
		if e := p.last(); p.why == "" {
			e.lo, e.hi = op.start, op.end
		}
	case tAssign:
		p.assigned(mark, pos)
	}
}

// document notes how the string that was read since that token is written.
func (p *parser) document(first int) {
	var doc literal
	n := 0
	for _, t := range p.toks[first:p.i] {
		if t.kind == tString {
			doc = p.literal(t)
			n++
		}
	}
	if n > 1 {
		doc = literal{}
	}
	p.docs = append(p.docs, doc)
}

// yieldOrStars reads what may stand on the right of an assignment.
func (p *parser) yieldOrStars() {
	if p.k == kYield {
		p.yield()
		return
	}
	p.starExpressions()
}

func (p *parser) assigned(mark int, pos uint32) {
	n, part := 1, mark
	for ; p.k == tAssign; n++ {
		p.targets(part, false)
		if p.k != tAssign {
			return
		}
		p.next()
		part = p.mark()
		p.yieldOrStars()
	}
	p.emit(nAssign, 0, n, mark, pos)
}

// annotated reads an annotation of what was read since the token first: a name,
// an attribute or an item, in brackets or not.
func (p *parser) annotated(mark int, pos uint32, first int) {
	op := uint8(0)
	root := p.last().node
	switch {
	case p.toks[first].kind == tName && p.i == first+1:
		op = 1
	case root == nName && p.toks[first].kind == tLParen:
	case (root == nAttribute || root == nSubscript) && !p.bracketed(first):
	default:
		p.fail("this cannot have an annotation")
		return
	}
	p.next()
	p.expression()
	n := 2
	if p.accept(tAssign) {
		p.yieldOrStars()
		n = 3
		op |= 2
	}
	p.emit(nAnnotated, op, n, mark, pos)
}

// bracketed reports whether a target in brackets starts at the token first, and
// more follows before the current one. The grammar has no way back from there.
func (p *parser) bracketed(first int) bool {
	i, events, store := p.i, len(p.events), len(p.store)
	if p.toks[first].kind != tLParen {
		return false
	}
	p.set(first + 1)
	p.primary()
	root := p.last().node
	more := p.k == tRParen && p.i+1 < i && (root == nName || root == nAttribute || root == nSubscript)
	p.events, p.store, p.why = p.events[:events], p.store[:store], ""
	p.set(i)
	return more
}
