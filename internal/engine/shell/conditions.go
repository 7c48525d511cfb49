package shell

import (
	"bytes"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// cond is a test as [ ] and [[ ]] have in common.
type cond struct {
	op   string // "" for a lone word; "!", "(" for groups
	x, y *syntax.Word
	kids []*cond
	node syntax.Node // what is reported
}

// parseDouble reads the expression of [[ ]].
func parseDouble(e syntax.TestExpr) *cond {
	switch e := e.(type) {
	case *syntax.Word:
		return &cond{x: e, node: e}
	case *syntax.ParenTest:
		return &cond{op: "(", kids: []*cond{parseDouble(e.X)}, node: e}
	case *syntax.UnaryTest:
		if w, ok := e.X.(*syntax.Word); ok && e.Op != syntax.TsNot {
			return &cond{op: e.Op.String(), x: w, node: e}
		}
		return &cond{op: e.Op.String(), kids: []*cond{parseDouble(e.X)}, node: e}
	case *syntax.BinaryTest:
		x, ok1 := e.X.(*syntax.Word)
		y, ok2 := e.Y.(*syntax.Word)
		if ok1 && ok2 && e.Op != syntax.AndTest && e.Op != syntax.OrTest {
			return &cond{op: e.Op.String(), x: x, y: y, node: e}
		}
		return &cond{op: e.Op.String(), kids: []*cond{parseDouble(e.X), parseDouble(e.Y)}, node: e}
	}
	return nil
}

// parseSingle reads the arguments of [ ], of which -a and -o bind least.
func parseSingle(args []*syntax.Word) *cond {
	p := singleParser{args: args}
	c := p.list()
	if p.at < len(args) {
		return nil
	}
	return c
}

type singleParser struct {
	args []*syntax.Word
	at   int
}

func (p *singleParser) peek(i int) string {
	if p.at+i >= len(p.args) {
		return ""
	}
	return p.args[p.at+i].Lit()
}

func (p *singleParser) list() *cond {
	c := p.term()
	for c != nil && (p.peek(0) == "-a" || p.peek(0) == "-o") {
		op := p.args[p.at]
		p.at++
		right := p.term()
		if right == nil {
			return nil
		}
		c = &cond{op: op.Lit(), kids: []*cond{c, right}, node: op}
	}
	return c
}

func (p *singleParser) term() *cond {
	left := len(p.args) - p.at
	switch {
	case left <= 0:
		return nil
	case left >= 3 && isBinary(p.peek(1)):
		c := &cond{op: p.peek(1), x: p.args[p.at], y: p.args[p.at+2], node: p.args[p.at+1]}
		p.at += 3
		return c
	case p.peek(0) == "!" && left > 1:
		node := p.args[p.at]
		p.at++
		kid := p.term()
		if kid == nil {
			return nil
		}
		return &cond{op: "!", kids: []*cond{kid}, node: node}
	case (p.peek(0) == "(" || p.peek(0) == `\(`) && left > 2:
		node := p.args[p.at]
		p.at++
		kid := p.list()
		if kid == nil || p.peek(0) != ")" && p.peek(0) != `\)` {
			return nil
		}
		p.at++
		return &cond{op: "(", kids: []*cond{kid}, node: node}
	case left >= 2 && isUnary(p.peek(0)):
		c := &cond{op: p.peek(0), x: p.args[p.at+1], node: p.args[p.at]}
		p.at += 2
		return c
	}
	c := &cond{x: p.args[p.at], node: p.args[p.at]}
	p.at++
	return c
}

func isBinary(op string) bool {
	switch op {
	case "=", "==", "!=", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef", `\<`, `\>`, "=~":
		return true
	}
	return false
}

func isUnary(op string) bool {
	return len(op) == 2 && op[0] == '-' && strings.IndexByte("abcdefghkprstuwxzLSGNOnov", op[1]) >= 0
}

// condition judges a test and what it is made of. top: nothing is around it.
func (s *script) condition(c *cond, double bool) {
	s.testTerm(c, double, true)
}

func (s *script) testTerm(c *cond, double, single bool) {
	if c == nil {
		return
	}
	for _, k := range c.kids {
		s.testTerm(k, double, single && (c.op == "!" || c.op == "("))
	}
	s.leaf(c, double, single)
}

// leaf judges one term of a test.
func (s *script) leaf(c *cond, double, single bool) {
	switch {
	case len(c.kids) == 2 && !double:
		s.at("SC2166", c.node, "-a and -o are not well defined here: write [ p ] && [ q ] or [ p ] || [ q ]")
	case len(c.kids) > 0:
	case c.y != nil:
		s.comparison(c, double, single)
	case c.op == "-n" && !double && s.unquoted(c.x):
		s.at("SC2070", c.x, "-n is true for an empty value that is not quoted")
	}
	if c.op == "-n" || c.op == "-z" || c.op == "" && c.x != nil {
		s.grepInTest(c)
	}
}

// unquoted reports whether a word is an expansion without quotes.
func (s *script) unquoted(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.DblQuoted, *syntax.SglQuoted:
			return false
		case *syntax.ParamExp:
			if p.Length || withoutSpaces(paramName(p)) {
				return false
			}
			return !isArray(p)
		case *syntax.CmdSubst:
			return true
		}
	}
	return false
}

