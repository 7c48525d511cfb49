package discover

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/diag"
	"poly/internal/gitstate"
	"poly/internal/lang"
	"poly/internal/usererr"
)

func TestScope(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		req  Request
		tree *fake
		conf globs
		want []string
		note diag.Notes
	}{
		{
			name: "hidden files are in", tree: newFake(".a/b.go", ".x.yml", "c.go"),
			want: []string{".a/b.go", ".x.yml", "c.go"},
		},
		{
			name: "unknown languages are counted, extensionless ones are sniffed", tree: newFake("a.go", "b.xyz", "c.xyz", "d.xyz", "e.xyz", "run", "tool.xyz*"),
			want: []string{"a.go", "run?", "tool.xyz?"},
			note: diag.Notes{Unrecognised: 4, Samples: []string{"b.xyz", "c.xyz", "d.xyz"}},
		},
		{
			name: "a named file of no language is in", tree: newFake("a.go", "b.xyz"), req: Request{Paths: []string{"b.xyz"}},
			want: []string{"b.xyz?"},
		},
		{
			name: "links and submodules are counted", tree: newFake("a.go", "l@", "mod/", "d/l.go@"),
			want: []string{"a.go"}, note: diag.Notes{Symlinks: 2, Submodules: 1},
		},
		{
			name: "links and submodules that are named are skipped", tree: newFake("a.go", "l@", "mod/"), req: Request{Paths: []string{"l", "mod"}},
			want: []string{"l: symbolic link", "mod: another git repository"},
		},
		{
			name: "a submodule is a directory to a glob, a link is not", tree: newFake("a.go", "l@", "mod/"), conf: globs{".": {"mod/", "l/"}},
			want: []string{"a.go"}, note: diag.Notes{Excluded: []diag.Rule{{Pattern: "mod/", Files: 1}}, Symlinks: 1},
		},
		{
			name: "pruned directories, by their whole name", tree: newFake("a.go", "build/x.go", "Build/x.go", "build2/x.go", "a/vendor/b/c.go", "node_modules/x.js", "dist.go", "a/target"),
			want: []string{"Build/x.go", "a.go", "a/target?", "build2/x.go", "dist.go"}, note: diag.Notes{Pruned: 3},
		},
		{
			name: "a named directory is not pruned, what is inside may be", tree: newFake("build/x.go", "build/dist/y.go", "c.go"), req: Request{Paths: []string{"build"}},
			want: []string{"build/x.go"}, note: diag.Notes{Pruned: 1},
		},
		{
			name: "a directory below a pruned one may be named", tree: newFake("build/a/x.go", "build/y.go"), req: Request{Paths: []string{".", "build/a"}},
			want: []string{"build/a/x.go"}, note: diag.Notes{Pruned: 1},
		},
		{
			name: "a file below a pruned directory may be named", tree: newFake("build/x.go", "build/y.go"), req: Request{Paths: []string{"build/x.go"}},
			want: []string{"build/x.go"},
		},
		{
			name: "overlapping paths", tree: newFake("a/b.go", "a/c/d.go", "ab/e.go", "f.go"), req: Request{Paths: []string{"a", "a/c", "a/b.go", "./a/c/../b.go", "a/"}},
			want: []string{"a/b.go", "a/c/d.go"},
		},
		{
			name: "excludes count by the glob as written", tree: newFake("gen/a.go", "gen/b/c.go", "x.gen.go", "y.go"), conf: globs{".": {"/gen/", "*.gen.go"}},
			want: []string{"y.go"},
			note: diag.Notes{Excluded: []diag.Rule{{Pattern: "/gen/", Files: 2}, {Pattern: "*.gen.go", Files: 1}}},
		},
		{
			name: "nothing below an excluded directory comes back", tree: newFake("gen/a.go", "gen/keep.go", "z/keep.go", "z/a.go"), conf: globs{".": {"gen", "!gen/keep.go", "z/*", "!z/keep.go"}},
			want: []string{"z/keep.go"},
			note: diag.Notes{Excluded: []diag.Rule{{Pattern: "gen", Files: 2}, {Pattern: "z/*", Files: 1}}},
		},
		{
			name: "a glob that ends in two stars is anchored where it stands", tree: newFake("foo/a.go", "b/foo/a.go"), conf: globs{".": {"foo/**"}},
			want: []string{"b/foo/a.go"},
			note: diag.Notes{Excluded: []diag.Rule{{Pattern: "foo/**", Files: 1}}},
		},
		{
			name: "a nested list adds to the outer one", tree: newFake("s/a.gen.go", "s/t/b.gen.go", "s/x.go", "s/t/x.go", "x.go", "c.gen.go"),
			conf: globs{".": {"c.gen.go"}, "s": {"/x.go", "*.gen.go"}},
			want: []string{"s/t/x.go", "x.go"},
			note: diag.Notes{Excluded: []diag.Rule{{Pattern: "*.gen.go", Files: 2}, {Pattern: "/x.go", Files: 1}, {Pattern: "c.gen.go", Files: 1}}},
		},
		{
			name: "globs of the call are relative to its directory", tree: newFake("s/a.go", "s/t/a.go", "a.go", "s/b.go"), req: Request{Exclude: []string{"/a.go"}, Base: "s"},
			want: []string{"a.go", "s/b.go", "s/t/a.go"},
			note: diag.Notes{Excluded: []diag.Rule{{Pattern: "/a.go", Files: 1}}},
		},
		{
			name: "a named file obeys excludes, and it is said", tree: newFake("a.go", "b.go"), conf: globs{".": {"a.go"}}, req: Request{Paths: []string{"a.go", "b.go"}},
			want: []string{"b.go"},
			note: diag.Notes{Excluded: []diag.Rule{{Pattern: "a.go", Files: 1}}, Warnings: []string{`a.go is excluded by "a.go" (poly.toml:1)`}},
		},
		{
			name: "include-excluded admits a named file", tree: newFake("gen/a.go", "gen/b.go"), conf: globs{".": {"gen"}}, req: Request{Paths: []string{"gen/a.go"}, IncludeExcluded: true},
			want: []string{"gen/a.go"},
		},
		{
			name: "include-excluded admits a named directory, not what is excluded inside", tree: newFake("gen/a.go", "gen/b.tmp.go", "gen/sub/c.go"), conf: globs{".": {"gen", "*.tmp.go", "/gen/sub"}},
			req:  Request{Paths: []string{"gen"}, IncludeExcluded: true},
			want: []string{"gen/a.go"},
			note: diag.Notes{Excluded: []diag.Rule{{Pattern: "*.tmp.go", Files: 1}, {Pattern: "/gen/sub", Files: 1}}},
		},
		{
			name: "include-excluded sees through two stars", tree: newFake("a/gen/a.go", "a/gen/b/c.go", "a/other.go"), conf: globs{".": {"a/gen/**", "**", "/**"}},
			req:  Request{Paths: []string{"a/gen"}, IncludeExcluded: true},
			want: []string{"a/gen/a.go", "a/gen/b/c.go"},
		},
		{
			name: "include-excluded does not help what is not named", tree: newFake("gen/a.go", "b.go"), conf: globs{".": {"gen"}}, req: Request{IncludeExcluded: true},
			want: []string{"b.go"},
			note: diag.Notes{Excluded: []diag.Rule{{Pattern: "gen", Files: 1}}},
		},
		{
			name: "lock files are linted", tree: newFake("Cargo.lock", "package-lock.json", "go.sum"),
			want: []string{"Cargo.lock", "go.sum", "package-lock.json"},
		},
		{
			name: "lock files are not formatted", tree: newFake("Cargo.lock", "a.go", "package-lock.json", "go.sum", "s/yarn.lock"), req: Request{Format: true},
			want: []string{"a.go"},
		},
		{
			name: "named lock files are formatted", tree: newFake("Cargo.lock", "go.sum"), req: Request{Format: true, Paths: []string{"Cargo.lock"}},
			want: []string{"Cargo.lock"},
		},
		{
			name: "names that are no UTF-8", tree: newFake("d\xff/\xfe.go", "\x80.json"), req: Request{Paths: []string{"d\xff", "\x80.json"}},
			want: []string{"d\xff/\xfe.go", "\x80.json"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			req := tc.req
			req.Tree = tc.tree
			if tc.conf != nil {
				req.Config = tc.conf.set()
			}
			got, tally := files(t, req)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("in scope (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.note, tally.Notes()); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestDecideAlone: a decision does not depend on what was decided before.
func TestDecideAlone(t *testing.T) {
	t.Parallel()
	tree := newFake("a.go", "build/x.go", "gen/a.go", "gen/keep/b.go", "s/a.go", "s/t/b.go", "s/t/vendor/c.go", "z.xyz", "l@", "m/")
	req := Request{Tree: tree, Config: globs{".": {"gen"}, "s": {"/a.go"}}.set(), Paths: []string{".", "gen/keep"}, IncludeExcluded: true}
	whole, err := New(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for f := range tree.Files() {
		alone, err := New(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(alone.Decide(f), whole.Decide(f)); diff != "" {
			t.Errorf("Decide(%q) alone and in order (-alone +order):\n%s", f.Path, diff)
		}
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	tree := newFake()
	tree.add("big.json", DefaultMaxFileSize+1)
	tree.add("big.xyz", DefaultMaxFileSize+1)
	tree.add("bigbinary*", DefaultMaxFileSize+1)
	tree.add("fits.json", DefaultMaxFileSize)
	tree.add("small/a.json", 2000)
	tree.add("unknown.json", -1)
	conf := globs{".": nil, "small": nil}.set().(fixed)
	conf["small"].Discovery.MaxFileSize = 1024
	got, tally := files(t, Request{Tree: tree, Config: conf})
	want := []string{"big.json: larger than 10 MiB", "fits.json", "small/a.json: larger than 1 KiB", "unknown.json"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("in scope (-want +got):\n%s", diff)
	}
	if n := tally.Notes().Unrecognised; n != 2 {
		t.Errorf("%d unrecognised, want 2", n)
	}
	for _, tc := range []struct {
		size, limit int64
		want        string
	}{
		{-1, 10, ""}, {10, 10, ""}, {11, 10, "larger than 10 bytes"}, {1 << 40, 0, ""}, {2 << 20, 1 << 20, "larger than 1 MiB"},
	} {
		if got := TooLarge(tc.size, tc.limit); got != tc.want {
			t.Errorf("TooLarge(%d, %d) = %q, want %q", tc.size, tc.limit, got, tc.want)
		}
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	tree := newFake("a.go", ".vscode/settings.json", "s/Dockerfile")
	s, err := New(t.Context(), Request{Tree: tree})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]lang.ID{}
	for f, d := range s.Files(nil) {
		got[f.Path] = d.Lang
	}
	want := map[string]lang.ID{"a.go": lang.Go, ".vscode/settings.json": lang.JSONC, "s/Dockerfile": lang.Dockerfile}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("languages (-want +got):\n%s", diff)
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	tree := newFake("a.go", "d/b.go", "d-e/c.go", "l@", "mod/")
	for _, tc := range []struct {
		name   string
		paths  []string
		exists []string
		want   string // "": no error
	}{
		{name: "nothing named"},
		{name: "all there", paths: []string{"a.go", "d", "d/", "./d/../d/b.go", ".", "l", "mod"}},
		{name: "one missing", paths: []string{"a.go", "nope.json"}, want: "no such file or directory: nope.json"},
		{name: "every one is named", paths: []string{"x", "a.go", "d/y", "d-"}, want: "no such file or directory: x, d/y, d-"},
		{name: "an empty directory", paths: []string{"empty"}, exists: []string{"empty"}},
		{name: "outside", paths: []string{"../x", "a.go", "/etc"}, want: "outside the repository: ../x, /etc"},
		{name: "beyond a link", paths: []string{"l/x.go"}, exists: []string{"l/x.go"}, want: "l/x.go is beyond the symbolic link l"},
		{name: "in a submodule", paths: []string{"mod/s/x.go", "nope"}, exists: []string{"mod/s/x.go"}, want: "no such file or directory: nope; mod/s/x.go is in another git repository, mod"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := New(t.Context(), Request{Tree: tree, Paths: tc.paths, Exists: func(p string) bool {
				return strings.Contains(strings.Join(tc.exists, "\n"), p)
			}})
			if tc.want == "" {
				if err != nil {
					t.Errorf("New(%q) = %v, want no error", tc.paths, err)
				}
				return
			}
			var user *usererr.Error
			if !errors.As(err, &user) || user.Msg != tc.want || user.Hint == "" {
				t.Errorf("New(%q) = %v, want a usererr %q with a hint", tc.paths, err, tc.want)
			}
		})
	}
	got, err := Missing(tree, []string{"a.go", "d", "x", "d/x", "./y/"})
	if diff := cmp.Diff([]string{"x", "d/x", "y"}, got); diff != "" || err != nil {
		t.Errorf("Missing (-want +got), %v:\n%s", err, diff)
	}
}

func TestCovers(t *testing.T) {
	t.Parallel()
	tree := newFake("a/b.go", "build/x.go", "gen/c.go", "z/d.go")
	s, err := New(t.Context(), Request{Tree: tree, Config: globs{".": {"gen"}}.set(), Paths: []string{"a", "build", "gen"}})
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[string]bool{
		"a": true, "a/b.go": true, "a/locked": true, "a/node_modules": false, "a/node_modules/x": false,
		"build": true, "build/x": true, "build/dist": false, "gen/c": false, "z": false, "z/d": false,
	} {
		if got := s.Covers(p); got != want {
			t.Errorf("Covers(%q) = %v, want %v", p, got, want)
		}
	}
}

func TestSpecialModes(t *testing.T) {
	t.Parallel()
	s, err := New(t.Context(), Request{Tree: newFake()})
	if err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[gitstate.Mode]Cause{
		gitstate.ModeSymlink: Symlink, gitstate.ModeGitlink: Submodule, gitstate.ModeDir: Special, gitstate.ModeExec: InScope, gitstate.ModeRegular: InScope,
	} {
		if got := s.Decide(gitstate.File{Path: "a.go", Mode: mode}).Why; got != want {
			t.Errorf("mode %o: %v, want %v", mode, got, want)
		}
	}
}
