package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"poly/internal/engine"
	"poly/internal/engine/all"
	"poly/internal/usererr"
)

// app is the outside world as commands see it. Nothing below cmd/poly touches
// the environment, the working directory or the standard streams.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            []string
	args           []string
	cwd            string
	goos           string
	uid            int
	now            func() time.Time
	log            *slog.Logger
	engines        []engine.Engine
	lockWait       time.Duration // for another writer; 0: the default
}

func system() *app {
	cwd, _ := os.Getwd()
	return &app{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		env: os.Environ(), args: os.Args[1:], cwd: cwd, goos: runtime.GOOS, uid: os.Getuid(), now: time.Now,
		log: slog.New(slog.DiscardHandler), engines: all.Engines(),
	}
}

// run executes one command line and returns the exit code.
func run(ctx context.Context, a *app) int {
	cmd := a.root() //nolint:contextcheck // commands get the context from cobra
	cmd.SetArgs(a.args)
	cmd.SetIn(a.stdin)
	cmd.SetOut(a.stdout)
	cmd.SetErr(a.stderr)
	return a.finish(ctx, cmd.ExecuteContext(ctx))
}

// getenv returns an environment variable, "" if it is unset.
func (a *app) getenv(name string) string {
	for _, kv := range slices.Backward(a.env) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

// color reports whether w is a terminal whose user has not asked for plain text.
func (a *app) color(w io.Writer, off bool) bool {
	if off || a.getenv("NO_COLOR") != "" || a.getenv("CLICOLOR") == "0" || a.getenv("TERM") == "dumb" {
		return a.forced() && !off && a.getenv("NO_COLOR") == ""
	}
	return a.forced() || isTerminal(w)
}

func (a *app) forced() bool {
	v := a.getenv("CLICOLOR_FORCE")
	return v != "" && v != "0"
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width returns the columns of the terminal w is, else 0.
func width(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	cols, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return cols
}

// abs returns the absolute path of what was typed.
func (a *app) abs(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(a.cwd, p)
}

// readRegular reads a file by absolute path for config. What is no regular
// file, such as a pipe that nobody writes to, is an error.
func readRegular(p string) ([]byte, error) {
	fi, err := os.Stat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, err
	case !fi.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: p, Err: errors.New("not a regular file")}
	}
	return os.ReadFile(p)
}

// debug turns the log on, to stderr.
func (a *app) debug() {
	a.log = slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func wrongUse(msg, hint string) error { return usererr.New("wrong-use", msg, hint) }
