package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// unescape takes the backslashes from an unquoted literal.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// literal returns what a word says, quotes taken away; ok is false if only a
// run of the script could tell.
func literal(w *syntax.Word) (value string, ok bool) {
	if w == nil {
		return "", false
	}
	if len(w.Parts) == 1 {
		return literalPart(w.Parts[0], false)
	}
	var b strings.Builder
	for _, p := range w.Parts {
		s, ok := literalPart(p, false)
		if !ok {
			return "", false
		}
		b.WriteString(s)
	}
	return b.String(), true
}

func literalPart(p syntax.WordPart, quoted bool) (string, bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		if quoted {
			return p.Value, true
		}
		return unescape(p.Value), true
	case *syntax.SglQuoted:
		return p.Value, true
	case *syntax.DblQuoted:
		var b strings.Builder
		for _, in := range p.Parts {
			s, ok := literalPart(in, true)
			if !ok {
				return "", false
			}
			b.WriteString(s)
		}
		return b.String(), true
	}
	return "", false
}

// word returns the literal value of a word, "" if it has none.
func word(w *syntax.Word) string {
	s, _ := literal(w)
	return s
}

// isLiteral reports whether a word says s.
func isLiteral(w *syntax.Word, s string) bool {
	got, ok := literal(w)
	return ok && got == s
}

// sketch returns what of a word is known, with "${VAR}" for the rest.
func sketch(w *syntax.Word) string {
	var b strings.Builder
	for _, p := range flat(w) {
		if s, ok := literalPart(p, true); ok {
			b.WriteString(s)
		} else {
			b.WriteString("${VAR}")
		}
	}
	return b.String()
}

