//go:build unix

package proc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"poly/internal/usererr"
)

func TestMain(m *testing.M) {
	if line := os.Getenv("PROC_TEST_CHILD"); line != "" {
		o := New()
		o.Run(context.Background(), Cmd{Args: []string{"/bin/sh", "-c", line}, Env: os.Environ(), Dir: "/", Line: func(s string) { _, _ = os.Stdout.WriteString(s + "\n") }})
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func owner(t *testing.T) *Owner {
	t.Helper()
	o := New()
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return o
}

func shell(t *testing.T, line string) Cmd {
	t.Helper()
	return Cmd{Args: []string{"/bin/sh", "-c", line}, Env: []string{"PATH=" + os.Getenv("PATH")}, Dir: t.TempDir()}
}

func TestRun(t *testing.T) {
	t.Parallel()
	o := owner(t)
	for _, tc := range []struct {
		name, line string
		want       Result
	}{
		{"yes", "echo out; echo err >&2; echo out", Result{Status: Exited, Output: "out\nerr\nout\n"}},
		{"no", "exit 7", Result{Status: Exited, Code: 7}},
		{"signalled", "kill -SEGV $$", Result{Status: Signalled, Code: 139, Signal: "segmentation fault"}},
		{"reads nothing", "cat; echo $?", Result{Status: Exited, Output: "0\n"}},
		{"has no terminal", "true </dev/tty", Result{Status: Exited, Code: 2}},
		{"not UTF-8", `printf 'a\377b'`, Result{Status: Exited, Output: "a\uFFFDb"}},
		{"environment", `echo "$HOME$LANG"`, Result{Status: Exited, Output: "\n"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := o.Run(t.Context(), shell(t, tc.line))
			if got.Duration <= 0 {
				t.Errorf("took %v", got.Duration)
			}
			if got.Duration = 0; tc.name == "has no terminal" && got.Code != 0 {
				got.Output, got.Code = "", 2
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNotStarted(t *testing.T) {
	t.Parallel()
	o := owner(t)
	dir := t.TempDir()
	for name, f := range map[string]struct {
		text string
		mode os.FileMode
	}{
		"plain": {"echo hi\n", 0o644}, "noshebang": {"\x01\x02", 0o755}, "badshebang": {"#!/no/such/thing\n", 0o755},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(f.text), f.mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		name, dir, code, msg, hint string
	}{
		{"no-such-tool", dir, "tool-missing", "no-such-tool is not installed, or not in PATH", "install no-such-tool"},
		{"./gone", dir, "tool-missing", "./gone does not exist", "create the file"},
		{"./plain", dir, "tool-unusable", "./plain is not executable", "chmod +x ./plain"},
		{"plain", dir, "tool-unusable", "plain is not executable", "chmod +x plain"},
		{"./noshebang", dir, "tool-unusable", "cannot start ./noshebang", `"#!/bin/sh"`},
		{"./badshebang", dir, "tool-unusable", "the interpreter its first line names does not exist", "#!"},
		{"sh", filepath.Join(dir, "gone"), "tool-unusable", "cannot start sh: its directory does not exist", "root"},
	} {
		r := o.Run(t.Context(), Cmd{Args: []string{tc.name}, Env: []string{"PATH=" + dir + ":/usr/bin:/bin"}, Dir: tc.dir})
		e, ok := errors.AsType[*usererr.Error](r.Err)
		if r.Status != NotStarted || r.Code != -1 || !ok || e.Code != tc.code || !strings.Contains(e.Error(), tc.msg) || !strings.Contains(e.Hint, tc.hint) {
			t.Errorf("%s: %+v", tc.name, r)
		}
		if strings.Contains(r.Err.Error(), dir+"/") {
			t.Errorf("%s: the error names a path: %v", tc.name, r.Err)
		}
	}
}

func TestStdinAndStdout(t *testing.T) {
	t.Parallel()
	o := owner(t)
	c := shell(t, "wc -c; cat >/dev/null; echo note >&2")
	c.Stdin = []byte(strings.Repeat("0123456789", 100_000))
	c.Stdout = &Output{}
	r := o.Run(t.Context(), c)
	if !r.OK() || strings.TrimSpace(c.Stdout.String()) != "1000000" || r.Output != "note\n" {
		t.Errorf("%+v, stdout %q", r, c.Stdout.String())
	}
	c = shell(t, "exec 0<&-; exit 0") // does not read what it gets
	c.Stdin = make([]byte, 1<<20)
	if r := o.Run(t.Context(), c); !r.OK() {
		t.Errorf("%+v", r)
	}
}

// alive lists the processes whose command line holds word.
func alive(t *testing.T, word string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ps", "-axo", "pid=,stat=,args=").Output()
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) > 2 && !strings.HasPrefix(f[1], "Z") && strings.Contains(line, word) {
			left = append(left, line)
		}
	}
	return left
}

// odd returns a number of seconds that no other test sleeps.
func odd(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("%d.%d", 100000+os.Getpid(), time.Now().UnixNano()%1_000_000_000)
}

// Ways to leave the child's process group. %s is how long to sleep.
var escapes = map[string]string{
	"plain":           "sleep %s",
	"background":      "sleep %s & sleep %[1]s & wait",
	"deaf":            "trap '' TERM INT HUP; sleep %s; sleep %[1]s",
	"setsid":          "setsid sleep %s & wait",
	"double fork":     "(setsid sh -c '(sleep %s >/dev/null 2>&1 </dev/null &) &'); sleep %[1]s",
	"double, deaf":    "(setsid sh -c 'trap \"\" TERM; (sleep %s; sleep %[1]s) &'); sleep %[1]s",
	"stopped":         "sleep %s & kill -STOP $!; kill -STOP $$",
	"forks for ever":  "while :; do (setsid sleep %s &) ; sleep 0.01; done",
	"another's leave": "setsid sh -c 'setsid sleep %s & wait' & exec sleep %[1]s",
}

func TestCancelEndsAll(t *testing.T) {
	t.Parallel()
	_, err := exec.LookPath("setsid")
	for name, line := range escapes {
		if err != nil && strings.Contains(line, "setsid") {
			continue // a system without it
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := owner(t)
			n := odd(t)
			ctx, cancel := context.WithCancel(t.Context())
			c := shell(t, "echo ready; "+fmt.Sprintf(line, n))
			c.Line = func(string) { time.AfterFunc(300*time.Millisecond, cancel) }
			r := o.Run(ctx, c)
			if r.Status != Cancelled || r.OK() || r.Err != nil || r.Output != "ready\n" {
				t.Errorf("%+v", r)
			}
			if left := alive(t, n); len(left) > 0 {
				t.Errorf("left: %q", left)
			}
		})
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	o := owner(t)
	c := shell(t, "trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done")
	c.Limit = 300 * time.Millisecond
	// That it took the hint and said yes does not make it one that passed.
	if r := o.Run(t.Context(), c); r.Status != TimedOut || r.OK() || !strings.HasSuffix(r.Output, "bye\n") {
		t.Errorf("%+v", r)
	}
}

func TestHurry(t *testing.T) {
	t.Parallel()
	o := owner(t)
	ctx, cancel := context.WithCancel(t.Context())
	c := shell(t, "trap 'sleep 0.2; echo asked' TERM; echo ready; while :; do sleep 0.05; done")
	c.Line = func(string) { o.Hurry(); cancel() }
	if r := o.Run(ctx, c); r.Status != Cancelled || r.Signal != "killed" || strings.Contains(r.Output, "asked") {
		t.Errorf("%+v", r)
	}
}

// TestLeftovers: what a child leaves in its group ends with it; a daemon that
// left on purpose stays, and does not make Run wait although it holds the pipe.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	o := owner(t)
	n, d := odd(t), odd(t)
	c := shell(t, fmt.Sprintf("sleep %s & (setsid sleep %s & echo $!) ; exit 3", n, d))
	r := o.Run(t.Context(), c)
	if r.Status != Exited || r.Code != 3 || r.Duration > 20*time.Second {
		t.Errorf("%+v", r)
	}
	if left := alive(t, n); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(r.Output))
	if err != nil || len(alive(t, d)) == 0 {
		t.Fatalf("the daemon is gone: %q", r.Output)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
}

// TestClose: a closed owner's children end, and it starts none.
func TestClose(t *testing.T) {
	t.Parallel()
	o := New()
	n := odd(t)
	var wg sync.WaitGroup
	var ready sync.WaitGroup
	ready.Add(5)
	for range 5 {
		wg.Go(func() {
			c := shell(t, "echo ready; sleep "+n)
			c.Line = func(string) { ready.Done() }
			if r := o.Run(t.Context(), c); r.Status != Cancelled {
				t.Errorf("%+v", r)
			}
		})
	}
	ready.Wait()
	if err := o.Close(); err != nil {
		t.Error(err)
	}
	if left := alive(t, n); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	wg.Wait()
	if r := o.Run(t.Context(), shell(t, "true")); !errors.Is(r.Err, ErrClosed) {
		t.Errorf("after Close: %+v", r)
	}
	if err := o.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

// TestOwnerKilled: poly dies by SIGKILL; its watcher ends what it started.
func TestOwnerKilled(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"background", "double, deaf", "deaf"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := odd(t)
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), self)
			cmd.Env = append(os.Environ(), "PROC_TEST_CHILD=echo ready; "+fmt.Sprintf(escapes[name], n))
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
				t.Fatal(line, err)
			}
			for len(alive(t, "sleep "+n)) == 0 {
				wait(10 * time.Millisecond)
			}
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			var left []string
			for range 200 {
				if left = alive(t, "sleep "+n); len(left) == 0 {
					return
				}
				wait(20 * time.Millisecond)
			}
			t.Errorf("left: %q", left)
		})
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	o := owner(t)
	var got []string
	c := shell(t, `printf 'a\n\n b \r50%%\r100%%\n'; printf '%0500d\nend' 0`)
	c.Line = func(s string) { got = append(got, s) }
	o.Run(t.Context(), c)
	want := []string{"a", " b", "50%", "100%", strings.Repeat("0", 400), "end"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOutputKeepsHeadAndTail(t *testing.T) {
	t.Parallel()
	for _, chunk := range []int{1, 7, 64, 1000, 100_000} {
		o := Output{Keep: 400}
		var all strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&all, "line %d ü\n", i)
		}
		for s := all.String(); s != ""; {
			n := min(chunk, len(s))
			_, _ = o.Write([]byte(s[:n]))
			s = s[n:]
		}
		got := o.String()
		head, rest, ok := strings.Cut(got, "... ")
		left, tail, ok2 := strings.Cut(rest, " bytes left out ...\n")
		n, err := strconv.Atoi(left)
		if !ok || !ok2 || err != nil || !o.Truncated() || o.Total() != int64(all.Len()) || n+len(head)+len(tail) != all.Len() ||
			!strings.HasPrefix(all.String(), head) || !strings.HasSuffix(all.String(), tail) || !strings.HasSuffix(head, "\n") ||
			!strings.HasPrefix(tail, "line ") || len(tail) < 250 || len(head) < 60 {
			t.Errorf("in pieces of %d: %q", chunk, got)
		}
	}
	o := Output{Keep: 8}
	_, _ = o.Write([]byte("ääääääääää"))
	if got, want := o.String(), "ä\n... 12 bytes left out ...\näää"; got != want {
		t.Errorf("one long line: %q, want %q", got, want)
	}
	o = Output{Keep: 8}
	_, _ = o.Write([]byte("12345678"))
	if got := o.String(); got != "12345678" || o.Truncated() {
		t.Errorf("what fits: %q, %v", got, o.Truncated())
	}
}

