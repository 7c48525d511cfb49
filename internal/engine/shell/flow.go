package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// status tells whether a value may be split or be taken for a pattern.
type status uint8

// The zero status is that of a variable nobody has set: anything may be in it.
const (
	dirty status = iota
	empty
	clean
	integer // clean whatever is assigned
)

func join(a, b status) status {
	switch {
	case a == empty:
		return b
	case b == empty:
		return a
	case a >= clean && b >= clean:
		return clean
	}
	return dirty
}

// merge is the status where two ways meet.
func merge(a, b status) status {
	if a == b {
		return a
	}
	return join(a, b)
}

// state is what is known at one place of a script.
type state struct {
	vars  map[string]status
	funcs map[string][]*syntax.FuncDecl // several: the ways that lead here differ
	dead  bool                          // no way leads here
}

func (s *state) copy() *state {
	return &state{maps.Clone(s.vars), maps.Clone(s.funcs), s.dead}
}

// meet makes s what is known where it and o come together.
func (s *state) meet(o *state) {
	switch {
	case o.dead:
		return
	case s.dead:
		*s = *o.copy()
		return
	}
	for n, v := range s.vars {
		if w, ok := o.vars[n]; !ok {
			delete(s.vars, n)
		} else if v != w {
			s.vars[n] = merge(v, w)
		}
	}
	for n, fns := range o.funcs {
		for _, fn := range fns {
			if !slices.Contains(s.funcs[n], fn) {
				s.funcs[n] = append(slices.Clip(s.funcs[n]), fn)
			}
		}
	}
}

func (s *state) set(name string, v status) {
	if s.vars[name] == integer && v != empty {
		return
	}
	s.vars[name] = v
}

// flow follows a script from its start, into the functions it calls, and finds
// out what variables hold where they are expanded and which code is never run.
type flow struct {
	seen   map[*syntax.FuncDecl]bool   // in known
	values map[*syntax.ParamExp]status // what was seen, taken together
	alive  map[*syntax.Stmt]bool       // seen: whether it is run
	called map[*syntax.FuncDecl]bool   // seen: whether its body is run
	known  []*syntax.FuncDecl          // declared, in order
	frames []*frame                    // functions that are being run
	loops  []*state                    // where break leads to, innermost last
	steps  int                         // work left
	bats   bool
}

// frame is a function that is being run.
type frame struct {
	decl   *syntax.FuncDecl
	exits  *state // where return leads to
	locals map[string]status
	unset  map[string]bool
}

// maxSteps bounds the statements that are followed; functions that call each
// other would multiply them.
const maxSteps = 20_000

// gaveUp reports whether the script was too much to be followed to its end.
func (f *flow) gaveUp() bool { return f.steps < 0 }

func newState() *state {
	return &state{vars: map[string]status{}, funcs: map[string][]*syntax.FuncDecl{}}
}

func follow(file *syntax.File, dialect string) *flow {
	f := &flow{
		values: map[*syntax.ParamExp]status{}, alive: map[*syntax.Stmt]bool{}, called: map[*syntax.FuncDecl]bool{}, seen: map[*syntax.FuncDecl]bool{}, steps: maxSteps,
	}
	f.bats = dialect == "bats"
	st := newState()
	if f.bats {
		st.vars["status"] = integer
	}
	f.list(file.Stmts, st)
	// What the script itself does not call may be called by one that reads it.
	for _, fn := range f.known {
		if !f.called[fn] && fn.Name != nil && slices.Contains(st.funcs[fn.Name.Value], fn) {
			f.run(fn, st.copy())
		}
	}
	return f
}

func (f *flow) list(stmts []*syntax.Stmt, st *state) {
	for _, s := range stmts {
		f.stmt(s, st)
	}
}

