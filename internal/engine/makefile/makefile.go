// Package makefile finds the faults of makefiles that do not show: blanks where
// a recipe needs a tab, a continuation that is none, conditionals that are not
// closed. It reads lines as GNU make does and expands nothing.
package makefile

import (
	"context"
	"path"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const (
	engineName   = "makefile"
	codeSyntax   = "syntax"
	codeSpaces   = "recipe-spaces"
	codeTrailing = "blank-after-backslash"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name: engineName, Revision: 1, Langs: []lang.ID{lang.Make}, Verbs: engine.Lint, UsesPath: true,
		Rules: []engine.Rule{
			{
				Code: codeSyntax, Severity: diag.Error, Default: true,
				Doc: "make stops at this line.\n\n" +
					"A line that is no rule, no assignment and no directive has to start with a tab, below a rule; ifdef, ifeq and " +
					"define have to be closed in the file that opens them. Other makes than GNU make and BSD make are not judged.\n\n" +
					"    all:\n            echo blanks, not a tab\n\n" +
					"Start the lines of a recipe with a tab, and close what is open.",
				URL: "https://www.gnu.org/software/make/manual/make.html#Error-Messages",
			},
			{
				Code: codeSpaces, Severity: diag.Warning, Default: true,
				Doc: "A line below a rule is indented with blanks and looks like a command.\n\n" +
					"make takes it for a rule or an assignment, because it has a colon or an equal sign, and never runs it.\n\n" +
					"    all:\n            @echo done: all\n\n" +
					"Indent it with a tab.",
				URL: "https://www.gnu.org/software/make/manual/make.html#Recipe-Syntax",
			},
			{
				Code: codeTrailing, Severity: diag.Warning, Default: true,
				Doc: "Blanks follow a backslash at the end of a line.\n\n" +
					"The backslash does not continue the line then: the next one is read for itself.\n\n" +
					"    SRC = a.c \\ (blank)\n          b.c\n\n" +
					"Delete the blanks behind the backslash, or the backslash.",
				URL: "https://www.gnu.org/software/make/manual/make.html#Splitting-Lines",
			},
		},
		Doc: "Finds blanks in place of tabs, blanks behind a backslash and unclosed conditionals and definitions in makefiles.",
	},
	Bind: func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{PathClass: class, Open: engine.Stateless(engine.Funcs{LintFunc: lint})}, nil
	},
}

// class is "nmake" for makefiles that by their names are for Microsoft's or
// Borland's make, whose recipes may be indented with blanks.
func class(p string) string {
	base := strings.ToLower(path.Base(p))
	switch ext := path.Ext(base); ext {
	case ".mak", ".vc", ".msc", ".msvc", ".nmake", ".w32", ".win32", ".w64", ".win", ".bc", ".bcc", ".bcb", ".bor", ".wat", ".wc", ".watcom", ".os2", ".dos", ".sco", ".vms", ".ami", ".amiga":
		return "nmake"
	}
	if strings.Contains(base, "nmake") || strings.Contains(base, "msvc") || base == "makeppfile" {
		return "nmake"
	}
	return ""
}

func lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	f := reader{text: src.Text, prefix: '\t'}
	f.dialect(class(src.Path))
	if err := f.read(ctx); err != nil {
		return nil, err
	}
	return f.diags, nil
}
