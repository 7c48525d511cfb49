// Package mdtree parses Markdown into a tree in which every construct knows
// where it stands in the source: container prefixes, sequences, labels, cells.
// It reads CommonMark with the extensions that linters of Markdown expect:
// tables, footnotes, literal autolinks, directives and math. Where readers of
// Markdown differ it follows micromark, on which markdownlint stands.
//
// It never fails: every text is Markdown. It renders nothing.
package mdtree

import "slices"

// Kind tells what a node is.
type Kind uint8

// The kinds of nodes. A comment names the children that matter.
const (
	Root Kind = iota

	BlockQuote
	ListOrdered        // ListPrefix and the blocks of its items
	ListUnordered      // the same
	ListPrefix         // ListMarker, ListSpace
	ListMarker         // `-`, or the digits and what follows them
	ListSpace          // between marker and content; absent in an empty item
	FootnoteDefinition // FootnoteLabel, blocks
	FootnoteLabel      // without `[^` and `]`

	ATXHeading      // HeadingSequence, HeadingSpace, HeadingText
	SetextHeading   // HeadingText, SetextLine
	HeadingSequence // the `#`s on either side
	HeadingSpace
	HeadingText // inlines
	SetextLine  // the underline

	CodeFenced    // Fence, CodeLine
	Fence         // FenceSequence, FenceInfo, FenceMeta
	FenceSequence // the ticks or tildes
	FenceInfo     // the language
	FenceMeta     // what follows it
	CodeIndented  // CodeLine
	CodeLine      // a line of code that is not empty, without its indentation

	MathFlow
	HTMLFlow // the same lines once more, as blocks without HTML; nothing for a comment
	ThematicBreak
	DirectiveContainer // blocks
	DirectiveLeaf      // inlines of its label

	Paragraph             // inlines
	Definition            // DefinitionLabel, DefinitionDestination
	DefinitionLabel       // without brackets
	DefinitionDestination // without angle brackets

	Table             // TableRow, TableDelimiterRow
	TableRow          // TableDivider, TableSpace, TableText in the order of the source
	TableDelimiterRow // the same
	TableDivider      // a `|`
	TableSpace
	TableText // of a cell; inlines

	Data // plain text of one line
	LineEnding
	LineSuffix // blanks at the end of a line of text that do not break it
	HardBreak  // a backslash or blanks at the end of a line
	Escape     // backslash and character
	CharacterReference
	CodeText // CodeData, CodePadding
	CodeData
	CodePadding
	MathText // MathData
	MathData
	Emphasis         // EmphasisSequence, EmphasisText, EmphasisSequence
	EmphasisSequence // one marker
	EmphasisText     // inlines
	Strong           // StrongSequence, StrongText, StrongSequence
	StrongSequence   // two markers
	StrongText       // inlines
	Link             // Label, then Resource or Reference or nothing
	Image            // the same
	Label            // LabelText
	LabelText        // inlines
	Reference        // ReferenceString, nothing in `[]`
	ReferenceString
	Resource            // ResourceDestination, ResourceTitle
	ResourceDestination // without angle brackets
	ResourceTitle       // without quotes
	Autolink            // `<...>`
	LiteralAutolink
	HTMLText
	FootnoteCall
	DirectiveText // inlines of its label

	kinds // how many there are
)

// Node is a construct and its parts. [Start, End) is its range in the source,
// in bytes.
type Node struct {
	Kind Kind
	// HTML: it was found in the second reading of a block of HTML.
	HTML bool
	// Angle: a destination stands in angle brackets, or an autolink is an address.
	Angle      bool
	Start, End int
	Parent     *Node
	Children   []*Node
	// Cells of a table row: where each starts.
	Cells []int
}

// PrefixKind tells what a [Prefix] is.
type PrefixKind uint8

// The kinds of prefixes.
const (
	LinePrefix  PrefixKind = iota // blanks before a block, or before a line of one
	QuotePrefix                   // `>` and the blank after it
)

// Prefix is what stands before the content of a line. Blanks that belong to
// code or that indent the content of a list are none.
type Prefix struct {
	Kind       PrefixKind
	InCode     bool // of an indented code block
	Start, End int
}

// Undefined is something in brackets that would be a link or an image if its
// label were defined.
type Undefined struct {
	Start, End int
	Label      string
	Shortcut   bool // `[label]` alone
}

// Doc is a parsed text.
type Doc struct {
	Text  []byte
	Root  *Node
	Lines []Line // of the part that was parsed; the last may be empty
	// Prefixes in the order of the source.
	Prefixes []Prefix
	// Undefined labels outside of HTML blocks.
	Undefined []Undefined

	byKind [kinds][]*Node
}

// Line is the range of a line without its line ending.
type Line struct{ Start, End int }

// Parse reads text from the offset start on. Text must not change as long as
// the result is used.
func Parse(text []byte, start int) *Doc {
	d := &Doc{Text: text, Lines: splitLines(text, start)}
	p := newParser(d)
	d.Root = p.node(Root, start, len(text), nil)
	lines := make([]line, len(d.Lines))
	for i, l := range d.Lines {
		lines[i] = line{start: l.Start, end: l.End}
	}
	p.document(lines, d.Root)
	p.inlines()
	d.index(d.Root)
	return d
}

// index notes the nodes below n by kind, in the order of the source.
func (d *Doc) index(n *Node) {
	for _, c := range n.Children {
		d.byKind[c.Kind] = append(d.byKind[c.Kind], c)
		d.index(c)
	}
}

// All returns the nodes of a kind in the order of the source, also those of
// HTML blocks. The slice must not be changed.
func (d *Doc) All(k Kind) []*Node { return d.byKind[k] }

// Source returns the source of n.
func (d *Doc) Source(n *Node) []byte { return d.Text[n.Start:n.End] }

// LineAt returns the index in Lines of the line that holds the offset; a line
// ending belongs to the line it ends.
func (d *Doc) LineAt(offset int) int {
	lo, hi := 0, len(d.Lines)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; d.Lines[mid].Start <= offset {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// adopt adds children to n.
func (n *Node) adopt(children ...*Node) {
	for _, c := range children {
		c.Parent = n
	}
	n.Children = append(n.Children, children...)
}

// Child returns the first child of one of the kinds, nil if there is none.
func (n *Node) Child(kinds ...Kind) *Node {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if slices.Contains(kinds, c.Kind) {
			return c
		}
	}
	return nil
}

// Within returns the nearest node above n that is of one of the kinds, nil if
// there is none.
func (n *Node) Within(kinds ...Kind) *Node {
	for p := n.Parent; p != nil; p = p.Parent {
		if slices.Contains(kinds, p.Kind) {
			return p
		}
	}
	return nil
}

// splitLines returns the lines of text from start on. A text that ends with a
// line ending has an empty last line.
func splitLines(text []byte, start int) []Line {
	out := make([]Line, 0, 1+len(text)/32)
	at := start
	for i := start; i < len(text); i++ {
		switch text[i] {
		case '\n':
			out = append(out, Line{at, i})
			at = i + 1
		case '\r':
			out = append(out, Line{at, i})
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			at = i + 1
		}
	}
	return append(out, Line{at, len(text)})
}
