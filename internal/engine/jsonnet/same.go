package jsonnet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-jsonnet/ast"
	upstream "github.com/google/go-jsonnet/formatter"

	"poly/internal/engine"
)

// Same reports whether two texts are the same program with the same comments.
// Parentheses, quotes, commas, the `+` before a brace and the order of imports
// at the start may differ, and so may what a comment starts with. Programs are
// compared by what the library's parser makes of them, comments by a scanner of ours.
func Same(before, after []byte) error {
	one, ends := engine.Plain(before)
	two, _ := engine.Plain(after)
	if ends.Mixed {
		one, two = before, after
	}
	a, err := read(string(one))
	if err != nil {
		return fmt.Errorf("the original does not parse: %w", err)
	}
	b, err := read(string(two))
	if err != nil {
		return fmt.Errorf("the result does not parse: %w", err)
	}
	if a != b {
		a, b = around(a, b)
		return fmt.Errorf("the program changed from %q to %q", a, b)
	}
	if err := sameComments(comments(string(one)), comments(string(two))); err != nil {
		return err
	}
	return sameWords(string(one), string(two))
}

func read(text string) (string, error) {
	root, _, err := upstream.SnippetToRawAST("", text)
	if err != nil {
		return "", err
	}
	var w writer
	w.node(root)
	return w.String(), nil
}

// around cuts two texts to where they start to differ.
func around(a, b string) (string, string) {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	start := max(0, i-20)
	return a[start:min(len(a), i+40)], b[start:min(len(b), i+40)]
}

func sameComments(a, b []string) error {
	for i := range max(len(a), len(b)) {
		switch {
		case i == len(b) || i < len(a) && a[i] < b[i]:
			return fmt.Errorf("comment %q was lost", a[i])
		case i == len(a) || a[i] > b[i]:
			return fmt.Errorf("comment %q was added", b[i])
		}
	}
	return nil
}

// writer writes programs so that different ones are written differently.
type writer struct{ strings.Builder }

func (w *writer) word(s string) { w.WriteString(s + " ") }

func (w *writer) text(s string) { w.word(strconv.Quote(s)) }

// list writes nodes between brackets.
func (w *writer) list(op string, nodes ...ast.Node) {
	w.word("(" + op)
	for _, n := range nodes {
		w.node(n)
	}
	w.word(")")
}

func (w *writer) node(n ast.Node) {
	switch n := n.(type) {
	case nil:
		w.word("-")
	case *ast.Parens:
		w.node(n.Inner)
	case *ast.ApplyBrace:
		w.list("+", n.Left, n.Right)
	case *ast.Binary:
		w.list(n.Op.String(), n.Left, n.Right)
	case *ast.Unary:
		w.list("unary"+n.Op.String(), n.Expr)
	case *ast.Index:
		if n.Id != nil {
			w.list("index", n.Target, &ast.LiteralString{Value: string(*n.Id)})
		} else {
			w.list("index", n.Target, n.Index)
		}
	case *ast.SuperIndex:
		if n.Id != nil {
			w.list("super", &ast.LiteralString{Value: string(*n.Id)})
		} else {
			w.list("super", n.Index)
		}
	case *ast.Conditional:
		w.list("if", n.Cond, n.BranchTrue, n.BranchFalse)
	case *ast.Assert, *ast.Error, *ast.Slice, *ast.InSuper:
		w.list(fmt.Sprintf("%T", n), parts(n)...)
	default:
		w.compound(n)
	}
}

// compound writes what has parts that are no expressions.
func (w *writer) compound(n ast.Node) {
	switch n := n.(type) {
	case *ast.Apply:
		w.word("(call")
		w.node(n.Target)
		for i := range n.Arguments.Positional {
			w.node(n.Arguments.Positional[i].Expr)
		}
		for i := range n.Arguments.Named {
			w.word(string(n.Arguments.Named[i].Name) + "=")
			w.node(n.Arguments.Named[i].Arg)
		}
		w.word(fmt.Sprint(n.TailStrict) + ")")
	case *ast.Array:
		w.word("[")
		for i := range n.Elements {
			w.node(n.Elements[i].Expr)
		}
		w.word("]")
	case *ast.ArrayComp:
		w.list("array", n.Body)
		w.loop(&n.Spec)
	case *ast.Object:
		w.fields(n.Fields)
	case *ast.ObjectComp:
		w.fields(n.Fields)
		w.loop(&n.Spec)
	case *ast.Local:
		w.local(n)
	case *ast.Function:
		w.function(n)
	default:
		w.leaf(n)
	}
}

