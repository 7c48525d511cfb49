package json_test

import (
	stdjson "encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"poly/internal/guard"
	"poly/internal/guard/json"
)

func TestSame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, before, after, want string }{
		{"layout", "{\"a\":[1,2.5e3,{}],\r\n\"b\":null}", "{\n  \"a\": [1, 2.5e3, {}],\n  \"b\": null\n}\n", ""},
		{"commas", "[1,]", "[1]", ""},
		{"a comment beside a comma", "[1 // a\n, 2]", "[1, // a\n 2]", ""},
		{"a blank after slashes", "//a  \n1 /* b\n   c */", "// a\n1 /* b\n c */", ""},
		{"a byte order mark", "\ufeff1", "1", ""},
		{"nothing", "", "\n", ""},
		{"a number as it is written", "1.0", "1.00", "line 1: the value differs: `1.0` became `1.00`"},
		{"a string as it is written", `"\u0041"`, `"A"`, "the value"},
		{"order", `{"a":1,"b":2}`, `{"b":2,"a":1}`, "the value"},
		{"an element is gone", "[1,2]", "[1]", "the value"},
		{"a comment is gone", "// a\n1", "1", "a comment"},
		{"a comment is new", "1", "1 // a", "a comment"},
		{"a comment's text", "// a\n1", "// b\n1", "a comment"},
		{"a comment's indentation", "//  a\n1", "// a\n1", "a comment"},
		{"a comment's place", "[1, // a\n2]", "[1, 2 // a\n]", "a comment"},
		{"lines of a comment", "/* a\nb */1", "/* a b */1", "a comment"},
		{"broken", "[1]", "[1", "broken by formatting: line 1 of the result: the text ends too early"},
		{"a name without quotes", "{a: 1}", "{ a: 1 }", "cannot judge: line 1: this is no value"},
		{"not UTF-8", "\"\xff\"", "", "cannot judge"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			err := json.Same([]byte(tc.before), []byte(tc.after))
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("Same(%q, %q) = %v, want %q", tc.before, tc.after, err, tc.want)
			}
		})
	}
}

// TestGrammar compares what is JSON with the standard library's view.
func TestGrammar(t *testing.T) {
	t.Parallel()
	marks := []string{"[", "]", "{", "}", ":", ",", `"a"`, "1", "-", "0", "."}
	var try func(text string, depth int)
	try = func(text string, depth int) {
		var cannot *guard.CannotJudge
		got := !errors.As(json.Same([]byte(text), []byte(text+" ")), &cannot)
		trailing := strings.Contains(text, ",]") || strings.Contains(text, ",}")
		if want := text == "" || stdjson.Valid([]byte(text)); got != want && !trailing {
			t.Errorf("%q is JSON: %v, want %v", text, got, want)
		}
		if depth > 0 {
			for _, m := range marks {
				try(text+m, depth-1)
			}
		}
	}
	try("", 4)
	try("[", 4)
	try(`{"b":`, 4)
	try("[{},", 4)
}

func TestDeep(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("[", 1e6) + strings.Repeat("]", 1e6)
	if err := json.Same([]byte(text), []byte(text+"\n")); err != nil {
		t.Errorf("Same = %v, want nil", err)
	}
	if err := json.Same([]byte(text), []byte(text[:len(text)-1])); err == nil {
		t.Error("Same = nil without the last bracket")
	}
}

func FuzzSame(f *testing.F) {
	f.Add(`{"a": [1, -2.5e+3, null], "b": "\"\\"}`, `{"a":[1,-2.5e+3,null],"b":"\"\\"}`)
	f.Add("// a\n[true, /* b */ false,]\n", "[")
	f.Fuzz(func(t *testing.T, before, after string) {
		if json.Same([]byte(before), []byte(after)) != nil {
			return
		}
		var a, b any
		if stdjson.Unmarshal([]byte(before), &a) == nil && stdjson.Unmarshal([]byte(after), &b) == nil && !reflect.DeepEqual(a, b) {
			t.Errorf("%q and %q are judged the same: %v, %v", before, after, a, b)
		}
	})
}
