package store

import (
	"bufio"
	"context"
	"database/sql/driver"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const killBatch = 500

// children are what the test binary does as a process of its own.
var children = map[string]func(args []string){
	// first <path> <n>: opens the cache, saves one row, finds it.
	"first": func(args []string) {
		ctx := context.Background()
		c := OpenCache(ctx, args[0], CacheOptions{})
		f := makeFixture(1)
		f.rows[0].OID = fmt.Sprintf("%020s", args[1])
		f.keys[0].OID = f.rows[0].OID
		must(c.Save(ctx, f.batch()))
		res, err := c.Lookup(ctx, f.cfgs, f.keys)
		must(err)
		if len(res.Values) != 1 || len(c.Warnings()) != 0 {
			panic(fmt.Sprint(res, c.Warnings()))
		}
		must(c.Close())
	},
	// writer <path> <from> <to>: saves rows of the fixture in small batches.
	"writer": func(args []string) {
		ctx := context.Background()
		c := OpenCache(ctx, args[0], CacheOptions{})
		from, err := strconv.Atoi(args[1])
		must(err)
		f := makeFixture(from + 4000)
		for i := from; i < from+4000; i += 200 {
			must(c.Save(ctx, Batch{Cfgs: f.cfgs, Rows: f.rows[i : i+200]}))
		}
		if len(c.Warnings()) != 0 {
			panic(fmt.Sprint(c.Warnings()))
		}
		must(c.Close())
	},
	// endless <path> <from>: saves batches for ever, and says when each is done.
	"endless": func(args []string) {
		ctx := context.Background()
		c := OpenCache(ctx, args[0], CacheOptions{})
		from, err := strconv.Atoi(args[1])
		must(err)
		f := makeFixture(from + 100*killBatch)
		for i := from; i < len(f.rows); i += killBatch {
			must(c.Save(ctx, Batch{
				Cfgs: f.cfgs, Rows: f.rows[i : i+killBatch],
				Memos: []Memo{{Scope: []byte("s"), Key: []byte("n"), Value: strconv.AppendInt(nil, int64(i+killBatch), 10)}},
			}))
			fmt.Fprintln(os.Stdout, i+killBatch)
		}
	},
	// history <path>: appends a run, which may be dropped but may not fail.
	"history": func(args []string) {
		ctx := context.Background()
		h, err := OpenHistory(ctx, args[0], HistoryOptions{})
		if busy(err) {
			return // a run that would have to wait is dropped
		}
		must(err)
		_, err = h.AppendRun(ctx, run(time.Now()))
		must(err)
		must(h.Close())
	},
	// readonly <path> <rows>: reads all and cannot save.
	"readonly": func(args []string) {
		ctx := context.Background()
		n, err := strconv.Atoi(args[1])
		must(err)
		f := makeFixture(max(n, 1))
		c := OpenCache(ctx, args[0], CacheOptions{})
		res, err := c.Lookup(ctx, f.cfgs, f.keys)
		if n > 0 {
			must(err)
			if len(res.Missing) != 0 || len(res.Values) != n/10 {
				panic(fmt.Sprint(len(res.Missing), len(res.Values)))
			}
		} else if len(res.Missing) != 1 {
			panic(fmt.Sprint(res))
		}
		c.Remember([]byte("k"), []byte("v"))
		if c.Save(ctx, f.batch()) == nil {
			panic("saved to a directory that may not be written to")
		}
		if len(c.Warnings()) != 1 {
			panic(fmt.Sprint(c.Warnings()))
		}
		must(c.Close())
	},
	// full <path> <limit> <rows>: saves with a limit on the size of files.
	"full": func(args []string) {
		ctx := context.Background()
		signal.Ignore(unix.SIGXFSZ)
		limit, err := strconv.ParseUint(args[1], 10, 64)
		must(err)
		n, err := strconv.Atoi(args[2])
		must(err)
		must(unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: limit}))
		f := makeFixture(n + 20000)
		c := OpenCache(ctx, args[0], CacheOptions{})
		err = c.Save(ctx, f.batch())
		if err == nil || (n > 0 && len(c.Warnings()) != 1) {
			panic(fmt.Sprint("a full disk: ", err, c.Warnings()))
		}
		old := makeFixture(n)
		res, err := c.Lookup(ctx, old.cfgs, old.keys)
		if n > 0 {
			must(err)
			if len(res.Missing) != 0 {
				panic(fmt.Sprint(len(res.Missing), " old rows are missing"))
			}
		}
		_ = c.Close()
	},
}

// together runs commands at once and fails if one does.
func together(t *testing.T, cmds []*exec.Cmd) {
	t.Helper()
	var wg sync.WaitGroup
	for _, cmd := range cmds {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			if err := cmd.Wait(); err != nil {
				t.Errorf("%v: %v", cmd.Args[2:], err)
			}
		})
	}
	wg.Wait()
}

func TestSixtyFirstOpens(t *testing.T) {
	t.Parallel()
	for _, prepare := range []struct {
		name string
		make func(path string) error
	}{
		{"no directory", func(string) error { return nil }},
		{"empty file", func(p string) error { return os.WriteFile(p, nil, 0o600) }},
	} {
		t.Run(prepare.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "a", "b", CacheFile)
			if prepare.name != "no directory" {
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := prepare.make(path); err != nil {
				t.Fatal(err)
			}
			var cmds []*exec.Cmd
			for i := range 60 {
				cmds = append(cmds, child(t, "first", path, strconv.Itoa(i)))
			}
			together(t, cmds)
			if n := countRows(t, path); n != 60 {
				t.Errorf("%d rows, want 60", n)
			}
			if fi, err := os.Stat(filepath.Dir(path)); err != nil || (prepare.name == "no directory" && fi.Mode().Perm() != 0o700) {
				t.Errorf("directory: %v, %v", fi.Mode(), err)
			}
		})
	}
}

