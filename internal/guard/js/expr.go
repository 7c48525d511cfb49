package js

import "poly/internal/guard"

// expression reads assignments with commas between them.
func (p *parser) expression() {
	n := uint64(1)
	p.assignment()
	for p.take(',') {
		p.assignment()
		n++
	}
	if n > 1 {
		p.emitWith(nodeSequence, n)
	}
}

// bracketed reads an expression whose surroundings do not matter.
func (p *parser) bracketed(f func()) { p.within(p.inner(), f) }

// assignment reads one expression without commas.
func (p *parser) assignment() {
	if !p.enter() {
		return
	}
	if !p.arrow() && !p.yield() {
		p.conditional()
		if op := p.assignOp(); op != 0 {
			p.next()
			p.assignment()
			p.emitWith(nodeAssign, uint64(op))
		}
	}
	p.depth--
}

// assignOp is the assignment operator here, or 0.
func (p *parser) assignOp() op {
	if p.tok.kind != kindPunct {
		return 0
	}
	o := p.tok.op
	if o == '=' {
		return o
	}
	if o&0xff != '=' {
		return 0
	}
	switch o {
	case opEqual, opUnequal, opSame, opNotSame, opLessEqual, opMoreEqual:
		return 0
	}
	return o
}

func (p *parser) yield() bool {
	if !p.context.generator || !p.word("yield") {
		return false
	}
	at := p.tok.start
	p.next()
	switch {
	case p.tok.newline || p.tok.kind == kindEOF || p.endsYield():
		p.push(uint64(nodeYield), at)
	case p.take('*'):
		p.assignment()
		p.push(uint64(nodeYieldAll), at)
	default:
		p.assignment()
		p.push(uint64(nodeYield)|1<<8, at)
	}
	return true
}

// endsYield reports whether no operand can start here.
func (p *parser) endsYield() bool {
	if p.word("in") || p.word("of") {
		return true
	}
	if p.tok.kind != kindPunct {
		return false
	}
	switch p.tok.op {
	case ')', ']', '}', ',', ';', ':':
		return true
	}
	return false
}

func (p *parser) conditional() {
	p.binary(0)
	if !p.is('?') {
		return
	}
	p.next()
	c := p.inner()
	c.consequent = true
	p.within(c, p.assignment)
	p.expect(':')
	p.assignment()
	p.emit(nodeConditional)
}

// The strengths of operators.
const (
	_ = iota
	bindNullish
	bindOr
	bindAnd
	bindBitOr
	bindBitXor
	bindBitAnd
	bindEqual
	bindRelational
	bindShift
	bindAdd
	bindMultiply
	bindPower
)

// operator is the strength of the binary operator here, or 0.
func (p *parser) operator() int {
	switch p.tok.kind {
	case kindPunct:
		if p.tok.op == '>' {
			p.rescanGreater()
		}
		return strength(p.tok.op)
	case kindWord:
		switch string(p.text()) {
		case "instanceof":
			return bindRelational
		case "in":
			if !p.context.noIn {
				return bindRelational
			}
		case "as", "satisfies":
			if p.dialect.types() && !p.tok.newline {
				return bindRelational
			}
		}
	}
	return 0
}

func strength(o op) int {
	switch o {
	case opNullish:
		return bindNullish
	case opOr:
		return bindOr
	case opAnd:
		return bindAnd
	case '|':
		return bindBitOr
	case '^':
		return bindBitXor
	case '&':
		return bindBitAnd
	case opEqual, opUnequal, opSame, opNotSame:
		return bindEqual
	default:
		return strengthOfNumbers(o)
	}
}

func strengthOfNumbers(o op) int {
	switch o {
	case '<', '>', opLessEqual, opMoreEqual:
		return bindRelational
	case opShiftLeft, opShiftRight, opShiftZero:
		return bindShift
	case '+', '-':
		return bindAdd
	case '*', '/', '%':
		return bindMultiply
	case opPower:
		return bindPower
	}
	return 0
}

// binary reads operands and operators that bind more strongly than least.
func (p *parser) binary(least int) {
	p.unary()
	for {
		bind := p.operator()
		if bind <= least {
			return
		}
		o := uint64(p.tok.op)
		if p.tok.kind == kindWord {
			if p.word("as") || p.word("satisfies") {
				p.asType()
				continue
			}
			o = guard.Mix(0, p.text()) >> 16
		}
		p.next()
		if bind == bindPower {
			bind-- // groups to the right
		}
		if !p.enter() {
			return
		}
		p.binary(bind)
		p.depth--
		p.emitWith(nodeBinary, o)
	}
}

func (p *parser) asType() {
	n := nodeAs
	if p.word("satisfies") {
		n = nodeSatisfies
	}
	p.next()
	if p.word("const") {
		p.leaf()
	} else {
		p.typ()
	}
	p.emit(n)
}

func (p *parser) unary() {
	o, ok := p.prefix()
	if !ok {
		p.postfix()
		return
	}
	if !p.enter() {
		return
	}
	if o == '<' {
		p.next()
		if p.word("const") {
			p.leaf()
		} else {
			p.typ()
		}
		p.expect('>')
		p.unary()
		p.emit(nodeAssert)
	} else {
		p.next()
		p.unary()
		p.emitWith(nodeUnary, o)
	}
	p.depth--
}

