package discover

import (
	"fmt"
	"testing"
)

// BenchmarkDecide decides about 100,000 files in 11,000 directories, from a
// cold scope, under fifty globs.
func BenchmarkDecide(b *testing.B) {
	names := make([]string, 0, 100_000)
	exts := []string{"go", "ts", "json", "component.html", "md", "yaml", "bin", "d.ts", "py"}
	for d := range 11_000 {
		for f := range 9 {
			names = append(names, fmt.Sprintf("pkg%02d/mod%03d/internal/dir%05d/file%d.%s", d/500, d/20, d, f, exts[f]))
		}
	}
	tree := &fake{}
	for _, n := range names {
		tree.entries = append(tree.entries, newFake(n).entries...)
	}
	var list []string
	for i := range 50 {
		list = append(list, fmt.Sprintf("/gen%d/", i), fmt.Sprintf("*.tmp%d", i), fmt.Sprintf("pkg*/x%d", i))
	}
	req := Request{Tree: tree, Config: globs{".": list[:50]}.set()}
	b.ReportAllocs()
	for b.Loop() {
		s, err := New(b.Context(), req)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		var tally Tally
		for range s.Files(&tally) {
			n++
		}
		if n == 0 {
			b.Fatal("nothing in scope")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(names)), "ns/file")
}
