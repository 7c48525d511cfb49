//go:build cgo && !notreesitter

package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cst writes a tree as "ast-grep run --debug-query=cst" does.
func cst(t *Tree) string {
	var b strings.Builder
	depth := map[uint32]int{NoParent: -1}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		depth[uint32(i)] = depth[n.Parent] + 1
		b.WriteString(strings.Repeat("  ", depth[uint32(i)]))
		if n.Is(Missing) {
			b.WriteString("MISSING ")
		}
		if n.Field != 0 {
			b.WriteString(t.Language.FieldName(n.Field) + ": ")
		}
		fmt.Fprintf(&b, "%s %s-%s\n", t.Language.KindName(n.Kind), place(t.Text, n.Start), place(t.Text, n.End))
	}
	return b.String()
}

func place(text []byte, at uint32) string {
	before := string(text[:at])
	line := strings.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("(%d,%d)", strings.Count(before, "\n"), len(before[line:]))
}

// TestReference: every grammar parses its sample to the tree of ast-grep 0.51.1,
// which wrote the .cst files, and where ast-grep does not know the language to
// one without an error. A grammar that is not built in fails: make engines.
func TestReference(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("testdata", l.Name+".sample"))
			if err != nil {
				t.Fatal(err)
			}
			tree := parse(t, l.Name, string(text))
			want, err := os.ReadFile(filepath.Join("testdata", l.Name+".cst"))
			if err != nil {
				if tree.Nodes[0].Is(HasError) || len(tree.Nodes) < 20 {
					t.Errorf("the sample is\n%s", cst(tree))
				}
				return
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(cst(tree), "\n")); diff != "" {
				t.Errorf("another tree than ast-grep's:\n%s", diff)
			}
		})
	}
}
