package xml

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
)

// formatter lays out documents.
type formatter struct{ globals engine.Globals }

// format indents the elements of a document that have no text of their own.
func (f *formatter) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if reason := notJudged(src); reason != "" {
		return nil, engine.Skip(reason)
	}
	if len(bytes.TrimSpace(src.Text)) == 0 {
		return src.Text, nil
	}
	r := &reader{src: src.Text}
	r.run()
	if r.fault != nil {
		line, _ := diag.NewLines(src.Text).Position(r.fault.start)
		return nil, engine.Skip(fmt.Sprintf("not well-formed: line %d: %s", line, r.fault.title))
	}
	if r.attlists && bytes.Contains(src.Text, []byte("xml:space")) {
		return nil, engine.Skip("its DTD may ask to keep blanks")
	}
	text, ends := engine.Plain(src.Text)
	if bytes.IndexByte(text, '\r') >= 0 {
		return nil, engine.Skip("a carriage return alone")
	}
	s := &scanner{text: text}
	nodes := s.nodes(0)
	if s.deep || s.at < len(text) {
		return nil, engine.Skip("nests too deeply")
	}
	p := &printer{text: text, tab: max(1, f.globals.IndentWidth), out: make([]byte, 0, len(text)+len(text)/8)}
	p.unit = f.unit(p, nodes)
	p.document(nodes)
	out := ends.Restore(p.out, f.globals)
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// maxUnit is the widest indentation that is taken for one level.
const maxUnit = 8

// unit is the indentation of one level: what is configured, else what the first
// line inside of the root has, else the default.
func (f *formatter) unit(p *printer, nodes []node) string {
	g := f.globals
	given := g.Given(config.GivenIndentWidth) || g.Given(config.GivenIndentStyle)
	for i := range nodes {
		n := &nodes[i]
		if given || n.kind != elementNode || !p.free(n) {
			continue
		}
		gap := p.source(&n.children[0])
		gap = gap[bytes.LastIndexByte(gap, '\n')+1:]
		if width := len(gap); width > 0 && gap[0] == '\t' {
			return "\t"
		} else if 0 < width && width <= maxUnit && bytes.IndexByte(gap, '\t') < 0 {
			return string(gap)
		}
	}
	if g.Tabs {
		return "\t"
	}
	return strings.Repeat(" ", g.IndentWidth)
}
