package css

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

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
		{"layout", "a{b:c;d:e}", "a {\n  b: c;\n  d: e;\n}\n", CSS},
		{"empty statements", "a{;b:c;;}", "a { b: c; }", CSS},
		{"combinators", "a>b+c~d||e,f{}", "a > b + c ~ d || e,\nf {}", CSS},
		{"inside a pseudo-class", "a:not( .b , c>d ){}", "a:not(.b, c > d) {}", CSS},
		{"counted children", "a:nth-child( 2N + 1 ),b:nth-of-type(1n){}", "a:nth-child(2n+1),\nb:nth-of-type(n) {}", CSS},
		{"attributes", "[a=b][ c = 'd' I ]{}", "[a=\"b\"][c=\"d\" i] {}", CSS},
		{"case", "A:HOVER{COLOR:#ABC;WIDTH:1PX!IMPORTANT}", "a:hover { color: #abc; width: 1px !important }", CSS},
		{"leading zeros", "a{b:.5 -.5 +.5 1E3px}", "a { b: 0.5 -0.5 +0.5 1e3px }", CSS},
		{"quotes", `a{b:'it\'s' 'a"b'}`, `a { b: "it's" "a\"b" }`, CSS},
		{"addresses", "a{b:URL( 'x' )c;d:url( x )e}", `a { b: url("x") c; d: url(x) e }`, CSS},
		{"strings side by side", `a{b:"c""d"}`, `a { b: "c" "d" }`, CSS},
		{"custom properties", "a{--B: #FFF .5PX 'a'}", `a { --B: #fff 0.5px "a" }`, CSS},
		{"conditions", "@MEDIA (MIN-WIDTH:1PX) AND (a<=b){}", "@media (min-width: 1px) and (a <= b) {}", CSS},
		{"slashes", "a{b:c/d;e:100%/3}", "a { b: c / d; e: 100% / 3 }", CSS},
		{"arguments", "a{b:f(1,2)}", "a { b: f(1, 2) }", CSS},
		{"old comments", "<!-- a{b:c} -->", "a { b: c }", CSS},
		{"comments", "/* a\n   b */\na{b:c/*d*/}", "/* a\n b */\na {\n  b: c; /*d*/\n}", CSS},
		{"lists end", "$a:(b:c,d:e,);a{@include f($g,)}", "$a: (b: c, d: e);\na { @include f($g); }", SCSS},
		{"definitions", "@mixin m ($a:1){}\n@include m ($a){}", "@mixin m($a: 1) {}\n@include m($a) {}", SCSS},
		{"operators", "a{b:$c*2;d:$e==$f;g:$h!default}", "a { b: $c * 2; d: $e == $f; g: $h !default }", SCSS},
		{"parentheses around an argument", "a{b:f(($c + 1), 2)}", "a { b: f($c + 1, 2) }", SCSS},
		{"expressions in strings", `a{b:"x #{ f($y,'z') }"}`, `a { b: "x #{f($y, "z")}" }`, SCSS},
		{"line comments", "//a\nx{b:c//d\n}", "// a\nx {\n  b: c; // d\n}", SCSS},
		{"mixins", ".m(@a;@b:2;)when(@a>1)and(@b=2){}", ".m(@a; @b: 2) when (@a > 1) and (@b = 2) {}", Less},
		{"blocks as arguments", "each(@a,{.b{c:d}e:f})", "each(@a, {\n .b { c: d }\n e: f;\n});", Less},
		{"groups", "a{b:((@c / 2))}", "a { b: (@c / 2) }", Less},
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
		{"descendant lost", "a .b{}", "a.b{}", CSS},
		{"descendant made", "a.b{}", "a .b{}", CSS},
		{"descendant of a pseudo-class", "a :hover{}", "a:hover{}", CSS},
		{"descendant in a pseudo-class", ":not(a .b){}", ":not(a.b){}", CSS},
		{"descendant in a condition", "@supports selector(a :hover){}", "@supports selector(a:hover){}", CSS},
		{"all below", "a *{}", "a*{}", CSS},
		{"class case", ".A{}", ".a{}", CSS},
		{"identity case", "#FFF{}", "#fff{}", CSS},
		{"custom case", "a{--B:c}", "a{--b:c}", CSS},
		{"value case", "a{b:Arial}", "a{b:arial}", CSS},
		{"keyframes case", "@keyframes A{}", "@keyframes a{}", CSS},
		{"sum", "a{b:calc(1px + 2px)}", "a{b:calc(1px+2px)}", CSS},
		{"group", "a{b:calc(2 * (1px + 2px))}", "a{b:calc(2 * 1px + 2px)}", CSS},
		{"function", "@media a and (b){}", "@media a and(b){}", CSS},
		{"string", `a{b:"c  d"}`, `a{b:"c d"}`, CSS},
		{"escape", `a{b:"\41"}`, `a{b:"41"}`, CSS},
		{"number", "a{b:1.0}", "a{b:10}", CSS},
		{"list", "a{b:c d}", "a{b:c, d}", CSS},
		{"important", "a{b:c!important}", "a{b:c}", CSS},
		{"order of declarations", "a{b:c;d:e}", "a{d:e;b:c}", CSS},
		{"order of rules", "a{}b{}", "b{}a{}", CSS},
		{"rule lost", "a{}b{}", "a{}", CSS},
		{"nesting", "a{b{c:d}}", "a{}b{c:d}", CSS},
		{"semicolon that takes a rule away", "a{};b{}", "a{}b{}", CSS},
		{"line comments are none", "a{b:c} // d\ne{}", "a{b:c}\ne{}", CSS},
		{"comment lost", "/* a */b{}", "b{}", CSS},
		{"comment moved", "/* a */b{c:d}", "b{/* a */c:d}", CSS},
		{"comment moved out", "a{b:c;/* d */}", "a{b:c}/* d */", CSS},
		{"comment of its line", "a{b:c; /* stylelint-disable-line */}", "a{b:c;\n/* stylelint-disable-line */}", CSS},
		{"negative in a list", "a{b:$c -$d}", "a{b:$c - $d}", SCSS},
		{"negated call", "a{b:- f(1)}", "a{b:-f(1)}", SCSS},
		{"list of one", "$a:(1,)", "$a:(1)", SCSS},
		{"list as argument", "a{b:f((c, d))}", "a{b:f(c, d)}", SCSS},
		{"parent suffix", "a{& -b{}}", "a{&-b{}}", SCSS},
		{"text joined", "a{b:#{$c} px}", "a{b:#{$c}px}", SCSS},
		{"placeholder", "%a{}", ".a{}", SCSS},
		{"expression in a string", `a{b:"#{$c + 1}"}`, `a{b:"#{$c}"}`, SCSS},
		{"negative in a list of Less", "a{b:0 -@c 0}", "a{b:0 - @c 0}", Less},
		{"division in a group", "a{b:f((@c / 2))}", "a{b:f(@c / 2)}", Less},
		{"one argument", ".m(1, 2;);", ".m(1, 2);", Less},
		{"merged", "a{b+:c}", "a{b:c}", Less},
		{"call", ".a{.b;}", ".a{.b();}", Less},
		{"variable of a variable", "a{b:@@c}", "a{b:@c}", Less},
		{"unclosed", "a{b:c}", "a{b:c", CSS},
		{"grown", "a{}", "a{}b{}", CSS},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if err := Same([]byte(tc.before), []byte(tc.after), tc.dialect); !isDifference(err) {
				t.Errorf("Same = %v, want a difference", err)
			}
		})
	}
}

