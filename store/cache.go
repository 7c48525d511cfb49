package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"poly/internal/filelock"
)

const (
	lockFile   = "cache.lock"
	asideName  = ".bad" // suffix; one file at most is kept for whoever wants to look
	busyWait   = 5 * time.Second
	createWait = 20 * time.Second
)

// schema of cache.db. res.k is the 4-byte big-endian cfg.id and the blob id;
// res.v is NULL for clean, else a checksum and the value. cfg.h is the hash and
// the namespace byte. memo and mem hold values of many pages, and a search in a
// b-tree of keys reads whole rows where the key is part of them: so they have
// row ids, and an index of keys beside them.
//
// Invariant: ids of cfg are never used twice (AUTOINCREMENT), so a process that
// remembers an id of a configuration that was collected finds nothing.
const schema = `
CREATE TABLE cfg(id INTEGER PRIMARY KEY AUTOINCREMENT, ns INTEGER NOT NULL, h BLOB NOT NULL UNIQUE, used INTEGER NOT NULL);
CREATE TABLE res(k BLOB PRIMARY KEY, v BLOB) WITHOUT ROWID;
CREATE TABLE memo(scope BLOB, k BLOB, at INTEGER NOT NULL, v BLOB NOT NULL, PRIMARY KEY(scope, k));
CREATE TABLE mem(k BLOB PRIMARY KEY, at INTEGER NOT NULL, v BLOB NOT NULL);
CREATE TABLE meta(k TEXT PRIMARY KEY, v INTEGER NOT NULL) WITHOUT ROWID;
PRAGMA user_version = 1`

// Cache is the result cache of one repository. It may be used by many
// goroutines. A Cache that could not be opened works: it knows nothing and
// saves nothing.
//
// Invariant: a value is a function of its key. So whatever is found may be
// used, however old it is and whoever wrote it; only what is damaged may not,
// and checksums and the end marker of [Cache.Lookup] find that.
type Cache struct {
	path string
	now  func() time.Time
	opt  CacheOptions

	mu       sync.Mutex
	conn     *conn       // nil: closed, or off
	file     fs.FileInfo // what path was when conn was opened
	readOnly bool
	off      error            // why the cache is not used; nil: it is
	ids      map[[33]byte]cfg // known rows of cfg
	stale    map[[33]byte]cfg // those looked up since the last Save and not marked as used today
	pending  map[string][]byte
	warnings []string
}

// cfg is a row of cfg: its id and the day it was last marked as used.
type cfg struct{ id, used int64 }

// OpenCache opens, or makes, the cache file at path and its directory. It
// never fails: see [Cache.Warnings].
func OpenCache(ctx context.Context, path string, opt CacheOptions) *Cache {
	c := &Cache{path: path, now: opt.Now, opt: opt}
	if c.now == nil {
		c.now = time.Now
	}
	if c.opt.busy == 0 {
		c.opt.busy = busyWait
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.connect(ctx)
	return c
}

// NoCache is a cache that knows nothing and saves nothing, for --no-cache.
func NoCache() *Cache { return &Cache{now: time.Now, off: errors.New("the cache is switched off")} }

// Warnings returns what people should be told about the cache so far, each at most once.
func (c *Cache) Warnings() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.warnings...)
}

// Close closes the database. What was Remembered and not saved is dropped.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.off == nil {
		c.off = errors.New("the cache is closed")
	}
	return c.disconnect()
}

func (c *Cache) disconnect() error {
	if c.conn == nil {
		return nil
	}
	err := c.conn.close()
	c.conn, c.file, c.ids, c.stale, c.readOnly = nil, nil, nil, nil, false
	return err
}

func (c *Cache) warn(format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	if !slices.Contains(c.warnings, msg) {
		c.warnings = append(c.warnings, msg)
	}
}

// turnOff gives up on the cache for the life of c.
func (c *Cache) turnOff(err error) {
	c.off = err
	_ = c.disconnect()
	c.warn("results are not cached: %v", err)
}

// connect opens the database, in this order of preference: as it is, created,
// set aside and created, read-only, not at all.
func (c *Cache) connect(ctx context.Context) {
	// Processes open under a shared lock and create or set aside under an
	// exclusive one, so no process opens a file that is half made, or pairs an
	// old file with a new log.
	lock, err := c.lock(ctx, true)
	if err != nil {
		c.connectReadOnly(err)
		return
	}
	err = c.open(false)
	_ = lock.Close()
	switch {
	case err == nil:
		return
	case forbidden(err):
		c.connectReadOnly(err)
		return
	case !damaged(err) && !errors.Is(err, errVersion):
		c.turnOff(err)
		return
	}
	if lock, err = c.lock(ctx, false); err != nil {
		c.connectReadOnly(err)
		return
	}
	defer func() { _ = lock.Close() }()
	if err := c.create(); err != nil {
		c.turnOff(err)
	}
}

