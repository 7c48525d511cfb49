package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"poly/internal/proc"
)

// bench is a directory that jobs run in, and the log they write to.
type bench struct {
	*Executor
	t   *testing.T
	dir string
}

func newBench(t *testing.T, names ...string) *bench {
	t.Helper()
	o := proc.New()
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	dir := t.TempDir()
	b := &bench{t: t, dir: dir, Executor: &Executor{Start: o.Run, Root: dir, Jobs: 8, Env: []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "LOG=" + dir + "/log"}}}
	for _, n := range names {
		b.write(n, n)
		b.Files = append(b.Files, File{Path: n, ID: "id of " + n})
	}
	return b
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	p := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o755); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) read(name string) string {
	text, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		b.t.Fatal(err)
	}
	return string(text)
}

func (b *bench) run(jobs ...Job) Report {
	b.t.Helper()
	return b.stage(Stage{Name: "pre-commit", Parallel: true, Jobs: jobs})
}

func (b *bench) stage(st Stage) Report {
	b.t.Helper()
	for i := range st.Jobs {
		if st.Jobs[i].ID == "" {
			st.Jobs[i].ID = fmt.Sprint("j", i+1)
		}
	}
	return b.Run(b.t.Context(), &st)
}

// lines shows what became of the jobs, one a line.
func lines(rep *Report) string {
	var b strings.Builder
	if rep.Skipped != "" {
		fmt.Fprintf(&b, "stage: %s\n", rep.Skipped)
	}
	for _, set := range [][]Result{rep.Results, rep.Steps} {
		for _, r := range set {
			id := "step"
			if r.Job != nil {
				id = r.Job.ID
			}
			fmt.Fprintf(&b, "%s %s", id, r.Outcome)
			if r.NoVerdict {
				b.WriteString("!")
			}
			if r.Cached {
				b.WriteString(" cached")
			}
			if r.Reason != "" {
				b.WriteString(": " + r.Reason)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		job  Job
		want string
		exit int
	}{
		{"passes", Job{Run: "true"}, "passed", 0},
		{"says no", Job{Run: "exit 3"}, "failed: exit code 3", 1},
		{"is killed", Job{Run: "kill -9 $$"}, "failed!: ended by a signal: killed", 2},
		{"hangs", Job{Run: "sleep 1000", Timeout: Timeout{true, 200 * time.Millisecond}}, "timed_out!: timed out: it did not end within 200ms", 2},
		{"not found", Job{Run: "no-such-tool-xyz"}, "failed!: a command was not found (exit code 127)", 2},
		{"no match", Job{Run: "false", Files: []string{"*.py"}}, "skipped: no file matches", 0},
		{"no match, whole", Job{Run: "false", Files: []string{"*.py"}, Workspace: true}, "skipped: no file matches", 0},
		{"absent", Job{Run: "false", Probe: "no-such-tool"}, "absent: no-such-tool is not installed, or not in PATH", 0},
		{"absent but required", Job{Run: "false", Probe: "no-such-tool", Required: true}, "absent!: no-such-tool is not installed, or not in PATH", 2},
		{"skip", Job{Run: "false", Skip: []Guard{{Always: true}}}, "skipped: skip: always", 0},
		{"skip asked", Job{Run: "false", Skip: []Guard{{Run: "test -e a.go"}}}, `skipped: skip: "test -e a.go" says so`, 0},
		{"only", Job{Run: "false", Only: []Guard{{Merge: true}, {Run: "exit 1"}}}, `skipped: only: not during a merge, nor "exit 1" says so`, 0},
		{"only on a branch", Job{Run: "true", Only: []Guard{{Ref: []string{"feature/*"}}}}, "passed", 0},
		{"skip on a branch", Job{Run: "true", Skip: []Guard{{Ref: []string{"feat*"}, Rebase: true}}}, "skipped: skip: on branch feat*", 0},
		{"guard is killed", Job{Run: "true", Only: []Guard{{Run: "kill -9 $$"}}}, `passed`, 0},
		{"precondition", Job{Run: "false", Precondition: "exit 1"}, "skipped: its precondition said no", 0},
		{"before fails", Job{Run: "true", Before: []string{"true", "exit 4"}}, `failed!: before "exit 4": exit code 4`, 2},
		{"script is gone", Job{Script: "gone.sh"}, "failed!: ./gone.sh does not exist: mend the path, or create the file", 2},
		{"no directory", Job{Run: "true", Root: "gone", Workspace: true}, "failed!: cannot start /bin/sh: its directory does not exist: create it, or mend root", 2},
		{"unsafe", Job{Run: "sh -c 'sh -c \"x {staged_files}\"'"}, `failed!: "b c.go" cannot be handed over safely where {staged_files} stands: write {staged_files} outside of quotes, or rename the file`, 2},
		{"panics", Job{Do: func(context.Context, []File, func(string)) Result { panic("ouch") }}, "failed!: panic: ouch", 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, "a.go", "b c.go")
			b.Facts.Branch = "feature/x"
			if tc.name == "guard is killed" {
				tc.want, tc.exit = `failed!: guard "kill -9 $$": ended by a signal: killed`, 2
			}
			rep := b.run(tc.job)
			if got := lines(&rep); got != "j1 "+tc.want+"\n" || rep.Exit() != tc.exit {
				t.Errorf("exit %d, %swant %d, %s", rep.Exit(), got, tc.exit, tc.want)
			}
		})
	}
}

