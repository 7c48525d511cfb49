package markdown

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"poly/internal/guard"
)

const sample = "---\ntitle: a\n---\n\n# One *b* #\n\ntext `code  x` and [l](u \"t\") ![i][r] <http://a.b> [^n]\nnext  \nlast\\\nend &amp; \\*\n\n" +
	"* a\n* b\n\n  c\n\n3. x\n4. y\n   - [ ] z\n\n> [!NOTE]\n> q\n\n```go\nfunc  f() {}\n\n```\n\n    in  dented\n\n" +
	"| a | b |\n|:--|--:|\n| 1 | `x` |\n\n<div class=\"a\">\n  <b>x</b>  y\n</div>\n\n***\n\n$$\na_b\n$$\n\n[r]: /u 'title'\n[^n]: note\n\nTwo\n---\n"

func TestLayoutIsFree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after string }{
		{"headings", "a *b*\n=====\n\n## c ##\n", "# a _b_\n\n## c\n"},
		{"bullets", "* a\n* b\n", "- a\n- b\n"},
		{"indentation of items", "  *   a\n      b\n", "- a\n  b\n"},
		{"numbers", "1. a\n1. b\n", "1. a\n2. b\n"},
		{"emphasis", "*a* __b__", "_a_ **b**"},
		{"wrapped", "a\nb", "a b"},
		{"blanks", "a   b  \n", "a b\n"},
		{"breaks", "a  \nb", "a\\\nb"},
		{"rules", "a\n\n***\n", "a\n\n---\n"},
		{"fences", "~~~go\na\n~~~\n", "```go\na\n```\n"},
		{"tables", "a|b\n-|:-:\n1|2\n3\n", "| a | b |\n| - | :-: |\n| 1 | 2 |\n| 3 |   |\n"},
		{"titles", "[a](b 'c')\n\n[d]: <e> (f)", "[a](b \"c\")\n\n[d]: e \"f\""},
		{"escapes", "a\\-b", "a-b"},
		{"code in a list with tabs", "-\t```\n\tx\n\t```\n", "- ```\n  x\n  ```\n"},
		{"indented code", "a\n\n\tb\n\t c\n", "a\n\n    b\n     c\n"},
		{"code of an item", "1.  a\n\n        b\n", "1. a\n\n       b\n"},
		{"HTML", "<div>\n\t<br>\n</div>\n", "<div>\n  <br>\n</div>\n"},
		{"HTML in an item", "*   a\n\n    <p>\n    x\n    </p>\n", "- a\n\n  <p>\n  x\n  </p>\n"},
		{"line endings", "---\r\na: b\r\n---\r\n\r\n```\r\nx\r\n```\r\n", "---\na: b\n---\n\n```\nx\n```\n"},
		{"lazy quote", "> a\nb", "> a\n> b"},
		{"wrapped code", "`a\n   b`", "`a b`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := Same([]byte(c.before), []byte(c.after), nil); err != nil {
				t.Error(err)
			}
			if err := Same([]byte(c.after), []byte(c.before), nil); err != nil {
				t.Errorf("the other way: %v", err)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after string }{
		{"front matter", "---\na:  b\n---\n", "---\na: b\n---\n"},
		{"front matter goes", "---\na: b\n---\nc\n", "c\n"},
		{"an alert", "> [!TIP]\n> a", "> [!TIP] a"},
		{"a break", "a  \nb", "a\nb"},
		{"lists become one", "- a\n\n* b\n", "- a\n\n- b\n"},
		{"a list becomes loose", "- a\n- b\n", "- a\n\n- b\n"},
		{"a list becomes tight", "- a\n\n- b\n", "- a\n- b\n"},
		{"the first number", "3. a\n4. b\n", "1. a\n2. b\n"},
		{"the level of a heading", "# a", "## a"},
		{"code", "```\na  b\n```", "```\na b\n```"},
		{"the indentation of code", "```\n  a\n```", "```\na\n```"},
		{"an empty line of code", "```\n\na\n```", "```\na\n```"},
		{"the language of code", "```go\na\n```", "```\na\n```"},
		{"indented code", "    a", "a"},
		{"code in a line", "`a  b`", "`a b`"},
		{"emphasis goes", "a_b_ *c*", "a_b_ c"},
		{"underscores become emphasis", "a__b__c", "a**b**c"},
		{"an escape goes", "\\*a\\*", "*a*"},
		{"a cell", "|a|b|\n|-|-|\n|1|2|", "|a|b|\n|-|-|\n|12||"},
		{"an alignment", "|a|\n|:-|", "|a|\n|-|"},
		{"a definition goes", "a\n\n[b]: c", "a"},
		{"an address", "[a](b)", "[a](c)"},
		{"a footnote", "a[^1]\n\n[^1]: b", "a[^1]\n\n[^1]: c"},
		{"a task", "- [ ] 1. a", "- [ ]1. a"},
		{"HTML", "a<b>c</b>", "a <b>c</b>"},
		{"a blank between tags", "<p>\n<a>x</a><a>y</a>\n</p>", "<p>\n<a>x</a>\n<a>y</a>\n</p>"},
		{"pre", "<pre>\n  a\n</pre>", "<pre>\na\n</pre>"},
		{"pre in a cell", "|a|\n|-|\n|<pre>a  b</pre>|", "|a|\n|-|\n|<pre>a b</pre>|"},
		{"a comment", "a\n\n<!-- b -->\n", "a\n\n<!-- c -->\n"},
		{"a directive", ":::note\na\n:::", ":::tip\na\n:::"},
		{"math", "$$\na \\\\\n$$", "$$\na \\\n$$"},
		{"a block goes", "a\n\nb", "a"},
		{"a block comes", "a", "a\n\nb"},
		{"paragraphs become one", "a\n\nb", "a\nb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if Same([]byte(c.before), []byte(c.after), nil) == nil {
				t.Error("accepted")
			}
			if Same([]byte(c.after), []byte(c.before), nil) == nil {
				t.Error("accepted the other way")
			}
		})
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	before, after := []byte("- ```js x\n  a;\n\n  b\n  ```\n"), []byte("- ```js x\n  a;\n  b;\n  ```\n")
	var info, was, is string
	err := Same(before, after, func(i string, b, a []byte) error {
		info, was, is = i, string(b), string(a)
		return nil
	})
	if err != nil || info != "js" || was != "a;\n\nb\n" || is != "a;\nb;\n" {
		t.Errorf("asked about %q, %q, %q: %v", info, was, is, err)
	}
	refused := errors.New("no")
	if err := Same(before, after, func(string, []byte, []byte) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("the answer about code was %v", err)
	}
	err = Same(append([]byte("a\n\n"), before...), append([]byte("a\n\n"), after...), func(_ string, b, a []byte) error {
		return guard.Differ("x", b, 3, a, 3)
	})
	if d, ok := errors.AsType[*guard.Difference](err); !ok || d.Line != 5 {
		t.Errorf("a difference in the second line of code is %v, want line 5", err)
	}
	if Same([]byte("    a\n"), []byte("    b\n"), func(string, []byte, []byte) error { return nil }) == nil {
		t.Error("code without a fence was asked about")
	}
}

