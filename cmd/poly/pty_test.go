//go:build unix

package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestProgress: a slow run shows on a terminal how far it is and erases it; a
// short one, and one whose standard error is no terminal, shows nothing.
func TestProgress(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	names := s.slowFiles()
	s.Write("quick/a.yaml", "a: 1\n")
	s.Commit("c")

	term := s.onTerminal(false, "fmt", "-j", "1", "--format", "json")
	if code := term.wait(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	shown := term.shown()
	if n := len(progressLine.FindAllString(shown, -1)); n < 2 {
		t.Errorf("a slow run shows %d lines of progress: %q", n, shown)
	}
	if !regexp.MustCompile(fmt.Sprintf(`^(\r\x1b\[Kformatting [0-9]+/%d)+\r\x1b\[K$`, len(names)+1)).MatchString(shown) {
		t.Errorf("the terminal shows %q", shown)
	}
	if err := checkDocument(term.stdout.String()); err != nil {
		t.Error(err)
	}
	if o := s.poly(1, "fmt", "--no-cache", "--format", "json"); o.stderr != "" || o.stdout != term.stdout.String() {
		t.Errorf("without a terminal: %q, %q", o.stderr, o.stdout)
	}
	for _, args := range [][]string{{"fmt", "--format", "json"}, {"fmt", "quick", "--no-cache", "--format", "json"}} {
		term := s.onTerminal(false, args...)
		term.wait()
		if shown := term.shown(); shown != "" {
			t.Errorf("%v: the terminal shows %q", args, shown)
		}
	}
}

// TestColour: colours on a terminal, plain text for NO_COLOR, --no-color, a
// dumb terminal and anything that is no terminal.
func TestColour(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.Write("a.yaml", dup)
	s.Write("b.go", badGo)
	s.Write("c.zig", "")
	s.Commit("c")
	for _, tc := range []struct {
		args   []string
		env    string
		colour bool
	}{
		{[]string{"lint"}, "TERM=xterm", true},
		{[]string{"fmt"}, "TERM=xterm", true},
		{[]string{"fmt", "--diff"}, "TERM=xterm", true},
		{[]string{"lint", "--no-color"}, "TERM=xterm", false},
		{[]string{"fmt", "--diff", "--no-color"}, "TERM=xterm", false},
		{[]string{"lint"}, "NO_COLOR=1", false},
		{[]string{"lint"}, "TERM=dumb", false},
		{[]string{"lint"}, "CLICOLOR=0", false},
		{[]string{"lint", "--format", "toon", "-q"}, "TERM=xterm", false},
		{[]string{"lint", "--format", "json", "-q"}, "TERM=xterm", false},
	} {
		t.Run(fmt.Sprint(tc.env, " ", strings.Join(tc.args, " ")), func(t *testing.T) {
			t.Parallel()
			r := *s.Repo
			s := &site{Repo: &r, tb: t}
			s.Env = append([]string(nil), s.Env...)
			s.setenv(tc.env)
			term := s.onTerminal(true, tc.args...)
			if code := term.wait(); code != 1 {
				t.Errorf("exit code %d", code)
			}
			shown := term.shown()
			if got := strings.Contains(shown, "\x1b["); got != tc.colour {
				t.Errorf("colour %v, want %v: %q", got, tc.colour, shown)
			}
			plain := regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(strings.ReplaceAll(shown, "\r\n", "\n"), "")
			o := s.poly(1, tc.args...)
			if strings.Contains(o.stdout+o.stderr, "\x1b") {
				t.Errorf("colours in a pipe: %q", o.stdout)
			}
			if want := times.ReplaceAllString(o.stdout+o.stderr, ""); times.ReplaceAllString(plain, "") != want {
				t.Errorf("on a terminal:\n%s\nin a pipe:\n%s", plain, want)
			}
		})
	}
}

// TestCompilingNotice: a run that has to compile engines says so on a terminal,
// once whatever their number, and the next has not to.
func TestCompilingNotice(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.Write("a.json", `{"a":1}`)
	s.Write("a.toml", "a=1\n")
	s.Commit("c")
	for run, want := range []int{1, 0} {
		term := s.onTerminal(false, "fmt", "--no-cache", "--format", "json")
		if code := term.wait(); code != 1 {
			t.Errorf("exit code %d", code)
		}
		if n := strings.Count(term.shown(), "poly: compiling engines, "); n != want {
			t.Errorf("run %d: the terminal shows %q", run, term.shown())
		}
		if err := checkDocument(term.stdout.String()); err != nil {
			t.Error(err)
		}
	}
	if o := s.poly(1, "fmt", "--no-cache", "--format", "json"); o.stderr != "" {
		t.Errorf("without a terminal: %q", o.stderr)
	}
}
