package yamlevent

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// trace writes events in one line: [ ] { } for collections, - for the start of
// a document, ! &  before a node for its tag and anchor, quoted scalars as their
// style and value.
func trace(tb testing.TB, text string) (string, *Error) {
	tb.Helper()
	p := New([]byte(text))
	var b strings.Builder
	depth := 0
	for last := 0; ; {
		e, err := p.Next()
		if fault, ok := errors.AsType[*Error](err); ok {
			if fault.Start < 0 || fault.End < fault.Start || fault.End > len(text) {
				tb.Errorf("%.60q: error %q at %d-%d is not inside %d bytes", text, fault.Title, fault.Start, fault.End, len(text))
			}
			return strings.TrimSpace(b.String()), fault
		}
		if e.Start < last || e.End < e.Start || e.End > len(text) || e.Head > e.Start {
			tb.Errorf("%.60q: event %+v after offset %d", text, e, last)
		}
		last = e.Start
		switch e.Kind {
		case DocumentStart, MappingStart, SequenceStart:
			depth++
		case DocumentEnd, MappingEnd, SequenceEnd:
			depth--
		case StreamEnd:
			if depth != 0 {
				tb.Errorf("%.60q: %d collections left open", text, depth)
			}
			return strings.TrimSpace(b.String()), nil
		}
		b.WriteString(show(e) + " ")
	}
}

func show(e Event) string {
	props := ""
	if e.Tag != "" {
		props += "!(" + e.Tag + ")"
	}
	if e.Anchor != "" && e.Kind != Alias {
		props += "&" + e.Anchor + " "
	}
	switch e.Kind {
	case DocumentStart:
		return "-" + e.Version
	case DocumentEnd:
		return "."
	case SequenceStart:
		return props + "["
	case SequenceEnd:
		return "]"
	case MappingStart:
		return props + "{"
	case MappingEnd:
		return "}"
	case Alias:
		return "*" + e.Anchor
	}
	style := ""
	if e.Style != Plain {
		style = string(rune(e.Style))
	}
	return fmt.Sprintf("%s%s%q", props, style, e.Value)
}

