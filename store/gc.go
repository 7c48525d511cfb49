package store

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"time"
)

const (
	defaultMaxAge  = 30 * day
	defaultMaxSize = 512 << 20
	gcChunk        = 4096
	// autoBudget bounds what a run pays for collecting; the rest is done after
	// the next run that saves something.
	autoBudget = 100 * time.Millisecond

	selectCfgs   = `SELECT id, ns, used FROM cfg ORDER BY used, id`
	sizeRes      = `SELECT count(*), coalesce(sum(length(k) + coalesce(length(v), 0)), 0) FROM res WHERE k >= ? AND k < ?`
	countRes     = `SELECT count(*) FROM (SELECT 1 FROM res WHERE k >= ? AND k < ? LIMIT ?)`
	deleteRes    = `DELETE FROM res WHERE k IN (SELECT k FROM res WHERE k >= ? AND k < ? LIMIT ?)`
	deleteCfg    = `DELETE FROM cfg WHERE id = ? AND used <= ?`
	selectUsed   = `SELECT count(*) FROM cfg WHERE id = ? AND used <= ?`
	deleteMemos  = `DELETE FROM memo WHERE at < ?`
	deleteMem    = `DELETE FROM mem WHERE at < ?`
	setMeta      = `INSERT OR REPLACE INTO meta(k, v) VALUES(?, ?)`
	selectLastGC = `SELECT coalesce(max(v), 0) FROM meta WHERE k = 'gc'`
	usedBytes    = `SELECT (SELECT page_count FROM pragma_page_count) - (SELECT freelist_count FROM pragma_freelist_count)`
	vacuumPages  = `PRAGMA incremental_vacuum(1024)`
)

// Stats describes the cache. It reads every key: it is for people who ask.
// A cache that is off is empty.
func (c *Cache) Stats(ctx context.Context) (Stats, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := Stats{FormatVersion: FormatVersion, TotalBytes: c.diskBytes(false)}
	byNS := map[int64]*NamespaceStats{}
	for _, ns := range Namespaces() {
		s.PerNamespace = append(s.PerNamespace, NamespaceStats{Namespace: ns.String(), FormatVersion: FormatVersion})
	}
	for i, ns := range Namespaces() {
		byNS[int64(ns)] = &s.PerNamespace[i]
	}
	db, err := c.ready(ctx)
	if err != nil {
		return s, nil
	}
	cfgs, err := allCfgs(db)
	for _, f := range cfgs {
		if err = ctx.Err(); err != nil {
			break
		}
		n := byNS[f.ns]
		if n == nil {
			continue
		}
		lo, hi := keyRange(f.id)
		err = db.query(sizeRes, 2, []driver.Value{lo, hi}, func(row []driver.Value) error {
			entries, _ := row[0].(int64)
			size, _ := row[1].(int64)
			n.Entries += entries
			n.Bytes += size
			return nil
		})
		if err != nil {
			break
		}
	}
	if err != nil {
		c.failed(ctx, err)
	}
	return s, err
}

type cfgRow struct{ id, ns, used int64 }

func allCfgs(db *conn) ([]cfgRow, error) {
	var cfgs []cfgRow
	err := db.query(selectCfgs, 3, nil, func(row []driver.Value) error {
		var f cfgRow
		f.id, _ = row[0].(int64)
		f.ns, _ = row[1].(int64)
		f.used, _ = row[2].(int64)
		cfgs = append(cfgs, f)
		return nil
	})
	return cfgs, err
}

// keyRange returns the half-open range of res.k that belongs to a configuration.
func keyRange(id int64) (lo, hi []byte) {
	lo = binary.BigEndian.AppendUint32(nil, uint32(id))
	hi = append(binary.BigEndian.AppendUint32(nil, uint32(id)), 0xff)
	for range 40 {
		hi = append(hi, 0xff)
	}
	return lo, hi
}

// diskBytes is the size of all files of the database.
func (c *Cache) diskBytes(aside bool) int64 {
	total := int64(0)
	for _, p := range c.files(aside) {
		if fi, err := os.Stat(p); err == nil {
			total += fi.Size()
		}
	}
	return total
}

func (c *Cache) files(aside bool) []string {
	f := []string{c.path, c.path + "-wal", c.path + "-shm", c.path + "-journal"}
	if aside {
		f = append(f, c.path+asideName)
	}
	return f
}

