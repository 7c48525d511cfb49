//go:build unix

package main

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tortures is how many seeds TestHooksTortured runs; the proof takes more.
var tortures = flag.Int("tortures", 60, "seeds of TestHooksTortured")

// TestHooksTortured commits from random states of a repository with random
// jobs, while something happens at a random moment: a signal, the death of
// poly, a save of the user, a full disk. Whatever it is, only fixes may have
// changed anything, and no process is left.
func TestHooksTortured(t *testing.T) {
	t.Parallel()
	for seed := range uint64(*tortures) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			newTorture(t, seed).run()
		})
	}
}

// happenings of a torture.
const (
	nothing = iota
	interrupt
	terminate
	kill
	save
	fullDisk
	happenings
)

type torture struct {
	*site
	rnd   *rand.Rand
	event int
	tag   string // in the command line of the slow job, unique
	fixes bool
	open  bool // jobs run in the worktree, where sed may leave files of its own
	slow  bool

	head, refs, config, stash, index string
	files                            map[string]string
	saved                            string // the path the user saves while the hook runs
}

func newTorture(t *testing.T, seed uint64) *torture {
	t.Helper()
	x := &torture{site: newSite(t), rnd: rand.New(rand.NewPCG(seed, 66))}
	x.event = int(seed) % happenings
	x.tag = fmt.Sprintf("30.%05d%05d", seed, os.Getpid()%100000)
	return x
}

// names of the files that are edited.
var tortured = []string{"a.txt", "b.txt", "d/c.txt", "d/e.txt", "run.sh"}

func (x *torture) run() {
	x.setUp()
	x.edit()
	x.note()
	cmd := x.commit()
	took := x.happen(cmd)
	fmt.Fprintf(x.tb.Output(), "event %d, %v, committed: %v\n", x.event, took.Round(time.Millisecond), x.Git("rev-parse", "HEAD") != x.head)
	x.judge()
}

func (x *torture) coin() bool { return x.rnd.IntN(2) == 0 }

// text is lines that a fixer changes (BAD) among others.
func (x *torture) text(bad bool) string {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "line %d %d\n", i, x.rnd.IntN(3))
	}
	if bad {
		b.WriteString("BAD staged\n")
	}
	for i := range 12 {
		fmt.Fprintf(&b, "tail %d\n", i)
	}
	return b.String()
}

func (x *torture) setUp() {
	var c strings.Builder
	fmt.Fprintf(&c, "[hooks]\nparallel = %v\n", x.coin())
	if x.open = x.rnd.IntN(4) == 0; x.open {
		c.WriteString("isolate = false\n")
	}
	if x.fixes = x.rnd.IntN(4) > 0; x.fixes {
		c.WriteString("[hooks.pre-commit.commands.fix]\nrun = \"sed -i s/BAD/GOOD/ {staged_files}\"\nfiles = [\"*.txt\"]\nstage_fixed = true\n")
	}
	if x.coin() {
		c.WriteString("[hooks.pre-commit.commands.check]\nrun = \"grep -q . {staged_files}\"\n")
	}
	if x.coin() {
		c.WriteString("[hooks.pre-commit.commands.whole]\nrun = \"! grep -rqs UNTRACKED --include=*.txt .\"\nworkspace = true\n")
	}
	if x.slow = x.event != nothing && x.rnd.IntN(3) > 0; x.slow {
		fmt.Fprintf(&c, "[hooks.pre-commit.commands.slow]\nrun = \"(sleep %s & sleep 0.4)\"\n", x.tag)
	}
	if x.rnd.IntN(8) == 0 {
		c.WriteString("[hooks.pre-commit.commands.zno]\nrun = \"exit 3\"\n")
	}
	x.Write("poly.toml", c.String())
	for _, f := range tortured {
		x.Write(f, x.text(false))
	}
	x.Write("untouched.txt", "BAD as ever\n")
	x.must(os.Symlink("a.txt", x.Path("link")), os.Chmod(x.Path("run.sh"), 0o755))
	if x.coin() {
		x.Git("config", "core.autocrlf", "true")
	}
	x.Commit("base")
	x.finish(0, x.exec("poly", "hooks", "install", "--hook-type", "pre-commit"))
}

// edit makes staged and other changes.
func (x *torture) edit() {
	if x.coin() {
		x.Write("d/e.txt", "stashed\n")
		x.Git("stash", "-q")
	}
	for _, f := range tortured {
		switch x.rnd.IntN(5) {
		case 0:
		case 1:
			x.Git("rm", "-q", f)
			continue
		default:
			x.Write(f, x.text(true))
			x.Git("add", f)
		}
		switch x.rnd.IntN(5) {
		case 0:
			x.Write(f, x.Read(f)+"mine, not staged\n")
		case 1:
			x.Write(f, strings.Replace(x.Read(f), "BAD staged", "BAD staged, mine", 1))
		case 2:
			x.must(os.Remove(x.Path(f)))
		}
	}
	x.Write("u.txt", "UNTRACKED\n")
	if x.coin() {
		x.Write("ita.txt", "BAD\n")
		x.Git("add", "-N", "ita.txt")
	}
	x.saved = "untouched.txt"
	if x.coin() {
		x.saved = "a.txt"
	}
}

// note remembers everything that must stay.
func (x *torture) note() {
	x.head, x.refs, x.stash = x.Git("rev-parse", "HEAD"), x.Git("for-each-ref"), x.Git("stash", "list")
	x.config, x.index = x.Read(".git/config"), x.plainIndex()
	x.files = x.worktree()
}

// plain is a text in which fixed and unfixed lines are equal.
func plain(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "GOOD", "BAD"), "\r\n", "\n")
}

