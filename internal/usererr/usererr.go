// Package usererr holds errors meant to be read by the person, or agent, that
// can mend them. It prints nothing and decides no exit code.
package usererr

import (
	"errors"
	"fmt"
)

// Error says what is wrong and what to type about it. Msg is one sentence in
// lower case without a full stop, with file:line where there is one; Hint may
// be empty; Code is a stable identifier for machines ("unknown-key"), or empty.
type Error struct {
	Code string
	Msg  string
	Hint string
	Err  error // the cause; nil if there is none
}

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Msg + ": " + e.Err.Error()
	}
	return e.Msg
}

func (e *Error) Unwrap() error { return e.Err }

// New returns an error with a message and a hint.
func New(code, msg, hint string) *Error { return &Error{Code: code, Msg: msg, Hint: hint} }

// Newf returns an error without a hint; args are as for [fmt.Errorf].
func Newf(code, format string, args ...any) *Error {
	return &Error{Code: code, Msg: fmt.Sprintf(format, args...)}
}

// Hint returns the hint of the first Error in err's chain that has one, else "".
func Hint(err error) string {
	var e *Error
	for errors.As(err, &e) {
		if e.Hint != "" {
			return e.Hint
		}
		err = e.Err
	}
	return ""
}

// Nearest returns the candidate that is closest to word by edit distance, or
// "" if none is near enough to be worth suggesting (distance at most a third
// of the longer word, and at most 3).
func Nearest(word string, candidates []string) string {
	best, bestDist := "", 4
	for _, c := range candidates {
		d := distance(word, c)
		if d < bestDist && d*3 <= max(len(word), len(c)) {
			best, bestDist = c, d
		}
	}
	return best
}

// distance is the Levenshtein distance with adjacent transpositions, in bytes.
func distance(a, b string) int {
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
