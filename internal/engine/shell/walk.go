package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// check runs all rules.
func (s *script) check() {
	s.setE = s.hasSetE()
	s.flow = follow(s.file, s.dialect)
	s.vars, s.keyed = newVariables(), s.keyedArrays()
	s.shebang()
	syntax.Walk(s.file, func(n syntax.Node) bool {
		if n == nil {
			s.leave(s.stack[len(s.stack)-1])
			s.stack = s.stack[:len(s.stack)-1]
			return true
		}
		s.node(n)
		s.stack = append(s.stack, n)
		return true
	})
	s.unused()
	s.unassigned()
	s.unreached()
}

// node runs the rules for one node; its ancestors are on the stack.
func (s *script) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Stmt:
		s.directives(n.Comments, n)
		s.statement(n)
	case *syntax.CaseItem:
		s.directives(n.Comments, n)
		s.casePatterns(n)
	case *syntax.CallExpr:
		s.simpleCommand(n)
	case *syntax.DeclClause:
		s.declaration(n)
	case *syntax.Assign:
		s.assignment(n)
	case *syntax.BinaryCmd:
		s.binary(n)
	case *syntax.ForClause:
		s.forLoop(n)
	case *syntax.Word:
		s.word(n)
	case *syntax.ParamExp:
		s.expansion(n)
	case *syntax.CmdSubst:
		s.substitution(n)
	case *syntax.SglQuoted:
		s.singleQuoted(n)
	case *syntax.TestClause:
		s.condition(parseDouble(n.X), true)
	case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause, *syntax.CStyleLoop:
		s.arithmetic(n)
	}
	s.flowOf(n)
	if s.posix() {
		s.bashism(n)
	}
}

// leave notes what a command sets, after what it reads.
func (s *script) leave(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Stmt:
		switch c := n.Cmd.(type) {
		case *syntax.CallExpr:
			s.callFlow(c)
		case *syntax.DeclClause:
			s.declFlow(c)
		}
	}
}

// up returns the i-th ancestor of the node in hand, 0 being its parent.
func (s *script) up(i int) syntax.Node {
	if i >= len(s.stack) {
		return nil
	}
	return s.stack[len(s.stack)-1-i]
}

// quoteFree reports whether what stands at the node in hand is not split,
// quoted or not. strict: the list of a for loop is split.
func (s *script) quoteFree(n syntax.Node, strict bool) bool {
	child := n
	for i, v := range slices.Backward(s.stack) {
		switch p := v.(type) {
		case *syntax.DblQuoted, *syntax.ParamExp, *syntax.TestClause, *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.CStyleLoop,
			*syntax.CaseItem, *syntax.CaseClause:
			return true
		case *syntax.Stmt:
			return false
		case *syntax.WordIter:
			return !strict
		case *syntax.Redirect:
			return syntax.Node(p.Hdoc) == child
		case *syntax.Assign:
			if p.Name == nil {
				break
			}
			_, argument := s.above(i).(*syntax.DeclClause)
			return !argument || s.dialect != "sh"
		}
		child = v
	}
	return false
}

func (s *script) above(i int) syntax.Node {
	if i == 0 {
		return nil
	}
	return s.stack[i-1]
}

// isCommandName reports whether the node in hand is all there is of the name of
// a command.
func (s *script) isCommandName() bool {
	i := 0
	if q, ok := s.up(0).(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		i = 1
	}
	w, ok := s.up(i).(*syntax.Word)
	if !ok || len(w.Parts) != 1 {
		return false
	}
	c, ok := s.up(i + 1).(*syntax.CallExpr)
	return ok && len(c.Args) > 0 && (c.Args[0] == w || c.Args[effective(c)] == w)
}

// command returns the simple command around the node in hand, nil if there is
// none in its statement.
func (s *script) command() syntax.Command {
	for _, v := range slices.Backward(s.stack) {
		switch n := v.(type) {
		case *syntax.Stmt:
			return nil
		case *syntax.CallExpr:
			return n
		case *syntax.DeclClause:
			return n
		}
	}
	return nil
}

// inCondition reports whether the exit status of the node in hand is looked at
// by a command around it.
func (s *script) inCondition(n syntax.Node) bool {
	child := n
	for _, v := range slices.Backward(s.stack) {
		switch p := v.(type) {
		case *syntax.BinaryCmd:
			if (p.Op == syntax.AndStmt || p.Op == syntax.OrStmt) && syntax.Node(p.X) == child {
				return true
			}
		case *syntax.IfClause:
			if p.ThenPos.IsValid() && isLast(p.Cond, child) {
				return true
			}
		case *syntax.WhileClause:
			if isLast(p.Cond, child) {
				return true
			}
		}
		child = v
	}
	return false
}

func isLast(list []*syntax.Stmt, n syntax.Node) bool {
	return len(list) > 0 && syntax.Node(list[len(list)-1]) == n
}

// hasSetE reports whether the script asks anywhere to end on failures.
func (s *script) hasSetE() bool {
	line, _, _ := strings.Cut(string(s.text[:min(len(s.text), 200)]), "\n")
	if strings.HasPrefix(line, "#!") {
		for _, w := range strings.Fields(line)[1:] {
			if strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "e") {
				return true
			}
		}
	}
	found := false
	syntax.Walk(s.file, func(n syntax.Node) bool {
		c, ok := n.(*syntax.CallExpr)
		if !ok || len(c.Args) < 2 || commandName(c) != "set" {
			return !found
		}
		for _, a := range c.Args[1:] {
			w := word(a)
			found = found || w == "errexit" || strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "e")
		}
		return !found
	})
	return found
}

// keyedArrays are the names that are declared as arrays with text for keys.
func (s *script) keyedArrays() map[string]bool {
	keyed := map[string]bool{}
	syntax.Walk(s.file, func(n syntax.Node) bool {
		d, ok := n.(*syntax.DeclClause)
		if !ok {
			return true
		}
		is := false
		for _, a := range d.Args {
			if a.Name == nil && a.Value != nil {
				is = is || strings.Contains(a.Value.Lit(), "A")
			} else if a.Name != nil && is {
				keyed[a.Name.Value] = true
			}
		}
		return true
	})
	return keyed
}
