// Package tool makes tools for agents out of Go functions: a tool is data, and
// a function from typed arguments to a document. Argument checks, schemas and
// the two forms of a result follow from the types. It knows no transport.
package tool

import (
	"bytes"
	"context"
	"encoding/json"

	"poly/internal/toon"
)

// Effect is what a tool may do, apart from poly's own cache and history.
type Effect uint8

// Effects. The annotations of a tool follow from its effect.
const (
	Reads       Effect = iota // reads the tree
	Writes                    // writes to the tree, or forgets results
	Runs                      // runs the project's commands in the worktree; fixes nothing
	RunsToWrite               // runs the project's commands to change the worktree
)

// Spec is what is known of a tool without calling it.
type Spec struct {
	Name   string
	Doc    string // what it does, what it may execute
	Effect Effect
	// Idempotent tells that a second call with the same arguments adds nothing.
	Idempotent bool
	// Large tells that a result may be longer than clients like; one that may
	// be longer than they take is paged by the tool itself.
	Large bool
	// Long tells that a call may take minutes.
	Long bool
	// Always tells that it answers although poly's executable was replaced.
	Always bool
}

// Tool is a tool that can be called.
type Tool struct {
	Spec
	// Input and Output are JSON Schemas, compact. Output describes the document
	// of a success and that of an error, both with what the server adds.
	Input, Output json.RawMessage
	// Check returns the refusal that a call with these arguments would get at
	// once; nil if there is none. args is a JSON object, or nil.
	Check func(args json.RawMessage) *Result
	// Call does it. It returns no result if ctx was cancelled.
	Call func(ctx context.Context, args json.RawMessage) *Result
}

// Answer is what a tool's function returns.
type Answer struct {
	Doc    []byte // a JSON object, compact
	Failed bool   // the document says that something failed
}

// Result is what a call of a tool returns.
type Result struct {
	Doc    json.RawMessage // a JSON object, compact
	Text   string          // the document as the caller wanted it
	Failed bool
}

// Format is the argument by which the form of the text is chosen.
type Format string

// Define makes a tool. In is a struct of arguments (see [decode]) with a member
// of type [Format]; Out a struct by which the schema of its documents is made.
// ready is asked before each call whether it can be done at all; nil: it can.
func Define[In, Out any](s Spec, ready func() error, fn func(ctx context.Context, in In) (Answer, error)) Tool {
	check := func(args json.RawMessage) (In, Format, *Result) {
		in, format, err := decode[In](args)
		if err == nil && ready != nil {
			if e := ready(); e != nil {
				err = From(e)
			}
		}
		if err != nil {
			return in, format, Refuse(err, format)
		}
		return in, format, nil
	}
	return Tool{
		Spec: s, Input: inputSchema[In](), Output: outputSchema[Out](),
		Check: func(args json.RawMessage) *Result { _, _, r := check(args); return r },
		Call: func(ctx context.Context, args json.RawMessage) *Result {
			in, format, refusal := check(args)
			if refusal != nil {
				return refusal
			}
			a, err := fn(ctx, in)
			if err != nil {
				return Refuse(From(err), format)
			}
			return render(a.Doc, format, a.Failed)
		},
	}
}

// Refuse returns the result of a call that failed.
func Refuse(e *Error, format Format) *Result {
	return render(Marshal(struct {
		Error *Error `json:"error"`
	}{e}), format, true)
}

// render is the only constructor of results.
func render(doc []byte, format Format, failed bool) *Result {
	r := &Result{Doc: doc, Text: string(doc), Failed: failed}
	if format == "toon" {
		if text, err := toon.Encode(doc); err == nil {
			r.Text = string(text)
		}
	}
	return r
}

// Marshal is compact JSON without escapes of HTML. v must have a JSON form.
func Marshal(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // a programmer's error: the types are ours
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

type progressKey struct{}

// WithProgress returns a context whose calls of [Progress] go to fn.
func WithProgress(ctx context.Context, fn func(done, total int, message string)) context.Context {
	return context.WithValue(ctx, progressKey{}, fn)
}

// Progress tells whoever waits for the call how far it is: done of total
// steps. It may be called from any goroutine.
func Progress(ctx context.Context, done, total int, message string) {
	if fn, ok := ctx.Value(progressKey{}).(func(done, total int, message string)); ok {
		fn(done, total, message)
	}
}