func TestWhatJobsGet(t *testing.T) {
	t.Parallel()
	const show = `for a; do printf '[%s]' "$a"; done`
	for _, tc := range []struct {
		name, stage string
		args        []string
		job         Job
		want        string
	}{
		{"template", "pre-commit", nil, Job{Run: "./show {staged_files}"}, "[./-x.go][a b.go][sub/c.go]"},
		{"filter", "pre-commit", nil, Job{Run: "./show", Files: []string{"*.go"}, Exclude: []string{"-x.go"}}, "[a b.go][sub/c.go]"},
		{"args", "pre-commit", nil, Job{Run: "./show", Files: []string{"*.go"}, Args: []string{"--x", "y z"}}, "[--x][y z][./-x.go][a b.go][sub/c.go]"},
		{"args with a template", "pre-commit", nil, Job{Run: "./show", Args: []string{"{files}", "--end"}}, "[./-x.go][a b.go][sub/c.go][--end]"},
		{"no filter, no template", "pre-commit", nil, Job{Run: "./show"}, ""},
		{"workspace", "pre-commit", nil, Job{Run: "./show", Files: []string{"*.go"}, Workspace: true}, ""},
		{"root", "pre-commit", nil, Job{Run: "../show {staged_files}", Root: "sub"}, "[c.go]"},
		{"script", "pre-commit", nil, Job{Script: "show", Files: []string{"a*"}}, "[a b.go]"},
		{"runner", "pre-commit", nil, Job{Script: "show", Runner: "sh -e", Files: []string{"a*"}, Args: []string{"1"}}, "[1][a b.go]"},
		{"own parameters", "pre-commit", nil, Job{Run: `for a in "$@"; do printf "<%s>" "$a"; done`, Files: []string{"*.go"}}, "<./-x.go><a b.go><sub/c.go>"},
		{"message", "commit-msg", []string{".git/MSG"}, Job{Run: "./show"}, "[.git/MSG]"},
		{"message, template", "commit-msg", []string{".git/MSG"}, Job{Run: "./show x{1}"}, "[x.git/MSG]"},
		{"post-checkout", "post-checkout", []string{"o", "n", "1"}, Job{Run: `./show "$1" {2} {3}`}, "[o][n][1]"},
		{"post-checkout script", "post-checkout", []string{"o", "n", "1"}, Job{Script: "show"}, "[o][n][1]"},
		{"prepare", "prepare-commit-msg", []string{"m"}, Job{Run: "./show {1} {2} {3}"}, "[m][][]"},
		{"stdin", "pre-push", []string{"origin", "url"}, Job{Run: "cat", UseStdin: true}, "refs"},
		{"no stdin", "pre-push", nil, Job{Run: "cat"}, ""},
		{"environment", "pre-commit", nil, Job{Run: `echo $A$B`, Env: []string{"A=1", "B=2"}}, "12\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, "-x.go", "a b.go", "sub/c.go")
			b.write("show", "#!/bin/sh\n"+show+"\n")
			b.Args, b.Stdin = tc.args, []byte("refs")
			rep := b.stage(Stage{Name: tc.stage, Parallel: true, Jobs: []Job{tc.job}})
			if got := rep.Results[0]; got.Output != tc.want || got.Outcome != Passed {
				t.Errorf("%q (%s), want %q", got.Output, lines(&rep), tc.want)
			}
		})
	}
}

