package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// agent is a client of poly mcp, a process of its own.
type agent struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	err  *bytes.Buffer
	pipe io.Closer // of what poly writes
	last int
}

// place makes a directory with files and an environment of its own.
func place(t *testing.T, files map[string]string) (dir string, env []string) {
	t.Helper()
	dir, home := t.TempDir(), t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env = append(os.Environ(), "HOME="+home, "POLY_CACHE_HOME="+filepath.Join(home, "cache"), "POLY_STATE_HOME="+filepath.Join(home, "state"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "NO_COLOR=1", "SECRET_TOKEN=hunter2-hunter2")
	if err := os.MkdirAll(filepath.Join(home, "cache"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := shareModules(filepath.Join(home, "cache")); err != nil {
		t.Fatal(err)
	}
	return dir, env
}

func startAgent(t *testing.T, dir string, env []string, args ...string) *agent {
	t.Helper()
	cmd := exec.Command("poly", append([]string{"mcp"}, args...)...)
	cmd.Dir, cmd.Env = dir, env
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	a := &agent{t: t, cmd: cmd, in: in, out: bufio.NewReader(out), err: &bytes.Buffer{}, pipe: out}
	cmd.Stderr = a.err
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return a
}

// called is the result of a call.
type called struct {
	Content           []struct{ Type, Text string }
	IsError           bool
	StructuredContent map[string]json.RawMessage
}

func (c *called) text() string { return c.Content[0].Text }

func (a *agent) call(name, args string) *called {
	a.t.Helper()
	a.last++
	if _, err := fmt.Fprintf(a.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", a.last, name, args); err != nil {
		a.t.Fatal(err)
	}
	line, err := a.out.ReadBytes('\n')
	var m struct {
		ID     int
		Result *called
	}
	if err == nil {
		err = json.Unmarshal(line, &m)
	}
	if err != nil || m.ID != a.last || m.Result == nil || len(m.Result.Content) != 1 {
		a.t.Fatalf("%s: %v: %s\n%s", name, err, line, a.err)
	}
	return m.Result
}

// end closes the input and wants poly to end well.
func (a *agent) end() {
	a.t.Helper()
	_ = a.in.Close()
	if rest, _ := io.ReadAll(a.out); len(rest) > 0 {
		a.t.Errorf("poly also said %s", rest)
	}
	if err := a.cmd.Wait(); err != nil {
		a.t.Errorf("poly mcp: %v\n%s", err, a.err)
	}
}

func command(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("poly", args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() > 2 {
		t.Fatalf("poly %v: %v", args, err)
	}
	return strings.TrimSuffix(string(out), "\n")
}

var mixed = map[string]string{
	"bad.json": `{"a": }` + "\n", "good.json": "{\n  \"a\": 1\n}\n", "sub/ugly.yaml": "a:   1\nb: [ 1,2 ]\n", "sub/trail.txt": "teh end  \n", "main.zig": "x\n",
	"<odd> & é.json": "[1,,2]", "poly.toml": "[lint.text]\nenabled = true\n",
}

// What a tool answers is what its command prints, byte for byte but for the
// last line end, in both forms, from the root and from a folder.
func TestAgentReadsWhatTheCommandPrints(t *testing.T) {
	t.Parallel()
	for _, from := range []string{".", "sub"} {
		dir, env := place(t, mixed)
		if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		dir = filepath.Join(dir, from)
		a := startAgent(t, dir, env)
		for _, format := range []string{"json", "toon"} {
			for _, tc := range []struct {
				tool, args string
				command    []string
			}{
				{"lint", `{`, []string{"lint", "--no-workspace"}},
				{"lint", `{"paths":["..","."],"exclude":["*.json"]`, []string{"lint", "--no-workspace", "--exclude", "*.json", "..", "."}},
				{"format_check", `{`, []string{"fmt", "--check"}},
				{"config_show", `{`, []string{"config", "show"}},
				{"rules", `{`, []string{"rules", "list"}},
				{"cache_stats", `{`, []string{"cache", "stats"}},
			} {
				if from == "." && strings.Contains(tc.args, "..") {
					continue
				}
				args := strings.Replace(tc.args+`,"format":"`+format+`"}`, "{,", "{", 1)
				got := a.call(tc.tool, args)
				want := command(t, dir, env, append(tc.command, "--format", format)...)
				if tc.tool == "cache_stats" { // a run adds to the cache
					got = a.call(tc.tool, args)
				}
				if diff := cmp.Diff(want, got.text()); diff != "" || got.IsError {
					t.Errorf("%s %s from %s (-command +tool):\n%s", tc.tool, args, from, diff)
				}
				if format == "json" {
					same(t, tc.tool, got)
				}
			}
		}
		a.end()
	}
}

// same compares the text with the structured content, which has poly besides.
func same(t *testing.T, name string, c *called) {
	t.Helper()
	delete(c.StructuredContent, "poly")
	var text map[string]json.RawMessage
	if err := json.Unmarshal([]byte(c.text()), &text); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if diff := cmp.Diff(text, c.StructuredContent); diff != "" {
		t.Errorf("%s (-text +structured):\n%s", name, diff)
	}
}

// The tools that write answer what the commands do, and leave the same files.
func TestAgentWritesWhatTheCommandWrites(t *testing.T) {
	t.Parallel()
	for tool, cmd := range map[string][]string{"lint_fix": {"lint", "--fix", "--no-workspace"}, "format_write": {"fmt", "--fix"}} {
		here, env := place(t, mixed)
		there, _ := place(t, mixed)
		a := startAgent(t, here, env)
		got := a.call(tool, `{}`)
		if diff := cmp.Diff(command(t, there, env, append(cmd, "--format", "json")...), got.text()); diff != "" {
			t.Errorf("%s (-command +tool):\n%s", tool, diff)
		}
		a.end()
		for name := range mixed {
			x, _ := os.ReadFile(filepath.Join(here, name))
			y, _ := os.ReadFile(filepath.Join(there, name))
			if !bytes.Equal(x, y) {
				t.Errorf("%s wrote %q to %s, the command %q", tool, x, name, y)
			}
		}
	}
}

// No text on the wire names a path outside of the repository, a value of the
// environment or a stack, and nothing outside is read.
func TestAgentLearnsNothingOfTheMachine(t *testing.T) {
	t.Parallel()
	dir, env := place(t, mixed)
	outside, _ := place(t, map[string]string{"secret/other.json": "{", "poly.toml": "[lint"})
	env = append(env, "OUTSIDE_DIRECTORY="+outside)
	if err := os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	a := startAgent(t, dir, env)
	for _, tc := range []struct{ tool, args, code string }{
		{"lint", fmt.Sprintf(`{"paths":[%q]}`, filepath.Join(outside, "secret")), "path_outside"},
		{"lint", `{"paths":["../.."]}`, "path_outside"},
		{"lint_fix", fmt.Sprintf(`{"paths":["good.json",%q]}`, outside), "path_outside"},
		{"lint", fmt.Sprintf(`{"paths":["good.json",%q]}`, outside), "path_outside"},
		{"format_check", fmt.Sprintf(`{"paths":[%q]}`, filepath.Join(outside, "hunter2-hunter2")), "path_not_found"},
		{"lint", fmt.Sprintf(`{"config":%q}`, filepath.Join(outside, "poly.toml")), "config_invalid"},
		{"config_show", fmt.Sprintf(`{"config":%q}`, filepath.Join(outside, "nope.toml")), "config_not_found"},
		{"config_show", fmt.Sprintf(`{"config":%q}`, filepath.Join(dir, "nope.toml")), "config_not_found"},
		{"lint", `{"paths":["link/other.json"]}`, ""},
		{"rules", `{"config":"/etc/passwd"}`, "config_invalid"},
	} {
		got := a.call(tc.tool, tc.args)
		all := got.text() + string(got.StructuredContent["error"])
		for _, secret := range []string{outside, "hunter2", "goroutine", "/etc/", dir + "/"} {
			if strings.Contains(all, secret) {
				t.Errorf("%s %s tells %q: %s", tc.tool, tc.args, secret, all)
			}
		}
		if tc.code != "" && (!got.IsError || !strings.Contains(all, `"code":"`+tc.code+`"`)) {
			t.Errorf("%s %s: %s, want %s", tc.tool, tc.args, all, tc.code)
		}
	}
	a.end()
}

// A server that is told to end ends, whatever it is at, and so does one whose
// client is gone; the worktree can be written to afterwards.
func TestAgentEnds(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"TERM", "INT", "HUP", "gone", "deaf"} {
		dir, env := place(t, mixed)
		a := startAgent(t, dir, env)
		a.call("version", `{}`)
		if how == "gone" {
			_ = a.pipe.Close()
		}
		for i := range 200 {
			_, _ = fmt.Fprintf(a.in, `{"jsonrpc":"2.0","id":"x%d","method":"tools/call","params":{"name":%q}}`+"\n", i, []string{"lint", "format_write", "config_show"}[i%3])
		}
		switch how {
		case "TERM":
			_ = a.cmd.Process.Signal(syscall.SIGTERM)
		case "INT":
			_ = a.cmd.Process.Signal(syscall.SIGINT)
		case "HUP":
			_ = a.cmd.Process.Signal(syscall.SIGHUP)
		case "gone":
			_ = a.in.Close()
		case "deaf":
			_ = a.cmd.Process.Signal(syscall.SIGTERM)
		}
		if how != "deaf" {
			go func() { _, _ = io.Copy(io.Discard, a.out) }()
		}
		done := make(chan error, 1)
		go func() { done <- a.cmd.Wait() }()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("%s: %v\n%s", how, err, a.err)
			}
		case <-time.After(30 * time.Second):
			t.Errorf("%s: it does not end", how)
		}
		if got := command(t, dir, env, "fmt", "--fix", "--format", "json", "good.json"); !strings.Contains(got, `"errored":0`) {
			t.Errorf("%s: afterwards: %s", how, got)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".poly*")); len(left) > 0 {
			t.Errorf("%s: left behind: %v", how, left)
		}
	}
}

