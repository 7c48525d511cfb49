package config

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
	Doc        string
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

func (o *Option) in(v Verbs) bool { return o.Verbs == 0 || o.Verbs&v != 0 }

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
