package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call follows a simple command.
func (f *flow) call(c *syntax.CallExpr, st *state) {
	for _, a := range c.Assigns {
		f.assignWords(a, st)
		if len(c.Args) == 0 {
			f.assign(a, st)
		}
	}
	for _, w := range c.Args {
		f.words(w, st)
	}
	if len(c.Args) == 0 {
		return
	}
	name := commandName(c)
	if fns := st.funcs[name]; len(fns) > 0 {
		f.runAny(fns, st)
		return
	}
	if d := asDeclaration(c); d != nil {
		f.declare(d, st)
		return
	}
	if name == "run" && !f.bats {
		return
	}
	f.builtin(name, c.Args[1:], st)
}

func (f *flow) assignWords(a *syntax.Assign, st *state) {
	if a.Value != nil {
		f.words(a.Value, st)
	}
	if a.Array != nil {
		f.words(a.Array, st)
	}
	if a.Index != nil {
		f.words(a.Index, st)
	}
}

func (f *flow) assign(a *syntax.Assign, st *state) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	switch {
	case a.Array != nil || a.Index != nil:
		st.set(name, dirty)
	case a.Append:
		st.set(name, join(f.variable(name, st), f.value(a.Value, st)))
	case !a.Naked:
		st.set(name, f.value(a.Value, st))
	}
}

// builtin does what a command of the shell does to variables and to the way.
func (f *flow) builtin(name string, args []*syntax.Word, st *state) {
	switch name {
	case "exit":
		st.dead = true
	case "exec":
		st.dead = st.dead || len(args) > 0
	case "return":
		if n := len(f.frames); n > 0 {
			f.frames[n-1].exits.meet(st)
		}
		st.dead = true
	case "break", "continue":
		if n := len(f.loops); n > 0 {
			f.loops[n-1].meet(st)
			st.dead = true
		}
	case "unset":
		for _, a := range args {
			if n := word(a); hasFlag(args, "f") || st.funcs[n] != nil {
				delete(st.funcs, n)
			} else {
				st.vars[n] = empty
			}
		}
	default:
		for _, n := range assignedNames(name, args) {
			st.set(n, dirty)
		}
	}
}

// assignedNames are the variables that a command of the shell sets.
func assignedNames(name string, args []*syntax.Word) []string {
	switch name {
	case "read":
		return readNames(args)
	case "getopts":
		return names(part(args, 1))
	case "printf":
		if v := word(first(args)); v == "-v" {
			return names(part(args, 1))
		} else if strings.HasPrefix(v, "-v") {
			return []string{v[2:]}
		}
	case "mapfile", "readarray":
		return names(part(args, len(args)-1))
	case "wait":
		at := slices.IndexFunc(args, func(a *syntax.Word) bool { return word(a) == "-p" })
		if at >= 0 {
			return names(part(args, at+1))
		}
	case "run":
		return []string{"status", "output", "lines"}
	case "DEFINE_boolean", "DEFINE_float", "DEFINE_integer", "DEFINE_string":
		return []string{"FLAGS_" + word(first(args))}
	}
	return nil
}

// part is the i-th argument alone, or nothing.
func part(args []*syntax.Word, i int) []*syntax.Word {
	if i < 0 || i >= len(args) {
		return nil
	}
	return args[i : i+1]
}

func first(args []*syntax.Word) *syntax.Word {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

func names(args []*syntax.Word) []string {
	var out []string
	for _, a := range args {
		n, _, _ := strings.Cut(word(a), "[")
		if isName(n) {
			out = append(out, n)
		}
	}
	return out
}

func readNames(args []*syntax.Word) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		s := sketch(args[i])
		if !strings.HasPrefix(s, "-") || s == "-" {
			out = append(out, names(args[i:])...)
			break
		}
		// The last letter of a group may take the next word.
		at := strings.IndexAny(s, "adinNptu")
		switch {
		case at < 0:
		case s[at] == 'a':
			if at == len(s)-1 && i+1 < len(args) {
				i++
				out = append(out, names(args[i:i+1])...)
			} else {
				out = append(out, s[at+1:])
			}
		case at == len(s)-1:
			i++
		}
	}
	return out
}

