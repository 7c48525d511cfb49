package generic

import (
	"bytes"
	"fmt"

	"poly/internal/engine"
	"poly/internal/syntax"
)

// tidy writes the lines with their new blanks.
func (w *worker) tidy(l *layout) []byte {
	text := l.tree.Text
	out := make([]byte, 0, len(text)+len(text)/8)
	last := 0 // bytes up to the last line that is not blank
	for i := range l.lines {
		ln := &l.lines[i]
		from, end := ln.start, ln.end
		if !ln.frozen {
			from += len(ln.old)
			out = append(out, ln.now...)
		}
		if bare := bytes.TrimRight(text[ln.start:end], " \t"); w.globals.TrimTrailingWhitespace && !bytes.HasSuffix(bare, []byte(`\`)) {
			end = max(ln.start+len(bare), ln.solid)
			if end < from { // nothing but blanks
				out = out[:len(out)-len(ln.now)]
				from = end
			}
		}
		out = append(out, text[from:end]...)
		if end > ln.start || ln.open {
			last = len(out) + 1
		}
		if ln.end < len(text) {
			out = append(out, '\n')
		}
	}
	if w.globals.TrimTrailingWhitespace && last < len(out) {
		out = out[:last]
	}
	return out
}

// Same reports whether two texts have the same tree: the same nodes in the same
// places of it, the same text in each token, and nothing but blanks between.
func (w *worker) Same(before, after []byte) error {
	before, _ = engine.Plain(before)
	after, _ = engine.Plain(after)
	if bytes.Equal(before, after) {
		return nil
	}
	tree, err := w.parse(before)
	if err != nil {
		return err
	}
	was := &syntax.Tree{Language: tree.Language, Text: tree.Text, Nodes: append([]syntax.Node(nil), tree.Nodes...)}
	is, err := w.parse(after)
	if err != nil {
		return err
	}
	if len(was.Nodes) != len(is.Nodes) {
		return fmt.Errorf("%d nodes became %d", len(was.Nodes), len(is.Nodes))
	}
	b, a := reader{t: was}, reader{t: is}
	for i := range was.Nodes {
		x, y := &was.Nodes[i], &is.Nodes[i]
		if x.Kind != y.Kind || x.Parent != y.Parent || x.Field != y.Field || x.Flags != y.Flags {
			return fmt.Errorf("line %d: the tree would be another", b.row(x.Start))
		}
		if x.Children > 0 && !opaque(was.Language.KindName(x.Kind)) {
			continue
		}
		if tx, ty := was.NodeText(uint32(i)), is.NodeText(uint32(i)); !bytes.Equal(tx, ty) && len(bytes.TrimSpace(tx))+len(bytes.TrimSpace(ty)) > 0 {
			return fmt.Errorf("line %d: %.40q became %.40q", b.row(x.Start), tx, ty)
		}
	}
	return gaps(&b, &a)
}

// reader reads a text word by word.
type reader struct{ t *syntax.Tree }

func (r *reader) row(at uint32) int { return bytes.Count(r.t.Text[:at], []byte("\n")) + 1 }

// gaps compares the words of two texts, in which tokens are not told apart: a
// grammar may have tokens that are no nodes.
func gaps(before, after *reader) error {
	b, a := bytes.FieldsSeq(before.t.Text), bytes.Fields(after.t.Text)
	i := 0
	for word := range b {
		if i >= len(a) || !bytes.Equal(word, a[i]) {
			return fmt.Errorf("%.40q is gone", word)
		}
		i++
	}
	if i < len(a) {
		return fmt.Errorf("%.40q is new", a[i])
	}
	return nil
}
