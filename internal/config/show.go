package config

import (
	"slices"
	"strings"
	"time"
)

// Entry is one key of the effective configuration.
type Entry struct {
	Key string
	// Value is a bool, int64, float64, string, []any of such values and
	// []Entry, or []Entry for a table.
	Value any
	// Origin is "default", or "file:line" of the value, several of them for a
	// list that adds up; "" for a table, and where it was not asked for.
	Origin string
}

// Origin tells where the value at a path of keys was written, as in
// Origin("defaults", "line_length"); the zero Origin means a default. Exclude
// and Ignores have their own.
func (e *Effective) Origin(keys ...string) Origin {
	if n := e.merged.get(keys...); n != nil {
		return n.at
	}
	return Origin{}
}

// Section returns a top-level table as plain values: "hooks", "tools" or
// "commit", as validated by Load: lists are []any of strings also where one
// string was written, stages have their full name. nil if it was not written.
func (e *Effective) Section(name string) map[string]any {
	n := e.merged.get(name)
	if n == nil {
		return nil
	}
	return dropDirectives(n).plainMap()
}

// dropDirectives returns n without exclude_mode, which has done its work.
func dropDirectives(n *node) *node {
	switch n.kind {
	case kindTable:
		out := newTable(n.at)
		for k, c := range n.table {
			if k != "exclude_mode" {
				out.table[k] = dropDirectives(c)
			}
		}
		return out
	case kindArray:
		out := &node{kind: kindArray, at: n.at}
		for _, it := range n.items {
			out.items = append(out.items, dropDirectives(it))
		}
		return out
	}
	return n
}

// Show returns every effective value, defaults included, in the order of the
// documentation.
func (e *Effective) Show(origin bool) []Entry {
	s := &shower{e: e, origin: origin}
	var out []Entry
	for _, k := range e.x.top.keys {
		switch k.name {
		case "extends", "hook_preferences":
			continue
		case "discovery":
			out = append(out, s.discovery(k.shape))
		case "per-file-ignores":
			out = append(out, s.ignores())
		case "lint":
			out = append(out, s.engines(Lint))
		case "fmt":
			out = append(out, s.engines(Fmt))
		case "hooks", "tools":
			if n := e.merged.get(k.name); n != nil {
				out = append(out, s.written(k.name, dropDirectives(n)))
			}
		default:
			out = append(out, s.table(k.name, e.merged.get(k.name), k.shape))
		}
	}
	return out
}

type shower struct {
	e      *Effective
	origin bool
}

