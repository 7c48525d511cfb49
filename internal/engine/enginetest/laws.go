package enginetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"poly/internal/diag"
	"poly/internal/engine"
)

const (
	timeLimit   = 10 * time.Second // for one file
	promptLimit = 2 * time.Second  // to notice that the context is done
	maxPasses   = 5                // of the formatter, as in the runner
	maxProblems = 5                // reported for one law
)

// outcome is what a worker said about a source.
type outcome struct {
	diags   []diag.Diagnostic
	text    []byte // formatted; nil if the engine does not format or declined
	lintErr string
	fmtErr  string
}

// judge runs both verbs on src. It returns an error for a panic, a lost time
// limit or an error that is no Skip.
func judge(ctx context.Context, e *engine.Engine, w engine.Worker, src engine.Source) (outcome, error) {
	done := make(chan error, 1)
	var o outcome
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		done <- o.fill(ctx, e, w, src)
	}()
	timer := time.NewTimer(timeLimit)
	defer timer.Stop()
	select {
	case err := <-done:
		return o, err
	case <-timer.C:
		return outcome{}, fmt.Errorf("took more than %v", timeLimit)
	}
}

func (o *outcome) fill(ctx context.Context, e *engine.Engine, w engine.Worker, src engine.Source) error {
	if e.Verbs&engine.Lint != 0 {
		diags, err := w.Lint(ctx, src)
		if err != nil {
			o.lintErr = err.Error()
			if _, skip := engine.SkipReason(err); !skip {
				return fmt.Errorf("lint: %w", err)
			}
		}
		diag.Sort(diags)
		o.diags = diags
	}
	if e.Verbs&engine.Format != 0 {
		text, err := w.Format(ctx, src)
		if err != nil {
			o.fmtErr = err.Error()
			if _, skip := engine.SkipReason(err); !skip {
				return fmt.Errorf("format: %w", err)
			}
			return nil
		}
		o.text = bytes.Clone(text)
	}
	return nil
}

// each opens the engine for every case and calls fn, until there are enough problems.
func each(ctx context.Context, s *suite, fn func(c testCase, b engine.Bound, w engine.Worker) []string) []string {
	var problems []string
	for _, c := range s.cases {
		b, w, err := open(ctx, s.engine, c.env)
		if err != nil {
			return append(problems, fmt.Sprintf("%s: open: %v", c.name, err))
		}
		c.src.Inputs, c.src.Siblings = c.inputs(b), c.siblings(b)
		c.src.Text = bytes.Clone(c.src.Text) // one law's damage is not the next one's
		for _, p := range fn(c, b, w) {
			problems = append(problems, c.name+": "+p)
		}
		if err := w.Close(); err != nil {
			problems = append(problems, fmt.Sprintf("%s: close: %v", c.name, err))
		}
		if len(problems) >= maxProblems {
			break
		}
	}
	return problems
}

// checkDeterministic: two workers at once, in opposite orders, twice, say the same.
func checkDeterministic(ctx context.Context, s *suite) []string {
	results := make([]map[string]outcome, 2)
	problems := make([][]string, 2)
	var wg sync.WaitGroup
	for i := range results {
		order := slices.Clone(s.cases)
		if i == 1 {
			slices.Reverse(order)
		}
		wg.Go(func() { results[i], problems[i] = judgeAll(ctx, s.engine, order) })
	}
	wg.Wait()
	out := slices.Concat(problems[0], problems[1])
	for _, c := range s.cases {
		if d := cmp.Diff(results[0][c.name], results[1][c.name], cmp.AllowUnexported(outcome{})); d != "" {
			out = append(out, c.name+": two workers disagree:\n"+d)
		}
	}
	return out
}

// judgeAll judges every case twice. Cases of one environment share a worker, so
// that what a file leaves behind shows in the next.
func judgeAll(ctx context.Context, e engine.Engine, order []testCase) (map[string]outcome, []string) {
	results := map[string]outcome{}
	workers := map[string]engine.Worker{}
	var problems []string
	for _, c := range order {
		b, err := e.Bind(ctx, c.env)
		if err != nil {
			return nil, []string{c.name + ": " + err.Error()}
		}
		c.src.Inputs, c.src.Siblings = c.inputs(b), c.siblings(b)
		c.src.Text = bytes.Clone(c.src.Text)
		w := workers[c.environment()]
		if w == nil {
			if w, err = b.Open(ctx); err != nil {
				return nil, []string{c.name + ": " + err.Error()}
			}
			workers[c.environment()] = w
		}
		var runs [2]outcome
		for n := range runs {
			if runs[n], err = judge(ctx, &e, w, c.src); err != nil {
				problems = append(problems, c.name+": "+err.Error())
			}
		}
		if d := cmp.Diff(runs[0], runs[1], cmp.AllowUnexported(outcome{})); d != "" {
			problems = append(problems, c.name+": a second run of one worker differs:\n"+d)
		}
		results[c.name] = runs[0]
	}
	for _, w := range workers {
		if err := w.Close(); err != nil {
			problems = append(problems, "close: "+err.Error())
		}
	}
	return results, problems
}

