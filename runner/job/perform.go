package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"poly/internal/diag"
	"poly/internal/proc"
	"poly/internal/toolout"
	"poly/internal/usererr"
)

// sh is the shell of every line.
const sh = "/bin/sh"

// perform runs a job that nothing stopped.
func (r *run) perform(p *plan) Result {
	j := p.job
	p.files = r.now(p.files)
	if res, on := r.guarded(j.Skip, j.Only, j); !on {
		return res
	}
	if j.Do != nil {
		return r.call(p)
	}
	if j.Probe != "" {
		if _, err := proc.Look(j.Probe, r.env(j), r.Root); err != nil {
			return Result{Outcome: Absent, NoVerdict: j.Required, ExitCode: -1, Reason: err.Error()}
		}
	}
	if j.Precondition != "" {
		if res := r.step(j, "precondition", j.Precondition, r.Limits.precondition()); res.saidNo() {
			return Result{Outcome: Skipped, ExitCode: -1, Reason: "its precondition said no"}
		} else if res.Outcome != Passed {
			return res
		}
	}
	if res, ok := r.recall(p); ok {
		return res
	}
	root := r.Root
	if r.Prepare != nil {
		dir, err := r.Prepare(r.ctx, j, p.files, p.whole)
		if err != nil {
			return Result{Outcome: Failed, NoVerdict: true, ExitCode: -1, Reason: reason(err)}
		}
		root = dir
	}
	for _, line := range j.Before {
		if res := r.stepIn(j, root, "before", line, r.Limits.step()); res.Outcome != Passed {
			res.NoVerdict = true
			return res
		}
	}
	return r.commands(p, root)
}

// call runs a function and makes a result of a panic.
func (r *run) call(p *plan) (res Result) {
	defer func() {
		if v := recover(); v != nil {
			r.Log.Error("a builtin panicked", "job", p.job.ID, "panic", v, "stack", string(debug.Stack()))
			res = Result{Outcome: Failed, NoVerdict: true, ExitCode: -1, Reason: fmt.Sprintf("panic: %v", v)}
		}
	}()
	return p.job.Do(r.ctx, p.files, func(s string) { r.emit(Event{Kind: Said, Job: p.job, Text: s}) })
}

// env is the environment of a job's children.
func (r *run) env(j *Job) []string {
	if j == nil {
		return proc.Setenv(r.Env, r.stage.Env...)
	}
	env := r.Env
	if j.GitEnv {
		env = proc.Setenv(env, r.GitEnv...)
	}
	env = proc.Setenv(env, j.Env...)
	if j.Cache.Compiler {
		env = r.Sccache.wrap(env, r.Root)
	}
	return env
}

// step runs one command beside a job, or beside the stage if j is nil.
func (r *run) step(j *Job, what, line string, limit time.Duration) Result {
	return r.stepIn(j, r.Root, what, line, limit)
}

func (r *run) stepIn(j *Job, root, what, line string, limit time.Duration) Result {
	c := proc.Cmd{Args: append([]string{sh, "-c", line, what}, r.Args...), Env: r.env(j), Dir: root, Limit: limit}
	if j != nil {
		c.Dir = filepath.Join(root, filepath.FromSlash(j.Root))
		c.Line = func(s string) { r.emit(Event{Kind: Said, Job: j, Text: s}) }
	}
	pr := r.Start(r.ctx, c)
	res := outcome(&pr, limit)
	res.Output, res.Truncated, res.Duration = pr.Output, pr.Truncated, pr.Duration
	if res.Outcome != Passed {
		res.Reason = fmt.Sprintf("%s %q: %s", what, short(line), res.Reason)
	}
	return res
}

// short cuts a line for a sentence.
func short(s string) string {
	s, _, more := strings.Cut(strings.TrimSpace(s), "\n")
	if len(s) > 80 {
		s, more = strings.ToValidUTF8(s[:80], ""), true
	}
	if more {
		s += " ..."
	}
	return s
}

// commands runs the command of a job, in several turns if its files are many.
func (r *run) commands(p *plan, root string) Result {
	j := p.job
	cmds, err := r.build(p, root)
	if err != nil {
		return Result{Outcome: Failed, NoVerdict: true, ExitCode: -1, Reason: reason(err)}
	}
	limit := r.Limits.of(j)
	started := time.Now()
	stop := r.notices(j, started)
	defer stop()
	if limit > 0 && startsCargo(j.command(r.Fix)) {
		r.awaitCargo(j, limit/2)
	}
	t := turns{out: &proc.Output{}, res: Result{Outcome: Passed, ExitCode: -1}}
	for _, c := range cmds {
		if limit > 0 {
			c.Limit = max(time.Millisecond, limit-time.Since(started))
		}
		if j.Stdout != nil {
			c.Stdout = &proc.Output{Keep: stdoutKeep}
		}
		pr := r.Start(r.ctx, c)
		if t.add(&pr, c.Stdout, limit); pr.Status == proc.TimedOut || pr.Status == proc.Cancelled {
			break
		}
	}
	if j.Stdout != nil {
		found, rest := j.Stdout([]byte(t.stdout.String()))
		t.res.Findings = r.located(found, root, j)
		// What it says of its work, such as "could not compile", comes last.
		said, cut := t.out.String(), t.out.Truncated()
		t.out = &proc.Output{}
		if j.Judge {
			rest += toolout.People(t.res.Findings)
		}
		_, _ = t.out.Write([]byte(rest + said))
		t.res.Truncated = t.res.Truncated || cut
		t.judge(j)
	}
	t.res.Output, t.res.Truncated = t.out.String(), t.res.Truncated || t.out.Truncated()
	return t.res
}

