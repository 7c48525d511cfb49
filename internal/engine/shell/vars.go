package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// variables is what a script reads and sets, in the order of the text.
type variables struct {
	set     map[string]syntax.Node // last assignment
	read    map[string]readPlace   // first use
	checked map[string]bool        // those a test asked for
	arrays  map[string]bool        // those that are lists where the walk is
	names   []string               // of set and read, in the order they came
}

type readPlace struct {
	node    syntax.Node
	guarded bool // a default stands by, or it may be no variable at all
}

func newVariables() variables {
	v := variables{set: map[string]syntax.Node{}, read: map[string]readPlace{}, checked: map[string]bool{}, arrays: map[string]bool{}}
	for _, n := range []string{
		"BASH_ARGC", "BASH_ARGV", "BASH_CMDS", "BASH_LINENO", "BASH_REMATCH", "BASH_SOURCE", "BASH_VERSINFO",
		"COMP_WORDS", "COPROC", "DIRSTACK", "FUNCNAME", "GROUPS", "MAPFILE", "PIPESTATUS", "COMPREPLY", "BASH_ALIASES",
	} {
		v.arrays[n] = true
	}
	return v
}

func (v *variables) assigned(name string, at syntax.Node) {
	if !isName(name) {
		return
	}
	if v.set[name] == nil {
		v.names = append(v.names, name)
	}
	v.set[name] = at
}

func (v *variables) used(name string, at syntax.Node, guarded bool) {
	if _, ok := v.read[name]; ok || !isName(name) {
		return
	}
	v.names = append(v.names, name)
	v.read[name] = readPlace{at, guarded}
}

// flowOf notes what a node reads and sets.
func (s *script) flowOf(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Assign:
		if n.Append && n.Name != nil {
			s.vars.used(n.Name.Value, n, true)
		}
		s.indexFlow(n.Index)
	case *syntax.ArrayElem:
		s.indexFlow(n.Index)
	case *syntax.ParamExp:
		s.expansionFlow(n)
	case *syntax.ExtGlob: // its pattern is not parsed
		s.mentioned(n.Pattern.Value, n)
	case *syntax.WordIter:
		s.vars.assigned(n.Name.Value, n)
		delete(s.vars.arrays, n.Name.Value)
	case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause, *syntax.CStyleLoop:
		s.arithmFlow(n)
	case *syntax.TestClause:
		s.testFlow(n)
	case *syntax.CoprocClause:
		if n.Name != nil {
			s.vars.assigned(n.Name.Lit(), n)
		}
	case *syntax.Redirect:
		if n.N != nil && strings.HasPrefix(n.N.Value, "{") {
			s.vars.assigned(strings.Trim(n.N.Value, "{}"), n)
		}
	}
}

func (s *script) callFlow(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			s.assignFlow(a)
		}
		return
	}
	cmd, args := commandName(c), c.Args[1+effective(c):]
	if d := asDeclaration(c); d != nil {
		s.declFlow(d)
	}
	if cmd != "run" || s.dialect == "bats" {
		s.commandSets(c, cmd, args)
	}
	switch cmd {
	case "trap":
		s.mentions(first(args))
	case "alias":
		for _, a := range args {
			s.mentions(a)
		}
	case "[", "test":
		s.testedNames(c, args)
	}
}

// commandSets notes the variables a command of the shell sets.
func (s *script) commandSets(c *syntax.CallExpr, cmd string, args []*syntax.Word) {
	lists := cmd == "mapfile" || cmd == "readarray" || cmd == "read" && hasFlag(args, "a")
	for _, n := range assignedNames(cmd, args) {
		s.vars.assigned(n, argument(c, n))
		if delete(s.vars.arrays, n); lists || n == "lines" {
			s.vars.arrays[n] = true
		}
	}
}

// testedNames notes the variables whose names -v asks for.
func (s *script) testedNames(c *syntax.CallExpr, args []*syntax.Word) {
	for i, a := range args {
		if w := word(a); (w == "-v" || w == "-R") && i+1 < len(args) {
			n, _, _ := strings.Cut(word(args[i+1]), "[")
			s.vars.used(n, c, true)
		}
	}
}

// argument is the word of a command that names a variable.
func argument(c *syntax.CallExpr, name string) syntax.Node {
	for _, a := range c.Args {
		if word(a) == name {
			return a
		}
	}
	return c
}

// mentions notes the variables in text that the shell reads later.
func (s *script) mentions(w *syntax.Word) { s.mentioned(sketch(w), w) }

func (s *script) mentioned(text string, at syntax.Node) {
	for {
		i := strings.IndexByte(text, '$')
		if i < 0 {
			return
		}
		text = strings.TrimLeft(strings.TrimPrefix(text[i+1:], "{"), "#!")
		n := 0
		for n < len(text) && isName(text[:n+1]) {
			n++
		}
		if n > 0 {
			s.vars.used(text[:n], at, true)
		}
	}
}

