// Package generic tidies files of languages that have no formatter: it indents
// what stands in braces, takes blanks at line ends away, and changes no token.
//
// It reads the syntax tree, touches nothing but blanks between tokens, and lets
// a file be whose tree would be another afterwards. A line moves only where the
// tree says that it starts a statement or a member directly in a block; what
// belongs to such a line moves with it, so that hand-made alignment stays.
package generic

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
	"poly/internal/syntax"
)

const engineName = "generic"

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     engineName,
		Revision: 1,
		Langs: []lang.ID{
			"c", "cpp", "csharp", "dart", "elixir", "haskell", "java", "kotlin", "nix", "ruby", "rust", "scala", "solidity", "swift", "zig",
		},
		Verbs: engine.Format,
		Doc: "Indents and tidies languages without a formatter of their own, and changes no token.\n\n" +
			"In C, C++, C#, Dart, Java, Kotlin, Rust, Solidity, Swift and Zig a statement or a member that stands directly in a " +
			"block gets the indentation of the block and one level; what belongs to it moves along. A level is what most blocks " +
			"of the file have, unless [defaults] or .editorconfig says. Bodies of switch, of namespaces, of macros, labels, " +
			"preprocessor lines and everything that brackets do not settle keep their place. In Elixir, Haskell, Nix, Ruby and Scala, " +
			"where blanks mean something, blanks at the end of lines and blank lines at the end of the file go, and that is all.\n\n" +
			"Comments, strings and here-documents are never touched. A file the grammar cannot read without an error, and one whose " +
			"syntax tree would be another afterwards, is left alone and reported as skipped.",
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	s := styleOf(e.Lang)
	if s == nil {
		return engine.Bound{}, fmt.Errorf("%s: not a language of %s", e.Lang, engineName)
	}
	return engine.Bound{
		Open: func(context.Context) (engine.Worker, error) {
			return &worker{style: s, globals: e.Globals}, nil
		},
		Same: func(before, after []byte) error {
			w := worker{style: s}
			defer w.parser.Close()
			return w.Same(before, after)
		},
		Settled: true,
	}, nil
}

type worker struct {
	style   *style
	globals engine.Globals
	parser  syntax.Parser
}

// Lint does nothing.
func (w *worker) Lint(ctx context.Context, _ engine.Source) ([]diagnostic, error) {
	return nil, ctx.Err()
}

// Close frees the parser.
func (w *worker) Close() error {
	w.parser.Close()
	return nil
}

// passes is how often a text is formatted until it stays as it is.
const passes = 4

// Format returns the text tidied up.
func (w *worker) Format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	plain, ends := engine.Plain(src.Text)
	if bytes.IndexByte(plain, 0) >= 0 || bytes.IndexByte(plain, '\r') >= 0 || len(bytes.TrimSpace(plain)) == 0 {
		return src.Text, nil
	}
	if longLine(plain) {
		return nil, engine.Skip("a line has more than 20,000 bytes")
	}
	if ends.Mixed && !w.globals.CRLF && !w.globals.LF {
		return nil, engine.Skip("its lines end in two ways")
	}
	out, err := w.settle(ctx, plain)
	if err != nil {
		return nil, err
	}
	if out = ends.Restore(bytes.Clone(out), w.globals); bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// longLine reports whether some line is so long that nobody wrote it.
func longLine(text []byte) bool {
	for line := range bytes.Lines(text) {
		if len(line) > 20_000 {
			return true
		}
	}
	return false
}

// settle formats until nothing changes.
func (w *worker) settle(ctx context.Context, text []byte) ([]byte, error) {
	for range passes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out, err := w.pass(text)
		if err != nil || bytes.Equal(out, text) {
			return out, err
		}
		text = out
	}
	return nil, engine.Skip("its layout does not settle")
}

// pass formats once. The guard compares the trees in the end.
func (w *worker) pass(text []byte) ([]byte, error) {
	tree, err := w.parse(text)
	if err != nil {
		return nil, err
	}
	return w.tidy(layoutOf(w.style, tree, w.unit)), nil
}

// parse returns the tree of a text that has no error, or a Skip.
func (w *worker) parse(text []byte) (*syntax.Tree, error) {
	l, ok := syntax.ByName(w.style.grammar)
	if !ok {
		return nil, fmt.Errorf("no grammar %s", w.style.grammar)
	}
	tree, err := w.parser.Parse(l, text)
	switch {
	case errors.Is(err, syntax.ErrNotBuilt):
		return nil, engine.Skip("its grammar is not built in: run make engines")
	case err != nil:
		return nil, engine.Skip(err.Error())
	}
	if tree.Nodes[0].Is(syntax.HasError) {
		return nil, engine.Skip(fmt.Sprintf("line %d is not understood", errorLine(tree)))
	}
	return tree, nil
}

// errorLine returns the line of the first error.
func errorLine(t *syntax.Tree) int {
	at := t.Nodes[0].Start
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Kind == syntax.KindError || n.Is(syntax.Missing) {
			at = n.Start
			break
		}
	}
	return bytes.Count(t.Text[:at], []byte("\n")) + 1
}

// unit returns a level of indentation: what was asked for, else what the file
// has, else what people use.
func (w *worker) unit(seen map[string]int) string {
	g := w.globals
	if !g.Given(config.GivenIndentWidth) && !g.Given(config.GivenIndentStyle) {
		best := ""
		for s, n := range seen {
			if n > seen[best] || n == seen[best] && (len(s) < len(best) || len(s) == len(best) && s < best) {
				best = s
			}
		}
		if best != "" {
			return best
		}
	}
	if g.Tabs {
		return "\t"
	}
	return string(bytes.Repeat([]byte(" "), max(1, g.IndentWidth)))
}
