package revive

import (
	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
)

// styleRules are those about names, comments and layout.
var styleRules = []engine.Rule{
	{
		Code: "blank-imports", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "blank-imports",
		Doc: "A blank import outside of main and tests has no comment.\n\n" +
			"An import for its side effects surprises the reader of a library: nothing shows why it is there.\n\n" +
			"    import _ \"image/png\"\n\n" +
			"Say why in a comment beside it, or move it to package main.",
	},
	{
		Code: "bool-literal-in-expr", Severity: diag.Warning, Upstream: true, URL: rulePage + "bool-literal-in-expr",
		Doc: "A boolean is compared or combined with true or false.\n\n" +
			"The literal says nothing that the expression does not say already.\n\n" +
			"    if ready == true {\n\n" +
			"Use the expression itself, or its negation.",
	},
	{
		Code: "comment-spacings", Severity: diag.Warning, Upstream: true, URL: rulePage + "comment-spacings",
		Doc: "No blank between // and the text of a comment.\n\n" +
			"Comments without it look like directives, and read badly.\n\n" +
			"    //open the file\n\n" +
			"Write a blank; name the directives of your own tools in `allow`.",
		Options: []config.Option{
			{Name: "allow", Type: config.Strings, Verbs: config.Lint, Doc: "prefixes that may follow // directly, such as \"mypragma:\""},
		},
	},
	{
		Code: "confusing-naming", Severity: diag.Warning, URL: rulePage + "confusing-naming",
		Doc: "Two names of one file differ in their letters' case only.\n\n" +
			"They are told apart by a single letter, and only by one who looks twice.\n\n" +
			"    func (s *Set) Add()\n    func (s *Set) add()\n\n" +
			"Rename one of them after what it does differently.",
	},
	{
		Code: "confusing-results", Severity: diag.Warning, Upstream: true, URL: rulePage + "confusing-results",
		Doc: "Several results of one type have no names.\n\n" +
			"The caller cannot tell which is which, and the compiler takes them in any order.\n\n" +
			"    func position() (float32, float32)\n\n" +
			"Name the results.",
	},
	{
		Code: "context-as-argument", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "context-as-argument",
		Doc: "A context.Context is not the first parameter.\n\n" +
			"Everybody looks for the context at the front; elsewhere it is overlooked.\n\n" +
			"    func load(name string, ctx context.Context) error\n\n" +
			"Move it to the front.",
		Options: []config.Option{
			{Name: "allow_types_before", Type: config.String, Verbs: config.Lint, Doc: "types that may stand before it, separated by commas"},
		},
	},
	{
		Code: "dot-imports", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "dot-imports",
		Doc: "A package is imported with a dot.\n\n" +
			"Its names look like those of the package itself, and a new one may collide.\n\n" +
			"    import . \"fmt\"\n\n" +
			"Import it by its name.",
		Options: []config.Option{
			{Name: "allowed_packages", Type: config.Strings, Verbs: config.Lint, Doc: "packages that may be imported so"},
		},
	},
	{
		Code: "duplicated-imports", Severity: diag.Warning, Upstream: true, URL: rulePage + "duplicated-imports",
		Doc: "A package is imported twice.\n\n" +
			"Two names for one package make the reader look for a difference.\n\n" +
			"    import (\n        \"fmt\"\n        f \"fmt\"\n    )\n\n" +
			"Keep one of the imports.",
	},
	{
		Code: "early-return", Severity: diag.Warning, Upstream: true, URL: rulePage + "early-return",
		Doc: "A branch could be turned round to end early.\n\n" +
			"The main path is indented although the other one ends it.\n\n" +
			"    if ok { work() } else { return err }\n\n" +
			"Test for the other case, return, and go on without else.",
		Options: []config.Option{
			{Name: "flags", Type: config.Strings, Verbs: config.Lint, Enum: []string{"preserve-scope", "allow-jump"}, Doc: "preserve-scope: not where a variable would live longer; allow-jump: also with break, continue and goto"},
		},
	},
	{
		Code: "empty-lines", Severity: diag.Warning, Upstream: true, URL: rulePage + "empty-lines",
		Doc: "A block starts or ends with an empty line.\n\n" +
			"The line separates nothing.\n\n" +
			"    {\n\n        f()\n    }\n\n" +
			"Remove it.",
	},
	{
		Code: "enforce-map-style", Severity: diag.Warning, Upstream: true, URL: rulePage + "enforce-map-style",
		Doc: "An empty map is made in another style than the chosen one.\n\n" +
			"Two ways to write one thing make readers look for a difference.\n\n" +
			"    m := make(map[string]int)\n\n" +
			"Use the style of `style`.",
		Options: []config.Option{
			{Name: "style", Type: config.String, Verbs: config.Lint, Enum: []string{"any", "make", "literal"}, Doc: "any (the default), make or literal"},
		},
	},
	{
		Code: "enforce-repeated-arg-type-style", Severity: diag.Warning, Upstream: true, URL: rulePage + "enforce-repeated-arg-type-style",
		Doc: "Parameters of one type are written in another style than the chosen one.\n\n" +
			"One style makes signatures comparable at a glance.\n\n" +
			"    func f(a int, b int)\n\n" +
			"Use the style of the options: `short` writes `a, b int`.",
		Options: []config.Option{
			{Name: "func_arg_style", Type: config.String, Verbs: config.Lint, Enum: []string{"any", "short", "full"}, Doc: "for parameters: any (the default), short or full"},
			{Name: "func_ret_val_style", Type: config.String, Verbs: config.Lint, Enum: []string{"any", "short", "full"}, Doc: "for results: any (the default), short or full"},
		},
	},
	{
		Code: "enforce-slice-style", Severity: diag.Warning, Upstream: true, URL: rulePage + "enforce-slice-style",
		Doc: "An empty slice is made in another style than the chosen one.\n\n" +
			"Two ways to write one thing make readers look for a difference.\n\n" +
			"    s := make([]int, 0)\n\n" +
			"Use the style of `style`.",
		Options: []config.Option{
			{Name: "style", Type: config.String, Verbs: config.Lint, Enum: []string{"any", "make", "literal", "nil"}, Doc: "any (the default), make, literal or nil"},
		},
	},
	{
		Code: "enforce-switch-style", Severity: diag.Warning, Upstream: true, URL: rulePage + "enforce-switch-style",
		Doc: "A switch has no default clause, or not at its end.\n\n" +
			"A reader looks for what happens otherwise at the end.\n\n" +
			"    switch a {\n    default:\n    case 1:\n    }\n\n" +
			"Write the default clause last.",
		Options: []config.Option{
			{Name: "flags", Type: config.Strings, Verbs: config.Lint, Enum: []string{"allow-no-default", "allow-default-not-last"}, Doc: "allow-no-default, allow-default-not-last"},
		},
	},
	{
		Code: "error-naming", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "error-naming",
		Doc: "An error variable is not named err... or Err....\n\n" +
			"The prefix is how readers find the errors that a package may return.\n\n" +
			"    var notFound = errors.New(\"not found\")\n\n" +
			"Call it `errNotFound` or `ErrNotFound`.",
	},
	{
		Code: "error-return", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "error-return",
		Doc: "An error is not the last result.\n\n" +
			"Everybody looks for the error at the end.\n\n" +
			"    func load() (error, []byte)\n\n" +
			"Move it to the end.",
	},
	{
		Code: "error-strings", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "error-strings",
		Doc: "The text of an error begins with a capital or ends with punctuation.\n\n" +
			"Texts of errors are joined to others, where both stand in the middle of a sentence.\n\n" +
			"    errors.New(\"Cannot read file.\")\n\n" +
			"Write `cannot read file`.",
		Options: []config.Option{
			{Name: "functions", Type: config.Strings, Verbs: config.Lint, Doc: "further functions that make errors, such as \"xerrors.Errorf\""},
		},
	},
	{
		Code: "errorf", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "errorf",
		Doc: "An error or a failure is made with fmt.Sprintf inside.\n\n" +
			"There is a function that formats and does the rest at once.\n\n" +
			"    errors.New(fmt.Sprintf(\"no %s\", name))\n\n" +
			"Use `fmt.Errorf`, or `t.Errorf` in tests.",
	},
	{
		Code: "exported", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "exported",
		Doc: "An exported name has no comment, or one of another form.\n\n" +
			"The comment is its documentation, and it is found by the name it begins with.\n\n" +
			"    func Open() {}\n\n" +
			"Write `// Open ...` above it, or do not export it. The receivers Len, Less and Swap of sorting need none if all stand in one file.",
		Options: []config.Option{
			{Name: "flags", Type: config.Strings, Verbs: config.Lint, Enum: []string{"check-private-receivers", "disable-stuttering-check", "say-repetitive-instead-of-stutters", "check-public-interface", "disable-checks-on-constants", "disable-checks-on-functions", "disable-checks-on-methods", "disable-checks-on-types", "disable-checks-on-variables"}, Doc: "what to check more or less"},
		},
	},
	{
		Code: "file-header", Severity: diag.Warning, Upstream: true, URL: rulePage + "file-header",
		Doc: "A file does not begin with the agreed header.\n\n" +
			"A licence must stand in each file where it is asked for.\n\n" +
			"    package main\n\n" +
			"Begin the file with the text of `header`.",
		Options: []config.Option{
			{Name: "header", Type: config.String, Verbs: config.Lint, Doc: "a regular expression for the comment at the top"},
		},
	},
	{
		Code: "filename-format", Severity: diag.Warning, Upstream: true, URL: rulePage + "filename-format",
		Doc: "The name of a file has another form than the agreed one.\n\n" +
			"Names of one form can be listed, sorted and found.\n\n" +
			"    my file.go\n\n" +
			"Rename the file.",
		Options: []config.Option{
			{Name: "format", Type: config.String, Verbs: config.Lint, Doc: "a regular expression for names; the default allows letters, digits, - and _"},
		},
	},
	{
		Code: "get-return", Severity: diag.Warning, Upstream: true, URL: rulePage + "get-return",
		Doc: "A getter returns nothing.\n\n" +
			"A name that begins with Get promises a value.\n\n" +
			"    func GetName() {}\n\n" +
			"Return the value, or change the name.",
	},
	{
		Code: "import-alias-naming", Severity: diag.Warning, Upstream: true, URL: rulePage + "import-alias-naming",
		Doc: "An import has an alias of another form than the agreed one.\n\n" +
			"The alias is the package's name in this file, and follows the same rules.\n\n" +
			"    import fooBar \"example.com/foo/bar\"\n\n" +
			"Use lower-case letters and digits.",
		Options: []config.Option{
			{Name: "allow_regex", Type: config.String, Verbs: config.Lint, Doc: "what aliases look like; `^[a-z][a-z0-9]{0,}$` by default"},
			{Name: "deny_regex", Type: config.String, Verbs: config.Lint, Doc: "what they do not look like"},
		},
	},
	{
		Code: "import-shadowing", Severity: diag.Warning, Upstream: true, URL: rulePage + "import-shadowing",
		Doc: "A name hides an imported package.\n\n" +
			"Behind it the package cannot be used, and a reader takes one for the other.\n\n" +
			"    import \"path\"\n    path := \"a\"\n\n" +
			"Choose another name.",
	},
	{
		Code: "imports-blocklist", Severity: diag.Warning, Upstream: true, URL: rulePage + "imports-blocklist",
		Doc: "A package is imported that is not to be used.\n\n" +
			"A project may forbid what it has a replacement for.\n\n" +
			"    import \"crypto/md5\"\n\n" +
			"Use the replacement.",
		Options: []config.Option{
			{Name: "packages", Type: config.Strings, Verbs: config.Lint, Doc: "paths of packages; ** stands for anything"},
		},
	},
	{
		Code: "increment-decrement", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "increment-decrement",
		Doc: "A number is raised or lowered by one with += or -=.\n\n" +
			"The language has statements for it.\n\n" +
			"    i += 1\n\n" +
			"Write `i++` or `i--`.",
	},
	{
		Code: "indent-error-flow", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "indent-error-flow",
		Doc: "An else follows a block that ends with a return.\n\n" +
			"The main path is indented without need.\n\n" +
			"    if err != nil {\n        return err\n    } else {\n        work()\n    }\n\n" +
			"Drop the else and move its block out.",
		Options: []config.Option{
			{Name: "flags", Type: config.Strings, Verbs: config.Lint, Enum: []string{"preserve-scope"}, Doc: "preserve-scope: not where a variable would live longer"},
		},
	},
	{
		Code: "line-length-limit", Severity: diag.Warning, Upstream: true, URL: rulePage + "line-length-limit",
		Doc: "A line is longer than allowed.\n\n" +
			"Long lines are cut off beside each other and hard to follow.\n\n" +
			"    var a = \"... 81 characters\"\n\n" +
			"Break the line.",
		Options: []config.Option{
			{Name: "max", Type: config.Int, Verbs: config.Lint, Doc: "the most characters of a line; 80 by default"},
		},
	},
	{
		Code: "package-comments", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "package-comments",
		Doc: "A package comment has another form, or a blank line detaches it.\n\n" +
			"It is the front page of the documentation, and is found by its first words. That a package has none at all cannot be told from one file and is not reported.\n\n" +
			"    // This package opens files.\n    package files\n\n" +
			"Begin it with `Package files`, directly above the package clause.",
	},
	{
		Code: "package-directory-mismatch", Severity: diag.Warning, URL: rulePage + "package-directory-mismatch",
		Doc: "A package has another name than its directory.\n\n" +
			"Whoever imports it guesses the name from the path.\n\n" +
			"    package foo // in the directory bar\n\n" +
			"Rename one of them.",
		Options: []config.Option{
			{Name: "ignore_directories", Type: config.Strings, Verbs: config.Lint, Doc: "parts of paths that are not looked at; testdata by default"},
		},
	},
	{
		Code: "package-naming", Severity: diag.Warning, Upstream: true, URL: rulePage + "package-naming",
		Doc: "The name of a package says little or has an odd form.\n\n" +
			"It stands in front of every use. Each file of the package is told.\n\n" +
			"    package utils\n\n" +
			"Name it after what it offers, in lower-case letters.",
		Options: []config.Option{
			{Name: "skip_convention_name_check", Type: config.Bool, Verbs: config.Lint, Doc: "allow underscores and capitals"},
			{Name: "convention_name_check_regex", Type: config.String, Verbs: config.Lint, Doc: "what names look like"},
			{Name: "skip_top_level_check", Type: config.Bool, Verbs: config.Lint, Doc: "allow pkg and the like"},
			{Name: "skip_default_bad_name_check", Type: config.Bool, Verbs: config.Lint, Doc: "allow common, util and the like"},
			{Name: "check_extra_bad_name", Type: config.Bool, Verbs: config.Lint, Doc: "refuse helpers, models and the like too"},
			{Name: "user_defined_bad_names", Type: config.Strings, Verbs: config.Lint, Doc: "further names to refuse"},
			{Name: "skip_collision_with_common_std", Type: config.Bool, Verbs: config.Lint, Doc: "allow names of the standard library"},
		},
	},
	{
		Code: "range", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "range",
		Doc: "A range loop has a blank value that may be left out.\n\n" +
			"`for i, _ := range` says no more than `for i := range`.\n\n" +
			"    for i, _ := range list {\n\n" +
			"Leave the blank out.",
	},
	{
		Code: "receiver-naming", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "receiver-naming",
		Doc: "A receiver is called this, self or _, or not as in other methods.\n\n" +
			"The name of the receiver is that of a parameter: short, and the same in all methods of a type.\n\n" +
			"    func (this *Set) Add() {}\n\n" +
			"Use one or two letters of the type's name, the same everywhere.",
		Options: []config.Option{
			{Name: "max_length", Type: config.Int, Verbs: config.Lint, Doc: "the most letters of the name; no limit by default"},
		},
	},
	{
		Code: "redundant-import-alias", Severity: diag.Warning, Upstream: true, URL: rulePage + "redundant-import-alias",
		Doc: "An alias is the name that the package has anyway.\n\n" +
			"It says nothing.\n\n" +
			"    import fmt \"fmt\"\n\n" +
			"Leave the alias out.",
	},
	{
		Code: "string-format", Severity: diag.Warning, Upstream: true, URL: rulePage + "string-format",
		Doc: "A literal given to a function does not look as agreed.\n\n" +
			"Texts that people read follow rules of the project.\n\n" +
			"    core.WriteError(\"Failed.\")\n\n" +
			"Write the text as the rule says; rules are set in revive.toml.",
	},
	{
		Code: "struct-tag", Severity: diag.Warning, Upstream: true, URL: rulePage + "struct-tag",
		Doc: "A struct tag is malformed or contradicts the type of its field.\n\n" +
			"The encoder ignores what it does not understand, or fails when the program runs.\n\n" +
			"    A int `json:\"a,omitemtpy\"`\n\n" +
			"Mend the tag.",
		Options: []config.Option{
			{Name: "options", Type: config.Strings, Verbs: config.Lint, Doc: "further options by tag, such as \"json,inline\"; \"!yaml\" leaves a tag out"},
		},
	},
	{
		Code: "time-naming", Severity: diag.Warning, Default: true, URL: rulePage + "time-naming",
		Doc: "A variable of type time.Duration is named after a unit.\n\n" +
			"A duration has its unit inside: the name makes the reader multiply once more.\n\n" +
			"    var delaySecs = 5 * time.Second\n\n" +
			"Leave the unit out of the name.",
	},
	{
		Code: "unexported-naming", Severity: diag.Warning, Upstream: true, URL: rulePage + "unexported-naming",
		Doc: "A name that is not exported begins with a capital.\n\n" +
			"A capital promises that others may use it; inside a function nobody can.\n\n" +
			"    func f(Name string) {}\n\n" +
			"Begin it with a small letter.",
	},
	{
		Code: "unexported-return", Severity: diag.Warning, Default: true, URL: rulePage + "unexported-return",
		Doc: "An exported function returns a type that is not exported.\n\n" +
			"Its callers can keep the value but cannot name its type, and its documentation is not shown.\n\n" +
			"    func New() *client\n\n" +
			"Export the type, or return an interface.",
	},
	{
		Code: "var-naming", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "var-naming",
		Doc: "A name has underscores, or an initialism in mixed case.\n\n" +
			"Go writes MixedCaps, and ID, HTTP and URL in one case.\n\n" +
			"    var userId, max_size int\n\n" +
			"Write `userID` and `maxSize`.",
		Options: []config.Option{
			{Name: "allow", Type: config.Strings, Verbs: config.Lint, Doc: "initialisms that need not be in capitals, such as ID"},
			{Name: "block", Type: config.Strings, Verbs: config.Lint, Doc: "further initialisms, such as VM"},
			{Name: "skip_initialism_name_checks", Type: config.Bool, Verbs: config.Lint, Doc: "leave all initialisms alone"},
			{Name: "upper_case_const", Type: config.Bool, Verbs: config.Lint, Doc: "allow UPPER_CASE for constants"},
		},
	},
}
