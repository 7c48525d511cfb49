package shell

import (
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// shebang judges the first line.
func (s *script) shebang() {
	line, _, _ := strings.Cut(string(s.text), "\n")
	rest, ok := strings.CutPrefix(line, "#!")
	end := syntax.NewPos(uint(len(strings.TrimRight(line, "\r"))), 1, 1) //nolint:gosec // a length
	start := syntax.NewPos(0, 1, 1)
	if rest = strings.TrimSpace(rest); ok {
		if rest != "" && !strings.HasPrefix(rest, "/") && !s.topMuted("SC2239") {
			s.report("SC2239", start, end, "The interpreter has no absolute path")
		}
		return
	}
	if s.dialect == "" && !s.topMuted("SC2148") {
		s.report("SC2148", start, end, "No shebang: which shell is this for?")
	}
}

// topMuted looks at the directives before the first command.
func (s *script) topMuted(code string) bool {
	s.directives(s.leading(), s.file)
	return s.muted(code, 0)
}

// leading are the comments before the first command.
func (s *script) leading() []syntax.Comment {
	if len(s.file.Stmts) == 0 {
		return s.file.Last
	}
	first := s.file.Stmts[0]
	var out []syntax.Comment
	for _, c := range first.Comments {
		if first.Pos().After(c.Pos()) {
			out = append(out, c)
		}
	}
	return out
}

// statement judges what a whole command is.
func (s *script) statement(st *syntax.Stmt) {
	if st.Cmd == nil && len(st.Redirs) > 0 {
		s.lonelyRedirect(st)
	}
	s.redirectOrder(st)
	s.sedHere(st)
	if list := s.listOf(st); list != nil {
		s.repeatedAppend(st, list)
	}
}

// lonelyRedirect reports a redirection without a command.
func (s *script) lonelyRedirect(st *syntax.Stmt) {
	if sub, ok := s.up(0).(*syntax.CmdSubst); ok && len(sub.Stmts) == 1 && len(st.Redirs) == 1 && st.Redirs[0].Op == syntax.RdrIn {
		return // $(<file)
	}
	s.at("SC2188", st, "No command takes this redirection: use : or true for none")
}

// redirectOrder reports 2>&1 >file.
func (s *script) redirectOrder(st *syntax.Stmt) {
	for i, r := range st.Redirs {
		if i+1 >= len(st.Redirs) || r.Op != syntax.DplOut || r.N == nil || r.N.Value != "2" || !isLiteral(r.Word, "1") {
			continue
		}
		for _, next := range st.Redirs[i+1:] {
			if (next.Op == syntax.RdrOut || next.Op == syntax.AppOut) && (next.N == nil || next.N.Value == "1") && !s.captured(st) {
				s.at("SC2069", r, "2>&1 comes first here: errors go where output went before")
				return
			}
		}
	}
}

// captured reports whether the output of a statement goes to a pipe or a value.
func (s *script) captured(st *syntax.Stmt) bool {
	child := syntax.Node(st)
	for _, v := range slices.Backward(s.stack) {
		switch p := v.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return true
		case *syntax.BinaryCmd:
			if (p.Op == syntax.Pipe || p.Op == syntax.PipeAll) && syntax.Node(p.X) == child {
				return true
			}
		}
		child = v
	}
	return false
}

// listOf is the list a statement stands in, if it is a plain sequence.
func (s *script) listOf(st *syntax.Stmt) []*syntax.Stmt {
	switch p := s.up(0).(type) {
	case *syntax.File:
		return p.Stmts
	case *syntax.Block:
		return p.Stmts
	case *syntax.IfClause:
		if len(p.Then) > 0 && p.Then[0].Position.Offset() <= st.Position.Offset() {
			return p.Then
		}
	case *syntax.WhileClause:
		return p.Do
	case *syntax.ForClause:
		return p.Do
	}
	return nil
}

// repeatedAppend reports the first of three or more commands that append to one
// file.
func (s *script) repeatedAppend(st *syntax.Stmt, list []*syntax.Stmt) {
	target := appendsTo(st)
	if target == "" {
		return
	}
	at := 0
	for at < len(list) && list[at] != st {
		at++
	}
	if at > 0 && appendsTo(list[at-1]) == target {
		return
	}
	n := 0
	for _, next := range list[min(at, len(list)):] {
		if appendsTo(next) != target {
			break
		}
		n++
	}
	if n > 2 {
		s.at("SC2129", st, "Group these commands with { } and append once")
	}
}

// appendsTo is the file that a statement appends to; "" if there is none.
func appendsTo(st *syntax.Stmt) string {
	for _, r := range st.Redirs {
		if r.Op == syntax.AppOut && (r.N == nil || r.N.Value == "1") && r.Word != nil {
			return sketch(r.Word) + fmt.Sprint(names2(r.Word))
		}
	}
	return ""
}

func names2(w *syntax.Word) []string {
	var out []string
	for _, p := range flat(w) {
		if e, ok := p.(*syntax.ParamExp); ok {
			out = append(out, paramName(e))
		}
	}
	return out
}

