package shfmt

import (
	"bytes"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// canon is a syntax tree as a list: one entry for each node with all that it
// says besides where it stands and in which of several equal spellings.
type canon struct {
	text     []byte
	entries  []byte // each with a NUL behind it, which no script has
	listed   bool   // offsets are wanted
	offsets  []uint // of the entries in text
	comments []string
	// added and removed is how the printer spells differently what the text has.
	added, removed []string

	remarks []syntax.Comment
	// marks are the comments that a tool reads for the command behind them.
	// Statements are counted only for their sake.
	marked bool
	stmts  []uint // where statements start
	marks  []mark
	dashed map[*syntax.Lit]string // pieces of <<- documents, without the tabs no reader sees
}

// mark is a comment such as `# shellcheck disable=SC2086`.
type mark struct {
	text string
	nth  int // how many statements start in front of it
}

// end is the entry that closes a node.
const end = ")"

func canonical(f *syntax.File, text []byte, listed bool) *canon {
	c := &canon{text: text, entries: make([]byte, 0, len(text)*2), listed: listed, marked: bytes.Contains(text, []byte(directive))}
	k := keeper{text: text}
	if hasSubscript(text) {
		syntax.Walk(f, k.collect)
	}
	for _, at := range k.found {
		if k.mayBeKey(at) {
			e := *at.index
			c.add("key "+string(text[e.Pos().Offset():e.End().Offset()]), e.Pos())
		}
	}
	syntax.Walk(f, c.node)
	slices.SortStableFunc(c.remarks, func(a, b syntax.Comment) int { return int(a.Hash.Offset()) - int(b.Hash.Offset()) })
	slices.Sort(c.stmts)
	for _, r := range c.remarks {
		text := strings.TrimSpace(r.Text)
		c.comments = append(c.comments, text)
		if strings.HasPrefix(text, directive) {
			nth, _ := slices.BinarySearch(c.stmts, r.Hash.Offset())
			c.marks = append(c.marks, mark{text, nth})
		}
	}
	return c
}

const directive = "shellcheck "

func (c *canon) add(entry string, at syntax.Pos) {
	c.entries = append(append(c.entries, entry...), 0)
	if c.listed {
		c.offsets = append(c.offsets, at.Offset())
	}
}

// node makes the entry of a node. Words are entries without an end: a word
// cannot contain another.
func (c *canon) node(n syntax.Node) bool {
	switch n := n.(type) {
	case nil:
		c.add(end, syntax.Pos{})
	case *syntax.Comment, *syntax.Lit, *syntax.SglQuoted:
		c.leaf(n)
		return false
	case *syntax.Word:
		c.add("word", n.Pos())
	case *syntax.Stmt:
		c.statement(n)
	case *syntax.File:
		c.add("file", n.Pos())
	case syntax.Command:
		c.command(n)
	case syntax.WordPart:
		c.part(n)
	case syntax.ArithmExpr:
		c.arithmetic(n)
	case syntax.TestExpr:
		c.test(n)
	default:
		c.other(n)
	}
	return true
}

// leaf makes the entry of a node that has none below it.
func (c *canon) leaf(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Comment:
		c.remarks = append(c.remarks, *n)
	case *syntax.Lit:
		value := n.Value
		if dashed, ok := c.dashed[n]; ok {
			value = dashed
		}
		c.add(value, n.ValuePos)
	case *syntax.SglQuoted:
		c.add(flags("'", n.Dollar), n.Left)
		c.add(n.Value, n.Left)
	}
}

func (c *canon) statement(n *syntax.Stmt) {
	if c.marked {
		c.stmts = append(c.stmts, n.Position.Offset())
	}
	if n.Disown {
		c.respelled(n.Semicolon, "&|", "&!")
	}
	if !n.Negated && !n.Background && !n.Coprocess && !n.Disown {
		c.add("stmt", n.Position) // nearly all of them
		return
	}
	c.add(flags("stmt", n.Negated, n.Background, n.Coprocess, n.Disown), n.Position)
}

// flags is a name with one digit behind it for each flag.
func flags(name string, set ...bool) string {
	var buf [48]byte
	return string(digits(append(buf[:0], name...), set...))
}

func digits(b []byte, set ...bool) []byte {
	for _, s := range set {
		if s {
			b = append(b, '1')
		} else {
			b = append(b, '0')
		}
	}
	return b
}

func (c *canon) command(n syntax.Command) {
	entry := ""
	switch n := n.(type) {
	case *syntax.CallExpr:
		entry = "call"
	case *syntax.IfClause:
		entry = flags("if", n.ThenPos.IsValid())
	case *syntax.WhileClause:
		entry = flags("while", n.Until)
	case *syntax.ForClause:
		if entry = flags("for", n.Select); n.Braces {
			c.added = append(c.added, "dodone")
		}
	case *syntax.CaseClause:
		if entry = "case"; n.Braces {
			c.added = append(c.added, "inesac")
		}
	case *syntax.Block:
		entry = "block"
	case *syntax.Subshell:
		entry = "subshell"
	case *syntax.BinaryCmd:
		entry = n.Op.String()
	default:
		entry = bashCommand(n)
	}
	c.add(entry, n.Pos())
}

