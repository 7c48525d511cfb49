// Package dprint formats with the plugins of dprint, each a Wasm module that
// is built in.
package dprint

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"unicode/utf8"

	"poly/internal/engine"
	"poly/internal/guard"
	"poly/internal/guard/markdown"
	"poly/internal/lang"
	"poly/internal/wasm"
	"poly/internal/wasm/dprint"
)

//go:generate go run poly/internal/gen/dprint

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     "dprint",
		Wrapped:  "dockerfile 0.6.0, json 0.24.0, markdown 0.28.1, toml 0.8.0, typescript 0.96.1",
		Revision: 3,
		Licence:  "MIT",
		Langs:    []lang.ID{lang.JSON, lang.JSONC, javaScript, jsx, lang.TypeScript, tsx, lang.TOML, lang.Markdown, lang.Dockerfile},
		Embeds:   true,
		Verbs:    engine.Format,
		UsesPath: true,
		Modules: []engine.Module{
			{Name: "dprint-json", Langs: []lang.ID{lang.JSON, lang.JSONC}},
			{Name: "dprint-typescript", Langs: []lang.ID{javaScript, jsx, lang.TypeScript, tsx}},
			{Name: "dprint-dockerfile", Langs: []lang.ID{lang.Dockerfile}},
			{Name: "dprint-toml", Langs: []lang.ID{lang.TOML}},
			{Name: "dprint-markdown", Langs: []lang.ID{lang.Markdown}},
		},
		Options: options,
		Doc: `Formats with the plugins of dprint, as the dprint command does with its default settings.

line_length, indent_width and what .editorconfig says are handed to the plugin where they are written down; else its own defaults
count. Options have the names of the plugin: in poly.toml those with a dot stand in quotes. Where poly.toml has no table for dprint, the nearest
dprint.json, dprint.jsonc, .dprint.json or .dprint.jsonc counts, its layout and the table of the plugin. Which files it lists does not. Where it
extends another file, nothing is formatted by it.

A text that a plugin cannot read is skipped with its message. Ends of lines and a byte order mark stay as they are. The keys of a
package.json are sorted only where packageJson.applyConventions says so; those of a Cargo.toml unless cargo.applyConventions says otherwise.

Code in fences of Markdown is formatted by the formatter of its language; code that nobody formats or that is refused stays as it is. Other
than for dprint, codeBlock.preserveIndentation, codeBlock.preserveBlankLines and html.skipFormat are true unless they are set, for they change what is
shown. Front matter stays as it is. So does a block that the plugin would damage, as an address with "__" in it; the others are formatted.

What the plugin for scripts damages is mended: two signs that it joins ("- -x"), a comment that it moves off "else /* ... */ if", and blanks
between JSX tags and text on one line, which become {" "}. Where the meaning would still change, as where a class in parentheses becomes a
declaration or a string a directive, the file is skipped.

In Dockerfiles, comments keep the indentation of their text, and instructions with lines of an escape character alone stay as they are, as do
those of the old form "ENV name value" on several lines: the plugin does not read, or joins, what it makes of them.`,
	},
	Bind:   bind,
	Native: nearest,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	f := &formatter{dialect: dialectOf(e.Lang), env: e, plugins: map[string]*bound{}}
	b := engine.Bound{
		Same: f.same, PathClass: f.class,
		Open: func(context.Context) (engine.Worker, error) { return &worker{formatter: f}, nil },
	}
	if !e.Configured {
		b.Inputs.Names = nativeNames
	}
	return b, nil
}

// formatter is shared by all workers: a plugin hands each call an instance.
type formatter struct {
	dialect dialect
	env     engine.Env

	mu      sync.Mutex        // guards plugins
	plugins map[string]*bound // by the native configuration; "": none
}

// bound is a plugin under its settings.
type bound struct {
	settings settings
	plugin   *dprint.Plugin
	err      error // of the configuration
}

// class tells which paths share results: the plugin sees names alone, but for
// lists of paths that a configuration may hold.
func (f *formatter) class(p string) string {
	if f.dialect.lists && (!f.env.Configured || len(f.env.Options.Strings(listOption)) > 0) {
		return p
	}
	return f.dialect.name(p)
}