// plainIndex lists the index with contents, as plain texts.
func (x *torture) plainIndex() string {
	var b strings.Builder
	for line := range strings.Lines(x.Git("ls-files", "-s")) {
		meta, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		f := strings.Fields(meta)
		fmt.Fprintf(&b, "%s %s %s %q\n", f[0], f[2], path, plain(x.Git("cat-file", "blob", f[1])))
	}
	return b.String()
}

// worktree is the worktree without git's directory, as plain texts.
func (x *torture) worktree() map[string]string {
	out := map[string]string{}
	for name, text := range snapshot(x.tb, x.Dir) {
		if name == "." || strings.HasPrefix(name, ".git") {
			continue
		}
		fi, err := os.Lstat(x.Path(name))
		x.must(err)
		switch {
		case fi.Mode().IsRegular():
			out[name] = fi.Mode().String() + plain(x.Read(name))
		case fi.IsDir():
			out[name] = "dir"
		default:
			out[name] = text
		}
	}
	return out
}

func (x *torture) commit() *exec.Cmd {
	args := []string{"commit", "-q", "-m", "x"}
	if x.event == fullDisk {
		// Files may not grow beyond a few blocks: poly's databases cannot be
		// written, and now and then neither can git's index.
		script := fmt.Sprintf(`ulimit -f %d; trap '' XFSZ; exec git "$@"`, 1+x.rnd.IntN(6))
		return x.exec("sh", append([]string{"-c", script, "sh"}, args...)...)
	}
	return x.exec("git", args...)
}

// happen runs the commit and lets something happen at a random moment.
func (x *torture) happen(cmd *exec.Cmd) time.Duration {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 20 * time.Second
	start := time.Now()
	x.must(cmd.Start())
	timer := time.AfterFunc(time.Duration(x.rnd.IntN(500))*time.Millisecond, func() {
		switch x.event {
		case interrupt:
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
		case terminate:
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		case kill:
			for _, pid := range childrenOf(cmd.Process.Pid) {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		case save:
			tmp := x.Path(x.saved + ".tmp")
			if os.WriteFile(tmp, []byte("saved by the user\n"), 0o644) == nil {
				_ = os.Rename(tmp, x.Path(x.saved))
			}
		}
	})
	_ = cmd.Wait()
	took := time.Since(start)
	if !timer.Stop() {
		<-time.After(20 * time.Millisecond) // it may be at work
	}
	if strings.Contains(out.String(), "goroutine ") {
		x.tb.Errorf("poly panicked:\n%s", out.String())
	}
	return took
}

// childrenOf lists the children of a process, on systems with /proc.
func childrenOf(pid int) []int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	var out []int
	for _, l := range lists {
		text, _ := os.ReadFile(l)
		for f := range strings.FieldsSeq(string(text)) {
			var n int
			if _, err := fmt.Sscan(f, &n); err == nil {
				out = append(out, n)
			}
		}
	}
	return out
}

// judge compares what is with what was.
func (x *torture) judge() {
	x.tb.Helper()
	_ = os.Remove(x.Path(".git/index.lock")) // git's own, if it was killed
	committed := x.Git("rev-parse", "HEAD") != x.head
	if got := x.plainIndex(); got != x.index {
		x.tb.Errorf("the index is\n%s\nwas\n%s", got, x.index)
	}
	if got := x.Git("stash", "list"); got != x.stash {
		x.tb.Errorf("the stash is %q, was %q", got, x.stash)
	}
	if got := x.Read(".git/config"); got != x.config {
		x.tb.Errorf("the configuration is %q, was %q", got, x.config)
	}
	if got := x.Git("for-each-ref"); !committed && got != x.refs {
		x.tb.Errorf("refs are %q, were %q", got, x.refs)
	}
	x.judgeFiles()
	if committed && x.fixes {
		if out, err := x.TryGit("grep", "-n", "BAD", "HEAD", "--", "a.txt", "b.txt", "d"); err == nil {
			x.tb.Errorf("the commit has what a fixer would have changed:\n%s", out)
		}
	}
	if left := x.temporaries(); len(left) > 0 && x.event != kill {
		x.tb.Errorf("temporary files are left: %q", left)
	}
	x.noProcess()
	if out, err := x.TryGit("fsck", "--no-dangling"); err != nil {
		x.tb.Errorf("git fsck: %v\n%s", err, out)
	}
}

func (x *torture) judgeFiles() {
	x.tb.Helper()
	now := x.worktree()
	for name, was := range x.files {
		got, there := now[name]
		saved := x.event == save && name == x.saved && strings.HasSuffix(got, "saved by the user\n")
		if !saved && (!there || got != was) {
			x.tb.Errorf("%s is %q, was %q", name, got, was)
		}
	}
	for name := range now {
		if _, was := x.files[name]; !was && !(x.event == save && strings.HasPrefix(name, x.saved)) && !strings.HasSuffix(name, ".poly.tmp") && !(x.open && strings.HasPrefix(filepath.Base(name), "sed")) {
			x.tb.Errorf("%s was not there", name)
		}
	}
}

// noProcess fails if the slow job's child is left two seconds after the end.
func (x *torture) noProcess() {
	x.tb.Helper()
	deadline := time.Now().Add(2 * time.Second)
	for {
		left := ""
		lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, l := range lines {
			text, _ := os.ReadFile(l)
			if bytes.Contains(text, []byte("sleep\x00"+x.tag)) {
				left = l
			}
		}
		if left == "" {
			return
		}
		if time.Now().After(deadline) {
			x.tb.Errorf("%s is left", left)
			return
		}
		<-time.After(50 * time.Millisecond)
	}
}