func (f *flow) stmt(s *syntax.Stmt, st *state) {
	if s == nil {
		return
	}
	f.steps--
	f.alive[s] = f.alive[s] || !st.dead
	if s.Background || s.Coprocess {
		st = st.copy()
	}
	for _, r := range s.Redirs {
		f.words(r, st)
		if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
			st.set(strings.Trim(r.N.Value, "{}"), integer)
		}
	}
	if s.Cmd != nil {
		f.command(s.Cmd, st)
	}
}

func (f *flow) command(c syntax.Command, st *state) {
	switch c := c.(type) {
	case *syntax.CallExpr:
		f.call(c, st)
	case *syntax.DeclClause:
		f.declare(c, st)
	case *syntax.Block:
		f.list(c.Stmts, st)
	case *syntax.Subshell:
		f.list(c.Stmts, st.copy())
	case *syntax.BinaryCmd:
		f.binary(c, st)
	case *syntax.IfClause:
		f.ifClause(c, st)
	case *syntax.WhileClause:
		f.loop(st, func(st *state) { f.list(c.Cond, st) }, func(st *state) { f.list(c.Do, st) })
	case *syntax.ForClause:
		f.forClause(c, st)
	case *syntax.CaseClause:
		f.caseClause(c, st)
	case *syntax.FuncDecl:
		f.define(c, st)
	case *syntax.TestDecl:
		f.stmt(c.Body, st.copy())
	case *syntax.TimeClause:
		f.stmt(c.Stmt, st)
	case *syntax.CoprocClause:
		f.stmt(c.Stmt, st.copy())
	case *syntax.ArithmCmd, *syntax.LetClause, *syntax.TestClause:
		f.words(c, st)
	}
}

// define notes a function that is declared.
func (f *flow) define(fn *syntax.FuncDecl, st *state) {
	if fn.Name == nil {
		return
	}
	st.funcs[fn.Name.Value] = []*syntax.FuncDecl{fn}
	if !f.seen[fn] {
		f.seen[fn] = true
		f.known = append(f.known, fn)
	}
}

func (f *flow) binary(c *syntax.BinaryCmd, st *state) {
	switch c.Op {
	case syntax.AndStmt, syntax.OrStmt:
		f.stmt(c.X, st)
		other := st.copy()
		f.stmt(c.Y, other)
		st.meet(other)
		if st.dead {
			*st = *other
		}
	default:
		f.stmt(c.X, st.copy())
		f.stmt(c.Y, st.copy())
	}
}

func (f *flow) ifClause(c *syntax.IfClause, st *state) {
	f.list(c.Cond, st)
	els := st.copy()
	f.list(c.Then, st)
	switch {
	case c.Else == nil:
	case c.Else.ThenPos.IsValid():
		f.ifClause(c.Else, els)
	default:
		f.list(c.Else.Then, els)
	}
	st.meet(els)
}

// loop runs a loop twice: what the first round leaves is known in the second.
func (f *flow) loop(st *state, head, body func(*state)) {
	exit := &state{dead: true}
	f.loops = append(f.loops, exit)
	head(st)
	for range 2 {
		round := st.copy()
		body(round)
		head(round)
		st.meet(round)
	}
	f.loops = f.loops[:len(f.loops)-1]
	st.meet(exit)
}

func (f *flow) forClause(c *syntax.ForClause, st *state) {
	switch l := c.Loop.(type) {
	case *syntax.CStyleLoop:
		f.arithmetic(l.Init, st)
		f.loop(st, func(st *state) { f.arithmetic(l.Cond, st) }, func(st *state) { f.list(c.Do, st); f.arithmetic(l.Post, st) })
	case *syntax.WordIter:
		value, known := empty, len(l.Items) > 0
		for _, w := range l.Items {
			f.words(w, st)
			known = known && !splits(w)
			value = merge(value, f.value(w, st))
		}
		if !known {
			value = dirty
		}
		f.loop(st, func(*state) {}, func(st *state) { st.set(l.Name.Value, value); f.list(c.Do, st) })
	}
}

func (f *flow) arithmetic(e syntax.ArithmExpr, st *state) {
	if e != nil {
		f.words(e, st)
	}
}

