//go:build unix

package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/atomicfile"
	"poly/internal/testutil"
)

// site is a repository and how poly is run in it.
type site struct {
	*testutil.Repo
	tb     testing.TB
	nobody bool // run as a user without rights
}

// nobodyID is the user and group without rights.
const nobodyID = 65534

func newSite(tb testing.TB) *site {
	tb.Helper()
	r := testutil.NewRepo(tb)
	bin, err := exec.LookPath("poly")
	if err != nil {
		tb.Fatal(err)
	}
	r.Env = append(r.Env, "POLY_CACHE_HOME="+filepath.Join(r.Home, "cache"), "POLY_STATE_HOME="+filepath.Join(r.Home, "state"))
	for i, e := range r.Env {
		if path, ok := strings.CutPrefix(e, "PATH="); ok {
			r.Env[i] = "PATH=" + filepath.Dir(bin) + string(filepath.ListSeparator) + path
		}
	}
	return &site{Repo: r, tb: tb}
}

// asNobody gives the repository to a user without rights, who then runs poly.
// As another user than root, this is the user we are.
func (s *site) asNobody() {
	s.tb.Helper()
	top := filepath.Dir(s.Dir)
	for _, d := range []string{filepath.Dir(top), top} {
		s.must(os.Chmod(d, 0o755))
	}
	if os.Getuid() != 0 {
		return
	}
	s.nobody = true
	s.must(filepath.WalkDir(top, func(p string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(p, nobodyID, nobodyID))
	}))
}

func (s *site) must(errs ...error) {
	s.tb.Helper()
	if err := errors.Join(errs...); err != nil {
		s.tb.Fatal(err)
	}
}

// setenv sets variables, "X=v", or unsets them, "X".
func (s *site) setenv(vars ...string) {
	for _, v := range vars {
		name, _, set := strings.Cut(v, "=")
		s.Env = slices.DeleteFunc(s.Env, func(e string) bool { return strings.HasPrefix(e, name+"=") })
		if set {
			s.Env = append(s.Env, v)
		}
	}
}

// command makes a process of poly that is not started yet.
func (s *site) command(args ...string) *exec.Cmd {
	s.tb.Helper()
	return s.exec("poly", args...)
}

func (s *site) exec(name string, args ...string) *exec.Cmd {
	s.tb.Helper()
	path := name
	for dir := range strings.SplitSeq(s.Getenv("PATH"), string(filepath.ListSeparator)) {
		if fi, err := os.Stat(filepath.Join(dir, name)); err == nil && fi.Mode()&0o111 != 0 {
			path = filepath.Join(dir, name)
			break
		}
	}
	cmd := exec.CommandContext(s.tb.Context(), path, args...)
	cmd.Dir, cmd.Env = s.Dir, s.Env
	if s.nobody {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobodyID, Gid: nobodyID}}
	}
	return cmd
}

// outcome is how a process ended.
type outcome struct {
	code           int
	stdout, stderr string
}

// poly runs poly and fails the test unless it ends with the code.
func (s *site) poly(code int, args ...string) outcome {
	s.tb.Helper()
	return s.finish(code, s.command(args...))
}

func (s *site) finish(code int, cmd *exec.Cmd) outcome {
	s.tb.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		s.tb.Fatal(err)
	}
	o := outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	if o.code != code {
		s.tb.Errorf("%v: exit code %d, want %d\n%s\n%s", cmd.Args, o.code, code, o.stdout, o.stderr)
	}
	if strings.Contains(o.stderr, "goroutine ") {
		s.tb.Errorf("%v panicked:\n%s", cmd.Args, o.stderr)
	}
	return o
}

func (s *site) want(what, text string, parts ...string) {
	s.tb.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			s.tb.Errorf("%s lacks %q:\n%s", what, p, text)
		}
	}
}

// snapshot describes every name below dir: kind, mode, time of change of the
// content, and the content.
func snapshot(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		switch {
		case fi.Mode().IsRegular():
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			out[rel] = fmt.Sprintf("%v %d %x", fi.Mode(), fi.ModTime().UnixNano(), sha256.Sum256(text))
		case fi.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(p)
			if err != nil {
				return err
			}
			out[rel] = "link " + to
		default:
			out[rel] = fi.Mode().String()
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// unchanged fails the test unless dir is as it was, but for the files named.
func (s *site) unchanged(before map[string]string, but ...string) {
	s.tb.Helper()
	after := snapshot(s.tb, s.Dir)
	before = maps.Clone(before)
	for _, name := range but {
		delete(after, name)
		delete(before, name)
	}
	if d := cmp.Diff(before, after); d != "" {
		s.tb.Errorf("the worktree or the repository changed (-before +after):\n%s", d)
	}
}

// temporaries lists the temporary files in the worktree.
func (s *site) temporaries() []string {
	s.tb.Helper()
	var out []string
	for name := range snapshot(s.tb, s.Dir) {
		if strings.HasSuffix(name, atomicfile.TempSuffix) {
			out = append(out, name)
		}
	}
	return out
}
