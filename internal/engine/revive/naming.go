package revive

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"strings"

	"github.com/mgechev/revive/lint"
)

// confusingNaming does for one file what the library's rule does for a package:
// that one remembers every file it has ever seen.
type confusingNaming struct{}

// Name returns the code.
func (*confusingNaming) Name() string { return "confusing-naming" }

// Apply applies the rule to a file.
func (*confusingNaming) Apply(file *lint.File, _ lint.Arguments) []lint.Failure {
	c := caseTwins{seen: map[string]string{}}
	ast.Inspect(file.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			c.function(n)
		case *ast.TypeSpec:
			if s, ok := n.Type.(*ast.StructType); ok {
				c.fields(n.Name.Name, s)
			}
		}
		return true
	})
	return c.out
}

type caseTwins struct {
	seen map[string]string // name by receiver and upper-case name
	out  []lint.Failure
}

func (c *caseTwins) function(fn *ast.FuncDecl) {
	if fn.Name.Name == "init" && fn.Recv == nil || !fn.Name.IsExported() && cgoExported(fn) {
		return
	}
	holder, kind := "", "function"
	if fn.Recv != nil && len(fn.Recv.List) > 0 {
		holder, kind = receiver(fn.Recv.List[0].Type), "method"
	}
	key := holder + "." + strings.ToUpper(fn.Name.Name)
	if other, ok := c.seen[key]; ok {
		c.add(fn.Name, fmt.Sprintf("Method '%s' differs only by capitalization to %s '%s' in the same source file", fn.Name.Name, kind, other))
		return
	}
	c.seen[key] = fn.Name.Name
}

// receiver returns the name of a receiver's type, "" for odd ones.
func receiver(x ast.Expr) string {
	if star, ok := x.(*ast.StarExpr); ok {
		x = star.X
	}
	if index, ok := x.(*ast.IndexExpr); ok {
		x = index.X
	}
	id, _ := x.(*ast.Ident)
	if id == nil {
		return ""
	}
	return id.Name
}

func cgoExported(fn *ast.FuncDecl) bool {
	if fn.Recv != nil || fn.Doc == nil {
		return false
	}
	for _, c := range fn.Doc.List {
		if strings.HasPrefix(c.Text, "//export ") {
			return true
		}
	}
	return false
}

func (c *caseTwins) fields(name string, s *ast.StructType) {
	seen := map[string]bool{}
	for _, f := range s.Fields.List {
		for _, id := range f.Names {
			upper := strings.ToUpper(id.Name)
			if id.Name != "_" && seen[upper] {
				c.add(id, fmt.Sprintf("Field '%s' differs only by capitalization to other field in the struct type %s", id.Name, name))
			}
			seen[upper] = true
		}
	}
}

func (c *caseTwins) add(n ast.Node, text string) {
	c.out = append(c.out, lint.Failure{Failure: text, Confidence: 1, Node: n, Category: lint.FailureCategoryNaming})
}

// packageDirectory compares the name of a package with that of its directory,
// by the path alone: the library's rule looks at the disk.
type packageDirectory struct{ ignored []string }

// Name returns the code.
func (*packageDirectory) Name() string { return "package-directory-mismatch" }

// Configure takes the table with ignore-directories.
func (r *packageDirectory) Configure(args lint.Arguments) error {
	r.ignored = []string{"testdata"}
	if len(args) == 0 {
		return nil
	}
	table, ok := args[0].(map[string]any)
	if !ok {
		return fmt.Errorf("want a table, not %T", args[0])
	}
	for k, v := range table {
		list, ok := v.([]any)
		if option(k) != "ignoredirectories" || !ok {
			return fmt.Errorf("want a list ignore-directories, not %s", k)
		}
		r.ignored = nil
		for _, dir := range list {
			r.ignored = append(r.ignored, fmt.Sprint(dir))
		}
	}
	return nil
}

// option writes the name of an option of revive.toml in one way.
func option(name string) string { return strings.ToLower(strings.ReplaceAll(name, "-", "")) }