func isDifference(err error) bool {
	_, ok := errors.AsType[*guard.Difference](err)
	return ok
}

// TestFormatted judges what web_fmt 0.2.9 makes of the samples.
func TestFormatted(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"plain.css":  "",
		"sheet.scss": "line 12: a rule differs: `$b, ", // "$a -$b", a list of two, became a difference
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
		"a{", "a{b:'c}", "/* a", "}", "a{b:(c}", "a{b:c)}", "a{b:url(c", strings.Repeat("a{", 100_000), strings.Repeat("(", 100_000), "a{b:" + strings.Repeat("(", 20_000) + strings.Repeat(")", 20_000) + "}", strings.Repeat("#{", 100_000),
		`"` + strings.Repeat(`#{"`, 50_000), "`",
	} {
		for d := range Less + 1 {
			var cannot *guard.CannotJudge
			if err := Same([]byte(src), []byte(src), d); !errors.As(err, &cannot) && src != "`" && src[0] != '#' {
				t.Errorf("Same(%.20q) = %v, want that it cannot be judged", src, err)
			}
		}
	}
}

func TestLong(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		strings.Repeat("a{b:c}", 150_000), "a{" + strings.Repeat("b:c;", 200_000) + "}", "a{b:" + strings.Repeat("1px ", 200_000) + "}", "a{b:f(" + strings.Repeat("1,", 200_000) + "1)}",
		"/*" + strings.Repeat("a", 2_000_000) + "*/", "a{b:'" + strings.Repeat("a", 2_000_000) + "'}", "a{b:" + strings.Repeat("f(", 400) + strings.Repeat(")", 400) + "}",
		"a{b:" + strings.Repeat("((1)),f", 20_000) + "}",
	} {
		if err := Same([]byte(src), []byte(src), SCSS); err != nil {
			t.Errorf("Same(%.20q) = %v, want nil", src, err)
		}
	}
}