// TestManyFiles: 20,000 names reach the command once each, whatever way.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range 20_000 {
		b.Files = append(b.Files, File{Path: fmt.Sprintf("some directory/with a long name/%0100d.txt", i)})
	}
	b.write("count", "#!/bin/sh\nfor a; do echo \"$a\"; done >>\"$LOG.$1\"\n")
	rep := b.run(Job{Run: "./count 1 {staged_files}"}, Job{Run: "./count 2", Files: []string{"*.txt"}}, Job{Script: "count", Args: []string{"3"}, Files: []string{"*.txt"}})
	if rep.Exit() != 0 {
		t.Fatal(lines(&rep))
	}
	for _, n := range []string{"1", "2", "3"} {
		got := strings.Split(strings.TrimSuffix(strings.ReplaceAll(b.read("log."+n), n+"\n", ""), "\n"), "\n")
		slices.Sort(got)
		if len(got) != len(b.Files) || len(slices.Compact(got)) != len(b.Files) || got[7] != b.Files[7].Path {
			t.Errorf("way %s: %d names", n, len(got))
		}
	}
}

// TestFixersOfAFileNeverOverlap: each sees what the former made; those of other
// files run meanwhile, and a check behind a fixer sees the fixed file.
func TestFixersOfAFileNeverOverlap(t *testing.T) {
	t.Parallel()
	b := newBench(t, "a.txt", "b.txt")
	b.write("append", "#!/bin/sh\nw=$1; shift; for f; do x=$(cat \"$f\"); sleep 0.05; printf '%s,%s' \"$x\" \"$w\" >\"$f\"; done\n")
	fix := func(w, glob string) Job {
		return Job{ID: w, Run: "./append " + w + " {staged_files}", Files: []string{glob}, StageFixed: true}
	}
	var events []string
	b.Event = func(e Event) {
		if e.Kind == Began || e.Kind == Ended {
			events = append(events, fmt.Sprint(e.Job.ID, e.Kind))
		}
	}
	rep := b.run(fix("1", "a.txt"), fix("2", "*.txt"), fix("3", "b.txt"), fix("4", "a.txt"), Job{ID: "check", Run: "cat {staged_files}", Files: []string{"*.txt"}}, Job{ID: "whole", Run: "cat a.txt"})
	if got := b.read("a.txt") + " " + b.read("b.txt"); got != "a.txt,1,2,4 b.txt,2,3" {
		t.Errorf("files: %s", got)
	}
	if got := rep.Results[4].Output + " " + rep.Results[5].Output; got != "a.txt,1,2,4b.txt,2,3 a.txt,1,2,4" {
		t.Errorf("checks saw %s", got)
	}
	at := func(s string) int { return slices.Index(events, s) }
	if at("3"+fmt.Sprint(Began)) > at("4"+fmt.Sprint(Ended)) {
		t.Errorf("fixers of other files wait for each other: %q", events)
	}
}

