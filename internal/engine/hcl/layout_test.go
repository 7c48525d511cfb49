package hcl

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/hcl/v2/hclwrite"
)

// sources are texts with every kind of token.
func sources(t *testing.T) [][]byte {
	t.Helper()
	files, err := filepath.Glob("../../../testdata/hcl/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	out := [][]byte{[]byte(mixture)}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	return out
}

const mixture = `a=1 # one
bcd   = - 2 // two
/* x */ e = [ 1,2 , - 3 ] /* three */
f = { a=1, "b" : x.y [0] }
g = [ for k , v in [a,b] : k => v... if ! v && -v<=- 1 ]
h = provider::aws :: arn ( x.* . y , z [*].a)
"i" "j" k {
l = "x${ { a = 1 } }y${a}${b}%{ if c }z%{ endif }"
m = <<-EOT
    text ${ a + b } more
  EOT
n = f([{
a = 1
}], (
2))
é́ = 1 # wide
日本 = 22 # wider

o {}
p { q = 1 }
r = a ? - b : c - d % e * - f / g
}
`

// TestLayOut: hclwrite, which the format command uses, says the same, also of
// what is no HCL.
func TestLayOut(t *testing.T) {
	t.Parallel()
	judge := func(text []byte) {
		if got, want := layOut(text), hclwrite.Format(text); !bytes.Equal(got, want) {
			t.Fatalf("layOut(%q) =\n%s\nwant\n%s", text, got, want)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	parts := []string{"\n", " ", "\t", "  ", "{", "}", "[", "]", "(", ")", "=", ",", ".", "...", "-", "!", "in", "a", "1", "\"", "${", "%{", "~}", "# c\n", "/* c */", "/*\n*/", "::", "?", ":", "<<E\n", "E\n", "é́", "\r\n"}
	for _, text := range sources(t) {
		judge(text)
		for range 400 {
			broken := bytes.Clone(text)
			for range 1 + r.IntN(6) {
				at := r.IntN(len(broken) + 1)
				end := min(len(broken), at+r.IntN(3))
				broken = append(append(bytes.Clone(broken[:at]), parts[r.IntN(len(parts))]...), broken[end:]...)
			}
			judge(broken)
		}
	}
	for range 20000 {
		var text []byte
		for range r.IntN(30) {
			text = append(text, parts[r.IntN(len(parts))]...)
		}
		judge(text)
	}
}
