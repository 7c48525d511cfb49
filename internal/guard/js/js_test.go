package js

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"poly/internal/guard"
)

// pair is a text and what a formatter made of it.
type pair struct {
	name, before, after string
	dialect             Dialect
}

func TestSame(t *testing.T) {
	t.Parallel()
	for _, tc := range []pair{
		{"semicolons come", "a\nb()\nreturn_", "a;\nb();\nreturn_;\n", JavaScript},
		{"quotes", `x = 'it\'s' + 'a"b'`, `x = "it's" + 'a"b';`, JavaScript},
		{"quotes with escapes", `x = '"\\\n\''`, `x = "\"\\\n'"`, JavaScript},
		{"directive", `'use strict'`, `"use strict";`, JavaScript},
		{"trailing commas", "f(a, b)\nx = [1, , 2]\ny = {a}", "f(a, b,);\nx = [1, , 2,];\ny = {a,};", JavaScript},
		{"parentheses around one parameter", "f(x => x, async y => y)", "f((x) => x, async (y) => y);", JavaScript},
		{"redundant parentheses", "x = ((a + (b * c)))\nreturn_((x))", "x = a + b * c\nreturn_(x)", JavaScript},
		{"parentheses around a new callee", "new (Foo)", "new Foo()", JavaScript},
		{"braces around one statement", "if (a) if (b) c(); else d()\nwhile (x) y()", "if (a) {\n if (b) {\n c();\n } else {\n d();\n }\n}\nwhile (x) {\n y();\n}", JavaScript},
		{"else if", "if (a) b(); else { if (c) d() }", "if (a) b();\nelse if (c) d();", JavaScript},
		{"empty statements", "a;;b;\nclass A { x() {}; y }", "a;\nb;\nclass A { x() {}\n y;\n}", JavaScript},
		{"imports sorted", "import b from 'b'\nimport { z, a as y } from 'a'\nx()", "import { a as y, z } from 'a';\nimport b from 'b';\nx();", JavaScript},
		{"empty statement among imports", "import b from 'b';;\nimport a from 'a'", "import a from 'a';\nimport b from 'b';", JavaScript},
		{"exports sorted", "export * from 'b'\nexport {b, a} from 'a'", "export { a, b } from 'a';\nexport * from 'b';", JavaScript},
		{"comments of sorted imports", "import b from 'b' // one\n// two\nimport a from 'a'\nx()", "// two\nimport a from 'a';\nimport b from 'b'; // one\nx();", JavaScript},
		{"text in elements", "<p>\n  one two{' '}\n  <b>x</b>\n  three\n</p>", "<p>\n  one\n  two <b>x</b>\n  three\n</p>", JavaScript},
		{"element in parentheses", "x = <p>a</p>", "x = (\n  <p>\n    a\n  </p>\n)", JavaScript},
		{"attribute quotes", "<a b='c' />", `<a b="c" />`, JavaScript},
		{"members of types", "type A = { a: 1, b: 2\nc: 3 }", "type A = { a: 1; b: 2; c: 3 };", TypeScript},
		{"leading bars", "type A = 'a' | 'b'", "type A =\n  | \"a\"\n  | \"b\";", TypeScript},
		{"parentheses in types", "type A = (string)[] | ((a: B) => C)", "type A = string[] | ((a: B) => C);", TypeScript},
		{"generic arrow in TSX", "f = <T extends X>(a: T) => a", "f = <T extends X,>(a: T) => a;", TSX},
		{"line comments", "a //b\n/* c\n    d */\n", "a; // b\n/* c\n d */\n", JavaScript},
		{"documentation", "/**\n* a\n *  b\n * */\nx", "/**\n * a\n *  b\n */\nx;", JavaScript},
		{"pragma before an operator", "a &&\n // @ts-ignore\n b", "a\n  // @ts-ignore\n  && b", JavaScript},
		{"line ends in templates", "x = `a\r\nb`", "x = `a\nb`", JavaScript},
		{"byte order mark", "\ufeffa", "a;", JavaScript},
		{"JavaScript with types", "let x: number = 1", "let x: number = 1;", JavaScript},
		{"regular expressions", "a = b / c / d\nif (x) /re/.test(y)\nreturn_ = x++ / 2", "a = b / c / d;\nif (x) /re/.test(y);\nreturn_ = x++ / 2;", JavaScript},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if err := Same([]byte(tc.before), []byte(tc.after), tc.dialect); err != nil {
				t.Errorf("Same = %v, want nil", err)
			}
		})
	}
}

