package uncomment

import (
	"bytes"
	"context"
	"slices"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/syntax"
)

// cut returns the edit that takes a comment away: its lines if it is alone on
// them, else the comment and the blanks before it. It returns nil for a comment
// that holds other things apart or is needed where it stands.
func (f *file) cut(c *comment) *diag.Edit {
	if up := f.tree.Nodes[c.node].Parent; up != syntax.NoParent && f.tree.Language.KindName(f.tree.Nodes[up].Kind) == "jsx_expression" {
		return nil
	}
	start, end := c.start, c.end
	before := start - len(f.text[:start]) + len(bytes.TrimRight(f.text[:start], " \t"))
	after := end + len(f.text[end:]) - len(bytes.TrimLeft(f.text[end:], " \t"))
	first := f.column(start) >= 0
	switch {
	case c.alone:
		start -= f.column(start)
		if i := bytes.IndexByte(f.text[end:], '\n'); i >= 0 {
			end += i + 1
		} else {
			end = len(f.text)
		}
	case first: // code follows: it keeps its place in the line
		end = after
	case blankLine(f.text[end:]):
		start, end = before, after
	case bytes.IndexByte(f.text[start:end], '\n') >= 0:
		return nil // it may end a statement
	case before < start:
		start = before
	case after > end:
		end = after
	case before > 0 && bytes.IndexByte([]byte("([{,;"), f.text[before-1]) < 0 && after < len(f.text) && bytes.IndexByte([]byte(")]},;"), f.text[after]) < 0:
		return nil
	}
	return &diag.Edit{Start: start, End: end}
}

// single is how many comments are tried one by one.
const single = 64

// settle leaves out what the tree would not be the same without.
func (w *worker) settle(ctx context.Context, f *file, all []diag.Diagnostic) ([]diag.Diagnostic, error) {
	if len(all) == 0 || w.same(f, all) {
		return all, ctx.Err()
	}
	if len(all) > single {
		return nil, engine.Skip("without the comments its tree would be another")
	}
	var out []diag.Diagnostic
	for i := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if w.same(f, all[i:i+1]) {
			out = append(out, all[i])
		}
	}
	if len(out) > 0 && !w.same(f, out) {
		return nil, engine.Skip("without the comments its tree would be another")
	}
	return out, nil
}

// same reports whether the tree without its comments stays as it is if the fixes
// are applied.
func (w *worker) same(f *file, all []diag.Diagnostic) bool {
	out := make([]byte, 0, len(f.text))
	at := 0
	for i := range all {
		for _, e := range all[i].Fix {
			if e.Start < at {
				return false
			}
			out = append(out, f.text[at:e.Start]...)
			at = e.End
		}
	}
	out = append(out, f.text[at:]...)
	after, err := w.snippet.Parse(f.tree.Language, out)
	return err == nil && !after.Nodes[0].Is(syntax.HasError) && slices.EqualFunc(solid(f.tree), solid(after), token.equal)
}

// token is a node that is no comment: its kind, how deep it is, and its text if
// nothing is below it.
type token struct {
	kind  syntax.Kind
	field syntax.Field
	depth int
	text  []byte
}

func (t token) equal(u token) bool {
	return t.kind == u.kind && t.field == u.field && t.depth == u.depth && bytes.Equal(t.text, u.text)
}

// solid returns the nodes of a tree that are neither comments nor blank.
func solid(t *syntax.Tree) []token {
	out := make([]token, 0, len(t.Nodes))
	depths := make([]int, len(t.Nodes))
	for i := uint32(0); int(i) < len(t.Nodes); {
		n := &t.Nodes[i]
		if n.Parent != syntax.NoParent {
			depths[i] = depths[n.Parent] + 1
		}
		if isComment(t, i) {
			i = max(n.Next, i+1)
			continue
		}
		x := token{kind: n.Kind, field: n.Field, depth: depths[i]}
		if n.Next == i+1 {
			x.text = bytes.TrimSpace(t.NodeText(i))
		}
		if n.Next != i+1 || len(x.text) > 0 || n.Is(syntax.Named) {
			out = append(out, x)
		}
		i++
	}
	return out
}
