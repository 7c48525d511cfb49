package imports

import (
	"testing"

	"poly/internal/engine"
)

// TestSame: the guard sees what a formatter must not do.
func TestSame(t *testing.T) {
	t.Parallel()
	const before = "package p\n\nimport \"b\"\n\nimport (\n\t\"a\"\n\n\tx \"c\" // why c\n)\n\nvar v = 0XA // ten\n\nfunc f() { g(1, 2) }\n"
	for _, tc := range []struct {
		name, after string
		same        bool
	}{
		{"sorted and joined", "package p\n\nimport (\n\t\"a\"\n\t\"b\"\n\tx \"c\" // why c\n)\n\nvar v = 0xA // ten\n\nfunc f() { g(1, 2) }\n", true},
		{"import lost", "package p\n\nimport (\n\t\"a\"\n\tx \"c\" // why c\n)\n\nvar v = 0xA // ten\n\nfunc f() { g(1, 2) }\n", false},
		{"name lost", "package p\n\nimport (\n\t\"a\"\n\t\"b\"\n\t\"c\" // why c\n)\n\nvar v = 0xA // ten\n\nfunc f() { g(1, 2) }\n", false},
		{"comment lost", "package p\n\nimport (\n\t\"a\"\n\t\"b\"\n\tx \"c\"\n)\n\nvar v = 0xA // ten\n\nfunc f() { g(1, 2) }\n", false},
		{"comment detached", "package p\n\nimport (\n\t\"a\"\n\t\"b\"\n\t// why c\n\n\tx \"c\"\n)\n\nvar v = 0xA // ten\n\nfunc f() { g(1, 2) }\n", false},
		{"code changed", "package p\n\nimport (\n\t\"a\"\n\t\"b\"\n\tx \"c\" // why c\n)\n\nvar v = 0xA // ten\n\nfunc f() { g(2, 1) }\n", false},
		{"number changed", "package p\n\nimport (\n\t\"a\"\n\t\"b\"\n\tx \"c\" // why c\n)\n\nvar v = 0xB // ten\n\nfunc f() { g(1, 2) }\n", false},
		{"constraint changed", "//go:build x\n\n" + before, true},
		{"broken", "package p\n\nimport (\n", false},
	} {
		if err := same([]byte(before), []byte(tc.after)); (err == nil) != tc.same {
			t.Errorf("%s: same = %v, want equal: %v", tc.name, err, tc.same)
		}
	}
}

// TestComments: the comment of an import that is joined to others stays with
// it, where goimports detaches it.
func TestComments(t *testing.T) {
	t.Parallel()
	src := engine.Source{Text: []byte("package p\n\nimport \"os\"\n\nimport (\n\t\"a.b/c\"\n\t\"fmt\"\n\t// why\n\t_ \"embed\" // so\n)\n")}
	const want = "package p\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\n\t\"a.b/c\"\n\n\t// why\n\t_ \"embed\" // so\n)\n"
	out, err := formatter{}.format(t.Context(), src)
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
	if err := same(src.Text, out); err != nil {
		t.Error(err)
	}
}

// TestStructure: brackets and the ends of statements count, as far as they mean
// something.
func TestStructure(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, before, after string
		same                bool
	}{
		{"brackets that mean nothing", "if (x) { return ((y)) }", "if x {\n\treturn (y)\n}", true},
		{"semicolons that mean nothing", "for ;; { a(); b();; }", "for {\n\ta()\n\tb()\n}", true},
		{"comma of the last line", "g(1, 2)", "g(\n\t1,\n\t2,\n)", true},
		{"brackets of a sum lost", "return (a + b) * c", "return a + b*c", false},
		{"brackets of a conversion lost", "_ = (*T)(x)", "_ = *T(x)", false},
		{"statement joined", "return\n\tx()", "return x()", false},
		{"statement parted", "return x()", "return\n\tx()", false},
		{"call moved", "f(a)(b, c)", "f(a, b)(c)", false},
		{"comma moved", "f(a, g(b), c)", "f(a, g(b, c))", false},
		{"clause of a loop moved", "for a; b; { c() }", "for ; a; b { c() }", false},
		{"direction of a channel", "var x chan (<-chan int)", "var x (chan<- chan int)", false},
		{"block left", "if a { b() }; c()", "if a { b(); c() }", false},
		{"type parameter", "type x [p * q,]int", "type x [p * q]int", false},
	} {
		before, after := "package p\n\nfunc f() {\n\t"+tc.before+"\n}\n", "package p\n\nfunc f() {\n\t"+tc.after+"\n}\n"
		if err := same([]byte(before), []byte(after)); (err == nil) != tc.same {
			t.Errorf("%s: same = %v, want equal: %v", tc.name, err, tc.same)
		}
	}
}
