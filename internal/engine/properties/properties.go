// Package properties checks Java property files as java.util.Properties reads
// them: escapes it refuses, keys that are set twice, an end in the middle of a line.
package properties

import (
	"context"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const (
	engineName    = "properties"
	codeSyntax    = "syntax"
	codeDuplicate = "duplicate-key"
	codeEnd       = "continuation-at-end"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name: engineName, Revision: 1, Langs: []lang.ID{"properties"}, Verbs: engine.Lint,
		Rules: []engine.Rule{
			{
				Code: codeSyntax, Severity: diag.Error, Default: true,
				Doc: "A \\u is not followed by four hexadecimal digits.\n\n" +
					"java.util.Properties throws an exception there and loads none of the rest of the file.\n\n" +
					"    dir=C:\\users\\me\n\n" +
					"Double the backslash if it is meant as one, or write all four digits.",
				URL: "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Properties.html#load(java.io.Reader)",
			},
			{
				Code: codeDuplicate, Severity: diag.Warning, Default: true,
				Doc: "A key is set twice.\n\n" +
					"The last value wins silently, so an edit of the first one has no effect.\n\n" +
					"    timeout=10\n    timeout=30\n\n" +
					"Keep one of the lines. Keys are compared as Java reads them: `a\\ b` and `a\\u0020b` are one.",
			},
			{
				Code: codeEnd, Severity: diag.Warning, Default: true,
				Doc: "The file ends with a backslash that continues its last line.\n\n" +
					"There is nothing to continue with: either a line is missing, or whatever is appended to the file joins the value.\n\n" +
					"    hosts=a,\\\n\n" +
					"Delete the backslash, or add the missing line.",
			},
		},
		Doc: "Checks Java property files: malformed Unicode escapes, duplicate keys, a continuation at the end of the file.",
	},
	Bind: func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{Open: engine.Stateless(engine.Funcs{LintFunc: lint})}, nil
	},
}
