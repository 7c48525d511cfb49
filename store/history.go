package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"poly/internal/filelock"
)

const (
	historyVersion = 1
	// historyWait is how long a finished run waits for another writer before
	// its row is dropped: nobody should wait for a diary.
	historyWait = 50 * time.Millisecond
	maxFindings = 1000
	maxFiles    = 1000
	keepRuns    = 1000
	keepFor     = 90 * day
	// pruneEvery: one run in so many pays for pruning.
	pruneEvery = 64

	historySchema = `
CREATE TABLE run(id INTEGER PRIMARY KEY AUTOINCREMENT, started INTEGER NOT NULL, micros INTEGER NOT NULL, verb TEXT NOT NULL,
  args TEXT NOT NULL, dir TEXT NOT NULL, tree TEXT NOT NULL, base TEXT NOT NULL, exit INTEGER NOT NULL, checked INTEGER NOT NULL,
  skipped INTEGER NOT NULL, errored INTEGER NOT NULL, findings INTEGER NOT NULL, cut INTEGER NOT NULL, version TEXT NOT NULL);
CREATE TABLE run_file(run INTEGER NOT NULL, n INTEGER NOT NULL, path BLOB NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,
  PRIMARY KEY(run, n)) WITHOUT ROWID;
CREATE TABLE finding(run INTEGER NOT NULL, file INTEGER NOT NULL, n INTEGER NOT NULL, engine TEXT NOT NULL, code TEXT NOT NULL,
  severity TEXT NOT NULL, title TEXT NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL, PRIMARY KEY(run, file, n)) WITHOUT ROWID;
CREATE TABLE task(id TEXT PRIMARY KEY, name TEXT NOT NULL, started INTEGER NOT NULL, ended INTEGER NOT NULL, state TEXT NOT NULL,
  exit INTEGER NOT NULL, output_head TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX task_started ON task(started);
PRAGMA user_version = 1`

	insertRun = `INSERT INTO run(started, micros, verb, args, dir, tree, base, exit, checked, skipped, errored, findings, cut, version)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	insertRunFile = `INSERT INTO run_file(run, n, path, outcome, reason) VALUES(?, ?, ?, ?, ?)`
	insertFinding = `INSERT INTO finding(run, file, n, engine, code, severity, title, line, col) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)`
	putTask       = `INSERT OR REPLACE INTO task(id, name, started, ended, state, exit, output_head) VALUES(?, ?, ?, ?, ?, ?, ?)`
	// Runs to forget are the oldest: their ids are below the first to keep.
	firstKept = `SELECT coalesce(max(a), 0) FROM (
SELECT max(id) - ?1 + 1 AS a FROM run UNION ALL SELECT max(id) + 1 FROM run WHERE started < ?2)`
	pruneRuns     = `DELETE FROM run WHERE id < ?`
	pruneFiles    = `DELETE FROM run_file WHERE run < ?`
	pruneFindings = `DELETE FROM finding WHERE run < ?`
	pruneTasks    = `DELETE FROM task WHERE started < ?`
)

// Run is one finished run. Paths are relative to Dir.
type Run struct {
	ID       int64 // set by [History.Runs]
	Started  time.Time
	Duration time.Duration
	Verb     string
	Args     []string // none holds a NUL
	Dir      string   // root of the tree that was judged
	Tree     string   // what was judged: "worktree", "index", a commit id
	Base     string   // commit compared with, or ""
	Exit     int
	Checked  int
	Skipped  int
	Errored  int
	Findings int
	Version  string
	Files    []RunFile // those with findings, skipped or errored only
	// Cut is how many records (files and findings) were left out when the run was written.
	Cut int
}

// RunFile is a file that a run has something to say about.
type RunFile struct {
	Path     string
	Outcome  string // "checked", "skipped", "errored"
	Reason   string
	Findings []RunFinding
}

// RunFinding is one finding as it was reported.
type RunFinding struct {
	Engine, Code, Severity, Title string
	Line, Col                     int // 1-based; 0 if the finding has no place
}

// Task is a tracked task of a long-running server.
type Task struct {
	ID, Name       string
	Started, Ended time.Time // Ended is zero while it runs
	State          string
	Exit           int
	OutputHead     string
}

// History is the record of runs and tasks of one repository. Unlike a cache it
// is never thrown away for its version: a file written by a newer poly is left
// alone. It may be used by one goroutine at a time.
type History struct {
	path string
	now  func() time.Time
	db   *conn
}

// HistoryOptions tune a History. The zero value is right.
type HistoryOptions struct {
	Now func() time.Time // nil means time.Now
}

// ErrNewer means that a newer poly wrote the history.
var ErrNewer = errors.New("the history was written by a newer version of poly")

// OpenHistory opens, or makes, the history at path and its directory. A
// corrupt file is set aside as "<path>.bad". An error is for a debug line.
func OpenHistory(ctx context.Context, path string, opt HistoryOptions) (*History, error) {
	h := &History{path: path, now: opt.Now}
	if h.now == nil {
		h.now = time.Now
	}
	err := h.open()
	if err == nil {
		return h, nil
	}
	if errors.Is(err, ErrNewer) || (!errors.Is(err, errVersion) && !damaged(err) && !forbidden(err)) {
		return nil, err
	}
	if err := h.create(ctx); err != nil {
		return nil, err
	}
	return h, nil
}

func (h *History) open() error {
	db, err := openConn(h.path, false, historyWait)
	if err != nil {
		return err
	}
	v, err := db.integer("PRAGMA user_version")
	switch {
	case err != nil:
	case v > historyVersion:
		err = fmt.Errorf("open %s: %w", h.path, ErrNewer)
	case v < historyVersion:
		err = fmt.Errorf("%w %d", errVersion, v)
	}
	if err != nil {
		return errors.Join(err, db.close())
	}
	h.db = db
	return nil
}

// create makes the file, or finds that another process has done so.
func (h *History) create(ctx context.Context) error {
	dir := filepath.Dir(h.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	lock, err := filelock.Acquire(ctx, filepath.Join(dir, "history.lock"), filelock.Options{Wait: createWait})
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	switch err = h.open(); {
	case damaged(err):
		if err := setAside(h.path); err != nil {
			return err
		}
	case !errors.Is(err, errVersion):
		return err // it is there, perhaps locked or newer
	}
	db, err := openConn(h.path, false, busyWait)
	if err != nil {
		return err
	}
	if err = db.exec("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL"); err == nil {
		err = db.tx(func() error { return db.exec(historySchema) })
	}
	if err = errors.Join(err, db.close()); err != nil {
		return err
	}
	return h.open()
}

// Close closes the database.
func (h *History) Close() error { return h.db.close() }

// AppendRun writes a run, with 1000 files and 1000 findings at most. It reports
// whether the run was stored; one that would have to wait for other writers is
// dropped, which is no error.
func (h *History) AppendRun(_ context.Context, r Run) (stored bool, err error) {
	err = h.db.tx(func() error {
		id, err := h.insertRun(r)
		if err != nil {
			return err
		}
		if id%pruneEvery == 0 {
			return h.prune()
		}
		return nil
	})
	if busy(err) {
		return false, nil
	}
	return err == nil, err
}

func (h *History) insertRun(r Run) (id int64, err error) {
	files, cut := capFiles(r.Files)
	res, err := h.db.c.Exec(insertRun, values(
		r.Started.UnixNano(), r.Duration.Microseconds(), r.Verb, strings.Join(r.Args, "\x00"), r.Dir, r.Tree, r.Base,
		int64(r.Exit), int64(r.Checked), int64(r.Skipped), int64(r.Errored), int64(r.Findings), int64(cut+r.Cut), r.Version))
	if err != nil {
		return 0, err
	}
	if id, err = res.LastInsertId(); err != nil || len(files) == 0 {
		return id, err
	}
	file, err := h.db.prepare(insertRunFile)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, file.close()) }()
	finding, err := h.db.prepare(insertFinding)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, finding.close()) }()
	for i, f := range files {
		if err := file.exec(id, int64(i), []byte(f.Path), f.Outcome, f.Reason); err != nil {
			return 0, err
		}
		for j, d := range f.Findings {
			err := finding.exec(id, int64(i), int64(j), d.Engine, d.Code, d.Severity, d.Title, int64(d.Line), int64(d.Col))
			if err != nil {
				return 0, err
			}
		}
	}
	return id, nil
}

// capFiles cuts files to what is kept of a run and counts what it leaves out.
func capFiles(files []RunFile) (kept []RunFile, cut int) {
	room := maxFindings
	for i, f := range files {
		if i >= maxFiles {
			cut += 1 + len(f.Findings)
			continue
		}
		if len(f.Findings) > room {
			cut += len(f.Findings) - room
			f.Findings = f.Findings[:room]
		}
		room -= len(f.Findings)
		kept = append(kept, f)
	}
	return kept, cut
}

// prune forgets all but the newest 1000 runs of the last 90 days.
func (h *History) prune() error {
	oldest := h.now().Add(-keepFor).UnixNano()
	first, err := h.db.integer(firstKept, int64(keepRuns), oldest)
	if err != nil {
		return err
	}
	for _, q := range []string{pruneRuns, pruneFiles, pruneFindings} {
		if err := h.db.exec(q, first); err != nil {
			return err
		}
	}
	return h.db.exec(pruneTasks, oldest)
}

// PutTask writes a task, or what became of it. Like a run it is dropped rather
// than waited for.
func (h *History) PutTask(_ context.Context, t Task) (stored bool, err error) {
	err = h.db.exec(putTask, t.ID, t.Name, unixNano(t.Started), unixNano(t.Ended), t.State, int64(t.Exit), t.OutputHead)
	if busy(err) {
		return false, nil
	}
	return err == nil, err
}

func unixNano(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}
