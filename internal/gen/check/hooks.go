package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// hooksDir is where the scenarios of hooks lie, beside the checkout.
const hooksDir = "../shared/kit/hooks"

// hookLimit ends a run of the scenarios that hangs.
const hookLimit = 20 * time.Minute

// hookScenarios acts as users do: each builds a repository, installs hooks and
// commits. Every public one must pass.
func hookScenarios(ctx context.Context, c *counts) error {
	dir, err := writable(ctx, c, hooksDir)
	if dir == "" || err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	poly, err := filepath.Abs("bin/poly")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, hookLimit)
	defer cancel()
	run := exec.CommandContext(ctx, "bash", filepath.Join(dir, "run.sh"), "poly", "public")
	run.WaitDelay = 10 * time.Second
	run.Env = append(os.Environ(), "POLY="+poly, "JOBS=2", "RESULTS="+filepath.Join(dir, "results.tsv"), "KIT_TMP="+dir)
	out, err := run.Output()
	if err != nil {
		return fmt.Errorf("the scenarios did not end: %w", err)
	}
	return countScenarios(c, string(out))
}

// countScenarios reads a line a scenario: "PASS<tab>name<tab>why".
func countScenarios(c *counts, out string) error {
	passed, bad := 0, 0
	for line := range strings.Lines(out) {
		status, rest, ok := strings.Cut(strings.TrimSpace(line), "\t")
		switch {
		case !ok:
		case status == "PASS":
			passed++
		case status == "SKIP":
			c.skipped++
		default:
			bad++
			fmt.Fprintf(os.Stdout, "--- hooks %s: %s\n", status, rest)
		}
	}
	c.passed += passed
	c.failed += bad
	if bad > 0 || passed == 0 {
		return fmt.Errorf("%d scenarios passed, %d failed", passed, bad)
	}
	return nil
}