// binary judges pipes and && ||.
func (s *script) binary(b *syntax.BinaryCmd) {
	switch b.Op {
	case syntax.OrStmt:
		s.shortIf(b)
	case syntax.Pipe, syntax.PipeAll:
		if p, ok := s.up(1).(*syntax.BinaryCmd); ok && (p.Op == syntax.Pipe || p.Op == syntax.PipeAll) && p.X == s.up(0) {
			return // part of a longer one
		}
		s.pipeline(b)
	}
}

// shortIf reports a && b || c.
func (s *script) shortIf(or *syntax.BinaryCmd) {
	and, ok := or.X.Cmd.(*syntax.BinaryCmd)
	if !ok || and.Op != syntax.AndStmt {
		return
	}
	if c := call(or.Y); c != nil {
		if len(c.Args) == 0 {
			return
		}
		switch baseName(c) {
		case "echo", "exit", "return", "printf", "true", ":":
			return
		}
	}
	if isTest(and.Y) || s.inCondition(or) {
		return
	}
	s.report("SC2015", and.OpPos, or.OpPos, "Not an if and else: the last command runs too where the middle one fails")
}

// isTest reports whether a statement is a test.
func isTest(st *syntax.Stmt) bool {
	switch st.Cmd.(type) {
	case *syntax.TestClause, *syntax.ArithmCmd:
		return true
	}
	return isCall(st, "[", "test")
}

// stages are the commands of a pipeline.
func stages(st *syntax.Stmt) []*syntax.Stmt {
	b, ok := st.Cmd.(*syntax.BinaryCmd)
	if !ok || b.Op != syntax.Pipe && b.Op != syntax.PipeAll {
		return []*syntax.Stmt{st}
	}
	return append(stages(b.X), b.Y)
}

func (s *script) pipeline(b *syntax.BinaryCmd) {
	all := append(stages(b.X), b.Y)
	for i := 0; i+1 < len(all); i++ {
		s.pair(all[i], all[i+1])
	}
	if len(all) == 2 {
		s.echoSed(all[0], all[1])
	}
}

// pair judges two neighbours in a pipeline.
func (s *script) pair(x, y *syntax.Stmt) {
	a := call(x)
	if a == nil || len(a.Args) == 0 {
		return
	}
	b := call(y)
	var right []*syntax.Word
	if b != nil && len(b.Args) > 0 {
		right = b.Args[1:]
	}
	left := a.Args[1:]
	switch commandName(a) {
	case "find":
		if isCall(y, "xargs") && !hasFlag(right, "0", "null") && !printsOtherwise(left) {
			s.at("SC2038", x, "Names with blanks break: use -print0 with xargs -0, or find -exec")
		}
	case "ps":
		if isCall(y, "grep") && !hasFlag(left, "p", "pid", "q", "quick-pid") {
			s.at("SC2009", x, "pgrep finds processes without finding itself")
		}
	case "grep":
		if isCall(y, "wc") {
			s.grepCount(x, left, right)
		}
	case "ls":
		s.listed(x, y, left)
	}
}

// listed reports ls in front of another command.
func (s *script) listed(x, y *syntax.Stmt, args []*syntax.Word) {
	switch {
	case isCall(y, "grep"):
		s.at("SC2010", x, "Names with odd characters break: use a glob or a loop with a condition")
	case isCall(y, "xargs"):
		s.at("SC2011", x, "Names with blanks break: use find -print0 with xargs -0, or find -exec")
	case !hasFlag(args, "N"):
		s.at("SC2012", x, "ls writes names for people: use find or a glob")
	}
}

func printsOtherwise(args []*syntax.Word) bool {
	for _, a := range args {
		if w := sketch(a); w == "-print0" || w == "-printf" {
			return true
		}
	}
	return false
}

func (s *script) grepCount(x *syntax.Stmt, grep, wc []*syntax.Word) {
	if len(flagsOf(wc)) == 0 || hasFlag(wc, "m", "chars", "w", "words", "c", "bytes", "L", "max-line-length") ||
		hasFlag(grep, "l", "files-with-matches", "L", "files-without-matches", "o", "only-matching", "r", "R", "recursive", "A", "after-context", "B", "before-context") {
		return
	}
	s.at("SC2126", x, "grep -c counts the lines itself")
}

// echoSed reports echo "$x" | sed s/a/b/.
func (s *script) echoSed(x, y *syntax.Stmt) {
	a, b := call(x), call(y)
	if s.posix() || a == nil || b == nil || len(a.Args) != 2 || commandName(a) != "echo" || sketch(a.Args[1]) != "${VAR}" {
		return
	}
	if simpleSed(b) {
		s.report("SC2001", x.Pos(), y.End(), "${variable//search/replace} may do this without sed")
	}
}

// sedHere reports sed s/a/b/ <<<"$x".
func (s *script) sedHere(st *syntax.Stmt) {
	c := call(st)
	if c == nil || s.posix() || len(st.Redirs) != 1 || st.Redirs[0].Op != syntax.WordHdoc || !simpleSed(c) {
		return
	}
	if sketch(st.Redirs[0].Word) == "${VAR}" {
		s.at("SC2001", st, "${variable//search/replace} may do this without sed")
	}
}

