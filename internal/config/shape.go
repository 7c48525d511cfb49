package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"poly/internal/usererr"
)

// shape says what may stand at one place of poly.toml. The same shapes
// validate documents, feed `config show` with defaults and become the JSON
// Schema, so that the three cannot disagree.
type shape struct {
	kinds kind
	doc   string
	def   any // shown when nothing is written; nil: nothing to show

	// of strings
	enum     []string
	fold     bool // enum ignores case
	nonEmpty bool // also of arrays
	accepts  func(string) bool
	wants    string         // what accepts wants, for messages
	schema   map[string]any // further JSON Schema keywords: of the string, or of the whole shape

	min, max int64 // of numbers; max 0: no upper bound

	elem *shape // of arrays
	wrap bool   // a single string means an array of one

	// of tables: fixed keys, then more(name), then rest for any other key
	keys  []key
	more  func(name string) *shape
	names func() []string          // the names more knows
	why   func(name string) string // why a name that is known elsewhere may not stand here, or ""
	rest  *shape
	check func(v *validator, n *node, at place) // a rule across keys

	free bool   // anything
	dead string // why the key has no effect
	ref  string // JSON Schema: written once under $defs
}

type key struct {
	name string
	*shape
}

// kindNumber takes the place of kindFloat where integers are welcome.
const (
	kindNumber = kindInt | kindFloat
	kindList   = kindString | kindArray
)

func (s *shape) find(name string) *shape {
	for _, k := range s.keys {
		if k.name == name {
			return k.shape
		}
	}
	if s.more != nil {
		if m := s.more(name); m != nil {
			return m
		}
	}
	return s.rest
}

func (s *shape) known() []string {
	var out []string
	for _, k := range s.keys {
		out = append(out, k.name)
	}
	if s.names != nil {
		out = append(out, s.names()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// place is where a value stands, for messages.
type place struct {
	table string // "hooks.pre-commit"; "" at the top
	key   string // "exclude[1]"; "" for the table itself
}

func (p place) in(name string) place {
	if p.key == "" {
		return place{p.table, name}
	}
	return place{p.path(), name}
}

func (p place) path() string {
	if p.table == "" || p.key == "" {
		return p.table + p.key
	}
	return p.table + "." + p.key
}

func (p place) String() string {
	if p.table == "" {
		return p.key
	}
	return p.key + " in [" + p.table + "]"
}

// quoteKey writes a key as it would stand in a document.
func quoteKey(k string) string {
	for _, c := range []byte(k) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return strconv.Quote(k)
		}
	}
	if k == "" {
		return `""`
	}
	return k
}

// problem is one thing wrong with a document.
type problem struct {
	at        Origin
	code      string
	msg, hint string
	column    bool // tell the column too
}

func (p *problem) String() string {
	where := p.at.String()
	if p.column {
		where += ":" + strconv.Itoa(p.at.Col)
	}
	return where + ": " + p.msg
}

// note is a warning about something that loads. Two of the same text are one.
type note struct {
	at   Origin
	text string
}

type validator struct {
	problems []problem
	notes    []note
	top      *shape
}

func (v *validator) add(at Origin, code, hint, format string, args ...any) {
	v.problems = append(v.problems, problem{at: at, code: code, msg: fmt.Sprintf(format, args...), hint: hint})
}

// validate checks n against s and brings it into the one form that the rest of
// the package reads: lists are arrays, folded words are lower case.
func (v *validator) validate(n *node, s *shape, at place) {
	if s.dead != "" {
		v.notes = append(v.notes, note{n.at, at.key + " has no effect: " + s.dead})
	}
	if s.free {
		return
	}
	if s.kinds&n.kind == 0 {
		v.add(n.at, "wrong-type", "", "%s must be %s, not %s", at, s.expects(), kindName(n.kind))
		return
	}
	switch n.kind {
	case kindString:
		v.text(n, s, at)
		if s.wrap {
			item := *n
			n.kind, n.value, n.items = kindArray, nil, []*node{&item}
		}
	case kindInt, kindFloat:
		v.number(n, s, at)
	case kindArray:
		if s.nonEmpty && len(n.items) == 0 {
			v.add(n.at, "bad-value", "", "%s must not be empty", at)
		}
		for i, it := range n.items {
			v.validate(it, s.elem, place{at.table, at.key + "[" + strconv.Itoa(i) + "]"})
		}
	case kindTable:
		v.tableOf(n, s, at)
	}
	if s.check != nil {
		s.check(v, n, at)
	}
}

func (v *validator) text(n *node, s *shape, at place) {
	if s.wrap && s.elem != nil {
		s = s.elem
	}
	text := n.string("")
	if s.fold && slices.Contains(s.enum, strings.ToLower(text)) {
		text = strings.ToLower(text)
		n.value = text
	}
	switch {
	case s.enum != nil && !slices.Contains(s.enum, text):
		v.add(n.at, "bad-value", meant(text, s.enum), "%s must be %s, not %q", at, s.expects(), text)
	case s.nonEmpty && text == "":
		v.add(n.at, "bad-value", "", "%s must not be empty", at)
	case s.accepts != nil && !s.accepts(text):
		v.add(n.at, "bad-value", "", "%s must be %s, not %q", at, s.wants, text)
	}
}

func (v *validator) number(n *node, s *shape, at place) {
	var low, high bool
	if f, ok := n.value.(float64); ok {
		low, high = !(f >= float64(s.min)), s.max != 0 && f > float64(s.max)
	} else {
		i, _ := n.value.(int64)
		low, high = i < s.min, s.max != 0 && i > s.max
	}
	if low || high {
		v.add(n.at, "bad-value", "", "%s must be %s, not %v", at, s.expects(), n.value)
	}
}

func (v *validator) tableOf(n *node, s *shape, at place) {
	for _, k := range n.ordered() {
		c := n.table[k]
		if ks := s.find(k); ks != nil {
			v.validate(c, ks, at.in(quoteKey(k)))
			continue
		}
		where := ""
		if p := at.path(); p != "" {
			where = " in [" + p + "]"
		}
		v.add(c.at, "unknown-key", v.suggest(k, s, at), "unknown key %q%s", k, where)
	}
}

const seeKeys = `"poly docs configuration" lists the keys`

// suggest says what an unknown key may have been meant to be: a key of the
// same table, or one of another section.
func (v *validator) suggest(name string, s *shape, at place) string {
	if s.why != nil {
		if why := s.why(name); why != "" {
			return why
		}
	}
	if near := NearestKey(name, s.known()); near != "" {
		return "did you mean " + quoteKey(near) + "? " + seeKeys
	}
	for _, sec := range v.top.keys {
		if sec.name == at.path() {
			continue
		}
		for _, k := range sec.keys {
			if k.name == name && !slices.Contains([]string{"enabled", "dir", "env"}, name) {
				return name + " belongs in [" + sec.name + "]; " + seeKeys
			}
		}
	}
	return seeKeys
}

func meant(text string, words []string) string {
	if near := NearestKey(text, words); near != "" {
		return "did you mean " + strconv.Quote(near) + "?"
	}
	return ""
}

// NearestKey returns the candidate closest to a key that is not known, or "".
// Case and the choice between - and _ are not held against it.
func NearestKey(name string, candidates []string) string {
	fold := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "-", "_") }
	folded := make([]string, len(candidates))
	for i, c := range candidates {
		folded[i] = fold(c)
	}
	near := usererr.Nearest(fold(name), folded)
	if i := slices.Index(folded, near); near != "" && i >= 0 {
		return candidates[i]
	}
	return ""
}

