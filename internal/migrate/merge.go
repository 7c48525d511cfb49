package migrate

import (
	"bytes"
	"slices"
	"strings"

	"poly/internal/config"
	"poly/internal/usererr"
)

// merge returns poly.toml with the draft in it. What is there stays as it is,
// comments too; a key that is there already wins.
func (d *draft) merge(existing []byte) ([]byte, error) {
	have := map[string]any{}
	if existing != nil {
		var err error
		if have, err = config.DecodeTOML(config.FileName, existing); err != nil {
			return nil, err
		}
	}
	e := &editor{have: have, crlf: bytes.Contains(existing, []byte("\r\n"))}
	e.text = strings.ReplaceAll(string(existing), "\r\n", "\n")
	if e.text != "" && !strings.HasSuffix(e.text, "\n") {
		e.text += "\n"
	}
	if have["hooks"] != nil && e.header("[hooks") < 0 && e.header("[[hooks") < 0 {
		return nil, cannotMerge(nil)
	}
	d.write(e)
	if e.crlf {
		e.text = strings.ReplaceAll(e.text, "\n", "\r\n")
	}
	if _, err := config.DecodeTOML(config.FileName, []byte(e.text)); err != nil {
		return nil, cannotMerge(err)
	}
	return []byte(e.text), nil
}

// write adds every table of the draft.
func (d *draft) write(e *editor) {
	for _, t := range d.tables {
		e.table(t.name, t.comments, t.pairs)
	}
	if len(d.hooks) > 0 {
		e.table("hooks", nil, d.hooks)
	}
	builtins := e.builtins(d.builtins)
	if len(builtins) > 0 {
		e.table("hooks.builtin", nil, builtins)
	}
	for _, t := range d.builtins {
		if !simple(t) {
			e.table("hooks.builtin."+t.name, t.comments, t.pairs)
		}
	}
	for _, s := range d.stages {
		e.stage(s)
	}
}

func cannotMerge(err error) error {
	return &usererr.Error{
		Code: "cannot-merge", Err: err, Msg: "poly.toml writes [hooks] in a form that nothing can be added to",
		Hint: "move poly.toml away, run poly migrate again, and join both by hand",
	}
}

func simple(t *table) bool { return len(t.pairs) == 1 && len(t.comments) == 0 }

// editor adds tables to a text.
type editor struct {
	text string
	have map[string]any
	crlf bool
}

// builtins returns the switches of those that need no table.
func (e *editor) builtins(list []*table) pairs {
	var out pairs
	for _, t := range list {
		if simple(t) && e.value("hooks", "builtin", t.name) == nil {
			out.set(t.name, "true")
		}
	}
	return out
}

func (e *editor) value(keys ...string) any {
	var at any = e.have
	for _, k := range keys {
		m, _ := at.(map[string]any)
		at = m[k]
	}
	return at
}

// table adds keys to a table, which it makes if there is none.
func (e *editor) table(name string, comments []string, keys pairs) {
	there, _ := e.value(splitName(name)...).(map[string]any)
	if there == nil && e.value(splitName(name)...) != nil {
		return // a switch: somebody has decided
	}
	var b strings.Builder
	for _, kv := range keys {
		if _, ok := there[strings.Trim(kv.key, `"`)]; !ok {
			b.WriteString(kv.key + " = " + kv.value + "\n")
		}
	}
	if b.Len() == 0 && there != nil {
		return
	}
	if at := e.header("[" + name + "]"); at >= 0 {
		e.text = e.text[:at] + b.String() + e.text[at:]
		return
	}
	if there != nil && e.dotted(name) {
		return // written with dots or inline: nothing can be added below a header
	}
	e.gap()
	var c strings.Builder
	comment(&c, comments)
	e.text += c.String() + "[" + name + "]\n" + b.String()
}

// dotted reports whether a table is written without a header of its own or of
// a table in it.
func (e *editor) dotted(name string) bool {
	return e.header("["+name+".") < 0 && e.header("[["+name+".") < 0
}

// header is the offset behind the line of a header, -1 if there is none. What
// looks like one in a string of several lines is taken for one, which the
// parser sees afterwards.
func (e *editor) header(head string) int {
	at := 0
	for line := range strings.Lines(e.text) {
		at += len(line)
		if s := strings.TrimSpace(line); strings.HasPrefix(s, head) {
			return at
		}
	}
	return -1
}

func (e *editor) gap() {
	if e.text != "" && !strings.HasSuffix(e.text, "\n\n") {
		e.text += "\n"
	}
}

func splitName(name string) []string {
	var out []string
	for p := range strings.SplitSeq(name, ".") {
		out = append(out, strings.Trim(p, `"`))
	}
	return out
}

// aliases are the other names of stages, which an existing file may use.
var aliases = map[string]string{"pre-commit": "commit", "pre-merge-commit": "merge-commit", "pre-push": "push"}

// stage adds the settings and jobs of a stage.
func (e *editor) stage(s *stage) {
	name := "hooks." + s.name
	if other := aliases[s.name]; other != "" && e.value("hooks", other) != nil {
		name = "hooks." + other
	}
	have, _ := e.value(splitName(name)...).(map[string]any)
	if len(s.pairs) > 0 {
		e.table(name, nil, s.pairs)
	}
	var known []string
	for _, list := range []string{"jobs"} {
		items, _ := have[list].([]any)
		for _, item := range items {
			m, _ := item.(map[string]any)
			n, _ := m["name"].(string)
			known = append(known, n)
		}
	}
	for _, j := range s.jobs {
		if have != nil && slices.Contains(known, unquote(j.get("name"))) {
			continue // migrated before
		}
		e.gap()
		var b strings.Builder
		comment(&b, j.comments)
		b.WriteString("[[" + name + ".jobs]]\n")
		j.write(&b)
		e.text += b.String()
	}
}

func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') {
		return s[1 : len(s)-1]
	}
	return s
}
