package worktree

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"poly/internal/atomicfile"
)

// TestMain runs the test binary as one of its own children: "child <name> <args>".
func TestMain(m *testing.M) {
	if len(os.Args) < 3 || os.Args[1] != "child" {
		m.Run()
		return
	}
	children[os.Args[2]](os.Args[3], os.Args[4])
}

const (
	killFiles = 12
	killSize  = 20_000
	appends   = 40
)

func version(n int) []byte {
	return []byte(strings.Repeat(string(rune('a'+n%26)), killSize))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// refused panics unless err names path and is one of targets.
func refused(err error, path string, targets ...error) {
	for _, target := range targets {
		if err != nil && strings.Contains(err.Error(), path) && errors.Is(err, target) {
			return
		}
	}
	panic(fmt.Sprint(path, ": ", err))
}

var children = map[string]func(root, state string){
	// rewrite writes version after version of all files until it is killed.
	"rewrite": func(root, state string) {
		w, err := Open(context.Background(), Options{Root: root, StateDir: state})
		must(err)
		fmt.Fprintln(os.Stdout, "ready")
		for n := 0; ; n++ {
			var changes []Change
			for i := range killFiles {
				path := "d" + strconv.Itoa(i%3) + "/f" + strconv.Itoa(i)
				before, err := os.ReadFile(filepath.Join(root, path))
				must(err)
				changes = append(changes, Change{Path: path, Before: before, After: version(int(before[0]-'a') + 1)})
			}
			for _, err := range w.WriteAll(context.Background(), changes) {
				must(err)
			}
		}
	},
	// append adds bytes to a file, one lock and one write each.
	"append": func(root, state string) {
		for range appends {
			w, err := Open(context.Background(), Options{Root: root, StateDir: state, Wait: time.Minute})
			must(err)
			before, err := os.ReadFile(filepath.Join(root, "f"))
			must(err)
			must(w.Write(context.Background(), Change{Path: "f", Before: before, After: append(slices.Clip(before), 'x')}))
			must(w.Close())
		}
	},
	// limited writes with a limit on the size of files.
	"limited": func(root, state string) {
		signal.Ignore(unix.SIGXFSZ)
		must(unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 4096, Max: 4096}))
		w, err := Open(context.Background(), Options{Root: root, StateDir: state})
		must(err)
		errs := w.WriteAll(context.Background(), []Change{
			{Path: "big", Before: []byte("old"), After: version(1)},
			{Path: "small", Before: []byte("old"), After: []byte("new")},
		})
		refused(errs[0], "big", unix.EFBIG)
		must(errs[1])
		var many []Change // more than the journal may hold
		for range 100 {
			many = append(many, Change{Path: "small", Before: []byte("new"), After: []byte("newer")})
		}
		for _, err := range w.WriteAll(context.Background(), many) {
			refused(err, "small", unix.EFBIG)
		}
		must(w.Write(context.Background(), many[0]))
		must(w.Close())
	},
	// nobody has no rights but those it is given.
	"nobody": func(root, state string) {
		w, err := Open(context.Background(), Options{Root: root, StateDir: state})
		must(err)
		write := func(path string) error {
			return w.Write(context.Background(), Change{Path: path, Before: []byte("old"), After: []byte("new")})
		}
		refused(write("closed/open"), "closed/open", fs.ErrPermission)
		refused(write("closed/closed"), "closed/closed", fs.ErrPermission)
		refused(write("open/closed"), "open/closed", fs.ErrPermission)
		refused(write("hidden/open"), "hidden/open", fs.ErrPermission)
		must(write("open/open"))
		must(w.Close())
	},
}

func child(t *testing.T, name, root, state string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "child", name, root, state)
	cmd.Stderr = os.Stderr
	return cmd
}

