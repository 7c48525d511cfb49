package gofumpt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"sync"

	gofumpt "mvdan.cc/gofumpt/format"

	"poly/internal/diag"
	"poly/internal/engine"
)

type formatter struct {
	gofmt bool // no rules but gofmt's
	extra bool
	// How lines end: neither keeps what most of them have.
	crlf, lf bool
}

// worker formats one file after the other. It keeps the texts it has compared
// last for the guard.
type worker struct {
	formatter
	last pair
}

// Lint parses.
func (w *worker) Lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	return lint(ctx, src)
}

// Same is the guard.
func (w *worker) Same(before, after []byte) error {
	return w.last.same(before, after)
}

// Close does nothing.
func (w *worker) Close() error { return nil }

// Format returns what the gofumpt command would write, but for a byte order
// mark and the line endings, which it would drop.
func (w *worker) Format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if pathClass(src.Path) != "" {
		return nil, engine.Skip("gofumpt leaves testdata and vendor directories alone")
	}
	text, ends := engine.Plain(src.Text)
	out, err := w.settle(ctx, text, moduleOf(src.Inputs), src.Verdict)
	if err != nil {
		return nil, skipSyntax(err)
	}
	out = ends.Restore(out, engine.Globals{CRLF: w.crlf, LF: w.lf, FinalNewline: true})
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// maxPasses is how often a text is formatted at most.
const maxPasses = 5

// settle formats text until nothing changes. For a verdict the first result is
// enough, and so it is where the next would be the same for certain.
func (w *worker) settle(ctx context.Context, text []byte, mod module, verdict bool) ([]byte, error) {
	for range maxPasses {
		out, err := w.source(text, mod)
		if err != nil || verdict || bytes.Equal(out, text) {
			return out, err
		}
		if w.last.scan(text, out).steady {
			return out, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text = out
	}
	return nil, engine.Skip("formatter does not converge")
}

// whole formats in the order of the gofumpt command: imports are sorted before
// its rules run. [gofumpt.Source] sorts after them, with other results, but
// only there can the printer of gofumpt be had, which is not that of the
// standard library: so it gets text whose imports are sorted already.
func (f formatter) whole(text []byte, mod module) ([]byte, error) {
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
	return f.library(text, mod)
}

func (f formatter) library(text []byte, mod module) ([]byte, error) {
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