// declare follows declare, local, export, readonly, typeset.
func (f *flow) declare(d *syntax.DeclClause, st *state) {
	for _, a := range d.Args {
		f.assignWords(a, st)
	}
	flags, kind := declFlags(d), d.Variant.Value
	local := kind == "local" || (kind == "declare" || kind == "typeset") && !slices.Contains(flags, "g")
	for _, a := range d.Args {
		if a.Name != nil {
			f.declareOne(a, flags, local, st)
		}
	}
}

func (f *flow) declareOne(a *syntax.Assign, flags []string, local bool, st *state) {
	name := a.Name.Value
	value := f.value(a.Value, st)
	if a.Append {
		value = join(f.variable(name, st), value)
	}
	if local {
		f.keepLocal(name, st)
	}
	switch {
	case slices.Contains(flags, "i"):
		st.vars[name] = integer
	case a.Naked:
		if local && len(f.frames) > 0 {
			st.vars[name] = empty
		}
	case a.Array != nil || a.Index != nil || slices.Contains(flags, "n"):
		st.vars[name] = dirty
	default:
		st.set(name, value)
	}
}

// keepLocal remembers what a variable was before its function had its own.
func (f *flow) keepLocal(name string, st *state) {
	if len(f.frames) == 0 {
		return
	}
	fr := f.frames[len(f.frames)-1]
	if _, kept := fr.locals[name]; kept || fr.unset[name] {
		return
	}
	if v, ok := st.vars[name]; ok {
		fr.locals[name] = v
	} else {
		fr.unset[name] = true
	}
	delete(st.vars, name)
}

// runAny follows a call that leads to one of several functions.
func (f *flow) runAny(fns []*syntax.FuncDecl, st *state) {
	entry := st.copy()
	f.run(fns[0], st)
	for _, fn := range fns[1:] {
		other := entry.copy()
		f.run(fn, other)
		st.meet(other)
	}
}

// run follows a function that is called, unless it is being run.
func (f *flow) run(fn *syntax.FuncDecl, st *state) {
	f.called[fn] = f.called[fn] || !st.dead
	running := slices.ContainsFunc(f.frames, func(fr *frame) bool { return fr.decl == fn })
	if running || f.steps < 0 || len(f.frames) > 50 {
		return
	}
	fr := &frame{decl: fn, exits: &state{dead: true}, locals: map[string]status{}, unset: map[string]bool{}}
	f.frames = append(f.frames, fr)
	loops := f.loops
	f.loops = nil
	was := st.dead
	f.stmt(fn.Body, st)
	f.loops = loops
	f.frames = f.frames[:len(f.frames)-1]
	if fr.exits.vars != nil {
		st.meet(fr.exits)
	}
	st.dead = st.dead || was
	maps.Copy(st.vars, fr.locals)
	for n := range fr.unset {
		delete(st.vars, n)
	}
}

// withoutSpaces reports whether the shell sets a variable, to a value that is
// never split.
func withoutSpaces(name string) bool {
	switch name {
	case "#", "?", "!", "$", "-", "BASHPID", "BASH_ARGC", "BASH_LINENO", "BASH_SUBSHELL", "EUID", "EPOCHREALTIME", "EPOCHSECONDS",
		"LINENO", "OPTIND", "PPID", "RANDOM", "READLINE_ARGUMENT", "READLINE_MARK", "READLINE_POINT", "SECONDS", "SHELLOPTS",
		"SHLVL", "SRANDOM", "UID", "COLUMNS", "HISTFILESIZE", "HISTSIZE", "LINES", "BASH_MONOSECONDS":
		return true
	}
	return false
}
