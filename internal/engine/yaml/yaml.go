// Package yaml finds faults in YAML: what does not parse, keys written twice,
// aliases without an anchor, and plain scalars that mean different things to
// YAML 1.1 and 1.2. It never reports what YAML 1.2 allows as an error.
package yaml

import (
	"context"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const name = "yaml"

// The codes of the rules.
const (
	codeSyntax    = "syntax"
	codeDuplicate = "duplicate-key"
	codeAlias     = "unknown-alias"
	codeTruthy    = "truthy"
	codeOctal     = "octal"
	codeOrder     = "key-ordering"
	codeTight     = "tight-comment"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Revision: 4,
		Langs:    []lang.ID{lang.YAML},
		Verbs:    engine.Lint,
		Rules: []engine.Rule{
			{Code: codeSyntax, Severity: diag.Error, Default: true, Doc: docSyntax, URL: "https://yaml.org/spec/1.2.2/"},
			{Code: codeDuplicate, Severity: diag.Error, Default: true, Doc: docDuplicate, URL: "https://yaml.org/spec/1.2.2/#nodes", Options: []config.Option{
				{Name: keyMerge, Type: config.Bool, Doc: "report a second `<<` too; true unless .yamllint says otherwise"},
			}},
			{Code: codeAlias, Severity: diag.Error, Default: true, Doc: docAlias, URL: "https://yaml.org/spec/1.2.2/#71-alias-nodes"},
			{Code: codeTruthy, Severity: diag.Warning, Default: true, Doc: docTruthy, URL: rulesPage + "truthy", Options: []config.Option{
				{Name: keyAllowed, Type: config.Strings, Doc: "words that may be written plain; true and false, in all three spellings, unless .yamllint says otherwise"},
				{Name: keyKeys, Type: config.Bool, Doc: "look at keys too; false unless .yamllint says otherwise"},
			}},
			{Code: codeOctal, Severity: diag.Warning, Default: true, Doc: docOctal, URL: rulesPage + "octal_values", Options: []config.Option{
				{Name: keyImplicit, Type: config.Bool, Doc: "report 0644; true unless .yamllint says otherwise"},
				{Name: keyExplicit, Type: config.Bool, Doc: "report 0o644; false unless .yamllint says otherwise"},
			}},
			{Code: codeTight, Severity: diag.Warning, Default: true, Fixable: true, Doc: docTight, URL: "https://yaml.org/spec/1.2.2/#66-comments"},
			{Code: codeOrder, Severity: diag.Warning, Doc: docOrder, URL: rulesPage + "key_ordering", Options: []config.Option{
				{Name: keyIgnored, Type: config.Strings, Doc: "regular expressions of keys that may stand anywhere"},
			}},
		},
		Doc: `Reports what does not parse as YAML 1.2, duplicate keys, unknown aliases and traps of YAML 1.1.

It has a parser of its own, which is held against other readers in its tests. Tags belong to the application and are never
judged. Only the first syntax error of a file is reported, since what follows it can only be guessed.

Comments for yamllint (disable, enable, disable-line and disable-file) count for its rules key-duplicates, truthy, octal-values,
key-ordering and anchors. So does what the nearest .yamllint says about these rules: it switches them off, or key-ordering on,
and sets their options and levels beneath poly.toml.`,
	},
	Bind: bind,
}

const rulesPage = "https://yamllint.readthedocs.io/en/stable/rules.html#module-yamllint.rules."

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	s, err := defaults().with(e)
	if err != nil {
		return engine.Bound{}, err
	}
	return engine.Bound{
		Inputs: engine.Inputs{Names: nativeNames},
		Open: func(context.Context) (engine.Worker, error) {
			return &worker{env: e, settings: s}, nil
		},
	}, nil
}

const docSyntax = "The text is not YAML.\n\n" +
	"A reader refuses the whole file. Only the first error is reported.\n\n" +
	"    a: b: c\n\nMend the indentation, or quote text that has special characters."

const docDuplicate = "A key that is in its mapping already.\n\n" +
	"The specification wants keys to be unique: some readers refuse the file, others keep one of the two values. Keys are\n" +
	"compared by what they mean, so `a` and `\"a\"` are equal, `1` and `\"1\"` are not. Two `<<` in one mapping are duplicates too.\n\n" +
	"    image: a\n    image: b\n\nDelete one of them; write several merges as `<<: [*a, *b]`."

const docAlias = "An alias without an anchor before it.\n\n" +
	"An anchor holds in its own document only, from where it is written.\n\n" +
	"    a: *base\n\nDefine `&base` first, or quote text that starts with `*`."

const docTight = "A comment without a blank before it.\n\n" +
	"The specification wants one, and some readers refuse the whole file; those of the libyaml family (PyYAML, Ruby, Go) take the\n" +
	"comment for one where no text can go on: behind a bracket or a quote.\n\n" +
	"    a: [b]# why\n\n`poly lint --fix` puts a blank before it."

const docOrder = "A key that is not in its place in the alphabet.\n\n" +
	"Sorted keys are found faster and merged with less trouble. They are compared by their code points, as yamllint does without\n" +
	"a locale; one that is out of order is not compared with those behind it.\n\n" +
	"    name: a\n    image: b\n\nMove it; list keys that may stand anywhere in `rules.key-ordering.ignored_keys`."

const docTruthy = "A plain `yes`, `no`, `on` or `off`.\n\n" +
	"Readers of YAML 1.1 (PyYAML, Ruby, Ansible) make a boolean of it, readers of YAML 1.2 text. Keys, such as `on:` in workflows,\n" +
	"and documents that start with `%YAML 1.2` are left alone.\n\n" +
	"    country: no\n\nWrite `true` or `false`, or quote it."

const docOctal = "A plain number with a leading zero.\n\n" +
	"`0644` is 420 to a reader of YAML 1.1 and 644 to one of YAML 1.2.\n\n" +
	"    mode: 0644\n\nQuote it, as in `\"0644\"`, which is what most modules that take file modes want."
