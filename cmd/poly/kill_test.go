//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// manyFiles writes n small files that lint and fmt both have to mend, a third
// of them executable, and commits them.
func (s *site) manyFiles(n int) map[string]string {
	s.tb.Helper()
	files := map[string]string{}
	for i := range n {
		name := fmt.Sprintf("d%d/f%03d.json", i%7, i)
		text := fmt.Sprintf("{\"number\": [%d,],}\n", i)
		if i%2 == 0 {
			name = fmt.Sprintf("d%d/f%03d.yaml", i%7, i)
			text = fmt.Sprintf("number:   [%d,1]\nname: %sieve\n", i, "rec")
		}
		files[name] = text
		s.Write(name, text)
		if i%3 == 0 {
			s.must(os.Chmod(s.Path(name), 0o755))
		}
	}
	s.Commit("c")
	return files
}

// TestKilled kills fmt --fix and lint --fix at random moments: each file is
// then old or new, and the next run leaves nothing of the dead one behind.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"fmt", "lint"} {
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			old := s.manyFiles(300)
			git := snapshot(t, s.Path(".git"))
			start := time.Now()
			s.poly(0, verb, "--fix", "--no-cache")
			took := time.Since(start)
			mended := map[string]string{}
			changed := 0
			for name, text := range old {
				if mended[name] = s.Read(name); mended[name] != text {
					changed++
				}
			}
			if changed < 150 {
				t.Fatalf("%s --fix changed %d files", verb, changed)
			}
			rnd := rand.New(rand.NewPCG(1, 2))
			halfway, temps := 0, 0
			for round := range 20 {
				for name, text := range old {
					s.Write(name, text)
				}
				cmd := s.command(verb, "--fix")
				s.must(cmd.Start())
				<-time.After(took/4 + time.Duration(rnd.Int64N(int64(took))))
				s.must(cmd.Process.Kill())
				_ = cmd.Wait()
				written := 0
				for name := range old {
					switch got := s.Read(name); got {
					case old[name]:
					case mended[name]:
						written++
					default:
						t.Fatalf("round %d: %s is torn: %q", round, name, got)
					}
				}
				if written > 0 && written < changed {
					halfway++
				}
				temps += len(s.temporaries())
				s.poly(0, verb, "--fix")
				if left := s.temporaries(); len(left) > 0 {
					t.Fatalf("round %d: temporary files are left: %q", round, left)
				}
				s.allAre(mended)
			}
			fmt.Fprintf(t.Output(), "20 kills: %d hit the writing, %d temporary files were left\n", halfway, temps)
			s.modesKept(old)
			if after := snapshot(t, s.Path(".git")); len(after) != len(git) {
				t.Errorf("the repository has %d names, want %d", len(after), len(git))
			} else {
				for name, was := range git {
					if after[name] != was {
						t.Errorf(".git/%s changed", name)
					}
				}
			}
		})
	}
}

func (s *site) allAre(want map[string]string) {
	s.tb.Helper()
	for name, text := range want {
		if got := s.Read(name); got != text {
			s.tb.Fatalf("%s = %q, want %q", name, got, text)
		}
	}
}

func (s *site) modesKept(files map[string]string) {
	s.tb.Helper()
	for name := range files {
		fi, err := os.Stat(s.Path(name))
		s.must(err)
		var i int
		_, err = fmt.Sscanf(filepath.Base(name), "f%d", &i)
		s.must(err)
		if exec := fi.Mode().Perm()&0o111 != 0; exec != (i%3 == 0) {
			s.tb.Errorf("%s has mode %v", name, fi.Mode())
		}
	}
}

// slowFiles commits files that fmt -j 1 needs at least two seconds for, and
// returns their names.
func (s *site) slowFiles() []string {
	s.tb.Helper()
	const first = 10
	var b strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&b, "key_%d:   [1,2, %d]\n", i, i)
	}
	var names []string
	for n := first; len(names) < n; {
		for i := len(names); i < n; i++ {
			names = append(names, fmt.Sprintf("d/f%04d.yaml", i))
			s.Write(names[i], fmt.Sprintf("file: %d\n", i)+b.String())
		}
		if n == first {
			start := time.Now()
			s.poly(1, "fmt", "--no-cache", "-j", "1")
			n = max(first, min(2000, int(first*2*time.Second/time.Since(start))))
		}
	}
	s.Commit("c")
	return names
}

