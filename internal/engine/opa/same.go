//go:build extra

package opa

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"poly/internal/engine"
)

// Same reports whether two texts are the same policy with the same comments:
// places and the order of imports apart. The printer is judged by what OPA's
// parser makes of its result.
func Same(before, after []byte) error {
	one, ends := engine.Plain(before)
	two, _ := engine.Plain(after)
	if ends.Mixed {
		one, two = before, after
	}
	if empty(one) && bytes.Equal(one, two) {
		return nil
	}
	a, err := parse(one, "")
	if err != nil {
		return fmt.Errorf("the original does not parse: %w", err)
	}
	b, err := parse(two, a.name())
	if err != nil {
		return fmt.Errorf("the result does not parse: %w", err)
	}
	sortImports(a.module)
	sortImports(b.module)
	if a.module.Package.Compare(b.module.Package) != 0 {
		return fmt.Errorf("the package is %v, in the result %v", a.module.Package, b.module.Package)
	}
	if !slices.EqualFunc(a.module.Imports, b.module.Imports, func(x, y *ast.Import) bool { return x.Compare(y) == 0 }) {
		return fmt.Errorf("the imports are %v, in the result %v", a.module.Imports, b.module.Imports)
	}
	if n, m := len(a.module.Rules), len(b.module.Rules); n != m {
		return fmt.Errorf("there are %d rules, %d in the result", n, m)
	}
	for i, r := range a.module.Rules {
		if s := b.module.Rules[i]; !sameRule(r, s) {
			return fmt.Errorf("the rule at line %d is another one in the result at line %d", r.Loc().Row, s.Loc().Row)
		}
	}
	if err := sameComments(comments(a.module), comments(b.module)); err != nil {
		return err
	}
	return sameWords(string(one), string(two))
}

func (p parsed) name() string {
	if p.version == ast.RegoV0 {
		return "v0"
	}
	return "v1"
}

func sortImports(m *ast.Module) { slices.SortFunc(m.Imports, (*ast.Import).Compare) }

// sameRule compares rules. The formatter may write := for = in the head.
func sameRule(a, b *ast.Rule) bool {
	for x, y := a, b; x != nil && y != nil; x, y = x.Else, y.Else {
		x.Head.Assign, y.Head.Assign = false, false
	}
	return a.Compare(b) == 0
}

func comments(m *ast.Module) []string {
	out := make([]string, 0, len(m.Comments))
	for _, c := range m.Comments {
		out = append(out, strings.TrimSpace(string(c.Text)))
	}
	slices.Sort(out)
	return out
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