// prefix is the prefix operator here.
func (p *parser) prefix() (uint64, bool) {
	switch p.tok.kind {
	case kindPunct:
		switch p.tok.op {
		case '!', '~', '+', '-', opIncrement, opDecrement:
			return uint64(p.tok.op), true
		case '<':
			return '<', p.dialect == TypeScript
		}
	case kindWord:
		switch string(p.text()) {
		case "typeof", "void", "delete":
			return guard.Mix(0, p.text()) >> 16, true
		case "await":
			return guard.Mix(0, p.text()) >> 16, p.context.async && p.ahead(p.startsOperand)
		}
	}
	return 0, false
}

// startsOperand reports whether an await before this token waits for it.
func (p *parser) startsOperand() bool {
	switch p.tok.kind {
	case kindEOF:
		return false
	case kindPunct:
		switch p.tok.op {
		case '(', '[', '{', '!', '~', '+', '-', opIncrement, opDecrement, '/', opDivideSet, '`', '<', '@':
			return true
		}
		return false
	case kindWord:
		return !p.word("in") && !p.word("of") && !p.word("instanceof") && !p.word("as") && !p.word("satisfies")
	}
	return true
}

func (p *parser) postfix() {
	p.member()
	if (p.is(opIncrement) || p.is(opDecrement)) && !p.tok.newline {
		p.emitWith(nodePostfix, uint64(p.tok.op))
		p.next()
	}
}

// member reads a primary expression and all that is accessed or called of it.
func (p *parser) member() {
	p.primary()
	chain := false
	for p.tok.kind == kindPunct {
		if p.is(opOptional) {
			chain = true
			p.optional()
		} else if !p.access() && !p.call() {
			break
		}
	}
	if chain {
		p.emit(nodeChainEnd)
	}
}

// access reads one access of a member, a tagged template or a "!".
func (p *parser) access() bool {
	switch {
	case p.is('.'):
		p.next()
		p.memberName()
	case p.is('['):
		p.index()
	case p.is('`'):
		p.template(p.expression)
		p.emit(nodeTagged)
	case p.is('!') && p.dialect.types() && !p.tok.newline:
		p.emit(nodeNonNull)
		p.next()
	default:
		return false
	}
	return true
}

func (p *parser) memberName() {
	if p.tok.kind == kindPrivate {
		p.leaf()
	} else {
		p.anyName()
	}
	p.emit(nodeMember)
}

func (p *parser) index() {
	p.next()
	p.bracketed(p.expression)
	p.expect(']')
	p.emit(nodeIndex)
}

// call reads arguments, and type arguments before them.
func (p *parser) call() bool {
	switch {
	case p.is('('):
		p.arguments()
	case p.dialect.types() && (p.is('<') || p.is(opShiftLeft)):
		return p.valueTypeArgs()
	default:
		return false
	}
	return true
}

func (p *parser) optional() {
	p.emit(nodeOptional)
	p.next()
	switch {
	case p.is('['):
		p.index()
	case p.is('(') || p.is('<'):
		if !p.call() {
			p.fail("a call is missing")
		}
	default:
		p.memberName()
	}
}

// arguments reads what stands between the parentheses of a call.
func (p *parser) arguments() {
	p.emit(nodeCall)
	p.next()
	p.bracketed(func() {
		for !p.over(')') {
			p.spread()
			p.emit(nodeElement)
			if !p.take(',') {
				break
			}
		}
	})
	p.emit(nodeCallEnd)
	p.expect(')')
}

// spread reads an expression that may be spread.
func (p *parser) spread() {
	if p.take(opEllipsis) {
		p.assignment()
		p.emit(nodeSpread)
		return
	}
	p.assignment()
}

// valueTypeArgs reads type arguments after a value, unless the "<" compares.
func (p *parser) valueTypeArgs() bool {
	if _, ok := p.refused[p.tok.start]; ok {
		return false
	}
	m := p.mark()
	p.typeArgs()
	if p.bad == "" && p.followsTypeArgs() {
		return true
	}
	p.reset(m)
	p.refuse(m.tok.start)
	return false
}

// refuse notes that what was tried at the position is not there.
func (p *parser) refuse(at int) {
	if p.refused == nil {
		p.refused = map[int]struct{}{}
	}
	p.refused[at] = struct{}{}
}

// followsTypeArgs reports whether what stands here lets the "<" before it open
// type arguments.
func (p *parser) followsTypeArgs() bool {
	if p.is('(') || p.is('`') {
		return true
	}
	if p.is('<') || p.is('>') || p.is('+') || p.is('-') {
		return false
	}
	return p.tok.newline || p.operatorOnly() || !p.startsExpression()
}

// operatorOnly is operator without changing the token.
func (p *parser) operatorOnly() bool {
	if p.tok.kind == kindPunct {
		return strength(p.tok.op) > 0
	}
	return p.operator() > 0
}

func (p *parser) startsExpression() bool {
	switch p.tok.kind {
	case kindEOF:
		return false
	case kindPunct:
		switch p.tok.op {
		case '(', '[', '{', '!', '~', '+', '-', opIncrement, opDecrement, '/', opDivideSet, '`', '<', '@':
			return true
		}
		return false
	case kindWord:
		return !reserved(p.text()) || !p.word("extends")
	}
	return true
}