func TestBatches(t *testing.T) {
	t.Parallel()
	one := func(s string) int { return len(s) }
	for _, tc := range []struct {
		items []string
		space int
		want  [][]string
	}{
		{nil, 5, [][]string{nil}},
		{[]string{"aa", "bb", "c"}, 5, [][]string{{"aa", "bb", "c"}}},
		{[]string{"aa", "bb", "cc"}, 5, [][]string{{"aa", "bb"}, {"cc"}}},
		{[]string{"aaaaaaaaa", "b", "ccccccccc", "d"}, 5, [][]string{{"aaaaaaaaa"}, {"b"}, {"ccccccccc"}, {"d"}}},
	} {
		if diff := cmp.Diff(tc.want, Batches(tc.items, tc.space, one)); diff != "" {
			t.Errorf("Batches(%q): %s", tc.items, diff)
		}
	}
}

// TestArgSpaceIsTrue: a program takes as many arguments as ArgSpace says.
func TestArgSpaceIsTrue(t *testing.T) {
	t.Parallel()
	o := owner(t)
	env := []string{"PATH=/usr/bin:/bin", "BIG=" + strings.Repeat("x", 100_000)}
	for _, size := range []int{1, 20, MaxArg} {
		c := Cmd{Args: []string{"/bin/sh", "-c", "echo $#", "sh"}, Env: env, Dir: t.TempDir()}
		arg := strings.Repeat("y", size)
		n := 0
		for sum := ArgCost(arg); sum <= ArgSpace(env); sum += ArgCost(arg) {
			c.Args = append(c.Args, arg)
			n++
		}
		if r := o.Run(t.Context(), c); !r.OK() || strings.TrimSpace(r.Output) != strconv.Itoa(n) {
			t.Errorf("%d arguments of %d bytes: %+v", n, size, r)
		}
	}
}

func TestEnv(t *testing.T) {
	t.Parallel()
	env := []string{"A=1", "B=2", "A=3"}
	if got := Getenv(env, "A"); got != "3" {
		t.Errorf("Getenv = %q", got)
	}
	if diff := cmp.Diff([]string{"B=2", "A=4", "C="}, Setenv(env, "A=4", "C=")); diff != "" {
		t.Error(diff)
	}
}

// TestNested: a poly below poly leaves the marker of the outer one in place.
func TestNested(t *testing.T) {
	t.Parallel()
	c := shell(t, `echo "$POLY_JOB"`)
	c.Env = append(c.Env, Marker+"=outer.1:")
	r := owner(t).Run(t.Context(), c)
	if !strings.HasPrefix(r.Output, "outer.1:") || strings.Count(r.Output, ":") != 2 {
		t.Errorf("marker %q", r.Output)
	}
}
