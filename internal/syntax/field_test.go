//go:build cgo && !notreesitter

package syntax

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestInheriting: no kind but those that are listed has a field elsewhere than
// among its children, in the samples of all languages.
func TestInheriting(t *testing.T) {
	t.Parallel()
	found := 0
	for _, l := range languages {
		if !l.Built() { // TestReference says so
			continue
		}
		text, err := os.ReadFile(filepath.Join("testdata", l.Name+".sample"))
		if err != nil {
			t.Fatal(err)
		}
		var p, q Parser
		some, err := p.Parse(l, text)
		if err != nil {
			t.Fatal(err)
		}
		q.every = true
		all, err := q.Parse(l, text)
		if err != nil {
			t.Fatal(err)
		}
		found += len(all.far)
		if !slices.Equal(some.far, all.far) {
			for _, f := range all.far {
				t.Errorf("%s: %s.%s is elsewhere", l.Name, l.KindName(all.Nodes[f.parent].Kind), l.FieldName(f.field))
			}
		}
		p.Close()
		q.Close()
	}
	if found == 0 {
		t.Error("no sample has such a field")
	}
}

// TestByField: fields are those of ts_node_child_by_field_id, also where the
// node stands below a child or the child is known by the field to nobody.
func TestByField(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, text, kind, field, want string }{
		{"lua", "a.b = 'c'\n", "assignment_statement", "name", "a.b"},
		{"lua", "a.b = 'c'\n", "assignment_statement", "value", "'c'"},
		{"lua", "local a\n", "variable_declaration", "name", "a"},
		{"lua", "local a = 1\n", "chunk", "local_declaration", ""},
		{"lua", "for k, v in pairs(t) do end\n", "for_generic_clause", "name", "k"},
		{"typescript", "let a: typeof b.c\n", "type_query", "property", "c"},
		{"typescript", "let a: typeof b.c\n", "type_query", "object", "b"},
		{"tsx", "let a: typeof b.c\n", "type_query", "object", "b"},
		{"typescript", "let a = b.c\n", "member_expression", "object", "b"},
		{"bash", "[[ $a == b* ]]\n", "test_command", "operator", ""},
		{"c", "static int x, \n", "ERROR", "type", ""},
		{"go", "package p\n\nfunc f(a int) {}\n", "function_declaration", "parameters", "(a int)"},
	} {
		tree := parse(t, c.lang, c.text)
		f, ok := tree.Language.Field(c.field)
		if !ok {
			t.Fatalf("%s has no field %s", c.lang, c.field)
		}
		seen := false
		for i := range tree.Nodes {
			if tree.Language.KindName(tree.Nodes[i].Kind) != c.kind {
				continue
			}
			seen = true
			got := ""
			if n := tree.ByField(uint32(i), f); n != NoParent {
				got = string(tree.NodeText(n))
			}
			if got != c.want {
				t.Errorf("%s: %s.%s of %q is %q, want %q", c.lang, c.kind, c.field, c.text, got, c.want)
			}
			break
		}
		if !seen {
			t.Errorf("%s: %q has no %s:\n%s", c.lang, c.text, c.kind, cst(tree))
		}
	}
}
