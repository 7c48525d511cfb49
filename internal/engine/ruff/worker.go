package ruff

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/wasm"
	"poly/internal/wasm/bindgen"
)

// instance is the module with the workspaces made so far: one for each set of
// settings.
type instance struct {
	*bindgen.Instance
	workspaces map[[32]byte]bindgen.Pointer
}

func newInstance(i *bindgen.Instance) *instance {
	return &instance{i, map[[32]byte]bindgen.Pointer{}}
}

// maxWorkspaces is how many sets of settings an instance keeps.
const maxWorkspaces = 64

// utf8Columns asks for columns in bytes.
const utf8Columns = 0

func (i *instance) workspace(ctx context.Context, p *plan) (bindgen.Pointer, error) {
	if ws, ok := i.workspaces[p.key]; ok {
		return ws, nil
	}
	if len(i.workspaces) >= maxWorkspaces {
		for key, ws := range i.workspaces {
			if _, err := i.Call(ctx, "Workspace.free", ws, 0); err != nil {
				return 0, err
			}
			delete(i.workspaces, key)
		}
	}
	v, err := i.Call(ctx, "Workspace.new", p.options, utf8Columns)
	if thrown, ok := errors.AsType[*bindgen.ThrownError](err); ok && p.native != "" {
		return 0, engine.Broken(p.native, 0, "%s", strings.TrimSuffix(thrown.Message, " from the CLI"))
	}
	if err != nil {
		return 0, err
	}
	ws, _ := v.(bindgen.Pointer)
	i.workspaces[p.key] = ws
	return ws, nil
}

// call calls a method of the workspace of a plan.
func (l *linter) call(ctx context.Context, p *plan, method string, text []byte) (result any, err error) {
	pool, err := bindgen.Shared(ctx, l.env.Wasm, name, newInstance)
	if err != nil {
		return nil, err
	}
	err = pool.Do(ctx, func(ctx context.Context, i *instance) error {
		ws, err := i.workspace(ctx, p)
		if err != nil {
			return err
		}
		result, err = i.Call(ctx, method, ws, text)
		return err
	})
	if trap, ok := errors.AsType[*wasm.Trap](err); ok {
		switch {
		case trap.Reason == "stack overflow", engine.Nests(text, 200):
			return nil, engine.Skip("nests too deeply for ruff")
		case trap.Full:
			return nil, engine.Skip(wasm.TooMuch)
		}
	}
	return result, err
}

type worker struct{ linter *linter }

// Close does nothing: the instances are shared.
func (w *worker) Close() error { return nil }

// Lint asks ruff.
func (w *worker) Lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	p, err := w.linter.ready(ctx, src)
	if err != nil {
		return nil, err
	}
	v, err := w.linter.call(ctx, p, "Workspace.check", src.Text)
	if err != nil {
		return nil, err
	}
	return newSource(src.Text, p).diagnostics(v)
}

// Format formats what parses.
func (w *worker) Format(ctx context.Context, src engine.Source) ([]byte, error) {
	p, err := w.linter.ready(ctx, src)
	if err != nil {
		return nil, err
	}
	bom, text := cutBOM(src.Text)
	v, err := w.linter.call(ctx, p, "Workspace.format", text)
	if thrown, ok := errors.AsType[*bindgen.ThrownError](err); ok {
		return nil, engine.Skip(refusal(text, thrown.Message))
	}
	if err != nil {
		return nil, err
	}
	out, _ := v.([]byte)
	if !w.linter.env.Globals.FinalNewline && !bytes.HasSuffix(text, []byte("\n")) && !bytes.HasSuffix(text, []byte("\r")) {
		out = bytes.TrimSuffix(bytes.TrimSuffix(out, []byte("\n")), []byte("\r"))
	}
	if bytes.Equal(out, text) {
		return src.Text, nil
	}
	return append(append(make([]byte, 0, len(bom)+len(out)), bom...), out...), nil
}

// ready returns the plan for a file, or why there is none.
func (l *linter) ready(ctx context.Context, src engine.Source) (*plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := l.of(src.Path)
	if p.err != nil {
		return nil, p.err
	}
	return p, readable(src.Text)
}

// cutBOM splits off a byte order mark, which ruff drops.
func cutBOM(text []byte) (bom, rest []byte) {
	const mark = "\xef\xbb\xbf"
	if rest, ok := bytes.CutPrefix(text, []byte(mark)); ok {
		return []byte(mark), rest
	}
	return nil, text
}