func (s *shower) leaf(key string, v any, at ...Origin) Entry {
	en := Entry{Key: key, Value: plainLeaf(v)}
	if s.origin {
		var names []string
		for _, o := range at {
			if n := o.String(); !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
		if en.Origin = strings.Join(names, ", "); en.Origin == "" {
			en.Origin = Origin{}.String()
		}
	}
	return en
}

// plainLeaf brings the Go types of options to those of Entry.Value.
func plainLeaf(v any) any {
	switch v := v.(type) {
	case int:
		return int64(v)
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case []string:
		out := make([]any, len(v))
		for i, s := range v {
			out[i] = s
		}
		return out
	case map[string]string:
		out := make([]Entry, 0, len(v))
		for _, k := range sortedKeys(v) {
			out = append(out, Entry{Key: k, Value: v[k]})
		}
		return out
	case map[string]any:
		out := make([]Entry, 0, len(v))
		for _, k := range sortedKeys(v) {
			out = append(out, Entry{Key: k, Value: plainLeaf(v[k])})
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, it := range v {
			out[i] = plainLeaf(it)
		}
		return out
	}
	return v
}

// table shows a table of fixed keys, with the defaults of its shape.
func (s *shower) table(name string, n *node, sh *shape) Entry {
	out := []Entry{}
	for _, k := range sh.keys {
		c := n.get(k.name)
		switch {
		case k.name == "exclude_mode" || k.name == "exclude" && name == "discovery":
		case k.kinds&kindTable != 0 && (c == nil || c.kind == kindTable) && len(k.keys) > 0:
			if t := s.table(k.name, c, k.shape); len(t.Value.([]Entry)) > 0 {
				out = append(out, t)
			}
		case c != nil:
			out = append(out, s.written(k.name, c))
		case k.def != nil:
			out = append(out, s.leaf(k.name, k.def))
		}
	}
	return Entry{Key: name, Value: out}
}

// written shows a node as it stands.
func (s *shower) written(name string, n *node) Entry {
	if n.kind == kindTable {
		out := []Entry{}
		for _, k := range n.ordered() {
			out = append(out, s.written(k, n.table[k]))
		}
		return Entry{Key: name, Value: out}
	}
	if n.kind != kindArray {
		return s.leaf(name, n.value, n.at)
	}
	items := make([]any, len(n.items))
	for i, it := range n.items {
		items[i] = s.written("", it).Value
	}
	return s.leaf(name, items, n.at)
}

func (s *shower) discovery(sh *shape) Entry {
	globs, at := make([]string, 0, len(s.e.Exclude)), make([]Origin, 0, len(s.e.Exclude))
	for _, p := range s.e.Exclude {
		globs, at = append(globs, p.Glob), append(at, p.Origin)
	}
	t := s.table("discovery", s.e.merged.get("discovery"), sh)
	t.Value = append([]Entry{s.leaf("exclude", globs, at...)}, t.Value.([]Entry)...)
	return t
}

// ignores shows each glob relative to the root, which for these plain globs
// means the same.
func (s *shower) ignores() Entry {
	out := []Entry{}
	for _, i := range s.e.Ignores {
		glob := i.Glob
		if i.Base != "." {
			glob = i.Base + "/" + glob
		}
		out = append(out, s.leaf(glob, i.Codes, i.Origin))
	}
	return Entry{Key: "per-file-ignores", Value: out}
}

// engines shows [lint] or [fmt]: cross engines, then languages.
func (s *shower) engines(v Verbs) Entry {
	out := []Entry{}
	if v == Lint {
		out = append(out, s.leaf("workspace", s.e.Workspace, s.e.Origin("lint", "workspace")))
	}
	for _, t := range s.e.x.engines(v, "") {
		out = append(out, Entry{Key: t.Name, Value: s.engine(v, "", t)})
	}
	section := s.e.merged.get(v.String())
	for _, lang := range s.e.x.langs() {
		var tables []Entry
		for _, t := range s.e.x.engines(v, lang) {
			if !t.cross() || section.get(lang, t.Name) != nil && section.get(lang, t.Name).kind == kindTable {
				tables = append(tables, Entry{Key: t.Name, Value: s.engine(v, lang, t)})
			}
		}
		if len(tables) == 0 {
			continue
		}
		if i := slices.IndexFunc(out, func(e Entry) bool { return e.Key == lang }); i >= 0 {
			out[i].Value = append(out[i].Value.([]Entry), tables...)
			continue
		}
		out = append(out, Entry{Key: lang, Value: tables})
	}
	return Entry{Key: v.String(), Value: out}
}

func (s *shower) engine(v Verbs, lang string, t *EngineTable) []Entry {
	c := s.e.table(tableKey{v, lang, t.Name})
	out := []Entry{s.leaf("enabled", c.On, c.Origin("enabled"))}
	if c.IndentWidth > 0 {
		out = append(out, s.leaf("indent_width", c.IndentWidth, c.Origin("indent_width")))
	}
	for _, l := range []struct {
		key   string
		codes []string
	}{{"select", c.Select}, {"extend_select", c.ExtendSelect}, {"ignore", c.Ignore}} {
		if l.codes != nil {
			out = append(out, s.leaf(l.key, l.codes, c.Origin(l.key)))
		}
	}
	for i := range t.Options {
		if o := &t.Options[i]; c.Values[o.Name] != nil && o.For(lang) {
			at := []Origin{c.Origin(o.Name)}
			if o.Accumulate && c.layers[0].get(o.Name) != nil && c.layers[1].get(o.Name) != nil {
				at = []Origin{c.layers[1].get(o.Name).at, c.layers[0].get(o.Name).at}
			}
			out = append(out, s.leaf(o.Name, c.Values[o.Name], at...))
		}
	}
	if rules := s.rules(c); len(rules) > 0 {
		out = append(out, Entry{Key: "rules", Value: rules})
	}
	return out
}

func (s *shower) rules(c *EngineConfig) []Entry {
	byCode := map[string][]Entry{}
	for _, l := range c.Levels {
		byCode[l.Code] = append(byCode[l.Code], s.leaf("level", l.Severity, l.Origin))
	}
	for code, v := range c.Params {
		for _, k := range sortedKeys(v) {
			byCode[code] = append(byCode[code], s.leaf(k, v[k], c.Origin("rules", code, k)))
		}
	}
	out := make([]Entry, 0, len(byCode))
	for _, code := range sortedKeys(byCode) {
		out = append(out, Entry{Key: code, Value: byCode[code]})
	}
	return out
}