// streams are texts and their events; no events stand for an error.
var streams = []struct{ text, want string }{
	// streams
	{"", ""},
	{"# only a comment\n", ""},
	{"\ufeff# mark\na", `- "a" .`},
	{"...\n", ""},
	{"---\n", `- "" .`},
	{"---\n---\n", `- "" . - "" .`},
	{"a\n---\nb\n...\nc\n...\n...\n", `- "a" . - "b" . - "c" .`},
	{"%YAML 1.2\n---\na\n", `-1.2 "a" .`},
	{"%FUTURE x y\n--- a", `- "a" .`},
	{"a: |\n %x\n--- \nb", `- { "a" |"%x\n" } . - "b" .`},
	{"--- |\n%x\n--- x\n", `- |"%x\n" . - "x" .`},
	{"a\r\n---\r\nb: c\r\n", `- "a" . - { "b" "c" } .`},
	{"a: 1\rb: 2\r", `- { "a" "1" "b" "2" } .`},
	// block collections
	{"a: b\nc:\n  d: e\nf:", `- { "a" "b" "c" { "d" "e" } "f" "" } .`},
	{"- a\n-\n- - b\n  - c\n- d: e\n  f: g\n", `- [ "a" "" [ "b" "c" ] { "d" "e" "f" "g" } ] .`},
	{"a:\n- b\n- c\nd: e", `- { "a" [ "b" "c" ] "d" "e" } .`},
	{"- a:\n  - b\n  c:\n- d", `- [ { "a" [ "b" ] "c" "" } "d" ] .`},
	{"? a\n: b\n? - c\n: - d\n? e\n", `- { "a" "b" [ "c" ] [ "d" ] "e" "" } .`},
	{"? |\n  a\n: x\n", `- { |"a\n" "x" } .`},
	{": a\nb:\n", `- { "" "a" "b" "" } .`},
	{"a:\tb\n\t\n\t# tab\nc: d\t# e\n", `- { "a" "b" "c" "d" } .`},
	{"a: b: c", ""},
	{"a:\n    b: 1\n  c: 2", ""},
	{"a: - b", ""},
	{"a: 1\n- b", ""},
	{"- a\nb: 1", ""},
	{"a: 1\nb\nc: 2", ""},
	{"a\nb: c", ""},
	{"\ta: b", ""},
	{"a:\n\tb: c", ""},
	{"a:\n\t- b", ""},
	{"-\t- a", ""},
	{"a: b\n\tc", ""},
	// plain scalars
	{"a: b#c d :e f:g # h", `- { "a" "b#c d :e f:g" } .`},
	{"a: b\n  c\n\n  d\n e: f", ""},
	{"a: b\n  - c\n  d\n\n\n  e\n", `- { "a" "b - c d\n\ne" } .`},
	{"a: -b\nc: ?d\ne: :f\n-: x\n", `- { "a" "-b" "c" "?d" "e" ":f" "-" "x" } .`},
	{"a: http://b:80/?c=[d]&e, f\n", `- { "a" "http://b:80/?c=[d]&e, f" } .`},
	{"a: @b", ""},
	{"a: `b`", ""},
	{"a: %b", ""},
	{"a: ]", ""},
	{"a: b\n  c: d", ""},
	{"a: ,b", ""},
	// quotes
	{`- "a\tb\x41\u00e9\U0001F600\/\"\\\e"`, `- [ "` + `"a\tbAé😀/\"\\\x1b"` + ` ] .`},
	{"- \"a\n  b\n\n  c\\\n  d\\n \n  e \\\n  \"", `- [ "` + `"a b\ncd\n e "` + ` ] .`},
	{"- 'it''s\n  # no comment: [x'", `- [ '` + `"it's # no comment: [x"` + ` ] .`},
	{`- "\ud83d\ude00"`, `- [ "` + `"😀"` + ` ] .`},
	{`"a": 'b'`, `- { "` + `"a" '` + `"b" } .`},
	{`a: "\q"`, ""},
	{`a: "\x4"`, ""},
	{`a: "\uzzzz"`, ""},
	{`a: "\U99999999"`, ""},
	{`a: "b`, ""},
	{`a: 'b''`, ""},
	{`a: "b" c`, ""},
	{"a: 'b\n---\n'", ""},
	{"\"a\nb\": c", ""},
	{`a: 'b'c'`, ""},
	// block scalars
	{"a: |\n  b\n   c\n\n  d\n\n\ne: f", `- { "a" |"b\n c\n\nd\n" "e" "f" } .`},
	{"a: |-\n  b\n\n", `- { "a" |"b" } .`},
	{"a: |+\n  b\n\n...\n", `- { "a" |"b\n\n" } .`},
	{"a: |+ # c\n\n\nb: >-2\n    c\n  d\n", `- { "a" |"\n\n" "b" >"  c\nd" } .`},
	{"a: >\n  b\n  c\n\n  d\n    e\n   f\n  g\n\n    h\n", `- { "a" >"b c\nd\n  e\n f\ng\n\n  h\n" } .`},
	{"- |1\n  a\n- >-\n\n\n  b\n", `- [ |" a\n" >"\n\nb" ] .`},
	{"a: |\nb: c", `- { "a" |"" "b" "c" } .`},
	{"a:\n  - |\n   b\n  # c\n  - d", `- { "a" [ |"b\n" "d" ] } .`},
	{"a: |\n  # text\n  b\n", `- { "a" |"# text\nb\n" } .`},
	{"- |\n a\n\tb\n", ""},
	{"a: |\n   \n  b\n", ""},
	{"a: |x\n b\n", ""},
	{"a: |0\n b\n", ""},
	{"a: |\n\tb\n", ""},
	{"a: >- b\n  c", ""},
	// flow collections
	{"[a, [b], {c: d, e: , f}, g: h, ]", `- [ "a" [ "b" ] { "c" "d" "e" "" "f" "" } { "g" "h" } ] .`},
	{`{"a":1, 'b':2, [c]:3, {d: e}:4, "f" :5}`, `- { "` + `"a" "1" '` + `"b" "2" [ "c" ] "3" { "d" "e" } "4" "` + `"f" "5" } .`},
	{"{a:b, c:d: e, http://x:80, -x: y}", `- { "a:b" "" "c:d" "e" "http://x:80" "" "-x" "y" } .`},
	{"{? a : b, ? c, ?d: e, : f}", `- { "a" "b" "c" "" "?d" "e" "" "f" } .`},
	{"[? a : b, : c]", `- [ { "a" "b" } { "" "c" } ] .`},
	{"{a\n b: c, d\n :\n e}", `- { "a b" "c" "d" "e" } .`},
	{"a: [\n  b, # c\n  d\n]\ne: {\n}\n", `- { "a" [ "b" "d" ] "e" { } } .`},
	{"[a, b]: c\n{d: e}: f\n", `- { [ "a" "b" ] "c" { "d" "e" } "f" } .`},
	{"[a b, c#d, 'e' ]", `- [ "a b" "c#d" '` + `"e" ] .`},
	{"[a\n---\n]", ""},
	{"[a, , b]", ""},
	{"[, a]", ""},
	{"[a", ""},
	{"{a: b", ""},
	{"[a}", ""},
	{"{a]", ""},
	{"]", ""},
	{"[a]]", ""},
	{"[a] b", ""},
	{"{a: b: c}", ""},
	{"[a: b: c]", ""},
	{"[- a]", ""},
	{"[|\n a]", ""},
	{"[a]: b: c", ""},
	{"[a,#b\n]", `- [ "a" ] .`},
	{"a: [b]# c\nd: \"e\"#f\n", `- { "a" [ "b" ] "d" ""e" } .`},
	{"{a: 'b'}#c\n", `- { "a" '"b" } .`},
	{"a: |#b\n  c\n", `- { "a" |"c\n" } .`},
	{"[a]#b]\nc: d\n", ""},
	{"{a: }b", ""},
	{"[a,\nb]: c\n", ""},
	// properties
	{"&a b: &c d\n*a : *c", `- { &a "b" &c "d" *a *c } .`},
	{"<<: *a\n*b: c", `- { "<<" *a *b "c" } .`},
	{"&a: b: c\nd: *a:\n", `- { &a: "b" "c" "d" *a: } .`},
	{"&a\nb: c", `- &a { "b" "c" } .`},
	{"- &a\n  b: c\n- !x\n  - d\n- &e !y f\n- !z &g h\n- &i\n- !j\n", `- [ &a { "b" "c" } !(!x)[ "d" ] !(!y)&e "f" !(!z)&g "h" &i "" !(!j)"" ] .`},
	{"a: !!str\nb: !!binary |\n  AA==\nc: !<tag:x> d\ne: ! f", `- { "a" !(tag:yaml.org,2002:str)"" "b" !(tag:yaml.org,2002:binary)|"AA==\n" "c" !(tag:x)"d" "e" !(!)"f" } .`},
	{"a: &b\n- c\nd: !e\n- f", `- { "a" &b [ "c" ] "d" !(!e)[ "f" ] } .`},
	{"%TAG !u! tag:u,1:\n--- !u!1 &2\na: b\n--- !u!3\nc: d\n", `- !(tag:u,1:1)&2 { "a" "b" } . - !(tag:u,1:3){ "c" "d" } .`},
	{"!Sub a.b: !GetAtt c.d\ne: !Join [ '', [ !Ref f ] ]", `- { !(!Sub)"a.b" !(!GetAtt)"c.d" "e" !(!Join)[ '` + `"" [ !(!Ref)"f" ] ] } .`},
	{"&a &b c", ""},
	{"!a !b c", ""},
	{"&a *b", ""},
	{"a: !x!y z", ""},
	{"a: &", ""},
	{"a: *", ""},
	{"!<a b", ""},
	{"%YAML 1.2\na", ""},
	{"%YAM\"L 1.2\na", ""},
	{"%YAML 1.[2\n---\na", ""},
	{"%FUTURE\n...\na", ""},
	{"a\n...\n%FUTURE\nb", ""},
	{"a: &b{c: d}", ""},
	{"a: &b[c]", ""},
	{"a: *b,c", ""},
	{"[&a{b: c}, &d[e], *a]", `- [ &a { "b" "c" } &d [ "e" ] *a ] .`},
	{"a: !!", ""},
	{"a: !!\nb: c", ""},
	{"%TAG !u! tag:u,1:\n--- !u!\n", ""},
	{"a: !t\"x\"", ""},
	{"a: !t|\n  x\n", ""},
	{"a: !\u00e9 b", ""},
	{"a: !t%zz b", ""},
	{"a: !t%41 b\nc: !<tag:x,1:y[,]!> d\ne: !a.b-c_d::e/f?g=(h)*'~+$; i", `- { "a" !(!tA)"b" "c" !(tag:x,1:y[,]!)"d" "e" !(!a.b-c_d::e/f?g=(h)*'~+$;)"i" } .`},
	{"%TAG a\n---\n", ""},
	{"a: b\n%YAML 1.2\n---\n", ""},
	{"... a", ""},
	{"a: \x01", ""},
	{"\x00", ""},
}

