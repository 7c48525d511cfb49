package python_test

import (
	"errors"
	"strings"
	"testing"

	"poly/internal/guard"
	"poly/internal/guard/python"
)

func TestSame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, before, after string }{
		{"brackets", "x = (a)\nreturn (a, b)\nfor (i, j) in (1, 2): pass\n", "x = a\nreturn a, b\nfor i, j in 1, 2:\n    pass\n"},
		{"brackets around operators", "x = (a * b) + c ** (-d)\n", "x = a * b + c**-d\n"},
		{"tuples in an index", "x[(a, b)]\n", "x[a, b]\n"},
		{"a star in an index", "x[*a]\n", "x[(*a,)]\n"},
		{"trailing commas", "f(a, b,)\n[a,]\n{a: b,}\n", "f(a, b)\n[a]\n{a: b}\n"},
		{"semicolons", "a; b;\n", "a\nb\n"},
		{"one line", "if a: b\nelse: c\n", "if a:\n    b\nelse:\n    c\n"},
		{"an elif is an else with an if", "if a: b\nelse:\n  if c: d\n", "if a:\n    b\nelif c:\n    d\n"},
		{"quotes", "x = 'it\\'s'\n", "x = \"it's\"\n"},
		{"prefixes", "x = u'a' + R'\\d' + B'b'\n", "x = 'a' + r'\\d' + b'b'\n"},
		{"escapes", `x = '\x41\101\u0041\U00000041\n'` + "\n", "x = 'AAAA\\n'\n"},
		{"names of characters", `x = '\N{dash}'` + "\n", `x = "\N{DASH}"` + "\n"},
		{"side by side", "x = ('a'\n 'b' f'{c}' r'\\d')\n", "x = f'ab{c}\\\\d'\n"},
		{"a string with fields and none in it", "x = 'a' f'b'\n", "x = f'ab'\n"},
		{"braces", "x = f'{{a}}' '{b}'\n", "x = f'{{a}}{{b}}'\n"},
		{"blanks in a field", "x = f'{ a !r:>{ w }}'\n", "x = f'{a!r:>{w}}'\n"},
		{"quotes in a field", "x = f'{a[\"b\"]}'\n", "x = f\"{a['b']}\"\n"},
		{"the same quotes in a field", "x = f'{a['b']}'\n", "x = f\"{a['b']}\"\n"},
		{"lines in a field", "x = f'{\na  # b\n}'\n", "x = f'{a  # b\n}'\n"},
		{"numbers", "x = 0XFF, 0B1, 0O7, 1E5, 1.J, 1_000, 10., .5\n", "x = 0xff, 0b1, 0o7, 1e5, 1.0j, 1000, 10.0, 0.5\n"},
		{"long numbers", "x = 0XFFFFFFFFFFFFFFFFFFFF\n", "x = 0xffff_ffffffffffffffff\n"},
		{"continued lines", "x = a + \\\n  b\n", "x = (\n    a\n    + b\n)\n"},
		{"with in brackets", "with (a as b, c): pass\n", "with a as b, c:\n    pass\n"},
		{"with a tuple", "with (a, *b), c: pass\n", "with ((a, *b)), c: pass\n"},
		{"targets of del", "del (a, [b])\ndel (c), d[(1, 2)]\n", "del a, b\ndel c, d[1, 2]\n"},
		{"a class without bases", "class A(): pass\n", "class A:\n    pass\n"},
		{"imports", "from a import (b, c as d,)\nfrom ... import e\n", "from a import b, c as d\nfrom . . . import e\n"},
		{"except without brackets", "try: a\nexcept (b, c): d\n", "try: a\nexcept b, c: d\n"},
		{"patterns", "match (a):\n  case (b, [c]): d\n  case (e): f\n", "match a:\n    case [b, (c,)]:\n        d\n    case e:\n        f\n"},
		{"words that are names", "match = case = type = _ = 1\nmatch[a:b]\nprint (type (x))\n", "match = case = type = _ = 1\nmatch[a:b]\nprint(type(x))\n"},
		{"a return annotation", "def f() -> (a): pass\n", "def f() -> a: pass\n"},
		{"line ends", "x = '''a\r\nb'''\r\n# c\r", "x = '''a\nb'''\n# c\n"},
		{"tabs and form feeds", "if a:\n\tb\n\f\nc\n", "if a:\n    b\nc\n"},
		{"a byte order mark", "\ufeff# a\nx\n", "# a\nx\n"},
		{"a docstring", "def f():\n   '''  A.  \n\n     b\n\tc\n   '''\n", "def f():\n    \"\"\"A.\n\n      b\n         c\n    \"\"\"\n"},
		{"a docstring of one line", "''' a\"'''\n", "\"\"\"a\" \"\"\"\n"},
		{"a docstring with a line end that is escaped", "def f():\n  '''a\n  b \"\\n\".\n  '''\n", "def f():\n    \"\"\"a\n    b \"\\n\".\n    \"\"\"\n"},
		{"a session in a docstring", "'''a\n\n>>> f(a,\n...   b)\n1\n'''\n", "'''a\n\n>>> f(a, b)\n1\n'''\n"},
		{"a fence in a docstring", "'''a\n\n```py\nf( a )\n```\n'''\n", "'''a\n\n```py\nf(\n  a,\n)\n```\n'''\n"},
		{"a block in a docstring", "'''a::\n\n  f( a )\n\nb'''\n", "'''a::\n\n    f(a)\n\nb'''\n"},
		{"comments", "x=1#a\n#b  \n#!c\n", "x = 1  # a\n# b\n#!c\n"},
		{"comments that came together", "x = [ # a\n 1 # b\n]\n", "x = [1]  # a  # b\n"},
		{"an operator goes to the next line", "x = (a +  # noqa\n b)\n", "x = (\n    a  # noqa\n    + b\n)\n"},
		{"the encoding by its other name", "# coding: utf8\nx=1\n", "# coding: utf8\nx = 1\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if err := python.Same([]byte(tc.before), []byte(tc.after)); err != nil {
				t.Errorf("Same(%q, %q) = %v, want nil", tc.before, tc.after, err)
			}
		})
	}
}

