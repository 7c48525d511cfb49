// Package engine defines what a linter or formatter is to poly: data that
// describes it, and one function that binds it to a configuration. Engines
// know files and bytes; they never see git, the cache or the command line.
package engine

import (
	"context"
	"errors"
	"io/fs"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/lang"
	"poly/internal/wasm"
)

// Verb is a set of things an engine can do.
type Verb uint8

// The verbs.
const (
	Lint Verb = 1 << iota
	Format
)

func (v Verb) String() string {
	return [...]string{"", "lint", "fmt", "lint+fmt"}[v&3]
}

// Spec describes an engine without starting it.
type Spec struct {
	Name     string // config key and `engine` field of its diagnostics
	Wrapped  string // version of the wrapped library; "" for our own rules
	Revision int    // raised when our own output may differ
	Licence  string // SPDX id of the wrapped library; "" for our own
	Langs    []lang.ID
	Verbs    Verb
	// Cross: it looks at files of every language, also at those another
	// engine skipped, and never makes a file checked, unless the language has
	// the engine's name: text is what there is to say about text. Langs is empty.
	// Its options stand in [lint.<name>] and may be overridden in [lint.<lang>.<name>].
	Cross bool
	// Generic: a Cross formatter that runs where the language has no formatter.
	Generic bool
	// Embeds: it formats code of other languages by Env.Embedded, so its
	// results depend on every formatter and its options.
	Embeds bool
	// UsesPath: results depend on the path as well as on the bytes.
	UsesPath bool
	// Modules are the Wasm modules it runs. Without all of them the engine is
	// not built in: it is described, and configured, and never bound.
	Modules []Module
	// OptIn: off unless enabled = true.
	OptIn bool
	// Anything: a Cross linter that also looks at text files whose language
	// nobody knows. Such a file is checked, by it alone.
	Anything bool
	// Redacts: what it finds must not be shown, so its diagnostics are kept and
	// printed without the line they are about, those of other engines about the
	// same line too, and without the text that was found.
	Redacts bool
	Options []config.Option // besides select, extend_select, ignore, rules, enabled
	Rules   []Rule
	// Open: there are rules that Rules does not list, because they are read from
	// files. Any code may be named.
	Open bool
	// Granted are codes of the wrapped tool for what every run reports: a file
	// that cannot be read. They may be named, also by prefix, without effect.
	Granted []string
	Doc     string // one sentence, then paragraphs
}

// Rule describes one code an engine may report.
type Rule struct {
	Code     string
	Severity diag.Severity // default
	Default  bool          // reported unless configured otherwise
	Fixable  bool
	// Upstream: the wrapped library finds it and has its own tests of it. A
	// rule of ours has cases in testdata/<engine>/rules/<code>.txtar.
	Upstream bool
	// Doc is Markdown in paragraphs: one line that sums it up, why it matters,
	// an example as an indented block, what to do instead.
	Doc     string
	URL     string          // where the rule comes from; "": it is poly's
	Options []config.Option // parameters under rules.<code>
}

// Engine is a Spec and the function that makes it ready for a configuration.
type Engine struct {
	Spec
	// Bind is called once per (language, config digest, Globals). It opens no module,
	// grammar or process and reads nothing but e. An error is a configuration
	// error and ends the run with exit 2.
	Bind func(ctx context.Context, e Env) (Bound, error)
	// Native returns the file that configures the engine, for files in a folder
	// of the tree, where poly.toml has no table for it; "": none does. nil: poly.toml
	// is not replaced by any.
	Native func(tree fs.FS, dir string) (string, error)
}

// Env is what an engine may know about the run.
type Env struct {
	Lang    lang.ID // "" when a Cross engine is bound for all languages
	Options config.Values
	// Params are the parameters of rules.<code>, by code, with defaults for
	// every rule that has any.
	Params  map[string]config.Values
	Globals Globals
	// Configured: poly.toml has a table for the engine, of either verb.
	Configured bool
	// Rules is the selection in force. An engine may look at it to save work;
	// it need not: the runner leaves out what it does not allow.
	Rules Selection
	// Tree is the tree being judged, read-only. Reads must be declared in Inputs.
	Tree fs.FS
	// RuleSources is the table [rules]: where rules of one's own lie, and which
	// rules are off. It is not part of any key but by Bound.Digest.
	RuleSources config.Rules
	// Once returns what the function returned that was handed over first under
	// the key in this run: what engines for many languages share. nil: nothing
	// is shared.
	Once func(key string, make func() any) any
	// Wasm runs the engine's modules; nil where it has none. Bind may keep it
	// and must not call it.
	Wasm *wasm.Host
	// Embedded formats code of another language with that language's default
	// formatter, e.g. a fenced block. It returns Skip if there is none.
	Embedded func(ctx context.Context, l lang.ID, text []byte) ([]byte, error)
}