// GC forgets what was not used for long, then the least recently used until
// the cache fits, and gives the space back.
func (c *Cache) GC(ctx context.Context, opt GCOptions) (Freed, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	db, err := c.writable(ctx)
	if err != nil {
		return Freed{}, err
	}
	before := c.diskBytes(true)
	g := collector{db: db, opt: opt, now: c.now()}
	if err := g.run(ctx); err != nil {
		c.failed(ctx, err)
		return Freed{}, err
	}
	c.ids = nil
	// What was set aside is garbage too.
	if err := os.Remove(c.path + asideName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Freed{}, err
	}
	if err := db.query("PRAGMA wal_checkpoint(TRUNCATE)", 3, nil, ignore); err != nil {
		return Freed{}, err
	}
	return Freed{FreedBytes: max(0, before-c.diskBytes(true))}, nil
}

func ignore([]driver.Value) error { return nil }

// autoGC collects at most once a day and for a limited time.
func (c *Cache) autoGC(ctx context.Context) {
	now := c.now()
	last, err := c.conn.integer(selectLastGC)
	if err != nil || now.Sub(time.Unix(last, 0)) < day {
		return
	}
	g := collector{db: c.conn, opt: c.opt.GC, now: now, deadline: time.Now().Add(autoBudget)}
	if err := g.run(ctx); err != nil && damaged(err) {
		c.failed(ctx, err)
	}
}

// collector is one collection.
type collector struct {
	db       *conn
	opt      GCOptions
	now      time.Time
	deadline time.Time // zero: none
}

// errBudget ends a collection that took its time.
var errBudget = errors.New("collection takes too long")

func (g *collector) check(ctx context.Context) error {
	if !g.deadline.IsZero() && time.Now().After(g.deadline) {
		return errBudget
	}
	return ctx.Err()
}

func (g *collector) run(ctx context.Context) error {
	if g.opt.MaxAge == 0 {
		g.opt.MaxAge = defaultMaxAge
	}
	if g.opt.MaxSize == 0 {
		g.opt.MaxSize = defaultMaxSize
	}
	oldest := g.now.Add(-g.opt.MaxAge)
	err := g.db.tx(func() error {
		return errors.Join(g.db.exec(deleteMemos, oldest.UnixNano()), g.db.exec(deleteMem, oldest.UnixNano()))
	})
	if err != nil {
		return err
	}
	cfgs, err := allCfgs(g.db)
	if err != nil {
		return err
	}
	for _, f := range cfgs {
		if f.used >= today(oldest) {
			pages, err := g.db.integer(usedBytes)
			if err != nil {
				return err
			}
			if pages*4096 <= g.opt.MaxSize {
				break
			}
		}
		if err := g.remove(ctx, f); err != nil {
			return err
		}
	}
	if err := g.vacuum(ctx); err != nil {
		return err
	}
	return g.db.tx(func() error { return g.db.exec(setMeta, "gc", g.now.Unix()) })
}

// remove deletes a configuration and its results, in transactions of limited
// size, unless another process uses it meanwhile.
func (g *collector) remove(ctx context.Context, f cfgRow) error {
	lo, hi := keyRange(f.id)
	for done := false; !done; {
		if err := g.check(ctx); err != nil {
			return err
		}
		err := g.db.tx(func() error {
			n, err := g.db.integer(selectUsed, f.id, f.used)
			if err != nil || n == 0 {
				done = true
				return err
			}
			if err := g.db.exec(deleteRes, lo, hi, int64(gcChunk)); err != nil {
				return err
			}
			left, err := g.db.integer(countRes, lo, hi, int64(1))
			if err != nil || left > 0 {
				return err
			}
			done = true
			return g.db.exec(deleteCfg, f.id, f.used)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// vacuum gives free pages back to the file system.
func (g *collector) vacuum(ctx context.Context) error {
	for {
		free, err := g.db.integer("PRAGMA freelist_count")
		if err != nil || free == 0 {
			return err
		}
		if err := g.check(ctx); err != nil {
			return err
		}
		// Every row of the answer is a page.
		if err := g.db.query(vacuumPages, 0, nil, ignore); err != nil {
			return err
		}
		left, err := g.db.integer("PRAGMA freelist_count")
		if err != nil || left >= free {
			return err
		}
	}
}

// Clean removes the cache's files, also where the cache could not be opened,
// and reports what that freed. Other processes that have it open go on with
// the file they have, for themselves, until their next Save.
func (c *Cache) Clean(ctx context.Context) (Freed, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.path == "" {
		return Freed{}, nil
	}
	if _, err := os.Stat(c.path); errors.Is(err, fs.ErrNotExist) && c.diskBytes(true) == 0 {
		return Freed{}, nil
	}
	lock, err := c.lock(ctx, false)
	if err != nil {
		return Freed{}, err
	}
	defer func() { _ = lock.Close() }()
	if err := c.disconnect(); err != nil && !damaged(err) {
		return Freed{}, err
	}
	clear(c.pending)
	before := c.diskBytes(true)
	for _, p := range c.files(true) {
		if err := os.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return Freed{}, err
		}
	}
	return Freed{FreedBytes: before}, nil
}
