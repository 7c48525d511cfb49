// Package ini checks INI files by the rules of whoever reads them: Python's
// configparser, git, or nobody known. What only some reader refuses is told
// only where that reader is known by the file's name.
package ini

import (
	"context"
	"path"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const (
	engineName  = "ini"
	codeSyntax  = "syntax"
	codeSection = "duplicate-section"
	codeKey     = "duplicate-key"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name: engineName, Revision: 1, Langs: []lang.ID{"ini", "gitconfig"}, Verbs: engine.Lint, UsesPath: true,
		Rules: []engine.Rule{
			{
				Code: codeSyntax, Severity: diag.Error, Default: true,
				Doc: "The program this file is for cannot read it.\n\n" +
					"Files that Python tools read (setup.cfg, tox.ini, pylintrc ...) are read as configparser does, those of git as git " +
					"does; both give up at the first line they do not understand. Of other files only a section header without its " +
					"closing bracket is told.\n\n" +
					"    [flake8\n    max-line-length = 100\n\n" +
					"Complete the line. A value that goes on in the next line has to be indented there.",
				URL: "https://docs.python.org/3/library/configparser.html#supported-ini-file-structure",
			},
			{
				Code: codeSection, Severity: diag.Error, Default: true,
				Doc: "A section stands twice in a file for a Python tool.\n\n" +
					"configparser refuses such a file. Other readers join the sections, so it is not told there.\n\n" +
					"    [flake8]\n    ignore = E203\n    [flake8]\n    max-line-length = 100\n\n" +
					"Move the keys to one section.",
				URL: "https://docs.python.org/3/library/configparser.html#configparser.DuplicateSectionError",
			},
			{
				Code: codeKey, Severity: diag.Error, Default: true,
				Doc: "A key is set twice in one section of a file for a Python tool.\n\n" +
					"configparser refuses such a file. For git and many other readers a repeated key is a list, so it is not told there.\n\n" +
					"    [flake8]\n    ignore = E203\n    ignore = W503\n\n" +
					"Keep one of the lines, or write a list: `ignore = E203, W503`.",
				URL: "https://docs.python.org/3/library/configparser.html#configparser.DuplicateOptionError",
			},
		},
		Doc: "Checks INI files: what configparser refuses in files of Python tools, what git refuses in its own, open section headers elsewhere.",
	},
	Bind: func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{
			PathClass: func(p string) string { return dialectOf(p).name },
			Open:      engine.Stateless(engine.Funcs{LintFunc: lint}),
		}, nil
	},
}

// dialect is a reader of INI files.
type dialect struct {
	name   string
	python bool // configparser, or one that refuses what configparser does
	fold   bool // keys are equal in any case
	loose  bool // repeated sections and keys are fine
}

// dialectOf tells by its name who reads a file.
func dialectOf(p string) dialect {
	switch path.Base(p) {
	case "setup.cfg", "tox.ini", "pytest.ini", ".pytest.ini":
		return dialect{name: "exact", python: true}
	case ".isort.cfg":
		return dialect{name: "loose", python: true, loose: true}
	case ".flake8", ".pylintrc", "pylintrc", ".coveragerc", "mypy.ini", ".mypy.ini", ".bandit", ".pypirc", "pip.conf", "alembic.ini",
		".pydocstylerc", ".style.yapf", ".pycodestyle":
		return dialect{name: "folded", python: true, fold: true}
	}
	return dialect{name: "other"}
}

func lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if src.Lang == "gitconfig" {
		return gitconfig(src.Text), ctx.Err()
	}
	d := dialectOf(src.Path)
	if d.python {
		return configparser(ctx, src.Text, d)
	}
	return openHeaders(src.Text), ctx.Err()
}

func problem(code string, start, end int, title string) diag.Diagnostic {
	return diag.Diagnostic{Engine: engineName, Code: code, Severity: diag.Error, Title: title, Span: &diag.Span{Start: start, End: end}}
}

// short makes a name fit into a title.
func short(s string) string {
	s = strings.ToValidUTF8(s, "?")
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "..."
	}
	return s
}
