// Package text looks at files of every language as lines: forgotten conflict
// markers, line endings, trailing blanks. It formats the languages that are
// nothing but lines. It never changes a byte whose meaning it cannot know.
package text

import (
	"context"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const engineName = "text"

// Codes of the rules.
const (
	codeConflict = "merge-conflict"
	codeEndings  = "mixed-line-endings"
	codeTrailing = "trailing-whitespace"
	codeFinal    = "final-newline"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     engineName,
		Revision: 1,
		Verbs:    engine.Lint | engine.Format,
		Cross:    true,
		Generic:  true,
		Rules: []engine.Rule{
			{
				Code: codeConflict, Severity: diag.Error, Default: true,
				Doc: "A merge conflict was committed with its markers.\n\n" +
					"git writes an opener (seven `<`), a separator (seven `=`) and a closer (seven `>`) around two versions of the " +
					"same lines; nothing understands the file until one is chosen. A heading underlined by `=` is none of it, and " +
					"neither is an example in a fenced block of Markdown or in an indented one.\n\n" +
					"    opener, with the branch that was checked out\n    const limit = 10\n    separator\n    const limit = 20\n    closer, with the other branch\n\n" +
					"Choose a version and delete the three lines.",
				URL: "https://git-scm.com/docs/git-merge#_how_conflicts_are_presented",
			},
			{
				Code: codeEndings, Severity: diag.Warning, Default: true,
				Doc: "Some lines end with LF, others with CRLF.\n\n" +
					"Editors and diffs then show changes nobody made. Patches are exempt: they carry the endings of what they patch.\n\n" +
					"    printf 'a\\r\\nb\\nc\\r\\n' > file.txt\n\n" +
					"Give the file one line ending and pin it in .gitattributes: `*.txt text eol=lf`.",
			},
			{
				Code: codeTrailing, Severity: diag.Info, Default: false, Fixable: true,
				Doc: "Blanks at the end of a line.\n\n" +
					"They show up in diffs and mean nothing, except where they do: Markdown's hard line breaks, patches, recipes and " +
					"values in makefiles and blanks after a backslash are left out. The fix is offered only where the language is " +
					"nothing but lines: elsewhere the blanks may belong to a string.\n\n" +
					"    printf '*.log \\n' > .gitignore\n\n" +
					"Delete them.",
			},
			{
				Code: codeFinal, Severity: diag.Info, Default: false, Fixable: true,
				Doc: "The last line has no line end.\n\n" +
					"POSIX tools count lines by their ends, and the next person who appends changes two lines.\n\n" +
					"    printf 'a\\nb' > file.txt\n\n" +
					"End the file with a line end.",
			},
		},
		Doc: "Finds merge conflict markers and mixed line endings in files of every language; formats text that is nothing but lines.\n\n" +
			"Formatting removes trailing blanks ([defaults] trim_trailing_whitespace), adds the final newline ([defaults] final_newline) " +
			"and gives every line the ending most of them have, or CRLF if [defaults] line_ending says so. What [defaults] do not say is " +
			"asked of .editorconfig: trim_trailing_whitespace, insert_final_newline and end_of_line. A file with lone carriage " +
			"returns, and a patch, stays as it is.",
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	w := worker{
		endings:  e.Rules.Allows(codeEndings),
		trailing: e.Rules.Allows(codeTrailing),
		final:    e.Rules.Allows(codeFinal),
		globals:  e.Globals,
	}
	return engine.Bound{
		Covers: Formats(),
		Open:   engine.Stateless(engine.Funcs{LintFunc: w.lint, FormatFunc: w.format}),
		Same:   same,
	}, nil
}

// Formats returns the languages this engine is the default formatter of: those
// that are nothing but lines.
func Formats() []lang.ID {
	var out []lang.ID
	for i := range lang.All() {
		if in := &lang.All()[i]; in.Formatter == engineName {
			out = append(out, in.ID)
		}
	}
	return out
}

type worker struct {
	endings, trailing, final bool // rules in force
	globals                  engine.Globals
}
