package yamlfmt

import (
	"cmp"
	"fmt"
	"slices"

	"poly/internal/config"
)

// settings are the options of yamlfmt's basic formatter, under their names.
type settings struct {
	indent, width, pad, arrayIndent int
	documentStart, retain, retainSingle, noAnchors, foldedLiteral,
	indentless, dropMerge, trim, rootArray, bareAliasKeys bool
	arrays, quotes string
}

// entry is one option and the field it sets; exactly one of the pointers is
// not nil.
type entry struct {
	option config.Option
	flag   func(*settings) *bool
	number func(*settings) *int
	word   func(*settings) *string
}

// entries has the options sorted by name. The end of lines and of the file, and
// directives, are not among them: they are handled for every setting.
func entries() []entry {
	flag := func(name string, field func(*settings) *bool, doc string) entry {
		return entry{option: config.Option{Name: name, Type: config.Bool, Default: false, Doc: doc}, flag: field}
	}
	number := func(name string, def any, low, high int, field func(*settings) *int, doc string) entry {
		return entry{option: config.Option{Name: name, Type: config.Int, Default: def, Min: low, Max: high, Doc: doc}, number: field}
	}
	word := func(name string, enum []string, field func(*settings) *string, doc string) entry {
		return entry{option: config.Option{Name: name, Type: config.String, Default: "", Enum: enum, Doc: doc}, word: field}
	}
	all := []entry{
		word("force_array_style", []string{"", "block", "flow"}, func(s *settings) *string { return &s.arrays }, "Write every sequence in this style."),
		word("force_quote_style", []string{"", "single", "double"}, func(s *settings) *string { return &s.quotes }, "Write quoted scalars with these quotes."),
		flag("include_document_start", func(s *settings) *bool { return &s.documentStart }, "Write `---` at the start of the first document."),
		flag("retain_line_breaks", func(s *settings) *bool { return &s.retain }, "Keep blank lines."),
		flag("retain_line_breaks_single", func(s *settings) *bool { return &s.retainSingle }, "Keep blank lines, but only one of several in a row."),
		flag("disallow_anchors", func(s *settings) *bool { return &s.noAnchors }, "Skip files that have anchors."),
		flag("scan_folded_as_literal", func(s *settings) *bool { return &s.foldedLiteral }, "Keep the line breaks of folded block scalars as written."),
		flag("indentless_arrays", func(s *settings) *bool { return &s.indentless }, "Do not indent sequences below their key."),
		flag("drop_merge_tag", func(s *settings) *bool { return &s.dropMerge }, "Remove `!!merge` where it is written. A tag that is not in the file is never added."),
		flag("trim_trailing_whitespace", func(s *settings) *bool { return &s.trim }, "Remove blanks at the end of lines first, also inside block scalars; a change of a value is refused."),
		flag("indent_root_array", func(s *settings) *bool { return &s.rootArray }, "Indent a sequence that is the whole document."),
		flag("disable_alias_key_correction", func(s *settings) *bool { return &s.bareAliasKeys }, "Do not ask the library for a blank behind an alias that is a key; it is put there in any case."),
		number("indent", nil, 2, 9, func(s *settings) *int { return &s.indent }, "Columns of one level; unset: `indent_width`, which is 2 for YAML unless it is set."),
		number("max_line_length", 0, 0, 0, func(s *settings) *int { return &s.width }, "Fold longer plain and quoted scalars at blanks; 0: never."),
		number("pad_line_comments", 1, 1, 80, func(s *settings) *int { return &s.pad }, "Blanks before a comment at the end of a line."),
		number("array_indent", 0, 0, 9, func(s *settings) *int { return &s.arrayIndent }, "Columns of a level of a sequence; 0: as `indent`."),
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.option.Name, b.option.Name) })
	return all
}

// options lists the keys of [fmt.yaml.yamlfmt].
func options() []config.Option {
	var out []config.Option
	for _, e := range entries() {
		out = append(out, e.option)
	}
	return out
}

// makeSettings reads options; a value of another type is an error, which
// configuration has ruled out and a file of the yamlfmt command has not.
func makeSettings(v map[string]any, indentWidth int) (settings, error) {
	s := settings{indent: 2, pad: 1}
	if indentWidth > 0 {
		s.indent = indentWidth
	}
	for _, e := range entries() {
		got, set := v[e.option.Name]
		if !set || got == nil {
			continue
		}
		if err := e.assign(&s, got); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (e entry) assign(s *settings, v any) error {
	switch v := v.(type) {
	case bool:
		if e.flag != nil {
			*e.flag(s) = v
			return nil
		}
	case int:
		if e.number != nil {
			*e.number(s) = max(v, e.option.Min)
			return nil
		}
	case string:
		if e.word != nil && slices.Contains(e.option.Enum, v) {
			*e.word(s) = v
			return nil
		}
	}
	return fmt.Errorf("%s cannot be %v", e.option.Name, v)
}

// configured tells that v sets an option.
func configured(v config.Values) bool {
	for _, o := range options() {
		if got, ok := v[o.Name]; ok && got != o.Default {
			return true
		}
	}
	return false
}
