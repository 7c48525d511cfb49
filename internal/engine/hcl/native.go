package hcl

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"poly/internal/engine"
)

// nativeName is the file tflint reads its settings from.
const nativeName = ".tflint.hcl"

// silenced returns the rules that the nearest file of tflint switches off. What
// tflint refuses is an error.
func silenced(inputs []engine.Input) ([]string, error) {
	if len(inputs) == 0 {
		return nil, nil
	}
	in := inputs[0]
	file, diags := parse(in.Text)
	if diags.HasErrors() {
		d := firstError(diags)
		return nil, engine.Broken(in.Path, d.Subject.Start.Line, "%s", d.Summary)
	}
	if err := wellFormed(in, file.Body.(*hclsyntax.Body)); err != nil {
		return nil, err
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
	return out, nil
}

// tflintRules are the rules that tflint brings along.
const tflintRules = ` terraform_comment_syntax terraform_deprecated_index terraform_deprecated_interpolation terraform_deprecated_lookup
 terraform_documented_outputs terraform_documented_variables terraform_empty_list_equality terraform_json_syntax
 terraform_map_duplicate_keys terraform_module_pinned_source terraform_module_shallow_clone terraform_module_version
 terraform_naming_convention terraform_required_providers terraform_required_version terraform_standard_module_structure
 terraform_typed_variables terraform_unused_declarations terraform_unused_required_providers terraform_workspace_remote
`

// wellFormed reports the first thing that tflint refuses. Rules of plugins,
// which are not at hand, are taken for known if there is any.
func wellFormed(in engine.Input, body *hclsyntax.Body) error {
	known := strings.Fields(tflintRules)
	plugins := slices.ContainsFunc(body.Blocks, func(b *hclsyntax.Block) bool {
		return b.Type == "plugin" && len(b.Labels) == 1 && b.Labels[0] != "terraform"
	})
	var faults []fault
	for name, a := range body.Attributes {
		faults = append(faults, fault{a.NameRange.Start.Line, "argument " + name + " is not expected here"})
	}
	for _, b := range body.Blocks {
		labels, line := strings.Join(b.Labels, " "), b.TypeRange.Start.Line
		switch b.Type {
		case "rule", "plugin":
			faults = append(faults, switchFaults(b)...)
			if b.Type == "rule" && !slices.Contains(known, labels) && (!plugins || strings.HasPrefix(labels, "terraform_")) {
				faults = append(faults, fault{line, "no rule is called " + labels})
			}
		case "config":
			for name, a := range b.Body.Attributes {
				if !slices.Contains(configKeys(), name) {
					faults = append(faults, fault{a.NameRange.Start.Line, "argument " + name + " is not expected here"})
				}
			}
			faults = append(append(faults, notBool(b.Body, "disabled_by_default")...), notBool(b.Body, "force")...)
		case "tflint":
		default:
			faults = append(faults, fault{line, "blocks of type " + b.Type + " are not expected here"})
		}
	}
	if len(faults) == 0 {
		return nil
	}
	first := slices.MinFunc(faults, func(a, b fault) int { return cmp.Or(a.line-b.line, strings.Compare(a.text, b.text)) })
	return engine.Broken(in.Path, first.line, "%s", first.text)
}

// fault is something that tflint refuses.
type fault struct {
	line int
	text string
}

// switchFaults looks at a block that switches a rule or a plugin on or off.
func switchFaults(b *hclsyntax.Block) []fault {
	var out []fault
	if len(b.Labels) != 1 {
		out = append(out, fault{b.TypeRange.Start.Line, b.Type + " must have one name"})
	}
	if b.Body.Attributes["enabled"] == nil {
		out = append(out, fault{b.TypeRange.Start.Line, "enabled is missing in " + b.Type + " " + strings.Join(b.Labels, " ")})
	}
	return append(out, notBool(b.Body, "enabled")...)
}

func configKeys() []string {
	return []string{"call_module_type", "force", "ignore_module", "varfile", "variables", "disabled_by_default", "plugin_dir", "format", "module"}
}

// notBool finds an argument that is there and no boolean.
func notBool(b *hclsyntax.Body, name string) []fault {
	a := b.Attributes[name]
	if a == nil {
		return nil
	}
	if _, ok := flag(b, name); ok {
		return nil
	}
	if v, diags := a.Expr.Value(nil); !diags.HasErrors() && v.Type() == cty.String && (v.AsString() == "true" || v.AsString() == "false") {
		return nil // it is converted
	}
	return []fault{{a.NameRange.Start.Line, name + " must be true or false"}}
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
