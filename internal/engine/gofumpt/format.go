package gofumpt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"sync"

	gofumpt "mvdan.cc/gofumpt/format"

	"poly/internal/engine"
)

type formatter struct {
	gofmt bool // no rules but gofmt's
	extra bool
	// How lines end: neither keeps what most of them have.
	crlf, lf bool
}

// format returns what the gofumpt command would write, but for a byte order
// mark and the line endings, which it would drop.
func (f formatter) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if pathClass(src.Path) != "" {
		return nil, engine.Skip("gofumpt leaves testdata and vendor directories alone")
	}
	text, ends := engine.Plain(src.Text)
	out, err := f.source(text, moduleOf(src.Inputs))
	if err != nil {
		return nil, skipSyntax(err)
	}
	out = ends.Restore(out, engine.Globals{CRLF: f.crlf, LF: f.lf, FinalNewline: true})
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// source formats in the order of the gofumpt command: imports are sorted
// before its rules run. [gofumpt.Source] sorts after them, with other results,
// but only there can the printer of gofumpt be had, which is not that of the
// standard library: so it gets text whose imports are sorted already.
func (f formatter) source(text []byte, mod module) ([]byte, error) {
	if f.gofmt {
		return format.Source(text)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	before := importList(file)
	ast.SortImports(fset, file)
	bare := isGenerated(file) // no rules but gofmt's
	if bare || !slices.Equal(before, importList(file)) {
		var out bytes.Buffer
		if err := printerConfig.Fprint(&out, fset, file); err != nil || bare {
			return out.Bytes(), err
		}
		text = out.Bytes()
	}
	return gofumpt.Source(text, gofumpt.Options{
		LangVersion: mod.version, ModulePath: mod.path,
		Extra: gofumpt.Extra{GroupParams: f.extra, ClotheReturns: f.extra, BalanceCalls: f.extra},
	})
}

// importList returns the names and paths of the imports in their order.
func importList(file *ast.File) []string {
	var out []string
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			break
		}
		for _, s := range g.Specs {
			if i, ok := s.(*ast.ImportSpec); ok {
				out = append(out, i.Name.String()+" "+i.Path.Value)
			}
		}
	}
	return out
}

// printerConfig is what gofmt prints with: 1<<30 is go/printer's unexported
// mode bit that normalises number literals.
var printerConfig = printer.Config{Mode: printer.UseSpaces | printer.TabIndent | 1<<30, Tabwidth: 8}

// isGenerated is gofumpt's test: the comment stands before the package clause.
func isGenerated(file *ast.File) bool {
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			return false
		}
		for _, c := range group.List {
			if generated().MatchString(c.Text) {
				return true
			}
		}
	}
	return false
}

var generated = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^// Code generated .* DO NOT EDIT\.$`) })

// skipSyntax makes a parse error a skip: lint is who reports it.
func skipSyntax(err error) error {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return engine.Skip(fmt.Sprintf("Go syntax error at line %d", list[0].Pos.Line))
	}
	return err
}