// Five hundred calls at once, many of which write, are all answered.
func TestAgentAsksMuchAtOnce(t *testing.T) {
	t.Parallel()
	dir, env := place(t, mixed)
	a := startAgent(t, dir, env)
	const n = 500
	tools := []string{"lint", "format_check", "format_write", "lint_fix", "cache_stats", "version"}
	go func() {
		for i := range n {
			_, _ = fmt.Fprintf(a.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q}}`+"\n", i, tools[i%len(tools)])
		}
	}()
	var seen []int
	for range n {
		line, err := a.out.ReadBytes('\n')
		var m struct {
			ID     int
			Result struct {
				StructuredContent struct{ Error any }
			}
		}
		if err == nil {
			err = json.Unmarshal(line, &m)
		}
		if err != nil || m.Result.StructuredContent.Error != nil {
			t.Fatalf("%v: %.400s\n%s", err, line, a.err)
		}
		seen = append(seen, m.ID)
	}
	slices.Sort(seen)
	if seen = slices.Compact(seen); len(seen) != n {
		t.Errorf("%d of %d were answered", len(seen), n)
	}
	a.end()
}

// jobs is a configuration whose whole-project jobs pass, fail, hang and fork.
func jobs(run map[string]string) string {
	text := ""
	for name, cmd := range run {
		text += fmt.Sprintf("[hooks.pre-commit.commands.%s]\nrun = %q\nworkspace = true\n", name, cmd)
	}
	return text
}

// The whole-project tools run the jobs of poly.toml. A failing job is a result
// that did not pass; text of the machine is not shown.
func TestAgentRunsTheProjectsJobs(t *testing.T) {
	t.Parallel()
	dir, env := place(t, map[string]string{"poly.toml": jobs(map[string]string{"good": "echo fine", "bad": "pwd; echo ${PWD}x | sed s,.*/,/,; echo $SECRET_TOKEN in $PWD/a.c; exit 3"})})
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	a := startAgent(t, dir, env)
	got := a.call("workspace_lint", `{}`)
	for _, want := range []string{`"passed":false`, `"id":"good","outcome":"passed"`, `"id":"bad","outcome":"failed"`, `"exit_code":3`, `"output":".\n/`, `x\n$SECRET_TOKEN in a.c`} {
		if !strings.Contains(got.text(), want) {
			t.Errorf("%s: no %s", got.text(), want)
		}
	}
	if strings.Contains(got.text(), "hunter2") || strings.Contains(got.text(), dir) || got.IsError {
		t.Errorf("is error %v: %s", got.IsError, got.text())
	}
	a.end()
	a = startAgent(t, dir, env, "--no-commands")
	if got := a.call("workspace_lint", `{}`); !strings.Contains(got.text(), "commands_disabled") {
		t.Error(got.text())
	}
	a.end()
}

