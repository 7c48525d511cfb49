package mdtree

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	goldmark "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

var kindNames = map[Kind]string{
	BlockQuote: "quote", ListOrdered: "ol", ListUnordered: "ul", ListPrefix: "item", FootnoteDefinition: "note", ATXHeading: "atx",
	SetextHeading: "setext", CodeFenced: "fence", CodeIndented: "code", CodeLine: "line", MathFlow: "math", HTMLFlow: "html",
	ThematicBreak: "rule", DirectiveContainer: "directive", DirectiveLeaf: "leaf", Paragraph: "p", Definition: "def", Table: "table",
	TableRow: "row", TableDelimiterRow: "delim", TableText: "cell", Data: "data", HardBreak: "br", Escape: "esc", CharacterReference: "ref",
	CodeText: "span", MathText: "mspan", Emphasis: "em", Strong: "strong", Link: "link", Image: "img", Autolink: "auto",
	LiteralAutolink: "lit", HTMLText: "tag", FootnoteCall: "call", DirectiveText: "dtext", ResourceDestination: "dest",
}

// outline writes down the nodes that have a name: name(children), and the
// source of what has none.
func outline(d *Doc, n *Node) string {
	var parts []string
	for _, c := range n.Children {
		inner := outline(d, c)
		name, ok := kindNames[c.Kind]
		switch {
		case !ok && inner != "":
			parts = append(parts, inner)
		case !ok:
		case inner != "":
			parts = append(parts, name+"("+inner+")")
		case c.Kind == ListPrefix || c.Kind == BlockQuote:
			parts = append(parts, name)
		default:
			parts = append(parts, fmt.Sprintf("%s:%q", name, d.Source(c)))
		}
	}
	return strings.Join(parts, " ")
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, in, want string }{
		{"paragraph", "a\nb", `p(data:"a" data:"b")`},
		{"headings", "# a #\n\nb\n=\n", `atx(data:"a") setext(data:"b")`},
		{"not closed", "# a#\n#\n##b", `atx(data:"a#") atx:"#" p(data:"##b")`},
		{"lists", "- a\n- b\n\n1. c\n", `ul(item p(data:"a") item p(data:"b")) ol(item p(data:"c"))`},
		{"nested", "- a\n  - b\n\n    c\n", `ul(item p(data:"a") ul(item p(data:"b") p(data:"c")))`},
		{"empty item", "- a\n-\nb", `ul(item p(data:"a") item) p(data:"b")`},
		{"rule or list", "* * *\n* a\n- - -\n", `rule:"* * *" ul(item p(data:"a")) rule:"- - -"`},
		{"interrupting", "a\n2. b\n1. c\n", `p(data:"a" data:"2. b") ol(item p(data:"c"))`},
		{"quote", "> a\nb\n\n> c", `quote(p(data:"a" data:"b")) quote(p(data:"c"))`},
		{"lazy setext", "> a\n---", `quote(p(data:"a")) rule:"---"`},
		{"fence", "```go x\na\n\n b\n```\nc", `fence(line:"a" line:" b") p(data:"c")`},
		{"fence in item", "- ```\n  a\n  ```\n", `ul(item fence(line:"a"))`},
		{"open fence", "> ```\n> a\nb", `quote(fence(line:"a")) p(data:"b")`},
		{"indented", "    a\n\n     b\nc", `code(line:"a" line:" b") p(data:"c")`},
		{"tabs", "-\ta\n\n\tb\n\n\t\tc", `ul(item p(data:"a") p(data:"b") code(line:"c"))`},
		{"html", "<div>\n*a*\n\nb", `html(p(tag:"<div>" em(data:"a"))) p(data:"b")`},
		{"comment", "<!-- a\n\nb -->\nc", `html:"<!-- a\n\nb -->" p(data:"c")`},
		{"definitions", "[a]: b 'c'\n[d]:\n<e>\nf", `def:"[a]: b 'c'" def:"[d]:\n<e>" p(data:"f")`},
		{"no definition", "[a]: b c", `p(data:"[" data:"a]: b c")`},
		{"links", "[a](b \"c\") ![d][e] [e] [f]\n\n[e]: x", `p(link(data:"a" dest:"b") data:" " img(data:"d") data:" " link(data:"e") data:" " data:"[" data:"f]") def:"[e]: x"`},
		{"no link in a link", "[a [b](c) d](e)", `p(data:"[" data:"a " link(data:"b" dest:"c") data:" d](e)")`},
		{"emphasis", "*a **b*** _c_d_ ** e", `p(em(data:"a " strong(data:"b")) data:" " em(data:"c_d") data:" " data:"**" data:" e")`},
		{"rule of three", "***a** b*", `p(em(strong(data:"a") data:" b"))`},
		{"code", "`` a`b `` `c", "p(span:\"`` a`b ``\" data:\" `c\")"},
		{"escapes", "\\* a\\\nb &amp; &nope;", `p(esc:"\\*" data:" a" br:"\\" data:"b " ref:"&amp;" data:" &nope;")`},
		{"breaks", "a  \nb\t \nc \nd  ", `p(data:"a" br:"  " data:"b" data:"c" data:"d")`},
		{"autolinks", "<http://a> <b@c.d> <e> http://f.g/h). x@y.zz", `p(auto:"<http://a>" data:" " auto:"<b@c.d>" data:" " tag:"<e>" data:" " lit:"http://f.g/h" data:"). " lit:"x@y.zz")`},
		{"www", "www.a.b, (www.c.d)", `p(lit:"www.a.b" data:", (" lit:"www.c.d" data:")")`},
		{"table", "a\n| b | c |\n|---|:-:|\n| d \\| e |\n\nf", `p(data:"a") table(row(cell(data:"b") cell(data:"c")) delim(cell:"---" cell:":-:") row(cell(data:"d " esc:"\\|" data:" e"))) p(data:"f")`},
		{"no table", "a | b\n---\n\nc\n|---|---|", `setext(data:"a | b") p(data:"c" data:"|---|---|")`},
		{"footnote", "a[^1]\n\n[^1]: b\n\n    c", `p(data:"a" call:"[^1]") note(p(data:"b") p(data:"c"))`},
		{"math", "$a$ b\n\n$$\nc\n$$", `p(mspan:"$a$" data:" b") math:"$$\nc\n$$"`},
		{"directives", ":::note[a]\nb\n:::\n\n::leaf\n\nc :text[d]{e=f}", `directive(data:"a" p(data:"b")) leaf:"::leaf" p(data:"c " dtext(data:"d"))`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d := Parse([]byte(tc.in), 0)
			if diff := cmp.Diff(tc.want, outline(d, d.Root)); diff != "" {
				t.Errorf("Parse(%q) (-want +got):\n%s", tc.in, diff)
			}
		})
	}
}

