package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"poly/internal/diag"
)

// simpleCommand judges a command by its name.
func (s *script) simpleCommand(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		return
	}
	args := c.Args[1+effective(c):]
	name := commandName(c)
	s.byName(name, c, args)
	if d := asDeclaration(c); d != nil {
		s.declaration(d)
	}
	switch base := baseName(c); base {
	case "expr":
		s.expr(c, args)
	case "egrep":
		s.oldGrep("SC2196", c, "grep -E")
	case "fgrep":
		s.oldGrep("SC2197", c, "grep -F")
	case "tr":
		s.tr(args)
	case "grep":
		s.grep(args)
	case "find":
		s.find(c, args)
	case "mkdir":
		s.mkdir(c, args)
	}
	if name != "echo" && name != "printf" {
		s.globAsOption(args)
	}
}

func (s *script) byName(name string, c *syntax.CallExpr, args []*syntax.Word) {
	switch name {
	case "[", "test":
		s.single(name, args)
	case "cd", "pushd", "popd":
		s.unchecked(name, c, args)
	case "read":
		s.read(c, args)
	case "trap":
		s.trap(args)
	case "printf":
		s.printf(args)
	case "echo":
		s.echo(c, args)
	case "eval":
		for _, a := range args {
			for _, p := range flat(a) {
				if isArray(p) {
					s.at("SC2294", p, "eval joins the list and splits it anew: the list serves no purpose")
				}
			}
		}
	case ".", "source":
		s.source(c, args)
	case "rm":
		s.rm(args)
	case "let":
		s.at("SC2219", c, "Write (( )) instead of let")
	}
}

func (s *script) single(name string, args []*syntax.Word) {
	if name == "test" {
		// What test is asked is looked at for this alone.
		if len(args) == 3 && (isLiteral(args[1], "=") || isLiteral(args[1], "==") || isLiteral(args[1], "!=")) && leadingX(args[0]) && leadingX(args[2]) {
			s.at("SC2268", args[0], "The leading x serves no purpose: quotes are enough")
		}
		return
	}
	if name == "[" {
		if n := len(args); n == 0 || !isLiteral(args[n-1], "]") {
			return
		}
		args = args[:len(args)-1]
	}
	s.condition(parseSingle(args), false)
}

// unchecked reports cd and its like if nothing looks whether they worked.
func (s *script) unchecked(name string, c *syntax.CallExpr, args []*syntax.Word) {
	if s.setE || len(args) == 1 && goesUp(sketch(args[0])) || name != "cd" && hasFlag(args, "n") {
		return
	}
	if s.inCondition(c) || s.dialect == "bats" && s.inBatsTest() {
		return
	}
	s.at("SC2164", c, "Write "+name+" ... || exit, lest the rest runs in the wrong folder")
}

// goesUp reports whether a path has but dots and slashes.
func goesUp(path string) bool {
	rest := strings.TrimLeft(path, "/")
	for rest != "" {
		part, more, _ := strings.Cut(rest, "/")
		if part != "." && part != ".." {
			return false
		}
		rest = strings.TrimLeft(more, "/")
	}
	return path != ""
}

func (s *script) read(c *syntax.CallExpr, args []*syntax.Word) {
	flags := flagsOf(args)
	for i, f := range flags {
		if f == "r" || f == "t" && i+1 < len(flags) && flags[i+1] == "0" {
			return
		}
	}
	for i, a := range args {
		if word(a) == "-t" && i+1 < len(args) && word(args[i+1]) == "0" {
			return
		}
	}
	s.at("SC2162", c, "read without -r takes backslashes away")
}

// trap reports expansions that happen when the trap is set.
func (s *script) trap(args []*syntax.Word) {
	if len(args) == 0 || len(args[0].Parts) != 1 {
		return
	}
	q, ok := args[0].Parts[0].(*syntax.DblQuoted)
	if !ok {
		return
	}
	for _, p := range q.Parts {
		switch p.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp:
			s.at("SC2064", p, "Single quotes expand this when the trap runs, double quotes now")
		}
	}
}