// expects names what a shape takes: "a boolean", "an integer of at least 1".
func (s *shape) expects() string {
	var parts []string
	if s.kinds&kindBool != 0 {
		parts = append(parts, "a boolean")
	}
	if s.kinds&kindInt != 0 {
		parts = append(parts, numberName(s))
	}
	if s.kinds&kindString != 0 {
		parts = append(parts, stringName(s))
	}
	if s.kinds&kindArray != 0 {
		parts = append(parts, arrayName(s))
	}
	if s.kinds&kindTable != 0 {
		parts = append(parts, "a table")
	}
	return strings.Join(parts, " or ")
}

func numberName(s *shape) string {
	name := "an integer"
	if s.kinds&kindFloat != 0 {
		name = "a number"
	}
	switch {
	case s.max != 0:
		return fmt.Sprintf("%s from %d to %d", name, s.min, s.max)
	case s.min > noMin:
		return fmt.Sprintf("%s of at least %d", name, s.min)
	}
	return name
}

func stringName(s *shape) string {
	if s.wrap && s.elem != nil {
		s = s.elem
	}
	if s.enum != nil {
		quoted := make([]string, len(s.enum))
		for i, e := range s.enum {
			quoted[i] = strconv.Quote(e)
		}
		return "one of " + strings.Join(quoted, ", ")
	}
	if s.wants != "" {
		return s.wants
	}
	return "a string"
}

func arrayName(s *shape) string {
	if s.elem == nil || s.elem.kinds != kindString {
		return "an array"
	}
	return "an array of strings"
}

func kindName(k kind) string {
	switch k {
	case kindBool:
		return "a boolean"
	case kindInt:
		return "an integer"
	case kindFloat:
		return "a float"
	case kindString:
		return "a string"
	case kindTime:
		return "a date or time"
	case kindArray:
		return "an array"
	}
	return "a table"
}

// String returns "file:line", or "default".
func (o Origin) String() string {
	switch {
	case o.File == "":
		return "default"
	case o.Line == 0:
		return o.File
	}
	return o.File + ":" + strconv.Itoa(o.Line)
}

// failure joins problems into one error: the first first, all in the message.
func failure(problems []problem) error {
	if len(problems) == 0 {
		return nil
	}
	lines := make([]string, 0, len(problems))
	for i, p := range problems {
		line := p.String()
		if p.hint != "" && i > 0 && p.hint != seeKeys {
			line += " (" + strings.TrimSuffix(p.hint, " "+seeKeys) + ")"
		}
		lines = append(lines, line)
	}
	return usererr.New(problems[0].code, strings.Join(lines, "\n"), problems[0].hint)
}