// TestOrder: what runs beside what.
func TestOrder(t *testing.T) {
	t.Parallel()
	job := func(id string, more func(*Job)) Job {
		j := Job{ID: id, Run: "true"}
		if more != nil {
			more(&j)
		}
		return j
	}
	for _, tc := range []struct {
		name string
		st   Stage
		want map[string]string // id -> those it waits for
	}{
		{"parallel", Stage{Parallel: true, Jobs: []Job{job("a", nil), job("b", nil)}}, map[string]string{"a": "", "b": ""}},
		{"not parallel", Stage{Jobs: []Job{job("a", nil), job("b", nil), job("c", nil)}}, map[string]string{"a": "", "b": "a", "c": "a b"}},
		{"serial", Stage{Parallel: true, Jobs: []Job{job("a", func(j *Job) { j.Serial = "x" }), job("b", func(j *Job) { j.Serial = "y" }), job("c", func(j *Job) { j.Serial = "x" })}}, map[string]string{"a": "", "b": "", "c": "a"}},
		{"priority", Stage{Jobs: []Job{job("a", func(j *Job) { j.Priority = 2 }), job("b", nil)}}, map[string]string{"a": "", "b": ""}},
		{"interactive", Stage{Parallel: true, Jobs: []Job{job("a", nil), job("b", func(j *Job) { j.Interactive = true }), job("c", nil)}}, map[string]string{"a": "", "b": "a", "c": "b"}},
	} {
		b := newBench(t, "a.txt")
		tc.st.Name = "pre-commit"
		got := map[string]string{}
		for _, p := range b.Plan(t.Context(), &tc.st) {
			got[p.Job.ID] = strings.Join(p.After, " ")
		}
		if fmt.Sprint(got) != fmt.Sprint(tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestPipedStops(t *testing.T) {
	t.Parallel()
	b := newBench(t, "a.txt")
	rep := b.stage(Stage{Name: "pre-commit", Parallel: true, Piped: true, Jobs: []Job{
		{ID: "late", Run: "echo late >>$LOG", Priority: 5}, {ID: "a", Run: "echo a >>$LOG"}, {ID: "b", Run: "exit 1"}, {ID: "c", Run: "echo c >>$LOG"},
	}})
	if got := b.read("log"); got != "a\n" {
		t.Errorf("ran %q", got)
	}
	want := "late skipped: not run: b failed before it\na passed\nb failed: exit code 1\nc skipped: not run: b failed before it\n"
	if got := lines(&rep); got != want || rep.Exit() != 1 {
		t.Errorf("%d, %s", rep.Exit(), got)
	}
}

func TestStageSteps(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		st   Stage
		ran  string
		exit int
		want string
	}{
		{"all well", Stage{Before: []string{"echo b >>$LOG"}, After: []string{"echo z >>$LOG"}}, "b\nj\nz\n", 0, "j1 passed\n"},
		{"precondition", Stage{Precondition: "exit 1", Before: []string{"echo b >>$LOG"}}, "", 0, "stage: its precondition said no\nj1 skipped: its precondition said no\n"},
		{"precondition hangs", Stage{Precondition: "kill -9 $$"}, "", 2, "j1 failed!: not run: precondition \"kill -9 $$\": ended by a signal: killed\nstep failed!: precondition \"kill -9 $$\": ended by a signal: killed\n"},
		{"before fails", Stage{Before: []string{"exit 2", "echo b >>$LOG"}}, "", 2, "j1 failed!: not run: before \"exit 2\": exit code 2\nstep failed!: before \"exit 2\": exit code 2\n"},
		{"after fails", Stage{After: []string{"exit 2", "echo z >>$LOG"}}, "j\n", 1, "j1 passed\nstep failed: after \"exit 2\": exit code 2\n"},
		{"skipped", Stage{Skip: []Guard{{Run: "true"}}}, "", 0, "stage: skip: \"true\" says so\n"},
		{"tag", Stage{ExcludeTags: []string{"slow"}}, "", 0, "j1 skipped: its tag slow is excluded\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, "a.txt")
			tc.st.Name, tc.st.Jobs = "pre-commit", []Job{{Run: "echo j >>$LOG", Tags: []string{"slow"}}}
			if tc.name != "tag" {
				tc.st.Jobs[0].Tags = nil
			}
			rep := b.stage(tc.st)
			if got := lines(&rep); got != tc.want || b.read("log") != tc.ran || rep.Exit() != tc.exit {
				t.Errorf("exit %d, ran %q, %swant %d, %q, %s", rep.Exit(), b.read("log"), got, tc.exit, tc.ran, tc.want)
			}
		})
	}
}

// TestNoCommands: nothing starts, and everything says so; what runs in this
// process runs.
func TestNoCommands(t *testing.T) {
	t.Parallel()
	b := newBench(t, "a.txt")
	b.NoCommands = "commands are switched off (--no-commands)"
	b.Start = func(_ context.Context, c proc.Cmd) proc.Result {
		t.Errorf("started %q", c.Args)
		return proc.Result{}
	}
	rep := b.stage(Stage{
		Name: "pre-commit", Skip: []Guard{{Run: "true"}}, Precondition: "false", Before: []string{"x"}, After: []string{"y"},
		Jobs: []Job{{Run: "x", Precondition: "y", Skip: []Guard{{Run: "z"}}}, {Do: func(_ context.Context, f []File, _ func(string)) Result {
			return Result{Outcome: Passed, Output: f[0].Path}
		}}},
	})
	if got := lines(&rep); got != "j1 skipped: commands are switched off (--no-commands)\nj2 passed\n" || rep.Results[1].Output != "a.txt" {
		t.Error(got)
	}
}

// TestFixMode: the fix form runs in fix mode only, and one job that fixes waits
// for the other.
func TestFixMode(t *testing.T) {
	t.Parallel()
	for _, fix := range []bool{false, true} {
		b := newBench(t, "a.txt")
		b.Fix = fix
		rep := b.run(Job{Run: "echo check >>$LOG", Fix: "echo fix >>$LOG; sleep 0.1; echo done >>$LOG", Workspace: true}, Job{Run: "echo other >>$LOG", Workspace: true})
		want := map[bool]string{true: "fix\ndone\nother\n"}[fix]
		if got := b.read("log"); rep.Exit() != 0 || want != "" && got != want || strings.Contains(got, "fix") != fix {
			t.Errorf("fix %v: %q", fix, got)
		}
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	b := newBench(t, "a.txt")
	ctx, cancel := context.WithCancel(t.Context())
	b.Event = func(e Event) {
		if e.Kind == Said && e.Text == "ready" {
			cancel()
		}
	}
	st := &Stage{Name: "pre-commit", Jobs: []Job{{ID: "a", Run: "true"}, {ID: "b", Run: "echo ready; sleep 1000"}, {ID: "c", Run: "true"}}}
	rep := b.Run(ctx, st)
	if got := lines(&rep); got != "a passed\nb cancelled!: cancelled\nc cancelled: cancelled before it began\n" || rep.Exit() != 2 {
		t.Errorf("exit %d: %s", rep.Exit(), got)
	}
}

type memory struct {
	mu sync.Mutex
	m  map[[32]byte][]byte
}

func (c *memory) Get(_ context.Context, k [32]byte) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.m[k]
	return v, ok
}

func (c *memory) Put(_ context.Context, k [32]byte, v []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[k] = v
}

// TestCache: a result is used again if nothing it depends on changed, and only
// if it passed.
func TestCache(t *testing.T) {
	t.Parallel()
	declared := Job{Run: "echo ran >>$LOG; echo out", Workspace: true, Cache: Caching{Inputs: []string{"*.go"}}}
	files := Job{Run: "echo ran >>$LOG; echo out {staged_files}"}
	for _, tc := range []struct {
		name   string
		job    Job
		mode   CacheMode
		change func(*bench, *Job)
		cached bool
	}{
		{"declared", declared, Safe, nil, true},
		{"declared, off", declared, Off, nil, false},
		{"declared, job says off", Job{Run: declared.Run, Workspace: true, Cache: Caching{Mode: Off, Inputs: []string{"*.go"}}}, Safe, nil, false},
		{"files, safe", files, Safe, nil, false},
		{"files, aggressive", files, Aggressive, nil, true},
		{"whole, aggressive", Job{Run: files.Run[:20]}, Aggressive, nil, false},
		{"an input changed", declared, Safe, func(b *bench, _ *Job) { b.Files[0].ID = "other" }, false},
		{"an input's form changed", declared, Safe, func(b *bench, _ *Job) { b.Files[0].Exec = true }, false},
		{"an input came", declared, Safe, func(b *bench, _ *Job) { b.Files = append(b.Files, File{Path: "z.go", ID: "z"}) }, false},
		{"another file changed", declared, Safe, func(b *bench, _ *Job) { b.Files[1].ID = "other" }, true},
		{"unknown id", declared, Safe, func(b *bench, _ *Job) { b.Files[0].ID = "" }, false},
		{"command", declared, Safe, func(_ *bench, j *Job) { j.Run += " " }, false},
		{"environment", declared, Safe, func(_ *bench, j *Job) { j.Env = []string{"A=1"} }, false},
		{"PATH", declared, Safe, func(b *bench, _ *Job) { b.Env = proc.Setenv(b.Env, "PATH=/bin:/usr/bin") }, false},
		{"build", declared, Safe, func(b *bench, _ *Job) { b.Build = "2" }, false},
		{"fails", Job{Run: "echo ran >>$LOG; exit 1", Workspace: true, Cache: declared.Cache}, Safe, nil, false},
		{"fixes", Job{Run: declared.Run, StageFixed: true, Workspace: true, Cache: declared.Cache}, Safe, nil, false},
		{"inputs changed meanwhile", declared, Safe, func(b *bench, _ *Job) {}, false},
		{"identity", Job{Run: declared.Run, Workspace: true, Cache: declared.Cache, Identity: [][]string{{"cat", "version"}}}, Safe, func(b *bench, _ *Job) { b.write("version", "2") }, false},
		{"same identity", Job{Run: declared.Run, Workspace: true, Cache: declared.Cache, Identity: [][]string{{"cat", "version"}}}, Safe, nil, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, "a.go", "b.txt")
			b.write("version", "1")
			b.Cache, b.CacheMode = &memory{m: map[[32]byte][]byte{}}, tc.mode
			if tc.name == "inputs changed meanwhile" {
				b.Verify = func(_ context.Context, in []File) bool { return len(in) != 1 }
			}
			first := b.run(tc.job)
			if tc.change != nil {
				tc.change(b, &tc.job)
			}
			second := b.run(tc.job)
			want := map[bool]string{true: "ran\n", false: strings.Repeat("ran\n", 2)}[tc.cached]
			if got := b.read("log"); got != want || second.Results[0].Cached != tc.cached || first.Results[0].Output != second.Results[0].Output && tc.cached {
				t.Errorf("ran %q, first %s second %s", got, lines(&first), lines(&second))
			}
		})
	}
}

