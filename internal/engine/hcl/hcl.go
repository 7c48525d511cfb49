// Package hcl lints and formats HCL: Terraform and OpenTofu modules, variable
// and test files, and the files of Packer, Nomad, Terragrunt and others. It
// never evaluates an expression and knows no provider.
package hcl

import (
	"context"
	"path"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const name = "hcl"

// hclID is the one language of the engine.
const hclID lang.ID = "hcl"

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "2.25.0",
		Revision: 1,
		Licence:  "MPL-2.0",
		Langs:    []lang.ID{hclID},
		Verbs:    engine.Lint | engine.Format,
		UsesPath: true,
		Rules: []engine.Rule{
			{Code: codeSyntax, Severity: diag.Error, Default: true, Upstream: true, Doc: docSyntax, URL: "https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md"},
		},
		Doc: `Formats HCL as terraform fmt or hclwrite does, and finds what is wrong in a file or a module.

Files that terraform fmt takes (.tf, .tfvars, .tftest.hcl, .tfmock.hcl, .tfquery.hcl), and those of OpenTofu, are formatted as it does:
an attribute that is one interpolation loses it, old type constraints are written anew, labels are quoted. All others are laid
out by hclwrite alone. Unlike the command a byte order mark is kept, and so are comments between labels.`,
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	f := formatter{globals: e.Globals}
	return engine.Bound{
		PathClass: func(p string) string { return kindOf(p).String() },
		Open:      engine.Stateless(engine.Funcs{LintFunc: lint, FormatFunc: f.format}),
		Same:      same,
	}, nil
}

// kind is what a file is to Terraform.
type kind uint8

// The kinds: all but other are formatted as Terraform does.
const (
	other  kind = iota // Packer, Nomad, Terragrunt, lock files ...
	values             // .tfvars
	tests              // .tftest.hcl and the like
	module             // .tf
)

func (k kind) String() string { return [...]string{"hcl", "tfvars", "tftest", "tf"}[k] }

func kindOf(file string) kind {
	base := path.Base(file)
	switch path.Ext(base) {
	case ".tf", ".tofu":
		return module
	case ".tfvars":
		return values
	case ".hcl":
		switch path.Ext(strings.TrimSuffix(base, ".hcl")) {
		case ".tftest", ".tfmock", ".tfquery", ".tofutest", ".tofumock":
			return tests
		}
	}
	return other
}

const docSyntax = "The text is not HCL.\n\n" +
	"Every tool refuses the whole file, and in a module often the whole directory.\n\n" +
	"    resource \"a\" \"b\" {\n      name = \n    }\n\n" +
	"Mend the first error of a file first; later ones may follow from it."