// terminal is a process whose standard error is a terminal.
type terminal struct {
	*os.File
	pid    int
	stdout bytes.Buffer
	wait   func() int // for its end; returns the exit code

	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{} // told of more text, closed at its end
}

// onTerminal starts poly with standard error, and standard output if all is
// set, on a terminal of which it is the foreground process.
func (s *site) onTerminal(all bool, args ...string) *terminal {
	s.tb.Helper()
	ptm, tty, err := pty.Open()
	s.must(err)
	s.must(pty.Setsize(ptm, &pty.Winsize{Rows: 24, Cols: 100}))
	term := &terminal{File: ptm, more: make(chan struct{}, 1)}
	cmd := s.command(args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, &term.stdout, tty
	if all {
		cmd.Stdout = tty
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	s.must(cmd.Start(), tty.Close())
	term.pid = cmd.Process.Pid
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(term.more)
		buf := make([]byte, 4096)
		for {
			n, err := ptm.Read(buf)
			term.mu.Lock()
			term.text.Write(buf[:n])
			term.mu.Unlock()
			select {
			case term.more <- struct{}{}:
			default:
			}
			if err != nil {
				return // EIO: nobody has it open any more
			}
		}
	}()
	term.wait = sync.OnceValue(func() int {
		_ = cmd.Wait()
		<-read
		return cmd.ProcessState.ExitCode()
	})
	s.tb.Cleanup(func() {
		_ = cmd.Process.Kill()
		term.wait()
		_ = ptm.Close()
	})
	return term
}

func (t *terminal) shown() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// until waits for text on the terminal and reports whether it came.
func (t *terminal) until(re *regexp.Regexp) bool {
	for {
		if re.MatchString(t.shown()) {
			return true
		}
		if _, more := <-t.more; !more {
			return re.MatchString(t.shown())
		}
	}
}

var progressLine = regexp.MustCompile(`(linting|formatting) [1-9][0-9]*/[0-9]+`)

// running starts poly and returns when it is in the middle of its work.
func (s *site) running(args ...string) *terminal {
	s.tb.Helper()
	term := s.onTerminal(false, args...)
	if !term.until(progressLine) {
		s.tb.Fatalf("poly %v ended before it showed how far it is; it shows %q and prints %s", args, term.shown(), term.stdout.String())
	}
	return term
}

// TestInterrupted interrupts runs in the middle: exit code 130, what was
// finished is kept, and each file is old or new.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	names := s.slowFiles()
	before := snapshot(t, s.Dir)
	for _, tc := range []struct {
		name      string
		interrupt func(*terminal) error
	}{
		{"Ctrl-C", func(term *terminal) error { _, err := term.Write([]byte{3}); return err }},
		{"SIGTERM", func(term *terminal) error { return syscall.Kill(term.pid, syscall.SIGTERM) }},
	} {
		term := s.running("fmt", "-j", "1")
		s.must(tc.interrupt(term))
		if code := term.wait(); code != 130 {
			t.Errorf("%s: exit code %d, want 130", tc.name, code)
		}
		if term.stdout.Len() > 0 {
			t.Errorf("%s: a document of an unfinished run: %s", tc.name, term.stdout.String())
		}
		s.want("terminal", term.shown(), "\x1b[Kpoly: interrupted")
		s.unchanged(before)
		o := s.poly(0, "cache", "stats", "--format", "json")
		if strings.Contains(o.stdout, `"namespace":"fmt","entries":0`) {
			t.Errorf("%s: nothing of what was finished is kept: %s", tc.name, o.stdout)
		}
	}
	if o := s.poly(1, "fmt"); !regexp.MustCompile(fmt.Sprintf(`%d files would be reformatted\..*, [1-9][0-9]* from cache`, len(names))).MatchString(o.stdout) {
		t.Errorf("the run after the interrupted ones: %s", o.stdout)
	}

	old := map[string]string{}
	for _, name := range names {
		old[name] = s.Read(name)
	}
	term := s.running("fmt", "--fix", "--no-cache", "-j", "1")
	s.must(syscall.Kill(term.pid, syscall.SIGINT))
	if code := term.wait(); code != 130 {
		t.Errorf("fmt --fix: exit code %d, want 130", code)
	}
	half := map[string]bool{}
	for name := range old {
		half[name] = s.Read(name) != old[name]
	}
	if left := s.temporaries(); len(left) > 0 {
		t.Errorf("temporary files are left: %q", left)
	}
	s.poly(0, "fmt", "--fix")
	written := 0
	for name, was := range half {
		text := s.Read(name)
		if text == old[name] {
			t.Fatalf("%s is not formatted", name)
		}
		if was {
			written++
		}
	}
	fmt.Fprintf(t.Output(), "interrupted after %d of %d files\n", written, len(names))
	s.poly(0, "fmt", "--check", "--no-cache")
}