// TestAfter: the caller sees each job that ran before those that wait for it,
// may fail it, and says what files are like now.
func TestAfter(t *testing.T) {
	t.Parallel()
	b := newBench(t, "a.go")
	b.Cache, b.CacheMode = &memory{m: map[[32]byte][]byte{}}, Aggressive
	b.After = func(_ context.Context, r *Result) []File {
		switch r.Job.ID {
		case "fix":
			r.Changed = []string{"a.go"}
			return []File{{Path: "a.go", ID: "fixed"}}
		case "wrote":
			r.Outcome, r.Reason = Failed, "it changed a.go"
		case "see":
			if r.Files[0].ID != "fixed" {
				t.Errorf("see got %+v", r.Files)
			}
		}
		return nil
	}
	rep := b.run(Job{ID: "fix", Run: "true {staged_files}", StageFixed: true}, Job{ID: "see", Run: "true {staged_files}"}, Job{ID: "wrote", Run: "true"})
	if got := lines(&rep); got != "fix passed\nsee passed\nwrote failed: it changed a.go\n" {
		t.Error(got)
	}
}

func TestDeletedFiles(t *testing.T) {
	t.Parallel()
	b := newBench(t, "a.txt")
	b.Files = append(b.Files, File{Path: "gone.go", Gone: true})
	rep := b.run(Job{Run: "echo $# {staged_files}"}, Job{Run: "false", Files: []string{"*.go"}}, Job{Run: "echo build", Files: []string{"*.go"}, Workspace: true})
	if got := lines(&rep); got != "j1 passed\nj2 skipped: no file matches\nj3 passed\n" || rep.Results[0].Output != "0 a.txt\n" {
		t.Error(got, rep.Results[0].Output)
	}
}

