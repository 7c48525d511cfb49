package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "poly/"

// floors orders the house from the ground up. A package imports lower floors
// only. A trailing /* stands for the direct children of a folder.
var floors = [][]string{
	{
		"internal/editorconfig",
		"internal/jsonrpc",
		"internal/diag", "internal/lang", "internal/usererr", "internal/glob", "internal/version", "internal/toon", "internal/docs",
		"internal/atomicfile", "internal/filelock", "internal/yamlevent", "internal/mdtree", "internal/gitstate/index", "internal/gitstate/gitconf",
		"internal/gitstate/entry", "internal/gitstate/sum", "internal/blake3", "internal/wasm/pack", "internal/wasm/asm", "internal/guard", "internal/guard/*", "internal/syntax", "internal/syntax/fetched", "internal/rules/rustre",
	},
	{"internal/rules/match", "internal/guard/markup", "internal/commitmsg", "internal/gitstate/attr", "internal/gitstate/disk", "internal/gitstate/ignore", "internal/gitstate/recall", "internal/gitstate/repo", "internal/shellfile", "internal/wasm", "internal/proc", "internal/toolout"},
	{"internal/rules", "internal/gitstate", "internal/worktree", "store", "internal/wasm/dprint", "internal/wasm/bindgen", "internal/wasm/wasmtest"},
	{"internal/config", "internal/report", "internal/snapshot", "runner/task", "runner/job"},
	{"internal/engine", "internal/discover"},
	{"internal/engine/enginetest", "internal/wasmfmt"},
	{"internal/engine/*"},
	{"internal/engine/all", "internal/filesafety", "internal/migrate", "runner", "runner/project"},
	{"mcp/tool"},
	{"mcp/page", "mcp/serve"},
	{"hooks", "mcp"},
	{"cmd/poly"},
}

// ground may be imported by their own floor: leaves that import nothing of ours.
var ground = []string{"internal/usererr", "internal/version", "internal/atomicfile", "internal/filelock", "internal/blake3", "internal/guard", "internal/mdtree", "internal/syntax/fetched"}

// homes names the libraries that may be imported from some packages only.
var homes = map[string][]string{
	"github.com/mattn/go-sqlite3":                           {"store"},
	"github.com/spf13/cobra":                                {"cmd/poly"},
	"github.com/mark3labs/mcp-go/mcp":                       {"mcp/serve"},
	"github.com/mark3labs/mcp-go/server":                    {}, // its package init costs every start too much
	"github.com/BurntSushi/toml":                            {"internal/config", "internal/engine/toml", "internal/engine/revive", "internal/engine/ruff"},
	"github.com/pelletier/go-toml":                          {"internal/config", "internal/engine/toml"},
	"github.com/tetratelabs/wazero":                         {"internal/wasm", "internal/wasm/dprint", "internal/wasm/bindgen"},
	"github.com/tree-sitter/":                               {"internal/syntax"},
	"github.com/tree-sitter-grammars/":                      {"internal/syntax"},
	"github.com/klauspost/compress":                         {"internal/wasm/pack"},
	"github.com/go-git/":                                    {"internal/gitstate/gitconf"},
	"os/exec":                                               {"internal/gitstate/repo", "internal/proc", "internal/testutil", "cmd/poly"},
	"database/sql":                                          {"store"}, // its driver package only: see store/conn.go
	"github.com/go-git/go-git/v5/plumbing/object":           {},
	"github.com/go-git/go-git/v5/plumbing/transport/client": {},
}

// exempt are not part of the binary's floors.
func exempt(dir string) bool {
	return dir == "internal/arch" || dir == "internal/testutil" || strings.HasPrefix(dir, "internal/gen")
}

func floorOf(pkg string) int {
	for i, pats := range slices.Backward(floors) {
		for _, pat := range pats {
			if ok, _ := path.Match(pat, pkg); ok && !exactElsewhere(pkg, i) {
				return i
			}
		}
	}
	return -1
}

// exactElsewhere reports whether pkg stands by its full name on another floor,
// which outranks a pattern.
func exactElsewhere(pkg string, floor int) bool {
	for i, pats := range floors {
		if i != floor && slices.Contains(pats, pkg) {
			return true
		}
	}
	return false
}

type source struct {
	name string // slash path from the top
	dir  string
	text []byte
	file *ast.File
	fset *token.FileSet
}