// under returns the plugin under the native configuration that a file has.
func (f *formatter) under(inputs []engine.Input) *bound {
	var native engine.Input
	if len(inputs) > 0 {
		native = inputs[0]
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	key := native.Path + "\x00" + string(native.Text)
	if b := f.plugins[key]; b != nil {
		return b
	}
	b := &bound{}
	if b.settings, b.err = f.settings(native); b.err == nil {
		o := dprint.Options{Global: b.settings.global, Plugin: b.settings.plugin}
		if f.dialect.embeds {
			o.Embedded = f.embedded
		}
		b.plugin = dprint.New(f.env.Wasm, "dprint-"+f.dialect.plugin, o)
	}
	f.plugins[key] = b
	return b
}

// same is the guard. It allows another order of keys if poly.toml does.
func (f *formatter) same(before, after []byte) error {
	sorts := f.env.Options.Bool(f.dialect.sorting)
	return f.dialect.judge(before, after, sorts)
}

// worker formats one file after the other.
type worker struct {
	engine.Funcs
	formatter *formatter
	judged    []byte // what Format returned last, which the guard accepts
}

// Format formats what the plugin reads.
func (w *worker) Format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !utf8.Valid(src.Text) {
		return nil, engine.Skip("not UTF-8")
	}
	b := w.formatter.under(src.Inputs)
	if b.err != nil {
		return nil, b.err
	}
	t := &task{dialect: &w.formatter.dialect, bound: b, src: src}
	t.text, t.ends = engine.Plain(src.Text)
	if t.embeds {
		ctx, t.codes = nested(ctx)
	}
	lines := map[int]bool{}
	prepared, undo := t.text, func(out []byte) []byte { return out }
	if t.prepares {
		prepared, undo = t.repair(t.text, lines)
	}
	out, err := t.format(ctx, prepared, undo)
	for err != nil && t.again(err, lines) {
		prepared, undo = t.repair(t.text, lines)
		out, err = t.format(ctx, prepared, undo)
	}
	w.judged = out
	return out, err
}

// task is a file being formatted.
type task struct {
	*dialect
	bound *bound
	src   engine.Source
	text  []byte
	ends  engine.Ends
	codes *codes // code inside that was formatted; nil: there is none
}

// format formats text, which stands for that of the file, and asks the guard.
func (t *task) format(ctx context.Context, text []byte, undo func([]byte) []byte) ([]byte, error) {
	front := 0
	if t.front {
		front = frontMatter(text)
	}
	out, _, err := t.bound.plugin.Format(ctx, t.path(t.src.Path), text[front:])
	if err != nil {
		return nil, t.bound.refusal(err, t.text)
	}
	out = behind(text[:front], out)
	out = t.bound.settings.ends(t.src.Text, undo(out), t.ends)
	if t.codes != nil {
		err = markdown.Same(t.src.Text, out, t.codes.same)
	} else {
		err = t.judge(t.src.Text, out, t.sorts(t.src.Path, t.bound.settings))
	}
	if err != nil {
		return nil, &refusedError{err}
	}
	return out, nil
}

// behind puts a text behind front matter, with a blank line between them.
func behind(front, text []byte) []byte {
	if len(front) == 0 {
		return text
	}
	out := bytes.Clone(front)
	if len(text) > 0 {
		out = append(out, '\n')
	}
	return append(out, text...)
}

// maxRepairs is how many lines of a file may be repaired.
const maxRepairs = 16

// again adds to lines the one that the guard objects to, if it may be repaired.
func (t *task) again(err error, lines map[int]bool) bool {
	d, ok := errors.AsType[*guard.Difference](err)
	if !ok || t.repair == nil || lines[d.Line] || len(lines) == maxRepairs {
		return false
	}
	lines[d.Line] = true
	return true
}

// Same accepts what Format returned last: Format asks the guard itself.
func (w *worker) Same(before, after []byte) error {
	if len(after) > 0 && len(after) == len(w.judged) && &after[0] == &w.judged[0] {
		return nil
	}
	return w.formatter.same(before, after)
}

// refusedError is what the guard says against a result. It is a skip whose
// detail is told under --verbose.
type refusedError struct{ err error }

func (e *refusedError) Error() string {
	if unread, ok := errors.AsType[*guard.CannotJudge](e.err); ok {
		return unread.Error()
	}
	return "formatter would change meaning"
}
func (e *refusedError) Unwrap() []error { return []error{engine.Skip(e.Error()), e.err} }
func (e *refusedError) Detail() string  { return e.err.Error() }

// refusal makes an error of a plugin what the user is told.
func (b *bound) refusal(err error, text []byte) error {
	if refused, ok := errors.AsType[*dprint.FormatError](err); ok {
		return engine.Skip(reason(refused.Message))
	}
	if bad, ok := errors.AsType[*dprint.ConfigError](err); ok && b.settings.native.Path != "" {
		return engine.Broken(b.settings.native.Path, lineOf(b.settings.native, bad.Key), "%s: %s", bad.Key, bad.Message)
	}
	if trap, ok := errors.AsType[*wasm.Trap](err); ok {
		switch {
		case trap.Reason == "stack overflow", trap.Reason == "out of bounds memory access", engine.Nests(text, 200):
			return engine.Skip("nests too deeply for dprint")
		case trap.Full:
			return engine.Skip(wasm.TooMuch)
		}
	}
	return err
}

// reason is the first line of what a plugin says, which an excerpt follows. The
// path in it is not that of the file.
func reason(message string) string {
	first, _, _ := strings.Cut(message, "\n")
	what, where, ok := strings.Cut(first, " at file:///")
	if at := strings.Split(where, ":"); ok && len(at) == 3 {
		return "line " + at[1] + ": " + what
	}
	return first
}