// samples are the texts of testdata.
func samples(tb testing.TB) map[string][]byte {
	tb.Helper()
	names, err := filepath.Glob("testdata/*.*s*")
	if err != nil || len(names) < 3 {
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
	case ".scss":
		return SCSS
	case ".less":
		return Less
	}
	return CSS
}

// minified is what esbuild, the judge of these tests, makes of a style sheet,
// and whether something in it was not read, but given as it stands.
func minified(text []byte) (string, bool) {
	r := api.Transform(string(text), api.TransformOptions{
		Loader: api.LoaderCSS, MinifyWhitespace: true, LegalComments: api.LegalCommentsNone, LogLevel: api.LogLevelSilent,
	})
	return blanks().Replace(blanks().Replace(strings.ToLower(string(r.Code)))), len(r.Warnings) > 0
}

// blanks takes away those that esbuild leaves where it does not know better.
func blanks() *strings.Replacer {
	return strings.NewReplacer(";;", ";", " ;", ";", "; ", ";", " ,", ",", ", ", ",", "( ", "(", " )", ")", " : ", ":", "[ ", "[", " ]", "]", " =", "=", "= ", "=", " }", "}", "{ ", "{",
		" / ", "/", "/ ", "/", " /", "/", "\" i]", "\"i]", ": ", ":", " !", "!", "! ", "!", " * ", "*", " {", "{", " <", "<", "< ", "<")
}

// plain is a text of SCSS or Less without what layout may change in it.
func plain(text []byte) (string, bool) {
	return strings.NewReplacer(" ", "", "\n", "", ";", "", "'", "\"", "(", "", ")", "", ",", "").Replace(strings.ToLower(string(text))), false
}

// mutate drops, repeats or exchanges tokens.
func mutate(text []byte, r *rand.Rand) []byte {
	l := lexer{src: text, dialect: SCSS}
	l.run()
	tokens := l.tokens[:len(l.tokens)-1]
	a, b := tokens[r.IntN(len(tokens))], tokens[r.IntN(len(tokens))]
	if a.start > b.start {
		a, b = b, a
	}
	if a.end > b.start {
		return append(bytes.Clone(text[:a.start]), text[a.end:]...)
	}
	cut := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	switch r.IntN(5) {
	case 0:
		return cut(text[:a.start], text[a.end:])
	case 1:
		return cut(text[:a.end], text[a.start:a.end], text[a.end:])
	case 2:
		return cut(text[:a.start], text[b.start:b.end], text[a.end:])
	case 3:
		return cut(text[:a.start], []byte(" "), text[a.start:])
	}
	return cut(text[:a.start], text[b.start:b.end], text[a.end:b.start], text[a.start:a.end], text[b.end:])
}

func TestMutationsAreSeen(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for name, text := range samples(t) {
		d := dialectOf(name)
		judge := plain
		if d == CSS {
			judge = minified
		}
		want, _ := judge(text)
		text0, _ := plain(text)
		seen, other := 0, 0
		for range 800 {
			changed := mutate(text, r)
			err := Same(text, changed, d)
			got, raw := judge(changed)
			if layout, _ := plain(changed); got == want || raw && layout == text0 {
				if err == nil {
					other++
				}
				continue
			}
			seen++
			if err == nil {
				t.Errorf("%s: a change is not seen:\n%s", name, around(text, changed))
			}
		}
		if seen < 250 || other < 15 {
			t.Errorf("%s: %d changes and %d others: the mutations are too weak", name, seen, other)
		}
	}
}

// around shows where two texts differ.
func around(a, b []byte) []byte {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	cut := func(s []byte) []byte { return s[max(0, i-40):min(len(s), i+40)] }
	return bytes.Join([][]byte{cut(a), cut(b)}, []byte("\n--- became\n"))
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
