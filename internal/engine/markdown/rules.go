package markdown

import (
	"strings"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
)

const upstreamDocs = "https://github.com/DavidAnson/markdownlint/blob/main/doc/"

// Options have no default here: what is unset may be set by a native file.
var rules = []engine.Rule{
	{Code: "MD001", Severity: diag.Warning, Default: true, Doc: docMD001, URL: upstreamDocs + "md001.md", Options: []config.Option{
		{Name: "front_matter_title", Type: config.String, Doc: "Regular expression for a line of the front matter that is the title; empty: none is. Default: the key `title`."},
	}},
	{Code: "MD003", Severity: diag.Info, Default: true, Doc: docMD003, URL: upstreamDocs + "md003.md", Options: []config.Option{
		{Name: "style", Type: config.String, Enum: []string{"consistent", "atx", "atx_closed", "setext", "setext_with_atx", "setext_with_atx_closed"}, Doc: "How headings are written; default consistent, as the first one."},
	}},
	{Code: "MD004", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD004, URL: upstreamDocs + "md004.md", Options: []config.Option{
		{Name: "style", Type: config.String, Enum: []string{"consistent", "asterisk", "dash", "plus", "sublist"}, Doc: "Marker of bulleted lists; default consistent, as the first one."},
	}},
	{Code: "MD005", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD005, URL: upstreamDocs + "md005.md"},
	{Code: "MD007", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD007, URL: upstreamDocs + "md007.md", Options: []config.Option{
		{Name: "indent", Type: config.Int, Min: 1, Max: 8, Doc: "Columns of a level; default 2."},
		{Name: "start_indent", Type: config.Int, Min: 1, Max: 8, Doc: "Columns of the first level with start_indented; default as indent."},
		{Name: "start_indented", Type: config.Bool, Doc: "Indent the first level too; default false."},
	}},
	{Code: "MD009", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD009, URL: upstreamDocs + "md009.md", Options: []config.Option{
		{Name: "br_spaces", Type: config.Int, Min: 0, Max: 8, Doc: "Blanks that break a line; default 2, less than 2 allows none."},
		{Name: "code_blocks", Type: config.Bool, Doc: "Look at code too; default false."},
		{Name: "list_item_empty_lines", Type: config.Bool, Doc: "Allow blanks on empty lines of lists; default false."},
		{Name: "strict", Type: config.Bool, Doc: "Report breaks that break nothing; default false."},
	}},
	{Code: "MD010", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD010, URL: upstreamDocs + "md010.md", Options: []config.Option{
		{Name: "code_blocks", Type: config.Bool, Doc: "Look at code too; default true."},
		{Name: "ignore_code_languages", Type: config.Strings, Doc: "Languages whose code is left alone; default none."},
		{Name: "spaces_per_tab", Type: config.Int, Min: 0, Max: 8, Doc: "Blanks the fix puts for a tab; default 1."},
	}},
	{Code: "MD011", Severity: diag.Warning, Default: true, Fixable: true, Doc: docMD011, URL: upstreamDocs + "md011.md"},
	{Code: "MD012", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD012, URL: upstreamDocs + "md012.md", Options: []config.Option{
		{Name: "maximum", Type: config.Int, Min: 1, Max: 0, Doc: "Blank lines in a row; default 1."},
	}},
	{Code: "MD013", Severity: diag.Info, Default: true, Doc: docMD013, URL: upstreamDocs + "md013.md", Options: []config.Option{
		{Name: "line_length", Type: config.Int, Min: 1, Max: 0, Doc: "Characters of a line; default 80."},
		{Name: "heading_line_length", Type: config.Int, Min: 1, Max: 0, Doc: "Characters of a heading; default as line_length."},
		{Name: "code_block_line_length", Type: config.Int, Min: 1, Max: 0, Doc: "Characters of a line of code; default as line_length."},
		{Name: "code_blocks", Type: config.Bool, Doc: "Look at code; default true."},
		{Name: "tables", Type: config.Bool, Doc: "Look at tables; default true."},
		{Name: "headings", Type: config.Bool, Doc: "Look at headings; default true."},
		{Name: "strict", Type: config.Bool, Doc: "Report every line that is too long; default false."},
		{Name: "stern", Type: config.Bool, Doc: "Report lines that could be broken, though their last word starts in time; default false."},
	}},
	{Code: "MD014", Severity: diag.Info, Default: true, Doc: docMD014, URL: upstreamDocs + "md014.md"},
	{Code: "MD018", Severity: diag.Warning, Default: true, Doc: docMD018, URL: upstreamDocs + "md018.md"},
	{Code: "MD019", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD019, URL: upstreamDocs + "md019.md"},
	{Code: "MD020", Severity: diag.Warning, Default: true, Doc: docMD020, URL: upstreamDocs + "md020.md"},
	{Code: "MD021", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD021, URL: upstreamDocs + "md021.md"},
	{Code: "MD022", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD022, URL: upstreamDocs + "md022.md", Options: []config.Option{
		{Name: "lines_above", Type: config.Int, Min: -1, Max: 9, Doc: "Blank lines above a heading; default 1, -1: any number."},
		{Name: "lines_below", Type: config.Int, Min: -1, Max: 9, Doc: "Blank lines below a heading; default 1, -1: any number."},
	}},
	{Code: "MD023", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD023, URL: upstreamDocs + "md023.md"},
	{Code: "MD024", Severity: diag.Info, Default: true, Doc: docMD024, URL: upstreamDocs + "md024.md", Options: []config.Option{
		{Name: "siblings_only", Type: config.Bool, Doc: "Compare headings below the same one only; default false."},
	}},
	{Code: "MD025", Severity: diag.Warning, Default: true, Doc: docMD025, URL: upstreamDocs + "md025.md", Options: []config.Option{
		{Name: "front_matter_title", Type: config.String, Doc: "Regular expression for a line of the front matter that is the title; empty: none is. Default: the key `title`."},
		{Name: "level", Type: config.Int, Min: 1, Max: 6, Doc: "Level of titles; default 1."},
	}},
	{Code: "MD026", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD026, URL: upstreamDocs + "md026.md", Options: []config.Option{
		{Name: "punctuation", Type: config.String, Doc: "Characters a heading must not end in; default `.,;:!` and their full-width forms."},
	}},
	{Code: "MD027", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD027, URL: upstreamDocs + "md027.md", Options: []config.Option{{Name: "list_items", Type: config.Bool, Doc: "Look at lists; default true."}}},
	{Code: "MD028", Severity: diag.Info, Default: true, Doc: docMD028, URL: upstreamDocs + "md028.md"},
	{Code: "MD029", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD029, URL: upstreamDocs + "md029.md", Options: []config.Option{
		{Name: "style", Type: config.String, Enum: []string{"one", "one_or_ordered", "ordered", "zero"}, Doc: "Numbers of lists; default one_or_ordered."},
	}},
	{Code: "MD030", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD030, URL: upstreamDocs + "md030.md", Options: []config.Option{
		{Name: "ul_single", Type: config.Int, Min: 1, Max: 8, Doc: "Blanks after a bullet, if each item has one line; default 1."},
		{Name: "ul_multi", Type: config.Int, Min: 1, Max: 8, Doc: "Blanks after a bullet otherwise; default 1."},
		{Name: "ol_single", Type: config.Int, Min: 1, Max: 8, Doc: "Blanks after a number, if each item has one line; default 1."},
		{Name: "ol_multi", Type: config.Int, Min: 1, Max: 8, Doc: "Blanks after a number otherwise; default 1."},
	}},
	{Code: "MD031", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD031, URL: upstreamDocs + "md031.md", Options: []config.Option{{Name: "list_items", Type: config.Bool, Doc: "Look at code in lists; default true."}}},
	{Code: "MD032", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD032, URL: upstreamDocs + "md032.md"},
	{Code: "MD033", Severity: diag.Info, Default: true, Doc: docMD033, URL: upstreamDocs + "md033.md", Options: []config.Option{
		{Name: "allowed_elements", Type: config.Strings, Doc: "Elements that may be used; default none."},
		{Name: "table_allowed_elements", Type: config.Strings, Doc: "Elements that may be used in tables; default as allowed_elements."},
	}},
	{Code: "MD034", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD034, URL: upstreamDocs + "md034.md"},
	{Code: "MD035", Severity: diag.Info, Default: true, Doc: docMD035, URL: upstreamDocs + "md035.md", Options: []config.Option{
		{Name: "style", Type: config.String, Doc: "How a break is written, such as `---`; default consistent, as the first one."},
	}},
	{Code: "MD036", Severity: diag.Info, Default: true, Doc: docMD036, URL: upstreamDocs + "md036.md", Options: []config.Option{
		{Name: "punctuation", Type: config.String, Doc: "Characters that end a sentence; default `.,;:!?` and their full-width forms."},
	}},
	{Code: "MD037", Severity: diag.Warning, Default: true, Doc: docMD037, URL: upstreamDocs + "md037.md"},
	{Code: "MD038", Severity: diag.Info, Default: true, Doc: docMD038, URL: upstreamDocs + "md038.md"},
	{Code: "MD039", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD039, URL: upstreamDocs + "md039.md"},
	{Code: "MD040", Severity: diag.Info, Default: true, Doc: docMD040, URL: upstreamDocs + "md040.md", Options: []config.Option{
		{Name: "allowed_languages", Type: config.Strings, Doc: "Languages that may be used; default any."},
		{Name: "language_only", Type: config.Bool, Doc: "Nothing may follow the language; default false."},
	}},
	{Code: "MD041", Severity: diag.Info, Default: true, Doc: docMD041, URL: upstreamDocs + "md041.md", Options: []config.Option{
		{Name: "allow_preamble", Type: config.Bool, Doc: "Other things may come before the title; default false."},
		{Name: "front_matter_title", Type: config.String, Doc: "Regular expression for a line of the front matter that is the title; empty: none is. Default: the key `title`."},
		{Name: "level", Type: config.Int, Min: 1, Max: 6, Doc: "Level of the title; default 1."},
	}},
	{Code: "MD042", Severity: diag.Warning, Default: true, Doc: docMD042, URL: upstreamDocs + "md042.md"},
	{Code: "MD043", Severity: diag.Info, Default: true, Doc: docMD043, URL: upstreamDocs + "md043.md", Options: []config.Option{
		{Name: "headings", Type: config.Strings, Doc: "The headings, with their `#`; `*`, `+` and `?` stand for others. Default: none are required."},
		{Name: "match_case", Type: config.Bool, Doc: "Letters must be equal; default false."},
	}},
	{Code: "MD044", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD044, URL: upstreamDocs + "md044.md", Options: []config.Option{
		{Name: "names", Type: config.Strings, Doc: "The names, in their right letters; default none."},
		{Name: "code_blocks", Type: config.Bool, Doc: "Look at code; default true."},
		{Name: "html_elements", Type: config.Bool, Doc: "Look at HTML; default true."},
	}},
	{Code: "MD045", Severity: diag.Warning, Default: true, Doc: docMD045, URL: upstreamDocs + "md045.md"},
	{Code: "MD046", Severity: diag.Info, Default: true, Doc: docMD046, URL: upstreamDocs + "md046.md", Options: []config.Option{
		{Name: "style", Type: config.String, Enum: []string{"consistent", "fenced", "indented"}, Doc: "Style of code blocks; default consistent, as the first one."},
	}},
	{Code: "MD047", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD047, URL: upstreamDocs + "md047.md"},
	{Code: "MD048", Severity: diag.Info, Default: true, Doc: docMD048, URL: upstreamDocs + "md048.md", Options: []config.Option{
		{Name: "style", Type: config.String, Enum: []string{"consistent", "backtick", "tilde"}, Doc: "Marker of fences; default consistent, as the first one."},
	}},
	{Code: "MD049", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD049, URL: upstreamDocs + "md049.md", Options: []config.Option{
		{Name: "style", Type: config.String, Enum: []string{"consistent", "asterisk", "underscore"}, Doc: "Marker; default consistent, as the first one."},
	}},
	{Code: "MD050", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD050, URL: upstreamDocs + "md050.md", Options: []config.Option{
		{Name: "style", Type: config.String, Enum: []string{"consistent", "asterisk", "underscore"}, Doc: "Marker; default consistent, as the first one."},
	}},
	{Code: "MD051", Severity: diag.Warning, Default: true, Fixable: true, Doc: docMD051, URL: upstreamDocs + "md051.md", Options: []config.Option{
		{Name: "ignore_case", Type: config.Bool, Doc: "Letters need not be equal; default false."},
		{Name: "ignored_pattern", Type: config.String, Doc: "Regular expression for fragments that are left alone; default none."},
	}},
	{Code: "MD052", Severity: diag.Warning, Default: true, Doc: docMD052, URL: upstreamDocs + "md052.md", Options: []config.Option{
		{Name: "ignored_labels", Type: config.Strings, Doc: "Labels that are left alone; default `x`, which is a ticked box."},
		{Name: "shortcut_syntax", Type: config.Bool, Doc: "Look at labels alone, as in `[text]`; default false."},
	}},
	{Code: "MD053", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD053, URL: upstreamDocs + "md053.md", Options: []config.Option{
		{Name: "ignored_definitions", Type: config.Strings, Doc: "Labels that are left alone; default `//`, which is a comment."},
	}},
	{Code: "MD054", Severity: diag.Info, Default: true, Doc: docMD054, URL: upstreamDocs + "md054.md", Options: []config.Option{
		{Name: "autolink", Type: config.Bool, Doc: "Allow autolinks; default true."},
		{Name: "inline", Type: config.Bool, Doc: "Allow inline links and images; default true."},
		{Name: "full", Type: config.Bool, Doc: "Allow full references; default true."},
		{Name: "collapsed", Type: config.Bool, Doc: "Allow collapsed references; default true."},
		{Name: "shortcut", Type: config.Bool, Doc: "Allow shortcut references; default true."},
		{Name: "url_inline", Type: config.Bool, Doc: "Allow inline links whose text is their destination; default true."},
	}},
	{Code: "MD055", Severity: diag.Info, Default: true, Doc: docMD055, URL: upstreamDocs + "md055.md", Options: []config.Option{
		{Name: "style", Type: config.String, Enum: []string{"consistent", "leading_and_trailing", "leading_only", "no_leading_or_trailing", "trailing_only"}, Doc: "Pipes at the ends of rows; default consistent, as the first one."},
	}},
	{Code: "MD056", Severity: diag.Warning, Default: true, Doc: docMD056, URL: upstreamDocs + "md056.md"},
	{Code: "MD058", Severity: diag.Info, Default: true, Fixable: true, Doc: docMD058, URL: upstreamDocs + "md058.md"},
	{Code: "MD059", Severity: diag.Info, Default: true, Doc: docMD059, URL: upstreamDocs + "md059.md", Options: []config.Option{
		{Name: "prohibited_texts", Type: config.Strings, Doc: "Texts a link must not have; default `click here`, `here`, `link` and `more`."},
	}},
	{Code: "MD060", Severity: diag.Info, Default: true, Doc: docMD060, URL: upstreamDocs + "md060.md", Options: []config.Option{
		{Name: "style", Type: config.String, Enum: []string{"any", "aligned", "compact", "tight"}, Doc: "How pipes are set; default any."},
		{Name: "aligned_delimiter", Type: config.Bool, Doc: "Align the second row with the first; default false."},
	}},
}

