package config

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Type is the type of an option's value.
type Type uint8

// The types. The zero value is invalid.
const (
	_         Type = iota
	Bool           // bool
	Int            // int
	String         // string
	Strings        // []string; a single string is accepted and means one
	StringMap      // map[string]string
	Table          // map[string]any, a free table: int64, float64, bool, string, time.Time, []any, map[string]any
	Float          // float64; an integer is accepted
)

// String names the type for people.
func (t Type) String() string {
	return [...]string{"", "boolean", "integer", "string", "strings", "table of strings", "table", "number"}[t]
}

// Option describes one key of a table.
type Option struct {
	Name    string
	Type    Type
	Default any      // of the Go type Values returns; nil: unset
	Enum    []string // for String and Strings: the allowed values; nil: any
	Min     int      // for Int and Float
	Max     int      // for Int and Float; 0: no upper bound
	// Accumulate: a Strings of [lint.<lang>.<name>] adds to that of
	// [lint.<name>] instead of replacing it.
	Accumulate bool
	Verbs      Verbs // where the key may stand; 0: wherever its engine may
	// Langs are the languages in whose tables of the engine the key may stand;
	// nil: in all of them. Options for other languages may have the same name.
	Langs []string
	Doc   string
}

// Form tells people what values an option takes and which it has when it is
// not set: "integer from 1 to 8, default 2".
func (o *Option) Form() string {
	form := o.Type.String()
	if len(o.Enum) > 0 {
		form = "one of "
		if o.Type == Strings {
			form = "strings out of "
		}
		form += strings.Join(o.Enum, ", ")
	}
	switch {
	case o.Max != 0:
		form += fmt.Sprintf(" from %d to %d", o.Min, o.Max)
	case o.Min != 0:
		form += fmt.Sprintf(" from %d", o.Min)
	}
	switch d := o.Default.(type) {
	case nil:
	case string:
		form += fmt.Sprintf(", default %q", d)
	case []string:
		form += ", default " + strings.Join(d, " ")
	default:
		form += fmt.Sprintf(", default %v", d)
	}
	return form
}

// Verbs is a set of the sections [lint] and [fmt]. Its bits are those of
// engine.Verb.
type Verbs uint8

// The verbs.
const (
	Lint Verbs = 1 << iota
	Fmt
)

// String returns the name of the section: "lint" or "fmt".
func (v Verbs) String() string {
	return [...]string{"", "lint", "fmt", "lint+fmt"}[v&3]
}

// EngineTable describes what [lint.<lang>.<name>] or [fmt.<lang>.<name>] may
// hold besides the keys that every engine has: enabled, indent_width, and for
// lint select, extend_select, ignore and rules.<code>.level.
type EngineTable struct {
	Name    string
	Langs   []string // language ids; empty: every language, and [lint.<name>] too
	Lint    bool
	Fmt     bool
	OptIn   bool // off unless enabled = true
	Options []Option
	Rules   []RuleTable
	Doc     string
}

// RuleTable describes rules.<code> of an engine table: the parameters besides
// `level`. A code that is not listed may still have a level: whether there is
// such a rule is for the engine's selection to say.
type RuleTable struct {
	Code    string
	Options []Option
}

// Schema is what the build knows: languages, engine tables and tool names.
// Tables of engines that are known to exist elsewhere load without effect and
// are named once in [Set.Notes]. A Schema is not modified.
type Schema struct {
	Languages []string
	Engines   []EngineTable
	// Tools are the names [tools.<name>] may have; nil: any.
	Tools []string
}

func (t *EngineTable) cross() bool { return len(t.Langs) == 0 }

func (t *EngineTable) has(v Verbs) bool {
	return v == Lint && t.Lint || v == Fmt && t.Fmt
}

func (o *Option) in(v Verbs, lang string) bool {
	return (o.Verbs == 0 || o.Verbs&v != 0) && o.For(lang)
}

// For reports whether the option is one of the engine's table for a language.
func (o *Option) For(lang string) bool { return o.Langs == nil || slices.Contains(o.Langs, lang) }

// Values are the decoded, validated options of one table, defaults included.
// An option that is unset and has no default is absent.
type Values map[string]any

// Bool returns a Bool option; false if it is unset.
func (v Values) Bool(name string) bool { b, _ := v[name].(bool); return b }