// Apply applies the rule to a file.
func (r *packageDirectory) Apply(file *lint.File, _ lint.Arguments) []lint.Failure {
	dir := path.Dir(file.Name)
	pkg := file.AST.Name.Name
	if dir == "." || path.Base(dir) == "internal" || pkg == "main" || file.IsTest() && pkg == "main_test" {
		return nil
	}
	for _, part := range r.ignored {
		if part != "" && strings.Contains(dir, part) {
			return nil
		}
	}
	wanted := []string{path.Base(dir)}
	text := fmt.Sprintf("package name %q does not match directory name %q", pkg, path.Base(dir))
	if version(path.Base(dir)) {
		parent := path.Base(path.Dir(dir))
		wanted = append(wanted, parent)
		text += fmt.Sprintf(" or parent directory name %q", parent)
	}
	for _, w := range wanted {
		if sameWords(pkg, w) || file.IsTest() && sameWords(pkg, w+"_test") {
			return nil
		}
	}
	return []lint.Failure{{Failure: text, Confidence: 1, Node: file.AST.Name, Category: lint.FailureCategoryNaming}}
}

func version(dir string) bool {
	digits, ok := strings.CutPrefix(dir, "v")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

func sameWords(pkg, dir string) bool {
	bare := strings.NewReplacer("-", "", "_", "", ".", "")
	pkg, dir = bare.Replace(pkg), bare.Replace(dir)
	return pkg == dir || dir == "go"+pkg
}

// timeNaming finds durations that are named after a unit by what is written:
// a type time.Duration, or a value of units of package time.
type timeNaming struct{}

// Name returns the code.
func (*timeNaming) Name() string { return "time-naming" }

// Apply applies the rule to a file.
func (*timeNaming) Apply(file *lint.File, _ lint.Arguments) []lint.Failure {
	if imported(file.AST, "time") != "time" {
		return nil
	}
	var out []lint.Failure
	ast.Inspect(file.AST, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, id := range spec.Names {
			typ := durationType(spec, i)
			suffix := unitSuffix(id.Name)
			if typ == "" || suffix == "" {
				continue
			}
			out = append(out, lint.Failure{
				Category: lint.FailureCategoryTime, Confidence: 0.9, Node: spec,
				Failure: fmt.Sprintf("var %s is of type %s; don't use unit-specific suffix %q", id.Name, typ, suffix),
			})
		}
		return true
	})
	return out
}

// durationType returns time.Duration or *time.Duration if the i-th name of a
// declaration has that type for certain.
func durationType(spec *ast.ValueSpec, i int) string {
	switch t := spec.Type.(type) {
	case nil:
	case *ast.StarExpr:
		if isSelector(t.X, "time", "Duration") {
			return "*time.Duration"
		}
		return ""
	default:
		if isSelector(t, "time", "Duration") {
			return "time.Duration"
		}
		return ""
	}
	if i >= len(spec.Values) {
		return ""
	}
	if call, ok := spec.Values[i].(*ast.CallExpr); ok && isSelector(call.Fun, "flag", "Duration") {
		return "*time.Duration"
	}
	if isDuration(spec.Values[i]) {
		return "time.Duration"
	}
	return ""
}

func isDuration(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return isDuration(x.X)
	case *ast.UnaryExpr:
		return x.Op == token.SUB && isDuration(x.X)
	case *ast.BinaryExpr:
		switch x.Op {
		case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
			return isDuration(x.X) || isDuration(x.Y)
		}
	case *ast.CallExpr:
		return isSelector(x.Fun, "time", "Duration") || isSelector(x.Fun, "time", "Since") || isSelector(x.Fun, "time", "Until")
	case *ast.SelectorExpr:
		for _, unit := range [...]string{"Nanosecond", "Microsecond", "Millisecond", "Second", "Minute", "Hour"} {
			if isSelector(x, "time", unit) {
				return true
			}
		}
	}
	return false
}

// unitSuffix returns the unit that a name ends with, as the library has them.
func unitSuffix(name string) string {
	for _, s := range [...]string{
		"Hour", "Hours", "Min", "Mins", "Minutes", "Minute", "Sec", "Secs", "Seconds", "Second", "Msec", "Msecs",
		"Milli", "Millis", "Milliseconds", "Millisecond", "Usec", "Usecs", "Microseconds", "Microsecond", "MS", "Ms",
	} {
		if strings.HasSuffix(name, s) {
			return s
		}
	}
	return ""
}
