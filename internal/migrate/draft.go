package migrate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// pair is a key and its value in TOML.
type pair struct{ key, value string }

// pairs are the keys of a table, in order.
type pairs []pair

func (p *pairs) set(key, value string) {
	for i := range *p {
		if (*p)[i].key == key {
			(*p)[i].value = value
			return
		}
	}
	*p = append(*p, pair{key, value})
}

func (p pairs) get(key string) string {
	for _, kv := range p {
		if kv.key == key {
			return kv.value
		}
	}
	return ""
}

func (p *pairs) text(key, value string) {
	if value != "" {
		p.set(key, quote(value))
	}
}

func (p *pairs) flag(key string, value bool) {
	if value {
		p.set(key, "true")
	}
}

func (p *pairs) list(key string, values []string) {
	if len(values) > 0 {
		p.set(key, quoteList(values))
	}
}

func (p *pairs) env(values [][2]string) {
	if len(values) == 0 {
		return
	}
	var out []string
	for _, kv := range values {
		out = append(out, quoteKey(kv[0])+" = "+quote(kv[1]))
	}
	p.set("env", "{ "+strings.Join(out, ", ")+" }")
}

// entry is one job of a stage.
type entry struct {
	comments []string
	pairs
}

// stage is what runs at one of git's hooks.
type stage struct {
	name string
	pairs
	jobs []entry
}

// draft is the configuration that results.
type draft struct {
	hooks    pairs
	builtins []*table
	stages   []*stage
	tables   []*table // others, by full name
}

// table is a table of poly.toml.
type table struct {
	name     string
	comments []string
	on       []string // of file_safety: checks that some hook asked for
	excluded []string
	pairs
}

// exclude adds globs to the key exclude.
func (t *table) exclude(globs []string) {
	for _, g := range globs {
		if !slices.Contains(t.excluded, g) {
			t.excluded = append(t.excluded, g)
		}
	}
	t.list("exclude", t.excluded)
}

func newDraft() *draft { return &draft{} }

// stage returns the stage of a name, making it.
func (d *draft) stage(name string) *stage {
	for _, s := range d.stages {
		if s.name == name {
			return s
		}
	}
	s := &stage{name: name}
	d.stages = append(d.stages, s)
	return s
}

// builtin returns the table of a builtin, making it, and adds a stage to it.
func (d *draft) builtin(name, stage string) *table {
	t := find(&d.builtins, name)
	def := "pre-commit"
	if name == "commit" {
		def = "commit-msg"
	}
	var stages []string
	if v := t.get("stages"); v != "" {
		stages = strings.Split(strings.Trim(v, "[]"), ", ")
	} else if t.get("enabled") != "" {
		stages = []string{quote(def)}
	}
	if q := quote(stage); !slices.Contains(stages, q) {
		stages = append(stages, q)
	}
	t.set("enabled", "true")
	if len(stages) > 1 || stages[0] != quote(def) {
		t.set("stages", "["+strings.Join(stages, ", ")+"]")
	}
	return t
}

// table returns another table, making it.
func (d *draft) table(name string) *table { return find(&d.tables, name) }

func find(list *[]*table, name string) *table {
	for _, t := range *list {
		if t.name == name {
			return t
		}
	}
	t := &table{name: name}
	*list = append(*list, t)
	return t
}

// addJob appends a job under a name that is its own, which it returns.
func (s *stage) addJob(j entry) string {
	name, _ := strconv.Unquote(j.get("name"))
	base := name
	for n := 2; slices.ContainsFunc(s.jobs, func(o entry) bool { return o.get("name") == quote(name) }); n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	j.set("name", quote(name))
	slices.SortStableFunc(j.pairs, func(a, b pair) int { return rank(a.key) - rank(b.key) })
	s.jobs = append(s.jobs, j)
	return name
}

// rank puts the keys first that tell what a job is.
func rank(key string) int {
	order := []string{"name", "run", "script", "runner", "args", "root", "glob", "files", "exclude", "file_types"}
	if i := slices.Index(order, key); i >= 0 {
		return i
	}
	return len(order)
}

// quote writes a string of TOML: as it is where that can be, in one line where
// it is one.
func quote(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool { return r < 0x20 && r != '\n' || r == 0x7f || r == '\uFFFD' }) < 0
	switch {
	case plain && !strings.ContainsAny(s, "\"\\\n"):
		return `"` + s + `"`
	case plain && !strings.ContainsAny(s, "'\n"):
		return "'" + s + "'"
	case plain && strings.Contains(s, "\n") && !strings.Contains(s, "''") && !strings.HasSuffix(s, "'"):
		return "'''\n" + s + "'''"
	}
	return escaped(s)
}

// escaped writes a string of TOML in one line, with escapes.
func escaped(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func quoteKey(k string) string {
	if k != "" && strings.Trim(k, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == "" {
		return k
	}
	q := quote(k)
	if strings.HasPrefix(q, "'''") {
		q = strconv.Quote(k)
	}
	return q
}

func quoteList(values []string) string {
	var out []string
	for _, v := range values {
		out = append(out, quote(v))
	}
	line := "[" + strings.Join(out, ", ") + "]"
	if len(line) <= 100 {
		return line
	}
	return "[\n  " + strings.Join(out, ",\n  ") + ",\n]"
}

// comment writes lines of comments.
func comment(b *strings.Builder, lines []string) {
	for _, l := range lines {
		b.WriteString(strings.TrimRight("# "+strings.TrimSpace(strings.TrimLeft(l, "# ")), " ") + "\n")
	}
}

func (p pairs) write(b *strings.Builder) {
	for _, kv := range p {
		b.WriteString(kv.key + " = " + kv.value + "\n")
	}
}