func (s *script) printf(args []*syntax.Word) {
	if len(args) > 1 && word(args[0]) == "-v" {
		args = args[2:]
	}
	if len(args) > 0 && word(args[0]) == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	if _, fixed := literal(args[0]); fixed || strings.Contains(sketch(args[0]), "%") {
		return
	}
	s.at("SC2059", args[0], "Give printf a fixed format with %s for the value")
}

func (s *script) echo(c *syntax.CallExpr, args []*syntax.Word) {
	if len(args) == 1 && len(args[0].Parts) == 1 && word(c.Args[0]) != "run" { // bats shall see what is printed
		if sub, ok := only(args[0]).(*syntax.CmdSubst); ok && len(sub.Stmts) == 1 && sub.Stmts[0].Cmd != nil && !sub.TempFile {
			s.at("SC2005", c, "The echo is of no use: run the command itself")
		}
	}
	if s.dialect == "dash" || hasFlag(args, "e") {
		return
	}
	for _, a := range args {
		if hasEscapes(a) {
			s.at("SC2028", a, "echo may print the backslash: use printf for escapes")
		}
	}
}

// hasEscapes finds \n, \t and their like where echo would see them.
func hasEscapes(w *syntax.Word) bool {
	for _, p := range flat(w) {
		t := ""
		switch p := p.(type) {
		case *syntax.Lit:
			if !allQuoted(w) {
				continue // outside of quotes the shell takes the backslash
			}
			t = p.Value
		case *syntax.SglQuoted:
			if !p.Dollar {
				t = p.Value
			}
		}
		for i := 0; i+1 < len(t); i++ {
			if t[i] == '\\' && strings.IndexByte("rnt0", t[i+1]) >= 0 {
				return true
			}
		}
	}
	return false
}

// oldGrep reports egrep and fgrep.
func (s *script) oldGrep(code string, c *syntax.CallExpr, now string) {
	w := c.Args[effective(c)]
	var fix []diag.Edit
	if w.Lit() == "egrep" || w.Lit() == "fgrep" {
		fix = replace(w, now)
	}
	s.at(code, w, baseName(c)+" is not standard: write "+now, fix...)
}

// replace is the edit that puts text in the place of a node.
func replace(n syntax.Node, text string) []diag.Edit {
	return []diag.Edit{{Start: int(n.Pos().Offset()), End: int(n.End().Offset()), Replacement: text}} //nolint:gosec // the parser refuses larger texts
}

func (s *script) expr(c *syntax.CallExpr, args []*syntax.Word) {
	for _, a := range args {
		switch word(a) {
		case ":", "<", ">", "<=", ">=", "match", "length", "substr", "index":
			return
		}
	}
	s.at("SC2003", c.Args[0], "expr is from old days: write $(( )), ${ } or [[ ]]")
}

func (s *script) tr(args []*syntax.Word) {
	for _, a := range args {
		if slices.ContainsFunc(a.Parts, hasGlob) {
			s.at("SC2060", a, "Quote this, or a file name may come in its place")
		}
		w, ok := literal(a)
		if !ok {
			continue
		}
		switch {
		case w == "a-z":
			s.at("SC2018", a, "[:lower:] knows letters with accents too")
		case w == "A-Z":
			s.at("SC2019", a, "[:upper:] knows letters with accents too")
		case len(w) > 2 && w[0] == '[' && w[len(w)-1] == ']' && !strings.HasPrefix(w, "[:") && !strings.HasPrefix(w, "[=") && !strings.Contains(w, "*"):
			s.at("SC2021", a, "tr takes the brackets for characters: leave them out")
		}
	}
}

