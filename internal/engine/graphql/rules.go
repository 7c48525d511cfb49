package graphql

import (
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
)

// The codes of the rules.
const (
	codeSyntax              = "syntax"
	codeLoneSchema          = "lone-schema-definition"
	codeOperationTypes      = "unique-operation-types"
	codeTypes               = "unique-type-names"
	codeDirectives          = "unique-directive-names"
	codeFields              = "unique-field-definition-names"
	codeArgumentDefinitions = "unique-argument-definition-names"
	codeEnumValues          = "unique-enum-value-names"
	codeMembers             = "unique-union-members"
	codeInterfaces          = "unique-interfaces"
	codeReserved            = "reserved-names"
	codeInputFields         = "unique-input-field-names"
	codeFragments           = "unique-fragment-name"
	codeOperations          = "unique-operation-name"
	codeAnonymous           = "lone-anonymous-operation"
	codeArguments           = "unique-argument-names"
	codeDirectiveTwice      = "unique-directive-names-per-location"
	codeVariables           = "unique-variable-names"
	codeUndefined           = "no-undefined-variables"
	codeUnusedVariables     = "no-unused-variables"
	codeUnusedFragments     = "no-unused-fragments"
	codeCycles              = "no-fragment-cycles"
)

// text is a rule and its documentation.
type text struct {
	code                       string
	severity                   diag.Severity
	own                        bool // graphql-eslint has no rule of this name
	sum, why, example, instead string
}

func (t *text) url() string {
	switch {
	case t.code == codeSyntax || t.own:
		return "https://spec.graphql.org/draft/"
	}
	return "https://the-guild.dev/graphql/eslint/rules/" + t.code
}

// ruleOf finds a rule by its code.
func ruleOf(code string) *text {
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
		t := &texts[i]
		out[i] = engine.Rule{
			Code: t.code, Severity: t.severity, Default: true, Upstream: t.code == codeSyntax, URL: t.url(),
			Doc: t.sum + "\n\n" + t.why + "\n\n    " + strings.ReplaceAll(t.example, "\n", "\n    ") + "\n\n" + t.instead,
		}
	}
	return out
}

const twice = "The specification forbids it: a server refuses the schema, or one of the two is lost."

var texts = [...]text{
	{
		codeSyntax, diag.Error, true, "The text is not GraphQL.", "No server and no client takes it. Only the first error is reported.",
		"query { user(id: 1 }", "Mend it; other errors may follow.",
	},
	{
		codeLoneSchema, diag.Error, false, "A file defines the schema twice.", twice,
		"schema { query: A }\nschema { query: B }", "Keep one definition, or write `extend schema`.",
	},
	{
		codeOperationTypes, diag.Error, false, "A schema gives the type of an operation twice.", twice,
		"schema {\n  query: A\n  query: B\n}", "Delete one.",
	},
	{
		codeTypes, diag.Error, false, "A type is defined twice in a file.", twice, "type A { a: Int }\ntype A { b: Int }",
		"Join them, or write `extend type A` for the second.",
	},
	{
		codeDirectives, diag.Error, false, "A directive is defined twice in a file.", twice,
		"directive @a on FIELD\ndirective @a on QUERY", "Join the two definitions.",
	},
	{
		codeFields, diag.Error, false, "A type has two fields of one name.", twice, "type A {\n  a: Int\n  a: String\n}", "Delete or rename one.",
	},
	{
		codeArgumentDefinitions, diag.Error, true, "A field or directive has two arguments of one name.", twice,
		"type A { a(x: Int, x: Int): Int }", "Delete or rename one.",
	},
	{
		codeEnumValues, diag.Error, false, "An enum has a value twice.", twice, "enum A { ON OFF ON }", "Delete one.",
	},
	{
		codeMembers, diag.Error, true, "A union has a member twice.", twice, "union A = B | C | B", "Delete one.",
	},
	{
		codeInterfaces, diag.Error, true, "A type implements an interface twice, or itself.", twice, "type A implements B & B { b: Int }", "Delete one.",
	},
	{
		codeReserved, diag.Error, true, "A name starts with two underscores.",
		"Those names belong to introspection; servers refuse to define them.", "type __A { a: Int }", "Take another name.",
	},
	{
		codeInputFields, diag.Error, false, "An input object has two fields of one name.", twice, "{ users(filter: {name: \"a\", name: \"b\"}) }", "Delete one.",
	},
	{
		codeFragments, diag.Error, false, "A fragment is defined twice in a file.",
		"A spread cannot tell which of them it means; servers refuse the document.", "fragment a on A { x }\nfragment a on B { y }", "Rename one.",
	},
	{
		codeOperations, diag.Error, false, "Two operations of a file have one name.",
		"A request names the operation to run; servers refuse a document where that is not one.", "query a { x }\nquery a { y }", "Rename one.",
	},
	{
		codeAnonymous, diag.Error, false, "An operation without a name is not alone in its file.",
		"A request names the operation to run, which it cannot here; servers refuse the document.", "{ x }\nquery a { y }", "Give each a name.",
	},
	{
		codeArguments, diag.Error, false, "An argument is given twice.", "Servers refuse the document.", "{ user(id: 1, id: 2) }", "Delete one.",
	},
	{
		codeDirectiveTwice, diag.Error, false, "@skip or @include stands twice at one place.",
		"They are not repeatable; servers refuse the document.", "{ a @skip(if: $x) @skip(if: $y) }", "Join the conditions in one variable.",
	},
	{
		codeVariables, diag.Error, false, "An operation declares a variable twice.", "Servers refuse the document.", "query a($x: Int, $x: Int) { y(x: $x) }", "Delete one.",
	},
	{
		codeUndefined, diag.Error, false, "An operation uses a variable that it does not declare.",
		"Servers refuse the document. Variables in fragments of the same file count as well.", "query a { user(id: $id) }", "Declare it: `query a($id: ID!)`.",
	},
	{
		codeUnusedVariables, diag.Warning, false, "An operation declares a variable that it does not use.",
		"Servers that validate refuse the document. An operation that spreads a fragment of another file is not judged.", "query a($id: ID!) { users }", "Remove it.",
	},
	{
		codeUnusedFragments, diag.Info, false, "A file with operations defines a fragment that none of them uses.",
		"Servers that validate refuse the document. Where another file imports the fragment all is well.", "query a { x }\nfragment b on B { y }", "Remove it, or move it to a file of fragments.",
	},
	{
		codeCycles, diag.Error, false, "A fragment spreads itself, at once or by others.",
		"It would never end; servers refuse the document.", "fragment a on A { b { ...a } }", "Write the fields out as deep as they are needed.",
	},
}
