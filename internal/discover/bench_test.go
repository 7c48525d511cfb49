package discover

import (
	"fmt"
	"testing"
)

// BenchmarkDecide decides about 99,000 files in 11,000 directories, from a cold
// scope, under some globs of each kind.
func BenchmarkDecide(b *testing.B) {
	tree := &fake{}
	exts := []string{"go", "ts", "json", "component.html", "md", "yaml", "bin", "d.ts", "py"}
	for d := range 11_000 {
		for f, ext := range exts {
			name := fmt.Sprintf("pkg%02d/mod%03d/internal/dir%05d/file%d.%s", d/500, d/20, d, f, ext)
			tree.entries = append(tree.entries, newFake(name).entries...)
		}
	}
	for _, each := range []int{0, 8, 50} {
		var list []string
		for i := range each {
			list = append(list, fmt.Sprintf("/gen%d/", i), fmt.Sprintf("*.tmp%d", i), fmt.Sprintf("docs%d/*.md", i))
		}
		b.Run(fmt.Sprintf("globs=%d", 3*each), func(b *testing.B) {
			req := Request{Tree: tree, Config: globs{".": list}.set()}
			b.ReportAllocs()
			for b.Loop() {
				s, err := New(b.Context(), req)
				if err != nil {
					b.Fatal(err)
				}
				n := 0
				for range s.Files(&Tally{}) {
					n++
				}
				if n == 0 {
					b.Fatal("nothing in scope")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tree.Len()), "ns/file")
		})
	}
}
