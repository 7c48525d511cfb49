//go:build cgo && !notreesitter

package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// dump writes a tree as nested kinds, fields before them; tokens are quoted.
func dump(t *Tree) string {
	var b strings.Builder
	var walk func(i uint32)
	walk = func(i uint32) {
		n := &t.Nodes[i]
		if n.Field != 0 {
			b.WriteString(t.Language.FieldName(n.Field) + ":")
		}
		if n.Is(Missing) {
			b.WriteString("MISSING ")
		}
		name := t.Language.KindName(n.Kind)
		if !n.Is(Named) {
			name = fmt.Sprintf("%q", name)
		}
		b.WriteString(name)
		if n.Children == 0 {
			return
		}
		sep := "("
		for c := i + 1; c < n.Next; c = t.Nodes[c].Next {
			b.WriteString(sep)
			walk(c)
			sep = " "
		}
		b.WriteString(")")
	}
	walk(0)
	return b.String()
}

// sound fails unless the array is a tree in preorder.
func sound(tb testing.TB, t *Tree) {
	tb.Helper()
	if len(t.Nodes) == 0 || t.Nodes[0].Parent != NoParent || int(t.Nodes[0].Next) != len(t.Nodes) {
		tb.Fatalf("%s: no root over %d nodes", t.Language.Name, len(t.Nodes))
	}
	for i := range t.Nodes {
		n, me := &t.Nodes[i], uint32(i)
		if n.Next <= me || int(n.Next) > len(t.Nodes) || n.Start > n.End || int(n.End) > len(t.Text) {
			tb.Fatalf("%s: node %d is %+v", t.Language.Name, i, *n)
		}
		count, end := 0, n.Start
		for c := me + 1; c < n.Next; c = t.Nodes[c].Next {
			child := &t.Nodes[c]
			if child.Parent != me || child.Start < end || child.End > n.End {
				tb.Fatalf("%s: node %d %+v has child %d %+v", t.Language.Name, i, *n, c, *child)
			}
			end = child.End
			count++
		}
		if min(count, 65535) != int(n.Children) {
			tb.Fatalf("%s: node %d says %d children and has %d", t.Language.Name, i, n.Children, count)
		}
	}
}

func parse(tb testing.TB, name, text string) *Tree {
	tb.Helper()
	l, ok := ByName(name)
	if !ok {
		tb.Fatalf("no language %q", name)
	}
	p := new(Parser)
	tb.Cleanup(p.Close)
	tree, err := p.Parse(l, []byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	sound(tb, tree)
	return tree
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, lang, text, want string }{
		{"call", "python", "f(1)", `module(expression_statement(call(function:identifier arguments:argument_list("(" integer ")"))))`},
		{"empty", "go", "", `source_file`},
		{"error", "go", "package p\n)", `source_file(package_clause("package" package_identifier) ERROR(")"))`},
		{"missing", "javascript", "f(a;", `program(expression_statement(call_expression(function:identifier arguments:arguments("(" identifier MISSING ")")) ";"))`},
		{"extra", "typescript", "/**/", `program(comment)`},
		{"other grammar", "tsx", "<a/>", `program(expression_statement(jsx_self_closing_element("<" name:identifier "/>")))`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := dump(parse(t, tc.lang, tc.text)); got != tc.want {
				t.Errorf("%s %q is\n%s, want\n%s", tc.lang, tc.text, got, tc.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"Go": "go", "golang": "go", "JS": "javascript", "Cpp": "cpp", "c++": "cpp", "TSX": "tsx", "yml": "yaml", "": "", "perl": ""} {
		got := ""
		if l, ok := ByName(name); ok {
			got = l.Name
		}
		if got != want {
			t.Errorf("ByName(%q) is %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"a/b.go": "go", "x.d.ts": "typescript", "a.jsx": "javascript", ".go": "", "go": "", "a.GO": "", "a.h": "c"} {
		got := ""
		if l, ok := ByPath(name); ok {
			got = l.Name
		}
		if got != want {
			t.Errorf("ByPath(%q) is %q, want %q", name, got, want)
		}
	}
}

// TestTable: a name or an extension stands for one language.
func TestTable(t *testing.T) {
	t.Parallel()
	names, extensions := map[string]string{}, map[string]string{}
	for i, l := range languages {
		if i > 0 && languages[i-1].Name >= l.Name {
			t.Errorf("%s stands after %s", l.Name, languages[i-1].Name)
		}
		for _, name := range append([]string{l.Name}, l.Aliases...) {
			if names[name] != "" {
				t.Errorf("%q is %s and %s", name, names[name], l.Name)
			}
			names[name] = l.Name
		}
		for _, ext := range l.Extensions {
			if extensions[ext] != "" {
				t.Errorf("%q is %s and %s", ext, extensions[ext], l.Name)
			}
			extensions[ext] = l.Name
		}
		if l.Sigil == 0 {
			t.Errorf("%s has no sigil", l.Name)
		}
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	l, _ := ByName("python")
	call, ok := l.Kind("call", true)
	if !ok || l.KindName(call) != "call" {
		t.Errorf("kind of call: %d %v %q", call, ok, l.KindName(call))
	}
	if _, ok := l.Kind("call", false); ok {
		t.Error("there is a token call")
	}
	if k, ok := l.Kind("if", false); !ok || l.KindName(k) != "if" {
		t.Errorf("kind of the token if: %d, %v", k, ok)
	}
	if k, ok := l.Kind("ERROR", true); !ok || k != KindError || l.KindName(k) != "ERROR" {
		t.Errorf("kind of ERROR: %d, %v", k, ok)
	}
	if _, ok := l.Kind("no such kind", true); ok {
		t.Error("there is a kind that is not")
	}
	if f, ok := l.Field("arguments"); !ok || l.FieldName(f) != "arguments" {
		t.Errorf("field arguments: %d, %v", f, ok)
	}
	if _, ok := l.Field(""); ok {
		t.Error("there is a field without a name")
	}
	if l.KindName(60000) != "" || l.FieldName(60000) != "" {
		t.Error("an id that is not has a name")
	}
}