// Int returns an Int option; 0 if it is unset.
func (v Values) Int(name string) int { i, _ := v[name].(int); return i }

// Float returns a Float option; 0 if it is unset.
func (v Values) Float(name string) float64 { f, _ := v[name].(float64); return f }

// String returns a String option; "" if it is unset.
func (v Values) String(name string) string { s, _ := v[name].(string); return s }

// Strings returns a Strings option; nil if it is unset. It must not be modified.
func (v Values) Strings(name string) []string { s, _ := v[name].([]string); return s }

// Map returns a StringMap option; nil if it is unset. It must not be modified.
func (v Values) Map(name string) map[string]string { m, _ := v[name].(map[string]string); return m }

// Table returns a Table option; nil if it is unset. It must not be modified.
func (v Values) Table(name string) map[string]any { m, _ := v[name].(map[string]any); return m }

// EngineConfig is what [lint.<lang>.<engine>] or [fmt.<lang>.<engine>] says, the
// table [lint.<engine>] of a cross engine beneath it, defaults included.
type EngineConfig struct {
	Values Values
	// Select, ExtendSelect and Ignore are codes as written; lint only.
	Select, ExtendSelect, Ignore []string
	// Levels are rules.<code>.level, ordered by code; lint only.
	Levels []Level
	// Params are the parameters of rules.<code>, for codes of the schema that
	// have any, defaults included.
	Params map[string]Values
	// Enabled is the key `enabled`; nil if it is not set.
	Enabled *bool
	// On is Enabled, or what the schema says if it is nil.
	On bool
	// IndentWidth is the key `indent_width`; 0: the language's default.
	IndentWidth int
	// Configured: a table for it was written somewhere.
	Configured bool

	layers [2]*node // the table of the language, then [lint.<engine>]; nil: none
	sum    [32]byte
	full   [32]byte // levels and enabled too
}

// Level sets the severity of a code.
type Level struct {
	Code     string
	Severity string // error, warning, info or hint
	Origin   Origin
}

type tableKey struct {
	verb         Verbs
	lang, engine string
}

// tableCache keeps the tables that were asked for.
type tableCache struct {
	mu     sync.Mutex
	tables map[tableKey]*EngineConfig
}

// Lint returns what is configured for an engine and a language; lang "" is
// [lint.<engine>] of a cross engine alone. For an engine the schema does not
// have for that language it returns an EngineConfig without values.
func (e *Effective) Lint(lang, engine string) *EngineConfig {
	return e.table(tableKey{Lint, lang, engine})
}

// Fmt is Lint for [fmt.<lang>.<engine>].
func (e *Effective) Fmt(lang, engine string) *EngineConfig {
	return e.table(tableKey{Fmt, lang, engine})
}

