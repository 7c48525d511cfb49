package engine

import (
	"cmp"

	"poly/internal/config"
	"poly/internal/editorconfig"
	"poly/internal/lang"
)

// Globals are the layout settings in force: [lint|fmt.<lang>.<engine>]
// indent_width, then [defaults], then, for a formatter, what .editorconfig says
// about the file, then the defaults of poly and the language. A formatter is
// bound once for each combination that its files have.
type Globals struct {
	LineLength             int  // columns; 0: no limit
	CRLF                   bool // every line ends with CRLF
	LF                     bool // every line ends with LF; neither: a file keeps what most of its lines have
	FinalNewline           bool
	TrimTrailingWhitespace bool
	IndentWidth            int  // columns of a level, also if it is a tab
	Tabs                   bool // a level is a tab; default: as people write the language
	// Configured are those that poly.toml sets, Editorconfig those that came
	// from .editorconfig. An engine with a better default of its own, or whose
	// tool does not obey .editorconfig in something, looks at them.
	Configured, Editorconfig config.Given
}

// Given reports whether a setting was written down by the user.
func (g Globals) Given(s config.Given) bool { return (g.Configured|g.Editorconfig)&s != 0 }

// Blanks returns how many blanks a level has in a language that is never
// indented with tabs: where .editorconfig wants tabs, its width is none of
// blanks.
func (g Globals) Blanks(l lang.ID) int {
	if g.Tabs && g.Editorconfig&config.GivenIndentStyle != 0 && g.Configured&config.GivenIndentWidth == 0 {
		info, _ := lang.Lookup(l)
		return cmp.Or(info.Indent, 4)
	}
	return g.IndentWidth
}

// Under returns g with what p says where poly.toml says nothing.
func (g Globals) Under(p editorconfig.Properties) Globals {
	set := func(s config.Given, said bool) bool {
		if said = said && g.Configured&s == 0; said {
			g.Editorconfig |= s
		}
		return said
	}
	if set(config.GivenLineLength, p.MaxLineLength != 0) {
		g.LineLength = max(0, p.MaxLineLength)
	}
	if set(config.GivenLineEnding, p.EndOfLine == "lf" || p.EndOfLine == "crlf") {
		g.CRLF, g.LF = p.EndOfLine == "crlf", p.EndOfLine == "lf"
	}
	if set(config.GivenFinalNewline, p.Final != "") {
		g.FinalNewline = p.Final == "true"
	}
	if set(config.GivenTrim, p.Trim != "") {
		g.TrimTrailingWhitespace = p.Trim == "true"
	}
	if set(config.GivenIndentWidth, p.IndentSize > 0) {
		g.IndentWidth = p.IndentSize
	}
	if set(config.GivenIndentStyle, p.IndentStyle != "") {
		g.Tabs = p.IndentStyle == "tab"
	}
	return g
}
