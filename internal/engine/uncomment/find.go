package uncomment

import (
	"bytes"
	"strings"

	"poly/internal/diag"
	"poly/internal/lang"
	"poly/internal/syntax"
)

// dialect is what is known of the comments of a language.
type dialect struct {
	lang    lang.ID
	grammar string
	line    string   // what starts a comment that ends with the line, blank-separated
	docs    string   // what starts a comment that documents, blank-separated
	wraps   []string // what may stand around a statement: the text is put where the % is
	above   string   // kinds of declarations that a comment right above documents
	semi    bool     // statements end with a semicolon, or a line of its own starts or ends a block
}

const slashDocs = "/** /*! /// //!"

// dialects is a function because a table of slices would cost every start.
func dialects() []dialect {
	class := "class X {\n%\n}"
	return []dialect{
		{lang: "c", grammar: "c", line: "//", docs: slashDocs + " //<", semi: true},
		{lang: "cpp", grammar: "cpp", line: "//", docs: slashDocs + " //<", semi: true, wraps: []string{class + ";"}},
		{lang: "csharp", grammar: "csharp", line: "//", docs: slashDocs, semi: true, wraps: []string{class}},
		{lang: "css", grammar: "css", docs: "/** /*!", semi: true, wraps: []string{"x {\n%\n}"}},
		{lang: "dart", grammar: "dart", line: "//", docs: slashDocs, semi: true, wraps: []string{"void x() {\n%\n}", class}},
		{lang: "dockerfile", grammar: "dockerfile", line: "#"},
		{lang: "elixir", grammar: "elixir", line: "#"},
		{
			lang: "go", grammar: "go", line: "//",
			above: "package_clause import_declaration function_declaration method_declaration type_declaration const_declaration var_declaration " +
				"type_spec type_alias const_spec var_spec field_declaration method_elem method_spec",
		},
		{lang: "haskell", grammar: "haskell", line: "--", docs: "{-| {-^ {-|"},
		{lang: "hcl", grammar: "hcl", line: "# //"},
		{lang: "java", grammar: "java", line: "//", docs: slashDocs, semi: true, wraps: []string{class}},
		{lang: "javascript", grammar: "javascript", line: "//", docs: slashDocs, wraps: []string{class}},
		{lang: "jsx", grammar: "javascript", line: "//", docs: slashDocs, wraps: []string{class}},
		{lang: "kotlin", grammar: "kotlin", line: "//", docs: slashDocs, wraps: []string{class}},
		{lang: "lua", grammar: "lua", line: "--", docs: "---"},
		{lang: "nix", grammar: "nix", line: "#", docs: "/**", wraps: []string{"{\n%\n}"}},
		{lang: "php", grammar: "php", line: "// #", docs: slashDocs, semi: true, wraps: []string{"<?php\n%\n", "<?php\n" + class}},
		{lang: "python", grammar: "python", line: "#", docs: "#:"},
		{lang: "ruby", grammar: "ruby", line: "#", above: "method singleton_method class module"},
		{lang: "rust", grammar: "rust", line: "//", docs: slashDocs, semi: true},
		{lang: "scala", grammar: "scala", line: "//", docs: slashDocs, wraps: []string{class}},
		{lang: "shell", grammar: "bash", line: "#"},
		{lang: "solidity", grammar: "solidity", line: "//", docs: slashDocs, semi: true, wraps: []string{"contract X {\n%\n}", "contract X { function x() {\n%\n} }"}},
		{lang: "sql", grammar: "sql", line: "--", semi: true},
		{lang: "swift", grammar: "swift", line: "//", docs: slashDocs},
		{lang: "toml", grammar: "toml", line: "#"},
		{lang: "tsx", grammar: "tsx", line: "//", docs: slashDocs, wraps: []string{class}},
		{lang: "typescript", grammar: "typescript", line: "//", docs: slashDocs, wraps: []string{class}},
		{lang: "yaml", grammar: "yaml", line: "#"},
		{lang: "zig", grammar: "zig", line: "//", docs: "/// //!", semi: true, wraps: []string{"fn x() void {\n%\n}"}},
	}
}

func dialectOf(l lang.ID) *dialect {
	for _, d := range dialects() {
		if d.lang == l {
			return &d
		}
	}
	return nil
}

// comment is a comment of a file.
type comment struct {
	node       uint32
	start, end int  // without the end of its line
	alone      bool // nothing else is on its lines
	doc        bool
	cut        *diag.Edit // that takes it away; nil: it stays
}

// block are comments on lines that follow one another.
type block []comment

