package store

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func openHistory(t *testing.T, path string, opt HistoryOptions) *History {
	t.Helper()
	h, err := OpenHistory(t.Context(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

func appendRun(t *testing.T, h *History, r Run) {
	t.Helper()
	if ok, err := h.AppendRun(t.Context(), r); !ok || err != nil {
		t.Fatalf("AppendRun = %v, %v", ok, err)
	}
}

func run(started time.Time) Run {
	return Run{
		Started: started, Duration: 1500 * time.Microsecond, Verb: "lint", Args: []string{"--fix", "", "a b\n"}, Dir: "/r",
		Tree: "worktree", Base: "abc", Exit: 1, Checked: 12, Skipped: 1, Errored: 1, Findings: 2, Version: "1.2.3",
		Files: []RunFile{
			{Path: "a\xff\n.go", Outcome: "checked", Findings: []RunFinding{
				{Engine: "text", Code: "eol", Severity: "warning", Title: "a\x00b", Line: 3, Col: 4},
				{Engine: "gofumpt", Code: "format", Severity: "error", Title: "not formatted"},
			}},
			{Path: "main.zig", Outcome: "skipped", Reason: "no lint rules for Zig"},
			{Path: "x", Outcome: "errored", Reason: "permission denied"},
		},
	}
}

func TestHistoryKeepsRuns(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "b", HistoryFile)
	h := openHistory(t, path, HistoryOptions{})
	start := time.Unix(1_700_000_000, 123)
	first, second := run(start), Run{Started: start.Add(time.Hour), Verb: "fmt", Exit: 0, Checked: 3}
	appendRun(t, h, first)
	_ = h.Close()
	h = openHistory(t, path, HistoryOptions{})
	appendRun(t, h, second)
	first.ID, second.ID = 1, 2
	got, err := h.Runs(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Run{second, first}, got); diff != "" {
		t.Errorf("Runs (-want +got):\n%s", diff)
	}
	if got, err := h.Runs(t.Context(), 1); err != nil || len(got) != 1 || got[0].ID != 2 {
		t.Errorf("Runs(1) = %v, %v", got, err)
	}
	if fi, err := os.Stat(filepath.Dir(path)); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("directory: %v, %v", fi.Mode(), err)
	}
}

func TestHistoryCutsLongRuns(t *testing.T) {
	t.Parallel()
	h := openHistory(t, filepath.Join(t.TempDir(), HistoryFile), HistoryOptions{})
	r := Run{Started: time.Now(), Verb: "lint"}
	for i := range maxFiles + 5 {
		r.Files = append(r.Files, RunFile{Path: strconv.Itoa(i), Outcome: "checked", Findings: make([]RunFinding, 2)})
	}
	appendRun(t, h, r)
	got, err := h.Runs(t.Context(), 0)
	if err != nil || len(got) != 1 {
		t.Fatalf("Runs = %d runs, %v", len(got), err)
	}
	findings := 0
	for _, f := range got[0].Files {
		findings += len(f.Findings)
	}
	wantCut := 5 + 2*(maxFiles+5) - maxFindings
	if len(got[0].Files) != maxFiles || findings != maxFindings || got[0].Cut != wantCut {
		t.Errorf("%d files, %d findings, %d cut; want %d, %d, %d", len(got[0].Files), findings, got[0].Cut, maxFiles, maxFindings, wantCut)
	}
}

func TestHistoryDropsWhenLocked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), HistoryFile)
	h, other := openHistory(t, path, HistoryOptions{}), openHistory(t, path, HistoryOptions{})
	if err := other.db.exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if stored, err := h.AppendRun(t.Context(), run(start)); stored || err != nil {
		t.Errorf("AppendRun = %v, %v, want false, nil", stored, err)
	}
	if stored, err := h.PutTask(t.Context(), Task{ID: "t"}); stored || err != nil {
		t.Errorf("PutTask = %v, %v, want false, nil", stored, err)
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("waited %s for a lock", d)
	}
	if err := other.db.exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	appendRun(t, h, run(start))
}

