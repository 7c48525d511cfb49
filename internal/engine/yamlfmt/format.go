package yamlfmt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	upstream "github.com/google/yamlfmt/pkg/yaml"

	"poly/internal/diag"
	"poly/internal/engine"
)

// formatter is one bound configuration. It is not changed after bind.
type formatter struct {
	settings
	globals engine.Globals
	files   bool // settings may come from a file of the yamlfmt command
}

// worker formats one file after the other. It keeps what it has read of the
// last texts for the guard.
type worker struct {
	*formatter
	reader
}

// Lint finds nothing.
func (w *worker) Lint(ctx context.Context, _ engine.Source) ([]diag.Diagnostic, error) {
	return nil, ctx.Err()
}

// Same is the guard.
func (w *worker) Same(before, after []byte) error { return w.same(before, after) }

// Close does nothing.
func (w *worker) Close() error { return nil }

// Format formats one file. Line ends, a byte order mark and the end of the
// file are handled here: the library sees text with "\n" only.
func (w *worker) Format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f := w.formatter
	if f.files && len(src.Inputs) > 0 {
		var err error
		if f, err = f.native(src.Inputs[0]); err != nil {
			return nil, err
		}
	}
	s, err := w.survey(src.Text)
	if err != nil {
		return nil, err
	}
	out := s.body
	if !s.nothing {
		if out, err = f.settle(ctx, &w.reader, s.body, src.Verdict); err != nil {
			return nil, err
		}
	}
	out = s.restore(out, f.globals)
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// settle formats text until nothing changes. For a verdict the first result
// will do.
func (f *formatter) settle(ctx context.Context, r *reader, text []byte, verdict bool) ([]byte, error) {
	for range maxPasses {
		out, final, err := f.attempt(ctx, r, text, verdict)
		if err != nil || final || verdict || bytes.Equal(text, out) {
			return out, err
		}
		text = out
	}
	return nil, errRestless()
}

func errRestless() error { return engine.Skip("formatter does not converge") }

// attempt runs passes. The library loses and reorders comments near blank lines
// that it removes, in the first pass or a later one; with blank lines kept it
// does not, so that is tried where the result would be refused. Then the result
// is not final: with its comments where the library has put them, it may do
// without the lines.
func (f *formatter) attempt(ctx context.Context, r *reader, text []byte, verdict bool) (out []byte, final bool, err error) {
	out, err = f.passes(ctx, r, text, verdict)
	_, skipped := engine.SkipReason(err)
	if f.retain || err != nil && !skipped || err == nil && (bytes.Equal(text, out) || r.same(text, out) == nil) {
		return out, true, err
	}
	kept := *f
	kept.retain, kept.retainSingle = true, false
	second, fault := kept.passes(ctx, r, text, false)
	if _, skipped := engine.SkipReason(fault); fault != nil && !skipped {
		return nil, true, fault
	} else if skipped || r.same(text, second) != nil {
		return out, true, err
	}
	return second, false, nil
}

// maxPasses is how often a text is formatted at most. Some lose one blank line
// in each.
const maxPasses = 25

// passes formats text until nothing changes, or once for a verdict.
func (f *formatter) passes(ctx context.Context, r *reader, text []byte, verdict bool) ([]byte, error) {
	for range maxPasses {
		raw, err := f.library(ctx, text)
		if err != nil {
			return nil, err
		}
		out := raw
		if !bytes.Equal(raw, text) {
			out = r.mend(text, raw)
		}
		if verdict || bytes.Equal(out, text) || bytes.Equal(out, raw) && f.bare() && r.steady(text, out) {
			return out, nil
		}
		text = out
	}
	return nil, errRestless()
}

// library runs yamlfmt on text.
func (f *formatter) library(ctx context.Context, text []byte) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, engine.Skip(fmt.Sprintf("yamlfmt cannot format it: %v", r))
		}
	}()
	for _, ours := range []string{blank, beside} {
		if bytes.Contains(text, []byte(ours)) {
			return nil, engine.Skip("it has the comment " + ours)
		}
	}
	docs, err := f.decode(ctx, f.before(detach(text)))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := f.encoder(&b)
	for i := range docs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := e.Encode(&docs[i]); err != nil {
			return nil, refuse(err)
		}
	}
	return f.attach(f.after(b.Bytes())), nil
}

func refuse(err error) error { return engine.Skip("yamlfmt cannot format it: " + err.Error()) }

func (f *formatter) decode(ctx context.Context, text []byte) ([]upstream.Node, error) {
	d := upstream.NewDecoder(bytes.NewReader(text))
	d.SetScanBlockScalarAsLiteral(f.foldedLiteral)
	var docs []upstream.Node
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var n upstream.Node
		err := d.Decode(&n)
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return nil, refuse(err)
		}
		if err := f.prepare(&n); err != nil {
			return nil, err
		}
		docs = append(docs, n)
	}
}
