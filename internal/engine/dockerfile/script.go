package dockerfile

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"poly/internal/engine"
)

// script is the shell script of an instruction.
type script struct {
	text  string
	head  int // so much of it is the instruction's own line, from at on
	at    int
	parts []part // here-documents behind it
	cmds  []command
	pipes bool
	count int  // commands in it
	known bool // it was read
}

// part tells that text[at:] stands in the file from off on.
type part struct{ at, off int }

// command is one simple command.
type command struct {
	name       string
	args       []arg
	start, end int // of its name, in the script
}

// arg is one argument. Its value is what it says before expansion: quotes are
// gone, and $x and ${x} look alike.
type arg struct {
	value      string
	start, end int
}

// readScripts parses the scripts of RUN. An error is a Skip.
func (f *file) readScripts() error {
	p := syntax.NewParser(syntax.Variant(syntax.LangBash))
	shells := map[string]string{}
	shell, stage := "", ""
	for _, in := range f.list {
		switch in.name {
		case "from":
			shell, stage = shells[strings.ToLower(in.from.name)], in.from.stage()
		case "shell":
			shell = in.joined()
		}
		shells[stage] = shell
		run := in
		if in.inner != nil {
			run = in.inner
		}
		if run.name != "run" {
			continue
		}
		run.shell = shell
		s := run.newScript()
		if len(s.text) > maxScript {
			return engine.Skip("a script of RUN is longer than 128 KiB")
		}
		run.script = s
		if f.escape == '\\' && posix(shell, s.text) {
			s.read(p)
		}
	}
	return nil
}

// posix tells that a script is for a shell of the family we can read.
func posix(shell, text string) bool {
	if shell != "" {
		first, _, _ := strings.Cut(strings.TrimSpace(shell), " ")
		switch path.Base(first) {
		case "sh", "bash", "ash", "dash", "ksh", "zsh", "busybox", "env", "mksh":
		default:
			return false
		}
	}
	line, ok := strings.CutPrefix(text, "#!")
	if !ok {
		return true
	}
	line, _, _ = strings.Cut(line, "\n")
	for w := range strings.FieldsSeq(line) {
		switch path.Base(w) {
		case "sh", "bash", "ash", "dash", "ksh", "zsh":
			return true
		}
	}
	return false
}

// newScript puts the text of a script together.
func (in *instruction) newScript() *script {
	s := &script{}
	if in.list {
		s.text = in.joined()
		s.head = 0 // its words cannot be found again
		return s
	}
	s.text, s.at = in.rest()
	s.head = len(s.text)
	if len(in.Heredocs) == 0 {
		return s
	}
	if d := parserHeredoc(s.text); d && len(in.Heredocs) == 1 {
		s.text, s.head = in.Heredocs[0].Content, 0
		s.parts = []part{{0, in.bodies[0]}}
		return s
	}
	var b strings.Builder
	b.WriteString(s.text)
	for i, d := range in.Heredocs {
		b.WriteByte('\n')
		s.parts = append(s.parts, part{b.Len(), in.bodies[i]})
		b.WriteString(d.Content)
		b.WriteString(d.Name)
	}
	s.text = b.String()
	return s
}

// parserHeredoc tells that a line is one here-document and nothing else: its
// body is the script then.
func parserHeredoc(line string) bool {
	t, ok := strings.CutPrefix(strings.TrimSpace(line), "<<")
	return ok && t != "" && !strings.ContainsAny(t, " \t<>|&;")
}

// scriptSpan maps a place in the script to the file.
func (in *instruction) scriptSpan(text []byte, from, to int) (start, end int) {
	s := in.script
	for _, p := range slices.Backward(s.parts) {
		if from >= p.at {
			start = min(p.off+from-p.at, len(text))
			return start, min(max(start, p.off+to-p.at), len(text))
		}
	}
	if to > s.head {
		return in.keyword(text)
	}
	return in.span(text, s.at+from, s.at+to)
}

// exact tells that a place in the script is one piece in the file.
func (in *instruction) exact(text []byte, from, to int) bool {
	start, end := in.scriptSpan(text, from, to)
	return string(text[start:end]) == in.script.text[from:to]
}

func (s *script) read(p *syntax.Parser) {
	f, err := p.Parse(strings.NewReader(s.text), "")
	if err != nil {
		return
	}
	s.known = true
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryCmd:
			s.pipes = s.pipes || n.Op == syntax.Pipe || n.Op == syntax.PipeAll
		case *syntax.DeclClause:
			s.count++
		case *syntax.CallExpr:
			s.call(n)
		}
		return true
	})
}

// call notes a simple command.
func (s *script) call(n *syntax.CallExpr) {
	if len(n.Args) == 0 {
		return
	}
	name, ok := literal(n.Args[0])
	if !ok || name == "[" {
		return
	}
	s.count++
	c := command{name: name, start: int(n.Args[0].Pos().Offset()), end: int(n.Args[0].End().Offset())}
	for _, w := range n.Args[1:] {
		c.args = append(c.args, arg{s.simplify(w), int(w.Pos().Offset()), int(w.End().Offset())})
	}
	if w := effective(name, n.Args[1:]); w != nil {
		text, ok := literal(w)
		if !ok {
			return
		}
		c.name, c.start, c.end = text, int(w.Pos().Offset()), int(w.End().Offset())
	}
	s.cmds = append(s.cmds, c)
}

// effective returns the word that names what a wrapper runs, or nil.
func effective(name string, args []*syntax.Word) *syntax.Word {
	switch name {
	case "busybox", "builtin", "command", "run", "exec":
		if len(args) > 0 && !strings.HasPrefix(args[0].Lit(), "-") {
			return args[0]
		}
	}
	return nil
}

// literal returns the value of a word without expansions.
func literal(w *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(p.Value, "*?") {
				return "", false
			}
			b.WriteString(unescape(p.Value))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				l, ok := q.(*syntax.Lit)
				if !ok {
					return "", false
				}
				b.WriteString(l.Value)
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

func (s *script) simplify(w *syntax.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		s.simplifyPart(&b, p)
	}
	return b.String()
}

func (s *script) simplifyPart(b *strings.Builder, p syntax.WordPart) {
	switch p := p.(type) {
	case *syntax.Lit:
		b.WriteString(unescape(p.Value))
	case *syntax.SglQuoted:
		b.WriteString(p.Value)
	case *syntax.DblQuoted:
		for _, q := range p.Parts {
			if l, ok := q.(*syntax.Lit); ok {
				b.WriteString(l.Value)
				continue
			}
			s.simplifyPart(b, q)
		}
	case *syntax.ParamExp:
		raw := s.text[p.Pos().Offset():p.End().Offset()]
		raw = strings.TrimPrefix(raw, "$")
		if t, ok := strings.CutPrefix(raw, "{"); ok {
			raw = strings.TrimSuffix(t, "}")
		}
		b.WriteString("${" + raw + "}")
	case *syntax.ArithmExp:
		b.WriteString("${VAR}")
	case *syntax.CmdSubst:
		if p.Backquotes {
			b.WriteString("${VAR}")
			return
		}
		b.WriteString("${")
		if len(p.Stmts) == 1 {
			if c, ok := p.Stmts[0].Cmd.(*syntax.CallExpr); ok {
				for _, w := range c.Args {
					b.WriteString(s.simplify(w))
				}
			}
		}
		b.WriteString("}")
	}
}

// unescape drops the backslashes of unquoted text.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
