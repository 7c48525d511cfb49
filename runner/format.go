package runner

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"poly/internal/engine"
)

// maxPasses bounds fix and format loops: an engine that needs more does not converge.
const maxPasses = 5

// formatChain runs the formatters of a plan over text until nothing changes.
// A chain that does not converge, or whose result means something else to the
// engine's guard, is declined: the file stays as it is.
func (w *worker) formatChain(ctx context.Context, p *plan, src engine.Source) ([]byte, error) {
	if len(p.engines) == 1 && p.engines[0].bound.Settled {
		return w.formatOnce(ctx, &p.engines[0], src)
	}
	src.Verdict = false // another engine may undo what one has changed
	original, out := src.Text, src.Text
	for range maxPasses {
		before := out
		for i := range p.engines {
			src.Text = out
			next, err := w.formatOnce(ctx, &p.engines[i], src)
			if err != nil {
				return nil, err
			}
			out = next
		}
		if bytes.Equal(before, out) {
			return out, w.guard(p, original, out)
		}
	}
	return nil, engine.Skip("formatter does not converge")
}

func (w *worker) formatOnce(ctx context.Context, e *planned, src engine.Source) (out []byte, err error) {
	ew, err := w.engine(ctx, e)
	if err != nil {
		return nil, err
	}
	defer w.recovered(e, &err)
	before := bytes.Clone(src.Text)
	if err = w.inputs(ctx, e, &src); err != nil {
		return nil, err
	}
	out, err = ew.Format(ctx, src)
	if !bytes.Equal(before, src.Text) {
		return nil, modified(e)
	}
	if err != nil {
		return nil, err
	}
	if bytes.Equal(before, out) {
		return before, nil
	}
	same := e.bound.Same
	if j, ok := ew.(engine.Judge); ok && same != nil {
		same = j.Same
	}
	if same != nil {
		if err := same(before, out); err != nil {
			return nil, &guardError{err}
		}
	}
	return bytes.Clone(out), nil // out may be a buffer of the engine's
}

// guard compares the ends of a chain of several engines once more: each step
// was judged by its own engine, the whole by the last that can: the default
// formatter's guard allows what all of them may rewrite.
func (w *worker) guard(p *plan, before, after []byte) (err error) {
	if len(p.engines) < 2 || bytes.Equal(before, after) {
		return nil
	}
	for i := range slices.Backward(p.engines) {
		if same := p.engines[i].bound.Same; same != nil {
			defer w.recovered(&p.engines[i], &err)
			if err := same(before, after); err != nil {
				return &guardError{err}
			}
			return nil
		}
	}
	return nil
}

// guardError is the refusal of a formatted text by [engine.Bound.Same]. It is
// a skip whose detail is told under --verbose.
type guardError struct{ err error }

func (e *guardError) Error() string { return guardReason }
func (e *guardError) Unwrap() error { return engine.Skip(guardReason) }
func (e *guardError) Detail() string {
	return fmt.Sprint(e.err)
}

const guardReason = "formatter would change meaning"
