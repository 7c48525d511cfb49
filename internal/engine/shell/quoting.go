package shell

import (
	"bytes"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"poly/internal/diag"
)

// expansion judges one $x or ${x...}.
func (s *script) expansion(p *syntax.ParamExp) {
	if !p.Dollar.IsValid() {
		return
	}
	s.arrayAsText(p)
	s.innerQuotes(p)
	if s.splitHere(p) {
		if p.Exp != nil && (p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull) && s.isParamOf(":") {
			s.at("SC2223", p, "Quote this default: its value is also split and matched against files")
		} else {
			s.at("SC2086", p, "Quote this expansion against splitting and globbing")
		}
	}
}

// splitHere reports whether the shell splits an expansion whose value may have
// blanks or patterns.
func (s *script) splitHere(p *syntax.ParamExp) bool {
	name := paramName(p)
	if isArray(p) || p.Length || isAlternative(p) || name == "" || p.Names != 0 {
		return false
	}
	if withoutSpaces(name) && len(name) == 1 || s.quoteFree(p, false) || s.isCommandName() {
		return false
	}
	v, seen := s.flow.values[p]
	return v < clean && (seen || !s.flow.gaveUp())
}

// isParamOf reports whether the node in hand is in an argument of a command.
func (s *script) isParamOf(cmd string) bool {
	c, ok := s.command().(*syntax.CallExpr)
	return ok && commandName(c) == cmd
}

// arrayAsText reports an array that is named without an index.
func (s *script) arrayAsText(p *syntax.ParamExp) {
	if s.posix() || !plain(p) || !s.vars.arrays[p.Param.Value] {
		return
	}
	s.at("SC2128", p, "An array without an index is its first element only")
}

// innerQuotes reports expansions in the pattern of ${x#...}: the outer quotes
// do not reach it.
func (s *script) innerQuotes(p *syntax.ParamExp) {
	if p.Exp == nil || p.Exp.Word == nil {
		return
	}
	switch p.Exp.Op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
	default:
		return
	}
	for _, part := range p.Exp.Word.Parts {
		switch part.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst:
			s.at("SC2295", part, "Quote this inside the braces, or it is a pattern")
		}
	}
}

// substitution judges $(...) and `...`.
func (s *script) substitution(c *syntax.CmdSubst) {
	if c.Backquotes && len(c.Stmts) > 0 {
		s.at("SC2006", c, "Back quotes: $(...) nests and reads better", s.dollar(c)...)
	}
	if len(c.Stmts) == 0 || c.TempFile || c.ReplyVar {
		return
	}
	s.uselessEcho(c)
	if len(c.Stmts) == 1 && isCall(c.Stmts[0], "seq", "pgrep") || s.quoteFree(c, false) || s.isCommandName() {
		return
	}
	s.at("SC2046", c, "Quote this against splitting and globbing")
}

// dollar is the edit from back quotes to $(), where nothing inside is escaped
// and no dollar stands before, which would be taken for the first of $$.
func (s *script) dollar(c *syntax.CmdSubst) []diag.Edit {
	a, b := int(c.Left.Offset()), int(c.Right.Offset())
	if a > 0 && s.text[a-1] == '$' {
		return nil
	}
	if inner := s.text[a+1 : b]; bytes.ContainsAny(inner, "\\`#\"'") || inner[0] == '(' || bytes.Contains(inner, []byte("case")) {
		return nil
	}
	return []diag.Edit{{Start: a, End: a + 1, Replacement: "$("}, {Start: b, End: b + 1, Replacement: ")"}}
}

// uselessEcho reports $(echo x).
func (s *script) uselessEcho(c *syntax.CmdSubst) {
	if len(c.Stmts) != 1 || len(c.Stmts[0].Redirs) > 0 || !isCall(c.Stmts[0], "echo") {
		return
	}
	args := call(c.Stmts[0]).Args[1:]
	if len(args) == 1 && len(args[0].Parts) == 1 {
		if _, ok := only(args[0]).(*syntax.CmdSubst); ok {
			return // SC2005 tells it
		}
	}
	for i, a := range args {
		if i == 0 && strings.HasPrefix(sketch(a), "-") {
			return
		}
		for _, p := range a.Parts {
			if hasGlob(p) || hasBraces(p) {
				return
			}
		}
	}
	s.at("SC2116", c, "The echo is of no use: write its arguments in the place of this")
}

