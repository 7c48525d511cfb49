package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// build makes the real binary: the test binary links more than poly does.
func build(t *testing.T) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "poly")
	cmd := exec.Command("go", "build", "-o", exe, ".")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return exe
}

// slowInit are packages known to take longer than half a millisecond to
// initialise, and why they are linked all the same.
var slowInit = map[string]string{
	"github.com/rhysd/actionlint": "a table of the inputs of well-known actions, 0.6 ms; it is one package",
}

// unwelcome are packages that have been got rid of, and what is used instead.
var unwelcome = map[string]string{
	"github.com/google/go-cmp/cmp":                 "a library for tests; hcl lays out by code of its own, since hclwrite links it",
	"github.com/klauspost/cpuid/v2":                "internal/blake3 hashes without it",
	"google.golang.org/protobuf/reflect/protodesc": "internal/gen/protobuf stands in for what links it",
	"golang.org/x/tools/imports":                   "imports sorts by code of its own",
	"github.com/open-policy-agent/opa/v1/ast":      "opa is in builds with the tag extra",
	"golang.org/x/tools/internal/imports":          "imports sorts by code of its own",
}

// TestStart keeps the start of poly cheap: every hook and every editor pays
// it. It names each package that takes more than 0.5 ms to initialise in the
// best of several runs, and bounds the sum.
func TestStart(t *testing.T) {
	exe := build(t)
	best := map[string]float64{}
	for range 15 {
		cmd := exec.Command(exe, "--version")
		cmd.Env = append(cmd.Environ(), "GODEBUG=inittrace=1")
		var trace bytes.Buffer
		cmd.Stderr = &trace
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(trace.String()) {
			// init <package> @<time> ms, <clock> ms clock, ...
			f := strings.Fields(line)
			if len(f) < 6 || f[0] != "init" {
				continue
			}
			ms, err := strconv.ParseFloat(f[4], 64)
			if err != nil {
				t.Fatalf("init trace %q: %v", line, err)
			}
			if old, ok := best[f[1]]; !ok || ms < old {
				best[f[1]] = ms
			}
		}
	}
	if len(best) < 5 {
		t.Fatalf("the trace names %d packages: it was not understood", len(best))
	}
	sum := 0.0
	for pkg, ms := range best {
		sum += ms
		if ms > 0.5 && slowInit[pkg] == "" {
			t.Errorf("package %s takes %.2f ms to initialise", pkg, ms)
		}
		if instead := unwelcome[pkg]; instead != "" {
			t.Errorf("package %s is linked again: %s", pkg, instead)
		}
	}
	if sum > 8 {
		t.Errorf("packages take %.2f ms to initialise in sum, at most 8", sum)
	}
}

// TestWarmRunNeedsNoGit: a run of an unchanged worktree starts no process.
// Without git on PATH it gives the same answer.
func TestWarmRunNeedsNoGit(t *testing.T) {
	t.Parallel()
	exe := build(t)
	dir, home := t.TempDir(), t.TempDir()
	env := []string{"HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"}
	script := `git init -q && printf '{"a": 1}\n' > a.json && printf 'a: 1\n' > b.yaml && printf '{' > bad.json && git add -A &&
		git -c user.name=t -c user.email=t@example.invalid commit -qm c`
	sh := exec.Command("sh", "-ec", script)
	sh.Dir, sh.Env = dir, append(env, "PATH=/usr/local/bin:/usr/bin:/bin")
	if out, err := sh.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lint := func(path string) string {
		cmd := exec.Command(exe, "lint", "--format", "json", ".")
		cmd.Dir, cmd.Env = dir, append(env, "PATH="+path)
		out, err := cmd.Output()
		if err == nil || cmd.ProcessState.ExitCode() != 1 {
			t.Fatalf("lint: %v, want exit code 1\n%s", err, out)
		}
		return string(out)
	}
	cold := lint("/usr/local/bin:/usr/bin:/bin")
	if warm := lint(t.TempDir()); warm != cold {
		t.Errorf("without git: %s\nwith git: %s", warm, cold)
	}
}
