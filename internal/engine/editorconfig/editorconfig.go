// Package editorconfig checks files against the .editorconfig files above
// them: charset, line ends, indentation, blanks at line ends, the end of the
// file, the length of lines. Without such a file it says nothing.
package editorconfig

import (
	"context"

	"poly/internal/diag"
	"poly/internal/editorconfig"
	"poly/internal/engine"
)

const (
	engineName = "editorconfig"
)

// Codes of the rules.
const (
	codeCharset  = "charset"
	codeEnd      = "end-of-line"
	codeStyle    = "indent-style"
	codeSize     = "indent-size"
	codeTrailing = "trailing-whitespace"
	codeFinal    = "final-newline"
	codeLength   = "max-line-length"
)

const specification = "https://spec.editorconfig.org/#supported-pairs"

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name: engineName, Revision: 1, Verbs: engine.Lint, Cross: true, UsesPath: true,
		Rules: []engine.Rule{
			{
				Code: codeCharset, Severity: diag.Warning, Default: true, Fixable: true, URL: specification,
				Doc: "A file has a byte order mark that its charset forbids, or lacks the one it demands.\n\n" +
					"`utf-8` is without a mark, which compilers and shells take for a part of the first line; `utf-8-bom` is with one.\n\n" +
					"    [*]\n    charset = utf-8\n\n" +
					"Save the file in the charset. Other charsets are not judged: they cannot be told from bytes.",
			},
			{
				Code: codeEnd, Severity: diag.Warning, Default: true, Fixable: true, URL: specification,
				Doc: "Lines do not end as end_of_line says.\n\n" +
					"Editors, diffs and scripts then see changes or characters that nobody wrote.\n\n" +
					"    [*.sh]\n    end_of_line = lf\n\n" +
					"Convert the file, and pin its ending in .gitattributes. The fix is offered where the language is nothing but lines.",
			},
			{
				Code: codeStyle, Severity: diag.Warning, Default: true, URL: specification,
				Doc: "A line is indented with tabs where indent_style is space, or the other way round.\n\n" +
					"The layout then depends on the width of a tab, which differs from editor to editor.\n\n" +
					"    [*.py]\n    indent_style = space\n\n" +
					"Indent the line as configured. Blanks behind tabs are alignment and fine. Lines of strings, comments and documents inside of a " +
					"file, recipes of makefiles and Go, whose layout gofmt decides, are not judged.",
			},
			{
				Code: codeSize, Severity: diag.Warning, URL: specification,
				Doc: "The blanks before a line are no multiple of indent_size.\n\n" +
					"Off by default: code that is aligned with the line above is not wrong.\n\n" +
					"    [*.yml]\n    indent_size = 2\n\n" +
					"Indent by whole levels. ` *` of a comment may stand one blank further in.",
			},
			{
				Code: codeTrailing, Severity: diag.Warning, Default: true, Fixable: true, URL: specification,
				Doc: "A line ends with blanks although trim_trailing_whitespace is true.\n\n" +
					"The next editor that obeys the file removes them, in a commit about something else.\n\n" +
					"    [*]\n    trim_trailing_whitespace = true\n\n" +
					"Delete them. Two blanks at the end of a line of Markdown, blanks inside of strings and of here documents are not told.",
			},
			{
				Code: codeFinal, Severity: diag.Warning, Default: true, Fixable: true, URL: specification,
				Doc: "The file does not end with a line end although insert_final_newline is true.\n\n" +
					"Tools that append to the file or count its lines are off by one line.\n\n" +
					"    [*]\n    insert_final_newline = true\n\n" +
					"End the file with a line end.",
			},
			{
				Code: codeLength, Severity: diag.Warning, Default: true, URL: specification,
				Doc: "A line is longer than max_line_length.\n\n" +
					"It is counted in characters; a tab is one. A line whose end is a single word that cannot be broken, such as an address, is not told.\n\n" +
					"    [*.java]\n    max_line_length = 120\n\n" +
					"Break the line.",
			},
		},
		Doc: "Checks files against .editorconfig.\n\n" +
			"The nearest file counts most, sections are matched as its specification says, `root = true` ends the search, and `unset` or `off` " +
			"switches a property off. editorconfig-checker's comments (editorconfig-checker-disable-file, -disable-line, -disable-next-line, " +
			"-disable and -enable) and the keys Exclude and Disable of its .editorconfig-checker.json or .ecrc at the root count too.",
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	r := newResolver(e.Tree)
	return engine.Bound{
		Inputs:    engine.Inputs{Names: []string{editorconfig.FileName}, Paths: nativeNames[:]},
		PathClass: func(p string) string { return r.properties(p).class() },
		Open: engine.Stateless(engine.Funcs{LintFunc: func(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			p := r.properties(src.Path)
			if err := r.native().err; err != nil {
				return nil, err
			}
			if p == (properties{}) {
				return nil, nil
			}
			return lint(ctx, src, p, e.Rules)
		}}),
	}, nil
}
