package lua

// shape tells what an expression is where that decides whether its parentheses
// count.
type shape uint8

const (
	isOther shape = iota
	isCall        // its values are as many as the function returns
	isMany        // `...`
	isCut         // either of them in parentheses
)

func (p *parser) expression() shape { return p.binary(0) }

// binary reads an expression of operators that bind more strongly than power.
// The operator comes behind its operands.
func (p *parser) binary(power int) shape {
	if !p.enter() {
		return isOther
	}
	defer p.leave()
	s := p.unary()
	for {
		left, right := p.powers()
		if left == 0 || left <= power {
			return s
		}
		op, at := p.tok.text, p.tok.at
		p.advance()
		p.binary(right - 1)
		p.put("binary", at, op)
		s = isOther
	}
}

func (p *parser) unary() shape {
	if p.is("not") || p.is("-") || p.is("#") || p.is("~") {
		op, at := p.tok.text, p.tok.at
		p.advance()
		p.binary(unaryPower)
		p.put("unary", at, op)
		return isOther
	}
	return p.simple()
}

func (p *parser) simple() shape {
	t := p.tok
	switch {
	case t.kind == number:
		p.put("number", t.at, t.text)
	case t.kind == str:
		p.put("string", t.at, t.text)
	case p.is("nil") || p.is("true") || p.is("false"):
		p.put("constant", t.at, t.text)
	case p.is("..."):
		p.put("many", t.at, nil)
		p.advance()
		return isMany
	case p.is("{"):
		p.table()
		return isOther
	case p.is("function"):
		p.put("closure", t.at, nil)
		p.advance()
		p.function()
		return isOther
	default:
		return p.suffixed()
	}
	p.advance()
	return isOther
}

// suffixed reads a name or an expression in parentheses, and the fields and
// calls behind it.
func (p *parser) suffixed() shape {
	s := p.primary()
	for {
		at := p.tok.at
		switch {
		case p.accept("."):
			p.name("field")
			s = isOther
		case p.accept("["):
			p.expression()
			p.put("index", at, nil)
			p.expect("]")
			s = isOther
		case p.accept(":"):
			p.name("method")
			p.arguments(at)
			s = isCall
		case p.is("("), p.is("{"), p.tok.kind == str:
			p.arguments(at)
			s = isCall
		default:
			return s
		}
		if p.bad != "" {
			return s
		}
	}
}

func (p *parser) primary() shape {
	at := p.tok.at
	if p.tok.kind == name {
		p.name("name")
		return isOther
	}
	p.expect("(")
	s := p.expression()
	p.expect(")")
	switch s {
	case isCall, isMany:
		p.put("one value", at, nil)
		return isCut
	}
	return s
}

// condition reads an expression of which one value is taken in any case.
func (p *parser) condition() {
	if p.expression() == isCut && p.bad == "" {
		p.events = p.events[:len(p.events)-1]
	}
}

// arguments reads those of a call.
func (p *parser) arguments(at int) {
	switch {
	case p.tok.kind == str:
		p.put("list", at, nil)
		p.put("string", p.tok.at, p.tok.text)
		p.advance()
		p.put("end", at, nil)
	case p.is("{"):
		p.put("list", at, nil)
		p.table()
		p.put("end", at, nil)
	default:
		p.expect("(")
		if p.is(")") {
			p.put("list", at, nil)
			p.put("end", at, nil)
		} else {
			p.expressions()
		}
		p.expect(")")
	}
	p.put("call", at, nil)
}

// table reads the fields of a table. Of several values the last field takes all,
// with or without a separator behind it.
func (p *parser) table() {
	p.put("table", p.tok.at, nil)
	p.expect("{")
	for !p.is("}") && p.tok.kind != end {
		p.field()
		if !p.accept(",") && !p.accept(";") {
			break
		}
	}
	p.put("end", p.tok.at, nil)
	p.expect("}")
}

func (p *parser) field() {
	at := p.tok.at
	switch {
	case p.accept("["):
		p.put("keyed", at, nil)
		p.expression()
		p.expect("]")
		p.expect("=")
	case p.tok.kind == name && p.peek().kind == symbol && string(p.peek().text) == "=":
		p.name("named")
		p.advance()
	default:
		p.put("positional", at, nil)
	}
	p.expression()
}