// grep reports patterns that the shell takes for file names.
func (s *script) grep(args []*syntax.Word) {
	for _, a := range args {
		w := sketch(a)
		if w == "--" || strings.HasPrefix(w, "-") {
			if strings.HasPrefix(w, "-e") || strings.HasPrefix(w, "-f") || strings.HasPrefix(w, "--regexp") || strings.HasPrefix(w, "--file") {
				return
			}
			if w != "-" && len(w) == 2 && strings.IndexByte("ABCmdD", w[1]) >= 0 {
				return // the next word is its value
			}
			continue
		}
		if slices.ContainsFunc(a.Parts, hasGlob) {
			s.at("SC2062", a, "Quote the pattern, or the shell matches it against files")
		}
		return
	}
}

func (s *script) find(c *syntax.CallExpr, args []*syntax.Word) {
	for i, a := range args {
		switch word(a) {
		case "-name", "-iname", "-path", "-ipath", "-wholename":
			if i+1 < len(args) && slices.ContainsFunc(args[i+1].Parts, hasGlob) {
				s.at("SC2061", args[i+1], "Quote the pattern, or the shell matches it against files")
			}
		}
	}
	if !hasFolder(args) {
		s.at("SC2185", c, "Some finds want a folder: write . for this one")
	}
}

// hasFolder reports whether find is told where to look.
func hasFolder(args []*syntax.Word) bool {
	for _, a := range args {
		switch w := sketch(a); {
		case len(w) == 2 && w[0] == '-' && strings.IndexByte("HLPEXxsdf", w[1]) >= 0, strings.HasPrefix(w, "-O"):
			continue
		default:
			return w == "-D" || !strings.HasPrefix(w, "-")
		}
	}
	return false
}

func (s *script) mkdir(c *syntax.CallExpr, args []*syntax.Word) {
	if !hasFlag(args, "p", "parents") || !hasFlag(args, "m", "mode") {
		return
	}
	for i, a := range args {
		if path, ok := literal(a); i > 0 && (!ok || strings.Contains(path, "/") && !oneBelow(path)) {
			s.at("SC2174", c, "-m is for the deepest folder only")
			return
		}
	}
}

// oneBelow reports whether a path is a name behind dots: ../x.
func oneBelow(path string) bool {
	for {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(path, "."), "./")
		if rest2, ok2 := strings.CutPrefix(path, "./"); ok2 {
			rest, ok = rest2, true
		}
		if !ok {
			return path != "" && !strings.Contains(path, "/")
		}
		path = rest
	}
}

// rm reports rm -r "$dir/" and "$dir/*": an empty name makes it "/".
func (s *script) rm(args []*syntax.Word) {
	if !hasFlag(args, "r", "R", "recursive") {
		return
	}
	for _, a := range args {
		if path, ok := ifEmpty(a); ok && path != "" && isSystem(path) {
			s.at("SC2115", a, "An empty name makes this a folder of the system: write ${name:?}")
		}
	}
}

// ifEmpty is the path a word says if what it expands is empty; ok is false if
// nothing is expanded or it cannot be empty.
func ifEmpty(w *syntax.Word) (path string, ok bool) {
	for _, p := range flat(w) {
		switch p := p.(type) {
		case *syntax.ParamExp:
			if p.Exp != nil {
				switch p.Exp.Op {
				case syntax.ErrorUnsetOrNull, syntax.DefaultUnsetOrNull, syntax.AssignUnsetOrNull:
					return "", false
				}
			}
			ok = true
		default:
			t, fixed := literalPart(p, true)
			if !fixed {
				return "", false
			}
			path += t
		}
	}
	return path, ok
}

func isSystem(path string) bool {
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	path = strings.TrimSuffix(strings.TrimSuffix(path, "/*"), "/*")
	switch strings.TrimSuffix(path, "/") {
	case "", "/bin", "/etc", "/home", "/mnt", "/usr", "/usr/share", "/usr/local", "/var", "/lib", "/dev", "/media", "/boot", "/lib64", "/usr/bin":
		return true
	}
	return false
}

// globAsOption reports arguments that start with a star.
func (s *script) globAsOption(args []*syntax.Word) {
	for _, a := range args {
		if w := sketch(a); w == "--" || w == ":::" || w == "::::" {
			return
		}
		if len(a.Parts) == 0 {
			continue
		}
		if l, ok := a.Parts[0].(*syntax.Lit); ok && (strings.HasPrefix(l.Value, "*") || strings.HasPrefix(l.Value, "?")) {
			s.at("SC2035", a, "Names that start with a dash become options: write ./ before the pattern")
		}
	}
}

