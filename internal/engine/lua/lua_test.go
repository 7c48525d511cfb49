package lua

import (
	"strings"
	"testing"

	upstream "github.com/yuin/gopher-lua/parse"

	"poly/internal/engine"
)

// accepted by some version, by the name of what it shows.
var accepted = map[string]string{
	"empty":             "",
	"shebang":           "#!/usr/bin/lua\nprint(1)",
	"mark and shebang":  "\xef\xbb\xbf#!/usr/bin/lua\nprint(1)",
	"integers":          "local a = 7 // 2 & 3 | 4 ~ 5 << 1 >> 1; a = ~a",
	"goto":              "for i = 1, 2 do goto continue; ::continue:: end",
	"goto outwards":     "do goto out end do end ::out::",
	"goto as a name":    "goto = 1; x.goto = goto; goto(1)",
	"attributes":        "local a <const>, b <close> = 1, nil; local c = a",
	"attribute of all":  "local <const> a, b = 1, 2",
	"global":            "global x, y; global <const> *; global function f() end; global = 1; global.a = 2",
	"escapes":           `local a = "\x41\u{7FFFFFFF}\z   b\065\q" .. '\'' .. "a\` + "\n" + `b"`,
	"long strings":      "local a = [==[\n]] ]=] ]==] --[[ x ]] --[=[ ]] ]=] .. [[\n]]",
	"numbers":           "local a = {0xA, 0Xa.8P-1, .5, 3., 1e10, 1E-2, 0x.1p3, 1LL, 0xFFull, 12i, 0b101, 0x1p4i, 08}",
	"calls":             "f'x' f\"y\" f[[z]] f{1} a.b:c{}[1].d() (f or g)(1)",
	"call on next line": "local a = f\n(g or h)()",
	"return":            "do return end return 1, 2;",
	"break anywhere":    "while true do break; print(1) end",
	"repeat":            "repeat local x = 1 until x == 1",
	"tables":            "local t = {1, 2; a = 3, [4] = 5, ['x'] = {}, f(), function() end,}",
	"varargs":           "print(...) local function f(a, ...) return ... end",
	"named varargs":     "local function f(...args) return args end",
	"methods":           "function a.b.c:d(x) return self end",
	"unicode name":      "local größe = 1; print(größe)",
	"operators":         "return not a == b ~= -c^2^-d .. 'e' .. #f, a and b or c, a < b, a >= b, a <= b, a > b",
	"shadowed constant": "local a <const> = 1; do local a = 2; a = 3 end",
}

// refused by every version, with a piece of what is said.
var refused = map[string][2]string{
	"assignment in condition": {"if x = 1 then end", "Unexpected '=', expected 'then'"},
	"missing end":             {"function f()\n", "expected 'end'"},
	"missing until":           {"repeat x = 1", "expected 'until'"},
	"extra end":               {"x = 1 end", "Unexpected 'end'"},
	"string":                  {"x = 'abc\n'", "not closed on its line"},
	"long string":             {"x = [[abc", "never closed"},
	"long comment":            {"--[==[ x ]]", "never closed"},
	"number":                  {"x = 3x", "Malformed number"},
	"hex number":              {"x = 0x", "Malformed number"},
	"exponent":                {"x = 1e", "Malformed number"},
	"two points":              {"x = 3..2", "Malformed number"},
	"decimal escape":          {`x = "\300"`, "above 255"},
	"break":                   {"break", "outside of a loop"},
	"break in function":       {"while true do f(function() break end) end", "outside of a loop"},
	"label":                   {"goto nowhere", "No visible label"},
	"label in function":       {"::a:: f(function() goto a end)", "No visible label"},
	"label in block":          {"goto a; do ::a:: end", "No visible label"},
	"label twice":             {"::a:: ::a::", "twice"},
	"varargs":                 {"function f(a) return ... end", "variable arguments"},
	"constant":                {"local a <const> = 1; a = 2", "constant 'a'"},
	"constant of outside":     {"local a <close> = nil; f(function() a = 2 end)", "constant 'a'"},
	"attribute":               {"local a <konst> = 1", "Unexpected 'konst'"},
	"expression":              {"x + 1", "Unexpected '+'"},
	"name alone":              {"x", "end of file"},
	"call assigned":           {"f() = 1", "Unexpected '='"},
	"return in the middle":    {"return 1 x = 2", "Unexpected 'x'"},
	"table":                   {"x = {1, 2", "expected '}'"},
	"keyword as a field":      {"x.end = 1", "expected a name"},
	"quotes":                  {"print(“a”)", "Typographic"},
	"character":               {"x = $y", "Unexpected '$'"},
	"one != alone":            {"if x != 1 then end", "Unexpected '!'"},
	"else if":                 {"if a then else if b then end", "expected 'end'"},
}

func TestAccepted(t *testing.T) {
	t.Parallel()
	for name, text := range accepted {
		if f := parse([]byte(text)); f != nil {
			t.Errorf("%s: %s at %d: %q", name, f.title, f.start, text)
		}
	}
}

// TestRefused: and what gopher-lua (Lua 5.1) accepts is no fault.
func TestRefused(t *testing.T) {
	t.Parallel()
	for name, c := range refused {
		f := parse([]byte(c[0]))
		switch {
		case f == nil:
			t.Errorf("%s: no fault in %q", name, c[0])
		case !strings.Contains(f.title, c[1]):
			t.Errorf("%s: %q says %q, want %q", name, c[0], f.title, c[1])
		case f.dialect([]byte(c[0])) != "":
			t.Errorf("%s: %q is skipped as %q", name, c[0], f.dialect([]byte(c[0])))
		}
	}
}

// TestAgainstGopherLua: whatever part of the texts above Lua 5.1 reads, this
// parser reads too.
func TestAgainstGopherLua(t *testing.T) {
	t.Parallel()
	for name, text := range accepted {
		for n := range len(text) {
			if _, err := upstream.Parse(strings.NewReader(text[:n]), "x"); err != nil {
				continue
			}
			// gopher-lua leaves break, goto and the like to its compiler.
			if f := parse([]byte(text[:n])); f != nil && !strings.Contains(f.title, "label") && !strings.Contains(f.title, "break") {
				t.Errorf("%s: %s in %q, which gopher-lua reads", name, f.title, text[:n])
			}
		}
	}
}

func TestDialects(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"--!strict\nlocal x = 1\n":                            "Luau",
		"-- a\n--!nocheck\n":                                  "Luau",
		"local x: number = 1\n":                               "Luau",
		"function f(a: string): number return 1 end\n":        "Luau",
		"type Point = { x: number }\n":                        "Luau",
		"export type A = B\n":                                 "Luau",
		"local s = `a {b}`\n":                                 "Luau",
		"local x = if a then b else c\n":                      "Luau",
		"for i = 1, 2 do if i then continue end print(1) end": "continue",
		"x += 1\n":                  "compound",
		"if a != b && c then end\n": "operators",
		"if SERVER then AddCSLuaFile() end // hm\n/* x */": "operators",
		"pico-8 cartridge // http\nversion 1\n":            "PICO-8",
		strings.Repeat("(", 5000):                          "deeply",
	} {
		_, err := lint(t.Context(), engine.Source{Text: []byte(text)})
		if reason, ok := engine.SkipReason(err); !ok || !strings.Contains(reason, want) {
			t.Errorf("%q: %v, want a skip that says %q", text, err, want)
		}
	}
}
