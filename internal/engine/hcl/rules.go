package hcl

import (
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
)

// The codes of the rules: those of tflint, and our own.
const (
	codeSyntax              = "syntax"
	codeUnused              = "terraform_unused_declarations"
	codeInterpolation       = "terraform_deprecated_interpolation"
	codeIndex               = "terraform_deprecated_index"
	codeLookup              = "terraform_deprecated_lookup"
	codeEmptyList           = "terraform_empty_list_equality"
	codeKeys                = "terraform_map_duplicate_keys"
	codeTyped               = "terraform_typed_variables"
	codePinned              = "terraform_module_pinned_source"
	codeModuleVersion       = "terraform_module_version"
	codeComments            = "terraform_comment_syntax"
	codeDocumentedVariables = "terraform_documented_variables"
	codeDocumentedOutputs   = "terraform_documented_outputs"
	codeDuplicate           = "duplicate-declaration"
	codeDuplicateFile       = "duplicate-in-module"
)

// rule is a rule and its documentation.
type rule struct {
	code                       string
	severity                   diag.Severity
	on, fix                    bool
	sum, why, example, instead string
}

func (r *rule) tflint() bool { return strings.HasPrefix(r.code, "terraform_") }

func (r *rule) url() string {
	switch {
	case r.tflint():
		return "https://github.com/terraform-linters/tflint-ruleset-terraform/blob/main/docs/rules/" + r.code + ".md"
	case r.code == codeSyntax:
		return "https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md"
	}
	return ""
}

// ruleOf finds a rule by its code.
func ruleOf(code string) *rule {
	for i := range texts {
		if texts[i].code == code {
			return &texts[i]
		}
	}
	return &texts[0]
}

func rules() []engine.Rule {
	out := make([]engine.Rule, len(texts))
	for i := range texts {
		r := &texts[i]
		out[i] = engine.Rule{
			Code: r.code, Severity: r.severity, Default: r.on, Fixable: r.fix, Upstream: r.code == codeSyntax, URL: r.url(),
			Doc: r.sum + "\n\n" + r.why + "\n\n    " + strings.ReplaceAll(r.example, "\n", "\n    ") + "\n\n" + r.instead,
		}
	}
	return out
}

var texts = [...]rule{
	{
		codeSyntax, diag.Error, true, false, "The text is not HCL.",
		"Every tool refuses the whole file, and in a module often the whole directory.",
		"resource \"a\" \"b\" {\n  name = \n}", "Mend the first error of a file first; later ones may follow from it.",
	},
	{
		codeUnused, diag.Warning, true, false, "A variable, local, data source or provider alias that nothing in the module uses.",
		"It costs readers time, and a data source costs a request at every plan. All files of the directory are looked at; where one\nof them does not parse, or is JSON, nothing is reported.",
		"locals {\n  old = 1\n}", "Remove it.",
	},
	{
		codeInterpolation, diag.Warning, true, true, "An expression that is nothing but one interpolation.",
		"Terraform 0.11 needed it. Since 0.12 the quotes only hide that the value need not be a string.",
		"name = \"${var.name}\"", "Write `name = var.name`.",
	},
	{
		codeIndex, diag.Warning, true, true, "An index or a splat with a dot.",
		"It is left over from Terraform 0.11, and a splat with a dot means something else for attributes behind it.",
		"first = aws_instance.a.0.id", "Write `aws_instance.a[0].id`, and `[*]` for `.*`.",
	},
	{
		codeLookup, diag.Warning, true, true, "lookup() with two arguments.",
		"Without a default it does what an index does.", "size = lookup(var.sizes, \"small\")", "Write `var.sizes[\"small\"]`.",
	},
	{
		codeEmptyList, diag.Warning, true, false, "A comparison with an empty list.",
		"`[]` is a tuple, and no list equals a tuple: the result is always the same.", "count = var.names == [] ? 0 : 1",
		"Write `length(var.names) == 0`.",
	},
	{
		codeKeys, diag.Warning, true, false, "A key that is in its object already.",
		"The last one wins, which is seldom what was meant.", "tags = {\n  env = \"a\"\n  env = \"b\"\n}", "Delete one.",
	},
	{
		codeTyped, diag.Warning, true, false, "A variable without a type.",
		"Any value is taken then, and a wrong one is found far from where it was given.", "variable \"names\" {}", "Write `type = list(string)`, or `any`.",
	},
	{
		codePinned, diag.Warning, true, false, "A module of a repository without a revision, or with a branch.",
		"Each `terraform init` may bring other code.", "source = \"github.com/a/b\"", "Add `?ref=` and a tag or a commit.",
	},
	{
		codeModuleVersion, diag.Warning, true, false, "A module of a registry without a version.",
		"Each `terraform init` may bring other code.", "source = \"terraform-aws-modules/vpc/aws\"", "Add `version = \"~> 5.0\"`.",
	},
	{
		codeComments, diag.Hint, false, true, "A comment that does not start with #.",
		"All three kinds mean the same; one is enough.", "// a comment", "Write `# a comment`.",
	},
	{
		codeDocumentedVariables, diag.Hint, false, false, "A variable without a description.",
		"Who calls the module sees names and types alone.", "variable \"ttl\" {\n  type = number\n}", "Add `description`.",
	},
	{
		codeDocumentedOutputs, diag.Hint, false, false, "An output without a description.",
		"Who calls the module sees names alone.", "output \"id\" {\n  value = aws_vpc.a.id\n}", "Add `description`.",
	},
	{
		codeDuplicate, diag.Error, true, false, "A name that is declared twice in a file of a module.",
		"Terraform refuses the module.", "variable \"a\" {}\nvariable \"a\" {}", "Delete or rename one.",
	},
	{
		codeDuplicateFile, diag.Warning, true, false, "A name that another file of the directory declares too.",
		"All files of a directory are one module, which Terraform refuses then. Files named `override` or `_override` are meant to.",
		"# a.tf\nvariable \"a\" {}\n# b.tf\nvariable \"a\" {}", "Delete or rename one, or give examples a directory of their own.",
	},
}