// environment is equal for cases that one worker may judge.
func (c testCase) environment() string {
	if tree, _ := c.env.Tree.(fstest.MapFS); len(tree) > 1 {
		return c.name // it may have read the files around the source
	}
	return fmt.Sprint(c.env.Lang, c.env.Options, c.env.Params, c.env.Globals, c.env.Rules)
}

// checkRanges: diagnostics point into the file, at whole code points; fixes can
// be applied; codes are listed.
func checkRanges(ctx context.Context, s *suite) []string {
	return each(ctx, s, func(c testCase, _ engine.Bound, w engine.Worker) []string {
		o, err := judge(ctx, &s.engine, w, c.src)
		if err != nil {
			return []string{err.Error()}
		}
		return badDiags(&s.engine.Spec, c.src.Text, o.diags)
	})
}

func badDiags(spec *engine.Spec, text []byte, diags []diag.Diagnostic) []string {
	var out []string
	for i := range diags {
		d := &diags[i]
		for _, problem := range slices.Concat(badWords(spec, d), badPlaces(text, d)) {
			out = append(out, fmt.Sprintf("diagnostic %s %q: %s", d.Code, d.Title, problem))
		}
	}
	return out
}

// badWords: who says it, how bad it is and under which rule.
func badWords(spec *engine.Spec, d *diag.Diagnostic) []string {
	var out []string
	if d.Engine != spec.Name {
		out = append(out, fmt.Sprintf("engine %q, want %q", d.Engine, spec.Name))
	}
	if d.Severity == diag.SeverityUnset || d.Title == "" || strings.ContainsAny(d.Title, "\n\r") {
		out = append(out, "needs a severity and a title of one line")
	}
	rule := slices.IndexFunc(spec.Rules, func(r engine.Rule) bool { return r.Code == d.Code })
	if rule < 0 {
		if spec.Open {
			return out
		}
		return append(out, "its code is not among Spec.Rules")
	}
	if len(d.Fix) > 0 && !spec.Rules[rule].Fixable {
		out = append(out, "has a fix, but its rule is not fixable")
	}
	return out
}

// badPlaces: spans and edits lie in the text, at whole code points if it has any.
func badPlaces(text []byte, d *diag.Diagnostic) []string {
	var out []string
	valid := utf8.Valid(text)
	inside := func(i int) bool {
		return i >= 0 && i <= len(text) && (!valid || i == len(text) || utf8.RuneStart(text[i]))
	}
	if s := d.Span; s != nil && (!inside(s.Start) || !inside(s.End) || s.End < s.Start) {
		out = append(out, fmt.Sprintf("span %d-%d of a text of %d bytes", s.Start, s.End, len(text)))
	}
	if len(d.Fix) > 0 && valid {
		if _, n := diag.Apply(text, [][]diag.Edit{d.Fix}); n != 1 {
			out = append(out, fmt.Sprintf("its fix cannot be applied: %+v", d.Fix))
		}
	}
	return out
}

// checkIdempotent: formatting reaches a fixed point within the runner's passes,
// and so do fixes.
func checkIdempotent(ctx context.Context, s *suite) []string {
	return each(ctx, s, func(c testCase, _ engine.Bound, w engine.Worker) []string {
		return converges(ctx, &s.engine, w, c.src)
	})
}

func converges(ctx context.Context, e *engine.Engine, w engine.Worker, src engine.Source) []string {
	for pass := 0; ; pass++ {
		o, err := judge(ctx, e, w, src)
		if err != nil {
			return []string{err.Error()}
		}
		if o.text == nil || bytes.Equal(o.text, src.Text) {
			break
		}
		if pass == maxPasses {
			return []string{fmt.Sprintf("format does not converge in %d passes:\n%s", maxPasses, cmp.Diff(string(src.Text), string(o.text)))}
		}
		src.Text = o.text
	}
	for pass := 0; ; pass++ {
		o, err := judge(ctx, e, w, src)
		if err != nil {
			return []string{err.Error()}
		}
		var fixes [][]diag.Edit
		for i := range o.diags {
			fixes = append(fixes, o.diags[i].Fix)
		}
		text, n := diag.Apply(src.Text, fixes)
		if n == 0 {
			return nil
		}
		if pass == maxPasses {
			return []string{fmt.Sprintf("fixes do not come to an end in %d passes:\n%s", maxPasses, text)}
		}
		src.Text = text
	}
}

