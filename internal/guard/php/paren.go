package php

import (
	"strings"
	"sync"
)

// How strongly operators bind: the index of their line. Those of one line bind
// alike.
const operators = "or\nxor\nand\n= += -= *= /= .= %= &= |= ^= <<= >>= **= ??=\n? :\n??\n||\n&&\n|\n^\n&\n== != === !== <> <=>\n< <= > >=\n.\n<< >>\n+ -\n* / %\n" +
	"!\ninstanceof\n(unary)\n**"

// Powers that are no line of operators.
const (
	none    = 0   // nothing binds: a bracket, a comma, the start of a statement
	tight   = 100 // a call, an index, a member
	assigns = 4
	ternary = 5
	logic   = 7 // || and what binds more strongly
	and     = 8
	not     = 18
	unary   = 20
	power   = 21
)

func isOperator(text []byte) bool { return powerOf(string(text)) > 0 }

// powers returns how strongly each operator binds.
var powers = sync.OnceValue(func() map[string]int {
	out := map[string]int{}
	for i, line := range strings.Split(operators, "\n") {
		for op := range strings.FieldsSeq(line) {
			out[op] = i + 1
		}
	}
	return out
})

func powerOf(op string) int { return powers()[op] }

// ends reports whether an operand may end with a node.
func (n *node) ends() bool {
	switch n.kind {
	case variable, number, text, raw:
		return true
	case word:
		switch string(n.text) {
		case "return", "echo", "print", "yield", "case", "throw", "include", "include_once", "require", "require_once",
			"new", "clone", "and", "or", "xor", "instanceof", "else", "do", "as", "from":
			return false
		}
		return true
	case mark:
		return n.end != "" || string(n.text) == "++" || string(n.text) == "--"
	}
	return false
}

// operator returns how strongly the operator at i binds, 0 if it is none.
func operator(nodes []node, i int) int {
	n := &nodes[i]
	if n.kind != mark && n.kind != word || n.end != "" {
		return 0
	}
	op := string(n.text)
	if op[0] == '(' {
		return unary // a cast
	}
	if i == 0 || !nodes[i-1].ends() {
		switch op {
		case "+", "-", "~", "@", "&", "++", "--":
			return unary
		case "!":
			return not
		case "print", "yield", "throw", "include", "include_once", "require", "require_once", "fn", "clone":
			return 1
		}
	}
	return powerOf(op)
}

// redundant reports whether the parentheses at i may go.
func redundant(nodes []node, i int) bool {
	if !operand(nodes, i) {
		return false
	}
	left, leftOp := leftOf(nodes, i)
	right := rightOf(nodes, i)
	inner := peel(nodes[i].inner)
	least, alike := weakest(inner)
	if right == tight {
		return least == tight && inner[0].kind == variable && !nodes[i+1].is("(")
	}
	if least == assigns && left > least && right < least {
		return target(&inner[0]) && assigned(inner)
	}
	return least == tight || holds(least, left, right) || least > right && least == left && chains(least) && leftOp == alike
}

// operand reports whether the parentheses at i are around an operand: not around
// arguments.
func operand(nodes []node, i int) bool {
	return len(nodes[i].inner) > 0 && (i == 0 || !nodes[i-1].ends())
}

// peel takes parentheses away that stand alone in others.
func peel(inner []node) []node {
	for len(inner) == 1 && inner[0].is("(") && len(inner[0].inner) > 0 {
		inner = inner[0].inner
	}
	return inner
}

// chains reports whether the operators of a power mean the same however their
// operands are grouped.
func chains(p int) bool { return p == logic || p == and }

// holds reports whether an expression, of which the weakest operator binds as
// strongly as least, stays one between two operators without its parentheses.
func holds(least, left, right int) bool {
	return least > left && (least > right || least == right && associates(least))
}

// associates reports whether the operators of a power take what stands left of
// them first.
func associates(p int) bool {
	return p != power && p != ternary && p != assigns && p != powerOf("??") && p != powerOf("==") && p != powerOf("<")
}

// leftOf returns how strongly what stands before i binds.
func leftOf(nodes []node, i int) (int, string) {
	if i == 0 {
		return none, ""
	}
	op := string(nodes[i-1].text)
	switch p := operator(nodes, i-1); {
	case nodes[i-1].is("new"), nodes[i-1].is("::"), nodes[i-1].is("->"), nodes[i-1].is("?->"), nodes[i-1].is("$"), nodes[i-1].is("clone"):
		return tight, op
	case op == "?":
		return none, op
	case p == assigns, op == "=>", p == 1 && nodes[i-1].kind == word && op != "or":
		return assigns - 1, op // they take all that follows but for and, or, xor
	default:
		return p, op
	}
}

// rightOf returns how strongly what stands behind i binds.
func rightOf(nodes []node, i int) int {
	if i+1 >= len(nodes) {
		return none
	}
	n := &nodes[i+1]
	switch string(n.text) {
	case "(", "[", "{", "->", "?->", "::", "++", "--":
		return tight
	case ":":
		return none
	}
	return operator(nodes, i+1)
}

// weakest returns how strongly the operator binds that binds least, and what it
// is if all of these are the same; tight if there is none, -1 if the nodes are no
// expression.
func weakest(nodes []node) (least int, alike string) {
	least = tight
	for i := range nodes {
		n := &nodes[i]
		if n.is(",") || n.is(";") || n.is("=>") && !nodes[0].is("fn") && !nodes[0].is("static") || n.kind == html || n.is("...") {
			return -1, ""
		}
		switch p := operator(nodes, i); {
		case p == 0 || p > least:
		case p < least:
			least, alike = p, string(n.text)
		case alike != string(n.text):
			alike = ""
		}
	}
	return least, alike
}

// target reports whether what an assignment is to may start with a node.
func target(n *node) bool { return n.kind == variable || n.is("list") || n.is("[") }

// assigned reports whether the first operator of the nodes is an assignment to a
// variable, and nothing in them binds less.
func assigned(nodes []node) bool {
	for i := range nodes {
		switch operator(nodes, i) {
		case 0:
		case assigns:
			return true
		default:
			return false
		}
	}
	return false
}
