package yamlfmt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/yamlfmt"
	"github.com/google/yamlfmt/formatters/basic"
	"github.com/google/yamlfmt/formatters/basic/features"
	upstream "github.com/google/yamlfmt/pkg/yaml"

	"poly/internal/engine"
)

// formatter is one bound configuration. It is not changed after bind.
type formatter struct {
	config  *basic.Config
	text    yamlfmt.FeatureList // work on the text before and after
	nodes   features.YAMLFeatureList
	globals engine.Globals
	files   bool // settings may come from a file of the yamlfmt command
}

func newFormatter(c *basic.Config, g engine.Globals) (*formatter, error) {
	nodes, err := basic.ConfigureYAMLFeaturesFromConfig(c)
	if err != nil {
		return nil, err
	}
	return &formatter{config: c, text: basic.ConfigureFeaturesFromConfig(c), nodes: nodes, globals: g}, nil
}

// format formats one file. Line ends, a byte order mark and the end of the
// file are handled here: the library sees text with "\n" only.
func (f *formatter) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if f.files && len(src.Inputs) > 0 {
		var err error
		if f, err = f.native(src.Inputs[0]); err != nil {
			return nil, err
		}
	}
	s, err := survey(ctx, src.Text)
	if err != nil {
		return nil, err
	}
	out := s.body
	if !s.nothing {
		if out, err = f.settle(ctx, s.body); err != nil {
			return nil, err
		}
	}
	out = s.restore(out, f.globals)
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// settle formats text until nothing changes. The library loses and reorders
// comments near blank lines that it removes, in the first pass or a later one;
// with blank lines kept it does not, so that is tried where the result would be
// refused.
func (f *formatter) settle(ctx context.Context, text []byte) ([]byte, error) {
	out, err := f.passes(ctx, text)
	_, skipped := engine.SkipReason(err)
	if f.config.RetainLineBreaks || err != nil && !skipped || err == nil && Same(text, out) == nil {
		return out, err
	}
	c := *f.config
	c.RetainLineBreaks, c.RetainLineBreaksSingle = true, false
	kept, fault := newFormatter(&c, f.globals)
	if fault != nil {
		return nil, fault
	}
	second, fault := kept.passes(ctx, text)
	if _, skipped := engine.SkipReason(fault); fault != nil && !skipped {
		return nil, fault
	} else if skipped || Same(text, second) != nil {
		return out, err
	}
	return second, nil
}

// maxPasses is how often a text is formatted at most.
const maxPasses = 5

// passes formats text until nothing changes; the result may still do so.
func (f *formatter) passes(ctx context.Context, text []byte) ([]byte, error) {
	for range maxPasses {
		out, err := f.library(ctx, text)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(out, text) {
			out = mend(text, out)
		}
		if bytes.Equal(out, text) {
			return out, nil
		}
		text = out
	}
	return text, nil
}

// library runs yamlfmt on text.
func (f *formatter) library(ctx context.Context, text []byte) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, engine.Skip(fmt.Sprintf("yamlfmt cannot format it: %v", r))
		}
	}()
	fctx, text, err := f.text.ApplyFeatures(ctx, text, yamlfmt.FeatureApplyBefore)
	if err != nil {
		return nil, refuse(err)
	}
	docs, err := f.decode(ctx, text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := f.encoder(&b)
	for i := range docs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := e.Encode(&docs[i]); err != nil {
			return nil, refuse(err)
		}
	}
	_, out, err = f.text.ApplyFeatures(fctx, b.Bytes(), yamlfmt.FeatureApplyAfter)
	if err != nil {
		return nil, refuse(err)
	}
	return out, nil
}

func refuse(err error) error { return engine.Skip("yamlfmt cannot format it: " + err.Error()) }

func (f *formatter) decode(ctx context.Context, text []byte) ([]upstream.Node, error) {
	d := upstream.NewDecoder(bytes.NewReader(text))
	d.SetScanBlockScalarAsLiteral(f.config.ScanFoldedAsLiteral)
	var docs []upstream.Node
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var n upstream.Node
		err := d.Decode(&n)
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return nil, refuse(err)
		}
		prepare(&n)
		if err := f.nodes.ApplyFeatures(n); err != nil {
			return nil, refuse(err)
		}
		docs = append(docs, n)
	}
}

// prepare walks a document and changes the nodes that the library would write
// out wrongly.
//
// A plain `<<` has been resolved to !!merge, a tag that many readers do not
// know and that would be written out. (google/yamlfmt#102)
//
// A block scalar that starts with a blank gets an indentation indicator, with
// the wrong number in a sequence and without its first blank line. Another
// value of the same form stands in for it until [mend].
func prepare(n *upstream.Node) {
	if n.Kind == upstream.ScalarNode {
		if n.Tag == "!!merge" && n.Style&upstream.TaggedStyle == 0 {
			n.Tag = ""
		}
		block := n.Style&(upstream.LiteralStyle|upstream.FoldedStyle) != 0
		if block && (strings.HasPrefix(n.Value, " ") || strings.HasPrefix(n.Value, "\n")) {
			kept := len(n.Value) - len(strings.TrimRight(n.Value, "\n"))
			n.Value = "x" + strings.Repeat("\n", kept)
		}
	}
	for _, c := range n.Content {
		prepare(c)
	}
}

// encoder returns an encoder with the settings that yamlfmt's command would use.
func (f *formatter) encoder(w io.Writer) *upstream.Encoder {
	c := f.config
	e := upstream.NewEncoder(w)
	e.SetIndent(c.Indent)
	if c.LineLength > 0 {
		e.SetWidth(c.LineLength)
	}
	if c.ArrayIndent > 0 {
		e.SetArrayIndent(c.ArrayIndent)
	}
	e.SetIndentRootArray(c.IndentRootArray)
	e.SetExplicitDocumentStart(c.IncludeDocumentStart)
	e.SetAssumeBlockAsLiteral(c.ScanFoldedAsLiteral)
	e.SetIndentlessBlockSequence(c.IndentlessArrays)
	e.SetDropMergeTag(c.DropMergeTag)
	e.SetPadLineComments(c.PadLineComments)
	e.SetCorrectAliasKeys(!c.DisableAliasKeyCorrection)
	return e
}
