package wasmfmt

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strconv"
	"sync"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/guard"
	"poly/internal/wasm/bindgen"
)

// Hold keeps from a module the parts of a text that flagged lines, from 1, are
// in. undo puts them back into the result; it returns nil if it cannot.
type Hold func(text []byte, flagged map[int]bool) (prepared []byte, undo func(out []byte) []byte)

// maxHeld is how often a text is formatted anew for what has to be held back.
const maxHeld = 16

// maxOthers is how large a text may be that is formatted with other arguments
// too: what some modules take grows with the square.
const maxOthers = 24 << 10

// judged is a worker that asks the guard itself, and finds another way where it
// objects.
type judged struct {
	*Formatter
	accepted []byte // what Format returned last, if the guard accepts it
}

// Lint does nothing.
func (*judged) Lint(ctx context.Context, _ engine.Source) ([]diag.Diagnostic, error) {
	return nil, ctx.Err()
}

// Close does nothing: the instances are shared.
func (*judged) Close() error { return nil }

// Same accepts what Format returned last, which the guard accepted.
func (j *judged) Same(before, after []byte) error {
	if len(after) > 0 && len(after) == len(j.accepted) && &after[0] == &j.accepted[0] {
		return nil
	}
	return j.Formatter.Same(before, after)
}

// Format formats what the module reads and does not damage.
func (j *judged) Format(ctx context.Context, src engine.Source) ([]byte, error) {
	j.accepted = nil
	first, err := j.format(ctx, src, j.Args, nil)
	line := refusedLine(err)
	if err != nil && (line == 0 || j.Hold == nil) {
		return nil, err
	}
	var objection error
	if err == nil {
		if objection = j.Formatter.Same(src.Text, first); objection == nil {
			j.accepted = first
			return first, nil
		}
	}
	for _, args := range j.Others {
		if len(src.Text) > maxOthers {
			break
		}
		out, err := j.format(ctx, src, args, nil)
		if err == nil && j.Formatter.Same(src.Text, out) == nil {
			j.accepted = out
			return out, nil
		}
	}
	if j.Hold != nil {
		out, err := j.held(ctx, src, line, objection)
		if out != nil || err != nil && ctx.Err() != nil {
			j.accepted = out
			return out, err
		}
	}
	return first, err // the runner asks the guard, and tells what it says
}

// held formats with more and more held back. It returns nil if that does not
// help.
func (j *judged) held(ctx context.Context, src engine.Source, line int, objection error) ([]byte, error) {
	plain, _ := engine.Plain(src.Text)
	above := 0
	if j.Head != nil {
		above = bytes.Count(plain[:j.Head(plain)], []byte("\n"))
	}
	flagged := map[int]bool{}
	for range maxHeld {
		if line == 0 {
			d, ok := errors.AsType[*guard.Difference](objection)
			if !ok {
				return nil, nil
			}
			line = d.Line - above
		}
		if line < 1 || flagged[line] {
			return nil, nil
		}
		flagged[line] = true
		out, err := j.format(ctx, src, j.Args, flagged)
		if line = refusedLine(err); err != nil && line == 0 {
			return nil, err
		}
		if err != nil {
			continue
		}
		if objection = j.Formatter.Same(src.Text, out); objection == nil {
			return out, nil
		}
	}
	return nil, nil
}

// atLine is how modules say where they stopped.
var atLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bat line (\d+)\b`) })

// refusedError is what a module says against a text: a skip.
type refusedError struct {
	skip error
	line int // 0: it does not say
}

func (e *refusedError) Error() string { return e.skip.Error() }
func (e *refusedError) Unwrap() error { return e.skip }

func refused(reason string, thrown *bindgen.ThrownError) error {
	e := &refusedError{skip: engine.Skip(reason)}
	if m := atLine().FindStringSubmatch(thrown.Message); m != nil {
		e.line, _ = strconv.Atoi(m[1])
	}
	return e
}

// refusedLine is the line at which a module stopped reading; 0: none.
func refusedLine(err error) int {
	if e, ok := errors.AsType[*refusedError](err); ok {
		return e.line
	}
	return 0
}
