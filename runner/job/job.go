// Package job is the one model and executor of jobs: of git hooks and of the
// whole-project phase. It decodes what [hooks] says, expands command lines,
// plans who may run beside whom, runs, and tells what became of each job.
//
// It knows no git and keeps no state: branch, lists of files, the environment
// and the cache come in as values. It changes no index; a caller that restages
// what a job changed does it in [Executor].After.
//
// # Order
//
// Priorities run one after the other, the lowest first. Within one, jobs run at
// the same time unless one of two is in the way of the other; then the one that
// is written first goes first. In each other's way are: jobs of the same serial
// word; a job that writes (stage_fixed, or the fix form in fix mode) and one
// that gets one of the same files, or looks at the whole project; an
// interactive job and any other. So each fixer of a file sees what the former
// made of it, and a check that is written behind a fixer sees what was fixed.
package job

import (
	"context"
	"fmt"
	"slices"
	"time"

	"poly/internal/toolout"
)

// Job is one command, script or function and when, where and on what it runs.
type Job struct {
	ID     string // unique in its stage
	Origin string // "file:line" where it is written; "" for a builtin

	Run    string // a line for sh; exactly one of Run, Script and Do is set
	Fix    string // the line of fix mode; "": Run, if it changes nothing
	Script string // a file, relative to the directory it runs in unless absolute
	Runner string // what executes the script; "": the file itself
	Args   []string
	// Do runs in this process and stays when commands are switched off. It is
	// told the files that matched.
	Do func(ctx context.Context, files []File, say func(string)) Result

	Files     []string // globs; none: every file
	Exclude   []string // globs
	FileTypes []string // tags all of which a file has
	Root      string   // below the root of the run, slash-separated; "" is the root
	Env       []string
	GitEnv    bool // its children get git's GIT_* variables; the caller sees to it
	Tags      []string
	Needs     []string // globs of files it reads besides its own; the caller sees to it

	Priority    int
	Serial      string // a word; "": none
	Workspace   bool   // it looks at the whole project and gets no files
	Interactive bool
	UseStdin    bool
	StageFixed  bool // the caller stages what it changes

	Skip, Only   []Guard
	Precondition string
	Before       []string
	Timeout      Timeout
	FailText     string

	Cache Caching
	// Probe is a program without which the job is absent; "": none.
	Probe string
	// Required makes a run whose job is absent one without a verdict.
	Required bool
	// Stdout tells how to read standard output; nil: it is for people.
	Stdout func(stdout []byte) (found []Finding, rest string)
	// Judge makes a job fail whose findings have one of error severity: its
	// exit code does not tell.
	Judge bool
	// Identity are commands whose output is part of the cache key, such as
	// "rustc -vV"; EnvKeys name variables that are, "GO*" a family of them.
	Identity [][]string
	EnvKeys  []string
}

// Finding is a diagnostic that a tool gave for a file. The executor makes its
// path relative to the root, if it is below it.
type Finding = toolout.Finding

// Guard is one condition of skip or only.
type Guard struct {
	Always bool // true was written
	Merge  bool
	Rebase bool
	Ref    []string // globs of branches
	Run    string   // a command that says yes
}

// Timeout is what a job says of its time limit. The zero value leaves it to the
// defaults.
type Timeout struct {
	Set   bool
	Limit time.Duration // 0 with Set: none
}

// Caching says when a result may be used again.
type Caching struct {
	Mode     CacheMode
	Inputs   []string // globs of the files the result depends on
	Compiler bool
}

// CacheMode is which results may be used again.
type CacheMode uint8

// Off keeps nothing; Safe what declares its inputs; Aggressive also what gets
// files, as if it read no other.
const (
	CacheUnset CacheMode = iota
	Off
	Safe
	Aggressive
)

// ParseCacheMode reads off, safe or aggressive; CacheUnset for anything else.
func ParseCacheMode(s string) CacheMode {
	return CacheMode(max(0, slices.Index([]string{"", "off", "safe", "aggressive"}, s)))
}

// Stage is the jobs of a stage and what holds for all of them.
type Stage struct {
	Name         string
	Parallel     bool
	Piped        bool // the first failure stops the stage
	ExcludeTags  []string
	Skip, Only   []Guard
	Precondition string
	Before       []string
	After        []string
	Env          []string
	Jobs         []Job // in the order they are written
}

// File is a file that jobs may get. Path is slash-separated from the root.
type File struct {
	Path string
	ID   string // digest of its bytes and form; "": unknown, which is never cached
	Exec bool
	Link bool
	// Gone: it is deleted. Such a file makes jobs run whose filter it matches,
	// and is never handed to one.
	Gone bool
}

// Outcome is what became of a job.
type Outcome uint8

// The outcomes.
const (
	Passed Outcome = 1 + iota
	Failed
	Skipped
	Absent // its program is not installed
	TimedOut
	Cancelled
)

var outcomeNames = [...]string{"", "passed", "failed", "skipped", "absent", "timed_out", "cancelled"}

func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return fmt.Sprintf("Outcome(%d)", o)
}

// Result is what became of one job.
type Result struct {
	Job     *Job
	Outcome Outcome
	Reason  string // why, unless it passed; "" if the outcome says it all
	// NoVerdict: the job neither passed nor said no: it did not start, ran into
	// its limit, was killed, or what must come before it failed.
	NoVerdict bool
	Cached    bool
	Duration  time.Duration
	ExitCode  int // of the first command that failed; -1 if none tells
	Output    string
	Truncated bool // the middle of Output is left out
	Findings  []Finding
	Files     []File   // that it got
	Changed   []string // paths that it changed, as Executor.After found
}

// fails reports whether the run cannot have passed.
func (r *Result) fails() bool {
	switch r.Outcome {
	case Failed, TimedOut, Cancelled:
		return true
	case Absent:
		return r.Job != nil && r.Job.Required
	default:
		return r.NoVerdict
	}
}

// Report is what became of a stage. Results are in the order of the jobs.
type Report struct {
	Stage   *Stage
	Skipped string // why no job was looked at; "" if they were
	Results []Result
	// Steps are the stage's own before and after commands that failed, or
	// were cancelled.
	Steps []Result
}

// Passed reports whether nothing failed, timed out, was cancelled, or was
// absent though it is required.
func (r *Report) Passed() bool { return r.Exit() == 0 }

// Exit is 0; 1 if a job or check said no; 2 if one gave no verdict.
func (r *Report) Exit() int {
	code := 0
	for _, set := range [][]Result{r.Results, r.Steps} {
		for i := range set {
			x := &set[i]
			switch {
			case !x.fails():
			case x.NoVerdict || x.Outcome != Failed:
				return 2
			default:
				code = 1
			}
		}
	}
	return code
}