// turns joins the results of the turns that a job with many files takes.
type turns struct {
	out    *proc.Output
	stdout strings.Builder
	res    Result
}

// judge lets the findings decide, where they do.
func (t *turns) judge(j *Job) {
	n := 0
	for i := range t.res.Findings {
		if t.res.Findings[i].Severity == diag.Error {
			n++
		}
	}
	if !j.Judge || t.res.Outcome != Passed || n == 0 {
		return
	}
	t.res.Outcome, t.res.Reason = Failed, fmt.Sprintf("%d findings", n)
	if n == 1 {
		t.res.Reason = "1 finding"
	}
}

// add joins one turn: the first that failed decides, unless a later one gave no
// verdict.
func (t *turns) add(pr *proc.Result, stdout *proc.Output, limit time.Duration) {
	_, _ = t.out.Write([]byte(pr.Output))
	t.res.Truncated = t.res.Truncated || pr.Truncated
	if stdout != nil {
		t.stdout.WriteString(stdout.String())
		t.res.Truncated = t.res.Truncated || stdout.Truncated()
	}
	one := outcome(pr, limit)
	if t.res.ExitCode < 0 || t.res.Outcome == Passed && one.Outcome != Passed || one.NoVerdict && !t.res.NoVerdict {
		t.res.Outcome, t.res.Reason, t.res.NoVerdict, t.res.ExitCode = one.Outcome, one.Reason, one.NoVerdict, one.ExitCode
	}
}

// stdoutKeep bounds what is kept of output that is read by machine.
const stdoutKeep = 32 << 20

// located makes the paths of findings relative to the root, where they are below
// it, and sorts them.
func (r *run) located(found []Finding, root string, j *Job) []Finding {
	for i := range found {
		p := found[i].Path
		if p == "" {
			continue
		}
		if !filepath.IsAbs(p) {
			p = filepath.Join(root, filepath.FromSlash(j.Root), p)
		}
		if rel, err := filepath.Rel(root, p); err == nil && filepath.IsLocal(rel) {
			found[i].Path = filepath.ToSlash(rel)
		} else if j.Judge {
			found[i].Path = stray(root, j, p)
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return start(a) - start(b)
	})
	return slices.CompactFunc(found, func(a, b Finding) bool {
		return a.Path == b.Path && a.Code == b.Code && a.Title == b.Title && start(a) == start(b) && col(a) == col(b)
	})
}

// stray finds the file of the project that p is a copy of: go vet answers from
// its cache with paths of another checkout of the same package. The longest end
// of p that is a file here is the one.
func stray(root string, j *Job, p string) string {
	for rest := strings.TrimPrefix(filepath.ToSlash(p), "/"); rest != ""; {
		name := path.Join(path.Clean(j.Root), rest)
		if fi, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name))); err == nil && fi.Mode().IsRegular() {
			return name
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return p
}

func start(f Finding) int {
	if f.Span == nil {
		return 0
	}
	return f.Span.StartLine
}

func col(f Finding) int {
	if f.Span == nil {
		return 0
	}
	return f.Span.StartCol
}

// build makes the commands of a plan.
func (r *run) build(p *plan, root string) ([]proc.Cmd, error) {
	j := p.job
	base := proc.Cmd{Env: r.env(j), Dir: filepath.Join(root, filepath.FromSlash(j.Root)), Line: func(s string) { r.emit(Event{Kind: Said, Job: j, Text: s}) }}
	if j.UseStdin {
		base.Stdin = append([]byte{}, r.Stdin...)
	}
	if j.Interactive {
		base.Terminal = r.Terminal
	}
	lists := r.lists(p)
	space := proc.ArgSpace(base.Env) - 1024
	text := j.command(r.Fix)
	if j.Script != "" {
		return r.script(p, base, lists, space)
	}
	files := r.appended(p)
	if p.line.files() || MessageStage(r.stage.Name) && len(p.line.holes) > 0 {
		files = nil
	}
	lines, err := p.line.expand(lists, min(proc.MaxArg, space/2))
	if err != nil {
		return nil, err
	}
	args, rest := r.expandArgs(j, lists, files)
	if len(args)+len(rest) > 0 && takesArgs(text) {
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " \t\n") + ` "$@"`
		}
	} else if len(args)+len(rest) == 0 {
		args = r.Args // as $1 and so on
	}
	var out []proc.Cmd
	for _, l := range lines {
		out = append(out, batch(base, append([]string{sh, "-c", l, j.ID}, args...), rest, space)...)
	}
	return out, nil
}

