package discover

import (
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const bad = "{\"a\": }\n"

// TestRepositories runs the published cases of discovery on real repositories.
func TestRepositories(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		files map[string]string
		setup func(*sandbox)
		paths []string
		want  []string // .json files in scope
	}{
		{
			name: "161 star, then a directory comes back",
			files: map[string]string{
				".gitignore":             "custom/*\n!custom/static/\n_*\n!__tests__\nserver/**\n!server/a.json\nlib/\n!lib/client/\n",
				"custom/static/x/a.json": bad, "custom/dyn/a.json": bad, "_x/a.json": bad, "__tests__/t.json": bad,
				"server/a.json": bad, "server/b.json": bad, "lib/client/a.json": bad,
			},
			want: []string{"__tests__/t.json", "custom/static/x/a.json", "server/a.json"},
		},
		{
			name: "163 info/exclude and the user's ignore file in a linked worktree", files: map[string]string{"a.json": bad},
			setup: func(s *sandbox) {
				s.commit()
				s.write(filepath.Join(s.base, "home", ".config", "git", "ignore"), "glob.json\n")
				s.write(".git/info/exclude", "ignored.json\n")
				wt := filepath.Join(s.base, "wt")
				s.git("worktree", "add", "-q", wt)
				s.dir = wt
				s.write("ignored.json", bad)
				s.write("glob.json", bad)
			},
			want: []string{"a.json"},
		},
		{
			name: "165 anchored rules when subdirectories are named",
			files: map[string]string{
				".gitignore": "backend/log\nsrc/sub/bad.json\nfoo/*/*\n", "backend/log/a.json": bad, "backend/src/log/a.json": bad,
				"src/sub/ok.json": bad, "src/sub/bad.json": bad, "foo/x.json": bad, "foo/y/z.json": bad, "other.json": bad,
			},
			paths: []string{"backend", "src", "foo"},
			want:  []string{"backend/src/log/a.json", "foo/x.json", "src/sub/ok.json"},
		},
		{
			name: "167 odd names",
			files: map[string]string{
				"é/ü.json": bad, "日本語.json": bad, "sp ace/a b.json": bad, "-x.json": bad, "q\"uote.json": bad, "tab\tx.json": bad,
				"line\nbreak.json": bad, "[br].json": bad, "*.json": bad, "é.json": bad, "..json": bad, "back\\slash.json": bad, "\xff.json": bad,
			},
			setup: func(s *sandbox) { s.git("config", "core.quotepath", "true"); s.commit() },
			want: []string{
				"*.json", "-x.json", "..json", "[br].json", "back\\slash.json", "line\nbreak.json", "q\"uote.json", "sp ace/a b.json", "tab\tx.json",
				"é.json", "é/ü.json", "日本語.json", "\xff.json",
			},
		},
		{
			name: "169 submodule and nested clone", files: map[string]string{"a.json": bad},
			setup: func(s *sandbox) {
				s.commit()
				other := filepath.Join(s.base, "other")
				s.git("init", "-q", other)
				s.write(filepath.Join(other, "s.json"), bad)
				s.git("-C", other, "add", "-A")
				s.git("-C", other, "commit", "-qm", "o")
				s.git("submodule", "add", "-q", other, "mod")
				s.git("commit", "-qm", "m")
				s.git("clone", "-q", other, "nested")
			},
			want: []string{"a.json"},
		},
		{
			name: "171 names are case-sensitive",
			files: map[string]string{
				".gitignore": "Build/\n*.LOG.json\n", "BUILD/a.json": bad, "Build/a.json": bad, "x.log.json": bad, "x.LOG.json": bad, "build2/a.json": bad,
			},
			want: []string{"BUILD/a.json", "build2/a.json", "x.log.json"},
		},
		{
			name: "173 overlapping paths", files: map[string]string{"a/b.json": bad, "a/c/d.json": bad},
			paths: []string{"a", "a/c", "a/b.json", "./a/c/../b.json"},
			want:  []string{"a/b.json", "a/c/d.json"},
		},
		{
			name: "179 anchors of exclude lists",
			files: map[string]string{
				"poly.toml": "[discovery]\nexclude = [\"/gen\", \"tmp\", \"docs/*.json\"]\n", "sub/poly.toml": "[discovery]\nexclude = [\"/gen\", \"only.json\"]\n",
				"gen/a.json": bad, "other/gen/a.json": bad, "sub/x/gen/a.json": bad, "sub/gen/a.json": bad, "sub/only.json": bad, "sub/y/only.json": bad,
				"only.json": bad, "a/tmp/b.json": bad, "docs/d.json": bad, "docs/in/d.json": bad,
			},
			want: []string{"docs/in/d.json", "only.json", "other/gen/a.json", "sub/x/gen/a.json"},
		},
		{
			name: "a symbolic link is not followed, tracked or not", files: map[string]string{"d/a.json": bad},
			setup: func(s *sandbox) {
				s.link("d/a.json", "l.json")
				s.commit()
				s.link("d", "e")
			},
			want: []string{"d/a.json"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t, tc.files)
			if tc.setup != nil {
				tc.setup(s)
			}
			got, _ := files(t, s.request(tc.paths...))
			got = slices.DeleteFunc(got, func(p string) bool { return path.Ext(p) != ".json" })
			slices.Sort(tc.want)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("in scope (-want +got):\n%s", diff)
			}
		})
	}
}

// Test175: one missing path, and nothing is checked.
func Test175MissingPathAmongGood(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, map[string]string{"a.json": bad, ".gitignore": "ignored.json\n", "ignored.json": bad})
	req := s.request("a.json", "nope.json")
	if _, err := New(t.Context(), req); err == nil || err.Error() != "no such file or directory: nope.json" {
		t.Errorf("New = %v, want an error that names nope.json", err)
	}
	got, err := Missing(req.Tree, []string{"a.json", "ignored.json"})
	if diff := cmp.Diff([]string{"ignored.json"}, got); diff != "" || err != nil {
		t.Errorf("Missing (-want +got), %v:\n%s", err, diff)
	}
}
