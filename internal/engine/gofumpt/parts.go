package gofumpt

import (
	"bytes"
	"errors"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
)

// source formats text once. [formatter.whole] says in what order; where the
// text has grouped imports, the library prints everything twice to sort them
// once more. So what is up to the end of the imports and what is behind them
// are formatted apart, the second without imports, where the printer cannot
// tell the difference.
func (f formatter) source(text []byte, mod module) ([]byte, error) {
	if f.gofmt {
		return format.Source(text)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ImportsOnly|parser.SkipObjectResolution|parser.ParseComments)
	if err != nil || isGenerated(file) {
		return f.whole(text, mod)
	}
	if !grouped(file) {
		return f.library(text, mod) // nothing is sorted
	}
	if cut := seam(fset, file, text); cut > 0 {
		if out, err := f.parts(text[:cut], text[cut:], mod); err == nil {
			return out, nil
		}
	}
	return f.whole(text, mod)
}

// grouped reports whether an import declaration has parentheses: only those
// are sorted.
func grouped(file *ast.File) bool {
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Lparen.IsValid() {
			return true
		}
	}
	return false
}

// seam returns where the line after the last import starts, 0 if text cannot be
// cut there: line directives count lines anew, and the rules look at import "C"
// and at a comment that touches the imports.
func seam(fset *token.FileSet, file *ast.File, text []byte) int {
	for _, i := range file.Imports {
		if i.Path.Value == `"C"` {
			return 0
		}
	}
	end := fset.File(file.FileStart).Offset(file.Decls[len(file.Decls)-1].End())
	line := bytes.IndexByte(text[end:], '\n')
	if line < 0 || len(bytes.TrimLeft(text[end:end+line], " \t")) > 0 {
		return 0
	}
	cut := end + line + 1
	rest := bytes.TrimLeft(text[cut:], " \t\n")
	gap := text[cut : len(text)-len(rest)]
	if len(rest) == 0 || rest[0] == '/' && bytes.IndexByte(gap, '\n') < 0 {
		return 0
	}
	for _, mark := range [...]string{"//line ", "/*line "} {
		if bytes.Contains(rest, []byte(mark)) {
			return 0
		}
	}
	return cut
}

const clause = "package p\n\n"

// parts formats a file that is cut in two. An error says that it must be
// formatted as a whole.
func (f formatter) parts(head, body []byte, mod module) ([]byte, error) {
	top, err := f.whole(head, mod)
	if err != nil {
		return nil, err
	}
	alone := append(append(make([]byte, 0, len(clause)+len(body)), clause...), body...)
	rest, err := f.library(alone, mod)
	if err != nil {
		return nil, err
	}
	rest, ok := bytes.CutPrefix(rest, []byte(clause))
	if !ok { // the printer moves build constraints to the front
		return nil, errors.New("the package clause has moved")
	}
	return append(append(append(make([]byte, 0, len(top)+1+len(rest)), top...), '\n'), rest...), nil
}