func (f *flow) caseClause(c *syntax.CaseClause, st *state) {
	f.words(c.Word, st)
	entry, others := st.copy(), true
	through := &state{dead: true} // from the branch before, by ;&
	exit := &state{dead: true}
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			f.words(p, st)
			others = others && p.Lit() != "*"
		}
		branch := entry.copy()
		branch.meet(through)
		through = &state{dead: true}
		f.list(item.Stmts, branch)
		switch item.Op {
		case syntax.Fallthrough, syntax.Resume, syntax.ResumeKorn:
			through = branch.copy()
		}
		exit.meet(branch)
	}
	if others {
		exit.meet(entry)
	}
	if exit.vars == nil {
		exit.vars, exit.funcs = map[string]status{}, entry.funcs
	}
	*st = *exit
}

// splits reports whether a word may become several.
func splits(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst:
			return true
		case *syntax.Lit:
			if hasGlob(p) || hasBraces(p) {
				return true
			}
		case *syntax.DblQuoted:
			if slices.ContainsFunc(p.Parts, isArray) {
				return true
			}
		case *syntax.ExtGlob:
			return true
		}
	}
	return false
}

// value is the status of what a word expands to when it is assigned.
func (f *flow) value(w *syntax.Word, st *state) status {
	if w == nil {
		return empty
	}
	v := empty
	for _, p := range flat(w) {
		v = join(v, f.part(p, st))
	}
	return v
}

func (f *flow) part(p syntax.WordPart, st *state) status {
	switch p := p.(type) {
	case *syntax.ArithmExp:
		return clean
	case *syntax.ParamExp:
		if p.Length {
			return clean
		}
		if plain(p) {
			return f.variable(p.Param.Value, st)
		}
		return dirty
	}
	s, ok := literalPart(p, true)
	switch {
	case !ok, strings.ContainsAny(s, " \t\n*?["):
		return dirty
	case s == "":
		return empty
	}
	return clean
}

func (f *flow) variable(name string, st *state) status {
	if v, ok := st.vars[name]; ok {
		return v
	}
	if withoutSpaces(name) {
		return clean
	}
	return dirty
}

// words looks at the expansions below a node: it notes what they expand, runs
// what they start, and does the assignments they make.
func (f *flow) words(n syntax.Node, st *state) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			f.list(n.Stmts, st.copy())
			return false
		case *syntax.ProcSubst:
			f.list(n.Stmts, st.copy())
			return false
		case *syntax.ParamExp:
			f.expansion(n, st)
		case *syntax.UnaryArithm:
			if n.Op == syntax.Inc || n.Op == syntax.Dec {
				f.assignNumber(n.X, st)
			}
		case *syntax.BinaryArithm:
			if isAssignOp(n.Op) {
				f.assignNumber(n.X, st)
			}
		}
		return true
	})
}

func (f *flow) expansion(n *syntax.ParamExp, st *state) {
	name := paramName(n)
	now := f.variable(name, st)
	if n.Index != nil {
		now = dirty
	}
	if before, seen := f.values[n]; seen {
		now = merge(now, before)
	}
	f.values[n] = now
	if n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) && isName(name) {
		st.set(name, merge(f.variable(name, st), f.value(n.Exp.Word, st)))
	}
}

func (f *flow) assignNumber(x syntax.ArithmExpr, st *state) {
	if n := arithmName(x); n != "" {
		st.set(n, clean)
	}
}

// arithmName is the variable that an expression names, "" if it is another.
func arithmName(x syntax.ArithmExpr) string {
	w, ok := x.(*syntax.Word)
	if !ok {
		return ""
	}
	if n := w.Lit(); isName(n) {
		return n
	}
	if len(w.Parts) == 1 {
		if p, ok := w.Parts[0].(*syntax.ParamExp); ok && !p.Dollar.IsValid() {
			return paramName(p)
		}
	}
	return ""
}

func isAssignOp(op syntax.BinAritOperator) bool {
	switch op {
	case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn,
		syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
		return true
	}
	return false
}
