package runner

import (
	"bytes"
	"context"

	"poly/internal/diag"
	"poly/internal/engine"
)

// fixed is what became of one file under lint --fix.
type fixed struct {
	text    []byte // what to write; equal to the input if nothing was fixed
	results []result
	applied int
}

// fixLoop applies the fixes of e's results to src.Text and lints again, until nothing
// is left to apply or maxPasses is reached. A pass after which the file has an
// error it did not have before is taken back: a fix must not break a file.
func (w *worker) fixLoop(ctx context.Context, e *entry, src engine.Source, keep func(*diag.Diagnostic) bool) (fixed, error) {
	f := fixed{text: src.Text, results: e.results}
	for range maxPasses {
		next, n := diag.Apply(f.text, fixes(f.results, keep))
		if n == 0 || bytes.Equal(next, f.text) {
			break
		}
		src.Text = next
		again, err := w.lintAll(ctx, e, src)
		if err != nil {
			return f, err
		}
		if breaks(f.results, again) {
			break
		}
		f = fixed{text: next, results: again, applied: f.applied + n}
	}
	return f, nil
}

// fixes collects the edit groups that may be applied, one for each diagnostic.
func fixes(rs []result, keep func(*diag.Diagnostic) bool) [][]diag.Edit {
	var out [][]diag.Edit
	for i := range rs {
		for j := range rs[i].diags {
			if d := &rs[i].diags[j]; len(d.Fix) > 0 && keep(d) {
				out = append(out, d.Fix)
			}
		}
	}
	return out
}

// breaks reports whether after has an error of a kind that before has not, or
// declines a file that was accepted.
func breaks(before, after []result) bool {
	type kind struct{ engine, code string }
	had := map[kind]bool{}
	for _, r := range before {
		for _, d := range r.diags {
			if d.Severity == diag.Error {
				had[kind{d.Engine, d.Code}] = true
			}
		}
	}
	for i, r := range after {
		if r.kind == resultSkip && before[i].kind != resultSkip {
			return true
		}
		for _, d := range r.diags {
			if d.Severity == diag.Error && !had[kind{d.Engine, d.Code}] {
				return true
			}
		}
	}
	return false
}