func bashCommand(n syntax.Command) string {
	switch n := n.(type) {
	case *syntax.FuncDecl:
		return flags("function", n.RsrvWord, n.Parens, n.Name != nil)
	case *syntax.ArithmCmd:
		return flags("((", n.Unsigned)
	case *syntax.TestClause:
		return "[["
	case *syntax.DeclClause:
		return n.Variant.Value
	case *syntax.LetClause:
		return "let"
	case *syntax.TimeClause:
		return flags("time", n.PosixFormat)
	case *syntax.CoprocClause:
		return flags("coproc", n.Name != nil)
	case *syntax.TestDecl:
		return "@test"
	}
	return ""
}

func (c *canon) part(n syntax.WordPart) {
	entry := ""
	switch n := n.(type) {
	case *syntax.DblQuoted:
		entry = flags("\"", n.Dollar)
	case *syntax.CmdSubst:
		entry = flags("$(", n.TempFile, n.ReplyVar)
	case *syntax.ParamExp:
		if entry = parameter(n); n.Repl != nil && n.Repl.Orig != nil && n.Repl.With == nil && n.Repl.Orig.End() == n.Rbrace {
			c.added = append(c.added, "/") // ${a/b} becomes ${a/b/}
		}
	case *syntax.ArithmExp:
		entry = flags("$((", n.Unsigned)
	case *syntax.ProcSubst:
		entry = n.Op.String()
	case *syntax.ExtGlob:
		entry = n.Op.String()
	case *syntax.BraceExp:
		entry = "brace"
	}
	c.add(entry, n.Pos())
}

// parameter tells which of the parts of an expansion exist, since they follow
// as children, and the operators.
func parameter(n *syntax.ParamExp) string {
	var buf [48]byte
	b := digits(append(buf[:0], '$'), n.Short, n.Flags != nil, n.Excl, n.Length, n.Width, n.IsSet, n.Param != nil, n.NestedParam != nil,
		n.Index != nil, n.Slice != nil, n.Slice != nil && n.Slice.Offset != nil, n.Repl != nil, n.Repl != nil && n.Repl.All,
		n.Repl != nil && n.Repl.Orig != nil, n.Exp != nil)
	b = append(b, '0'+byte(n.Split), '0'+byte(n.GlobSubst), '0'+byte(n.RcExpand))
	if n.Names != 0 {
		b = append(b, n.Names.String()...)
	}
	if n.Exp != nil {
		b = append(b, n.Exp.Op.String()...)
	}
	for _, m := range n.Modifiers {
		b = append(append(b, ':'), m.Value...)
	}
	return string(b)
}

func (c *canon) arithmetic(n syntax.ArithmExpr) {
	entry := ""
	switch n := n.(type) {
	case *syntax.BinaryArithm:
		entry = n.Op.String()
	case *syntax.UnaryArithm:
		entry = flags(n.Op.String(), n.Post)
	case *syntax.ParenArithm:
		entry = "(arithmetic"
	case *syntax.FlagsArithm:
		entry = "flags"
	}
	c.add(entry, n.Pos())
}

func (c *canon) test(n syntax.TestExpr) {
	entry := ""
	switch n := n.(type) {
	case *syntax.BinaryTest:
		entry = n.Op.String()
	case *syntax.UnaryTest:
		entry = n.Op.String()
		c.respelled(n.OpPos, entry, "-a", "-h")
	case *syntax.ParenTest:
		entry = "(test"
	}
	c.add(entry, n.Pos())
}

// respelled notes that the printer writes is for any of the old spellings.
func (c *canon) respelled(at syntax.Pos, is string, old ...string) {
	for _, was := range old {
		if is != was && bytes.HasPrefix(c.text[at.Offset():], []byte(was)) {
			c.removed, c.added = append(c.removed, was), append(c.added, is)
		}
	}
}

func (c *canon) other(n syntax.Node) {
	entry := ""
	switch n := n.(type) {
	case *syntax.Assign:
		entry = flags("=", n.Append, n.Naked, n.Name != nil, n.Index != nil, n.Value != nil, n.Array != nil)
	case *syntax.Redirect:
		c.dash(n)
		if op := n.Op.String(); strings.HasSuffix(op, "|") {
			c.respelled(n.OpPos, op, op[:len(op)-1]+"!")
		}
		entry = flags(n.Op.String(), n.N != nil, n.Hdoc != nil)
	case *syntax.CaseItem:
		entry = n.Op.String()
	case *syntax.WordIter:
		entry = flags("in", n.InPos.IsValid())
	case *syntax.CStyleLoop:
		entry = flags("((;;", n.Init != nil, n.Cond != nil, n.Post != nil)
	case *syntax.ArrayExpr:
		entry = "(array"
	case *syntax.ArrayElem:
		entry = flags("elem", n.Index != nil, n.Value != nil)
	}
	c.add(entry, n.Pos())
}

// dash takes the tabs from the line starts of a <<- document.
func (c *canon) dash(r *syntax.Redirect) {
	if r.Op != syntax.DashHdoc || r.Hdoc == nil {
		return
	}
	if c.dashed == nil {
		c.dashed = map[*syntax.Lit]string{}
	}
	start, quoted := true, isQuoted(r.Word)
	for _, p := range r.Hdoc.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok {
			start = false
			continue
		}
		var b strings.Builder
		for line := range strings.Lines(lit.Value) {
			if start {
				line = strings.TrimLeft(line, "\t")
			}
			b.WriteString(line)
			start = strings.HasSuffix(line, "\n") && (quoted || !continued(line))
		}
		c.dashed[lit] = b.String()
	}
}
