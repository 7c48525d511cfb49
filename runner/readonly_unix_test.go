//go:build unix

package runner_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"poly/internal/engine"
	"poly/internal/testutil"
	"poly/store"
)

// TestReadOnlyCache runs as a user who may read the cache but not write it.
func TestReadOnlyCache(t *testing.T) {
	if dir := os.Getenv("RUNNER_CHILD"); dir != "" {
		readOnlyChild(t, dir)
		return
	}
	t.Parallel()
	p := newPlace(t, revealing()...)
	p.crowd()
	p.lint()
	p.Write("new.go", "package a // X\n")
	if err := p.cache.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), p.readable(), "-test.run=^TestReadOnlyCache$", "-test.v")
	cmd.Dir = p.Dir
	cmd.Env = append(p.Env, "RUNNER_CHILD="+p.Dir, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*")
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	} else if err := os.Chmod(filepath.Dir(p.cacheFile()), 0o555); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "read-only: as without a cache") {
		t.Errorf("%v\n%s", err, out)
	}
}

// readable lets everybody read the place, and puts the test's binary there.
func (p *place) readable() (binary string) {
	p.tb.Helper()
	for dir := p.Dir; dir != filepath.Clean(os.TempDir()) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			p.tb.Fatal(err)
		}
	}
	for name, mode := range map[string]os.FileMode{filepath.Dir(p.cacheFile()): 0o755, p.cacheFile(): 0o644} {
		if err := os.Chmod(name, mode); err != nil {
			p.tb.Fatal(err)
		}
	}
	binary = filepath.Join(p.Home, "runner.test")
	testutil.CopySelf(p.tb, binary)
	return binary
}

func readOnlyChild(t *testing.T, dir string) {
	t.Helper()
	p := &place{Repo: &testutil.Repo{Dir: dir, Home: os.Getenv("HOME"), Env: os.Environ()}, tb: t, engines: revealing()}
	before, err := os.ReadFile(p.cacheFile())
	if err != nil {
		t.Fatal(err)
	}
	p.cache = p.openCache(store.CacheOptions{})
	want := p.run(engine.Lint, false, nil)
	for range 2 {
		got := p.lint()
		if d := differ(want, got); d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
		if got.Stats.FromCache == 0 || got.Stats.Read == 0 {
			t.Errorf("%+v: want old files from the cache, and the new one read", got.Stats)
		}
	}
	if after, err := os.ReadFile(p.cacheFile()); err != nil || string(before) != string(after) {
		t.Errorf("the cache file was written: %v", err)
	}
	if !t.Failed() {
		t.Log("read-only: as without a cache")
	}
}