func (s *script) assignFlow(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	s.vars.assigned(name, a)
	switch {
	case a.Array != nil:
		s.vars.arrays[name] = true
	case a.Index != nil:
		s.vars.arrays[name] = true
	}
}

func (s *script) declFlow(d *syntax.DeclClause) {
	flags, kind := declFlags(d), d.Variant.Value
	has := func(f string) bool { return slices.Contains(flags, f) }
	if has("f") || has("F") {
		return
	}
	reads := kind == "export" || kind != "readonly" && has("x") || (kind == "declare" || kind == "typeset") && has("p")
	for _, a := range d.Args {
		if a.Name == nil {
			continue
		}
		name := a.Name.Value
		if reads {
			s.vars.used(name, a, true)
		}
		if !has("p") {
			s.vars.assigned(name, a)
		}
		if has("n") {
			n, _, _ := strings.Cut(word(a.Value), "[")
			s.vars.used(n, a, true)
			s.vars.used(name, a, true)
		}
		s.declareArray(a, has("a") || has("A"), len(d.Args) == 2)
	}
}

// declareArray notes whether a variable is an array after its declaration.
// alone: no other is declared with it, nor has the command other options.
func (s *script) declareArray(a *syntax.Assign, array, alone bool) {
	name := a.Name.Value
	switch {
	case a.Array != nil, array && (!a.Naked || alone):
		s.vars.arrays[name] = true
	case a.Naked && !array:
		delete(s.vars.arrays, name)
	}
}

func (s *script) expansionFlow(p *syntax.ParamExp) {
	name := paramName(p)
	if name == "" {
		return
	}
	guarded := !p.Dollar.IsValid() || s.inExpansion()
	if s.askedFor() {
		s.vars.checked[name] = true
		delete(s.vars.arrays, name)
	}
	if p.Exp != nil {
		switch p.Exp.Op {
		case syntax.AssignUnset, syntax.AssignUnsetOrNull:
			s.vars.used(name, p, guarded)
			s.vars.assigned(name, p)
			return
		case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
			guarded = true
		case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
			guarded = true
		}
	}
	if p.Names != 0 {
		return
	}
	s.vars.used(name, p, guarded)
	s.indexFlow(p.Index)
	if p.Slice != nil {
		s.indexFlow(p.Slice.Offset)
		s.indexFlow(p.Slice.Length)
	}
}

// inExpansion reports whether the node in hand is inside of ${x...}.
func (s *script) inExpansion() bool {
	for _, n := range s.stack {
		if _, ok := n.(*syntax.ParamExp); ok {
			return true
		}
	}
	return false
}

// askedFor reports whether a test asks if the expansion in hand is empty.
func (s *script) askedFor() bool {
	var w syntax.Node
	for _, n := range slices.Backward(s.stack) {
		switch n := n.(type) {
		case *syntax.Word:
			w = n
		case *syntax.UnaryTest:
			return n.Op == syntax.TsEmpStr || n.Op == syntax.TsNempStr || n.Op == syntax.TsNot
		case *syntax.BinaryTest:
			return n.Op == syntax.AndTest || n.Op == syntax.OrTest
		case *syntax.TestClause:
			return true
		case *syntax.CallExpr:
			return commandName(n) == "[" && asks(parseSingle(n.Args[1:max(1, len(n.Args)-1)]), w)
		case *syntax.Stmt:
			return false
		}
	}
	return false
}

// asks reports whether a test asks if w is empty.
func asks(c *cond, w syntax.Node) bool {
	if c == nil {
		return false
	}
	for _, k := range c.kids {
		if asks(k, w) {
			return true
		}
	}
	return syntax.Node(c.x) == w && c.y == nil && (c.op == "" || c.op == "-z" || c.op == "-n")
}

// indexFlow notes the names in a subscript: they may be variables.
func (s *script) indexFlow(e syntax.ArithmExpr) {
	if e == nil {
		return
	}
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			return false
		case *syntax.Word:
			s.vars.used(n.Lit(), n, true)
		case *syntax.BinaryArithm:
			if isAssignOp(n.Op) {
				s.vars.assigned(arithmName(n.X), n)
			}
		case *syntax.UnaryArithm:
			if n.Op == syntax.Inc || n.Op == syntax.Dec {
				s.vars.assigned(arithmName(n.X), n)
			}
		}
		return true
	})
}