func TestEightWriters(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), CacheFile)
	var cmds []*exec.Cmd
	for i := range 8 {
		cmds = append(cmds, child(t, "writer", path, strconv.Itoa(i*2000))) // they overlap
	}
	together(t, cmds)
	f := makeFixture(7*2000 + 4000)
	if n := f.judge(t, lookup(t, open(t, path, CacheOptions{}), f)); n != 0 {
		t.Errorf("%d keys are missing", n)
	}
	countRows(t, path)
}

// countRows checks the file and returns how many results it holds.
func countRows(t *testing.T, path string) int64 {
	t.Helper()
	db, err := openConn(path, false, busyWait)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.close() }()
	err = db.query("PRAGMA integrity_check", 1, nil, func(row []driver.Value) error {
		if s, _ := row[0].(string); s != "ok" {
			return fmt.Errorf("integrity_check: %v", row[0])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	n, err := db.integer("SELECT count(*) FROM res")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestKilledWriters kills a writer in the middle of its work, fifty times:
// transactions are whole, and nothing that was reported as saved is lost.
func TestKilledWriters(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), CacheFile)
	rnd := rand.New(rand.NewPCG(3, 4))
	reported := int64(0)
	for round := range 50 {
		cmd := child(t, "endless", path, strconv.FormatInt(reported, 10))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		// Some die at a random moment of the second transaction, some before
		// they have written anything.
		for range rnd.IntN(2) {
			if lines.Scan() {
				reported, _ = strconv.ParseInt(lines.Text(), 10, 64)
			}
		}
		<-time.After(time.Duration(rnd.IntN(8000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			if n, err := strconv.ParseInt(strings.TrimSpace(lines.Text()), 10, 64); err == nil {
				reported = max(reported, n)
			}
		}
		if err := cmd.Wait(); err == nil {
			t.Fatalf("round %d: the writer was not killed", round)
		} else if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !ws.Signaled() {
			t.Fatalf("round %d: %v", round, err)
		}
		c := open(t, path, CacheOptions{})
		n := countRows(t, path)
		if n%killBatch != 0 || n < reported {
			t.Fatalf("round %d: %d rows; %d were reported as saved", round, n, reported)
		}
		memo, _ := strconv.ParseInt(string(c.Memo(t.Context(), []byte("s"), []byte("n"))), 10, 64)
		if memo != n {
			t.Fatalf("round %d: the memo says %d, there are %d rows", round, memo, n)
		}
		reported = n
		if w := c.Warnings(); len(w) != 0 {
			t.Fatalf("round %d: %q", round, w)
		}
		_ = c.Close()
	}
	f := makeFixture(int(reported))
	if n := f.judge(t, lookup(t, open(t, path, CacheOptions{}), f)); n != 0 {
		t.Errorf("%d of %d keys are missing", n, reported)
	}
	t.Logf("%d rows after 50 kills", reported)
}

func TestReadOnlyDirectory(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		rows int
		log  bool // leave a log beside the file, as a killed process does
	}{{"filled", 2000, false}, {"filled, with a log", 2000, true}, {"missing", 0, false}} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			base := t.TempDir()
			path := filepath.Join(base, "key", CacheFile)
			if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if tc.rows > 0 {
				c := open(t, path, CacheOptions{})
				if err := c.Save(t.Context(), makeFixture(tc.rows).batch()); err != nil {
					t.Fatal(err)
				}
				if err := c.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if tc.log {
				c := open(t, path, CacheOptions{}) // open until the test ends
				if err := c.Save(t.Context(), Batch{Memos: []Memo{{Scope: []byte("s")}}}); err != nil {
					t.Fatal(err)
				}
			}
			cmd := child(t, "readonly", path, strconv.Itoa(tc.rows))
			nobody(t, cmd, base)
			if os.Getuid() != 0 {
				if err := os.Chmod(filepath.Dir(path), 0o555); err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o755) })
			}
			if err := cmd.Run(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	t.Run("filled", func(t *testing.T) {
		t.Parallel()
		old := makeFixture(3000)
		path := saved(t, old)
		fi, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := child(t, "full", path, strconv.FormatInt(fi.Size()+40<<10, 10), "3000").Run(); err != nil {
			t.Fatal(err)
		}
		recovers(t, path, old)
	})
	t.Run("missing", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "key", CacheFile)
		if err := child(t, "full", path, "2048", "0").Run(); err != nil {
			t.Fatal(err)
		}
		recovers(t, path, fixture{})
	})
}

// recovers checks that a cache works again and still has what it had.
func recovers(t *testing.T, path string, old fixture) {
	t.Helper()
	c := open(t, path, CacheOptions{})
	if n := old.judge(t, lookup(t, c, old)); n != 0 {
		t.Errorf("%d old rows are missing", n)
	}
	f := makeFixture(23000)
	if err := c.Save(t.Context(), f.batch()); err != nil {
		t.Fatal(err)
	}
	if n := f.judge(t, lookup(t, c, f)); n != 0 {
		t.Errorf("%d rows are missing after a new save", n)
	}
	if w := c.Warnings(); len(w) != 0 {
		t.Errorf("Warnings() = %q", w)
	}
	countRows(t, path)
}