// Bound is an engine ready for a configuration.
type Bound struct {
	// Digest stands for the options in force; it joins every key. Empty means
	// the runner's own digest of Options and Globals is enough.
	Digest []byte
	// Covers lists the languages really judged under this configuration; nil
	// means Spec.Langs. A file of a language that no bound engine covers is skipped.
	Covers []lang.ID
	// Inputs are the other files of the tree whose content changes results.
	Inputs Inputs
	// PathClass tells how results depend on the path, for an engine with
	// Spec.UsesPath: equal classes, equal results. It joins the key instead of
	// the path, so keep the classes few. nil: every path is its own class.
	PathClass func(path string) string
	// Looks tells by its path whether a linter looks at a file at all. The
	// inputs do not matter to the others, and an engine that looks at some
	// files only makes none checked: another one has to. nil: at all of them.
	Looks func(path string) bool
	// Open starts a worker that one goroutine uses and closes.
	Open func(context.Context) (Worker, error)
	// Same reports whether two texts mean the same to a reader of the
	// language, judged by other code than the formatter's. nil: no guard. The
	// runner calls it before any changed output is used; a non-nil error is
	// the reason the change is refused, with short excerpts of both texts.
	Same func(before, after []byte) error
	// Settled: what Format returns stays as it is if it is formatted again, as
	// far as the engine can bring that about. The runner need not try.
	Settled bool
}

// Inputs names files that are read besides the source. The blob ids of those
// that exist join the key of every file they may influence.
type Inputs struct {
	// Names are base names looked up in the file's directory and in every
	// directory above it up to the root of the tree: "go.mod", ".editorconfig".
	Names []string
	// Paths are fixed paths from the root, files or directories.
	Paths []string
	// Siblings are patterns as path.Match takes them of base names in the
	// file's own directory: files that are judged together, such as "*.tf".
	// Linters alone get them.
	Siblings []string
}

// Source is one file given to a worker. Text must not be modified or kept.
type Source struct {
	Path string // from the root of the tree
	Lang lang.ID
	Text []byte
	// Exec: the file has the executable bit. Only an engine with
	// Spec.UsesPath may look at it.
	Exec bool
	// Inputs are the files found for Inputs.Names, nearest directory first.
	Inputs []Input
	// Siblings are the files found for Inputs.Siblings, by path, without the
	// source itself. nil when formatting.
	Siblings []Input
	// Verdict: whether Format changes the text is all that is asked. The text
	// returned must pass the guard, but need not be settled.
	Verdict bool
}

// Input is a file of the tree an engine declared as one of its Inputs.
type Input struct {
	Path string
	Text []byte
}

// Worker runs one engine on one goroutine, file after file.
type Worker interface {
	// Lint returns diagnostics with byte offsets. Returning [Skip] declines
	// the file; any other error makes it errored.
	Lint(ctx context.Context, src Source) ([]diag.Diagnostic, error)
	// Format returns the formatted text; src.Text itself if nothing changes.
	Format(ctx context.Context, src Source) ([]byte, error)
	Close() error
}

// Judge is a Worker that tells sooner what [Bound.Same] tells of the text it
// has just formatted. It accepts nothing that a reader of the language would take for another text.
type Judge interface {
	Same(before, after []byte) error
}

// BatchLinter is a Worker that is faster with many files at once. Results are
// in the order of srcs; errs[i] belongs to srcs[i].
type BatchLinter interface {
	LintBatch(ctx context.Context, srcs []Source) (diags [][]diag.Diagnostic, errs []error)
}

// SkipError declines a file: a decision, not a failure.
type SkipError struct{ Reason string }

func (e *SkipError) Error() string { return e.Reason }

// Skip returns an error that declines a file for a reason, such as "Helm template".
func Skip(reason string) error { return &SkipError{reason} }

// SkipReason returns the reason if err is, or wraps, a Skip.
func SkipReason(err error) (reason string, ok bool) {
	if s, ok := errors.AsType[*SkipError](err); ok {
		return s.Reason, true
	}
	return "", false
}

// Funcs makes a Worker of functions without state. A nil function does nothing.
type Funcs struct {
	LintFunc   func(ctx context.Context, src Source) ([]diag.Diagnostic, error)
	FormatFunc func(ctx context.Context, src Source) ([]byte, error)
}

// Lint calls LintFunc.
func (f Funcs) Lint(ctx context.Context, src Source) ([]diag.Diagnostic, error) {
	if f.LintFunc == nil {
		return nil, ctx.Err()
	}
	return f.LintFunc(ctx, src)
}

// Format calls FormatFunc.
func (f Funcs) Format(ctx context.Context, src Source) ([]byte, error) {
	if f.FormatFunc == nil {
		return src.Text, ctx.Err()
	}
	return f.FormatFunc(ctx, src)
}

// Close does nothing.
func (f Funcs) Close() error { return nil }

// Stateless is an Open that hands out f.
func Stateless(f Funcs) func(context.Context) (Worker, error) {
	return func(context.Context) (Worker, error) { return f, nil }
}