// sources reads the module itself rather than asking "go list", so that the
// test cache notices when a file changes.
func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "bin" || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		out = append(out, source{name, path.Dir(name), text, file, fset})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 20 {
		t.Fatalf("found %d Go files: the test looks in the wrong place", len(out))
	}
	return out
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

func TestFloors(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if isTest(s.name) || exempt(s.dir) {
			continue
		}
		from := floorOf(s.dir)
		if from < 0 {
			t.Errorf("%s stands on no floor: add it to floors", s.dir)
			continue
		}
		for _, spec := range s.file.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			to, ours := strings.CutPrefix(imp, module)
			if !ours || slices.Contains(ground, to) {
				continue
			}
			if floorOf(to) >= from {
				t.Errorf("%s (floor %d) imports %s (floor %d), which is not below it", s.name, from, to, floorOf(to))
			}
		}
	}
}

func TestHomes(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if isTest(s.name) || exempt(s.dir) {
			continue
		}
		for _, spec := range s.file.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			for lib, rooms := range homes {
				if (imp == lib || strings.HasPrefix(imp, strings.TrimSuffix(lib, "/")+"/")) && !slices.Contains(rooms, s.dir) {
					t.Errorf("%s imports %s: only %v may", s.name, imp, rooms)
				}
			}
		}
	}
}

func TestOutsideWorld(t *testing.T) {
	t.Parallel()
	banned := map[string][]string{
		"os":  {"Stdout", "Stderr", "Stdin", "Exit", "Getenv", "LookupEnv", "Environ", "Getwd", "Chdir", "Args"},
		"fmt": {"Print", "Printf", "Println"},
	}
	for _, s := range sources(t) {
		if isTest(s.name) || exempt(s.dir) || s.dir == "cmd/poly" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := sel.X.(*ast.Ident)
			if ok && slices.Contains(banned[pkg.Name], sel.Sel.Name) && pkg.Obj == nil {
				t.Errorf("%s uses %s.%s: take it as a value from cmd/poly", s.fset.Position(n.Pos()), pkg.Name, sel.Sel.Name)
			}
			if ok && pkg.Obj == nil && pkg.Name == "os" && sel.Sel.Name == "Rename" && s.dir != "internal/atomicfile" {
				t.Errorf("%s: os.Rename belongs to internal/atomicfile", s.fset.Position(n.Pos()))
			}
			return true
		})
	}
}

func TestNoInit(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: no init functions", s.name)
			}
		}
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	files := map[string]int{}
	for _, s := range sources(t) {
		if strings.HasSuffix(s.name, "_gen.go") {
			continue
		}
		limit := 600
		if isTest(s.name) {
			limit = 800
		} else {
			files[s.dir]++
		}
		if n := strings.Count(string(s.text), "\n"); n > limit {
			t.Errorf("%s has %d lines, at most %d", s.name, n, limit)
		}
	}
	for dir, n := range files {
		if n > 15 && dir != "cmd/poly" {
			t.Errorf("%s has %d files, at most 15: a second duty may be hiding in it", dir, n)
		}
		switch path.Base(dir) {
		case "util", "utils", "helpers", "common", "base", "core", "types", "manager":
			t.Errorf("%s: a package is named after what it holds", dir)
		}
	}
}

func TestPackageDocs(t *testing.T) {
	t.Parallel()
	doc := map[string]bool{}
	for _, s := range sources(t) {
		if isTest(s.name) {
			continue
		}
		doc[s.dir] = doc[s.dir] || s.file.Doc != nil
	}
	for dir, ok := range doc {
		if !ok {
			t.Errorf("%s has no package comment", dir)
		}
	}
}

func TestMapNamesEveryPackage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range sources(t) {
		if isTest(s.name) || seen[s.dir] {
			continue
		}
		seen[s.dir] = true
		parent := path.Dir(s.dir)
		if (parent == "internal/engine" && floorOf(s.dir) == floorOf("internal/engine/x")) || parent == "internal/guard" || strings.HasPrefix(s.dir, "internal/gen/") {
			continue
		}
		if !strings.Contains(string(text), "\t"+s.dir+" ") {
			t.Errorf("%s is not on the map in doc.go", s.dir)
		}
	}
}

func TestTopLevel(t *testing.T) {
	t.Parallel()
	allowed := []string{
		"cmd", "hooks", "runner", "mcp", "store", "internal", "testdata",
		"go.mod", "go.sum", "Makefile", "README.md", "LICENSE", "poly.toml", "bin",
	}
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(allowed, e.Name()) {
			t.Errorf("%s does not belong to the top level", e.Name())
		}
	}
}
