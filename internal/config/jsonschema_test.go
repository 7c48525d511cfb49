package config

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(SchemaJSON(testSchema())))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("poly.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("poly.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// verdicts says what the shapes and the JSON Schema make of a document. The
// node is brought into its one form on the way, so plain comes first.
func verdicts(s *jsonschema.Schema, top *shape, n *node) (load []problem, schema error) {
	schema = s.Validate(n.plain())
	v := &validator{top: top}
	v.validate(n, top, place{})
	return v.problems, schema
}

func TestSchemaAgreesWithLoad(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	sch := testSchema()
	top := newIndex(&sch).top
	docs := []refusal{
		{name: "empty"},
		{name: "every key", text: everyText(t)},
		{name: "fold", text: "[defaults]\nline_ending = 'cRlF'\n[lint.python.pylint.rules.x]\nlevel = 'WARNING'\n"},
		{name: "number", text: "[lint.typos]\nentropy = 1\n[discovery]\nmax_file_size = 1\n"},
		{name: "sizes", text: "[discovery]\nmax_file_size = '12 kib'\n"},
		{name: "no size", text: "[discovery]\nmax_file_size = '0 kib'\n"},
		{name: "free", text: "[lint.lua.free]\nsettings = {a=[[1]]}\nrules.x = {y=1}\n[lint.python.ruff]\na={b=1}\n"},
		{name: "not free", text: "[lint.lua.free]\nsetings = 1\n"},
		{name: "enabled", text: "[lint.go.typos]\nenabled = 1\n"},
		{name: "absolute sccache", text: "[cache.sccache]\nbin='/usr/bin/s'\n"},
		{name: "drive sccache", text: `cache.sccache.bin='C:\s'`},
		{name: "empty sccache", text: "[cache.sccache]\nbin=''\n"},
		{name: "empty extends", text: "extends = ''"},
		{name: "empty in extends", text: "extends = ['']"},
		{name: "drive file", text: "extends = {path='a', file='C:x'}"},
		{name: "absolute file", text: "extends = {path='a', file='/x'}"},
		{name: "dots in a name", text: "extends = {path='a', file='a..b/...'}"},
		{name: "source id", text: "[[hooks.sources]]\nid='a b'\npath='x'\nhooks=['a']\n"},
		{name: "source hooks", text: "[[hooks.sources]]\nid='a'\npath='x'\nhooks=[]\n"},
		{name: "empty run", text: "[[hooks.push.jobs]]\nrun=''\n"},
		{name: "empty serial", text: "[[hooks.push.jobs]]\nrun='a'\nserial=''\n"},
	}
	docs = append(append(docs, unknownKeys()...), wrongValues()...)
	accepted := 0
	for _, d := range docs {
		n, p := parse("poly.toml", []byte(d.text))
		if p != nil {
			t.Fatalf("%s: %v", d.name, p)
		}
		load, schema := verdicts(s, top, n)
		if (len(load) == 0) != (schema == nil) {
			t.Errorf("%s: Load says %v, the schema says %v", d.name, load, schema)
		}
		if d.msg != "" && schema == nil {
			t.Errorf("%s: the schema accepts %q", d.name, d.text)
		}
		if schema == nil {
			accepted++
		}
	}
	if accepted < 7 {
		t.Errorf("only %d documents are accepted", accepted)
	}
}

// Every value of the document with every key is replaced by values of every
// type, removed, and joined by an unknown key: the two must agree each time.
func TestSchemaAgreesOnMutations(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	sch := testSchema()
	top := newIndex(&sch).top
	every, p := parse("poly.toml", []byte(everyText(t)))
	if p != nil {
		t.Fatal(p)
	}
	base := newTable(Origin{})
	with := []any{
		true, int64(-1), int64(0), int64(7), 2.5, "", "x", "-x", "../x", "merge",
		[]any{},
		[]any{"x"},
		[]any{"", int64(1)},
		map[string]any{},
		map[string]any{"unknown": int64(1)},
	}
	runs, refused := 0, 0
	try := func(where string) {
		load, schema := verdicts(s, top, clone(base))
		if (len(load) == 0) != (schema == nil) {
			t.Errorf("%s: Load says %v, the schema says %v", where, load, schema)
		}
		runs++
		if schema != nil {
			refused++
		}
	}
	var walk func(n *node, where string)
	walk = func(n *node, where string) {
		old := *n
		for i, v := range with {
			*n = *fromPlain(v, old.at)
			try(fmt.Sprintf("%s = %v (%d)", where, v, i))
		}
		*n = old
		for _, k := range sortedKeys(n.table) {
			c := n.table[k]
			delete(n.table, k)
			try("without " + where + "." + k)
			n.table[k] = c
			walk(c, where+"."+k)
		}
		if n.kind == kindTable {
			n.table["unknown-key"] = fromPlain(int64(1), n.at)
			try("unknown key in " + where)
			delete(n.table, "unknown-key")
		}
		for i, it := range n.items {
			walk(it, fmt.Sprintf("%s[%d]", where, i))
		}
	}
	for _, k := range every.ordered() { // one section at a time, for speed
		clear(base.table)
		base.table[k] = every.table[k]
		walk(base.table[k], k)
	}
	if runs < 3000 || refused < runs/4 || refused == runs {
		t.Errorf("%d mutations, %d refused", runs, refused)
	}
}

func clone(n *node) *node {
	c := *n
	c.table = maps.Clone(n.table)
	for k, v := range c.table {
		c.table[k] = clone(v)
	}
	c.items = slices.Clone(n.items)
	for i, v := range c.items {
		c.items[i] = clone(v)
	}
	return &c
}