// flat returns the parts of a word, those inside double quotes too.
func flat(w *syntax.Word) []syntax.WordPart {
	if w == nil {
		return nil
	}
	var out []syntax.WordPart
	for _, p := range w.Parts {
		if q, ok := p.(*syntax.DblQuoted); ok {
			out = append(out, q.Parts...)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// only returns the single part of a word, double quotes taken away.
func only(w *syntax.Word) syntax.WordPart {
	if parts := flat(w); len(parts) == 1 {
		return parts[0]
	}
	return nil
}

// commandName returns the name of a simple command as written, without the
// backslash that avoids an alias; "" if it is not fixed.
func commandName(c *syntax.CallExpr) string {
	if len(c.Args) == 0 {
		return ""
	}
	return word(c.Args[effective(c)])
}

// effective returns where the command starts that is really run: behind
// command, builtin, exec, busybox and the run of bats.
func effective(c *syntax.CallExpr) int {
	at := 0
	for at+1 < len(c.Args) {
		switch word(c.Args[at]) {
		case "command", "builtin", "exec", "busybox", "run":
			if strings.HasPrefix(sketch(c.Args[at+1]), "-") {
				return at
			}
			at++
		default:
			return at
		}
	}
	return at
}

// baseName returns the name of a simple command without its folder.
func baseName(c *syntax.CallExpr) string {
	n := commandName(c)
	return n[strings.LastIndexByte(n, '/')+1:]
}

// call returns the simple command a statement is; nil if it is another.
func call(st *syntax.Stmt) *syntax.CallExpr {
	if st == nil {
		return nil
	}
	c, _ := st.Cmd.(*syntax.CallExpr)
	return c
}

// isCall reports whether a statement is a simple command of one of these names.
func isCall(st *syntax.Stmt, names ...string) bool {
	c := call(st)
	if c == nil || len(c.Args) == 0 {
		return false
	}
	return slices.Contains(names, baseName(c))
}

// flagsOf returns the options before "--": letters of short options, names of
// long ones.
func flagsOf(args []*syntax.Word) []string {
	var out []string
	for _, a := range args {
		s := sketch(a)
		switch {
		case s == "--":
			return out
		case strings.HasPrefix(s, "--"):
			name, _, _ := strings.Cut(s[2:], "=")
			out = append(out, name)
		case strings.HasPrefix(s, "-"):
			for _, r := range s[1:] {
				out = append(out, string(r))
			}
		}
	}
	return out
}

// hasFlag reports whether any of the names is among the options of args.
func hasFlag(args []*syntax.Word, names ...string) bool {
	return slices.ContainsFunc(flagsOf(args), func(f string) bool { return slices.Contains(names, f) })
}

// hasGlob reports whether an unquoted literal has a character of patterns.
func hasGlob(p syntax.WordPart) bool {
	switch p := p.(type) {
	case *syntax.Lit:
		for i := 0; i < len(p.Value); i++ {
			switch p.Value[i] {
			case '\\':
				i++
			case '*', '?':
				return true
			case '[':
				if strings.IndexByte(p.Value[i:], ']') > 0 {
					return true
				}
			}
		}
	case *syntax.ExtGlob:
		return true
	}
	return false
}

// hasBraces reports whether an unquoted literal has what looks like {a,b} or {1..3}.
func hasBraces(p syntax.WordPart) bool {
	l, ok := p.(*syntax.Lit)
	if !ok {
		return false
	}
	open := strings.IndexByte(l.Value, '{')
	return open >= 0 && (strings.Contains(l.Value[open:], ",") || strings.Contains(l.Value[open:], ".."))
}

// plain reports whether an expansion is $x or ${x} and nothing more.
func plain(p *syntax.ParamExp) bool {
	return p.Param != nil && p.Index == nil && bare(p)
}

// bare reports whether an expansion has no operator; it may have an index.
func bare(p *syntax.ParamExp) bool {
	return !p.Excl && !p.Length && !p.Width && p.Slice == nil && p.Repl == nil && p.Names == 0 && p.Exp == nil
}

// paramName is the name that is expanded; "" if there is none.
func paramName(p *syntax.ParamExp) string {
	if p.Param == nil {
		return ""
	}
	return p.Param.Value
}

// indexIs reports whether the index of an expansion is the character given.
func indexIs(p *syntax.ParamExp, what string) bool {
	w, ok := p.Index.(*syntax.Word)
	return ok && w.Lit() == what
}

// isArray reports whether an expansion gives a list: $@, ${@:2}, ${a[@]}.
func isArray(p syntax.WordPart) bool {
	e, ok := p.(*syntax.ParamExp)
	if !ok || e.Length {
		return false
	}
	return paramName(e) == "@" && !e.Excl || indexIs(e, "@")
}

// isAlternative reports whether an expansion is ${x:+...} or ${x+...}.
func isAlternative(p syntax.WordPart) bool {
	e, ok := p.(*syntax.ParamExp)
	return ok && e.Exp != nil && (e.Exp.Op == syntax.AlternateUnset || e.Exp.Op == syntax.AlternateUnsetOrNull)
}

func isName(s string) bool { return syntax.ValidName(s) }

// asDeclaration reads a declaration whose name is quoted, as in \typeset, or
// behind command or builtin; nil if it is another command.
func asDeclaration(c *syntax.CallExpr) *syntax.DeclClause {
	kind := commandName(c)
	switch kind {
	case "declare", "typeset", "local", "export", "readonly":
	default:
		return nil
	}
	at := effective(c)
	w := c.Args[at]
	d := &syntax.DeclClause{Variant: &syntax.Lit{ValuePos: w.Pos(), ValueEnd: w.End(), Value: kind}}
	for _, a := range c.Args[at+1:] {
		d.Args = append(d.Args, asAssign(a))
	}
	return d
}

func asAssign(w *syntax.Word) *syntax.Assign {
	l, ok := w.Parts[0].(*syntax.Lit)
	if !ok {
		return &syntax.Assign{Naked: true, Value: w}
	}
	name, value, set := strings.Cut(l.Value, "=")
	name, add := strings.CutSuffix(name, "+")
	if !isName(name) || !set && len(w.Parts) > 1 {
		return &syntax.Assign{Naked: true, Value: w}
	}
	a := &syntax.Assign{Naked: !set, Append: add, Name: &syntax.Lit{ValuePos: l.ValuePos, ValueEnd: l.ValueEnd, Value: name}}
	if !set {
		return a
	}
	parts := w.Parts[1:]
	if value != "" || len(parts) == 0 {
		head := &syntax.Lit{ValuePos: l.ValuePos, ValueEnd: l.ValueEnd, Value: value}
		parts = append([]syntax.WordPart{head}, parts...)
	}
	a.Value = &syntax.Word{Parts: parts}
	return a
}