func TestDiffers(t *testing.T) {
	t.Parallel()
	for _, tc := range []pair{
		{"joined by a call", "a\n;(b)", "a\n(b)", JavaScript},
		{"joined by an index", "a;\n[b]", "a\n[b]", JavaScript},
		{"split call", "a\n(b)", "a;\n(b);", JavaScript},
		{"return", "function f() { return\na }", "function f() { return a; }", JavaScript},
		{"increment", "a\n++b", "a++\nb", JavaScript},
		{"postfix", "a++\nb", "a\n++b", JavaScript},
		{"empty body", "if (a)\nb()", "if (a);\nb();", JavaScript},
		{"dangling else", "if (a) { if (b) c() } else d()", "if (a) if (b) c(); else d()", JavaScript},
		{"loop body", "while (a) b();\nc()", "while (a) { b(); c(); }", JavaScript},
		{"hole", "x = [1, , 2]", "x = [1, 2]", JavaScript},
		{"hole at the end", "x = [1, ,]", "x = [1, ]", JavaScript},
		{"grouping", "x = a - (b - c)", "x = a - b - c", JavaScript},
		{"power", "x = (a ** b) ** c", "x = a ** b ** c", JavaScript},
		{"end of a chain", "x = (a?.b).c", "x = a?.b.c", JavaScript},
		{"constructed call", "new (a())()", "new a()()", JavaScript},
		{"sequence", "f((a, b))", "f(a, b)", JavaScript},
		{"class expression", "(class A {})", "class A {}", JavaScript},
		{"directive in parentheses", "('use strict')", "'use strict'", JavaScript},
		{"directive after an empty statement", ";'use strict'", "'use strict'", JavaScript},
		{"object and block", "x = () => ({})", "x = () => {}", JavaScript},
		{"string", "x = 'a'", "x = 'A'", JavaScript},
		{"escape", `x = '\n'`, `x = 'n'`, JavaScript},
		{"template", "x = `a  b`", "x = `a b`", JavaScript},
		{"regular expression", "x = /a b/g", "x = /ab/g", JavaScript},
		{"key", "x = {'a': 1}", "x = {a: 1}", JavaScript},
		{"order of statements", "a()\nb()", "b()\na()", JavaScript},
		{"imports over a side effect", "import b from 'b'\nimport 'c'\nimport a from 'a'", "import a from 'a'\nimport 'c'\nimport b from 'b'", JavaScript},
		{"imports of effects", "import 'b'\nimport 'a'", "import 'a'\nimport 'b'", JavaScript},
		{"import from elsewhere", "import {a} from 'a'\nimport {b} from 'b'", "import {b} from 'a'\nimport {a} from 'b'", JavaScript},
		{"imports in other groups", "import b from 'b'\n\nimport a from 'a'", "import a from 'a'\n\nimport b from 'b'", JavaScript},
		{"blank in an element", "<b>a </b>", "<b>a</b>", JavaScript},
		{"blank between elements", "<p><b/> <i/></p>", "<p><b/><i/></p>", JavaScript},
		{"break between elements", "<p><b/>\n<i/></p>", "<p><b/> <i/></p>", JavaScript},
		{"attribute", "<a b='\\n' />", `<a b="n" />`, JavaScript},
		{"type", "let a: string", "let a: String", TypeScript},
		{"optional", "let a: { b?: 1 }", "let a: { b: 1 }", TypeScript},
		{"type grouping", "type A = (B | C)[]", "type A = B | C[]", TypeScript},
		{"readonly", "type A = { readonly b: 1 }", "type A = { b: 1 }", TypeScript},
		{"declare", "declare\nconst x: number", "declare const x: number", TypeScript},
		{"member", "class A { a = 1\n[b] = 2 }", "class A { a = 1;\n[b] = 2 }", JavaScript},
		{"comment lost", "a // b\nc", "a\nc", JavaScript},
		{"comment added", "a\nc", "a // b\nc", JavaScript},
		{"comment changed", "a // b c", "a // bc", JavaScript},
		{"comments swapped", "/* a */ /* b */ c", "/* b */ /* a */ c", JavaScript},
		{"comment moved", "/* x */ a\nb", "a\n/* x */ b", JavaScript},
		{"comment moved out of a block", "{ a() /* x */ }", "{ a() } /* x */", JavaScript},
		{"comment moved into a function", "function f() {}\n// x\na()", "function f() { // x\n}\na()", JavaScript},
		{"pragma moved", "function f() {\n// @ts-ignore\nreturn a }", "function f() {\nreturn ( // @ts-ignore\na) }", TypeScript},
		{"pragma for the next line", "/* eslint-disable-next-line */\na()", "/* eslint-disable-next-line */ a()", JavaScript},
		{"pragma of its line", "a() // eslint-disable-line\nb", "a()\n// eslint-disable-line\nb", JavaScript},
		{"cast", "x = /** @type {A} */ (b)", "x = /** @type {A} */ b", JavaScript},
		{"indented documentation", "/**\n *     a\n */\nb", "/**\n * a\n */\nb", JavaScript},
		{"syntax lost", "a()", "a(", JavaScript},
		{"cut short", "a()\nb()", "a()", JavaScript},
		{"grown", "a()", "a()\nb()", JavaScript},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			err := Same([]byte(tc.before), []byte(tc.after), tc.dialect)
			if _, ok := errors.AsType[*guard.Difference](err); !ok {
				t.Errorf("Same = %v, want a difference", err)
			}
		})
	}
}