// TestInterruptedInput interrupts poly while it waits for text that never comes.
func TestInterruptedInput(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	r, w, err := os.Pipe()
	s.must(err)
	defer func() { _ = w.Close() }()
	cmd := s.command("lint", "--stdin-filename", "a.yaml")
	cmd.Stdin = r
	stderr, err := cmd.StderrPipe()
	s.must(err, cmd.Start(), r.Close())
	<-time.After(200 * time.Millisecond)
	s.must(cmd.Process.Signal(os.Interrupt))
	text, _ := io.ReadAll(stderr)
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != 130 || string(text) != "poly: interrupted\n" {
		t.Errorf("%v, %q", cmd.ProcessState, text)
	}
}

// TestChangedMeanwhile deletes, rewrites and replaces files between the moment
// poly looks at the tree and that in which it works on them. The user wins.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.slowFiles()
	outside := filepath.Join(filepath.Dir(s.Dir), "outside")
	s.must(os.Mkdir(outside, 0o755), os.WriteFile(filepath.Join(outside, "f.yaml"), []byte("o:   1\n"), 0o644))
	for _, name := range []string{"x/deleted.yaml", "x/rewritten.yaml", "x/link.yaml", "y/f.yaml", "z/last.yaml"} {
		s.Write(name, "a:   1\n")
	}
	s.Commit("late files")
	for _, args := range [][]string{{"fmt", "--no-cache", "-j", "1"}, {"lint", "--no-cache"}, {"fmt", "--fix", "--no-cache", "-j", "1"}} {
		s.Git("checkout", "-q", ".")
		var term *terminal
		if args[0] == "lint" { // which may be over before it shows anything
			term = s.onTerminal(false, args...)
		} else {
			term = s.running(args...)
		}
		s.must(
			os.Remove(s.Path("x/deleted.yaml")),
			os.WriteFile(s.Path("x/rewritten.yaml"), []byte("b:    2\n"), 0o644),
			os.Remove(s.Path("x/link.yaml")), os.Symlink(filepath.Join(outside, "f.yaml"), s.Path("x/link.yaml")),
			os.Rename(s.Path("y"), s.Path("away")), os.Symlink(outside, s.Path("y")),
		)
		code := term.wait()
		if args[0] != "lint" {
			if code != 2 {
				t.Errorf("%v: exit code %d, want 2", args, code)
			}
			s.want("stdout", term.stdout.String(), "4 failed", "error: x/deleted.yaml: ", "error: x/rewritten.yaml: ", "error: x/link.yaml: ", "error: y/f.yaml: ")
		}
		for name, want := range map[string]string{s.Path("x/rewritten.yaml"): "b:    2\n", filepath.Join(outside, "f.yaml"): "o:   1\n", s.Path("away/f.yaml"): "a:   1\n"} {
			if text, err := os.ReadFile(name); err != nil || string(text) != want {
				t.Errorf("%v: %s holds %q, %v", args, name, text, err)
			}
		}
		if _, err := os.Lstat(s.Path("x/deleted.yaml")); err == nil {
			t.Errorf("%v made a deleted file again", args)
		}
		if to, err := os.Readlink(s.Path("x/link.yaml")); err != nil || to != filepath.Join(outside, "f.yaml") {
			t.Errorf("%v: the link leads to %q, %v", args, to, err)
		}
		if left := s.temporaries(); len(left) > 0 {
			t.Errorf("%v left temporary files: %q", args, left)
		}
		if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
			t.Errorf("%v: outside are %v, %v", args, entries, err)
		}
		s.must(os.Remove(s.Path("y")), os.Rename(s.Path("away"), s.Path("y")))
	}
	if got := s.Read("z/last.yaml"); got != "a: 1\n" {
		t.Errorf("z/last.yaml = %q: the others are not written", got)
	}
}