// A job that hangs and one that forks, half way through as tasks: after a
// cancel, after the end of input and after a signal no process is left.
func TestAgentLeavesNoProcess(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"cancel", "input", "signal"} {
		marks := t.TempDir()
		dir, env := place(t, map[string]string{"poly.toml": jobs(map[string]string{
			"hangs": "echo $$ > " + marks + "/hangs; trap '' TERM; sleep 300",
			"forks": "(trap '' TERM HUP; sh -c 'echo $$ > " + marks + "/forks; sleep 301' & sleep 302) & wait",
		})})
		if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		a := startAgent(t, dir, env)
		const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`
		ask := func(method, params string) map[string]any {
			a.last++
			_, _ = fmt.Fprintf(a.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s%s}}`+"\n", a.last, method, meta, params)
			line, err := a.out.ReadBytes('\n')
			var m struct{ Result map[string]any }
			if err := errors.Join(err, json.Unmarshal(line, &m)); err != nil {
				t.Fatalf("%s: %v %s %s", method, err, line, a.err)
			}
			return m.Result
		}
		task := ask("tools/call", `,"name":"workspace_lint"`)
		id, _ := task["taskId"].(string)
		pids := []int{waitPID(t, marks+"/hangs"), waitPID(t, marks+"/forks")}
		switch how {
		case "cancel":
			ask("tasks/cancel", `,"taskId":"`+id+`"`)
			for ask("tasks/get", `,"taskId":"`+id+`"`)["status"] == "working" {
				<-time.After(5 * time.Millisecond)
			}
			_ = a.in.Close()
		case "input":
			_ = a.in.Close()
		case "signal":
			_ = a.cmd.Process.Signal(syscall.SIGTERM)
		}
		if how != "cancel" {
			_, _ = io.Copy(io.Discard, a.out)
			if err := a.cmd.Wait(); err != nil {
				t.Errorf("%s: %v %s", how, err, a.err)
			}
		}
		for _, pid := range pids {
			if alive(pid) {
				t.Errorf("%s: process %d is left", how, pid)
			}
		}
	}
}

