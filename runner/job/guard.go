package job

import (
	"fmt"
	"strings"
)

// guarded decides skip and only of a job, or of the stage if j is nil. If it is
// not on, the result says why.
func (r *run) guarded(skip, only []Guard, j *Job) (res Result, on bool) {
	for _, g := range skip {
		hit, why, bad := r.ask(g, j)
		if bad != nil {
			return *bad, false
		}
		if hit {
			return Result{Job: j, Outcome: Skipped, ExitCode: -1, Reason: "skip: " + why}, false
		}
	}
	if len(only) == 0 {
		return res, true
	}
	var whys []string
	for _, g := range only {
		hit, why, bad := r.ask(g, j)
		if bad != nil {
			return *bad, false
		}
		if hit {
			return res, true
		}
		whys = append(whys, why)
	}
	return Result{Job: j, Outcome: Skipped, ExitCode: -1, Reason: "only: not " + strings.Join(whys, ", nor ")}, false
}

// ask tells whether a condition holds, in words. A command that gave no answer
// is bad.
func (r *run) ask(g Guard, j *Job) (hit bool, why string, bad *Result) {
	var whys []string
	for _, c := range []struct {
		asked, holds bool
		why          string
	}{
		{g.Always, true, "always"},
		{g.Merge, r.Facts.Merge, "during a merge"},
		{g.Rebase, r.Facts.Rebase, "during a rebase"},
		{len(g.Ref) > 0, r.Facts.Branch != "" && Match(g.Ref, r.Facts.Branch), "on branch " + strings.Join(g.Ref, " or ")},
	} {
		switch {
		case c.asked && c.holds:
			return true, c.why, nil
		case c.asked:
			whys = append(whys, c.why)
		}
	}
	if g.Run == "" || r.NoCommands != "" {
		if g.Run != "" {
			whys = append(whys, "asked of a command: "+r.NoCommands)
		}
		return false, strings.Join(whys, " or "), nil
	}
	why = fmt.Sprintf("%q says so", short(g.Run))
	res := r.step(j, "guard", g.Run, r.Limits.precondition())
	switch {
	case res.Outcome == Passed:
		return true, why, nil
	case res.saidNo():
		return false, strings.Join(append(whys, why), " or "), nil
	}
	res.Job = j
	return false, "", &res
}

// saidNo reports whether a command that was asked ended by itself and did not
// say yes; one that is not installed cannot say yes.
func (r *Result) saidNo() bool {
	return r.Outcome == Failed && (!r.NoVerdict || r.ExitCode == 126 || r.ExitCode == 127)
}