// checkSame: the guard accepts what the formatter does to the fixtures.
func checkSame(ctx context.Context, s *suite) []string {
	return each(ctx, s, func(c testCase, b engine.Bound, w engine.Worker) []string {
		o, err := judge(ctx, &s.engine, w, c.src)
		if err != nil {
			return []string{err.Error()}
		}
		if b.Same == nil || o.text == nil {
			return nil
		}
		for _, after := range [][]byte{c.src.Text, o.text} {
			if err := b.Same(c.src.Text, after); err != nil {
				return []string{fmt.Sprintf("the guard refuses: %v", err)}
			}
		}
		return nil
	})
}

// checkEndings: a file of CRLF lines stays one and is otherwise formatted as
// its LF twin; a byte order mark is kept.
func checkEndings(ctx context.Context, s *suite) []string {
	return each(ctx, s, func(c testCase, _ engine.Bound, w engine.Worker) []string {
		if bytes.ContainsRune(c.src.Text, '\r') || !utf8.Valid(c.src.Text) || bytes.Count(c.src.Text, []byte{'\n'}) < 2 || c.env.Globals.CRLF {
			return nil
		}
		plain, err := judge(ctx, &s.engine, w, c.src)
		if err != nil || plain.text == nil {
			return nil // reported elsewhere, or declined
		}
		var out []string
		twin := c.src
		twin.Text = bytes.ReplaceAll(c.src.Text, []byte("\n"), []byte("\r\n"))
		o, err := judge(ctx, &s.engine, w, twin)
		want := bytes.ReplaceAll(plain.text, []byte("\n"), []byte("\r\n"))
		if err != nil || o.fmtErr != "" || !bytes.Equal(o.text, want) {
			out = append(out, fmt.Sprintf("CRLF lines (err %v %s, -want +got):\n%s", err, o.fmtErr, cmp.Diff(string(want), string(o.text))))
		}
		if !bytes.HasPrefix(c.src.Text, []byte(bom)) {
			twin.Text = append([]byte(bom), c.src.Text...)
			o, err = judge(ctx, &s.engine, w, twin)
			if want := bom + string(plain.text); err != nil || o.fmtErr == "" && string(o.text) != want {
				out = append(out, fmt.Sprintf("byte order mark (err %v, -want +got):\n%s", err, cmp.Diff(want, string(o.text))))
			}
		}
		return out
	})
}

const bom = "\xef\xbb\xbf"

// checkUnmodified: the source belongs to the caller.
func checkUnmodified(ctx context.Context, s *suite) []string {
	return each(ctx, s, func(c testCase, _ engine.Bound, w engine.Worker) []string {
		before := bytes.Clone(c.src.Text)
		// The bytes behind the slice belong to the caller too.
		c.src.Text = append(bytes.Clone(before), "behind"...)[:len(before)]
		if _, err := judge(ctx, &s.engine, w, c.src); err != nil {
			return []string{err.Error()}
		}
		if got := c.src.Text[:len(before)+len("behind")]; string(got) != string(before)+"behind" {
			return []string{"the source was modified"}
		}
		return nil
	})
}

// checkCancelled: with a context that is done, a worker returns at once and says so.
func checkCancelled(ctx context.Context, s *suite) []string {
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	return each(ctx, s, func(c testCase, _ engine.Bound, w engine.Worker) []string {
		c.src.Text = bytes.Repeat(append(bytes.Clone(c.src.Text), '\n'), 1+(1<<20)/(len(c.src.Text)+1))
		var out []string
		begin := time.Now()
		if s.engine.Verbs&engine.Lint != 0 {
			if _, err := w.Lint(cancelled, c.src); !errors.Is(err, context.Canceled) {
				out = append(out, fmt.Sprintf("lint returns %v, want %v", err, context.Canceled))
			}
		}
		if s.engine.Verbs&engine.Format != 0 {
			if _, err := w.Format(cancelled, c.src); !errors.Is(err, context.Canceled) {
				out = append(out, fmt.Sprintf("format returns %v, want %v", err, context.Canceled))
			}
		}
		if d := time.Since(begin); d > promptLimit {
			out = append(out, fmt.Sprintf("took %v to notice", d))
		}
		return out
	})
}

// checkClose: a worker can be closed unused, and a second time.
func checkClose(ctx context.Context, s *suite) []string {
	_, w, err := open(ctx, s.engine, defaultEnv(&s.engine.Spec, firstLang(&s.engine.Spec)))
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	for range 2 {
		if err := w.Close(); err != nil {
			out = append(out, err.Error())
		}
	}
	return out
}