func waitPID(t *testing.T, name string) int {
	t.Helper()
	for range 4000 {
		text, err := os.ReadFile(name)
		if pid, e := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && e == nil {
			return pid
		}
		<-time.After(5 * time.Millisecond)
	}
	t.Fatalf("%s: no job began", name)
	return 0
}

// alive reports whether a process runs; one that waits to be reaped does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) == nil && !os.IsNotExist(err)
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}

// A rule that is not valid is not applied: the list says so, and is an error.
func TestAgentSeesWrongRules(t *testing.T) {
	t.Parallel()
	dir, env := place(t, map[string]string{
		".poly/rules/wrong.yml": "id: wrong\nlanguage: python\nrule: {patern: x}\n",
		".poly/rules/right.yml": "id: right\nlanguage: python\nseverity: warning\nmessage: m\nrule: {pattern: eval($A)}\n",
	})
	if err := os.Symlink(".poly/rules", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	a := startAgent(t, dir, env)
	got := a.call("rules", `{"test":true}`)
	if !got.IsError || !strings.Contains(got.text(), `"errors":[{"path":".poly/rules/wrong.yml","error":`) || !strings.Contains(got.text(), `"id":"right"`) || !strings.Contains(got.text(), `"ok":false`) {
		t.Errorf("is error %v: %.400s … %s", got.IsError, got.text(), got.text()[max(0, len(got.text())-400):])
	}
	for _, dirs := range []string{`["nope"]`, `[".poly/rules","nope"]`, `[".poly/rules/right.yml"]`, `["link"]`} {
		if got := a.call("rules", `{"test":true,"dirs":`+dirs+`}`); !got.IsError || !strings.Contains(got.text(), "path_not_found") {
			t.Errorf("%s: is error %v: %.400s", dirs, got.IsError, got.text())
		}
	}
	if got := a.call("rules", `{"dirs":["../../.."]}`); !strings.Contains(got.text(), "path_outside") {
		t.Error(got.text())
	}
	a.end()
}
