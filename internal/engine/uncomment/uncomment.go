// Package uncomment finds comments that may go: by default those that hold code
// which somebody put out of use. It reads the syntax tree, so what looks like a
// comment in a string is none, and it offers a fix only if the tree without its
// comments stays the same.
package uncomment

import (
	"bytes"
	"context"
	"errors"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/syntax"
)

const engineName = "uncomment"

// The rules.
const (
	codeComment = "comment"
	codeDoc     = "doc-comment"
)

// Keys of [lint.uncomment].
const (
	keyTodos    = "remove_todos"
	keyFixme    = "remove_fixme"
	keyDocs     = "remove_docs"
	keyDefaults = "use_default_ignores"
	keyCode     = "code_only"
	keyPatterns = "preserve_patterns"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name: engineName, Revision: 1, Verbs: engine.Lint, Cross: true, OptIn: true,
		Options: []config.Option{
			{Name: keyTodos, Type: config.Bool, Default: false, Doc: "also comments that say TODO"},
			{Name: keyFixme, Type: config.Bool, Default: false, Doc: "also comments that say FIXME, XXX or HACK"},
			{Name: keyDocs, Type: config.Bool, Default: false, Doc: "also comments that document a declaration"},
			{Name: keyDefaults, Type: config.Bool, Default: true, Doc: "keep licences, and remarks to linters, formatters and editors"},
			{Name: keyCode, Type: config.Bool, Default: true, Doc: "only comments that are code put out of use, whatever else is set"},
			{Name: keyPatterns, Type: config.Strings, Accumulate: true, Doc: "texts; a comment that holds one of them is kept"},
		},
		Rules: []engine.Rule{{
			Code: codeComment, Severity: diag.Hint, Default: true, Fixable: true,
			Doc: "A comment may go.\n\n" +
				"By default that is code which was put out of use. Nobody compiles or tests it, and the history has it still. " +
				"A block of comments counts as a whole: each line of it must be code, and the grammar must read it without an error. " +
				"Prose with code in it, and what stands behind code in the same line, is left alone. With code_only = false it is any comment.\n\n" +
				"    // total := sum(items)\n    // report(total)\n\n" +
				"Delete it, as the fix does, or use the code again. preserve_patterns names what is to be kept.",
		}, {
			Code: codeDoc, Severity: diag.Hint, Default: true, Fixable: true,
			Doc: "A comment that documents a declaration may go.\n\n" +
				"It is reported with remove_docs = true only, and with code_only = false unless it is nothing but code: for a tree whose " +
				"documentation lives elsewhere.\n\n" +
				"    /** Returns the sum. */\n    int sum(int[] items)\n\n" +
				"Delete it, as the fix does. Docstrings of Python are strings, and stay.",
		}},
		Doc: "Finds comments that may go, first of all code that was put out of use.\n\n" +
			"It is off unless `[lint.uncomment] enabled = true`. It looks at Bash, C, C++, C#, CSS, Dart, Dockerfiles, Elixir, Go, HCL, Haskell, Java, " +
			"JavaScript, Kotlin, Lua, Nix, PHP, Python, Ruby, Rust, Scala, Solidity, SQL, Swift, TOML, TypeScript, YAML and Zig, each with JSX and TSX. What compilers, " +
			"interpreters, build tools and poly read in comments is always kept: first lines with #!, encodings, build constraints, pragmas, " +
			"marks of generated code, suppressions. So are the whole block such a comment stands in, and comments in braces of JSX. A file that the grammar " +
			"cannot read without an error is left alone, and so is a comment without which the tree would be another.",
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	o := options{
		todos: e.Options.Bool(keyTodos), fixme: e.Options.Bool(keyFixme), docs: e.Options.Bool(keyDocs),
		defaults: e.Options.Bool(keyDefaults), code: e.Options.Bool(keyCode), patterns: e.Options.Strings(keyPatterns),
	}
	return engine.Bound{Open: func(context.Context) (engine.Worker, error) { return &worker{options: o}, nil }}, nil
}

// options are those of [lint.uncomment].
type options struct {
	todos, fixme, docs, defaults, code bool
	patterns                           []string
}

type worker struct {
	options
	parser  syntax.Parser
	snippet syntax.Parser // of what stands in comments, and of results
}

// Format does nothing.
func (w *worker) Format(ctx context.Context, src engine.Source) ([]byte, error) {
	return src.Text, ctx.Err()
}

// Close frees the parsers.
func (w *worker) Close() error {
	w.parser.Close()
	w.snippet.Close()
	return nil
}

// Lint reports the comments that may go.
func (w *worker) Lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d := dialectOf(src.Lang)
	if d == nil || bytes.IndexByte(src.Text, 0) >= 0 {
		return nil, nil
	}
	l, ok := syntax.ByName(d.grammar)
	if !ok {
		return nil, engine.Skip("no grammar of " + d.grammar)
	}
	tree, err := w.parser.Parse(l, src.Text)
	switch {
	case errors.Is(err, syntax.ErrNotBuilt):
		return nil, engine.Skip("its grammar is not built in: run make engines")
	case err != nil:
		return nil, engine.Skip(err.Error())
	case tree.Nodes[0].Is(syntax.HasError):
		return nil, engine.Skip("its syntax is not understood")
	}
	f := &file{dialect: d, tree: tree, text: src.Text}
	f.find()
	var out []diag.Diagnostic
	for _, b := range f.blocks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if w.goes(f, b) {
			out = append(out, w.report(b)...)
		}
	}
	return w.settle(ctx, f, out)
}

// goes reports whether the comments of a block may go.
func (w *worker) goes(f *file, b block) bool {
	for _, c := range b {
		if c.doc && !w.docs || c.cut == nil || w.keeps(f, c) {
			return false
		}
	}
	return !w.code || w.isCode(f, b)
}

// report makes the diagnostics of a block: one if it is code, which makes sense
// as a whole, else one for each comment.
func (w *worker) report(b block) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, c := range b {
		if n := len(out); w.code && n > 0 {
			out[n-1].Span.End = c.end
			if last := &out[n-1].Fix[len(out[n-1].Fix)-1]; last.End == c.cut.Start {
				last.End = c.cut.End
			} else {
				out[n-1].Fix = append(out[n-1].Fix, *c.cut)
			}
			continue
		}
		d := diag.Diagnostic{
			Engine: engineName, Code: codeComment, Severity: diag.Hint, Title: "This comment may go",
			Span: &diag.Span{Start: c.start, End: c.end}, Fix: []diag.Edit{*c.cut},
		}
		if w.code {
			d.Title = "This code is out of use"
		}
		if c.doc {
			d.Code, d.Title = codeDoc, "This comment of a declaration may go"
		}
		out = append(out, d)
	}
	return out
}
