package shfmt

import (
	"mvdan.cc/sh/v3/syntax"

	"poly/internal/config"
	"poly/internal/engine"
)

// settings are the options of the shfmt command.
type settings struct {
	variant string // "", or a dialect for every file
	indent  int    // 0: tabs
	simplify, binaryNextLine, caseIndent, spaceRedirects,
	keepPadding, functionNextLine bool
}

// options lists the keys of [fmt.shell.shfmt], under the names .editorconfig
// has for them.
func options() []config.Option {
	flag := func(name, doc string) config.Option {
		return config.Option{Name: name, Type: config.Bool, Default: false, Doc: doc}
	}
	return []config.Option{
		flag("binary_next_line", "Put operators such as `&&` and `|` at the start of the next line."),
		flag("function_next_line", "Put the opening brace of a function on a line of its own."),
		{
			Name: "indent", Type: config.Int, Max: 32,
			Doc: "Blanks of one level, 0 for tabs; unset: `indent_width`, which means tabs at 8, its default for shell.",
		},
		flag("keep_padding", "Keep blanks that align columns. Upstream calls this flawed."),
		{
			Name: "shell_variant", Type: config.String, Default: "", Enum: []string{"", "bash", "posix", "mksh", "bats", "zsh"},
			Doc: "Dialect of every file; empty: told by each file.",
		},
		flag("simplify", "Also simplify the code, as with `shfmt -s`."),
		flag("space_redirects", "Put a blank behind redirection operators."),
		flag("switch_case_indent", "Indent the patterns of `case`."),
	}
}

func makeSettings(v config.Values) settings {
	return settings{
		variant:          v.String("shell_variant"),
		simplify:         v.Bool("simplify"),
		binaryNextLine:   v.Bool("binary_next_line"),
		caseIndent:       v.Bool("switch_case_indent"),
		spaceRedirects:   v.Bool("space_redirects"),
		keepPadding:      v.Bool("keep_padding"),
		functionNextLine: v.Bool("function_next_line"),
	}
}

// tabWidth is the indentation of the language, which stands for tabs.
const tabWidth = 8

// indent returns the indentation that was set for the engine, or -1.
func indent(v config.Values, g engine.Globals) int {
	if n, ok := v["indent"].(int); ok {
		return n
	}
	if g.Configured&config.GivenIndentWidth != 0 && g.IndentWidth != tabWidth {
		return g.IndentWidth
	}
	return -1
}

// configured tells that v sets an option besides the indentation.
func configured(v config.Values) bool {
	return makeSettings(v) != settings{}
}

func (s *settings) printer() *syntax.Printer {
	return syntax.NewPrinter(
		syntax.Indent(uint(s.indent)), //nolint:gosec // never negative: the option has a minimum
		syntax.BinaryNextLine(s.binaryNextLine),
		syntax.SwitchCaseIndent(s.caseIndent),
		syntax.SpaceRedirects(s.spaceRedirects),
		syntax.KeepPadding(s.keepPadding), //nolint:staticcheck // users of the command have it in their files
		syntax.FunctionNextLine(s.functionNextLine),
	)
}
