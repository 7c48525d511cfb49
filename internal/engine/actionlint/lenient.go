package actionlint

import (
	"bytes"
	"slices"
	"strings"

	upstream "github.com/rhysd/actionlint"
)

const noStrategy = `"strategy" section is scalar node`

// lenient makes of a workflow what GitHub takes it for where the library asks
// for more: an expression may stand for all of a strategy, and where a workflow
// is not only called by others, it may have secrets that callers do not hand
// over. It returns the errors that are left.
func lenient(w *upstream.Workflow, errs []*upstream.Error, text []byte) []*upstream.Error {
	if len(w.On) > 1 {
		for _, on := range w.On {
			if call, ok := on.(*upstream.WorkflowCallEvent); ok {
				call.Secrets = nil
			}
		}
	}
	return slices.DeleteFunc(errs, func(e *upstream.Error) bool {
		if e.Kind != kindSyntax || !strings.HasPrefix(e.Message, noStrategy) {
			return false
		}
		value, ok := expressionAt(text, e.Line, e.Column)
		job := jobAt(w, e.Line)
		if !ok || job == nil || job.Strategy == nil {
			return false
		}
		pos := &upstream.Pos{Line: e.Line, Col: e.Column}
		// Its type is not known; with one of an object, the matrix would be empty.
		job.Strategy.Matrix = &upstream.Matrix{Expression: &upstream.String{Value: value, Pos: pos}, Pos: pos}
		return true
	})
}

// expressionAt returns the ${{ }} that is all of a scalar on one line.
func expressionAt(text []byte, line, col int) (string, bool) {
	for n := 1; n < line; n++ {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return "", false
		}
		text = text[i+1:]
	}
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	if col < 1 || col > len(text) {
		return "", false
	}
	value, _, _ := strings.Cut(string(text[col-1:]), " #")
	value = strings.Trim(strings.TrimSpace(value), `"'`)
	return value, strings.HasPrefix(value, "${{") && strings.HasSuffix(value, "}}")
}

// jobAt returns the job that starts last before a line.
func jobAt(w *upstream.Workflow, line int) *upstream.Job {
	var last *upstream.Job
	for _, j := range w.Jobs {
		if j != nil && j.Pos != nil && j.Pos.Line <= line && (last == nil || j.Pos.Line > last.Pos.Line) {
			last = j
		}
	}
	return last
}
