package yamlfmt

import (
	"cmp"
	"slices"

	"github.com/google/yamlfmt/formatters/basic"
	"github.com/google/yamlfmt/formatters/basic/features"

	"poly/internal/config"
)

// flag is a boolean option that only sets one field of the wrapped library's
// configuration.
type flag struct {
	name  string
	set   func(*basic.Config, bool)
	doc   string
	value bool // default
}

var flags = []flag{
	{"include_document_start", func(c *basic.Config, v bool) { c.IncludeDocumentStart = v }, "Write `---` at the start of the first document.", false},
	{"retain_line_breaks", func(c *basic.Config, v bool) { c.RetainLineBreaks = v }, "Keep blank lines.", false},
	{"retain_line_breaks_single", func(c *basic.Config, v bool) { c.RetainLineBreaksSingle = v }, "Keep blank lines, but only one of several in a row.", false},
	{"disallow_anchors", func(c *basic.Config, v bool) { c.DisallowAnchors = v }, "Skip files that have anchors or aliases.", false},
	{"scan_folded_as_literal", func(c *basic.Config, v bool) { c.ScanFoldedAsLiteral = v }, "Keep the line breaks of folded block scalars as written.", false},
	{"indentless_arrays", func(c *basic.Config, v bool) { c.IndentlessArrays = v }, "Do not indent sequences below their key.", false},
	{"drop_merge_tag", func(c *basic.Config, v bool) { c.DropMergeTag = v }, "Write explicit `!!merge` tags of merge keys as plain `<<`. A tag that is not in the file is never added.", false},
	{"trim_trailing_whitespace", func(c *basic.Config, v bool) { c.TrimTrailingWhitespace = v }, "Remove blanks at the end of lines before formatting, also inside block scalars.", false},
	{"indent_root_array", func(c *basic.Config, v bool) { c.IndentRootArray = v }, "Indent a sequence that is the whole document.", false},
	{"disable_alias_key_correction", func(c *basic.Config, v bool) { c.DisableAliasKeyCorrection = v }, "Do not put a blank between an alias used as a key and its colon.", false},
}

// number is an integer option.
type number struct {
	option config.Option
	set    func(*basic.Config, int)
}

var numbers = []number{
	{config.Option{Name: "indent", Type: config.Int, Min: 2, Max: 9, Doc: "Columns of one level; unset: `indent_width`, which is 2 for YAML unless it is set."}, func(c *basic.Config, n int) { c.Indent = n }},
	{config.Option{Name: "max_line_length", Type: config.Int, Default: 0, Doc: "Fold longer plain and quoted scalars at blanks; 0: never."}, func(c *basic.Config, n int) { c.LineLength = n }},
	{config.Option{Name: "pad_line_comments", Type: config.Int, Default: 1, Min: 1, Max: 80, Doc: "Blanks before a comment at the end of a line."}, func(c *basic.Config, n int) { c.PadLineComments = n }},
	{config.Option{Name: "array_indent", Type: config.Int, Default: 0, Max: 9, Doc: "Columns of a level of a sequence; 0: as `indent`."}, func(c *basic.Config, n int) { c.ArrayIndent = n }},
}

// options lists the keys of [fmt.yaml.yamlfmt], sorted by name.
func options() []config.Option {
	out := []config.Option{
		{Name: "force_array_style", Type: config.String, Enum: []string{"", "block", "flow"}, Default: "", Doc: "Write every sequence in this style."},
		{Name: "force_quote_style", Type: config.String, Enum: []string{"", "single", "double"}, Default: "", Doc: "Write quoted scalars with these quotes."},
	}
	for _, f := range flags {
		out = append(out, config.Option{Name: f.name, Type: config.Bool, Default: f.value, Doc: f.doc})
	}
	for _, n := range numbers {
		out = append(out, n.option)
	}
	slices.SortFunc(out, func(a, b config.Option) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// settings makes the wrapped library's configuration. Line ends and the end of
// the file are ours, so that text with any line end is formatted as if it had "\n".
func settings(v config.Values, indentWidth int) *basic.Config {
	c := basic.DefaultConfig()
	c.LineEnding = "lf"
	if indentWidth > 0 {
		c.Indent = indentWidth
	}
	for _, f := range flags {
		if _, ok := v[f.name]; ok {
			f.set(c, v.Bool(f.name))
		}
	}
	for _, n := range numbers {
		if _, ok := v[n.option.Name].(int); ok {
			n.set(c, v.Int(n.option.Name))
		}
	}
	c.ForceArrayStyle = features.SequenceStyle(v.String("force_array_style"))
	c.ForceQuoteStyle = features.QuoteStyle(v.String("force_quote_style"))
	return c
}
