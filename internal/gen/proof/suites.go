package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// goCommand is the go command in this module, in the user's environment.
func goCommand(ctx context.Context, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// head writes the top of the page: what was proved, where, and with what.
func (p *proof) head(ctx context.Context, now time.Time, chosen []part) error {
	commit, err := exec.CommandContext(ctx, "git", "rev-parse", "HEAD").Output()
	if err != nil {
		return err
	}
	state, err := exec.CommandContext(ctx, "git", "status", "--porcelain", "--", "*.go", "go.mod", "go.sum").Output()
	if err != nil {
		return err
	}
	dirty := ""
	if len(state) > 0 {
		dirty = " with uncommitted changes"
	}
	poly, err := p.start(ctx, p.dir, nil, p.poly, "--version", "--format", "json")
	if err != nil {
		return err
	}
	var v struct {
		Version string
		BuildID string `json:"build_id"`
		Engines map[string]string
	}
	if err := json.Unmarshal(poly.out, &v); err != nil {
		return fmt.Errorf("poly --version: %w", err)
	}
	git, err := p.git(ctx, p.dir, nil, "version")
	if err != nil {
		return err
	}
	t := newTable("what", "which")
	t.row("date", now.Format("2006-01-02 15:04 MST"))
	t.row("commit", strings.TrimSpace(string(commit))+dirty)
	t.row("poly", v.Version+", build "+v.BuildID)
	t.row("gofumpt, yamlfmt", v.Engines["gofumpt"]+", "+v.Engines["yamlfmt"])
	t.row("Go, git", runtime.Version()+", "+strings.TrimPrefix(strings.TrimSpace(string(git)), "git version "))
	t.row("judges", strings.Join(packages, ", ")+", PyYAML, Python's json, gofmt -e")
	t.row("machine", fmt.Sprintf("%s/%s, %d CPUs", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()))
	if len(chosen) < len(parts) {
		t.row("parts", p.parts+" only")
	}
	p.doc.table(t)
	return nil
}

// bench runs the benchmark command.
func (p *proof) bench(ctx context.Context) error {
	return p.command(ctx, "internal/gen/bench", "-poly", p.poly)
}

// fuzzing runs the fuzz command.
func (p *proof) fuzzing(ctx context.Context) error {
	return p.command(ctx, "internal/gen/fuzz", "-time", p.options.fuzz.String())
}

// results adds a row for each test, subtests too, that go test -json tells of,
// and returns what those printed that did not pass.
func (p *proof) results(out []byte, t *table) (printed string) {
	said := map[string]string{}
	for line := range bytes.Lines(out) {
		var e struct {
			Action, Package, Test, Output string
			Elapsed                       float64
		}
		if json.Unmarshal(line, &e) != nil || e.Test == "" {
			continue
		}
		key := e.Package + "." + e.Test
		switch e.Action {
		case "output":
			said[key] += e.Output
		case "pass":
			if !strings.Contains(e.Test, "/") {
				t.row(e.Package, e.Test, e.Action, fmt.Sprintf("%.1f", e.Elapsed))
			}
		case "skip", "fail":
			t.row(e.Package, e.Test, e.Action, fmt.Sprintf("%.1f", e.Elapsed))
			p.fault("%s: %s", key, e.Action)
			printed += said[key]
		}
	}
	return printed
}

// command runs a command of this module and shows what it prints.
func (p *proof) command(ctx context.Context, dir string, args ...string) error {
	cmd := goCommand(ctx, nil, append([]string{"run", "./" + dir}, args...)...)
	out, err := cmd.CombinedOutput()
	text := strings.ReplaceAll(string(out), p.poly, filepath.Base(p.poly))
	p.doc.line("`go run ./%s %s`", dir, strings.ReplaceAll(strings.Join(args, " "), p.poly, "bin/poly"))
	p.doc.block(text)
	if err != nil {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		last := lines[max(0, len(lines)-2)] // go run ends with the exit status
		p.fault("%s: %v: %s", dir, err, last)
	}
	return ctx.Err()
}

// long runs the tests that compare with git, or a run with itself, on random
// input: the environment makes those that can take long take long.
func (p *proof) long(ctx context.Context) error {
	args := []string{"test", "-count=1", "-json", "-timeout=60m", "-run", "Law|Git$|GitAgrees|Matrix|Property|Differential", "./runner", "./internal/gitstate/..."}
	env := []string{"POLY_LONG=1", fmt.Sprintf("POLY_LAW_STEPS=%d", p.steps)}
	cmd := goCommand(ctx, env, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, runErr := cmd.Output()
	p.doc.line("`%s go %s`", strings.Join(env, " "), strings.Join(args, " "))
	t := newTable("package", "test", "result", "seconds")
	printed := p.results(out, t)
	p.doc.table(t)
	if printed != "" {
		p.doc.block(printed)
	}
	if len(t.rows) == 0 {
		p.fault("no long test ran: %s", clean(errs.String()))
	} else if runErr != nil {
		p.fault("go test: %v %s", runErr, clean(errs.String()))
	}
	return ctx.Err()
}
