package main

import (
	"context"
	"errors"
	"fmt"

	"poly/internal/diag"
	"poly/internal/usererr"
)

// Exit codes. They are decided here and nowhere else.
const (
	exitClean       = 0
	exitFindings    = 1   // error-severity findings, or drift
	exitUnverified  = 2   // the run verified less than it claims: wrong use, config, errored files, skip budget
	exitInterrupted = 130 // Ctrl-C
)

// exitError carries an exit code for which everything has been said already.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit %d", e.code) }

// finish prints err for a person and returns the exit code it stands for.
func (a *app) finish(ctx context.Context, err error) int {
	var done *exitError
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &done):
		return done.code
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintln(a.stderr, "poly: interrupted")
		return exitInterrupted
	}
	fmt.Fprintf(a.stderr, "poly: error: %v\n", err)
	if hint := usererr.Hint(err); hint != "" {
		fmt.Fprintf(a.stderr, "poly: hint: %s\n", hint)
	}
	return exitUnverified
}

// verdict returns the exit code of a finished run. 2 outranks 1.
func verdict(r *diag.Report, maxSkips int) int {
	switch {
	case r.Summary.Errored > 0, maxSkips >= 0 && r.Summary.Skipped > maxSkips:
		return exitUnverified
	case failed(r):
		return exitFindings
	}
	return exitClean
}

func failed(r *diag.Report) bool {
	for i := range r.Files {
		f := &r.Files[i]
		if f.Changed && !r.Fix {
			return true
		}
		for j := range f.Diagnostics {
			if f.Diagnostics[j].Severity == diag.Error {
				return true
			}
		}
	}
	return false
}
