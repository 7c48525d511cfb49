// Package revive finds style faults and likely bugs in Go with the rules of
// mgechev/revive. Each file is judged alone and without its imports: the
// library would ask the go command for their types, so it never gets to.
package revive

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/mgechev/revive/lint"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
)

const (
	name       = "revive"
	rulePage   = "https://revive.run/r#"
	nativeName = "revive.toml"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "1.17.0",
		Revision: 1,
		Licence:  "MIT",
		Langs:    []lang.ID{lang.Go},
		Verbs:    engine.Lint,
		UsesPath: true,
		Options: []config.Option{{
			Name: "confidence", Type: config.Int, Verbs: config.Lint, Min: 0, Max: 100,
			Doc: "findings the library is less sure of, in per cent, are left out; 80 by default",
		}},
		Rules: slices.Concat(styleRules, sizeRules, simpleRules, bugRules),
		Doc: `Finds style faults and likely bugs in Go with revive's rules.

The rules that are on are those of the revive command. The nearest revive.toml is obeyed beneath poly.toml: its rules,
arguments, severities and confidence, and what that of the root excludes. Comments such as //revive:disable:exported work. The version of Go
comes from go.mod. Generated files, testdata and vendor directories are not looked at.

Each file is judged alone. So the rules that need types of other files or packages see less than the command: var-declaration,
context-keys-type, errorf, time-naming, string-of-int and modifies-value-receiver know what the file itself says; package-comments
does not tell that a package has no comment; confusing-naming compares the names of one file; package-naming tells each file.
Left out are epoch-naming, inefficient-map-lookup, range-val-address, time-equal and unhandled-error, the option
check-collision-with-all-std, and in file excludes of a revive.toml below the root.`,
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	l := &linter{env: e}
	for _, u := range library() {
		if args := u.shape(e.Params[u.code]); args != nil {
			if l.params == nil {
				l.params = map[string]lint.Arguments{}
			}
			l.params[u.code] = args
			if err := configure(u, args); err != nil {
				return engine.Bound{}, err
			}
		}
	}
	if e.Tree != nil {
		if text, err := fs.ReadFile(e.Tree, nativeName); err == nil {
			l.root = text
			l.byPath = bytesContainPaths(text)
		}
	}
	l.byPath = l.byPath || l.asks("filename-format", "package-directory-mismatch", "package-naming")
	return engine.Bound{
		Inputs:    engine.Inputs{Names: []string{"go.mod", nativeName}},
		PathClass: l.pathClass,
		Open:      func(context.Context) (engine.Worker, error) { return &worker{linter: l}, nil },
	}, nil
}

// linter is a configuration.
type linter struct {
	env    engine.Env
	params map[string]lint.Arguments // of poly.toml, by rule
	root   []byte                    // revive.toml of the root
	byPath bool                      // results depend on more of the path
}

// asks reports whether poly.toml switches one of these rules on.
func (l *linter) asks(codes ...string) bool {
	return slices.ContainsFunc(codes, l.env.Rules.Allows)
}

// pathClass tells tests from the rest. A revive.toml that excludes files by
// name, or rules about names, make every path its own class.
func (l *linter) pathClass(p string) string {
	switch {
	case unlooked(p):
		return "testdata"
	case l.byPath:
		return p
	case strings.HasSuffix(p, "_test.go"):
		return "test"
	}
	return ""
}

// unlooked reports whether the go command does not look at a file.
func unlooked(p string) bool {
	for dir := range strings.SplitSeq(path.Dir(p), "/") {
		if dir == "testdata" || dir == "vendor" {
			return true
		}
	}
	return false
}
