package config

import (
	"encoding/binary"
	"math"
	"slices"
	"time"

	"poly/internal/blake3"
)

type digests struct{ all, lint, fmt, scope [32]byte }

// Digest stands for all effective settings. It does not depend on the order of
// keys, on where a value was written, or on whether a default was spelt out,
// but for [Defaults.Given]: a spelt out one of [defaults] outranks .editorconfig.
func (e *Effective) Digest() [32]byte { return e.sums.all }

// LintDigest stands for what decides lint results: defaults, lint tables with
// levels, per-file ignores, rules.
func (e *Effective) LintDigest() [32]byte { return e.sums.lint }

// FmtDigest stands for what decides format results: defaults and fmt tables.
func (e *Effective) FmtDigest() [32]byte { return e.sums.fmt }

// ScopeDigest stands for what decides which files are in scope: discovery and
// exclude globs.
func (e *Effective) ScopeDigest() [32]byte { return e.sums.scope }

// digest computes all of them. Inputs: the fields of e, the configured tables
// of engines of the schema where they differ from the defaults, and the other
// sections as written.
func (e *Effective) digest() {
	defaults := appendAll(nil, "defaults", e.Defaults.LineLength, e.Defaults.LineEnding, e.Defaults.FinalNewline, e.Defaults.TrimTrailingWhitespace, int(e.Defaults.Given))

	scope := appendAll(nil, "scope", e.Discovery.MaxFileSize)
	for _, p := range e.Exclude {
		scope = appendAll(scope, p.Base, p.Glob)
	}

	lint := appendAll(slices.Clone(defaults), "ignores")
	for _, i := range sortedIgnores(e.Ignores) {
		lint = appendAll(lint, i.Base, i.Glob, set(i.Codes))
	}
	lint = appendAll(lint, "rules", set(e.Rules.Disable))
	for _, d := range e.Rules.Dirs {
		lint = appendAll(lint, d.Path, outsideName(d.Outside), d.Git, d.OID)
	}
	lint = e.appendTables(lint, Lint)
	fmt := e.appendTables(slices.Clone(defaults), Fmt)

	e.sums = digests{lint: blake3.Sum256(lint), fmt: blake3.Sum256(fmt), scope: blake3.Sum256(scope)}
	all := appendAll(nil, "all", e.sums.lint[:], e.sums.fmt[:], e.sums.scope[:], e.Workspace,
		e.Cache.Enabled, e.Cache.Dir, e.Cache.Hooks,
		e.Cache.SCCache.Enabled, e.Cache.SCCache.Bin, e.Cache.SCCache.Dir, e.Cache.SCCache.MaxSize)
	for _, s := range [...]string{"commit", "hooks", "tools"} {
		all = appendAll(all, s, e.Section(s))
	}
	e.sums.all = blake3.Sum256(all)
}

// sortedIgnores orders them for a digest: all that match apply.
func sortedIgnores(in []Ignore) []Ignore {
	out := slices.Clone(in)
	slices.SortFunc(out, func(a, b Ignore) int {
		return slices.Compare([]string{a.Base, a.Glob}, []string{b.Base, b.Glob})
	})
	return out
}

// appendTables appends the digests of the tables that differ from the defaults.
func (e *Effective) appendTables(buf []byte, v Verbs) []byte {
	buf = appendAll(buf, v.String())
	bare := newTable(Origin{})
	for _, k := range e.x.configured(e.merged, v) {
		if c := e.table(k); c.full != e.x.decode(bare, k).full {
			buf = appendAll(buf, k.lang, k.engine, c.full[:])
		}
	}
	return buf
}

// configured lists the tables of schema engines that a document has, sorted.
func (x *index) configured(merged *node, v Verbs) []tableKey {
	section := merged.get(v.String())
	if section == nil {
		return nil
	}
	var out []tableKey
	for _, name := range sortedKeys(section.table) {
		if t := x.engine(v, "", name); t != nil && hasOwn(section.table[name], engineShape(v, "", t)) {
			out = append(out, tableKey{v, "", name})
		}
		if !x.isLang(name) {
			continue
		}
		for _, sub := range sortedKeys(section.table[name].table) {
			if x.engine(v, name, sub) != nil && section.get(name, sub).kind == kindTable {
				out = append(out, tableKey{v, name, sub})
			}
		}
	}
	return out
}

func (c *EngineConfig) digest() {
	buf := appendAll(nil, map[string]any(c.Values), c.IndentWidth, set(c.Select), set(c.ExtendSelect), set(c.Ignore), c.Select != nil)
	for _, code := range sortedKeys(c.Params) {
		buf = appendAll(buf, code, map[string]any(c.Params[code]))
	}
	c.sum = blake3.Sum256(buf)
	buf = appendAll(buf, "levels", c.On)
	for _, l := range c.Levels {
		buf = appendAll(buf, l.Code, l.Severity)
	}
	c.full = blake3.Sum256(buf)
}

// set is a list whose order and repetitions mean nothing.
func set(in []string) []string {
	out := slices.Clone(in)
	slices.Sort(out)
	return slices.Compact(out)
}

func appendAll(buf []byte, vs ...any) []byte {
	for _, v := range vs {
		buf = appendValue(buf, v)
	}
	return buf
}

// appendValue appends a value so that different values give different bytes:
// a tag, then a length or the fixed-size content. Keys of maps are sorted.
func appendValue(buf []byte, v any) []byte {
	text := func(tag byte, s string) []byte {
		buf = binary.AppendUvarint(append(buf, tag), uint64(len(s)))
		return append(buf, s...)
	}
	number := func(tag byte, u uint64) []byte {
		return binary.BigEndian.AppendUint64(append(buf, tag), u)
	}
	switch v := v.(type) {
	case bool:
		if v {
			return append(buf, 'T')
		}
		return append(buf, 'F')
	case int:
		return number('i', uint64(v))
	case int64:
		return number('i', uint64(v))
	case float64:
		return number('f', math.Float64bits(v))
	case string:
		return text('s', v)
	case []byte:
		return text('b', string(v))
	case time.Time:
		return text('t', v.Format(time.RFC3339Nano)+v.Location().String())
	case []string:
		return appendList(buf, len(v), func(i int) any { return v[i] })
	case []any:
		return appendList(buf, len(v), func(i int) any { return v[i] })
	case map[string]string:
		return appendMap(buf, v)
	case map[string]any:
		return appendMap(buf, v)
	}
	return append(buf, '0')
}

func appendList(buf []byte, n int, at func(int) any) []byte {
	buf = binary.AppendUvarint(append(buf, 'l'), uint64(n))
	for i := range n {
		buf = appendValue(buf, at(i))
	}
	return buf
}

func appendMap[V any](buf []byte, m map[string]V) []byte {
	buf = binary.AppendUvarint(append(buf, 'm'), uint64(len(m)))
	for _, k := range sortedKeys(m) {
		buf = appendAll(buf, k, m[k])
	}
	return buf
}