func (w *writer) leaf(n ast.Node) {
	switch n := n.(type) {
	case *ast.LiteralString:
		w.text(value(n))
	case *ast.LiteralNumber:
		w.word(n.OriginalString)
	case *ast.LiteralBoolean:
		w.word(strconv.FormatBool(n.Value))
	case *ast.Import:
		w.list("import", n.File)
	case *ast.ImportStr:
		w.list("importstr", n.File)
	case *ast.ImportBin:
		w.list("importbin", n.File)
	case *ast.Var:
		w.word("$" + string(n.Id))
	default: // self, $, null
		w.word(fmt.Sprintf("%T", n))
	}
}

// value returns what a string stands for. A node keeps it as it is written.
func value(n *ast.LiteralString) string {
	switch n.Kind {
	case ast.StringSingle, ast.StringDouble:
		return unescape(n.Value)
	default:
		return n.Value
	}
}

// unescape undoes the escapes in which two spellings of a string may differ.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] != '\\' || i+1 == len(s):
			b.WriteByte(s[i])
		case s[i+1] == '\'' || s[i+1] == '"':
			i++
			b.WriteByte(s[i])
		case s[i+1] == 'u' && i+6 <= len(s):
			b.WriteString(strings.ToLower(s[i : i+6]))
			i += 5
		default:
			b.WriteString(escape(s[i : i+2]))
			i++
		}
	}
	return b.String()
}

func escape(s string) string {
	switch s[1] {
	case 'n':
		return "\n"
	case 't':
		return "\t"
	case 'r':
		return "\r"
	case '\\':
		return "\\"
	}
	return s
}

func (w *writer) loop(f *ast.ForSpec) {
	if f.Outer != nil {
		w.loop(f.Outer)
	}
	w.list("for "+string(f.VarName), f.Expr)
	for i := range f.Conditions {
		w.list("when", f.Conditions[i].Expr)
	}
}

func (w *writer) function(f *ast.Function) {
	w.word("(function")
	for i := range f.Parameters {
		w.word(string(f.Parameters[i].Name) + "=")
		w.node(f.Parameters[i].DefaultArg)
	}
	w.node(f.Body)
	w.word(")")
}

func (w *writer) fields(fields ast.ObjectFields) {
	w.word("{")
	for i := range fields {
		f := &fields[i]
		switch f.Kind {
		case ast.ObjectFieldID:
			w.text(string(*f.Id))
		case ast.ObjectLocal:
			w.word("local " + string(*f.Id))
		case ast.ObjectAssert:
			w.word("assert")
		default: // a string, or an expression that may be one
			w.node(f.Expr1)
		}
		if f.Kind != ast.ObjectLocal && f.Kind != ast.ObjectAssert {
			w.word(fmt.Sprint(f.Hide, f.SuperSugar))
		}
		if f.Method != nil {
			w.function(f.Method)
		} else {
			w.node(f.Expr2)
		}
		w.node(f.Expr3)
	}
	w.word("}")
}

// local writes definitions; those of imports, which may be sorted, in order of
// their text.
func (w *writer) local(n *ast.Local) {
	var imports []string
	var rest ast.Node = n
	for {
		l, ok := rest.(*ast.Local)
		if !ok || !imported(l) {
			break
		}
		for i := range l.Binds {
			imports = append(imports, bound(&l.Binds[i]))
		}
		rest = l.Body
	}
	if len(imports) > 0 {
		slices.Sort(imports)
		w.word("(local " + strings.Join(imports, " "))
		w.node(rest)
		w.word(")")
		return
	}
	w.word("(local")
	for i := range n.Binds {
		w.word(bound(&n.Binds[i]))
	}
	w.node(n.Body)
	w.word(")")
}

func bound(b *ast.LocalBind) string {
	var w writer
	w.word(string(b.Variable) + "=")
	if b.Fun != nil {
		w.function(b.Fun)
	} else {
		w.node(b.Body)
	}
	return w.String()
}

// imported tells that every definition is an import.
func imported(l *ast.Local) bool {
	return !slices.ContainsFunc(l.Binds, func(b ast.LocalBind) bool {
		_, ok := b.Body.(*ast.Import)
		return !ok || b.Fun != nil
	})
}