func (s *script) comparison(c *cond, double, single bool) {
	switch c.op {
	case "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "=", "==", "!=":
		if single {
			s.exitCode(c.x, c.y)
		}
	}
	switch c.op {
	case "=", "==", "!=":
		if leadingX(c.x) && leadingX(c.y) {
			s.at("SC2268", c.x, "The leading x serves no purpose: quotes are enough")
		}
		if double && len(c.y.Parts) == 1 {
			if p, ok := c.y.Parts[0].(*syntax.ParamExp); ok {
				s.at("SC2053", p, "Without quotes the right side is a pattern")
			}
		}
	case "=~":
		if double && allQuoted(c.y) && hasRegexp(c.y) {
			s.at("SC2076", c.y, "A quoted right side is compared as text, not as a regular expression")
		}
	}
}

// leadingX reports whether a word starts with an x that is not all of it.
func leadingX(w *syntax.Word) bool {
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		return startsWithX(p.Value)
	case *syntax.DblQuoted:
		if len(p.Parts) == 0 {
			return false
		}
		l, ok := p.Parts[0].(*syntax.Lit)
		return ok && startsWithX(l.Value)
	case *syntax.SglQuoted:
		return startsWithX(p.Value)
	}
	return false
}

func startsWithX(s string) bool { return strings.HasPrefix(s, "x") || strings.HasPrefix(s, "X") }

func allQuoted(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	switch w.Parts[0].(type) {
	case *syntax.DblQuoted, *syntax.SglQuoted:
		return true
	}
	return false
}