// TestOutputIsBounded: much output in many batches keeps its head and tail.
func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t, "a.txt")
	rep := b.run(Job{Run: "echo first; i=0; while [ $i -lt 20000 ]; do echo 'a line of some length, again and again'; i=$((i+1)); done; echo last"})
	r := rep.Results[0]
	if !r.Truncated || len(r.Output) > proc.KeepDefault+200 || !strings.HasPrefix(r.Output, "first\n") || !strings.HasSuffix(r.Output, "last\n") {
		t.Errorf("%d bytes, truncated %v", len(r.Output), r.Truncated)
	}
}

// TestSccache: jobs that compile are told of the compiler cache, if it is there,
// and what the user says of it stands.
func TestSccache(t *testing.T) {
	t.Parallel()
	const show = "echo $RUSTC_WRAPPER $SCCACHE_DIR $SCCACHE_CACHE_SIZE"
	compiles := Caching{Compiler: true}
	for _, tc := range []struct {
		name string
		s    *Sccache
		job  Job
		want string
	}{
		{"none", nil, Job{Run: show, Cache: compiles}, "\n"},
		{"all", &Sccache{"sh", "/d", "1G"}, Job{Run: show, Cache: compiles}, "sh /d 1G\n"},
		{"not a compiler", &Sccache{"sh", "/d", "1G"}, Job{Run: show}, "\n"},
		{"not there", &Sccache{"no-such-sccache", "/d", "1G"}, Job{Run: show, Cache: compiles}, "\n"},
		{"the job's own", &Sccache{"sh", "/d", ""}, Job{Run: show, Cache: compiles, Env: []string{"RUSTC_WRAPPER=mine"}}, "mine /d\n"},
	} {
		b := newBench(t, "a.txt")
		b.Sccache = tc.s
		if rep := b.run(tc.job); rep.Results[0].Output != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, rep.Results[0].Output, tc.want)
		}
	}
}

