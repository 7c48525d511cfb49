package toon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"poly/internal/toon"
)

// style is the indentation and the delimiter of a fixture.
type style struct {
	indent int
	delim  byte
}

// fixture is one pair of testdata/toon.
type fixture struct {
	name, doc, want string
	style
}

// fixtures reads the pairs "name.json" and "name.toon". The lines before the
// first pair may set the style: delimiter "\t", indent 4.
func fixtures(t *testing.T) []fixture {
	t.Helper()
	files, err := filepath.Glob("../../testdata/toon/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all []fixture
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		a := txtar.Parse(text)
		s := styleOf(t, string(a.Comment))
		for i := 0; i+1 < len(a.Files); i += 2 {
			in, out := a.Files[i], a.Files[i+1]
			name := strings.TrimSuffix(in.Name, ".json")
			if out.Name != name+".toon" {
				t.Fatalf("%s: %q does not follow %q", file, out.Name, in.Name)
			}
			all = append(all, fixture{
				name: filepath.Base(file) + "/" + name, style: s,
				doc: string(in.Data), want: strings.TrimSuffix(string(out.Data), "\n"),
			})
		}
	}
	return all
}

func styleOf(t *testing.T, comment string) style {
	t.Helper()
	s := style{indent: 2, delim: ','}
	for line := range strings.Lines(comment) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch name {
		case "delimiter":
			text, err := strconv.Unquote(value)
			if err != nil {
				t.Fatal(err)
			}
			s.delim = text[0]
		case "indent":
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatal(err)
			}
			s.indent = n
		}
	}
	return s
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	all := fixtures(t)
	if len(all) < 120 {
		t.Fatalf("only %d fixtures found", len(all))
	}
	for _, f := range all {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			got, err := toon.EncodeStyle([]byte(f.doc), f.indent, f.delim)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(f.want, string(got)); diff != "" {
				t.Errorf("encode(%s) (-want +got):\n%s", f.doc, diff)
			}
		})
	}
}

// Numbers that a float cannot hold keep each of their digits.
func TestEncodeExactNumbers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ in, want string }{
		{"9007199254740993", "9007199254740993"},
		{"18446744073709551615", "18446744073709551615"},
		{"123456789012345678901", "123456789012345678901"},
		{"1234567890123456789012", "1.234567890123456789012e+21"},
		{"0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"},
		{"1e400", "1e+400"},
		{"-1e-400", "-1e-400"},
		{"1e99999999999999999999", `"1e99999999999999999999"`},
		{"1e-1000000000000", `"1e-1000000000000"`},
	} {
		got, err := toon.Encode([]byte(tc.in))
		if err != nil || string(got) != tc.want {
			t.Errorf("Encode(%s) = %s, %v, want %s", tc.in, got, err, tc.want)
		}
	}
}

func TestEncodeWrongBytes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, in, want string }{
		{"not UTF-8", "{\"a\":\"x\xff\xfey\"}", "a: x\ufffd\ufffdy"},
		{"lone surrogate", `{"a":"\ud800"}`, "a: \ufffd"},
		{"key", "{\"\xff\":1}", "\"\ufffd\": 1"},
	} {
		got, err := toon.Encode([]byte(tc.in))
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: Encode(%q) = %q, %v, want %q", tc.name, tc.in, got, err, tc.want)
		}
	}
}

// Of a repeated member the last value counts, at the place of the first.
func TestEncodeRepeated(t *testing.T) {
	t.Parallel()
	var doc, want strings.Builder
	doc.WriteString("{")
	for i := range 60 {
		if i > 0 {
			doc.WriteString(",")
		}
		fmt.Fprintf(&doc, `"k%d":%d`, i%20, i)
	}
	doc.WriteString("}")
	for k := range 20 {
		fmt.Fprintf(&want, "k%d: %d\n", k, 40+k)
	}
	for _, tc := range []struct{ in, want string }{
		{doc.String(), strings.TrimSuffix(want.String(), "\n")},
		{`[{"a":1,"a":2},{"a":3,"a":4,"a":5}]`, "[2]{a}:\n  2\n  5"},
		{`[{"a":1,"b":2,"a":3},{"b":4,"a":5}]`, "[2]{a,b}:\n  3,2\n  5,4"},
	} {
		got, err := toon.Encode([]byte(tc.in))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, string(got)); diff != "" {
			t.Errorf("Encode(%s) (-want +got):\n%s", tc.in, diff)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 20000) + strings.Repeat("]", 20000)
	for _, in := range []string{"", " ", "{", "[1,]", "{\"a\":1,}", "nul", "01", "+1", "{} {}", "'a'", "\"\x01\"", deep} {
		if got, err := toon.Encode([]byte(in)); err == nil {
			t.Errorf("Encode(%.20q) = %.20q, want an error", in, got)
		}
	}
}

func FuzzEncode(f *testing.F) {
	for _, s := range []string{`{"a":[{"b":1},{"b":2}]}`, `[[],{},[{}]]`, `{"x":{"b":"-"},"y":{"b":"\u0000"}}`, "1e5", `"\ud800"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		before := string(doc)
		text, err := toon.Encode(doc)
		if string(doc) != before {
			t.Fatal("Encode changed its argument")
		}
		if err != nil {
			return
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			if strings.HasSuffix(line, " ") || strings.ContainsAny(line, "\r\x00") || strings.HasPrefix(strings.TrimLeft(line, " "), "#") {
				t.Fatalf("Encode(%q) has the line %q", doc, line)
			}
		}
		if strings.HasSuffix(string(text), "\n") {
			t.Fatalf("Encode(%q) ends with a newline", doc)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	doc := []byte(`{"results":[`)
	for i := range 20000 {
		if i > 0 {
			doc = append(doc, ',')
		}
		doc = fmt.Appendf(doc, `{"path":"dir/file%d.go","diagnostics":[{"engine":"text","code":"tws","severity":"warning","title":"trailing white space","span":{"start_line":%d,"start_col":1,"end_line":2,"end_col":3},"fix":null}]}`, i, i)
	}
	doc = append(doc, "]}"...)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if _, err := toon.Encode(doc); err != nil {
			b.Fatal(err)
		}
	}
}