func (c *Cache) lock(ctx context.Context, shared bool) (*filelock.Lock, error) {
	ctx = context.WithoutCancel(ctx)
	path := filepath.Join(filepath.Dir(c.path), lockFile)
	opt := filelock.Options{Shared: shared, Wait: createWait}
	l, err := filelock.Acquire(ctx, path, opt)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
			return nil, err
		}
		l, err = filelock.Acquire(ctx, path, opt)
	}
	return l, err
}

// errVersion means that the file has another layout, or none yet.
var errVersion = errors.New("foreign version")

// open opens the file as it is. A lock must be held, unless immutable.
func (c *Cache) open(immutable bool) error {
	db, err := openConn(c.path, immutable, c.opt.busy)
	if err != nil {
		return err
	}
	v, err := db.integer("PRAGMA user_version")
	if err == nil && v != FormatVersion {
		err = fmt.Errorf("%w %d", errVersion, v)
	}
	if err == nil {
		// The first read in WAL mode opens the log and its index.
		_, err = db.integer("SELECT count(*) FROM meta")
	}
	var fi fs.FileInfo
	if err == nil {
		fi, err = os.Stat(c.path)
	}
	if err != nil {
		return errors.Join(err, db.close())
	}
	c.conn, c.file, c.readOnly = db, fi, immutable
	return nil
}

// create makes the database, setting aside what is not ours. The exclusive
// lock must be held.
func (c *Cache) create() error {
	err := c.open(false)
	if err == nil {
		return nil // somebody else made it meanwhile
	}
	if !errors.Is(err, errVersion) || !c.empty() {
		c.warn("the result cache was unusable and is made anew: %v", err)
		if err := setAside(c.path); err != nil {
			return err
		}
	}
	db, err := openConn(c.path, false, c.opt.busy)
	if err != nil {
		return err
	}
	// The layout has to be chosen before the first table.
	if err = db.exec("PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL"); err == nil {
		err = db.tx(func() error { return db.exec(schema) })
	}
	if err = errors.Join(err, db.close()); err != nil {
		return err
	}
	return c.open(false)
}

// empty reports whether the file holds no table: new, or left by a process
// that was killed while it made it.
func (c *Cache) empty() bool {
	db, err := openConn(c.path, false, c.opt.busy)
	if err != nil {
		return false
	}
	n, err := db.integer("SELECT count(*) FROM sqlite_schema")
	return errors.Join(err, db.close()) == nil && n == 0
}

// connectReadOnly opens a database that may only be read. cause says why.
func (c *Cache) connectReadOnly(cause error) {
	// A log cannot be used without writing to its index, so the file is read
	// as if nothing could change it. Cells are whole whatever a writer does,
	// and a value is a function of its key.
	if err := c.open(true); err != nil {
		c.turnOff(cause)
		return
	}
	c.warn("results are read from the cache but not saved: %v", cause)
}

// ready returns a connection to the file that is at path now, or an error if
// the cache is off.
func (c *Cache) ready(ctx context.Context) (*conn, error) {
	if c.off != nil {
		return nil, c.off
	}
	if c.conn == nil {
		c.connect(ctx)
	}
	return c.conn, c.off
}

// writable is ready for writers: it follows a file that was replaced or removed.
func (c *Cache) writable(ctx context.Context) (*conn, error) {
	if c.conn != nil && !c.readOnly {
		if fi, err := os.Stat(c.path); err != nil || !os.SameFile(fi, c.file) {
			_ = c.disconnect()
		}
	}
	db, err := c.ready(ctx)
	if err == nil && c.readOnly {
		err = fmt.Errorf("save results: %w", fs.ErrPermission)
	}
	return db, err
}

// failed deals with an error of db: a damaged file is replaced, everything
// else is for the caller to report. It reports whether trying again makes sense.
func (c *Cache) failed(ctx context.Context, err error) (again bool) {
	if !damaged(err) || c.off != nil {
		return false
	}
	if c.readOnly {
		c.turnOff(err)
		return false
	}
	mine := c.file
	_ = c.disconnect()
	lock, lerr := c.lock(ctx, false)
	if lerr != nil {
		c.turnOff(errors.Join(err, lerr))
		return false
	}
	defer func() { _ = lock.Close() }()
	// Another process may have replaced it already.
	if fi, serr := os.Stat(c.path); serr == nil && os.SameFile(fi, mine) {
		c.warn("the result cache was damaged and is made anew: %v", err)
		if err := setAside(c.path); err != nil {
			c.turnOff(err)
			return false
		}
	}
	if err := c.create(); err != nil {
		c.turnOff(err)
		return false
	}
	return true
}