func TestNotJudged(t *testing.T) {
	t.Parallel()
	err := Same([]byte("a\xff"), []byte("a"), nil)
	if _, ok := errors.AsType[*guard.CannotJudge](err); !ok {
		t.Error(err)
	}
	err = Same([]byte("a"), []byte("a\xff"), nil)
	if _, ok := errors.AsType[*guard.Broken](err); !ok {
		t.Error(err)
	}
	deep := bytes.Repeat([]byte("*a _b "), 20000)
	_ = Same(append(deep, bytes.Repeat([]byte("_ * "), 20000)...), deep, nil)
}

// TestMutations takes a letter or digit away, doubles it or swaps two: the guard
// must say so.
func TestMutations(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	letter := func(b byte) bool { return strings.IndexByte("abcdefghilnoqrtuxyz12", b) >= 0 }
	for range 3000 {
		i := r.IntN(len(sample))
		if !letter(sample[i]) {
			continue
		}
		got := sample[:i] + sample[i+1:]
		switch r.IntN(3) {
		case 0:
			got = sample[:i] + string(sample[i]) + sample[i:]
		case 1:
			got = sample[:i] + "w" + sample[i+1:]
		}
		if Same([]byte(sample), []byte(got), nil) == nil {
			t.Fatalf("offset %d: accepted:\n%s", i, got)
		}
		if Same([]byte(got), []byte(sample), nil) == nil {
			t.Fatalf("offset %d: accepted the other way:\n%s", i, got)
		}
	}
}

func FuzzSame(f *testing.F) {
	f.Add(sample, "# a")
	f.Add("- \t\ta\n\n  b", "> ```\n>\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		_ = Same([]byte(before), []byte(after), nil)
		_ = Same([]byte(before), []byte(before+"\n"), nil)
		_ = Same([]byte(after+before), []byte(before), nil)
	})
}
