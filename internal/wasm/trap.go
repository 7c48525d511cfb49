package wasm

import (
	"context"
	"errors"
	"strings"
)

// Trap means that a module broke off inside a call. Its state is unknown now.
type Trap struct {
	Module string
	Reason string // "unreachable"
	// Full means that the memory of the instance was close to its bound: a module
	// that gets no more panics.
	Full bool
	err  error
}

// TooMuch is the reason to decline a text over which a module's memory was full.
const TooMuch = "needs more memory than an engine may have"

func (t *Trap) Error() string { return t.Module + " broke off: " + t.Reason }

// Unwrap returns what the runtime said.
func (t *Trap) Unwrap() error { return t.err }

// NewTrap makes an error of a call into a module a short one. It returns nil
// if err is nil.
func NewTrap(module string, err error) error {
	if err == nil {
		return nil
	}
	if t, ok := errors.AsType[*Trap](err); ok {
		return t
	}
	return &Trap{Module: module, Reason: reason(err), err: err}
}

// reason is the first line of what the runtime says, without its preambles;
// the others are a stack of functions without names.
func reason(err error) string {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return "cancelled"
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	text = strings.TrimPrefix(text, "wasm error: ")
	text, _, _ = strings.Cut(text, " (recovered by wazero)")
	return text
}