func TestEvents(t *testing.T) {
	t.Parallel()
	for _, tc := range streams {
		got, err := trace(t, tc.text)
		if invalid(tc.text, tc.want) {
			if err == nil {
				t.Errorf("%q: %s, want an error", tc.text, got)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v at %d, after %s", tc.text, err, err.Start, got)
		} else if got != tc.want {
			t.Errorf("%q:\n got %s\nwant %s", tc.text, got, tc.want)
		}
	}
}

// invalid tells that want stands for an error.
func invalid(text, want string) bool {
	return want == "" && text != "" && !strings.HasPrefix(text, "#") && text != "...\n"
}

func TestComments(t *testing.T) {
	t.Parallel()
	const text = "# a\nb: c # d\ne: # f\n  - g#h '#i' # j\n# k\nl: |  # m\n  # text\n# n\no: \"#p\n  # q\"\n--- # r\n[s, # t\n u]\n... # v\n%YAML 1.2 # w\n---\n"
	p := New([]byte(text))
	for {
		e, err := p.Next()
		if err == nil && e.Kind == StreamEnd {
			break
		}
		if err != nil {
			// 'g#h '#i'' is one plain scalar.
			t.Fatalf("%v", err)
		}
	}
	var got []string
	for _, c := range p.Comments() {
		got = append(got, text[c.Start:c.End])
	}
	if d := cmp.Diff([]string{"# a", "# d", "# f", "# j", "# k", "# m", "# n", "# r", "# t", "# v", "# w"}, got); d != "" {
		t.Errorf("comments: want -, got +:\n%s", d)
	}
}

func TestOffsets(t *testing.T) {
	t.Parallel()
	const text = "é: &a !b 'c'\nd:\n  - |\n    e\n  - [f]\n"
	p := New([]byte(text))
	var got []string
	for {
		e, err := p.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == StreamEnd {
			break
		}
		if e.Kind == Scalar || e.Style == Flow {
			got = append(got, text[e.Head:e.Start]+"|"+text[e.Start:e.End])
		}
	}
	if d := cmp.Diff([]string{"|é", "&a !b |'c'", "|d", "||\n    e", "|[", "|f"}, got); d != "" {
		t.Errorf("want -, got +:\n%s", d)
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	const n = 200_000
	for name, text := range map[string]string{
		"open brackets":     strings.Repeat("[", n),
		"nested brackets":   strings.Repeat("[", n) + strings.Repeat("]", n),
		"nested maps":       strings.Repeat("{a: ", n) + strings.Repeat("}", n),
		"nested keys":       strings.Repeat("{", n) + strings.Repeat("}: a", n) + "}",
		"open keys":         strings.Repeat("{\n", n),
		"bracket keys":      strings.Repeat("[[", n) + strings.Repeat("]: a]", n),
		"entries":           strings.Repeat("- ", n),
		"questions":         strings.Repeat("? ", n),
		"colons":            strings.Repeat(": ", n),
		"one line":          "{" + strings.Repeat(`"key": "value", `, n) + "}",
		"one long plain":    strings.Repeat("a ", 5*n),
		"long plain lines":  strings.Repeat("a\n", 5*n),
		"open quote":        "\"" + strings.Repeat("a\n", 5*n),
		"blank lines":       "a: |\n" + strings.Repeat("\n", 10*n),
		"anchors":           strings.Repeat("&a ", n),
		"tags":              strings.Repeat("!a\n", n),
		"documents":         strings.Repeat("---\n", n),
		"alias bomb":        "a: &a [x]\n" + strings.Repeat("b: &a [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n", 1000),
		"deep indentation":  deepBlock(3000),
		"zero bytes":        strings.Repeat("\x00", n),
		"not UTF-8":         strings.Repeat("\xff\xfe: \xc3\n", n/10),
		"flat entries":      "a:\n" + strings.Repeat("- b\n", n),
		"many blank breaks": "a: b\n" + strings.Repeat("\r", n) + "\n c",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _ = trace(t, text) // ends: that is all
		})
	}
}

func deepBlock(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// FuzzEvents holds that reading ends, that events are balanced and in order,
// and that a stream keeps its meaning with other line ends.
func FuzzEvents(f *testing.F) {
	for _, s := range []string{"a: [b, {c: d}]\n- e\n", "? |\n a\n: >-\n  b\n\n   c\n", "--- !x &y 'z'\n...\n%YAML 1.2\n---\n*y : \"a\\\n b\"\n", "\t- a\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := trace(t, text)
		if strings.Contains(text, "\r") {
			return
		}
		crlf, err2 := trace(t, strings.ReplaceAll(text, "\n", "\r\n"))
		if (err == nil) != (err2 == nil) || got != crlf {
			t.Errorf("%q: %s %v, with \\r\\n: %s %v", text, got, err, crlf, err2)
		}
	})
}

func BenchmarkEvents(b *testing.B) {
	text := []byte(strings.Repeat("- name: item # comment\n  tags: [a, \"b\"]\n  script: |\n    one\n    two\n", 5000))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for p := New(text); ; {
			if e, err := p.Next(); err != nil {
				b.Fatal(err)
			} else if e.Kind == StreamEnd {
				break
			}
		}
	}
}
