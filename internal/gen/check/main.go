// Command check runs all that CI runs, in order, and ends with one summary
// line. It needs a Go toolchain with a C compiler, git, npm for the Wasm engines and cargo for grammars; node and Python are used for the bank
// of real-world cases where that is laid beside the checkout.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"
)

// counts are tests, plus one for every other step.
type counts struct{ passed, failed, skipped int }

type step struct {
	name string
	run  func(context.Context, *counts) error
}

func main() {
	ctx := context.Background()
	steps := []step{
		{"engines", command("go", "run", "./internal/gen/pack")},
		{"grammars", command("go", "run", "./internal/gen/grammars")},
		{"build", command("go", "build", "-o", "bin/poly", "./cmd/poly")}, // not -trimpath: it would have all C compiled twice
		{"vet", command("go", "vet", "./...")},
		{"generated files are up to date", generated},
		{"linked packages", linked},
		{"tools of the cargo group", rustTools},
		{"tests", goTest("./...")},
		{"engines of -tags extra", extra},
		{"race tests", goTest("-race", "-short", "./runner", "./store", "./internal/gitstate/...", "./internal/worktree", "./internal/wasm", "./internal/proc", "./internal/jsonrpc", "./mcp", "./runner/task", "./runner/job", "./runner/project")},
		{"fuzzing what speaks to modules", command("go", "run", "./internal/gen/fuzz", "-time", "60s", "-run", "wasm/(bindgen|dprint)[.]")},
		{"linters", command("go", "tool", "-modfile=internal/gen/tools/go.mod", "golangci-lint", "run", "./...")},
		{"darwin builds", vetDarwin},
		{"poly lint .", command("bin/poly", "lint", ".")},
		{"poly fmt --check .", command("bin/poly", "fmt", "--check", ".")},
		{"bank", bank},
		{"scenarios of hooks", hookScenarios},
		{"clients of poly mcp", clients},
	}
	var c counts
	for _, s := range steps {
		start := time.Now()
		fmt.Fprintf(os.Stdout, "== %s\n", s.name)
		before := c
		if err := s.run(ctx, &c); err != nil {
			fmt.Fprintf(os.Stdout, "FAILED %s: %v\n", s.name, err)
			if c.failed == before.failed {
				c.failed++
			}
		} else if c == before {
			c.passed++
		}
		fmt.Fprintf(os.Stdout, "   %s: %.0f s\n", s.name, time.Since(start).Seconds())
	}
	fmt.Fprintf(os.Stdout, "%d passed, %d failed, %d skipped\n", c.passed, c.failed, c.skipped)
	if c.failed > 0 {
		os.Exit(1)
	}
}

func command(name string, args ...string) func(context.Context, *counts) error {
	return func(ctx context.Context, _ *counts) error {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		return cmd.Run()
	}
}

// generated runs the generators and fails if a tracked file changes.
func generated(ctx context.Context, c *counts) error {
	before, err := exec.CommandContext(ctx, "git", "diff").Output()
	if err != nil {
		return err
	}
	if err := command("go", "generate", "./...")(ctx, c); err != nil {
		return err
	}
	after, err := exec.CommandContext(ctx, "git", "diff").Output()
	if err != nil {
		return err
	}
	if string(before) != string(after) {
		_, _ = os.Stdout.Write(after)
		return fmt.Errorf("go generate changes tracked files: run make generate and commit")
	}
	return nil
}

// unlinked are packages that cost every start of poly too much, or bring what
// it must not do. The package testing is not among them: revive asks it whether
// a test is running, and it costs nothing.
var unlinked = []string{
	"github.com/go-git/go-git/v5", "github.com/go-git/go-git/v5/plumbing/object", "github.com/mark3labs/mcp-go/server",
	"golang.org/x/crypto/ssh",
}

// linked fails if poly links a package that it must not.
func linked(ctx context.Context, _ *counts) error {
	out, err := exec.CommandContext(ctx, "go", "list", "-deps", "./cmd/poly").Output()
	if err != nil {
		return err
	}
	for p := range strings.FieldsSeq(string(out)) {
		if slices.Contains(unlinked, p) {
			return fmt.Errorf("poly links %s", p)
		}
	}
	return nil
}

// extra vets and tests what is built with -tags extra only.
func extra(ctx context.Context, c *counts) error {
	if err := command("go", "vet", "-tags=extra", "./...")(ctx, c); err != nil {
		return err
	}
	all, err := exec.CommandContext(ctx, "go", "list", "-tags=extra", "./internal/engine/...").Output()
	if err != nil {
		return err
	}
	plain, err := exec.CommandContext(ctx, "go", "list", "./internal/engine/...").Output()
	if err != nil {
		return err
	}
	packages, names := []string{"./internal/engine/all", "./internal/gen/docs"}, []string{}
	for p := range strings.FieldsSeq(string(all)) {
		if !slices.Contains(strings.Fields(string(plain)), p) {
			packages, names = append(packages, p), append(names, path.Base(p))
		}
	}
	run := "-run=^Test[^E]|^TestEngines$/^(" + strings.Join(names, "|") + ")$"
	return goTest(append([]string{"-tags=extra", run}, packages...)...)(ctx, c)
}

// vetDarwin type-checks the packages that need no cgo for macOS.
func vetDarwin(ctx context.Context, _ *counts) error {
	out, err := exec.CommandContext(ctx, "go", "list", "./internal/...").Output()
	if err != nil {
		return err
	}
	var pkgs []string
	for p := range strings.Lines(string(out)) {
		if p = strings.TrimSpace(p); !strings.Contains(p, "/gen/") {
			pkgs = append(pkgs, p)
		}
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"build"}, pkgs...)...)
	cmd.Env = append(os.Environ(), "GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=0")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

type event struct{ Action, Package, Test, Output string }

// goTest counts tests and shows the output of failed ones only.
func goTest(args ...string) func(context.Context, *counts) error {
	return func(ctx context.Context, c *counts) error {
		cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-json", "-timeout=15m"}, args...)...)
		cmd.Stderr = os.Stderr
		pipe, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		read(pipe, c)
		return cmd.Wait()
	}
}

func read(r io.Reader, c *counts) {
	output := map[string][]string{}
	in := bufio.NewScanner(r)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		var e event
		if json.Unmarshal(in.Bytes(), &e) != nil {
			fmt.Fprintln(os.Stdout, in.Text())
			continue
		}
		key := e.Package + " " + e.Test
		switch e.Action {
		case "output", "build-output":
			output[key] = append(output[key], e.Output)
		case "pass", "skip", "fail":
			tally(c, e)
			if e.Action == "fail" {
				fmt.Fprintf(os.Stdout, "--- %s\n%s", key, strings.Join(output[key], ""))
			}
			if e.Action == "skip" && e.Test != "" {
				fmt.Fprintf(os.Stdout, "--- SKIP %s\n%s", key, strings.Join(output[key], ""))
			}
			delete(output, key)
		}
	}
}

func tally(c *counts, e event) {
	switch {
	case e.Action == "fail":
		c.failed++
	case e.Test == "":
	case e.Action == "pass":
		c.passed++
	case e.Action == "skip":
		c.skipped++
	}
}
