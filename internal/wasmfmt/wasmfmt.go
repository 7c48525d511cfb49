// Package wasmfmt makes formatters of modules of wasm-bindgen that have one
// function for it: it takes the text, perhaps the name of a file, and settings,
// and returns the text or throws what is wrong with it.
package wasmfmt

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"poly/internal/engine"
	"poly/internal/wasm"
	"poly/internal/wasm/bindgen"
)

// Formatter is such a function under one configuration. Its Open is what an
// engine's Bound takes.
type Formatter struct {
	Host   *wasm.Host
	Module string
	Export string // "" is format
	// Args are the arguments behind the text, as [bindgen.Instance.Call] takes
	// them: the name of a file, by which dialects are told apart, and settings.
	Args    []any
	Globals engine.Globals
	// Limit tells why a text is not even tried; "" otherwise. nil: all are.
	Limit func(text []byte) string
	// Head tells how many bytes at the start are no text of the language and
	// stay as they are; lines end in LF. nil: none.
	Head func(text []byte) int
	// Refusal makes the reason for a skip of what the module throws; nil: its
	// first line.
	Refusal func(message string) string
	// Same is the guard. Where it objects, Others are tried instead of Args, then
	// Hold. nil: it is left to the runner.
	Same   func(before, after []byte) error
	Others [][]any
	Hold   Hold
}

// Open returns a worker. The module is compiled with the first text; all
// workers share its instances.
func (f *Formatter) Open(context.Context) (engine.Worker, error) {
	if f.Same != nil {
		return &judged{Formatter: f}, nil
	}
	return engine.Funcs{FormatFunc: func(ctx context.Context, src engine.Source) ([]byte, error) {
		return f.format(ctx, src, f.Args, nil)
	}}, nil
}

// format formats a text with what flagged lines are in held back.
func (f *Formatter) format(ctx context.Context, src engine.Source, args []any, flagged map[int]bool) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !utf8.Valid(src.Text) {
		return nil, engine.Skip("not UTF-8")
	}
	text, ends := engine.Plain(src.Text)
	var head []byte
	if f.Head != nil {
		n := f.Head(text)
		head, text = text[:n], text[n:]
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return src.Text, nil
	}
	if f.Limit != nil {
		if reason := f.Limit(text); reason != "" {
			return nil, engine.Skip(reason)
		}
	}
	undo := func(out []byte) []byte { return out }
	if flagged != nil {
		text, undo = f.Hold(text, flagged)
	}
	out, err := f.call(ctx, text, args)
	if thrown, ok := errors.AsType[*bindgen.ThrownError](err); ok {
		return nil, refused(f.refusal(thrown.Message), thrown)
	}
	if trap, ok := errors.AsType[*wasm.Trap](err); ok {
		if reason := f.broken(trap); reason != "" {
			return nil, engine.Skip(reason)
		}
	}
	if err != nil {
		return nil, err
	}
	if out = undo(out); out == nil {
		return nil, engine.Skip("formatter would change meaning")
	}
	out = ends.Restore(append(bytes.Clone(head), out...), f.Globals)
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// broken is the reason to decline a text over which the module broke off: its
// stack, which Rust keeps below all data, has no room left, or it panicked.
// "" if the text is not to blame.
func (f *Formatter) broken(trap *wasm.Trap) string {
	switch {
	case trap.Reason == "stack overflow", trap.Reason == "out of bounds memory access":
		return "nests too deeply for " + f.Module
	case trap.Full:
		return wasm.TooMuch
	case trap.Reason == "unreachable":
		return f.Module + " fails at this text"
	}
	return ""
}

func (f *Formatter) refusal(message string) string {
	if f.Refusal != nil {
		return f.Refusal(message)
	}
	line, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	return line
}

func (f *Formatter) call(ctx context.Context, text []byte, args []any) (out []byte, err error) {
	pool, err := bindgen.Shared(ctx, f.Host, f.Module, func(i *bindgen.Instance) *bindgen.Instance { return i })
	if err != nil {
		return nil, err
	}
	export := f.Export
	if export == "" {
		export = "format"
	}
	args = append([]any{text}, args...)
	err = pool.Do(ctx, func(ctx context.Context, i *bindgen.Instance) error {
		out, err = i.Text(ctx, export, args...)
		return err
	})
	return out, err
}