// rule is a check and the names it is known by to the markdownlint command.
type rule struct {
	code     string
	names    string // aliases and tags, blanks around each
	severity diag.Severity
	run      func(*check)
}

// ruleCount is less than 64: sets of rules are words.
const ruleCount = 53

// checks are the rules by code.
var checks = [ruleCount]rule{
	{"MD001", " heading-increment headings ", diag.Warning, headingIncrement},
	{"MD003", " heading-style headings ", diag.Info, headingStyle},
	{"MD004", " ul-style bullet ul ", diag.Info, unorderedStyle},
	{"MD005", " list-indent bullet ul indentation ", diag.Info, listIndent},
	{"MD007", " ul-indent bullet ul indentation ", diag.Info, unorderedIndent},
	{"MD009", " no-trailing-spaces whitespace ", diag.Info, trailingSpaces},
	{"MD010", " no-hard-tabs whitespace hard_tab ", diag.Info, hardTabs},
	{"MD011", " no-reversed-links links ", diag.Warning, reversedLinks},
	{"MD012", " no-multiple-blanks whitespace blank_lines ", diag.Info, multipleBlanks},
	{"MD013", " line-length line_length ", diag.Info, lineLength},
	{"MD014", " commands-show-output code ", diag.Info, dollarCommands},
	{"MD018", " no-missing-space-atx headings atx spaces ", diag.Warning, missingSpaceATX},
	{"MD019", " no-multiple-space-atx headings atx spaces ", diag.Info, multipleSpaceATX},
	{"MD020", " no-missing-space-closed-atx headings atx_closed spaces ", diag.Warning, missingSpaceClosedATX},
	{"MD021", " no-multiple-space-closed-atx headings atx_closed spaces ", diag.Info, multipleSpaceClosedATX},
	{"MD022", " blanks-around-headings headings blank_lines ", diag.Info, blanksAroundHeadings},
	{"MD023", " heading-start-left headings spaces ", diag.Info, headingStartLeft},
	{"MD024", " no-duplicate-heading headings ", diag.Info, duplicateHeading},
	{"MD025", " single-title single-h1 headings ", diag.Warning, singleTitle},
	{"MD026", " no-trailing-punctuation headings ", diag.Info, trailingPunctuation},
	{"MD027", " no-multiple-space-blockquote blockquote whitespace indentation ", diag.Info, spacesInQuote},
	{"MD028", " no-blanks-blockquote blockquote whitespace ", diag.Info, blanksInQuote},
	{"MD029", " ol-prefix ol ", diag.Info, orderedPrefix},
	{"MD030", " list-marker-space ol ul whitespace ", diag.Info, markerSpace},
	{"MD031", " blanks-around-fences code blank_lines ", diag.Info, blanksAroundFences},
	{"MD032", " blanks-around-lists bullet ul ol blank_lines ", diag.Info, blanksAroundLists},
	{"MD033", " no-inline-html html ", diag.Info, inlineHTML},
	{"MD034", " no-bare-urls links url ", diag.Info, bareURLs},
	{"MD035", " hr-style hr ", diag.Info, ruleStyle},
	{"MD036", " no-emphasis-as-heading headings emphasis ", diag.Info, emphasisAsHeading},
	{"MD037", " no-space-in-emphasis whitespace emphasis ", diag.Warning, spacesInEmphasis},
	{"MD038", " no-space-in-code whitespace code ", diag.Info, spacesInCode},
	{"MD039", " no-space-in-links whitespace links ", diag.Info, spacesInLinks},
	{"MD040", " fenced-code-language code language ", diag.Info, fenceLanguage},
	{"MD041", " first-line-heading first-line-h1 headings ", diag.Info, firstLineHeading},
	{"MD042", " no-empty-links links ", diag.Warning, emptyLinks},
	{"MD043", " required-headings headings ", diag.Info, requiredHeadings},
	{"MD044", " proper-names spelling ", diag.Info, properNames},
	{"MD045", " no-alt-text accessibility images ", diag.Warning, altText},
	{"MD046", " code-block-style code ", diag.Info, codeBlockStyle},
	{"MD047", " single-trailing-newline blank_lines ", diag.Info, finalNewline},
	{"MD048", " code-fence-style code ", diag.Info, fenceStyle},
	{"MD049", " emphasis-style emphasis ", diag.Info, emphasisStyle},
	{"MD050", " strong-style emphasis ", diag.Info, strongStyle},
	{"MD051", " link-fragments links ", diag.Warning, linkFragments},
	{"MD052", " reference-links-images images links ", diag.Warning, undefinedReferences},
	{"MD053", " link-image-reference-definitions images links ", diag.Info, unusedDefinitions},
	{"MD054", " link-image-style images links ", diag.Info, linkStyle},
	{"MD055", " table-pipe-style table ", diag.Info, pipeStyle},
	{"MD056", " table-column-count table ", diag.Warning, columnCount},
	{"MD058", " blanks-around-tables table ", diag.Info, blanksAroundTables},
	{"MD059", " descriptive-link-text accessibility links ", diag.Info, descriptiveText},
	{"MD060", " table-column-style table ", diag.Info, columnStyle},
}

// allRules is the set of every rule.
const allRules = 1<<ruleCount - 1

// rulesNamed returns the rules with a code, an alias or a tag, as a set.
func rulesNamed(name string) uint64 {
	name = strings.ToLower(name)
	var set uint64
	for i := range checks {
		if strings.EqualFold(checks[i].code, name) || strings.Contains(checks[i].names, " "+name+" ") {
			set |= 1 << i
		}
	}
	return set
}