// source reports what . and source read: the file is not looked at.
func (s *script) source(c *syntax.CallExpr, args []*syntax.Word) {
	if len(args) > 0 && word(args[0]) == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	at := int(c.Pos().Offset())
	for _, n := range slices.Backward(s.sources) {
		if n.start <= at && at <= n.end {
			if n.path != "/dev/null" {
				s.at("SC1091", args[0], "This file is not read along")
			}
			return
		}
	}
	fixed, ok := literal(args[0])
	if ok && strings.HasPrefix(fixed, "~") {
		fixed, ok = "", false
	} else if !ok {
		fixed, ok = behindFolder(args[0])
	}
	switch {
	case ok && fixed == "/dev/null":
	case ok:
		s.at("SC1091", args[0], "This file is not read along")
	default:
		s.at("SC1090", args[0], "Which file this reads is known only when it runs: name one with a source directive")
	}
}

// behindFolder returns what follows the expansion a path starts with.
func behindFolder(w *syntax.Word) (string, bool) {
	parts := flat(w)
	if len(parts) < 2 {
		return "", false
	}
	switch parts[0].(type) {
	case *syntax.ParamExp, *syntax.CmdSubst:
	default:
		return "", false
	}
	rest, ok := literalPart(&syntax.DblQuoted{Parts: parts[1:]}, true)
	return rest, ok && strings.HasPrefix(rest, "/")
}

// declaration judges local, export and their like.
func (s *script) declaration(d *syntax.DeclClause) {
	kind, flags := d.Variant.Value, declFlags(d)
	readonly := kind == "readonly" || slices.Contains(flags, "r")
	local := kind == "local" || kind == "declare" || kind == "typeset"
	if local && readonly && !slices.Contains(flags, "g") && s.inFunction() {
		return
	}
	for _, a := range d.Args {
		if a.Name != nil && slices.ContainsFunc(flat(a.Value), isOutput) {
			s.at("SC2155", a.Name, "Set and declare apart, or the exit status of the command is lost")
		}
	}
}

// declFlags are the options of a declaration.
func declFlags(d *syntax.DeclClause) []string {
	var out []string
	for _, a := range d.Args {
		if a.Name == nil && a.Value != nil {
			out = append(out, flagsOf([]*syntax.Word{a.Value})...)
		}
	}
	return out
}

func isOutput(p syntax.WordPart) bool {
	sub, ok := p.(*syntax.CmdSubst)
	return ok && len(sub.Stmts) > 0
}

// inBatsTest reports whether the node in hand is in a test of bats, which ends
// at the first command that fails.
func (s *script) inBatsTest() bool {
	return slices.ContainsFunc(s.stack, func(n syntax.Node) bool {
		_, ok := n.(*syntax.TestDecl)
		return ok
	})
}

func (s *script) inFunction() bool {
	for _, n := range s.stack {
		switch n.(type) {
		case *syntax.FuncDecl, *syntax.TestDecl:
			return true
		}
	}
	return false
}

// assignment judges x=y.
func (s *script) assignment(a *syntax.Assign) {
	if a.Name != nil && a.Index != nil && !s.keyed[a.Name.Value] {
		s.needlessDollars(a.Index)
	}
	if a.Name == nil || a.Value == nil || a.Index != nil {
		return
	}
	if slices.ContainsFunc(flat(a.Value), isArray) {
		s.at("SC2124", a.Value, "A list becomes one text: make it an array, or write * for @")
	}
	c, ok := s.up(0).(*syntax.CallExpr)
	if !ok || len(c.Args) > 0 || a.Append {
		return
	}
	if p, ok := only(a.Value).(*syntax.ParamExp); ok && plain(p) && p.Param.Value == a.Name.Value {
		s.at("SC2269", a, "A variable is set to itself")
	}
}
