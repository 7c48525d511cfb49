package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// bashism reports what a plain sh does not know. dash has some of it.
func (s *script) bashism(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.SglQuoted:
		if n.Dollar {
			s.at("SC3003", n, "sh has no $'...'")
		}
	case *syntax.Assign:
		if n.Append && n.Name != nil {
			s.at("SC3024", n, "sh has no +=")
		}
	case *syntax.Redirect:
		s.posixRedirect(n)
	case *syntax.ParamExp:
		s.posixExpansion(n)
	case *syntax.DeclClause:
		s.posixDeclaration(n)
	case *syntax.CallExpr:
		s.posixCommand(n)
	case *syntax.BinaryTest:
		if n.Op == syntax.TsMatch {
			s.at("SC3014", n, "sh has = for ==")
		}
	case *syntax.ArithmExp:
		syntax.Walk(n.X, func(x syntax.Node) bool {
			if w, ok := x.(*syntax.Word); ok {
				s.posixVariable(w.Lit(), w)
			}
			return true
		})
	default:
		s.bashSyntax(n)
	}
}

// bashSyntax reports constructs that are unknown to sh whatever they hold.
func (s *script) bashSyntax(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.ProcSubst:
		s.at("SC3001", n, "sh has no process substitution")
	case *syntax.CStyleLoop:
		s.at("SC3005", n, "sh has no for (( ))")
	case *syntax.ArithmCmd:
		s.at("SC3006", n, "sh has no (( ))")
	case *syntax.TestClause:
		s.at("SC3010", n, "sh has no [[ ]]")
	case *syntax.ArrayExpr:
		s.at("SC3030", n, "sh has no arrays")
	}
}

func (s *script) posixRedirect(r *syntax.Redirect) {
	switch r.Op {
	case syntax.WordHdoc:
		s.report("SC3011", r.OpPos, r.Word.End(), "sh has no <<<")
	case syntax.RdrAll:
		s.report("SC3020", r.OpPos, r.Word.End(), "sh has no "+r.Op.String())
	}
}

func (s *script) posixExpansion(p *syntax.ParamExp) {
	name := paramName(p)
	switch {
	case p.Names != 0 || p.Excl:
	case p.Index != nil:
		s.at("SC3054", p, "sh has no arrays")
	case p.Slice != nil:
		s.at("SC3057", p, "sh has no ${x:1:2}")
	case p.Repl != nil:
		s.at("SC3060", p, "sh has no ${x/a/b}")
	}
	s.posixVariable(name, p)
}

func (s *script) posixVariable(name string, n syntax.Node) {
	switch name {
	case "OSTYPE", "MACHTYPE", "HOSTTYPE", "HOSTNAME", "DIRSTACK", "EUID", "UID", "SHLVL", "PIPESTATUS", "SHELLOPTS":
		if s.vars.wasSet(name) {
			return
		}
	case "RANDOM", "SECONDS":
	default:
		return
	}
	s.at("SC3028", n, "sh has no $"+name)
}

func (s *script) posixDeclaration(d *syntax.DeclClause) {
	switch d.Variant.Value {
	case "local":
		if s.dialect != "dash" {
			s.at("SC3043", d.Variant, "sh has no local")
		}
	case "declare", "typeset":
		s.at("SC3044", d.Variant, "sh has no "+d.Variant.Value)
	}
}

func (s *script) posixCommand(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		return
	}
	args := c.Args[1:]
	switch name := commandName(c); name {
	case "source":
		s.at("SC3046", c.Args[0], "sh has . for source", replace(c.Args[0], ".")...)
	case "pushd", "popd", "dirs", "shopt", "disown", "enable", "suspend", "caller", "compgen",
		"complete", "compopt", "mapfile", "readarray", "let":
		s.at("SC3044", c.Args[0], "sh has no "+name)
	case "echo":
		s.posixEcho(args)
	case "[", "test":
		s.posixTest(args)
	case "set":
		s.posixSet(args)
	case "trap":
		for _, a := range args[min(1, len(args)):] {
			switch w := word(a); w {
			case "ERR", "DEBUG", "RETURN":
				s.at("SC3047", a, "sh has no trap for "+w)
			}
		}
	}
}

func (s *script) posixTest(args []*syntax.Word) {
	for i, a := range args {
		if a.Lit() == "==" && i > 0 && i+1 < len(args) {
			s.at("SC3014", a, "sh has = for ==", replace(a, "=")...)
		}
	}
}

func (s *script) posixEcho(args []*syntax.Word) {
	if len(args) < 2 {
		return
	}
	w := word(args[0])
	if len(w) < 2 || w[0] != '-' || strings.Trim(w[1:], "neE") != "" {
		return
	}
	if s.dialect == "dash" && strings.Trim(w[1:], "n") == "" {
		return
	}
	s.at("SC3037", args[0], "What sh does with options of echo is not defined: use printf")
}

func (s *script) posixSet(args []*syntax.Word) {
	for i, a := range args {
		w := word(a)
		if (strings.HasPrefix(w, "-") || strings.HasPrefix(w, "+")) && strings.HasSuffix(w, "o") && i+1 < len(args) {
			switch o := word(args[i+1]); o {
			case "pipefail", "errtrace", "functrace", "history", "posix", "physical", "privileged", "braceexpand", "hashall", "histexpand", "keyword", "onecmd":
				s.at("SC3040", args[i+1], "sh has no option "+o)
			}
		}
	}
}