func TestPrefixes(t *testing.T) {
	t.Parallel()
	const in = "> - a\n>   b\n>\n>  # c\n\n  d\n      e\n"
	var got []string
	for _, p := range Parse([]byte(in), 0).Prefixes {
		got = append(got, fmt.Sprintf("%d %q", p.Kind, in[p.Start:p.End]))
	}
	want := []string{`1 "> "`, `1 "> "`, `1 ">"`, `1 "> "`, `0 " "`, `0 "  "`, `0 "      "`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Prefixes of %q (-want +got):\n%s", in, diff)
	}
}

func TestUndefined(t *testing.T) {
	t.Parallel()
	const in = "[a] [b][c] ![d][] [*e* `f`] [g [h]]"
	want := []Undefined{{0, 3, "a", true}, {4, 10, "c", false}, {11, 17, "d", false}, {18, 27, "e", true}, {31, 34, "h", true}}
	if diff := cmp.Diff(want, Parse([]byte(in), 0).Undefined); diff != "" {
		t.Errorf("Undefined of %q (-want +got):\n%s", in, diff)
	}
}

// TestAgainstGoldmark holds the blocks and links of our own pages against those
// another reader finds.
func TestAgainstGoldmark(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../docs/*.md")
	if err != nil || len(files) < 5 {
		t.Fatalf("pages %q: %v", files, err)
	}
	for _, file := range append(files, "../../README.md") {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(byGoldmark(src), byUs(src)); diff != "" {
			t.Errorf("%s (-goldmark +mdtree):\n%s", file, diff)
		}
	}
}

// byUs lists headings, code and links in the order of the source. Tables are
// paragraphs to goldmark, as it stands here, so paragraphs are left out.
func byUs(src []byte) []string {
	var out []string
	d := Parse(src, 0)
	for _, n := range d.Root.Children {
		switch n.Kind {
		case ATXHeading:
			out = append(out, "heading "+string(d.Source(n.Child(HeadingText))))
		case CodeFenced, CodeIndented:
			lines := 0
			for _, c := range n.Children {
				if c.Kind == CodeLine {
					lines++
				}
			}
			out = append(out, fmt.Sprint("code ", lines))
		case ListOrdered, ListUnordered:
			items := 0
			for _, c := range n.Children {
				if c.Kind == ListPrefix {
					items++
				}
			}
			out = append(out, fmt.Sprint("list ", items))
		case BlockQuote, ThematicBreak:
			out = append(out, kindNames[n.Kind])
		}
	}
	return out
}

func byGoldmark(src []byte) []string {
	var out []string
	p := goldmark.NewParser(goldmark.WithBlockParsers(goldmark.DefaultBlockParsers()...), goldmark.WithParagraphTransformers(goldmark.DefaultParagraphTransformers()...))
	root := p.Parse(text.NewReader(src))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			out = append(out, "heading "+string(n.Lines().Value(src)))
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			lines := 0
			for i := range n.Lines().Len() {
				if s := n.Lines().At(i); len(strings.TrimRight(string(s.Value(src)), "\n")) > 0 {
					lines++
				}
			}
			out = append(out, fmt.Sprint("code ", lines))
		case *ast.List:
			out = append(out, fmt.Sprint("list ", n.ChildCount()))
		case *ast.Blockquote:
			out = append(out, "quote")
		case *ast.ThematicBreak:
			out = append(out, "rule")
		}
	}
	return out
}

// checkTree reports nodes that do not lie in their parents and in order.
func checkTree(t *testing.T, d *Doc, n *Node) {
	t.Helper()
	at := 0
	for _, c := range n.Children {
		if c.Start > c.End || c.End > len(d.Text) || c.Parent != n || n.Kind != Root && (c.Start < n.Start || c.End > n.End) && n.Kind != HTMLFlow {
			t.Errorf("node %v [%d,%d) in %v [%d,%d) of %.80q", kindNames[c.Kind], c.Start, c.End, kindNames[n.Kind], n.Start, n.End, d.Text)
		}
		if c.Start < at && n.Kind != DirectiveContainer {
			t.Errorf("node %v at %d stands before its brother of %.80q", kindNames[c.Kind], c.Start, d.Text)
		}
		at = c.Start
		checkTree(t, d, c)
	}
}

// hostile texts must take time in proportion to their length.
var hostile = []struct{ name, piece string }{
	{"quotes", "> "},
	{"bullets", "- "},
	{"brackets", "["},
	{"closed", "[]"},
	{"images", "![a"},
	{"links", "[a](b) "},
	{"nested", "[[a](b)"},
	{"stars", "*a "},
	{"underscores", "_a*"},
	{"both", "**a *b_ "},
	{"ticks", "`a``b```c "},
	{"dollars", "$a$$b "},
	{"tags", "<a b=\""},
	{"comments", "<!--"},
	{"instructions", "<?a"},
	{"titles", "[a](b \""},
	{"definitions", "[a]: b (c\n"},
	{"URLs", "http://a.b!!!"},
	{"marks", "!!!!"},
	{"mail", "a@b."},
	{"colons", ":a[b]{c "},
	{"directives", ":::a\n"},
	{"pipes", "|a"},
	{"tables", "|a|\n|-|\n"},
	{"entities", "&amp"},
	{"fences", "```\na\n"},
	{"html", "<div>\n"},
	{"items", "- a\n\n"},
	{"parentheses", "[a](((("},
	{"escapes", "\\[\\]("},
	{"notes", "[^a]: b\n"},
	{"levels", "- a\n  - b\n    - c\n"},
	{"lazy", "> a\nb\n"},
	{"closing", "]"},
	{"destinations", "[a](<b"},
}

func TestHostile(t *testing.T) {
	t.Parallel()
	for _, tc := range hostile {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			in := []byte(strings.Repeat(tc.piece, 1+300_000/len(tc.piece)))
			if d := Parse(in, 0); d.Root.End != len(in) {
				t.Errorf("root ends at %d of %d", d.Root.End, len(in))
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"# a\n\n- b\n  > c\n", "| a |\n| - |\n| b |", "[a]: b\n\n[a][] *c* `d`", "<p>\n*a*\n</p>\n", ":::a\n[b](c)\n:::"} {
		f.Add(s)
	}
	for _, tc := range hostile {
		f.Add(strings.Repeat(tc.piece, 3))
	}
	f.Fuzz(func(t *testing.T, in string) {
		d := Parse([]byte(in), 0)
		checkTree(t, d, d.Root)
	})
}
