package toml_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"poly/internal/guard"
	"poly/internal/guard/toml"

	reference "github.com/BurntSushi/toml"
)

func TestSame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, before, after, want string }{
		{"layout", "a=1 # b\r\n[ c . d ]\r\ne=[1,2,]\n", "\ufeffa = 1   #b\n\n[c.d]\ne = [\n  1,\n  2,\n]\n", ""},
		{"quotes", "'a' = 'b'\nc = '''\nd'''\n", "a = \"b\"\nc = \"\"\"d\"\"\"\n", ""},
		{"escapes", `a = "\u0041\t\"\x42\U00000043"`, "a = 'A\t\"BC'", ""},
		{"lines that a backslash joins", "a = \"\"\"b \\\n   c\"\"\"", "a = \"b c\"", ""},
		{"quotes at the end of a long string", "a = \"\"\"b\"\"\"\"\"", "a = '''b\"\"'''", ""},
		{"inline tables", "a={b=1,c={}}\nd=[{e=[]},]\n", "a = { b = 1, c = {} }\nd = [{ e = [] }]\n", ""},
		{"comments in an array", "a = [ # b\n1, # c\n# d\n2\n# e\n]", "a = [ # b\n  1, # c\n  # d\n  2,\n  # e\n]", ""},
		{"dates", "a = 1979-05-27 07:32:00\nb = -1_0.5e+3\nc = inf", "a = 1979-05-27 07:32:00\nb=-1_0.5e+3\nc=inf", ""},
		{"sorted entries", "[a]\nc = 1\nb = 2 # d\n", "[a]\nb = 2 # d\nc = 1\n", ""},
		{"sorted members", "[workspace]\nmembers = ['b', 'a']", "[workspace]\nmembers = ['a', 'b']", ""},
		{"a value", "a = 1", "a = 2", "line 1: an entry differs: `a = 1` became `a = 2`"},
		{"a number as it is written", "a = 1_0", "a = 10", "an entry"},
		{"a string is no number", "a = '1'", "a = 1", "an entry"},
		{"a key", "a = 1", "b = 1", "an entry"},
		{"parts of a key", "a.b = 1", "'a.b' = 1", "an entry"},
		{"an array's order", "a = [1, 2]", "a = [2, 1]", "an entry"},
		{"an array in an array", "a = [[1], 2]", "a = [[1, 2]]", "an entry"},
		{"an array is no table", "a = []", "a = {}", "an entry"},
		{"a table's order", "[a]\n[b]", "[b]\n[a]", "a table"},
		{"a table of many", "[a]", "[[a]]", "a table"},
		{"an entry in another table", "[a]\nc = 1\n[b]", "[a]\n[b]\nc = 1", "an entry"},
		{"an entry is gone", "a = 1\nb = 2\n", "a = 1\n", "line 2: an entry differs: `b = 2` became nothing"},
		{"an entry is new", "a = 1\n", "a = 1\nb = 2\n", "line 2: an entry differs: nothing became `b = 2`"},
		{"a comment is gone", "# a\nb = 1", "b = 1", "a comment"},
		{"a comment's text", "a = 1 # b", "a = 1 # c", "an entry"},
		{"a comment at another entry", "a = 1 # c\nb = 2", "a = 1\nb = 2 # c", "an entry"},
		{"broken", "a = 1\n", "a = [1\n", "broken by formatting: line 2 of the result: this is no value"},
		{"two entries on a line", "a = 1 b = 2", "", "cannot judge: line 1: more than one entry on a line"},
		{"no key", "= 1", "", "cannot judge"},
		{"no value", "a =\n", "", "cannot judge"},
		{"no bracket", "a = [1, 2", "", "cannot judge"},
		{"the wrong bracket", "a = [1}", "", "cannot judge"},
		{"a comma too many", "a = [1,,]", "", "cannot judge"},
		{"a string of two lines", "a = 'b\nc'", "", "cannot judge"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			err := toml.Same([]byte(tc.before), []byte(tc.after))
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("Same(%q, %q) = %v, want %q", tc.before, tc.after, err, tc.want)
			}
		})
	}
}

func TestDeep(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a = " + strings.Repeat("[", 1e6) + strings.Repeat("]", 1e6),
		"a = " + strings.Repeat("{b=", 3e5) + "1" + strings.Repeat("}", 3e5),
		"a = [" + strings.Repeat("1,\n", 1e6) + "]",
		"a = [" + strings.Repeat("[],", 1e6) + "]",
		strings.Repeat("# a\n", 1e6),
	} {
		if err := toml.Same([]byte(text), []byte(text+"\n")); err != nil {
			t.Errorf("Same(%.20q…) = %v, want nil", text, err)
		}
	}
}

func FuzzSame(f *testing.F) {
	f.Add("a = 1\n[b.'c']\nd = [\"\\u0041\", { e = 1979-05-27 07:32:00 }]\n", "a=1\n[b.c]\nd = ['A', {e=1979-05-27 07:32:00}] # f")
	f.Add("members = [ 2, # a\n 1,]", "[[a]]\nb = '''\n'''\nc = \"\"\"\\\n d\"\"\"\"")
	f.Fuzz(func(t *testing.T, before, after string) {
		err := toml.Same([]byte(before), []byte(after))
		var a, b map[string]any
		_, badA := reference.Decode(before, &a)
		_, badB := reference.Decode(after, &b)
		var cannot *guard.CannotJudge
		if badA == nil && utf8.ValidString(before) && !strings.Contains(before, "\r") && errors.As(err, &cannot) {
			t.Errorf("%q cannot be judged: %v", before, err)
		}
		if err == nil && badA == nil && badB == nil && !strings.Contains(before, "e") && !reflect.DeepEqual(a, b) {
			t.Errorf("%q and %q are judged the same: %v, %v", before, after, a, b)
		}
	})
}
