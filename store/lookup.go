package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// Both lookups are one statement over one blob of concatenated, sorted keys of
// equal width: the recursion counts 0..n, substr cuts the keys out, the join
// walks the b-tree in order. Number n is past the last key, finds nothing and
// so is always returned: it proves that the answer is complete.
const (
	lookupRes = `
WITH RECURSIVE n(i) AS (VALUES(0) UNION ALL SELECT i+1 FROM n WHERE i < ?2)
SELECT n.i, r.v FROM n LEFT JOIN res r ON r.k = substr(?1, n.i*?3+1, ?3)
WHERE r.k IS NULL OR r.v IS NOT NULL`
	lookupCfg = `
WITH RECURSIVE n(i) AS (VALUES(0) UNION ALL SELECT i+1 FROM n WHERE i < ?2)
SELECT n.i, c.id, c.used FROM n LEFT JOIN cfg c ON c.h = substr(?1, n.i*?3+1, ?3)`
	selectMemo = `SELECT v FROM memo WHERE scope = ? AND k = ?`
)

// Memo returns the value saved for a state, or nil.
func (c *Cache) Memo(ctx context.Context, scope, key []byte) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	db, err := c.ready(ctx)
	if err != nil {
		return nil
	}
	sealed, err := db.blob(selectMemo, nonNil(scope), nonNil(key))
	if err != nil {
		c.failed(ctx, err)
		return nil
	}
	v, _ := unseal(sealed, scope, key)
	return v
}

// Lookup finds many results by one query. On an error, which is for the log,
// every key is missing. Values own their memory.
func (c *Cache) Lookup(ctx context.Context, cfgs []Cfg, keys []Key) (Result, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var res Result
	db, err := c.ready(ctx)
	if err == nil {
		if res, err = c.lookup(db, cfgs, keys); err == nil {
			return res, nil
		}
		c.failed(ctx, err)
	}
	res = Result{Missing: make([]int, len(keys))}
	for i := range res.Missing {
		res.Missing[i] = i
	}
	return res, err
}

func (c *Cache) lookup(db *conn, cfgs []Cfg, keys []Key) (Result, error) {
	ids, err := c.resolve(db, cfgs)
	if err != nil {
		return Result{}, err
	}
	var res Result
	// One repository has ids of one width, but nothing here depends on it.
	byWidth := map[int][]sortKey{}
	width, refs := 0, []sortKey(nil)
	for i, k := range keys {
		if ids[k.Cfg] == 0 || len(k.OID) < 8 {
			res.Missing = append(res.Missing, i)
			continue
		}
		if len(k.OID) != width {
			byWidth[width] = refs
			width = len(k.OID)
			if refs = byWidth[width]; refs == nil {
				refs = make([]sortKey, 0, len(keys)-i)
			}
		}
		refs = append(refs, sortKey{head: leading(ids[k.Cfg], k.OID), index: i})
	}
	byWidth[width] = refs
	for width, refs := range byWidth {
		if len(refs) == 0 {
			continue
		}
		if err := lookupWidth(db, ids, keys, refs, width, &res); err != nil {
			return Result{}, err
		}
	}
	slices.Sort(res.Missing)
	slices.SortFunc(res.Values, func(a, b Value) int { return cmp.Compare(a.Index, b.Index) })
	return res, nil
}

// sortKey sorts by cfg id, then by the leading bytes of the blob id.
type sortKey struct {
	head  [2]uint64
	index int
}

func leading(id uint32, oid string) [2]uint64 {
	return [2]uint64{uint64(id), binary.BigEndian.Uint64([]byte(oid[:8]))}
}

func lookupWidth(db *conn, ids []uint32, keys []Key, refs []sortKey, width int, res *Result) error {
	slices.SortFunc(refs, func(a, b sortKey) int {
		if n := cmp.Compare(a.head[0], b.head[0]); n != 0 {
			return n
		}
		if n := cmp.Compare(a.head[1], b.head[1]); n != 0 {
			return n
		}
		return strings.Compare(keys[a.index].OID, keys[b.index].OID)
	})
	step := 4 + width
	blob := make([]byte, 0, len(refs)*step)
	for _, r := range refs {
		k := keys[r.index]
		blob = append(binary.BigEndian.AppendUint32(blob, ids[k.Cfg]), k.OID...)
	}
	next := int64(0)
	err := db.query(lookupRes, 2, []driver.Value{blob, int64(len(refs)), int64(step)}, func(row []driver.Value) error {
		i, ok := row[0].(int64)
		if !ok || i < next || i > int64(len(refs)) {
			return errIncomplete
		}
		next = i + 1
		if i == int64(len(refs)) {
			return nil
		}
		index := refs[i].index
		if sealed, ok := row[1].([]byte); ok {
			if v, ok := unseal(sealed, blob[i*int64(step):(i+1)*int64(step)]); ok {
				res.Values = append(res.Values, Value{Index: index, Data: v})
				return nil
			}
		}
		res.Missing = append(res.Missing, index)
		return nil
	})
	if err == nil && next != int64(len(refs))+1 {
		err = errIncomplete
	}
	return err
}

// resolve returns the database's ids of cfgs, 0 for those it does not know.
func (c *Cache) resolve(db *conn, cfgs []Cfg) ([]uint32, error) {
	hashes := make([][33]byte, len(cfgs))
	var unknown [][33]byte
	for i, f := range cfgs {
		hashes[i] = f.key()
		if _, ok := c.ids[hashes[i]]; !ok {
			unknown = append(unknown, hashes[i])
		}
	}
	if len(unknown) > 0 {
		if err := c.learn(db, unknown); err != nil {
			return nil, err
		}
	}
	ids := make([]uint32, len(cfgs))
	now := today(c.now())
	for i, h := range hashes {
		f := c.ids[h]
		if f.id <= math.MaxUint32 {
			ids[i] = uint32(f.id)
		}
		if f.id != 0 && f.used < now {
			if c.stale == nil {
				c.stale = map[[33]byte]cfg{}
			}
			c.stale[h] = f
		}
	}
	return ids, nil
}

// learn puts the rows of cfg with these hashes into c.ids.
func (c *Cache) learn(db *conn, hashes [][33]byte) error {
	slices.SortFunc(hashes, func(a, b [33]byte) int { return slices.Compare(a[:], b[:]) })
	blob := make([]byte, 0, 33*len(hashes))
	for _, h := range hashes {
		blob = append(blob, h[:]...)
	}
	if c.ids == nil {
		c.ids = make(map[[33]byte]cfg, len(hashes))
	}
	next := int64(0)
	n := int64(len(hashes))
	err := db.query(lookupCfg, 3, []driver.Value{blob, n, int64(33)}, func(row []driver.Value) error {
		if i, ok := row[0].(int64); !ok || i != next {
			return errIncomplete
		}
		if id, ok := row[1].(int64); ok && next < n {
			used, _ := row[2].(int64)
			c.ids[hashes[next]] = cfg{id: id, used: used}
		}
		next++
		return nil
	})
	if err == nil && next != n+1 {
		err = errIncomplete
	}
	return err
}

// key is what cfg.h holds.
func (f Cfg) key() [33]byte {
	var k [33]byte
	copy(k[:], f.Hash[:])
	k[32] = byte(f.NS)
	return k
}