// hasRegexp reports whether a text may be meant as a regular expression.
func hasRegexp(w *syntax.Word) bool {
	t, ok := literal(w)
	return !ok || strings.ContainsAny(t, `[]*.+()|^$?{}\`)
}

// exitCode reports $? compared with 0 as the only condition.
func (s *script) exitCode(x, y *syntax.Word) {
	at := y
	switch {
	case isLiteral(y, "0") && isStatus(x):
		at = x
	case isLiteral(x, "0") && isStatus(y):
	default:
		return
	}
	s.statusTest(at)
}

func isStatus(w *syntax.Word) bool {
	p, ok := only(w).(*syntax.ParamExp)
	return ok && paramName(p) == "?" && bare(p)
}

func (s *script) statusTest(n syntax.Node) {
	if s.firstInFunction() {
		return
	}
	s.at("SC2181", n, "Test the command itself, as in `if cmd`, not $? behind it")
}

// firstInFunction reports whether the statement in hand is the first one of its
// function: then $? is from the caller.
func (s *script) firstInFunction() bool {
	for i, n := range slices.Backward(s.stack) {
		if fn, ok := n.(*syntax.FuncDecl); ok {
			return slices.Contains(s.stack[i:], syntax.Node(firstStmt(fn.Body)))
		}
	}
	return false
}

// firstStmt is the first simple statement of a compound one.
func firstStmt(st *syntax.Stmt) *syntax.Stmt {
	for st != nil {
		var list []*syntax.Stmt
		switch c := st.Cmd.(type) {
		case *syntax.Block:
			list = c.Stmts
		case *syntax.Subshell:
			list = c.Stmts
		case *syntax.IfClause:
			list = c.Cond
		case *syntax.WhileClause:
			list = c.Cond
		case *syntax.BinaryCmd:
			st = c.X
			continue
		}
		if len(list) == 0 {
			return st
		}
		st = list[0]
	}
	return nil
}

// grepInTest reports [ -n "$(... | grep x)" ].
func (s *script) grepInTest(c *cond) {
	sub, ok := only(c.x).(*syntax.CmdSubst)
	if !ok || len(sub.Stmts) != 1 || sub.Backquotes {
		return // of back quotes shellcheck says that they are, no more
	}
	last := sub.Stmts[0]
	for {
		b, ok := last.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op != syntax.Pipe {
			break
		}
		last = b.Y
	}
	if isCall(last, "grep", "egrep", "fgrep", "zgrep") {
		s.at("SC2143", c.node, "Ask grep -q instead of looking at what grep prints")
	}
}

// arithmetic judges $(( )), (( )) and let.
func (s *script) arithmetic(n syntax.Node) {
	double := true
	var top syntax.ArithmExpr
	switch n := n.(type) {
	case *syntax.ArithmExp:
		top = n.X
	case *syntax.ArithmCmd:
		top = n.X
		s.arithmStatus(n.X)
	case *syntax.CStyleLoop:
		for _, e := range []syntax.ArithmExpr{n.Init, n.Cond, n.Post} {
			if e != nil {
				s.needlessDollars(e)
			}
		}
	case *syntax.LetClause:
		s.at("SC2219", n, "Write (( )) instead of let")
		double = false
	}
	if double && top != nil {
		s.needlessDollars(top)
	}
}

// needlessDollars reports $x where x alone would do.
func (s *script) needlessDollars(e syntax.ArithmExpr) {
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Word:
			if len(n.Parts) != 1 {
				return true
			}
			if p, ok := n.Parts[0].(*syntax.ParamExp); ok && p.Dollar.IsValid() && bare(p) && isName(paramName(p)) && !s.special(p) {
				s.at("SC2004", p, "No $ is needed for variables in arithmetic")
			}
		case *syntax.CmdSubst, *syntax.ArithmExp:
			return false
		case *syntax.ParamExp:
			return !n.Dollar.IsValid()
		}
		return true
	})
}

// special reports whether the index of an expansion has an operator: then
// names without $ could mean something else.
func (s *script) special(p *syntax.ParamExp) bool {
	return p.Index != nil && bytes.ContainsAny(s.text[p.Index.Pos().Offset():p.Index.End().Offset()], "/.:#%?*@$-!+=^,")
}

// arithmStatus reports (( $? == 0 )) and its like.
func (s *script) arithmStatus(e syntax.ArithmExpr) {
	for {
		switch x := e.(type) {
		case *syntax.ParenArithm:
			e = x.X
			continue
		case *syntax.UnaryArithm:
			if x.Op == syntax.Not {
				e = x.X
				continue
			}
		case *syntax.BinaryArithm:
			a, ok1 := x.X.(*syntax.Word)
			b, ok2 := x.Y.(*syntax.Word)
			switch x.Op {
			case syntax.Eql, syntax.Neq, syntax.Lss, syntax.Gtr, syntax.Leq, syntax.Geq:
				if ok1 && ok2 {
					s.exitCode(a, b)
				}
			}
		case *syntax.Word:
			if isStatus(x) {
				s.statusTest(x)
			}
		}
		return
	}
}