func (s *script) arithmFlow(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.Stmt:
			return false
		case *syntax.BinaryArithm:
			name := arithmName(n.X)
			if isAssignOp(n.Op) && name != "" {
				s.vars.assigned(name, n)
				if n.Op != syntax.Assgn {
					s.vars.used(name, n.X, false)
				}
				s.arithmFlow(n.Y)
				return false
			}
		case *syntax.UnaryArithm:
			if n.Op == syntax.Inc || n.Op == syntax.Dec {
				s.vars.assigned(arithmName(n.X), n)
			}
		case *syntax.Word:
			s.vars.used(n.Lit(), n, false)
		}
		return true
	})
}

func (s *script) testFlow(t *syntax.TestClause) {
	syntax.Walk(t, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.UnaryTest:
			if w, ok := n.X.(*syntax.Word); ok && (n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar) {
				name, _, _ := strings.Cut(word(w), "[")
				s.vars.used(name, n, true)
			}
		case *syntax.BinaryTest:
			switch n.Op {
			case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
				for _, x := range []syntax.TestExpr{n.X, n.Y} {
					if w, ok := x.(*syntax.Word); ok {
						s.vars.used(word(w), n, false)
					}
				}
			}
		case *syntax.Stmt:
			return false
		}
		return true
	})
}

// unused reports variables that are set and never read.
func (s *script) unused() {
	for _, name := range s.vars.names {
		at := s.vars.set[name]
		if s.isBatsResult(name) {
			continue
		}
		if _, read := s.vars.read[name]; read || at == nil || strings.HasPrefix(name, "_") || isInternal(name) {
			continue
		}
		s.vars.set[name] = nil
		s.report("SC2034", at.Pos(), at.End(), "Variable "+name+" is set but never used here")
	}
}

// unassigned reports variables that are read and never set. Names without a
// small letter are for the environment to set.
func (s *script) unassigned() {
	done := map[string]bool{}
	for _, name := range s.vars.names {
		p, read := s.vars.read[name]
		if done[name] || !read || p.guarded || s.vars.wasSet(name) || isInternal(name) || name == strings.ToUpper(name) || s.isBatsResult(name) {
			continue
		}
		done[name] = true
		s.at("SC2154", p.node, "Variable "+name+" is used but never set here")
	}
}

// isBatsResult reports whether bats sets a variable when it runs a command.
func (s *script) isBatsResult(name string) bool {
	return s.dialect == "bats" && (name == "status" || name == "output" || name == "lines")
}

func (v *variables) wasSet(name string) bool {
	_, ok := v.set[name]
	return ok || v.checked[name]
}

// isInternal reports whether a shell or a common environment sets or reads a
// variable by itself.
func isInternal(name string) bool {
	_, ok := slices.BinarySearch(internalNames[:], name)
	return ok || strings.HasPrefix(name, "BASH_") || strings.HasPrefix(name, "FLAGS_") || strings.HasPrefix(name, "LC_")
}

// internalNames is sorted.
var internalNames = [...]string{
	"BASH", "BASHOPTS", "BASHPID", "CDPATH", "CHILD_MAX", "COLUMNS", "COMPREPLY", "COMP_CWORD", "COMP_KEY", "COMP_LINE", "COMP_POINT",
	"COMP_TYPE", "COMP_WORDBREAKS", "COMP_WORDS", "COPROC", "DIRSTACK", "DISPLAY", "EMACS", "ENV", "EPOCHREALTIME", "EPOCHSECONDS",
	"EUID", "EXECIGNORE", "FCEDIT", "FIGNORE", "FUNCNAME", "FUNCNEST", "GLOBIGNORE", "GLOBSORT", "GROUPS", "HISTCMD", "HISTCONTROL",
	"HISTFILE", "HISTFILESIZE", "HISTIGNORE", "HISTSIZE", "HISTTIMEFORMAT", "HOME", "HOSTFILE", "HOSTNAME", "HOSTTYPE", "IFS",
	"IGNOREEOF", "INPUTRC", "INSIDE_EMACS", "KRB5CCNAME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LINENO", "LINES", "LOGNAME",
	"MACHTYPE", "MAIL", "MAILCHECK", "MAILPATH", "MAPFILE", "OLDPWD", "OPTARG", "OPTERR", "OPTIND", "OSTYPE", "PATH", "PIPESTATUS",
	"POSIXLY_CORRECT", "PPID", "PROMPT_COMMAND", "PROMPT_DIRTRIM", "PS0", "PS1", "PS2", "PS3", "PS4", "PWD", "RANDOM",
	"READLINE_ARGUMENT", "READLINE_LINE", "READLINE_MARK", "READLINE_POINT", "REPLY", "REST", "SECONDS", "SHELL", "SHELLOPTS", "SHLVL",
	"SRANDOM", "TERM", "TIMEFORMAT", "TMOUT", "TMPDIR", "TZ", "UID", "USER", "XAUTHORITY", "_", "auto_resume", "flags_error",
	"flags_return", "histchars", "rest", "stderr", "stderr_lines",
}