// TestKilledWriter kills a writer at random moments: each file is then one of
// its versions, and after the next Open nothing else is left.
func TestKilledWriter(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range killFiles {
		files["d"+strconv.Itoa(i%3)+"/f"+strconv.Itoa(i)] = string(version(0))
	}
	root, state := makeTree(t, files), t.TempDir()
	rnd := rand.New(rand.NewPCG(5, 6))
	temps, interrupted := 0, 0
	for round := range 50 {
		cmd := child(t, "rewrite", root, state)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
			t.Fatalf("round %d: %q, %v", round, line, err)
		}
		<-time.After(time.Duration(rnd.IntN(12_000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		for name := range snapshot(t, root) {
			if strings.HasSuffix(name, atomicfile.TempSuffix) {
				temps++
			}
		}
		w := openWriter(t, Options{Root: root, StateDir: state})
		interrupted += len(w.Interrupted())
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		left := snapshot(t, root)
		if len(left) != killFiles+3 {
			t.Fatalf("round %d: %d names in the worktree, want %d", round, len(left), killFiles+3)
		}
		for name := range files {
			mode, content, _ := strings.Cut(left[name], " ")
			if mode != "-rw-r--r--" || len(content) != killSize || strings.Trim(content, content[:1]) != "" {
				t.Fatalf("round %d: %s is torn: %s, %d bytes", round, name, mode, len(content))
			}
		}
		if s := snapshot(t, state); len(s) != 1 {
			t.Fatalf("round %d: the state directory holds %d names", round, len(s))
		}
	}
	fmt.Fprintf(t.Output(), "50 kills left %d temporary files and %d records\n", temps, interrupted)
	if interrupted == 0 {
		t.Error("no kill hit a batch: the test shows nothing")
	}
}

func TestTwoProcessesLoseNothing(t *testing.T) {
	t.Parallel()
	root, state := makeTree(t, map[string]string{"f": ""}), t.TempDir()
	cmds := []*exec.Cmd{child(t, "append", root, state), child(t, "append", root, state)}
	for _, cmd := range cmds {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	if b, err := os.ReadFile(filepath.Join(root, "f")); err != nil || string(b) != strings.Repeat("x", 2*appends) {
		t.Errorf("%d bytes, want %d (%v)", len(b), 2*appends, err)
	}
}

func TestLimitedDisk(t *testing.T) {
	t.Parallel()
	root := makeTree(t, map[string]string{"big": "old", "small": "old"})
	if err := child(t, "limited", root, t.TempDir()).Run(); err != nil {
		t.Fatal(err)
	}
	got := snapshot(t, root)
	if len(got) != 2 || got["big"] != "-rw-r--r-- old" || got["small"] != "-rw-r--r-- newer" {
		t.Errorf("worktree = %q", got)
	}
}

func TestNobody(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	root, state, exe := filepath.Join(base, "root"), filepath.Join(base, "state"), filepath.Join(base, "test.exe")
	for _, d := range []string{filepath.Dir(base), base} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	modes := map[string]fs.FileMode{"open": 0o777, "closed": 0o555, "hidden": 0}
	for dir := range modes {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		for name, mode := range map[string]fs.FileMode{"open": 0o666, "closed": 0o444} {
			path := filepath.Join(root, dir, name)
			if err := errors.Join(os.WriteFile(path, []byte("old"), 0o600), os.Chmod(path, mode)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(os.Mkdir(state, 0o777), os.Chmod(state, 0o777)); err != nil {
		t.Fatal(err)
	}
	want := snapshot(t, root)
	want["open/open"] = "-rw-rw-rw- new"
	for dir, mode := range modes {
		if err := os.Chmod(filepath.Join(root, dir), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		for dir := range modes {
			_ = os.Chmod(filepath.Join(root, dir), 0o755)
		}
	})
	cmd := child(t, "nobody", root, state)
	copyFile(t, cmd.Path, exe)
	cmd.Path = exe
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	for dir := range modes {
		if err := os.Chmod(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, got := range snapshot(t, root) {
		if got != want[name] {
			t.Errorf("%s = %q, want %q", name, got, want[name])
		}
		delete(want, name)
	}
	if len(want) != 0 {
		t.Errorf("missing: %q", want)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(out.Close(), os.Chmod(to, 0o755)); err != nil {
		t.Fatal(err)
	}
}

// TestSymlinkRace swaps a directory with a symlink to the outside, for as long
// as a writer writes to a file in it.
func TestSymlinkRace(t *testing.T) {
	t.Parallel()
	outside := makeTree(t, map[string]string{"f": "old"})
	root := makeTree(t, map[string]string{"d/f": "old"})
	dir, away := filepath.Join(root, "d"), filepath.Join(root, "away")
	stop, done := make(chan struct{}), make(chan error)
	go func() {
		var err error
		for err == nil {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			err = errors.Join(os.Rename(dir, away), os.Symlink(outside, dir), os.Remove(dir), os.Rename(away, dir))
			<-time.After(50 * time.Microsecond)
		}
		<-stop
		done <- err
	}()
	w := openWriter(t, Options{Root: root})
	written, failed := 0, 0
	now, next := "old", "new"
	for i := 0; i < 50_000 && (i < 500 || written < 20 || failed < 20); i++ {
		if w.Write(t.Context(), Change{Path: "d/f", Before: []byte(now), After: []byte(next)}) != nil {
			failed++
			continue
		}
		written++
		now, next = next, now
		if b, _ := os.ReadFile(filepath.Join(outside, "f")); string(b) != "old" {
			t.Fatal("a file outside was written")
		}
	}
	close(stop)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(t.Output(), "%d written, %d refused\n", written, failed)
	if written == 0 || failed == 0 {
		t.Errorf("%d written, %d refused: the test shows nothing", written, failed)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "f")); err != nil || string(b) != now {
		t.Errorf("the file holds %q, %v, want %q", b, err, now)
	}
	if got := snapshot(t, dir); len(got) != 1 {
		t.Errorf("the directory holds %q", got)
	}
	got := snapshot(t, outside)
	if len(got) != 1 || got["f"] != "-rw-r--r-- old" {
		t.Errorf("outside = %q", got)
	}
}
