package lua

import "strings"

// block reads statements up to what ends a block.
func (p *parser) block() {
	if !p.enter() {
		return
	}
	defer p.leave()
	p.put("block", p.tok.at, nil)
	for p.tok.kind != end && !p.is("end") && !p.is("else") && !p.is("elseif") && !p.is("until") {
		if p.is("return") {
			p.put("return", p.tok.at, nil)
			p.advance()
			if !p.is(";") && p.tok.kind != end && !p.is("end") && !p.is("else") && !p.is("elseif") && !p.is("until") {
				p.expressions()
			}
			p.accept(";")
			break
		}
		p.statement()
	}
	p.put("end", p.tok.at, nil)
}

func (p *parser) statement() {
	t := p.tok
	if p.accept(";") {
		return
	}
	if t.kind != keyword {
		p.other()
		return
	}
	p.put(string(t.text), t.at, nil)
	switch string(t.text) {
	case "if":
		p.conditional()
	case "while":
		p.advance()
		p.condition()
		p.body("do")
	case "do":
		p.body("do")
	case "for":
		p.advance()
		p.loop()
	case "repeat":
		p.advance()
		p.block()
		p.expect("until")
		p.condition()
	case "function":
		p.advance()
		p.functionName()
		p.function()
	case "local":
		p.advance()
		p.local()
	case "break":
		p.advance()
	default:
		p.events = p.events[:len(p.events)-1]
		p.call()
	}
}

// body reads a block between a word and `end`.
func (p *parser) body(word string) {
	p.expect(word)
	p.block()
	p.expect("end")
}

func (p *parser) conditional() {
	p.advance()
	p.condition()
	p.expect("then")
	p.block()
	for p.is("elseif") {
		p.put("elseif", p.tok.at, nil)
		p.advance()
		p.condition()
		p.expect("then")
		p.block()
	}
	if p.is("else") {
		p.put("else", p.tok.at, nil)
		p.advance()
		p.block()
	}
	p.expect("end")
}

func (p *parser) loop() {
	p.name("variable")
	for p.accept(",") {
		p.name("variable")
	}
	if p.is("=") {
		p.put("=", p.tok.at, nil)
		p.advance()
	} else {
		p.expect("in")
	}
	p.expressions()
	p.body("do")
}

func (p *parser) functionName() {
	p.name("function")
	for p.is(".") || p.is(":") {
		k := string(p.tok.text)
		p.advance()
		p.name(k)
	}
}

// function reads parameters and body.
func (p *parser) function() {
	p.expect("(")
	for !p.is(")") && p.tok.kind != end {
		if p.is("...") {
			p.put("parameter", p.tok.at, p.tok.text)
			p.advance()
		} else {
			p.name("parameter")
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	p.block()
	p.expect("end")
}

func (p *parser) local() {
	if p.is("function") {
		p.put("function", p.tok.at, nil)
		p.advance()
		p.name("function")
		p.function()
		return
	}
	for {
		p.name("local")
		if p.accept("<") {
			p.name("attribute")
			p.expect(">")
		}
		if !p.accept(",") {
			break
		}
	}
	if p.accept("=") {
		p.expressions()
	}
}

// other reads a label, a jump, an assignment or a call.
func (p *parser) other() {
	if p.is("::") {
		p.put("label", p.tok.at, nil)
		p.advance()
		p.name("label")
		p.expect("::")
		return
	}
	if p.tok.kind == name && string(p.tok.text) == "goto" && p.peek().kind == name {
		p.put("goto", p.tok.at, nil)
		p.advance()
		p.name("goto")
		return
	}
	p.call()
}

// call reads an assignment or a call.
func (p *parser) call() {
	p.put("statement", p.tok.at, nil)
	shape := p.suffixed()
	if p.is("=") || p.is(",") {
		for shape != isCall && p.accept(",") {
			shape = p.suffixed()
		}
		if shape == isCall {
			p.fail(p.tok.at, "a call is assigned to")
		}
		p.put("=", p.tok.at, nil)
		p.expect("=")
		p.expressions()
		return
	}
	if shape != isCall {
		p.fail(p.tok.at, "a statement was expected")
	}
}

// expressions reads a list.
func (p *parser) expressions() {
	p.put("list", p.tok.at, nil)
	p.expression()
	for p.accept(",") {
		p.put(",", p.tok.at, nil)
		p.expression()
	}
	p.put("end", p.tok.at, nil)
}

// powers returns how strongly a binary operator binds on either side, 0 if the
// token is none.
func (p *parser) powers() (left, right int) {
	if p.tok.kind != symbol && p.tok.kind != keyword {
		return 0, 0
	}
	levels := [...]string{" or ", " and ", " < > <= >= ~= == ", " | ", " ~ ", " & ", " << >> ", " .. ", " + - ", " * / // % ", "", " ^ "}
	for i, ops := range levels {
		if strings.Contains(ops, " "+string(p.tok.text)+" ") {
			left = 2*i + 2
			if right = left + 1; i == 7 || i == 11 {
				right = left - 1
			}
			return left, right
		}
	}
	return 0, 0
}

// unaryPower is how strongly unary operators bind.
const unaryPower = 22
