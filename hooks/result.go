package hooks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"poly/internal/diag"
	"poly/runner/job"
)

// Outcome is what became of one job.
type Outcome string

// The outcomes. Errored, TimedOut and Killed gave no verdict.
const (
	Passed   Outcome = "passed"
	Failed   Outcome = "failed"
	Skipped  Outcome = "skipped"
	Errored  Outcome = "errored"
	TimedOut Outcome = "timed_out"
	Killed   Outcome = "killed"
)

// Result is the outcome of one builtin or job.
type Result struct {
	Name     string
	Outcome  Outcome
	Reason   string // why it was skipped, failed or gave no verdict
	Exit     int    // exit code of a command; 0 for a builtin, -1 if there was none
	Duration time.Duration
	Files    int
	Cached   bool
	Fixed    []string // paths it changed
	Output   []byte
	FailText string       // what the configuration says about a failure
	Report   *diag.Report // of a builtin; nil: Output is all there is
}

// Run is the outcome of a stage.
type Run struct {
	Stage    string
	Judged   string
	Files    int
	Results  []Result
	Notes    []string // what people should know: fixes that were left out, links
	Skipped  string   // why the whole stage did not run
	Fixed    []string // paths whose staged content was replaced
	Duration time.Duration
	Planned  []Planned // with Request.Plan: what would run
}

// Planned is a job as it would run.
type Planned struct {
	Name    string
	Command string // "" for a builtin
	Origin  string // "file:line" where it is written
	Skip    string // why it would not run
	Where   string // what it sees
	Files   []string
	Asks    []string // commands that decide whether it runs
	After   []string // jobs it waits for
}

// Code is 0 if everything passed, 1 if something said no, 2 if something gave
// no verdict.
func (r *Run) Code() int {
	code := 0
	for i := range r.Results {
		switch r.Results[i].Outcome {
		case Errored, TimedOut, Killed:
			return 2
		case Failed:
			code = 1
		}
	}
	return code
}

// planned tells people what would run.
func (r *stageRun) planned(plans []job.Planned) []Planned {
	out := make([]Planned, 0, len(plans))
	for i := range plans {
		p := &plans[i]
		if len(r.req.Jobs) > 0 && !slices.Contains(r.req.Jobs, p.Job.ID) {
			continue
		}
		o := Planned{
			Name: p.Job.ID, Command: p.Command, Origin: p.Job.Origin, Skip: p.Skip, Files: paths(p.Files), Asks: p.Asks, After: p.After,
			Where: "the worktree",
		}
		switch {
		case p.Job.Do != nil:
			o.Where = r.out.Judged
		case r.isolated() && (p.Whole || p.Job.GitEnv):
			o.Where = "a snapshot of everything that is staged"
		case r.isolated():
			o.Where = "a snapshot of its files and what it needs"
		}
		out = append(out, o)
	}
	return out
}

// result makes a result of that of a job or step.
func (r *stageRun) result(j *job.Result) Result {
	res := Result{
		Name: r.req.Stage.Name, Reason: j.Reason, Exit: j.ExitCode, Duration: j.Duration, Files: len(j.Files), Cached: j.Cached,
		Fixed: j.Changed, Output: output(j),
	}
	if j.Job != nil {
		res.Name, res.FailText = j.Job.ID, j.Job.FailText
		if j.Job.Do != nil {
			r.mu.Lock()
			res.Report = r.reports[j.Job.ID]
			r.mu.Unlock()
		}
	}
	switch j.Outcome {
	case job.Passed:
		res.Outcome = Passed
	case job.Skipped:
		res.Outcome = Skipped
	case job.TimedOut:
		res.Outcome = TimedOut
	case job.Cancelled:
		res.Outcome = Killed
	default:
		res.Outcome = Failed
		if j.NoVerdict {
			res.Outcome = Errored
		}
		if j.Outcome == job.Absent && !j.NoVerdict {
			res.Outcome = Skipped
		}
	}
	return res
}

// output is what a job printed, and what its tool found as lines.
func output(j *job.Result) []byte {
	out := []byte(j.Output)
	if len(out) > 0 && out[len(out)-1] != '\n' && len(j.Findings) > 0 {
		out = append(out, '\n')
	}
	for i := range j.Findings {
		f := &j.Findings[i]
		if f.Path != "" {
			out = append(out, f.Path+":"...)
			if f.Span != nil {
				out = fmt.Appendf(out, "%d:%d:", f.Span.StartLine, f.Span.StartCol)
			}
			out = append(out, ' ')
		}
		out = fmt.Appendf(out, "%s: %s", f.Severity, f.Title)
		if f.Code != "" {
			out = append(out, " ("+f.Code+")"...)
		}
		out = append(out, '\n')
	}
	return out
}

func filesIn(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

func paths(files []job.File) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = f.Path
	}
	return out
}

// listed names a few of some paths.
func listed(list []string) string {
	const most = 5
	if len(list) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
	}
	return strings.Join(list, ", ")
}
