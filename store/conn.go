package store

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	sqlite3 "github.com/mattn/go-sqlite3"

	"poly/internal/atomicfile"
)

// conn is one SQLite connection through the raw driver: database/sql costs
// more than the queries do, and a cancellable context costs a goroutine a row.
type conn struct{ c *sqlite3.SQLiteConn }

// openConn opens, or creates empty, the database at path. It reads the header.
func openConn(path string, immutable bool, busy time.Duration) (*conn, error) {
	var d sqlite3.SQLiteDriver
	q := "?_busy_timeout=" + strconv.FormatInt(busy.Milliseconds(), 10)
	if immutable {
		q += "&immutable=1"
	}
	dc, err := d.Open("file:" + uriPath(path) + q)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	c, ok := dc.(*sqlite3.SQLiteConn)
	if !ok {
		return nil, fmt.Errorf("open %s: unknown driver connection %T", path, dc)
	}
	return &conn{c}, nil
}

// uriPath escapes a path, of any bytes, for an SQLite URI.
func uriPath(path string) string {
	parts := strings.Split(filepath.ToSlash(path), "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

func (c *conn) close() error { return c.c.Close() }

// exec runs one statement, or several without arguments.
func (c *conn) exec(query string, args ...driver.Value) error {
	_, err := c.c.Exec(query, args)
	return err
}

// query calls each with every row of ncol columns. The slice is reused; blobs
// in it are not.
func (c *conn) query(query string, ncol int, args []driver.Value, each func([]driver.Value) error) error {
	rows, err := c.c.Query(query, args)
	if err != nil {
		return err
	}
	return errors.Join(drain(rows, make([]driver.Value, ncol), each), rows.Close())
}

func drain(rows driver.Rows, dest []driver.Value, each func([]driver.Value) error) error {
	for {
		// A damaged database ends the rows with an error, not with EOF.
		switch err := rows.Next(dest); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := each(dest); err != nil {
			return err
		}
	}
}

// integer returns the only column of the only row of a query.
func (c *conn) integer(query string, args ...driver.Value) (int64, error) {
	var n int64
	found := false
	err := c.query(query, 1, args, func(row []driver.Value) error {
		n, found = row[0].(int64)
		return nil
	})
	if err == nil && !found {
		err = errNoRow
	}
	return n, err
}

// blob returns the only column of the only row of a query; nil if there is none.
func (c *conn) blob(query string, args ...driver.Value) ([]byte, error) {
	var b []byte
	err := c.query(query, 1, args, func(row []driver.Value) error {
		b, _ = row[0].([]byte)
		return nil
	})
	return b, err
}

var errNoRow = errors.New("no row")

// tx runs f in one transaction that takes the write lock at its start: a
// reader that turns writer fails at once with SQLITE_BUSY.
func (c *conn) tx(f func() error) error {
	if err := c.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := f(); err != nil {
		return errors.Join(err, c.rollback())
	}
	if err := c.exec("COMMIT"); err != nil {
		return errors.Join(err, c.rollback())
	}
	return nil
}

// rollback ends a transaction that SQLite has not ended itself.
func (c *conn) rollback() error {
	if c.c.AutoCommit() {
		return nil
	}
	return c.exec("ROLLBACK")
}

// stmt is a prepared statement that returns nothing.
type stmt struct{ s driver.Stmt }

func (c *conn) prepare(query string) (*stmt, error) {
	s, err := c.c.Prepare(query)
	if err != nil {
		return nil, err
	}
	return &stmt{s: s}, nil
}

func (s *stmt) exec(args ...driver.Value) error {
	_, err := s.s.Exec(args) //nolint:staticcheck // the context form starts a goroutine a call
	return err
}

func (s *stmt) close() error { return s.s.Close() }

// errno is SQLite's primary result code for err, 0 if it has none.
func errno(err error) sqlite3.ErrNo {
	if e, ok := errors.AsType[sqlite3.Error](err); ok {
		return e.Code
	}
	return 0
}

// damaged reports whether err means that the file is not, or no longer, ours:
// our statements are constant, so "no such table" is damage too.
func damaged(err error) bool {
	switch errno(err) {
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB, sqlite3.ErrFormat, sqlite3.ErrError, sqlite3.ErrMismatch:
		return true
	default:
		return errors.Is(err, errNoRow) || errors.Is(err, errIncomplete)
	}
}

// errIncomplete means that a query ended before its last row without an error.
var errIncomplete = errors.New("result cache: rows are missing from an answer")

// forbidden reports whether err means that we may read at most.
func forbidden(err error) bool {
	switch errno(err) {
	case sqlite3.ErrReadonly, sqlite3.ErrCantOpen, sqlite3.ErrPerm, sqlite3.ErrAuth:
		return true
	default:
		return false
	}
}

// busy reports whether err means that another connection is writing.
func busy(err error) bool {
	return errno(err) == sqlite3.ErrBusy || errno(err) == sqlite3.ErrLocked
}

// setAside moves a database out of the way, over what was set aside before.
func setAside(path string) error {
	if err := atomicfile.SetAside(path, path+asideName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return removeLog(path)
}

// removeLog removes what belongs to a database that is no longer at path: it
// must not be paired with a new file.
func removeLog(path string) error {
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
