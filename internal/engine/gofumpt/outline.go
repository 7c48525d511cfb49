package gofumpt

import (
	"go/ast"
	"go/build/constraint"
	"go/constant"
	"go/token"
	"slices"
	"strings"
)

// outline writes a file as a list of words in prefix form, so that equal lists
// are equal trees. What gofmt -s and gofumpt rewrite is written in one way:
//
//   - imports are a sorted set; declarations of vars and types stand alone,
//     whether grouped or not; so do parameters and fields of one type;
//   - var x = y in a function is x := y;
//   - number literals are values; parentheses are not written;
//   - element types that a composite literal may leave out are left out;
//   - for x, _ = range and for _ = range lose the blanks; s[a:len(s)] its end;
//   - a naked return names the results.
func outline(file *ast.File) []string {
	o := &outliner{}
	o.word("package", file.Name.Name)
	o.word(constraints(file)...)
	o.imports(file)
	o.directives = directivesOf(file)
	o.header(file)
	for _, d := range file.Decls {
		o.decl(d)
	}
	o.flush(file.FileEnd + 1)
	return o.words
}

type outliner struct {
	words      []string
	results    []*ast.FieldList // of the functions around
	directives []directive      // not written yet
}

func (o *outliner) word(w ...string) { o.words = append(o.words, w...) }

// isConstraint reports whether a comment is a build constraint.
func isConstraint(text string) bool {
	return constraint.IsGoBuild(text) || constraint.IsPlusBuild(text)
}

// constraints returns the build constraint of a file as one expression.
func constraints(file *ast.File) []string {
	var plus constraint.Expr
	for _, g := range file.Comments {
		if g.Pos() > file.Package {
			break
		}
		for _, c := range g.List {
			if !isConstraint(c.Text) {
				continue
			}
			x, err := constraint.Parse(c.Text)
			switch {
			case err != nil:
				return []string{c.Text}
			case constraint.IsGoBuild(c.Text):
				return []string{"build", x.String()}
			case plus == nil:
				plus = x
			default:
				plus = &constraint.AndExpr{X: plus, Y: x}
			}
		}
	}
	if plus == nil {
		return nil
	}
	return []string{"build", plus.String()}
}

// directive is a comment that tools read by its place.
type directive struct {
	pos  token.Pos
	text string
}

// directivesOf returns the directives of a file, in order.
func directivesOf(file *ast.File) []directive {
	var out []directive
	for _, g := range file.Comments {
		for _, c := range g.List {
			if text, ok := directiveText(c.Text); ok {
				out = append(out, directive{c.Pos(), text})
			}
		}
	}
	return out
}

// directiveText returns the text of //word:word, //export, //line and //nolint.
// gofmt may put a blank before nolint, which its readers allow.
func directiveText(comment string) (text string, ok bool) {
	text, ok = strings.CutPrefix(comment, "//")
	if !ok || isConstraint(comment) || strings.HasPrefix(text, "gofumpt:diagnose") {
		return "", false
	}
	if bare := strings.TrimLeft(text, " "); strings.HasPrefix(bare, "nolint") {
		return bare, true
	}
	name, rest, colon := strings.Cut(text, ":")
	if colon && name != "" && strings.Trim(name, lowerDigits+"-") == "" && rest != "" && strings.IndexByte(lowerDigits, rest[0]) >= 0 {
		return text, true
	}
	return text, strings.HasPrefix(text, "export ") || strings.HasPrefix(text, "line ")
}

const lowerDigits = "abcdefghijklmnopqrstuvwxyz0123456789"

// imports writes the set of imports; the comment before import "C" is C source.
func (o *outliner) imports(file *ast.File) {
	var specs []string
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		for _, s := range g.Specs {
			s := s.(*ast.ImportSpec)
			name := ""
			if s.Name != nil {
				name = s.Name.Name
			}
			specs = append(specs, name+" "+strings.Trim(s.Path.Value, "\"`"))
			if s.Path.Value == `"C"` {
				o.word(preamble(g.Doc), preamble(s.Doc))
			}
		}
	}
	slices.Sort(specs)
	o.word(slices.Compact(specs)...)
}

// preamble returns the text of a cgo comment; the blanks around its lines are
// layout to gofmt.
func preamble(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	var b strings.Builder
	for _, c := range doc.List {
		for line := range strings.Lines(c.Text) {
			b.WriteString(strings.TrimSpace(strings.TrimPrefix(line, "//")) + "\n")
		}
	}
	return b.String()
}

// decl writes a declaration, each spec after the directives before it. Imports
// are written already, their directives by header.
func (o *outliner) decl(d ast.Decl) {
	g, ok := d.(*ast.GenDecl)
	switch {
	case !ok:
		o.flush(d.Pos())
		o.node(d)
		o.flush(d.End())
	case g.Tok == token.IMPORT:
	case g.Tok == token.CONST:
		o.constants(g, o.flush)
	default:
		for _, s := range g.Specs {
			o.flush(s.Pos())
			o.word(g.Tok.String())
			o.node(s)
		}
	}
}

// flush writes the directives that stand before pos.
func (o *outliner) flush(pos token.Pos) {
	for len(o.directives) > 0 && o.directives[0].pos < pos {
		o.word(o.directives[0].text)
		o.directives = o.directives[1:]
	}
}

// header writes the directives before the first declaration that is no import
// as a set: sorting imports moves them.
func (o *outliner) header(file *ast.File) {
	end := file.FileEnd + 1
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			end = d.Pos()
			break
		}
	}
	from := len(o.words)
	o.flush(end)
	slices.Sort(o.words[from:])
}

// literal writes a literal by its value.
func (o *outliner) literal(l *ast.BasicLit) {
	switch l.Kind {
	case token.INT, token.FLOAT, token.IMAG:
		o.word(l.Kind.String(), number(l.Kind, l.Value))
		return
	}
	o.word(l.Kind.String(), strings.ReplaceAll(l.Value, "\r", ""))
}

// number returns the value of a literal, or what is written if it has none.
func number(kind token.Token, text string) string {
	if v := constant.MakeFromLiteral(text, kind, 0); v.Kind() != constant.Unknown {
		return v.ExactString()
	}
	return text
}