// word judges a whole word.
func (s *script) word(w *syntax.Word) {
	s.star(w)
	s.mixedArray(w)
	s.stray(w)
	if _, ok := s.up(0).(*syntax.ArrayElem); ok {
		s.arrayElement(w)
	}
}

// star reports unquoted lists: $@, $*, ${a[@]}.
func (s *script) star(w *syntax.Word) {
	strict := func(n syntax.Node) bool { return s.quoteFree(n, true) }
	for _, p := range w.Parts {
		if isArray(p) && !isAlternative(p) && !strict(w) {
			s.at("SC2068", p, "Quote this list, or its elements are split again")
			break
		}
	}
	if len(w.Parts) != 1 {
		return
	}
	if e, ok := w.Parts[0].(*syntax.ParamExp); ok && !e.Length && (paramName(e) == "*" || indexIs(e, "*")) && !e.Excl && !strict(w) {
		s.at("SC2048", e, "Elements are split again: write the list with @ and in quotes")
	}
}

// mixedArray reports text that is joined to a list.
func (s *script) mixedArray(w *syntax.Word) {
	parts := flat(w)
	if len(parts) < 2 || s.quoteFree(w, false) {
		return
	}
	for _, p := range parts {
		if isArray(p) {
			s.at("SC2145", p, "Text is joined to the first or last element only: write * for one text, or a word of its own")
			return
		}
	}
}

// stray reports "a"$b"c" and "a"b"c", 'a'b'c': quotes that end where they
// should not.
func (s *script) stray(w *syntax.Word) {
	for i := 0; i+1 < len(w.Parts); i++ {
		if q, ok := w.Parts[i].(*syntax.SglQuoted); ok && !q.Dollar {
			if l, ok := w.Parts[i+1].(*syntax.Lit); ok && allAlnum(unescape(l.Value)) {
				s.at("SC2026", l, "This stands outside of the quotes")
			}
		}
		if i > 0 {
			s.between(w, i)
		}
	}
}

// between judges a part that stands between two in double quotes.
func (s *script) between(w *syntax.Word, i int) {
	a, ok := w.Parts[i-1].(*syntax.DblQuoted)
	b, ok2 := w.Parts[i+1].(*syntax.DblQuoted)
	if !ok || !ok2 {
		return
	}
	const open = "The quotes around this close the outer ones: escape or drop them"
	switch p := w.Parts[i].(type) {
	case *syntax.CmdSubst:
		if !p.Backquotes {
			s.at("SC2027", p, open)
		}
	case *syntax.ParamExp:
		s.at("SC2027", p, open)
	case *syntax.Lit:
		meant := p.Value == "=" || p.Value == ":" || p.Value == "/" || strings.ContainsAny(p.Value, "*?")
		if !meant && !(single(a) && single(b)) && !s.inPattern(w) {
			s.at("SC2140", p, "This stands outside of the quotes: escape or drop the inner ones")
		}
	}
}

func allAlnum(t string) bool {
	for i := range len(t) {
		if !isAlnum(t[i]) {
			return false
		}
	}
	return t != ""
}

// single reports whether quotes hold one expansion.
func single(q *syntax.DblQuoted) bool {
	if len(q.Parts) != 1 {
		return false
	}
	switch q.Parts[0].(type) {
	case *syntax.ParamExp, *syntax.CmdSubst:
		return true
	}
	return false
}

// inPattern reports whether a word is a regular expression, or inside ${ }.
func (s *script) inPattern(w *syntax.Word) bool {
	for _, n := range slices.Backward(s.stack) {
		switch p := n.(type) {
		case *syntax.Stmt:
			return false
		case *syntax.ParamExp:
			return true
		case *syntax.BinaryTest:
			return p.Op == syntax.TsReMatch && p.Y == syntax.TestExpr(w)
		}
	}
	return false
}

