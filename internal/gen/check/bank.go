package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// bankDir is where the bank of real-world cases lies, beside the checkout. It
// is not part of this repository.
const bankDir = "../shared/kit/bank"

// bank runs every case. The case files may be
// read-only, so they are copied first.
func bank(ctx context.Context, c *counts) error {
	dir, err := writable(ctx, c, bankDir)
	if dir == "" || err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	npm := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
	npm.Dir = filepath.Join(dir, "oracle")
	npm.Stdout, npm.Stderr = os.Stdout, os.Stderr
	if err := npm.Run(); err != nil {
		return fmt.Errorf("npm ci of the judges: %w", err)
	}
	poly, err := filepath.Abs("bin/poly")
	if err != nil {
		return err
	}
	report := filepath.Join(dir, "out.json")
	only, err := required(dir)
	if err != nil {
		return err
	}
	run := exec.CommandContext(ctx, python(ctx), filepath.Join(dir, "run.py"), "-j", "2", "-q", "--only", "^("+strings.Join(only, "|")+")-", "--json", report, "--", poly)
	out, _ := run.CombinedOutput()
	return judge(c, report, string(out), len(only))
}

// writable copies a folder that lies beside the checkout and may be read-only;
// dir is "", and that is told, if it is not there. The caller removes it.
func writable(ctx context.Context, c *counts, from string) (dir string, err error) {
	if _, err := os.Stat(from); errors.Is(err, os.ErrNotExist) {
		fmt.Fprintf(os.Stdout, "   %s is not there: not run\n", from)
		return "", nil
	}
	if dir, err = os.MkdirTemp("", filepath.Base(from)); err != nil {
		return "", err
	}
	if err = command("cp", "-r", from+"/.", dir)(ctx, c); err == nil {
		err = command("chmod", "-R", "u+w", dir)(ctx, c)
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
}

// python prefers the system's, which has PyYAML from Debian.
func python(ctx context.Context) string {
	for _, p := range []string{"/usr/bin/python3", "python3"} {
		if exec.CommandContext(ctx, p, "-c", "import yaml").Run() == nil {
			return p
		}
	}
	return "python3"
}

// required lists the ids of the cases that must pass.
func required(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "case.json"))
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		var c struct{ ID string }
		if err := json.Unmarshal(data, &c); err != nil {
			return nil, err
		}
		ids = append(ids, c.ID)
	}
	return ids, nil
}

type verdict struct {
	ID, Kind, Status string
	Why              []string
}

func judge(c *counts, report, out string, want int) error {
	data, err := os.ReadFile(report)
	if err != nil {
		return fmt.Errorf("the bank wrote no report: %s", out)
	}
	var vs []verdict
	if err := json.Unmarshal(data, &vs); err != nil {
		return err
	}
	if len(vs) != want {
		return fmt.Errorf("%d cases of the bank ran, want %d", len(vs), want)
	}
	bad := 0
	for _, v := range vs {
		if v.Status == "pass" || v.Status == "absent" {
			c.passed++
			continue
		}
		bad++
		c.failed++
		fmt.Fprintf(os.Stdout, "--- bank %s (%s): %s: %s\n", v.ID, v.Kind, v.Status, strings.Join(v.Why, "; "))
	}
	if bad > 0 {
		return fmt.Errorf("%d cases of the bank fail", bad)
	}
	return nil
}