// simpleSed reports whether a command is sed with one substitution.
func simpleSed(c *syntax.CallExpr) bool {
	script := ""
	switch {
	case len(c.Args) == 2 && commandName(c) == "sed":
		script = sketch(c.Args[1])
	case len(c.Args) == 3 && commandName(c) == "sed" && word(c.Args[1]) == "-e":
		script = sketch(c.Args[2])
	}
	if len(script) < 4 || script[0] != 's' || strings.Contains(script, "\n") {
		return false
	}
	delim := script[1:2]
	rest := strings.TrimSuffix(script[2:], "g")
	return strings.Count(rest, delim) == 2 && strings.HasSuffix(rest, delim)
}

// forLoop judges what a loop runs over.
func (s *script) forLoop(f *syntax.ForClause) {
	it, ok := f.Loop.(*syntax.WordIter)
	if !ok || f.Select {
		return
	}
	for _, w := range it.Items {
		s.globInLoop(w)
		for _, p := range w.Parts {
			if sub, ok := p.(*syntax.CmdSubst); ok {
				s.loopOverLines(sub)
			}
		}
	}
	if len(it.Items) != 1 {
		return
	}
	w := it.Items[0]
	if len(w.Parts) == 1 {
		if sub, ok := w.Parts[0].(*syntax.CmdSubst); ok {
			s.loopOverFiles(sub)
		}
	}
	s.loopOverOne(w)
}

// globInLoop reports $dir/*.txt.
func (s *script) globInLoop(w *syntax.Word) {
	glob := false
	for _, p := range w.Parts {
		glob = glob || hasGlob(p)
	}
	if !glob {
		return
	}
	for _, p := range w.Parts {
		if e, ok := p.(*syntax.ParamExp); ok && !e.Length && !withoutSpaces(paramName(e)) {
			s.at("SC2231", e, "Quote this, not the pattern: \"$dir\"/*.txt")
		}
	}
}

func (s *script) loopOverLines(sub *syntax.CmdSubst) {
	if len(sub.Stmts) != 1 {
		return
	}
	for _, st := range stages(sub.Stmts[0]) {
		if !isCall(st, "grep", "fgrep", "egrep", "sed", "cat", "awk", "cut", "sort") {
			return
		}
	}
	s.at("SC2013", sub, "This loops over words, not lines: use while read")
}

func (s *script) loopOverFiles(sub *syntax.CmdSubst) {
	if len(sub.Stmts) != 1 {
		return
	}
	switch st := sub.Stmts[0]; {
	case isCall(st, "ls"):
		s.at("SC2045", sub, "Looping over what ls prints breaks on blanks: use a glob")
	case isCall(st, "find"):
		s.at("SC2044", sub, "Looping over what find prints breaks on blanks: use find -exec or while read")
	}
}

// loopOverOne reports a loop over a single quoted list.
func (s *script) loopOverOne(w *syntax.Word) {
	if len(w.Parts) != 1 {
		return
	}
	q, ok := w.Parts[0].(*syntax.DblQuoted)
	if !ok {
		return
	}
	for _, p := range q.Parts {
		switch p := p.(type) {
		case *syntax.CmdSubst:
			s.at("SC2066", q, "In quotes this is one word: the loop runs once")
			return
		case *syntax.ParamExp:
			if isArray(p) {
				return
			}
		}
	}
	if len(q.Parts) > 0 {
		if p, ok := q.Parts[0].(*syntax.ParamExp); ok && len(q.Parts) == 1 && plain(p) {
			s.at("SC2066", q, "In quotes this is one word: the loop runs once")
		}
	}
}

// casePatterns reports expansions that are patterns.
func (s *script) casePatterns(item *syntax.CaseItem) {
	for _, w := range item.Patterns {
		if slices.ContainsFunc(w.Parts, hasGlob) {
			continue // meant as a pattern
		}
		for _, p := range w.Parts {
			switch p := p.(type) {
			case *syntax.ParamExp, *syntax.CmdSubst:
				s.at("SC2254", p, "Quote this, or it is a pattern")
			}
		}
	}
}

// unreached reports functions that nothing can call.
func (s *script) unreached() {
	if s.flow.gaveUp() {
		return
	}
	var outer *syntax.FuncDecl
	for _, fn := range s.flow.known {
		if s.flow.called[fn] || s.inTest(fn) || outer != nil && outer.End().After(fn.Pos()) {
			continue
		}
		outer = fn
		s.at("SC2329", fn, "Nothing calls this function")
	}
}

// inTest reports whether a function is declared in a test of bats.
func (s *script) inTest(fn *syntax.FuncDecl) bool {
	for _, st := range s.file.Stmts {
		if t, ok := st.Cmd.(*syntax.TestDecl); ok && fn.Pos().After(t.Pos()) && t.End().After(fn.Pos()) {
			return true
		}
	}
	return false
}
