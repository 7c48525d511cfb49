package shfmt

import (
	"bytes"
	"context"
	"fmt"

	"mvdan.cc/sh/v3/syntax"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/shellfile"
)

// worker formats one file after the other. It keeps what the library may use
// again, and the trees of the file it formatted last for the guard.
type worker struct {
	*formatter
	parser  shellfile.Parser
	printer *syntax.Printer
	printed settings // what printer is for
	variant syntax.LangVariant
	trees   []tree
}

// tree is a text and what it parses to.
type tree struct {
	text []byte
	file *syntax.File
}

// Lint finds nothing.
func (w *worker) Lint(ctx context.Context, _ engine.Source) ([]diag.Diagnostic, error) {
	return nil, ctx.Err()
}

// Close does nothing.
func (w *worker) Close() error { return nil }

// Same is the guard, for what Format has just been given and has returned:
// their trees are at hand, and the dialect is known. What it does not find
// equal is for the guard that knows neither.
func (w *worker) Same(before, after []byte) error {
	if !w.simplify && !w.printed.simplify {
		x, y := plain(before), plain(after)
		if w.parses(x) && aligned(x, y, w.variant) || w.sameTrees(x, y) {
			return nil
		}
	}
	return w.same(before, after)
}

// parses reports whether text is the one that Format has parsed.
func (w *worker) parses(text []byte) bool {
	return len(w.trees) > 0 && bytes.Equal(w.trees[0].text, text)
}

func (w *worker) sameTrees(before, after []byte) bool {
	a, err := w.tree(before)
	if err != nil {
		return false
	}
	b, err := w.tree(after)
	return err == nil && sameTrees(a, b, before, after) == nil
}

// tree returns what a text parses to.
func (w *worker) tree(text []byte) (*syntax.File, error) {
	for _, t := range w.trees {
		if bytes.Equal(t.text, text) {
			return t.file, nil
		}
	}
	return w.parser.Parse(text, w.variant)
}

// maxPasses is how often a text is formatted at most. Nearly all texts stay as
// they are in the second.
const maxPasses = 4

// settle formats text until nothing changes; the result may still do so, which
// the guard does not mind. For a verdict the first result is enough.
func (w *worker) settle(ctx context.Context, s settings, text []byte, v syntax.LangVariant, verdict bool) ([]byte, error) {
	w.variant = v
	out, err := w.pass(s, text)
	for range maxPasses - 1 {
		if err != nil || verdict || bytes.Equal(out, text) {
			break
		}
		text, out, err = out, w.again(s, out), ctx.Err()
	}
	return out, err
}

// again formats what was formatted. If that does not parse it stays as it is:
// the guard refuses it, and tells why.
func (w *worker) again(s settings, text []byte) []byte {
	if out, err := w.pass(s, text); err == nil {
		return out
	}
	return text
}

// pass parses and prints once.
func (w *worker) pass(s settings, text []byte) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			w.trees, w.printer, w.parser = nil, nil, shellfile.Parser{}
			out, err = nil, engine.Skip(fmt.Sprintf("shfmt cannot format it: %v", r))
		}
	}()
	file, err := w.parser.Parse(text, w.variant)
	if err != nil {
		return nil, engine.Skip("shfmt cannot format it: " + err.Error())
	}
	undo := keepSubscripts(file, text)
	docs := keepDocuments(file, text)
	if s.simplify {
		syntax.Simplify(file)
	}
	if w.printer == nil || w.printed != s {
		w.printer, w.printed = s.printer(), s
	}
	b := bytes.NewBuffer(make([]byte, 0, len(text)+len(text)/8))
	if err := w.printer.Print(b, file); err != nil {
		return nil, engine.Skip("shfmt cannot format it: " + err.Error())
	}
	docs.undo()
	undo()
	w.trees = append(w.trees, tree{bytes.Clone(text), file})
	return docs.restore(b.Bytes()), nil
}
