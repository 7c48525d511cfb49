package generic

import (
	"strings"

	"poly/internal/diag"
	"poly/internal/lang"
)

type diagnostic = diag.Diagnostic

// style says how a language is laid out.
type style struct {
	lang    lang.ID
	grammar string
	blocks  string // kinds of nodes with braces in which lines are indented; none: nothing moves
	keep    string // kinds of nodes in a block that keep their place
	without string // kinds of parents whose block is none: its layout is a matter of taste
	hash    bool   // a line that starts with # is the preprocessor's
}

// styles are by language.
var styles = []style{
	{
		lang: "c", grammar: "c", hash: true, blocks: "compound_statement enumerator_list field_declaration_list",
		keep: "labeled_statement case_statement", without: "switch_statement",
	},
	{
		lang: "cpp", grammar: "cpp", hash: true, blocks: "compound_statement enumerator_list field_declaration_list",
		keep: "labeled_statement case_statement access_specifier", without: "switch_statement",
	},
	{
		lang: "csharp", grammar: "csharp", hash: true, blocks: "block declaration_list enum_member_declaration_list accessor_list",
		keep: "labeled_statement",
	},
	{lang: "dart", grammar: "dart", blocks: "block class_body extension_body enum_body", keep: "labeled_statement"},
	{lang: "elixir", grammar: "elixir"},
	{lang: "haskell", grammar: "haskell"},
	{
		lang: "java", grammar: "java", keep: "labeled_statement",
		blocks: "block class_body interface_body enum_body constructor_body annotation_type_body module_body",
	},
	{
		lang: "kotlin", grammar: "kotlin",
		blocks: "class_body enum_class_body function_body control_structure_body lambda_literal anonymous_initializer secondary_constructor " +
			"getter setter try_expression catch_block finally_block",
	},
	{lang: "nix", grammar: "nix"},
	{lang: "ruby", grammar: "ruby"},
	{lang: "rust", grammar: "rust", blocks: "block declaration_list field_declaration_list enum_variant_list match_block"},
	{lang: "scala", grammar: "scala"},
	{lang: "solidity", grammar: "solidity", blocks: "contract_body struct_body enum_body function_body block_statement"},
	{
		lang: "swift", grammar: "swift", hash: true,
		blocks: "class_body enum_class_body protocol_body function_body if_statement guard_statement for_statement while_statement " +
			"repeat_while_statement do_statement catch_block computed_property computed_getter computed_setter lambda_literal " +
			"willset_clause didset_clause init_declaration deinit_declaration",
	},
	{lang: "zig", grammar: "zig", blocks: "block struct_declaration enum_declaration union_declaration opaque_declaration error_set_declaration"},
}

func styleOf(l lang.ID) *style {
	for i := range styles {
		if styles[i].lang == l {
			return &styles[i]
		}
	}
	return nil
}

// has reports whether kind is one of the kinds in a list.
func has(list, kind string) bool {
	for k := range strings.FieldsSeq(list) {
		if k == kind {
			return true
		}
	}
	return false
}

// through are kinds of nodes that stand between a block and what is in it.
const through = "statements enum_body_declarations preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef declarations"

// starts reports whether a node of this kind is something whose line a block
// may be indented from.
func starts(kind string) bool {
	for _, suffix := range []string{"statement", "declaration", "definition", "_item"} {
		if strings.HasSuffix(kind, suffix) {
			return true
		}
	}
	return false
}

// opaque reports whether a node of this kind is one piece, if it has several
// lines, whatever stands in it.
func opaque(kind string) bool {
	for _, part := range []string{"string", "comment", "heredoc", "regex", "quoted", "sigil"} {
		if strings.Contains(kind, part) {
			return true
		}
	}
	return has("char_literal character_literal raw_text preproc_def preproc_function_def preproc_call", kind)
}
