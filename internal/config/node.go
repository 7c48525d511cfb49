package config

import (
	"maps"
	"slices"
	"strconv"
	"time"
)

// kind is a set of TOML types, so that a shape can say which it takes.
type kind uint8

const (
	kindBool kind = 1 << iota
	kindInt
	kindFloat
	kindString
	kindTime
	kindArray
	kindTable
)

// node is one value of a TOML document with the place it was written. Nodes
// are shared between merged trees and are not modified after validation.
type node struct {
	kind  kind
	value any              // of a scalar: bool, int64, float64, string, time.Time
	items []*node          // of an array
	table map[string]*node // of a table
	at    Origin           // of the key, or of the item in an array
}

func newTable(at Origin) *node {
	return &node{kind: kindTable, table: map[string]*node{}, at: at}
}

func stringNode(s string, at Origin) *node { return &node{kind: kindString, value: s, at: at} }

// get returns the node at a path of keys, or nil. Items of arrays are numbered
// from 0.
func (n *node) get(keys ...string) *node {
	for _, k := range keys {
		switch {
		case n == nil:
			return nil
		case n.kind == kindTable:
			n = n.table[k]
		case n.kind == kindArray:
			i, err := strconv.Atoi(k)
			if err != nil || i < 0 || i >= len(n.items) {
				return nil
			}
			n = n.items[i]
		default:
			return nil
		}
	}
	return n
}

func (n *node) bool(def bool) bool {
	if n == nil {
		return def
	}
	b, _ := n.value.(bool)
	return b
}

func (n *node) int(def int) int {
	if n == nil {
		return def
	}
	i, _ := n.value.(int64)
	return int(i)
}

func (n *node) string(def string) string {
	if n == nil {
		return def
	}
	s, _ := n.value.(string)
	return s
}

// strings returns the strings of an array; nil if n is nil, never nil otherwise.
func (n *node) strings() []string {
	if n == nil {
		return nil
	}
	out := make([]string, 0, len(n.items))
	for _, it := range n.items {
		out = append(out, it.string(""))
	}
	return out
}

// ordered returns the keys of a table in the order they were written; keys
// without a place come last, by name.
func (n *node) ordered() []string {
	keys := sortedKeys(n.table)
	slices.SortStableFunc(keys, func(a, b string) int {
		x, y := n.table[a].at, n.table[b].at
		if x.File != y.File || x.Line == 0 || y.Line == 0 {
			return 0
		}
		if x.Line != y.Line {
			return x.Line - y.Line
		}
		return x.Col - y.Col
	})
	return keys
}

// plain returns the value without places: bool, int64, float64, string,
// time.Time, []any, map[string]any.
func (n *node) plain() any {
	switch n.kind {
	case kindArray:
		out := make([]any, len(n.items))
		for i, it := range n.items {
			out[i] = it.plain()
		}
		return out
	case kindTable:
		return n.plainMap()
	}
	return n.value
}

func (n *node) plainMap() map[string]any {
	if n == nil {
		return nil
	}
	out := make(map[string]any, len(n.table))
	for k, c := range n.table {
		out[k] = c.plain()
	}
	return out
}

// merge returns upper laid over lower: tables key by key, everything else
// replaces. In layer mode (bases and local files) an array `exclude` adds to
// the inherited one, unless exclude_mode = "replace" stands beside it.
func merge(lower, upper *node, layer bool) *node {
	if lower == nil || upper == nil {
		if upper == nil {
			return lower
		}
		return upper
	}
	if lower.kind != kindTable || upper.kind != kindTable {
		return upper
	}
	out := &node{kind: kindTable, table: maps.Clone(lower.table), at: upper.at}
	union := layer && upper.get("exclude_mode").string("") != "replace"
	for k, u := range upper.table {
		l := lower.table[k]
		if k == "exclude" && union && l != nil && l.kind == kindArray && u.kind == kindArray {
			out.table[k] = joinArrays(l, u)
			continue
		}
		out.table[k] = merge(l, u, layer)
	}
	return out
}

// joinArrays returns the items of l and then those of u that are not in l.
func joinArrays(l, u *node) *node {
	out := &node{kind: kindArray, items: slices.Clone(l.items), at: u.at}
	seen := make(map[any]bool, len(l.items))
	for _, it := range l.items {
		if it.kind == kindString {
			seen[it.value] = true
		}
	}
	for _, it := range u.items {
		if it.kind != kindString || !seen[it.value] {
			out.items = append(out.items, it)
		}
	}
	return out
}

// fromPlain is the inverse of plain, for values without a place.
func fromPlain(v any, at Origin) *node {
	switch v := v.(type) {
	case bool:
		return &node{kind: kindBool, value: v, at: at}
	case int:
		return &node{kind: kindInt, value: int64(v), at: at}
	case int64:
		return &node{kind: kindInt, value: v, at: at}
	case float64:
		return &node{kind: kindFloat, value: v, at: at}
	case string:
		return stringNode(v, at)
	case time.Time:
		return &node{kind: kindTime, value: v, at: at}
	case []string:
		n := &node{kind: kindArray, at: at}
		for _, s := range v {
			n.items = append(n.items, stringNode(s, at))
		}
		return n
	case []any:
		n := &node{kind: kindArray, at: at}
		for _, it := range v {
			n.items = append(n.items, fromPlain(it, at))
		}
		return n
	case map[string]string:
		n := newTable(at)
		for k, s := range v {
			n.table[k] = stringNode(s, at)
		}
		return n
	case map[string]any:
		n := newTable(at)
		for k, c := range v {
			n.table[k] = fromPlain(c, at)
		}
		return n
	}
	return &node{kind: kindString, value: "", at: at}
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
