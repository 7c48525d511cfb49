// Package lab is what all parts of the proof stand on: a page of tables and
// faults, programs run in an environment that no setting of the machine
// reaches, and where the public repositories are. It judges nothing.
package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Lab is one run of the proof.
type Lab struct {
	Poly  string // the binary to prove; absolute
	Repos string // where the public repositories are
	Dir   string // where to work; absolute
	Limit int    // the most files of a corpus; 0: as many as it takes
	Log   io.Writer

	Page    Page
	Records Records
	Faults  []string
}

// Part is a section of a page.
type Part struct {
	Name, Title string
	Run         func(context.Context, *Lab) error
}

// Fault notes something that must not be.
func (l *Lab) Fault(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	l.Faults = append(l.Faults, s)
	fmt.Fprintln(l.Log, "   FAULT", s)
}

// Do runs a part as a section of the page. Only a done context is an error: a
// part that does not finish is a fault.
func (l *Lab) Do(ctx context.Context, pt Part) error {
	start, before := time.Now(), len(l.Faults)
	fmt.Fprintf(l.Log, "== %s\n", pt.Title)
	l.Page.Heading(pt.Title)
	if err := pt.Run(ctx, l); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		l.Fault("%s did not finish: %v", pt.Name, err)
	}
	l.Page.Faults(l.Faults[before:])
	fmt.Fprintf(l.Log, "   %s: %.0f s, %d faults\n", pt.Name, time.Since(start).Seconds(), len(l.Faults)-before)
	return nil
}

// environment is that of every program that the proof starts, but for those
// that fetch tools.
func (l *Lab) environment() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + l.Dir, "LC_ALL=C", "TMPDIR=" + l.Dir,
		"POLY_CACHE_HOME=" + filepath.Join(l.Dir, "cache"), "POLY_STATE_HOME=" + filepath.Join(l.Dir, "state"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=proof", "GIT_AUTHOR_EMAIL=proof@example.invalid", "GIT_COMMITTER_NAME=proof", "GIT_COMMITTER_EMAIL=proof@example.invalid",
	}
}

// Result is what a program did.
type Result struct {
	Out, Errs []byte
	Exit      int
	Wall, CPU time.Duration // CPU: with that of its children
}

// Start runs a program. An exit code is no error.
func (l *Lab) Start(ctx context.Context, dir string, in []byte, argv ...string) (Result, error) {
	return l.StartWith(ctx, nil, dir, in, argv...)
}

// StartWith is Start with variables added to the environment.
func (l *Lab) StartWith(ctx context.Context, env []string, dir string, in []byte, argv ...string) (Result, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, append(l.environment(), env...), bytes.NewReader(in)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err := cmd.Run()
	r := Result{Out: out.Bytes(), Errs: errs.Bytes(), Exit: cmd.ProcessState.ExitCode(), Wall: time.Since(began)}
	if s := cmd.ProcessState; s != nil {
		r.CPU = s.UserTime() + s.SystemTime()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return r, fmt.Errorf("%v: %w", argv, err)
	}
	return r, ctx.Err()
}

// Git runs git, whose exit code must be 0.
func (l *Lab) Git(ctx context.Context, dir string, in []byte, args ...string) ([]byte, error) {
	r, err := l.Start(ctx, dir, in, append([]string{"git"}, args...)...)
	if err == nil && r.Exit != 0 {
		err = fmt.Errorf("git %v: exit %d: %s", args, r.Exit, r.Errs)
	}
	return r.Out, err
}

// Go runs the go command in this module and in the user's environment, which
// knows where modules come from.
func Go(ctx context.Context, args ...string) error {
	return Outside(ctx, "", nil, append([]string{"go"}, args...)...)
}

// Outside runs a package manager, which keeps its settings and certificates in
// the environment of the user; env is added to it.
func Outside(ctx context.Context, dir string, env []string, argv ...string) error {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(argv[:min(len(argv), 3)], " "), err, Clean(string(out)))
	}
	return nil
}

// Key is the name of the directory of a repository OWNER/NAME.
func Key(name string) string { return strings.ReplaceAll(name, "/", "+") }

// Find returns the clone or bare repository of OWNER/NAME; fs.ErrNotExist if
// it is not there.
func (l *Lab) Find(name string) (string, error) {
	for _, d := range []string{filepath.Join(l.Repos, Key(name), "repo"), filepath.Join(l.Repos, Key(name))} {
		for _, head := range []string{"HEAD", ".git/HEAD"} {
			if _, err := os.Stat(filepath.Join(d, head)); err == nil {
				return filepath.Abs(d)
			}
		}
	}
	return "", fs.ErrNotExist
}

// Pruned repeats the directories that the page `discovery` names; it is not
// taken from the code that is to be proved.
var Pruned = []string{
	"node_modules", "vendor", "deps", "target", "dist", "build", "coverage", ".venv", "venv", "__pycache__", ".tox", ".gradle",
	".next", ".nuxt", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".polylint",
}