// TestHistoryMadeByAnother: a history that is locked, once this process may
// make it, has been made meanwhile.
func TestHistoryMadeByAnother(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), HistoryFile)
	other := openHistory(t, path, HistoryOptions{})
	if err := other.db.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	h := &History{path: path, now: time.Now}
	if err := h.create(t.Context()); !busy(err) {
		t.Errorf("create = %v, want busy", err)
	}
	if d := time.Since(start); d >= busyWait {
		t.Errorf("waited %s to make it a second time", d)
	}
}

func TestHistoryForgets(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	h := openHistory(t, filepath.Join(t.TempDir(), HistoryFile), HistoryOptions{Now: func() time.Time { return now }})
	count := func(table string) int64 {
		t.Helper()
		n, err := h.db.integer("SELECT count(*) FROM " + table)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if ok, err := h.PutTask(t.Context(), Task{ID: "old", Started: now.Add(-100 * day)}); !ok || err != nil {
		t.Fatal(err)
	}
	for i := range 128 { // the older half is older than 90 days at the end
		appendRun(t, h, run(now.Add(-keepFor+time.Duration(i-64)*time.Hour)))
	}
	if n := count("run"); n != 64 {
		t.Errorf("%d runs of the last 90 days, want 64", n)
	}
	if a, b, c := count("run_file"), count("finding"), count("task"); a != 3*64 || b != 2*64 || c != 0 {
		t.Errorf("%d files, %d findings, %d tasks are left", a, b, c)
	}
	err := h.db.tx(func() error {
		for range 1200 {
			if _, err := h.insertRun(Run{Started: now}); err != nil {
				return err
			}
		}
		return h.prune()
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := count("run"); n != keepRuns {
		t.Errorf("%d runs are kept, want %d", n, keepRuns)
	}
}

func TestHistoryTasks(t *testing.T) {
	t.Parallel()
	h := openHistory(t, filepath.Join(t.TempDir(), HistoryFile), HistoryOptions{})
	start := time.Unix(1_700_000_000, 0)
	a := Task{ID: "a", Name: "clippy", Started: start, State: "working"}
	b := Task{ID: "b", Name: "deny", Started: start.Add(time.Second), Ended: start.Add(time.Minute), State: "completed", Exit: 1, OutputHead: "x"}
	done := a
	done.Ended, done.State = start.Add(time.Hour), "cancelled"
	for _, task := range []Task{a, b, done} {
		if ok, err := h.PutTask(t.Context(), task); !ok || err != nil {
			t.Fatal(err)
		}
	}
	got, err := h.Tasks(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Task{b, done}, got); diff != "" {
		t.Error(diff)
	}
}

// TestHistoryIsKept: what is newer is left alone, what is damaged is set aside.
func TestHistoryIsKept(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), HistoryFile)
	h := openHistory(t, path, HistoryOptions{})
	if err := h.db.exec("PRAGMA user_version = 2"); err != nil {
		t.Fatal(err)
	}
	_ = h.Close()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenHistory(t.Context(), path, HistoryOptions{}); !errors.Is(err, ErrNewer) {
		t.Errorf("OpenHistory of a newer file: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("a newer file was changed (%v)", err)
	}
	rewrite(t, path, func(b []byte) []byte { return append([]byte("garbage"), b[7:]...) })
	appendRun(t, openHistory(t, path, HistoryOptions{}), run(time.Now()))
	if b, err := os.ReadFile(path + asideName); err != nil || string(b[:7]) != "garbage" {
		t.Errorf("the damaged file was not set aside: %v", err)
	}
}

func TestHistoryManyFirstOpens(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "key", HistoryFile)
	var cmds []*exec.Cmd
	for range 20 {
		cmds = append(cmds, child(t, "history", path))
	}
	together(t, cmds)
	runs, err := openHistory(t, path, HistoryOptions{}).Runs(t.Context(), 0)
	if err != nil || len(runs) == 0 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
	fmt.Fprintf(t.Output(), "%d of 20 runs were kept\n", len(runs))
}
