package hcl

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"poly/internal/diag"
)

// expressions looks at every expression of a file.
func (l *linter) expressions(body *hclsyntax.Body) {
	_ = hclsyntax.Walk(body, &walker{linter: l})
}

// walker visits expressions with those around them.
type walker struct {
	*linter
	around []hclsyntax.Node
}

// Enter implements [hclsyntax.Walker].
func (w *walker) Enter(n hclsyntax.Node) hcl.Diagnostics {
	switch e := n.(type) {
	case *hclsyntax.ObjectConsExpr:
		w.keys(e)
	case *hclsyntax.TemplateWrapExpr:
		if w.kind != other {
			w.interpolation(e)
		}
	case *hclsyntax.ScopeTraversalExpr:
		w.index(e.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		w.index(e.Traversal)
	case *hclsyntax.SplatExpr:
		if w.kind != other && strings.HasPrefix(w.source(e.MarkerRange), ".") {
			w.put(codeIndex, e.MarkerRange, "Splat with a dot instead of brackets", "")
		}
	case *hclsyntax.FunctionCallExpr:
		w.lookup(e)
	case *hclsyntax.BinaryOpExpr:
		w.emptyList(e)
	}
	w.around = append(w.around, n)
	return nil
}

// Exit implements [hclsyntax.Walker].
func (w *walker) Exit(hclsyntax.Node) hcl.Diagnostics {
	w.around = w.around[:len(w.around)-1]
	return nil
}

// interpolation reports "${x}", which is x.
func (w *walker) interpolation(e *hclsyntax.TemplateWrapExpr) {
	_, key := w.around[len(w.around)-1].(*hclsyntax.ObjectConsKeyExpr)
	_, whole := w.around[len(w.around)-1].(*hclsyntax.Attribute)
	var fix []diag.Edit
	inside := strings.TrimSpace(w.source(e.Wrapped.Range()))
	if bare, ok := unwrap(w.source(e.SrcRange)); ok && bare == inside && !strings.Contains(inside, "\n") {
		if key || !whole && !simple(e.Wrapped) {
			inside = "(" + inside + ")"
		}
		fix = []diag.Edit{{Start: e.SrcRange.Start.Byte, End: e.SrcRange.End.Byte, Replacement: inside}}
	}
	w.put(codeInterpolation, e.SrcRange, "Quotes and ${} around an expression that stands alone", "Since Terraform 0.12 the expression may stand by itself.", fix...)
}

// simple tells that an expression keeps its meaning inside any other.
func simple(e hclsyntax.Expression) bool {
	switch e.(type) {
	case *hclsyntax.ScopeTraversalExpr, *hclsyntax.RelativeTraversalExpr, *hclsyntax.FunctionCallExpr, *hclsyntax.IndexExpr,
		*hclsyntax.ParenthesesExpr, *hclsyntax.LiteralValueExpr, *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr:
		return true
	}
	return false
}

// index reports a.0, which is a[0].
func (w *walker) index(t hcl.Traversal) {
	if w.kind == other {
		return
	}
	for _, step := range t {
		i, ok := step.(hcl.TraverseIndex)
		if !ok || !strings.HasPrefix(w.source(i.SrcRange), ".") {
			continue
		}
		var fix []diag.Edit
		if number := strings.TrimSpace(w.source(i.SrcRange)[1:]); strings.Trim(number, "0123456789") == "" {
			fix = []diag.Edit{{Start: i.SrcRange.Start.Byte, End: i.SrcRange.End.Byte, Replacement: "[" + number + "]"}}
		}
		w.put(codeIndex, i.SrcRange, "Index with a dot instead of brackets", "", fix...)
	}
}

// lookup reports lookup(m, k), which is m[k].
func (w *walker) lookup(e *hclsyntax.FunctionCallExpr) {
	if w.kind == other || e.Name != "lookup" || len(e.Args) != 2 || e.ExpandFinal {
		return
	}
	var fix []diag.Edit
	of, key := w.source(e.Args[0].Range()), w.source(e.Args[1].Range())
	between := string(w.text[e.Args[0].Range().End.Byte:e.Args[1].Range().Start.Byte])
	if simple(e.Args[0]) && strings.TrimSpace(between) == "," && !strings.Contains(of+key, "\n") {
		fix = []diag.Edit{{Start: e.Range().Start.Byte, End: e.Range().End.Byte, Replacement: of + "[" + key + "]"}}
	}
	w.put(codeLookup, e.Range(), "lookup() with two arguments is an index", "", fix...)
}

// emptyList reports x == [], which is false for every list that is no tuple.
func (w *walker) emptyList(e *hclsyntax.BinaryOpExpr) {
	if w.kind == other || e.Op != hclsyntax.OpEqual && e.Op != hclsyntax.OpNotEqual {
		return
	}
	for _, side := range [...]hclsyntax.Expression{e.LHS, e.RHS} {
		if t, ok := side.(*hclsyntax.TupleConsExpr); ok && len(t.Exprs) == 0 {
			w.put(codeEmptyList, e.Range(), "Comparison with an empty list", "A list and the tuple [] have different types, so they are never equal: compare its length with 0.")
			return
		}
	}
}

// keys reports keys of an object that stand there twice.
func (w *walker) keys(e *hclsyntax.ObjectConsExpr) {
	lines := map[string]int{}
	for _, item := range e.Items {
		k, ok := constant(item.KeyExpr)
		if !ok {
			continue
		}
		at := item.KeyExpr.Range()
		if line, twice := lines[k]; twice {
			w.put(codeKeys, at, fmt.Sprintf("Key %q is in this object already, on line %d", k, line), "The last one wins.")
			continue
		}
		lines[k] = at.Start.Line
	}
}

// constant returns what a key is whatever values there are.
func constant(e hclsyntax.Expression) (string, bool) {
	k, ok := e.(*hclsyntax.ObjectConsKeyExpr)
	if !ok {
		return "", false
	}
	if word := hcl.ExprAsKeyword(k.Wrapped); word != "" && !k.ForceNonLiteral {
		return word, true
	}
	switch x := k.Wrapped.(type) {
	case *hclsyntax.LiteralValueExpr:
		if x.Val.Type() == cty.Number && !x.Val.IsNull() {
			return x.Val.AsBigFloat().Text('f', -1), true
		}
	case *hclsyntax.TemplateExpr:
		if x.IsStringLiteral() {
			v, diags := x.Value(nil)
			return v.AsString(), !diags.HasErrors()
		}
	}
	return "", false
}
