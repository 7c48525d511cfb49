package webfmt

import "poly/internal/config"

var styles = []string{"css", "scss", "less"}

// options have the names of the module's settings.
var options = []config.Option{
	// style
	{Name: "hexCase", Langs: styles, Type: config.String, Enum: []string{"ignore", "lower", "upper"}, Doc: "case of hexadecimal colours; lower by default"},
	{Name: "hexColorLength", Langs: styles, Type: config.String, Enum: []string{"short", "long"}, Doc: "digits of hexadecimal colours; as they are if unset"},
	{Name: "quotes", Langs: styles, Type: config.String, Enum: []string{"alwaysDouble", "alwaysSingle", "preferDouble", "preferSingle"}, Doc: "quotes of strings"},
	{Name: "attrSelector.quotes", Langs: styles, Type: config.String, Enum: []string{"alwaysDouble", "alwaysSingle", "preferDouble", "preferSingle"}, Doc: "quotes in attribute selectors; quotes if unset"},
	{Name: "operatorLinebreak", Langs: styles, Type: config.String, Enum: []string{"before", "after"}, Doc: "whether an operator ends a line or starts the next"},
	{Name: "blockSelectorLinebreak", Langs: styles, Type: config.String, Enum: []string{"always", "consistent", "wrap"}, Doc: "when selectors of a list stand on lines of their own"},
	{Name: "omitNumberLeadingZero", Langs: styles, Type: config.Bool, Doc: "write .5 for 0.5"},
	{Name: "trailingComma", Langs: styles, Type: config.Bool, Doc: "a comma behind the last item of a list on several lines"},
	{Name: "formatComments", Langs: styles, Type: config.Bool, Doc: "put a blank inside of comment marks"},
	{Name: "alignComments", Langs: styles, Type: config.Bool, Doc: "align the lines of comments"},
	{Name: "linebreakInPseudoParens", Langs: styles, Type: config.Bool, Doc: "break lines in the parentheses of pseudo classes"},
	{Name: "declarationOrder", Langs: styles, Type: config.String, Enum: []string{"alphabetical", "smacss", "concentric"}, Doc: "order that declarations are put in; theirs if unset"},
	{Name: "declarationOrderGroupBy", Langs: styles, Type: config.String, Enum: []string{"nonDeclaration", "nonDeclarationAndEmptyLine"}, Doc: "what parts declarations that are ordered apart"},
	{Name: "singleLineBlockThreshold", Langs: styles, Type: config.Int, Min: 0, Max: 1000, Doc: "declarations up to which a block stays on one line"},
	{Name: "keyframeSelectorNotation", Langs: styles, Type: config.String, Enum: []string{"keyword", "percentage"}, Doc: "how from, to, 0% and 100% are written; as they are if unset"},
	{Name: "attrValueQuotes", Langs: styles, Type: config.String, Enum: []string{"always", "ignore"}, Doc: "whether values in attribute selectors get quotes"},
	{Name: "preferSingleLine", Langs: styles, Type: config.Bool, Doc: "put on one line what fits"},
	{Name: "selectors.preferSingleLine", Langs: styles, Type: config.Bool, Doc: "put on one line what fits: selectors"},
	{Name: "functionArgs.preferSingleLine", Langs: styles, Type: config.Bool, Doc: "put on one line what fits: functionArgs"},
	{Name: "sassContentAtRule.preferSingleLine", Langs: styles, Type: config.Bool, Doc: "put on one line what fits: sassContentAtRule"},
	{Name: "sassIncludeAtRule.preferSingleLine", Langs: styles, Type: config.Bool, Doc: "put on one line what fits: sassIncludeAtRule"},
	{Name: "sassMap.preferSingleLine", Langs: styles, Type: config.Bool, Doc: "put on one line what fits: sassMap"},
	{Name: "sassModuleConfig.preferSingleLine", Langs: styles, Type: config.Bool, Doc: "put on one line what fits: sassModuleConfig"},
	{Name: "sassParams.preferSingleLine", Langs: styles, Type: config.Bool, Doc: "put on one line what fits: sassParams"},
	{Name: "lessImportOptions.preferSingleLine", Langs: styles, Type: config.Bool, Doc: "put on one line what fits: lessImportOptions"},
	{Name: "lessMixinArgs.preferSingleLine", Langs: styles, Type: config.Bool, Doc: "put on one line what fits: lessMixinArgs"},
	{Name: "lessMixinParams.preferSingleLine", Langs: styles, Type: config.Bool, Doc: "put on one line what fits: lessMixinParams"},
	{Name: "singleLineTopLevelDeclarations", Langs: styles, Type: config.Bool, Doc: "write top-level declarations on one line"},
	{Name: "selectorOverrideCommentDirective", Langs: styles, Type: config.String, Doc: "comment that gives the selector used for ordering"},
	{Name: "ignoreCommentDirective", Langs: styles, Type: config.String, Doc: "comment that leaves what follows as it is"},
	{Name: "ignoreFileCommentDirective", Langs: styles, Type: config.String, Doc: "comment that leaves the file as it is"},
}
