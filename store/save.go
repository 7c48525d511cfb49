package store

import (
	"bytes"
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

const (
	// chunk rows go into one transaction: some 10 ms, so that other writers
	// and a cancelled run need not wait long.
	chunk = 2048
	// memosKept is how many states of a scope are remembered: enough for
	// going back and forth between branches.
	memosKept = 8

	day = 24 * time.Hour

	selectCfg  = `SELECT id, used FROM cfg WHERE h = ?`
	insertCfg  = `INSERT INTO cfg(ns, h, used) VALUES(?, ?, ?)`
	touchCfg   = `UPDATE cfg SET used = ? WHERE id = ? AND used < ?`
	insertRes  = `INSERT OR REPLACE INTO res(k, v) VALUES(?, ?)`
	insertMemo = `INSERT OR REPLACE INTO memo(scope, k, at, v) VALUES(?, ?, ?, ?)`
	trimMemo   = `DELETE FROM memo WHERE scope = ?1 AND k NOT IN (SELECT k FROM memo WHERE scope = ?1 ORDER BY at DESC, k LIMIT ?2)`
	insertMem  = `INSERT OR REPLACE INTO mem(k, at, v) VALUES(?, ?, ?)`
	selectMem  = `SELECT v FROM mem WHERE k = ?`
)

// Save stores what a run learned, together with what was Remembered. It writes
// in transactions of limited size and looks at ctx between them: a run that was
// cancelled passes context.WithoutCancel to keep what it finished. Memos are
// written last. An error is for the log: it never makes a run fail.
func (c *Cache) Save(ctx context.Context, b Batch) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(b.Rows) == 0 && len(b.Memos) == 0 && len(c.pending) == 0 {
		return nil
	}
	db, err := c.writable(ctx)
	if err != nil {
		return err
	}
	if err = c.save(ctx, db, b); err != nil && c.failed(ctx, err) {
		err = c.save(ctx, c.conn, b)
	}
	if err != nil {
		if ctx.Err() == nil {
			c.warn("results are not all cached: %v", err)
		}
		return fmt.Errorf("save results: %w", err)
	}
	clear(c.pending)
	if !c.opt.NoAutoGC {
		c.autoGC(ctx)
	}
	return nil
}

func (c *Cache) save(ctx context.Context, db *conn, b Batch) error {
	rows := slices.Clone(b.Rows)
	slices.SortFunc(rows, func(a, b Row) int {
		if n := cmp.Compare(a.Cfg, b.Cfg); n != 0 {
			return n
		}
		return strings.Compare(a.OID, b.OID)
	})
	w, err := newWriter(db, c.now())
	if err != nil {
		return err
	}
	defer w.close()
	for first := true; first || len(rows) > 0; first = false {
		n := min(chunk, len(rows))
		part := rows[:n]
		rows = rows[n:]
		err := db.tx(func() error {
			if err := w.rows(b.Cfgs, part); err != nil {
				return err
			}
			if len(rows) > 0 {
				return nil
			}
			if err := w.touch(c.stale); err != nil {
				return err
			}
			return errors.Join(w.memos(b.Memos), w.memory(c.pending))
		})
		if err != nil {
			return err
		}
		if len(rows) > 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if c.ids == nil {
		c.ids = make(map[[33]byte]cfg, len(w.known))
	}
	maps.Copy(c.ids, w.known)
	clear(c.stale)
	return nil
}

// today is the day that now is in, in days since 1970.
func today(now time.Time) int64 { return now.Unix() / int64(day/time.Second) }

// writer holds the statements of one Save.
type writer struct {
	db    *conn
	res   *stmt
	today int64
	at    int64
	known map[[33]byte]cfg
}

func newWriter(db *conn, now time.Time) (*writer, error) {
	res, err := db.prepare(insertRes)
	if err != nil {
		return nil, err
	}
	return &writer{
		db: db, res: res, at: now.UnixNano(), today: today(now),
		known: map[[33]byte]cfg{},
	}, nil
}

func (w *writer) close() { _ = w.res.close() }

// rows writes results, sorted by configuration. Configurations are looked up
// in the same transaction, since another process may collect them at any time.
func (w *writer) rows(cfgs []Cfg, rows []Row) error {
	last, id := -1, uint32(0)
	for _, r := range rows {
		if r.Cfg != last {
			var err error
			if id, err = w.cfg(cfgs[r.Cfg]); err != nil {
				return err
			}
			last = r.Cfg
		}
		k := append(binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(r.OID)), id), r.OID...)
		var v []byte
		if r.Value != nil {
			v = seal(r.Value, k)
		}
		if err := w.res.exec(k, v); err != nil {
			return err
		}
	}
	return nil
}

// cfg returns the id of f, which is made or marked as used today.
func (w *writer) cfg(f Cfg) (uint32, error) {
	h := f.key()
	row := cfg{}
	err := w.db.query(selectCfg, 2, []driver.Value{h[:]}, func(v []driver.Value) error {
		row.id, _ = v[0].(int64)
		row.used, _ = v[1].(int64)
		return nil
	})
	switch {
	case err != nil:
		return 0, err
	case row.id == 0:
		r, err := w.db.c.Exec(insertCfg, []driver.Value{int64(f.NS), h[:], w.today})
		if err != nil {
			return 0, err
		}
		if row.id, err = r.LastInsertId(); err != nil {
			return 0, err
		}
		row.used = w.today
	case row.used < w.today:
		if err := w.db.exec(touchCfg, w.today, row.id, w.today); err != nil {
			return 0, err
		}
		row.used = w.today
	}
	if row.id <= 0 || row.id > math.MaxUint32 {
		return 0, fmt.Errorf("result cache: configuration id %d is out of range", row.id)
	}
	w.known[h] = row
	return uint32(row.id), nil
}

// touch marks configurations that were looked up as used today. Nothing is
// written for a run that saves nothing: it costs a warm run its speed.
func (w *writer) touch(stale map[[33]byte]cfg) error {
	for h, f := range stale {
		if w.known[h].id != 0 {
			continue
		}
		if err := w.db.exec(touchCfg, w.today, f.id, w.today); err != nil {
			return err
		}
		f.used = w.today
		w.known[h] = f
	}
	return nil
}

func (w *writer) memos(memos []Memo) error {
	for i, m := range memos {
		err := w.db.exec(insertMemo, nonNil(m.Scope), nonNil(m.Key), w.at+int64(i), seal(m.Value, m.Scope, m.Key))
		if err != nil {
			return err
		}
		if err := w.db.exec(trimMemo, nonNil(m.Scope), int64(memosKept)); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) memory(pending map[string][]byte) error {
	for k, v := range pending {
		if err := w.db.exec(insertMem, []byte(k), w.at, seal(v, []byte(k))); err != nil {
			return err
		}
	}
	return nil
}

// Recall returns the value remembered under key, or nil.
func (c *Cache) Recall(ctx context.Context, key []byte) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.pending[string(key)]; ok {
		return bytes.Clone(v)
	}
	db, err := c.ready(ctx)
	if err != nil {
		return nil
	}
	sealed, err := db.blob(selectMem, nonNil(key))
	if err != nil {
		c.failed(ctx, err)
		return nil
	}
	v, _ := unseal(sealed, key)
	return v
}

// Remember keeps value under key for later runs. It is written by the next
// Save; an empty Batch will do.
func (c *Cache) Remember(key, value []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.off != nil || c.readOnly {
		return
	}
	if c.pending == nil {
		c.pending = map[string][]byte{}
	}
	c.pending[string(key)] = bytes.Clone(nonNil(value))
}