func TestNotSame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, before, after, want string }{
		{"a number", "x = 1\n", "x = 2\n", "line 1: a number differs: `1` became `2`"},
		{"a long number", "x = 0x10000000000000000\n", "x = 0x20000000000000000\n", "a number"},
		{"a float is no integer", "x = 1\n", "x = 1.0\n", "the syntax"},
		{"a string", "x = 'a'\n", "x = 'b'\n", "a string"},
		{"a string of bytes", "x = 'a'\n", "x = b'a'\n", "the syntax"},
		{"octal digits come together", "x = '\\12' '0'\n", "x = '\\120'\n", "a string"},
		{"halves of a pair", `x = '\ud83d\ude00'` + "\n", `x = '\U0001F600'` + "\n", "a string"},
		{"a name", "x = a\n", "x = b\n", "a name"},
		{"a tuple of one", "x = (a,)\n", "x = (a)\n", "the syntax"},
		{"a group", "x = a - (b - c)\n", "x = a - b - c\n", "the syntax"},
		{"a chain of comparisons", "x = (a < b) < c\n", "x = a < b < c\n", "the syntax"},
		{"a group of one operator", "x = (a and b) and c\n", "x = a and b and c\n", "the syntax"},
		{"an operator", "x += 1\n", "x -= 1\n", "a name"},
		{"a negation", "x = a not in b\n", "x = a in b\n", "the syntax"},
		{"a conversion", "x = f'{a!r}'\n", "x = f'{a!s}'\n", "the syntax"},
		{"a format", "x = f'{a:}'\n", "x = f'{a}'\n", "the syntax"},
		{"the text of a field that is shown", "x = f'{a=}'\n", "x = f'{a = }'\n", "a string"},
		{"the text of a field of a template", "x = t'{a+b}'\n", "x = t'{a + b}'\n", "a string"},
		{"an annotation of a group", "(a): int = 1\n", "a: int = 1\n", "the syntax"},
		{"a statement in another block", "if a:\n  b\n  c\n", "if a:\n  b\nc\n", "the syntax"},
		{"a body that documents nothing", "if a:\n  '''b'''\n", "if a:\n  ''' b'''\n", "a string"},
		{"a string after the docstring", "'''a'''\n'''b'''\n", "'''a'''\n'''b '''\n", "a string"},
		{"a word of a docstring", "def f():\n  '''a\n  b'''\n", "def f():\n  '''a\n  c'''\n", "a docstring"},
		{"the indentation in a docstring", "def f():\n  '''a\n\n    b\n  c'''\n", "def f():\n  '''a\n\n  b\n  c'''\n", "a docstring"},
		{"a blank line in a docstring", "'''a\n\nb'''\n", "'''a\nb'''\n", "a docstring"},
		{"code in a docstring", "'''a\n\n>>> f(a, b)\n'''\n", "'''a\n\n>>> f(a, c)\n'''\n", "a docstring"},
		{"what code in a docstring prints", "'''a\n\n>>> f()\n1, 2\n'''\n", "'''a\n\n>>> f( )\n(1, 2)\n'''\n", "a docstring"},
		{"what is no code in a docstring", "'''a::\n\n  f a b\n'''\n", "'''a::\n\n  f a  b\n'''\n", "a docstring"},
		{"a comment is gone", "# a\nx\n", "x\n", "line 1: a comment differs: `# a` became nothing"},
		{"a comment is new", "x\n", "x\n# a\n", "a comment"},
		{"a comment's text", "# a\n", "# b\n", "a comment"},
		{"a comment's order", "# a\n# b\n", "# b\n# a\n", "a comment"},
		{"a comment's indentation of text", "#  a\n", "# a\n", "a comment"},
		{"a comment in another statement", "def f(): # a\n  b\n", "def f():\n  b # a\n", "the place of a comment"},
		{"a pragma on a line of its own", "x = 1  # noqa\n", "x = 1\n# noqa\n", "the place of a comment"},
		{"a pragma after another name", "x = [  # type: ignore\n  a]\n", "x = [\n  a]  # type: ignore\n", "the place of a comment"},
		{"a shebang", "#!/bin/a\nx\n", "\n#!/bin/a\nx\n", "the place of a comment"},
		{"an encoding comes into force", "\n\n# coding: ascii\n", "# coding: ascii\n", "the declared encoding"},
		{"the end", "a\nb\n", "a\n", "the syntax"},
		{"broken", "x = 1\n", "x = \n", "broken by formatting: line 1 of the result: an expression is missing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			err := python.Same([]byte(tc.before), []byte(tc.after))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Same(%q, %q) = %v, want %q", tc.before, tc.after, err, tc.want)
			}
		})
	}
}

