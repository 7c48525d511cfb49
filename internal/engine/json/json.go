// Package json finds faults in JSON, JSON with comments and JSON5: what does
// not parse, and names written twice in one object. It works on the tokens as
// written and never converts a number or a string.
package json

import (
	"context"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const name = "json"

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Revision: 3,
		Langs:    []lang.ID{lang.JSON, lang.JSONC, lang.JSON5},
		Verbs:    engine.Lint,
		UsesPath: true,
		Rules: []engine.Rule{
			{Code: codeSyntax, Severity: diag.Error, Default: true, Doc: docSyntax},
			{Code: codeComment, Severity: diag.Error, Default: true, Doc: docComment},
			{Code: codeTrailing, Severity: diag.Error, Default: true, Fixable: true, Doc: docTrailing},
			{Code: codeDuplicate, Severity: diag.Error, Default: true, Doc: docDuplicate},
			{Code: codeBOM, Severity: diag.Hint, Default: true, Doc: docBOM},
		},
		Doc: `Reports what does not parse as JSON (RFC 8259), JSON with comments or JSON5, and duplicate names.

The language follows from the file's name: comments and trailing commas are allowed in .jsonc files and in those files that
are known to be read with comments, such as tsconfig.json; .json5 files follow JSON5 1.0. A file with one value a line (.jsonl,
.ndjson) is another language. Only the first syntax error of a
file is reported, since what follows it can only be guessed.`,
	},
	Bind: func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{PathClass: pathClass, Open: engine.Stateless(engine.Funcs{LintFunc: lint})}, nil
	},
}

// pathClass: only whether a file may be empty depends on its path.
func pathClass(path string) string {
	if mayBeEmpty(path) {
		return "empty"
	}
	return ""
}

const docSyntax = "The text is not JSON.\n\n" +
	"A reader refuses the whole file. Only the first error is reported.\n\n" +
	"    {\"a\": }\n\nWrite the value, comma or bracket that is missing."

const docComment = "A comment in a file that is plain JSON.\n\n" +
	"Comments are no part of RFC 8259 and most readers refuse them. Only the first one is reported.\n\n" +
	"    {\"a\": 1} // why\n\nRemove it, or name the file `.jsonc` if what reads it allows comments."

const docTrailing = "A comma before a closing bracket in plain JSON.\n\n" +
	"RFC 8259 has commas between values only.\n\n" +
	"    [1, 2,]\n\n`poly lint --fix` removes it."

const docDuplicate = "A name that is in its object already.\n\n" +
	"Readers keep the first value, the last one, or refuse the file, so one of the two lines does nothing. Names are compared\n" +
	"after their escapes are read. The name `//`, which npm keeps free for remarks, may be repeated.\n\n" +
	"    {\"a\": 1, \"a\": 2}\n\nDelete one of them."

const docBOM = "A byte order mark before the text.\n\n" +
	"RFC 8259 says that it must not be written, though readers may ignore it.\n\n" +
	"    printf '\\xef\\xbb\\xbf{}\\n' > a.json\n\n" +
	"Save the file as UTF-8 without a mark."