// Languages lists the languages that have tables under [lint] or [fmt], sorted.
func (e *Effective) Languages(v Verbs) []string {
	var out []string
	if t := e.merged.get(v.String()); t != nil {
		for _, name := range sortedKeys(t.table) {
			if t.table[name].kind == kindTable && slices.Contains(e.x.schema.Languages, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

func (e *Effective) table(k tableKey) *EngineConfig {
	e.tables.mu.Lock()
	defer e.tables.mu.Unlock()
	c, ok := e.tables.tables[k]
	if !ok {
		c = e.x.decode(e.merged, k)
		e.tables.tables[k] = c
	}
	return c
}

// decode makes an EngineConfig of a merged document.
func (x *index) decode(merged *node, k tableKey) *EngineConfig {
	t := x.engine(k.verb, k.lang, k.engine)
	if t == nil {
		t = &EngineTable{Name: k.engine, OptIn: true}
	}
	c := &EngineConfig{Values: Values{}, On: !t.OptIn}
	if k.lang != "" {
		c.layers[0] = merged.get(k.verb.String(), k.lang, k.engine)
	}
	if t.cross() {
		c.layers[1] = merged.get(k.verb.String(), k.engine)
		c.Configured = hasOwn(c.layers[1], engineShape(k.verb, "", t))
	}
	c.Configured = c.Configured || c.layers[0] != nil
	for i := range t.Options {
		if o := &t.Options[i]; o.in(k.verb, k.lang) {
			if v := c.option(o); v != nil {
				c.Values[o.Name] = v
			}
		}
	}
	if n := c.find("enabled"); n != nil {
		on := n.bool(false)
		c.Enabled, c.On = &on, on
	}
	c.IndentWidth = c.find("indent_width").int(0)
	if k.verb == Lint {
		c.selection(t)
	}
	c.digest()
	return c
}

// hasOwn reports whether a table holds keys of an engine: one that stands for
// a language as well may hold tables of other engines only.
func hasOwn(n *node, s *shape) bool {
	if n == nil {
		return false
	}
	for k := range n.table {
		if s.find(k) != nil {
			return true
		}
	}
	return len(n.table) == 0
}

// find returns the innermost node at a path of keys of the table.
func (c *EngineConfig) find(keys ...string) *node {
	if n := c.layers[0].get(keys...); n != nil {
		return n
	}
	return c.layers[1].get(keys...)
}

func (c *EngineConfig) option(o *Option) any {
	inner, outer := c.layers[0].get(o.Name), c.layers[1].get(o.Name)
	switch {
	case inner == nil && outer == nil:
		return o.Default
	case o.Type == Strings && o.Accumulate && inner != nil && outer != nil:
		return joinArrays(outer, inner).strings()
	}
	return value(o, merge(outer, inner, false))
}

// value converts a validated node to the Go type of an option.
func value(o *Option, n *node) any {
	switch o.Type {
	case Bool:
		return n.bool(false)
	case Int:
		return n.int(0)
	case Float:
		if i, ok := n.value.(int64); ok {
			return float64(i)
		}
		return n.value
	case String:
		return n.string("")
	case Strings:
		return n.strings()
	case StringMap:
		m := make(map[string]string, len(n.table))
		for k, c := range n.table {
			m[k] = c.string("")
		}
		return m
	}
	return n.plainMap()
}

// selection reads the keys that every linter has.
func (c *EngineConfig) selection(t *EngineTable) {
	c.Select = c.find("select").strings()
	c.ExtendSelect = c.find("extend_select").strings()
	c.Ignore = c.find("ignore").strings()
	rules := merge(c.layers[1].get("rules"), c.layers[0].get("rules"), false)
	if rules != nil {
		for _, code := range sortedKeys(rules.table) {
			if l := rules.get(code, "level"); l != nil {
				c.Levels = append(c.Levels, Level{code, severity(l.string("")), l.at})
			}
		}
	}
	for i := range t.Rules {
		r := &t.Rules[i]
		if v := params(r, rules.get(r.Code)); v != nil {
			if c.Params == nil {
				c.Params = map[string]Values{}
			}
			c.Params[r.Code] = v
		}
	}
	if rules == nil || len(t.Rules) > 0 {
		return
	}
	for code, n := range rules.table {
		v := Values(n.plainMap())
		delete(v, "level")
		if len(v) > 0 {
			if c.Params == nil {
				c.Params = map[string]Values{}
			}
			c.Params[code] = v
		}
	}
}

func params(r *RuleTable, n *node) Values {
	var v Values
	for i := range r.Options {
		o := &r.Options[i]
		p := o.Default
		if c := n.get(o.Name); c != nil {
			p = value(o, c)
		}
		if p == nil {
			continue
		}
		if v == nil {
			v = Values{}
		}
		v[o.Name] = p
	}
	return v
}

// severity gives a level its one name.
func severity(level string) string {
	switch level {
	case "warn":
		return "warning"
	case "information":
		return "info"
	case "help":
		return "hint"
	}
	return level
}

// Digest stands for what may change what the engine reports or writes: values,
// parameters, selection and indent width, not levels and not whether it is on.
func (c *EngineConfig) Digest() [32]byte { return c.sum }

// Origin tells where a key of the table was written, as in
// Origin("rules", "E501", "level"); the zero Origin means a default.
func (c *EngineConfig) Origin(keys ...string) Origin {
	if n := c.find(keys...); n != nil {
		return n.at
	}
	return Origin{}
}

// OriginOf tells where an item of a list of the table was written, as in
// OriginOf("F401", "ignore"); if there is no such item, where the list was.
func (c *EngineConfig) OriginOf(item string, keys ...string) Origin {
	for _, l := range c.layers {
		n := l.get(keys...)
		if n == nil {
			continue
		}
		for _, it := range n.items {
			if it.value == item {
				return it.at
			}
		}
	}
	return c.Origin(keys...)
}
