package lua

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"poly/internal/guard"
)

const sample = "#!/bin/lua\nlocal a <const>, b = 1, 'x'\n-- c\nfunction m.f:g(x, ...) return (h(...)), ... end\n" +
	"for i = 1, #t do t[i] = t[i] // 2 ^ -i .. \"y\" end\nfor k, v in p(q) do if k then goto z elseif not v then break else u = {1, k = 2, [3] = 4; ...} end ::z:: end\n" +
	"repeat local s = [==[\n]]  ]==] until s == nil --[[ d ]]\nwhile x < 3 and y or z do w:n{1}.o'p' end\nlocal function r() end\n"

func TestLayoutIsFree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after string }{
		{"quotes", `a = 'b"c' .. 'd'`, `a = 'b"c' .. "d"`},
		{"escaped quotes", `a = 'b\'c'`, `a = "b'c"`},
		{"calls", `f"x" g{y} h:i'z'`, `f("x") g({ y }) h:i("z")`},
		{"separators", "a = {1; 2; b = 3}", "a = { 1, 2, b = 3, }"},
		{"semicolons", "a = 1; b = 2;", "a = 1\nb = 2"},
		{"conditions", "if (a) then b((c)) end while (a < b) do end", "if a then b(c) end while a < b do end"},
		{"a condition of one call", "if (f()) then elseif (g()) then end repeat until (h())", "if f() then elseif g() then end repeat until h()"},
		{"parentheses in parentheses", "a = ((f()))", "a = (f())"},
		{"numbers", "a = .5", "a = 0.5"},
		{"return", "return;", "return"},
		{"precedence", "a = (b * c) + d", "a = b * c + d"},
		{"comments", "a = 1 -- x  \n--[[ y ]]", "a = 1 -- x\n--[[ y ]]"},
		{"comment behind a comma", "a = {\n1 -- x\n,2}", "a = { 1, -- x\n2 }"},
		{"comment behind an operator", "a = b .. -- x\nc", "a = b -- x\n.. c"},
		{"CRLF", "a = [[b\r\nc]]\r\n", "a = [[b\nc]]\n"},
		{"word", "goto = 1 goto(2)", "goto = 1\ngoto(2)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := Same([]byte(c.before), []byte(c.after)); err != nil {
				t.Error(err)
			}
			if err := Same([]byte(c.after), []byte(c.before)); err != nil {
				t.Errorf("the other way: %v", err)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after string }{
		{"a semicolon before a parenthesis", "a = b; (c)()", "a = b\n(c)()"},
		{"one value", "a = (f())", "a = f()"},
		{"one of many", "return (...)", "return ..."},
		{"precedence", "a = (b + c) * d", "a = b + c * d"},
		{"association", "a = (b ^ c) ^ d", "a = b ^ c ^ d"},
		{"association of lines", "a = (b - c) - d", "a = b - (c - d)"},
		{"a minus and a power", "a = (-b) ^ c", "a = -b ^ c"},
		{"an equality", "a = not (b == c)", "a = not b == c"},
		{"a string", `a = "b  c"`, `a = "b c"`},
		{"an escape", `a = "\065"`, `a = "A"`},
		{"a long string", "a = [[\n\nb]]", "a = [[\nb]]"},
		{"a comment goes", "a = 1 -- b", "a = 1"},
		{"a comment moves", "-- x\na = 1\nb = 2", "a = 1\n-- x\nb = 2"},
		{"a comment swallows", "a = 1 -- b\nc = 2", "a = 1 -- b c = 2"},
		{"a field", "a = {b = 1}", "a = {['b'] = 1}"},
		{"a method", "a:b()", "a.b()"},
		{"integer division", "a = b // c", "a = b / c"},
		{"an attribute", "local a <close> = b", "local a = b"},
		{"a label", "::a:: goto a", "::b:: goto a"},
		{"a number", "a = 1.0", "a = 1"},
		{"the last value", "a = {f()}", "a = {(f())}"},
		{"an else", "if a then b() else end", "if a then b() end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var no *guard.CannotJudge
			if err := Same([]byte(c.before), []byte(c.after)); err == nil || errors.As(err, &no) {
				t.Errorf("Same = %v", err)
			}
			if err := Same([]byte(c.after), []byte(c.before)); err == nil {
				t.Error("accepted the other way")
			}
		})
	}
}

func TestNotJudged(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a = ", "if a then", "a = 'b", "a = [[b", "f() = 1", "a", "a = $", "end", "--[[ a", strings.Repeat("a = {", 5000),
		"a = " + strings.Repeat("(", 100000), "a = " + strings.Repeat("not ", 100000) + "b",
	} {
		if _, ok := errors.AsType[*guard.CannotJudge](Same([]byte(text), []byte("a = 1"))); !ok {
			t.Errorf("judged: %.40q", text)
		}
		if _, ok := errors.AsType[*guard.Broken](Same([]byte("a = 1"), []byte(text))); !ok {
			t.Errorf("not broken: %.40q", text)
		}
	}
}

// TestMutations takes a character away, doubles it or puts another in its place:
// the guard must say so.
func TestMutations(t *testing.T) {
	t.Parallel()
	if err := Same([]byte(sample), []byte(sample+"\n")); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 4000 {
		i := r.IntN(len(sample))
		if strings.IndexByte(" \n;", sample[i]) >= 0 {
			continue
		}
		got := sample[:i] + sample[i+1:]
		switch r.IntN(3) {
		case 0:
			got = sample[:i] + string(sample[i]) + sample[i:]
		case 1:
			got = sample[:i] + "_" + sample[i+1:]
		}
		if Same([]byte(sample), []byte(got)) == nil || Same([]byte(got), []byte(sample)) == nil {
			t.Fatalf("offset %d: accepted:\n%s", i, got)
		}
	}
}

func FuzzSame(f *testing.F) {
	f.Add(sample, "a = 1")
	f.Add("goto = goto", "::a::")
	f.Fuzz(func(t *testing.T, before, after string) {
		_ = Same([]byte(before), []byte(after))
		if _, ok := errors.AsType[*guard.Difference](Same([]byte(before), []byte(before+"\n"))); ok {
			t.Error("a line ending at the end is a difference")
		}
	})
}
