package attr

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/gitstate/entry"
	"poly/internal/testutil"
)

// setOf makes a Set of a map of in-tree files and the outer texts.
func setOf(files map[string]string, info, global string) *Set {
	var dirs []string
	for name := range files {
		dirs = append(dirs, entry.Dir(name))
	}
	return New(Sources{
		Outside: [][]byte{[]byte(global)}, Info: []byte(info), Dirs: dirs,
		Read: func(p string) ([]byte, bool) { t, ok := files[p]; return []byte(t), ok },
	})
}

func TestAttributes(t *testing.T) {
	t.Parallel()
	a := setOf(map[string]string{
		".gitattributes":     "\ufeff* text=auto\n*.bin binary\n\"a b\\t\" quoted\n[attr]mine one -two three=3\n*.m mine\nvendor/ linguist-vendored\n!x y\n*.bad a@b\n",
		"sub/.gitattributes": "*.go !text -diff\n[attr]no a\n/x.go eol=lf\n",
	}, "*.info x=1\n", "* global\n*.go text=set\n")
	for _, tc := range []struct{ path, name, want string }{
		{"x", "text", "auto"},
		{"x", "global", "set"},
		{"a.bin", "text", "unset"},
		{"a.bin", "binary", "set"},
		{"d/a.bin", "diff", "unset"},
		{"d/a b\t", "quoted", "set"},
		{"q.m", "one", "set"},
		{"q.m", "two", "unset"},
		{"q.m", "three", "3"},
		{"sub/x.go", "text", ""},
		{"sub/x.go", "diff", "unset"},
		{"sub/x.go", "eol", "lf"},
		{"sub/d/x.go", "eol", ""},
		{"q.info", "x", "1"},
		{"vendor/x", "linguist-vendored", ""},
		{"q.bad", "a", ""},
	} {
		if got := a.Value(tc.path, tc.name); got != tc.want {
			t.Errorf("%s of %s = %q, want %q", tc.name, tc.path, got, tc.want)
		}
	}
	if !a.mentions("two") || !a.mentions("merge", "nothing") || a.mentions("a@b", "linguist-generated") {
		t.Error("mentions is wrong")
	}
}

var (
	patterns = []string{"*", "*.a", "a", "b", "a/b", "/a", "**/b", "a/**", "a/", `"a b"`, `"a\142"`, `"a`, "a*b", "[ab]", "!a", "[attr]m", "[attr]n", "[attr]binary", "[attr]", "#a", `\#a`}
	states   = []string{"text", "-text", "!text", "text=auto", "eol=lf", "m", "-m", "!m", "n", "binary", "-binary", "!binary", "m=x", "x=1", "x", "-x=1", "a=b=c", "=x", "-", "a@b", "--x", "crlf", "x.y_z-1"}
	paths    = []string{"a", "b", "a/a", "a/b", "a/b/a", "a/b/b", "c/a", "x.a", "a/x.a", "a b", "ab", "a/b/ab", "#a", "c"}
)

func gen(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(10) == 0 {
		b.WriteString("\ufeff")
	}
	for range 1 + r.IntN(6) {
		b.WriteString([]string{"", "", " ", "\t"}[r.IntN(4)])
		b.WriteString(patterns[r.IntN(len(patterns))])
		for range r.IntN(4) {
			b.WriteString([]string{" ", "\t", "  "}[r.IntN(3)])
			b.WriteString(states[r.IntN(len(states))])
		}
		b.WriteString([]string{"\n", "\r\n", "\n\n"}[r.IntN(3)])
	}
	return b.String()
}

// TestAttributesGit compares random attribute files with git check-attr.
func TestAttributesGit(t *testing.T) {
	t.Parallel()
	g := testutil.NewRepo(t)
	global := filepath.Join(t.TempDir(), "attrs")
	g.Git("config", "core.attributesFile", global)
	g.Write("a/b/x", "")
	r := rand.New(rand.NewPCG(7, 8))
	for range 150 {
		files := map[string]string{}
		for _, d := range []string{"", "a/", "a/b/"} {
			name := d + ".gitattributes"
			if r.IntN(3) > 0 {
				files[name] = gen(r)
				g.Write(name, files[name])
			} else if err := os.RemoveAll(filepath.Join(g.Dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		info, outer := gen(r), gen(r)
		g.Write(".git/info/attributes", info)
		if err := os.WriteFile(global, []byte(outer), 0o666); err != nil {
			t.Fatal(err)
		}
		a := setOf(files, info, outer)
		want := map[string]map[string]string{}
		out := strings.Split(g.Input(strings.Join(paths, "\x00")+"\x00", "check-attr", "-a", "-z", "--stdin"), "\x00")
		for i := 0; i+2 < len(out); i += 3 {
			if want[out[i]] == nil {
				want[out[i]] = map[string]string{}
			}
			want[out[i]][out[i+1]] = out[i+2]
		}
		for _, p := range paths {
			w := want[p]
			if w == nil {
				w = map[string]string{}
			}
			if diff := cmp.Diff(w, a.all(p)); diff != "" {
				t.Fatalf("%s (-git +ours):\n%s\nfiles: %q\ninfo: %q\nglobal: %q", p, diff, files, info, outer)
			}
		}
	}
}