// batch makes commands of fixed arguments and as many of files as fit.
func batch(base proc.Cmd, fixed, files []string, space int) []proc.Cmd {
	for _, a := range fixed {
		space -= proc.ArgCost(a)
	}
	var out []proc.Cmd
	for _, b := range proc.Batches(files, max(space, 1024), proc.ArgCost) {
		c := base
		c.Args = slices.Concat(fixed, b)
		out = append(out, c)
	}
	return out
}

// appended are the files that go behind a command that has no place for them.
func (r *run) appended(p *plan) []string {
	switch {
	case MessageStage(r.stage.Name) && len(r.Args) > 0:
		return r.Args[:1]
	case !p.takes:
		return nil
	}
	return paths(p.job, p.files)
}

// paths are the files as the job sees them: relative to the directory it runs
// in, and never like an option.
func paths(j *Job, files []File) []string {
	out := make([]string, 0, len(files))
	for _, f := range files {
		s := f.Path
		if j.Root != "" && j.Root != "." {
			s = strings.TrimPrefix(s, path.Clean(j.Root)+"/")
		}
		if strings.HasPrefix(s, "-") {
			s = "./" + s
		}
		out = append(out, s)
	}
	return out
}

// lists are what the templates stand for.
func (r *run) lists(p *plan) map[string][]string {
	files := paths(p.job, p.files)
	out := map[string][]string{"{0}": r.Args}
	for _, w := range fileWords {
		out[w] = files
	}
	for i, a := range r.Args {
		out["{"+strconv.Itoa(i+1)+"}"] = []string{a}
	}
	return out
}

// expandArgs expands the templates among a job's args. If files are appended, or
// one of args stands for files, they are rest, which may be cut into batches.
func (r *run) expandArgs(j *Job, lists map[string][]string, files []string) (args, rest []string) {
	for i, a := range j.Args {
		list, ok := lists[a]
		switch {
		case ok && slices.Contains(fileWords[:], a) && i == len(j.Args)-1:
			return args, list
		case ok:
			args = append(args, list...)
		default:
			args = append(args, a)
		}
		if ok && slices.Contains(fileWords[:], a) {
			files = nil
		}
	}
	return args, files
}

// script makes the commands of a job that is a file.
func (r *run) script(p *plan, base proc.Cmd, lists map[string][]string, space int) ([]proc.Cmd, error) {
	j := p.job
	file := j.Script
	if !filepath.IsAbs(file) && !strings.HasPrefix(file, "./") {
		file = "./" + file
	}
	args, rest := r.expandArgs(j, lists, r.appended(p))
	if len(j.Args) == 0 && len(rest) == 0 {
		args = r.Args
	}
	fixed := []string{file}
	if j.Runner != "" {
		fixed = []string{sh, "-c", j.Runner + ` "$@"`, j.ID, file}
	} else if _, err := proc.Look(file, base.Env, base.Dir); err != nil {
		return nil, err
	}
	return batch(base, append(fixed, args...), rest, space), nil
}

// outcome says what the end of a child means.
func outcome(pr *proc.Result, limit time.Duration) Result {
	res := Result{ExitCode: pr.Code}
	switch pr.Status {
	case proc.Exited:
		switch {
		case pr.Err != nil:
			res.Outcome, res.NoVerdict, res.Reason = Failed, true, reason(pr.Err)
		case pr.Code == 0:
			res.Outcome = Passed
		default:
			res.Outcome, res.Reason = Failed, fmt.Sprintf("exit code %d", pr.Code)
			if pr.Code == 126 || pr.Code == 127 {
				res.NoVerdict = true
				res.Reason = map[int]string{126: "a command could not be executed (exit code 126)", 127: "a command was not found (exit code 127)"}[pr.Code]
			}
		}
	case proc.Signalled:
		res.Outcome, res.NoVerdict, res.Reason = Failed, true, "ended by a signal: "+pr.Signal
	case proc.TimedOut:
		res.Outcome, res.NoVerdict, res.Reason = TimedOut, true, fmt.Sprintf("timed out: it did not end within %s", limit)
	case proc.Cancelled:
		res.Outcome, res.NoVerdict, res.Reason = Cancelled, true, "cancelled"
	default:
		res.Outcome, res.NoVerdict, res.Reason = Failed, true, "could not start"
		if errors.Is(pr.Err, proc.ErrClosed) {
			res.Outcome = Cancelled
		}
		if pr.Err != nil {
			res.Reason = reason(pr.Err)
		}
	}
	return res
}

// reason is an error with what to type about it.
func reason(err error) string {
	if h := usererr.Hint(err); h != "" {
		return err.Error() + ": " + h
	}
	return err.Error()
}

// notices tells now and then that a job still runs.
func (r *run) notices(j *Job, started time.Time) (stop func()) {
	if r.Event == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(r.ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		next := firstNotice
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(next):
				next = laterNotice
				r.emit(Event{Kind: Waits, Job: j, Text: fmt.Sprintf("still running after %s", time.Since(started).Round(time.Second))})
			}
		}
	}()
	return func() { cancel(); <-done }
}

// When it is told that a job still runs.
const (
	firstNotice = 15 * time.Second
	laterNotice = time.Minute
)
