package hcl

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"poly/internal/engine"
)

// nativeName is the file tflint reads its settings from.
const nativeName = ".tflint.hcl"

// silenced returns the rules that the nearest file of tflint switches off. One
// that does not parse switches nothing off: it is reported where it is linted.
func silenced(inputs []engine.Input) []string {
	if len(inputs) == 0 {
		return nil
	}
	file, diags := parse(inputs[0].Text)
	if diags.HasErrors() {
		return nil
	}
	off := map[string]bool{}
	for _, b := range file.Body.(*hclsyntax.Body).Blocks {
		label := strings.Join(b.Labels, " ")
		on, told := flag(b.Body, "enabled")
		silent, _ := flag(b.Body, "disabled_by_default")
		switch {
		case b.Type == "rule" && told:
			off[label] = !on
		case b.Type == "config" && silent, b.Type == "plugin" && label == "terraform" && told && !on:
			all(off)
		}
	}
	var out []string
	for code, is := range off {
		if is {
			out = append(out, code)
		}
	}
	return out
}

// all switches off every rule of tflint that no block speaks about.
func all(off map[string]bool) {
	for i := range texts {
		if _, told := off[texts[i].code]; !told && texts[i].tflint() {
			off[texts[i].code] = true
		}
	}
}

func flag(b *hclsyntax.Body, name string) (value, ok bool) {
	a := b.Attributes[name]
	if a == nil {
		return false, false
	}
	v, diags := a.Expr.Value(nil)
	if diags.HasErrors() || v.IsNull() || v.Type() != cty.Bool {
		return false, false
	}
	return v.True(), true
}