// arrayElement reports elements of x=(...) that are split.
func (s *script) arrayElement(w *syntax.Word) {
	if e, ok := s.up(0).(*syntax.ArrayElem); !ok || e.Index != nil {
		return
	}
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.CmdSubst:
			s.at("SC2207", p, "Output is split and globbed into elements: read it with mapfile or read -a")
		case *syntax.ParamExp:
			if !p.Length && !isAlternative(p) && !withoutSpaces(paramName(p)) && paramName(p) != "" {
				s.at("SC2206", p, "This is split and globbed into elements: quote it, or use mapfile or read -a")
			}
		}
	}
}

// singleQuoted reports expansions that single quotes switch off.
func (s *script) singleQuoted(q *syntax.SglQuoted) {
	if q.Dollar || !looksExpanded(q.Value) {
		return
	}
	cmd := s.quotedFor()
	if cmd == "sed" {
		if sedMeans(q.Value) {
			return
		}
	} else if takesCode(cmd) || s.isPrompt() {
		return
	}
	s.at("SC2016", q, "Single quotes: this is not expanded")
}

// looksExpanded finds $x, ${, $( and `x` in a text.
func looksExpanded(t string) bool {
	for i := range len(t) {
		switch t[i] {
		case '$':
			if i+1 < len(t) && (t[i+1] == '{' || t[i+1] == '(' || t[i+1] == '_' || isAlnum(t[i+1])) {
				return true
			}
		case '`':
			if n := strings.IndexByte(t[i+1:], '`'); n > 0 {
				return true
			}
		}
	}
	return false
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// sedMeans reports whether a dollar is an address or the command of a sed script.
func sedMeans(t string) bool {
	for i := 0; i+1 < len(t); i++ {
		if t[i] == '$' && strings.IndexByte("{dpsaic", t[i+1]) >= 0 && (i+2 == len(t) || !isLetter(t[i+2])) {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// takesCode reports whether a command reads code of its own from an argument.
func takesCode(cmd string) bool {
	switch cmd {
	case "trap", "sh", "bash", "ksh", "zsh", "ssh", "eval", "xprop", "alias", "sudo", "doas", "run0", "docker", "podman", "oc",
		"dpkg-query", "jq", "rename", "rg", "unset", "git filter-branch":
		return true
	}
	return strings.HasSuffix(cmd, "awk") || strings.HasPrefix(cmd, "perl")
}

// quotedFor is the command that the node in hand is an argument of.
func (s *script) quotedFor() string {
	c, ok := s.command().(*syntax.CallExpr)
	if !ok {
		if s.command() == nil && len(s.stack) > 0 {
			return s.redirected()
		}
		return ""
	}
	switch base := baseName(c); base {
	case "find":
		for i, a := range c.Args {
			if w := word(a); (w == "-exec" || w == "-execdir") && i+1 < len(c.Args) {
				return word(c.Args[i+1])
			}
		}
		return base
	case "git":
		if len(c.Args) > 1 && word(c.Args[1]) == "filter-branch" {
			return "git filter-branch"
		}
		return base
	default:
		return base
	}
}

// redirected is the command whose redirection the node in hand is in.
func (s *script) redirected() string {
	for _, v := range slices.Backward(s.stack) {
		if st, ok := v.(*syntax.Stmt); ok {
			if c := call(st); c != nil && len(c.Args) > 0 {
				return baseName(c)
			}
			return ""
		}
	}
	return ""
}

// isPrompt reports whether the node in hand is the value of a prompt variable.
func (s *script) isPrompt() bool {
	for i := range 3 {
		switch p := s.up(i).(type) {
		case *syntax.Assign:
			if p.Name == nil {
				return false
			}
			switch p.Name.Value {
			case "PS1", "PS2", "PS3", "PS4", "PROMPT_COMMAND":
				return true
			}
		case *syntax.UnaryTest:
			return p.Op == syntax.TsVarSet
		}
	}
	return false
}
