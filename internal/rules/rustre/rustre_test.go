package rustre

import (
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		expr, yes, no string // texts are separated by "|"
	}{
		{`^\d+$`, "12|٣٤", "a|"},
		{`^\w+$`, "naïve|x_1|变量", "a-b| "},
		{`\bé`, "é|a é", "aé"},
		{`é\b`, "caffé|é.", "éa"},
		{`\Bé`, "aé", "é"},
		{`^[[a-z]&&[^aeiou]]+$`, "xyz", "abc"},
		{`^[a-z--aeiou]+$`, "xyz", "abc"},
		{`^[a-c~~b-d]+$`, "ad", "b|c"},
		{`(?x) a  b # comment
			c`, "abc", "a b c"},
		{`(?i)straße`, "STRAßE", "strasse"},
		{`(?i)[^a]`, "b", "a|A"},
		{`^(foo|bar)$`, "foo|bar", "foob|xfoo"},
		{`^get|set$`, "getx|reset", "xget"},
		{`a{,2}$`, "a|aa|b", ""},
		{`^(?:a{2}){2}$`, "aaaa", "aa"},
		{`^a**$`, "aaa", "b"},
		{`^\s$`, " |\u00a0|\u2003", "x"},
		{`^\p{Greek}$`, "α", "a"},
		{`^\p{Uppercase_Letter}\pL$`, "Ab", "ab"},
		{`^\x{e9}\u00e9$`, "éé", "e"},
		{`^[\w.-]+$`, "a.b-c", "a b"},
		{`^[]a]$`, "]|a", "b"},
		{`[a\]]`, "]", "b"},
		{`^\/\*`, "/* x", "x"},
		{`(?-u)^\w$`, "a", "é"},
		{`(?i:A)b`, "ab", "aB"},
	} {
		re, err := Compile(tc.expr)
		if err != nil {
			t.Errorf("Compile(%q): %v", tc.expr, err)
			continue
		}
		for text := range strings.SplitSeq(tc.yes, "|") {
			if !re.Match([]byte(text)) {
				t.Errorf("%q does not match %q", tc.expr, text)
			}
		}
		for text := range strings.SplitSeq(tc.no, "|") {
			if text != "" && re.Match([]byte(text)) {
				t.Errorf("%q matches %q", tc.expr, text)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{
		`(`, `)`, `a)`, `(?=a)`, `(?<!a)`, `\1`, `*a`, `{2}`, `a{`, `a{2,1}`, `[a`, `[b-a]`, `\p{Nope}`, `\y`, `\b{start}`, `\<a`, `(?R)a`, `(?q)`, `\`, `a{5000}`,
		strings.Repeat("(", 300) + strings.Repeat(")", 300),
	} {
		if _, err := Compile(expr); err == nil {
			t.Errorf("Compile(%q) accepts it", expr)
		}
	}
}

func TestReplaceAll(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ expr, text, by, want string }{
		{`(?<first>\w+) (\w+)`, "a b", "$2 ${first}", "b a"},
		{`debug(?<REST>.*)`, "debug1", "release$REST", "release1"},
		{`\b`, "é a", "|", "|é| |a|"},
		{`x*`, "éx", "-", "-é-"},
		{`a`, "aXa", "$$", "$X$"},
	} {
		re, err := Compile(tc.expr)
		if err != nil {
			t.Fatal(err)
		}
		if got := re.ReplaceAll(tc.text, tc.by); got != tc.want {
			t.Errorf("ReplaceAll(%q, %q, %q) = %q, want %q", tc.expr, tc.text, tc.by, got, tc.want)
		}
	}
}

func TestLiterals(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ expr, want string }{
		{`^(foo|bar)$`, "foo,bar"},
		{`foo.*`, "foo"},
		{`foo|.`, ""},
		{`(?i)foo.`, ""},
	} {
		re, err := Compile(tc.expr)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range re.Literals() {
			got = append(got, string(l))
		}
		if strings.Join(got, ",") != tc.want {
			t.Errorf("literals of %q are %q, want %q", tc.expr, got, tc.want)
		}
	}
}

func TestGlob(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		glob, path string
		want       bool
	}{
		{"*.go", "a/b.go", true},
		{"src/**", "src/a/b.go", true},
		{"src/**", "src", false},
		{"**/test/**", "a/test/b", true},
		{"**/b.go", "b.go", true},
		{"**/b.go", "a/c/b.go", true},
		{"a/**/b.go", "a/b.go", true},
		{"a/**/b.go", "a/x/y/b.go", true},
		{"a/**/b.go", "ab.go", false},
		{"{a,b}.go", "b.go", true},
		{"[a-c].go", "b.go", true},
		{"[!a-c].go", "b.go", false},
		{"src/?.go", "src/a.go", true},
		{"a.go", "axgo", false},
		{`\*.go`, "*.go", true},
	} {
		g, err := CompileGlob(tc.glob, false)
		if err != nil {
			t.Fatal(err)
		}
		if g.Match(tc.path) != tc.want {
			t.Errorf("glob %q on %q: %v", tc.glob, tc.path, !tc.want)
		}
	}
	if g, err := CompileGlob("A*", true); err != nil || !g.Match("ab") {
		t.Errorf("a glob that ignores case does not: %v", err)
	}
	for _, glob := range []string{"{a", "a}", "[a", `a\`} {
		if _, err := CompileGlob(glob, false); err == nil {
			t.Errorf("glob %q is accepted", glob)
		}
	}
}
