package ignore

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMatch: the deepest file decides, the last of its lines first, and no
// file below an ignored directory is read.
func TestMatch(t *testing.T) {
	t.Parallel()
	files := map[string]string{".gitignore": "*.o\n/build/\n", "sub/.gitignore": "!keep.o\nLOCAL\n", "build/.gitignore": "!x\n"}
	var read []string
	s := New(Sources{
		Outside: []File{{"user", []byte("*.tmp\n*.log\n")}, {"info", []byte("!*.tmp\n")}},
		Read: func(path string) ([]byte, bool) {
			read = append(read, path)
			text, ok := files[path]
			return []byte(text), ok
		},
	})
	for _, tc := range []struct {
		path  string
		isDir bool
		want  *Rule
	}{
		{"a.o", false, &Rule{".gitignore", 1, "*.o"}},
		{"sub/a.o", false, &Rule{".gitignore", 1, "*.o"}},
		{"sub/keep.o", false, nil},
		{"sub/LOCAL", false, &Rule{"sub/.gitignore", 2, "LOCAL"}},
		{"sub/local", false, nil},
		{"LOCAL", false, nil},
		{"build", true, &Rule{".gitignore", 2, "/build/"}},
		{"build", false, nil},
		{"build/x", false, &Rule{".gitignore", 2, "/build/"}},
		{"build/deep/x", false, &Rule{".gitignore", 2, "/build/"}},
		{"a.log", false, &Rule{"user", 2, "*.log"}},
		{"a.tmp", false, nil},
	} {
		if diff := cmp.Diff(tc.want, s.Match(tc.path, tc.isDir)); diff != "" {
			t.Errorf("Match(%s, %v) (-want +got):\n%s", tc.path, tc.isDir, diff)
		}
	}
	slices.Sort(read)
	if diff := cmp.Diff([]string{".gitignore", "sub/.gitignore"}, read); diff != "" {
		t.Errorf("files read (-want +got):\n%s", diff)
	}
	folded := New(Sources{FoldCase: true, Read: func(path string) ([]byte, bool) { return []byte(files[path]), true }})
	if folded.Match("sub/local", false) == nil {
		t.Error("case counts, although it must not")
	}
}
