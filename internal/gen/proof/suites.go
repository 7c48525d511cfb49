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

	"poly/internal/gen/proof/judge"
	"poly/internal/gen/proof/lab"
)

// goCommand is the go command in this module, in the user's environment.
func goCommand(ctx context.Context, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// head writes the top of the page: what was proved, where, and with what.
func (p *proof) head(ctx context.Context, now time.Time, core bool) error {
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
	poly, err := p.Start(ctx, p.Dir, nil, p.Poly, "--version", "--format", "json")
	if err != nil {
		return err
	}
	var v struct {
		Version string
		BuildID string `json:"build_id"`
		Engines map[string]string
	}
	if err := json.Unmarshal(poly.Out, &v); err != nil {
		return fmt.Errorf("poly --version: %w", err)
	}
	git, err := p.Git(ctx, p.Dir, nil, "version")
	if err != nil {
		return err
	}
	t := lab.NewTable("what", "which")
	t.Row("date", now.Format("2006-01-02 15:04 MST"))
	t.Row("commit", strings.TrimSpace(string(commit))+dirty)
	t.Row("poly", v.Version+", build "+v.BuildID)
	if core {
		t.Row("gofumpt, yamlfmt", v.Engines["gofumpt"]+", "+v.Engines["yamlfmt"])
		t.Row("judges", strings.Join(judge.Packages, ", ")+", PyYAML, Python's json, gofmt -e")
	}
	t.Row("Go, git", runtime.Version()+", "+strings.TrimPrefix(strings.TrimSpace(string(git)), "git version "))
	t.Row("machine", fmt.Sprintf("%s/%s, %d CPUs", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()))
	if p.parts != "" {
		t.Row("parts", p.parts+" with this commit; the others are of the same day")
	}
	p.Page.Table(t)
	return nil
}

// bench runs the benchmark command.
func (p *proof) bench(ctx context.Context) error {
	return p.command(ctx, "internal/gen/bench", "-poly", p.Poly)
}

// fuzzing runs the fuzz command.
func (p *proof) fuzzing(ctx context.Context) error {
	return p.command(ctx, "internal/gen/fuzz", "-time", p.options.fuzz.String())
}

// results adds a row for each test, subtests too, that go test -json tells of,
// and returns what those printed that did not pass.
func (p *proof) results(out []byte, t *lab.Table) (printed string) {
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
				t.Row(e.Package, e.Test, e.Action, fmt.Sprintf("%.1f", e.Elapsed))
			}
		case "skip", "fail":
			t.Row(e.Package, e.Test, e.Action, fmt.Sprintf("%.1f", e.Elapsed))
			p.Fault("%s: %s", key, e.Action)
			printed += said[key]
		}
	}
	return printed
}

// command runs a command of this module and shows what it prints.
func (p *proof) command(ctx context.Context, dir string, args ...string) error {
	cmd := goCommand(ctx, nil, append([]string{"run", "./" + dir}, args...)...)
	out, err := cmd.CombinedOutput()
	text := strings.ReplaceAll(string(out), p.Poly, filepath.Base(p.Poly))
	p.Page.Line("`go run ./%s %s`", dir, strings.ReplaceAll(strings.Join(args, " "), p.Poly, "bin/poly"))
	p.Page.Block(text)
	if err != nil {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		last := lines[max(0, len(lines)-2)] // go run ends with the exit status
		p.Fault("%s: %v: %s", dir, err, last)
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
	p.Page.Line("`%s go %s`", strings.Join(env, " "), strings.Join(args, " "))
	t := lab.NewTable("package", "test", "result", "seconds")
	printed := p.results(out, t)
	p.Page.Table(t)
	if printed != "" {
		p.Page.Block(printed)
	}
	if len(t.Rows) == 0 {
		p.Fault("no long test ran: %s", lab.Clean(errs.String()))
	} else if runErr != nil {
		p.Fault("go test: %v %s", runErr, lab.Clean(errs.String()))
	}
	return ctx.Err()
}
