package revive

import (
	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
)

// sizeRules are those about size and complexity.
var sizeRules = []engine.Rule{
	{
		Code: "add-constant", Severity: diag.Warning, Upstream: true, URL: rulePage + "add-constant",
		Doc: "A number or a repeated string has no name.\n\n" +
			"A reader has to guess what it stands for, and a change has to find every copy.\n\n" +
			"    time.Sleep(86400 * time.Second)\n\n" +
			"Declare a constant.",
		Options: []config.Option{
			{Name: "max_lit_count", Type: config.String, Verbs: config.Lint, Doc: "how often a string may stand; \"2\" by default"},
			{Name: "allow_strs", Type: config.String, Verbs: config.Lint, Doc: "strings that are fine, separated by commas"},
			{Name: "allow_ints", Type: config.String, Verbs: config.Lint, Doc: "integers that are fine"},
			{Name: "allow_floats", Type: config.String, Verbs: config.Lint, Doc: "other numbers that are fine"},
			{Name: "ignore_funcs", Type: config.String, Verbs: config.Lint, Doc: "regular expressions of functions whose arguments are fine"},
		},
	},
	{
		Code: "argument-limit", Severity: diag.Warning, Upstream: true, URL: rulePage + "argument-limit",
		Doc: "A function has more parameters than allowed.\n\n" +
			"Nobody remembers their order.\n\n" +
			"    func f(a, b, c, d, e, f, g, h, i int)\n\n" +
			"Group them in a struct, or split the function.",
		Options: []config.Option{
			{Name: "max", Type: config.Int, Verbs: config.Lint, Doc: "the most parameters; 8 by default"},
		},
	},
	{
		Code: "cognitive-complexity", Severity: diag.Warning, Upstream: true, URL: rulePage + "cognitive-complexity",
		Doc: "A function is harder to follow than allowed.\n\n" +
			"Nested branches and loops have to be kept in mind all at once.\n\n" +
			"    if a { for b { if c { switch d {\n\n" +
			"Move parts to functions, and end early.",
		Options: []config.Option{
			{Name: "max", Type: config.Int, Verbs: config.Lint, Doc: "the highest complexity; 7 by default"},
		},
	},
	{
		Code: "comments-density", Severity: diag.Warning, Upstream: true, URL: rulePage + "comments-density",
		Doc: "A file has fewer comments than asked for.\n\n" +
			"A project may want a share of comments.\n\n" +
			"    package main\n\n" +
			"Say what the code cannot.",
		Options: []config.Option{
			{Name: "min", Type: config.Int, Verbs: config.Lint, Doc: "the smallest share in per cent; 0 by default"},
		},
	},
	{
		Code: "cyclomatic", Severity: diag.Warning, Upstream: true, URL: rulePage + "cyclomatic",
		Doc: "A function has more paths than allowed.\n\n" +
			"Every path needs a test.\n\n" +
			"    if a && b || c { ... }\n\n" +
			"Move parts to functions, or use a table.",
		Options: []config.Option{
			{Name: "max", Type: config.Int, Verbs: config.Lint, Doc: "the highest complexity; 10 by default"},
		},
	},
	{
		Code: "file-length-limit", Severity: diag.Warning, Upstream: true, URL: rulePage + "file-length-limit",
		Doc: "A file has more lines than allowed.\n\n" +
			"A long file has more than one subject.\n\n" +
			"    package main // and 1000 lines\n\n" +
			"Split it by subject.",
		Options: []config.Option{
			{Name: "max", Type: config.Int, Verbs: config.Lint, Doc: "the most lines; 0, the default, allows any number"},
			{Name: "skip_comments", Type: config.Bool, Verbs: config.Lint, Doc: "do not count comments"},
			{Name: "skip_blank_lines", Type: config.Bool, Verbs: config.Lint, Doc: "do not count empty lines"},
		},
	},
	{
		Code: "function-length", Severity: diag.Warning, Upstream: true, URL: rulePage + "function-length",
		Doc: "A function has more statements or lines than allowed.\n\n" +
			"It does not fit in one view, nor in one thought.\n\n" +
			"    func f() { /* 80 lines */ }\n\n" +
			"Move parts to functions.",
		Options: []config.Option{
			{Name: "max_statements", Type: config.Int, Verbs: config.Lint, Doc: "the most statements; 50 by default, 0 allows any number"},
			{Name: "max_lines", Type: config.Int, Verbs: config.Lint, Doc: "the most lines; 75 by default, 0 allows any number"},
		},
	},
	{
		Code: "function-result-limit", Severity: diag.Warning, Upstream: true, URL: rulePage + "function-result-limit",
		Doc: "A function has more results than allowed.\n\n" +
			"The caller has to name each of them.\n\n" +
			"    func f() (a, b, c, d int)\n\n" +
			"Return a struct.",
		Options: []config.Option{
			{Name: "max", Type: config.Int, Verbs: config.Lint, Doc: "the most results; 3 by default"},
		},
	},
	{
		Code: "max-control-nesting", Severity: diag.Warning, Upstream: true, URL: rulePage + "max-control-nesting",
		Doc: "Statements are nested deeper than allowed.\n\n" +
			"Each level is one more condition to keep in mind.\n\n" +
			"    if a { if b { for c { if d { if e { if f {\n\n" +
			"End early, or move the inner part to a function.",
		Options: []config.Option{
			{Name: "max", Type: config.Int, Verbs: config.Lint, Doc: "the deepest nesting; 5 by default"},
		},
	},
	{
		Code: "max-public-structs", Severity: diag.Warning, Upstream: true, URL: rulePage + "max-public-structs",
		Doc: "A file declares more exported structs than allowed.\n\n" +
			"A reader looks for a type by the name of its file.\n\n" +
			"    type A struct{}; type B struct{}\n\n" +
			"Move some to files of their own.",
		Options: []config.Option{
			{Name: "max", Type: config.Int, Verbs: config.Lint, Doc: "the most structs; 5 by default"},
		},
	},
	{
		Code: "nested-structs", Severity: diag.Warning, Upstream: true, URL: rulePage + "nested-structs",
		Doc: "A struct is declared inside of another one.\n\n" +
			"It has no name, so values of it are hard to make.\n\n" +
			"    type A struct { B struct { C int } }\n\n" +
			"Declare it on its own.",
	},
}
