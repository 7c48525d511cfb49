package yamlfmt

import (
	"fmt"
	"io"
	"strings"

	upstream "github.com/google/yamlfmt/pkg/yaml"

	"poly/internal/engine"
)

// prepare walks a document, applies the settings that work on nodes and changes
// the nodes that the library would write out wrongly.
func (s *settings) prepare(n *upstream.Node) error {
	if s.noAnchors && n.Anchor != "" {
		return engine.Skip(fmt.Sprintf("it has the anchor %q, and disallow_anchors is set", n.Anchor))
	}
	switch n.Kind {
	case upstream.ScalarNode:
		scalar(n)
		s.requote(n)
	case upstream.SequenceNode:
		switch s.arrays {
		case "flow":
			n.Style |= upstream.FlowStyle
		case "block":
			n.Style &^= upstream.FlowStyle
		}
	}
	for _, c := range n.Content {
		if err := s.prepare(c); err != nil {
			return err
		}
	}
	return nil
}

// scalar changes a scalar that would be written out wrongly.
//
// A plain `<<` has been resolved to !!merge, a tag that many readers do not
// know and that would be written out. (google/yamlfmt#102)
//
// A block scalar that starts with a blank gets an indentation indicator, with
// the wrong number in a sequence and without its first blank line. Another
// value of the same form stands in for it until [mend].
func scalar(n *upstream.Node) {
	if n.Tag == "!!merge" && n.Style&upstream.TaggedStyle == 0 {
		n.Tag = ""
	}
	block := n.Style&(upstream.LiteralStyle|upstream.FoldedStyle) != 0
	if block && (strings.HasPrefix(n.Value, " ") || strings.HasPrefix(n.Value, "\n")) {
		kept := len(n.Value) - len(strings.TrimRight(n.Value, "\n"))
		n.Value = "x" + strings.Repeat("\n", kept)
	}
}

func (s *settings) requote(n *upstream.Node) {
	switch {
	case s.quotes == "single" && n.Style == upstream.DoubleQuotedStyle:
		n.Style = upstream.SingleQuotedStyle
	case s.quotes == "double" && n.Style == upstream.SingleQuotedStyle:
		n.Style = upstream.DoubleQuotedStyle
	}
}

// encoder returns an encoder with the settings that yamlfmt's command would use.
func (s *settings) encoder(w io.Writer) *upstream.Encoder {
	e := upstream.NewEncoder(w)
	e.SetIndent(s.indent)
	if s.width > 0 {
		e.SetWidth(s.width)
	}
	if s.arrayIndent > 0 {
		e.SetArrayIndent(s.arrayIndent)
	}
	e.SetIndentRootArray(s.rootArray)
	e.SetExplicitDocumentStart(s.documentStart)
	e.SetAssumeBlockAsLiteral(s.foldedLiteral)
	e.SetIndentlessBlockSequence(s.indentless)
	e.SetDropMergeTag(s.dropMerge)
	e.SetPadLineComments(s.pad)
	e.SetCorrectAliasKeys(!s.bareAliasKeys)
	return e
}