func TestCannotJudge(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, before, want string }{
		{"Python 2", "x = 1\nprint x\n", "line 2"},
		{"a notebook's command", "%matplotlib inline\n", "line 1"},
		{"not UTF-8", "# a\n'\xff'\n", "line 2: the text is not UTF-8"},
		{"another encoding", "# coding: latin-1\n'é'\n", "encoding"},
		{"a NUL", "x\x00\n", "line 1"},
		{"brackets", "x = " + strings.Repeat("(", 1e6), "too deeply"},
		{"operators", "x = " + strings.Repeat("-", 1e6) + "1\n", "too deeply"},
		{"powers", "x = " + strings.Repeat("1**", 1e6) + "1\n", "too deeply"},
		{"conditions", "x = " + strings.Repeat("1 if a else ", 1e5) + "1\n", "too deeply"},
		{"lambdas", "x = " + strings.Repeat("lambda: ", 1e5) + "1\n", "too deeply"},
		{"blocks", strings.Repeat("if a:\n", 1) + nest(200), "too deep"},
		{"strings", "x = " + strings.Repeat("f'{", 1e5), "too deeply"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			err := python.Same([]byte(tc.before), []byte(tc.before+"\n"))
			var cannot *guard.CannotJudge
			if !errors.As(err, &cannot) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Same = %v, want that it cannot judge: %s", err, tc.want)
			}
		})
	}
}

// nest returns blocks in blocks.
func nest(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i+1) + "if a:\n")
	}
	return b.String()
}

func TestLong(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"x = " + strings.Repeat("a + ", 5e5) + "a\n",
		"x = [" + strings.Repeat("1,", 1e6) + "]\n",
		"x = '" + strings.Repeat("\\n", 1e6) + "'\n",
		"x = f'" + strings.Repeat("{a}", 5e5) + "'\n",
		"# " + strings.Repeat("a", 1e7) + "\n",
		strings.Repeat("(a)\n", 5e5),
		"x = 1" + strings.Repeat("0", 1e7) + "\n",
		"if a:\n  b\n" + strings.Repeat("elif a:\n  b\n", 1e5),
	} {
		if err := python.Same([]byte(text), []byte(text+"\n")); err != nil {
			t.Errorf("Same(%.20q…) = %v, want nil", text, err)
		}
	}
}

func FuzzSame(f *testing.F) {
	f.Add("x = f'{a!r:>{w}}'  # noqa\n", "x = f\"{a!r:>{w}}\"  # noqa\n")
	f.Add("match a:\n  case {'b': [c, *_], **d} | E(f=-1+2j) as g if h: pass\n", "")
	f.Add("def f[T: a = b, *U, **V](a, /, b: c = 1, *d, e, **g) -> h:\n\t'''i\\\n  j'''\n", "\f")
	f.Add("with (a as b, c): x = yield; del (d, [e])\n", "try: a\nexcept* b: c\n")
	f.Add("0x_f if 1_0.e-5j else rb'\\x' '\\N{a}'", "\\\n\r\n\xef\xbb\xbf")
	f.Fuzz(func(t *testing.T, before, after string) {
		forth, back := python.Same([]byte(before), []byte(after)), python.Same([]byte(after), []byte(before))
		var cannot *guard.CannotJudge
		var broken *guard.Broken
		if errors.As(forth, &broken) && !errors.As(back, &cannot) {
			t.Errorf("%q is broken, and can be judged: %v, %v", after, forth, back)
		}
		if forth == nil && errors.As(back, &cannot) {
			t.Errorf("%q became %q, which cannot be judged: %v", before, after, back)
		}
		if err := python.Same([]byte(before), []byte(before+"\n")); err == nil {
			if err := python.Same([]byte(before+"\n"), []byte(before)); err != nil {
				t.Errorf("%q does not bear an empty line less: %v", before, err)
			}
		}
	})
}

func BenchmarkSame(b *testing.B) {
	before := strings.Repeat("def f(self, a, b=None):\n    '''Return a thing.'''\n    if not a.b(c, d=1):  # why\n        return [self.x[i] for i in range(10)]\n    raise ValueError('no %s' % b)\n\n\n", 5000)
	after := strings.ReplaceAll(before, "'", `"`)
	b.SetBytes(int64(len(before) + len(after)))
	for b.Loop() {
		if err := python.Same([]byte(before), []byte(after)); err != nil {
			b.Fatal(err)
		}
	}
}
