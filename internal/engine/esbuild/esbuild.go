// Package esbuild finds what does not parse in JavaScript, TypeScript, JSX and
// CSS, and what esbuild warns of. One file is looked at, as esbuild's transform
// call does: nothing is resolved, bundled or read from disk.
package esbuild

import (
	"context"
	"path"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const (
	name       = "esbuild"
	codeSyntax = "syntax"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "0.28.2",
		Revision: 2,
		Licence:  "MIT",
		Langs:    []lang.ID{"javascript", "jsx", lang.TypeScript, "tsx", "css"},
		Verbs:    engine.Lint,
		UsesPath: true,
		Rules:    append(append([]engine.Rule{ruleSyntax}, jsRules...), cssRules...),
		Doc: `Reports syntax errors and esbuild's warnings in JavaScript, TypeScript, JSX and CSS.

Each file is judged alone, as by esbuild's transform call: no tsconfig.json or package.json is read. JSX is allowed in .js
files, and decorators of both kinds in TypeScript. JavaScript with the types of Flow or TypeScript is skipped, and so are
scripts of hosts with a syntax of their own (QML libraries, Adobe's #include, preprocessed files) and the style sheets of
PostCSS (.pcss, .postcss), whose syntax its plugins make. A syntax error in CSS is the warning css-syntax-error, since
browsers go on behind it. @layer without a semicolon at the end of a block, which esbuild warns of by mistake, and the star
hacks for old browsers are not reported.`,
	},
	Bind: func(_ context.Context, e engine.Env) (engine.Bound, error) {
		l := linter{lang: e.Lang}
		return engine.Bound{PathClass: pathClass, Open: engine.Stateless(engine.Funcs{LintFunc: l.lint})}, nil
	},
}

var ruleSyntax = engine.Rule{
	Code: codeSyntax, Severity: diag.Error, Default: true, Upstream: true,
	Doc: "The file does not parse.\n\n" +
		"No engine and no bundler will load it. The newest standard is read, with JSX, decorators and the types of TypeScript where\n" +
		"the language has them.\n\n" +
		"    const a = [1, 2;\n\n" +
		"Mend the first error of a file first; later ones may follow from it.",
	URL: "https://esbuild.github.io/content-types/#javascript",
}

// declares is the class of files of TypeScript that declare what is elsewhere.
const declares = ".d.ts"

// pathClass is the extension where it says that a style sheet is none of CSS,
// or that a file of TypeScript only declares.
func pathClass(p string) string {
	switch ext := strings.ToLower(path.Ext(p)); ext {
	case ".pcss", ".postcss", ".wxss":
		return ext
	case ".ts", ".mts", ".cts":
		if strings.Contains(strings.ToLower(path.Base(p)), ".d.") {
			return declares
		}
	}
	return ""
}
