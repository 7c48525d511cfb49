// Package dotenv checks files of environment variables under the names of
// dotenv-linter's checks. It reads lines as that tool does and expands nothing.
package dotenv

import (
	"bytes"
	"context"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const engineName = "dotenv"

// Codes of the rules, in the order of [rules].
const (
	codeDuplicate  = "duplicated-key"
	codeEnding     = "ending-blank-line"
	codeExtra      = "extra-blank-line"
	codeDelimiter  = "incorrect-delimiter"
	codeNoValue    = "key-without-value"
	codeLeading    = "leading-character"
	codeLower      = "lowercase-key"
	codeQuotes     = "quote-character"
	codeSpace      = "space-character"
	codeSubst      = "substitution-key"
	codeTrailing   = "trailing-whitespace"
	codeUnordered  = "unordered-key"
	codeUnquoted   = "value-without-quotes"
	upstreamChecks = "https://dotenv-linter.github.io/#/checks/"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name: engineName, Revision: 1, Langs: []lang.ID{"dotenv"}, Verbs: engine.Lint, Rules: rules,
		Doc: "Checks .env files: duplicates, malformed keys, blanks and quotes.\n\n" +
			"The rules carry the names of dotenv-linter's checks, in small letters with dashes. A value in quotes may span lines. " +
			"Comments `# dotenv-linter:off DuplicatedKey, LowercaseKey` and `# dotenv-linter:on ...` switch checks from there on.",
	},
	Bind: func(_ context.Context, e engine.Env) (engine.Bound, error) {
		ordered := e.Rules.Allows(codeUnordered)
		return engine.Bound{Open: engine.Stateless(engine.Funcs{LintFunc: func(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
			return lint(ctx, src, ordered)
		}})}, nil
	},
}

// lint checks a file. ordered: the order of its keys matters.
func lint(ctx context.Context, src engine.Source, ordered bool) ([]diag.Diagnostic, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if uboot(src.Text) {
		return nil, engine.Skip("U-Boot environment")
	}
	c := checker{text: src.Text, ordered: ordered}
	entries := split(src.Text)
	for i := range entries {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.entry(&entries[i])
	}
	return c.diags, ctx.Err()
}

// uboot reports whether a text is an environment of the U-Boot boot loader:
// its comments are those of C, for it goes through the C preprocessor, and a
// value may stand in indented lines below its key.
func uboot(text []byte) bool {
	bare := false // the line before was a key and an equal sign
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("/*")) || bytes.HasPrefix(line, []byte("#include <")) ||
			bytes.HasPrefix(line, []byte("#ifdef CONFIG_")) || bytes.HasPrefix(line, []byte("#if CONFIG_")) {
			return true
		}
		body := bytes.TrimSpace(line)
		if bare && len(body) > 0 && (line[0] == ' ' || line[0] == '\t') && body[0] != '#' {
			return true
		}
		bare = bytes.HasSuffix(body, []byte("=")) && body[0] != '#'
	}
	return false
}