// TestFormatted judges what dprint-plugin-typescript 0.96.1 makes of the
// samples.
func TestFormatted(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"component.tsx": "",
		"types.ts":      "",
		"module.js":     "line 25: code differs: `</>`",                        // the blanks before it are lost
		"plain.js":      "line 39: code differs: `, plus = + +y, not = !(!z)`", // "- -x" became "--x"
	} {
		before, after := sample(t, name), sample(t, "formatted/"+name)
		if err := Same(before, after, dialectOf(name)); want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: Same = %v, want %q", name, err, want)
		}
	}
}

func sample(tb testing.TB, name string) []byte {
	tb.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

func TestCannotJudge(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"a(", "x = 'a", "x = `a", "x = /a", "/* a", "a b", "}", "x = <!-- y", "<a>", "#", "<a></b>", "<a></>", strings.Repeat("[", 100_000), strings.Repeat("if(a)", 50_000),
		strings.Repeat("a?(b=", 20_000), strings.Repeat("`${", 20_000), strings.Repeat("<a>", 20_000), strings.Repeat("!", 100_000),
	} {
		var cannot *guard.CannotJudge
		if err := Same([]byte(src), []byte(src), JavaScript); !errors.As(err, &cannot) {
			t.Errorf("Same(%.20q) = %v, want that it cannot be judged", src, err)
		}
	}
}

func TestLong(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		strings.Repeat("a.b(c);", 100_000), "x = [" + strings.Repeat("1,", 150_000) + "]", "x = 1" + strings.Repeat("+1", 150_000),
		"x = '" + strings.Repeat("a", 2_000_000) + "'", "// " + strings.Repeat("a", 2_000_000), strings.Repeat("(a);", 100_000),
		"if (a) b\n" + strings.Repeat("else if (a) b\n", 100_000), "x = a" + strings.Repeat("?.b", 100_000), strings.Repeat("x = a<b;", 80_000),
	} {
		if err := Same([]byte(src), []byte(src), TypeScript); err != nil {
			t.Errorf("Same(%.20q) = %v, want nil", src, err)
		}
	}
}

// samples are the texts of testdata.
func samples(tb testing.TB) map[string][]byte {
	tb.Helper()
	names, err := filepath.Glob("testdata/*.*s*")
	if err != nil || len(names) < 4 {
		tb.Fatalf("found %d samples: %v", len(names), err)
	}
	out := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		out[name] = text
	}
	return out
}

// dialectOf is the dialect a file's name tells.
func dialectOf(name string) Dialect {
	switch filepath.Ext(name) {
	case ".ts":
		return TypeScript
	case ".tsx":
		return TSX
	}
	return JavaScript
}

func TestSamplesAreRead(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t) {
		if err := Same(text, text, dialectOf(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkSame(b *testing.B) {
	all := samples(b)
	size := 0
	for _, text := range all {
		size += len(text)
	}
	b.SetBytes(int64(size)) // of the text before; the text after is read as well
	for b.Loop() {
		for name, text := range all {
			if err := Same(text, text, dialectOf(name)); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func FuzzSame(f *testing.F) {
	for name, text := range samples(f) {
		f.Add(text, uint8(dialectOf(name)))
	}
	f.Fuzz(func(t *testing.T, text []byte, d uint8) {
		dialect := Dialect(d % 3)
		var cannot *guard.CannotJudge
		if err := Same(text, text, dialect); err != nil && !errors.As(err, &cannot) {
			t.Fatalf("a text differs from itself: %v", err)
		}
	})
}
