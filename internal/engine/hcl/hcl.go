// Package hcl lints and formats HCL: Terraform and OpenTofu modules, variable
// and test files, and the files of Packer, Nomad, Terragrunt and others. It
// never evaluates an expression and knows no provider.
package hcl

import (
	"context"
	"path"
	"strings"

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
		Revision: 2,
		Licence:  "MPL-2.0",
		Langs:    []lang.ID{hclID},
		Verbs:    engine.Lint | engine.Format,
		UsesPath: true,
		Rules:    rules(),
		Doc: `Formats HCL as terraform fmt or hclwrite does, and finds what is wrong in a file or a module.

Files that terraform fmt takes (.tf, .tfvars, .tftest.hcl, .tfmock.hcl, .tfquery.hcl), and those of OpenTofu, are formatted as it does:
an attribute that is one interpolation loses it, old type constraints are written anew, labels are quoted. All others are laid
out by hclwrite alone. Unlike the command it keeps a byte order mark, comments between labels and those in an interpolation.

Rules have the names of tflint. The files of a directory are one module. Comments ` + "`# tflint-ignore: rule`" + ` and
` + "`# tflint-ignore-file: rule`" + ` are obeyed, and so are rules that the nearest .tflint.hcl switches off.`,
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	return engine.Bound{
		Inputs:    engine.Inputs{Names: []string{nativeName}, Siblings: []string{"*.tf", "*.tofu", "*.tf.json", "*.tofu.json"}},
		PathClass: pathClass,
		Open: func(context.Context) (engine.Worker, error) {
			return &worker{formatter: formatter{globals: e.Globals}, files: map[string]*summary{}}, nil
		},
		Same: same,
	}, nil
}

// pathClass is the kind of a file. Results for files of a module depend on
// what lies beside them, which the key has, and on which of those they are.
func pathClass(p string) string {
	if k := kindOf(p); k != module {
		if mayBeFirst(p) {
			return k.String() + " of either version"
		}
		return k.String()
	}
	return "tf " + path.Base(p)
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