// file is a text and the comments in it.
type file struct {
	dialect *dialect
	tree    *syntax.Tree
	text    []byte
	blocks  []block
}

// isComment reports whether a node is a comment.
func isComment(t *syntax.Tree, i uint32) bool {
	n := &t.Nodes[i]
	if !n.Is(syntax.Named) || n.Is(syntax.Missing) {
		return false
	}
	return has("comment line_comment block_comment multiline_comment documentation_comment js_comment html_comment haddock", t.Language.KindName(n.Kind))
}

// has reports whether word is one of the words of a list.
func has(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// find finds the comments and the blocks they make.
func (f *file) find() {
	nodes := f.tree.Nodes
	for i := uint32(0); int(i) < len(nodes); {
		if !isComment(f.tree, i) {
			i++
			continue
		}
		c := f.comment(i)
		if n := len(f.blocks); n > 0 && f.follows(f.blocks[n-1], c) {
			f.blocks[n-1] = append(f.blocks[n-1], c)
		} else {
			f.blocks = append(f.blocks, block{c})
		}
		i = max(nodes[i].Next, i+1)
	}
	for _, b := range f.blocks {
		f.document(b)
	}
}

// comment describes a comment.
func (f *file) comment(i uint32) comment {
	n := &f.tree.Nodes[i]
	c := comment{node: i, start: int(n.Start), end: int(n.End)}
	c.end = c.start + len(bytes.TrimRight(f.text[c.start:c.end], "\r\n"))
	c.alone = f.column(c.start) >= 0 && blankLine(f.text[c.end:])
	text := string(f.text[c.start:c.end])
	for d := range strings.FieldsSeq(f.dialect.docs) {
		// A rule of stars or slashes, and an empty comment, document nothing.
		if rest, ok := strings.CutPrefix(text, d); ok && text != "/**/" && (rest == "" || !strings.ContainsAny(rest[:1], "/*-")) {
			c.doc = true
		}
	}
	kind := f.tree.Language.KindName(n.Kind)
	c.doc = c.doc || kind == "haddock" || kind == "documentation_comment"
	c.cut = f.cut(&c)
	return c
}

// column returns how many blanks stand in a line before an offset, or -1 if
// there is something else.
func (f *file) column(at int) int {
	line := f.text[bytes.LastIndexByte(f.text[:at], '\n')+1 : at]
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(line)) > 0 {
		return -1
	}
	return len(line)
}

// place returns in which column of its line an offset is.
func (f *file) place(at int) int { return at - bytes.LastIndexByte(f.text[:at], '\n') }

// blankLine reports whether nothing but blanks stands before the end of the line.
func blankLine(text []byte) bool {
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		text = text[:end]
	}
	return len(bytes.TrimSpace(text)) == 0
}

// follows reports whether a comment stands in the line below the last one of a
// block and belongs to it.
func (f *file) follows(b block, c comment) bool {
	last := b[len(b)-1]
	gap := f.text[last.end:c.start]
	if len(bytes.TrimSpace(gap)) > 0 {
		return false
	}
	switch bytes.Count(gap, []byte("\n")) {
	case 0:
		return true
	case 1:
		return c.alone && (last.alone || f.place(last.start) == f.place(c.start))
	}
	return false
}

// document marks comments that document by their place.
func (f *file) document(b block) {
	if f.dialect.above == "" {
		return
	}
	nodes, last := f.tree.Nodes, b[len(b)-1]
	next := nodes[last.node].Next
	if b[0].alone && int(next) < len(nodes) && bytes.Count(f.text[last.end:max(last.end, int(nodes[next].Start))], []byte("\n")) <= 1 && f.declares(next) {
		b.mark()
	}
	if !b[0].alone && f.dialect.grammar == "go" { // behind a field or a constant
		for i := nodes[b[0].node].Parent; i != syntax.NoParent; i = nodes[i].Parent {
			if has("field_declaration_list const_declaration var_spec_list interface_type", f.tree.Language.KindName(nodes[i].Kind)) {
				b.mark()
			}
		}
	}
}

func (b block) mark() {
	for i := range b {
		b[i].doc = true
	}
}

// declares reports whether a declaration, other than of a local variable, starts
// with node i.
func (f *file) declares(i uint32) bool {
	nodes := f.tree.Nodes
	start := nodes[i].Start
	for ; i != syntax.NoParent && nodes[i].Start == start; i = nodes[i].Parent {
		if !has(f.dialect.above, f.tree.Language.KindName(nodes[i].Kind)) {
			continue
		}
		up := nodes[i].Parent
		return up == syntax.NoParent || !has("block statement_list", f.tree.Language.KindName(nodes[up].Kind))
	}
	return false
}
