//go:build unix

package wasm_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"poly/internal/testutil"
	"poly/internal/wasm/asm"
	"poly/internal/wasm/wasmtest"
)

// heavy is a module that takes a while to compile. It does what odd does.
func heavy(t *testing.T) []byte {
	t.Helper()
	m := asm.Module{Pages: 1, Funcs: []asm.Func{{Name: "next", Results: 1, Code: asm.Code(
		asm.Const(0), asm.Const(0), asm.Load, 2, 0, asm.Const(1), asm.I32Add, asm.Store, 2, 0, asm.Const(0), asm.Load, 2, 0,
	)}}}
	long := []any{asm.LocalGet, 0}
	for i := range 200 {
		long = append(long, asm.Const(uint32(i)*7919), asm.I32Add, asm.LocalTee, 0, asm.LocalGet, 0, asm.I32Sub, asm.LocalGet, 0, asm.I32Add)
	}
	for range 500 {
		m.Funcs = append(m.Funcs, asm.Func{Params: 1, Results: 1, Code: asm.Code(long...)})
	}
	return asm.Assemble(m)
}

// child is what the other processes of these tests do: open odd with the cache
// in a directory, and say what happened.
func child(t *testing.T, dir string) {
	t.Helper()
	if os.Getenv("WASM_FULL") != "" {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1 << 16, Max: 1 << 16}); err != nil {
			t.Fatal(err)
		}
	}
	host := wasmtest.HostOf(dir, wasmtest.Packed(t, "odd", heavy(t)))
	host.Compiling = func(string) { fmt.Fprintln(os.Stdout, "compiling") }
	works(t, host)
	fmt.Fprintln(os.Stdout, "ready", strings.Join(host.Warnings(), "; "))
}

// command runs child in a process of its own, with further variables.
func command(t *testing.T, dir string, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestProcesses$")
	cmd.Env = append(append(os.Environ(), "WASM_CHILD="+dir), env...)
	return cmd
}

// TestProcesses: processes that start at once compile once, and all of them work.
func TestProcesses(t *testing.T) {
	if dir := os.Getenv("WASM_CHILD"); dir != "" {
		child(t, dir)
		return
	}
	t.Parallel()
	dir := t.TempDir()
	var wg sync.WaitGroup
	outs := make([]string, 4)
	for i := range outs {
		cmd := command(t, dir)
		wg.Go(func() {
			out, err := cmd.CombinedOutput()
			if outs[i] = string(out); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	all := strings.Join(outs, "")
	if strings.Count(all, "compiling\n") != 1 || strings.Count(all, "ready \n") != len(outs) {
		t.Errorf("want one that compiles and no warning:\n%s", all)
	}
}

// TestKilled: a process that is killed while it compiles leaves nothing that
// hinders the next, which tidies up.
func TestKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := command(t, dir)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(pipe).ReadString('\n'); line != "compiling\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	if err := errors.Join(cmd.Process.Kill(), cmd.Wait()); err == nil || cmd.ProcessState.Success() {
		t.Fatalf("the child was not killed: %v", err)
	}
	// What a kill at a later time leaves behind.
	m := wasmtest.Packed(t, "odd", heavy(t))
	folder := filepath.Join(dir, filepath.Base(filepath.Dir(glob(t, filepath.Join(dir, "*", "lock"))[0])))
	left := filepath.Join(folder, "wazero-left", "0123.456.tmp")
	if err := errors.Join(os.MkdirAll(filepath.Dir(left), 0o700), os.WriteFile(left, []byte("half"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if compiled, warnings := opened(t, dir, m); !compiled || warnings != nil {
		t.Errorf("after the kill: compiled %v, warnings %q", compiled, warnings)
	}
	if names := glob(t, filepath.Join(folder, "*", "*.tmp")); len(names) > 0 {
		t.Errorf("left behind: %q", names)
	}
	if compiled, _ := opened(t, dir, m); compiled {
		t.Error("not kept")
	}
}

// TestFullDisk: the module works where nothing can be written, and the reason
// is told.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	out, err := command(t, t.TempDir(), "WASM_FULL=1").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "compiling\nready compiled engines are not kept: file too large\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestReadOnly: a user who may not write the directory uses what is in it, and
// works without.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	place := t.TempDir()
	for dir := place; dir != filepath.Clean(os.TempDir()) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	self := filepath.Join(place, "wasm.test")
	testutil.CopySelf(t, self)
	run := func(dir string) string {
		cmd := command(t, dir)
		cmd.Path, cmd.Dir = self, place
		if os.Getuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return string(out)
	}
	empty, full := filepath.Join(place, "empty"), filepath.Join(place, "full")
	if err := errors.Join(os.Mkdir(empty, 0o555), os.Mkdir(full, 0o755)); err != nil {
		t.Fatal(err)
	}
	opened(t, full, wasmtest.Packed(t, "odd", heavy(t)))
	for _, name := range glob(t, filepath.Join(full, "*")) {
		readable(t, name)
	}
	if err := os.Chmod(full, 0o555); err != nil {
		t.Fatal(err)
	}
	if out := run(full); !strings.HasPrefix(out, "ready \n") {
		t.Errorf("with what is kept:\n%s", out)
	}
	if out := run(empty); !strings.HasPrefix(out, "compiling\nready compiled engines are not kept: permission denied\n") {
		t.Errorf("with nothing:\n%s", out)
	}
}

// readable lets everybody read dir and what is below it.
func readable(t *testing.T, dir string) {
	t.Helper()
	for _, pattern := range []string{"", "*", "*/*"} {
		for _, name := range glob(t, filepath.Join(dir, pattern)) {
			fi, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			mode := os.FileMode(0o444)
			if fi.IsDir() {
				mode = 0o755
			}
			if err := os.Chmod(name, mode); err != nil {
				t.Fatal(err)
			}
		}
	}
}
