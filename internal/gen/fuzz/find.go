package main

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path"
	"strings"
)

// target is one fuzz test.
type target struct{ dir, name string }

func (t target) String() string { return t.dir + "." + t.name }

// find returns the fuzz tests of a module in order of path. Tests of files
// that are not built on this platform are left out.
func find(root fs.FS) ([]target, error) {
	var out []target
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "vendor") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, "_test.go") {
			return nil
		}
		names, err := fuzzTests(root, name)
		for _, n := range names {
			out = append(out, target{path.Dir(name), n})
		}
		return err
	})
	return out, err
}

// fuzzTests returns the names of the functions FuzzX(*testing.F) of a file.
func fuzzTests(root fs.FS, name string) ([]string, error) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	platform := build.Default
	platform.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	if ok, err := platform.MatchFile(path.Dir(name), path.Base(name)); !ok || err != nil {
		return nil, err
	}
	var out []string
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Fuzz") && takesF(f.Type) {
			out = append(out, f.Name.Name)
		}
	}
	return out, nil
}

// takesF reports whether a function has one parameter, of type *testing.F, and
// no result.
func takesF(t *ast.FuncType) bool {
	if t.Results.NumFields() != 0 || t.Params.NumFields() != 1 {
		return false
	}
	star, ok := t.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "testing" && sel.Sel.Name == "F"
}
