package store

import (
	"context"
	"database/sql/driver"
	"strings"
	"time"
)

const (
	selectRuns = `SELECT id, started, micros, verb, args, dir, tree, base, exit, checked, skipped, errored, findings, cut, version
FROM run ORDER BY id DESC LIMIT ?`
	selectRunFiles = `SELECT path, outcome, reason FROM run_file WHERE run = ? ORDER BY n`
	selectFindings = `SELECT file, engine, code, severity, title, line, col FROM finding WHERE run = ? ORDER BY file, n`
	selectTasks    = `SELECT id, name, started, ended, state, exit, output_head FROM task ORDER BY started DESC, id LIMIT ?`
)

// Runs returns the newest runs, newest first, with their files; limit <= 0
// means all.
func (h *History) Runs(ctx context.Context, limit int) ([]Run, error) {
	var runs []Run
	err := h.db.query(selectRuns, 15, values(sqlLimit(limit)), func(row []driver.Value) error {
		s := scanner{row: row}
		r := Run{
			ID: s.int(), Started: s.time(), Duration: time.Duration(s.int()) * time.Microsecond, Verb: s.text(),
			Args: split(s.text()), Dir: s.text(), Tree: s.text(), Base: s.text(), Exit: int(s.int()), Checked: int(s.int()),
			Skipped: int(s.int()), Errored: int(s.int()), Findings: int(s.int()), Cut: int(s.int()), Version: s.text(),
		}
		runs = append(runs, r)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	for i := range runs {
		if runs[i].Files, err = h.files(runs[i].ID); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

func (h *History) files(run int64) ([]RunFile, error) {
	var files []RunFile
	err := h.db.query(selectRunFiles, 3, values(run), func(row []driver.Value) error {
		s := scanner{row: row}
		files = append(files, RunFile{Path: s.text(), Outcome: s.text(), Reason: s.text()})
		return nil
	})
	if err != nil || len(files) == 0 {
		return nil, err
	}
	err = h.db.query(selectFindings, 7, values(run), func(row []driver.Value) error {
		s := scanner{row: row}
		file := s.int()
		f := RunFinding{
			Engine: s.text(), Code: s.text(), Severity: s.text(), Title: s.text(), Line: int(s.int()), Col: int(s.int()),
		}
		if file >= 0 && file < int64(len(files)) {
			files[file].Findings = append(files[file].Findings, f)
		}
		return nil
	})
	return files, err
}

// Tasks returns the newest tasks, newest first; limit <= 0 means all.
func (h *History) Tasks(ctx context.Context, limit int) ([]Task, error) {
	var tasks []Task
	err := h.db.query(selectTasks, 7, values(sqlLimit(limit)), func(row []driver.Value) error {
		s := scanner{row: row}
		tasks = append(tasks, Task{
			ID: s.text(), Name: s.text(), Started: s.time(), Ended: s.time(), State: s.text(), Exit: int(s.int()), OutputHead: s.text(),
		})
		return ctx.Err()
	})
	return tasks, err
}

// values makes arguments of a statement.
func values(v ...driver.Value) []driver.Value { return v }

// sqlLimit: SQLite takes -1 for no limit.
func sqlLimit(n int) int64 {
	if n <= 0 {
		return -1
	}
	return int64(n)
}

func split(args string) []string {
	if args == "" {
		return nil
	}
	return strings.Split(args, "\x00")
}

// scanner reads the columns of a row one after the other; a column of another
// type than asked for reads as zero.
type scanner struct {
	row []driver.Value
	n   int
}

func (s *scanner) next() driver.Value {
	v := s.row[s.n]
	s.n++
	return v
}

func (s *scanner) int() int64 {
	n, _ := s.next().(int64)
	return n
}

func (s *scanner) text() string {
	switch v := s.next().(type) {
	case string:
		return v
	case []byte:
		return string(v)
	default:
		return ""
	}
}

func (s *scanner) time() time.Time {
	n := s.int()
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n)
}
