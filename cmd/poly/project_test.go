package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"poly/internal/proc"
	"poly/store"
)

// withTasks is _meta of a client that knows tasks.
const withTasks = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`

// forking is a project whose tools fail, hang and fork away; word is in the
// command line of each process that must not be left.
func forking(word string) map[string]string {
	return map[string]string{"a.json": "{}\n", "poly.toml": `
[[hooks.pre-commit.jobs]]
name = "fails"
run = "exit 1"
workspace = true
[[hooks.pre-commit.jobs]]
name = "hangs"
run = "trap '' TERM; touch $HOME/hangs; sleep ` + word + `; sleep ` + word + `"
workspace = true
[[hooks.pre-commit.jobs]]
name = "forks"
run = "(setsid sh -c '(sleep ` + word + ` &) &' </dev/null >/dev/null 2>&1); touch $HOME/forks; sleep ` + word + `"
workspace = true
`}
}

// asleep tells whether a process is left.
func asleep(t *testing.T, word string) bool {
	t.Helper()
	out, err := exec.Command("ps", "-axo", "stat=,args=").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "sleep "+word) && !strings.HasPrefix(line, "Z") {
			return true
		}
	}
	return false
}

// until waits for something to happen.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within a minute", what)
		}
		<-time.After(10 * time.Millisecond)
	}
}

// TestPhaseLeavesNothing: poly lint, and a task of poly mcp, end half way in
// every way there is. No process is left, and the files are as they were.
func TestPhaseLeavesNothing(t *testing.T) {
	t.Parallel()
	for i, how := range []string{"lint INT", "lint TERM", "lint KILL", "task cancel", "task EOF", "task TERM", "task KILL"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			word := fmt.Sprintf("8765%d.%d%d", i, os.Getpid(), time.Now().UnixNano()%1e9)
			dir, env := place(t, forking(word))
			home := proc.Getenv(env, "HOME")
			started := func() bool {
				_, err := os.Stat(filepath.Join(home, "hangs"))
				_, err2 := os.Stat(filepath.Join(home, "forks"))
				return err == nil && err2 == nil
			}
			what, way, _ := strings.Cut(how, " ")
			var cmd *exec.Cmd
			var a *agent
			if what == "lint" {
				cmd = exec.Command("poly", "lint", "-j", "3")
				cmd.Dir, cmd.Env = dir, env
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
			} else {
				a = startAgent(t, dir, env)
				cmd = a.cmd
			}
			id := ""
			if a != nil {
				id = a.task(t, `"name":"workspace_lint","arguments":{"jobs":3}`)
			}
			until(t, "tools start", started)
			switch way {
			case "cancel":
				a.ask(t, "tasks/cancel", `"taskId":"`+id+`"`)
			case "EOF":
				_ = a.in.Close()
			case "KILL":
				_ = cmd.Process.Kill()
			default:
				_ = cmd.Process.Signal(map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM}[way])
			}
			until(t, "no process is left", func() bool { return !asleep(t, word) })
			if way == "cancel" {
				until(t, "the task is recorded", func() bool { return recorded(t, home, id) == "cancelled" })
				a.end()
			} else if err := cmd.Wait(); way != "EOF" && what == "lint" && way != "KILL" && cmd.ProcessState.ExitCode() != exitInterrupted {
				t.Errorf("%v, exit code %d", err, cmd.ProcessState.ExitCode())
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
				t.Errorf("the directory holds %v, %v", left, err)
			}
		})
	}
}

// recorded is the state that the history tells of a task.
func recorded(t *testing.T, home, id string) string {
	t.Helper()
	found, _ := filepath.Glob(filepath.Join(home, "state", "*", store.HistoryFile))
	if len(found) != 1 {
		return ""
	}
	h, err := store.OpenHistory(context.Background(), found[0], store.HistoryOptions{})
	if err != nil {
		return ""
	}
	defer func() { _ = h.Close() }()
	tasks, _ := h.Tasks(context.Background(), 0)
	for _, k := range tasks {
		if k.ID == id {
			return k.State
		}
	}
	return ""
}

// ask sends a request of a client that knows tasks and returns its answer.
func (a *agent) ask(t *testing.T, method, params string) json.RawMessage {
	t.Helper()
	a.last++
	if _, err := fmt.Fprintf(a.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s,%s}}`+"\n", a.last, method, withTasks, params); err != nil {
		t.Fatal(err)
	}
	line, err := a.out.ReadBytes('\n')
	var m struct{ Result json.RawMessage }
	if err == nil {
		err = json.Unmarshal(line, &m)
	}
	if err != nil || m.Result == nil {
		t.Fatalf("%s: %v: %s\n%s", method, err, line, a.err)
	}
	return m.Result
}

// task starts a task and returns its id.
func (a *agent) task(t *testing.T, params string) string {
	t.Helper()
	var r struct{ TaskID string }
	answer := a.ask(t, "tools/call", params)
	if err := json.Unmarshal(answer, &r); err != nil || r.TaskID == "" {
		t.Fatalf("no task: %v: %s", err, answer)
	}
	return r.TaskID
}