func TestLimitsFrom(t *testing.T) {
	t.Parallel()
	l, warnings := LimitsFrom([]string{"POLY_HOOK_TIMEOUT=2m", "POLY_HOOK_WORKSPACE_TIMEOUT=off", "POLY_HOOK_STEP_TIMEOUT=soon"})
	own := Timeout{true, time.Second}
	if l.of(&Job{Timeout: own}) != 2*time.Minute || l.of(&Job{Workspace: true, Timeout: own}) != 0 || l.step() != StepLimit || l.precondition() != PreconditionLimit ||
		len(warnings) != 1 || !strings.Contains(warnings[0], "POLY_HOOK_STEP_TIMEOUT") {
		t.Errorf("%+v, %q", l, warnings)
	}
	var none Limits
	if none.of(&Job{}) != FileLimit || none.of(&Job{Workspace: true}) != WorkspaceLimit || none.of(&Job{Timeout: own}) != time.Second || none.of(&Job{Interactive: true}) != 0 {
		t.Error("defaults")
	}
}

// TestCargoLock: a job that calls cargo waits while another one holds the lock
// of the package cache, for half of its limit at most, and says so.
func TestCargoLock(t *testing.T) {
	t.Parallel()
	b := newBench(t, "a.txt")
	b.write(".cargo/.package-cache", "")
	b.write("bin/cargo", "#!/bin/sh\necho built\n")
	b.Env = proc.Setenv(b.Env, "PATH="+b.dir+"/bin:/usr/bin:/bin")
	f, err := os.Open(filepath.Join(b.dir, ".cargo/.package-cache"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	var told []string
	b.Event = func(e Event) {
		if e.Kind == Waits {
			told = append(told, e.Text)
			_ = unix.Flock(int(f.Fd()), unix.LOCK_UN)
		}
	}
	rep := b.run(Job{Run: "cargo build", Workspace: true})
	if got := rep.Results[0]; got.Outcome != Passed || got.Output != "built\n" || len(told) != 1 || !strings.Contains(told[0], "another cargo") {
		t.Errorf("%+v, told %q", got, told)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	rep = b.run(Job{Run: "cargo build", Workspace: true, Timeout: Timeout{true, time.Second}})
	if got := rep.Results[0]; got.Outcome != Passed {
		t.Errorf("a lock that is held for ever: %+v", got)
	}
}
