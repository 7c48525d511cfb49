package filesafety_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/engine/secrets"
	"poly/internal/filesafety"
	"poly/internal/gitstate"
	"poly/internal/testutil"
	"poly/runner"
)

// mark is a line of a merge conflict, made here so that this file has none.
func mark(c string, label string) string { return strings.Repeat(c, 7) + label + "\n" }

var (
	conflict = mark("<", " HEAD") + "a\n" + mark("=", "") + "b\n" + mark(">", " topic")
	key      = "-----BEGIN EC PRIVATE " + "KEY-----\nMHcCAQEEIBkg4LVWM9nuwNSk3yByxZpYRTBnVJk5oGMqLzJVvTwvoAoGCCqGSM49\nAwEHoUQDQgAEi7jV8ZyBK2ZJbqGnpqJTNNVbWqXUnL6rsJNx6S1hRtQk8dVwD0qz\nYHqQd7nNRv1sYg3M8aA2Yw2v3qzYxX8ZJQ==\n-----END EC PRIVATE " + "KEY-----\n"
)

// detector is the detector of secrets by a poly.toml.
func detector(tb testing.TB, text string) engine.Worker {
	tb.Helper()
	tree := fstest.MapFS{"poly.toml": {Data: []byte(text)}}
	set, err := config.Load(tb.Context(), config.Options{Schema: runner.Schema([]engine.Engine{secrets.Engine}), Dirs: []string{"."}, Tree: tree})
	if err != nil {
		tb.Fatal(err)
	}
	w, err := filesafety.Detector(tb.Context(), tree, set.Root())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = w.Close() })
	return w
}

// check judges what is staged in r, after edit changed the request.
func check(tb testing.TB, r *testutil.Repo, edit func(*filesafety.Request)) diag.Report {
	tb.Helper()
	ctx := tb.Context()
	repo, err := gitstate.Open(ctx, gitstate.OpenOptions{Dir: r.Dir, Env: r.Env})
	if err != nil {
		tb.Fatal(err)
	}
	tree, err := gitstate.Staged(ctx, repo)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	changes, err := gitstate.StagedChanges(ctx, repo).In(tree)
	if err != nil {
		tb.Fatal(err)
	}
	req := filesafety.Request{
		Options: filesafety.Default(), Tree: tree, Changes: changes, Secrets: detector(tb, ""),
		Blob: func(ctx context.Context, id gitstate.ID) ([]byte, error) {
			_, text, err := repo.Objects().Contents(ctx, id)
			return text, err
		},
	}
	if edit != nil {
		edit(&req)
	}
	rep, err := filesafety.Check(ctx, req)
	if err != nil {
		tb.Fatal(err)
	}
	return rep
}

// show lists findings as "path code:line severity", without what is usual.
func show(rep diag.Report) string {
	var out []string
	for _, f := range rep.Files {
		for _, d := range f.Diagnostics {
			s := f.Path + " " + d.Code
			if d.Span != nil {
				s += fmt.Sprintf(":%d", d.Span.StartLine)
			}
			if d.Severity != diag.Error {
				s += " " + d.Severity.String()
			}
			out = append(out, s)
		}
		if f.Outcome != diag.Checked {
			out = append(out, f.Path+" "+f.Outcome.String())
		}
	}
	return strings.Join(out, "; ")
}

// files writes files: name "x*" is executable, "x@" a symbolic link.
func files(tb testing.TB, r *testutil.Repo, list map[string]string) {
	tb.Helper()
	for name, text := range list {
		p := filepath.Join(r.Dir, strings.TrimRight(name, "*@"))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			tb.Fatal(err)
		}
		_ = os.Remove(p)
		err := error(nil)
		switch {
		case strings.HasSuffix(name, "@"):
			err = os.Symlink(text, p)
		case strings.HasSuffix(name, "*"):
			err = os.WriteFile(p, []byte(text), 0o755)
		default:
			err = os.WriteFile(p, []byte(text), 0o644)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	r.Git("add", "-A")
}

type list = map[string]string

var cases = []struct {
	name       string
	base, then list
	git        []string // a command after that
	edit       func(*filesafety.Request)
	want       string
}{
	{name: "nothing", then: list{"a.go": "package a\n"}},
	{name: "conflict", then: list{"a.go": "x\n" + conflict}, want: "a.go merge-conflict:2"},
	{name: "conflict with CRLF", then: list{"a.go": strings.ReplaceAll(conflict, "\n", "\r\n")}, want: "a.go merge-conflict:1"},
	{name: "conflict was there", base: list{"a.go": conflict}, then: list{"a.go": conflict + "y\n"}},
	{name: "conflict is off", then: list{"a.go": conflict}, edit: func(r *filesafety.Request) { r.MergeConflict = false }},
	{name: "heading", then: list{"a.rst": "Title\n" + mark("=", "") + "text\n"}},
	{name: "heading in a merge", then: list{"a.rst": "Title\n" + mark("=", "") + "text\n"}, edit: func(r *filesafety.Request) { r.Merging = true }},
	{name: "a marker alone", then: list{"a.md": mark(">", " quoted")}},
	{name: "a marker alone in a merge", then: list{"a.go": mark(">", " topic")}, edit: func(r *filesafety.Request) { r.Merging = true }, want: "a.go merge-conflict:1"},
	{name: "long quotation in a merge", then: list{"a.md": strings.Repeat(">", 8) + " deep\n"}, edit: func(r *filesafety.Request) { r.Merging = true }},
	{name: "example in a document", then: list{"a.md": "so:\n\n```\n" + conflict + "```\n"}},
	{name: "conflict in a document", then: list{"a.md": "so:\n\n" + conflict}, want: "a.md merge-conflict:3"},
	{name: "longer markers by attribute", base: list{".gitattributes": "*.md conflict-marker-size=32\n"}, then: list{"a.md": conflict}},
	{name: "conflict from the other side", then: list{"a.go": conflict}, edit: func(r *filesafety.Request) { r.Others = []gitstate.Tree{r.Tree} }},
	{name: "binary with markers", then: list{"a.bin": "\x00" + conflict + conflict}},

	{name: "large", then: list{"a.dat": strings.Repeat("x", 512001)}, want: "a.dat added-large-file"},
	{name: "not large", then: list{"a.dat": strings.Repeat("x", 512000)}},
	{name: "limit", then: list{"a.dat": "xx"}, edit: func(r *filesafety.Request) { r.MaxAddedKB = 0 }, want: "a.dat added-large-file"},
	{name: "grown", base: list{"a.dat": "x"}, then: list{"a.dat": strings.Repeat("x", 600000)}},
	{name: "moved", base: list{"a.dat": strings.Repeat("x", 600000)}, git: []string{"mv", "a.dat", "b.dat"}},
	{name: "lock file", then: list{"web/package-lock.json": strings.Repeat("x", 600000), "uv.lock": strings.Repeat("x", 600000)}},
	{name: "for LFS", base: list{".gitattributes": "*.dat filter=lfs\n"}, then: list{"a.dat": strings.Repeat("x", 600000)}, want: "a.dat lfs-content warning"},
	{name: "large is off", then: list{"a.dat": strings.Repeat("x", 600000)}, edit: func(r *filesafety.Request) { r.AddedLargeFiles = false }},

	{name: "key", then: list{"id": key}, want: "id private-key:1"},
	{name: "key in tests", then: list{"tests/id": key}},
	{name: "key was there", base: list{"id": key}, then: list{"id": key + "# x\n"}},
	{name: "key is off", then: list{"id": key}, edit: func(r *filesafety.Request) { r.PrivateKey = false }},
	{name: "public key", then: list{"id.pub": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk\n"}},
	{name: "what speaks of keys", then: list{"a.py": "if text.startswith('-----BEGIN RSA PRIVATE " + "KEY-----'):\n    pass\n"}},
	{name: "token", then: list{"a.sh": "curl -u x:" + "sk_live" + "_9aZk39QmT77wLr48XyBv61Qp\n"}, want: "a.sh secret:1"},
	{name: "token that is allowed", then: list{"a.sh": "curl -u x:" + "sk_live" + "_9aZk39QmT77wLr48XyBv61Qp # poly:allow-secret\n"}},

	{name: "case", base: list{"Readme.md": "x"}, then: list{"README.md": "x"}, want: "README.md case-conflict"},
	{name: "case of directories", base: list{"docs/a.md": "x"}, then: list{"Docs/b.md": "x", "Docs/c.md": "x"}, want: "Docs/b.md case-conflict"},
	{name: "case of a file and a directory", base: list{"build/a": "x"}, then: list{"BUILD": "x"}, want: "BUILD case-conflict"},
	{name: "case of other letters", base: list{"Straße/ÄRGER": "x"}, then: list{"Straße/ärger": "x"}, want: "Straße/ärger case-conflict"},
	{name: "case was so before", base: list{"a": "x", "A": "x"}, then: list{"a": "y", "b": "x"}},
	{name: "case changed", base: list{"Readme.md": "x"}, git: []string{"mv", "Readme.md", "README.md"}},
	{name: "case is off", base: list{"Readme.md": "x"}, then: list{"README.md": "x"}, edit: func(r *filesafety.Request) { r.CaseConflict = false }},

	{name: "executable text", then: list{"a.txt*": "x\n"}, want: "a.txt executable-without-shebang"},
	{name: "executable without content", then: list{"__init__.py*": ""}, want: "__init__.py executable-without-shebang"},
	{name: "executables", then: list{"a.sh*": "#!/bin/sh\n", "b*": "\x7fELF\x00\x01", "c.bat*": "@echo\n", "d.desktop*": "[Desktop Entry]\n", "e*": ": ; exec sh\n", "f*": "#! /usr/bin/env python\n"}},
	{name: "shebang behind a byte order mark", then: list{"a.sh*": "\xef\xbb\xbf#!/bin/sh\n"}, want: "a.sh executable-without-shebang"},
	{name: "bit was so before", base: list{"a.txt*": "x\n"}, then: list{"a.txt*": "y\n"}},
	{name: "bit is new", base: list{"a.txt": "x\n"}, then: list{"a.txt*": "x\n"}, want: "a.txt executable-without-shebang"},
	{name: "executables are off", then: list{"a.txt*": "x\n"}, edit: func(r *filesafety.Request) { r.ExecutablesHaveShebangs = false }},
	{name: "script without bit", then: list{"a.sh": "#!/bin/sh\n"}, want: "a.sh shebang-not-executable:1"},
	{name: "the index counts", then: list{"a.sh": "#!/bin/sh\n"}, git: []string{"update-index", "--chmod=+x", "a.sh"}},
	{name: "no scripts", then: list{"a.rs": "#![allow(x)]\n", "b.j2": "#!/bin/sh\n", "c.ts": "#!/usr/bin/env node\n", "testdata/d.sh": "#!/bin/sh\n", "e.md": "#!/bin/sh\n", "f": "#!shebang\n"}},
	{name: "script was so before", base: list{"a.sh": "#!/bin/sh\n"}, then: list{"a.sh": "#!/bin/sh\nx\n"}},
	{name: "scripts are off", then: list{"a.sh": "#!/bin/sh\n"}, edit: func(r *filesafety.Request) { r.ShebangScriptsAreExecutable = false }},

	{name: "broken link", then: list{"a@": "nowhere"}, want: "a broken-link"},
	{name: "link to what git ignores", then: list{".gitignore": "out\n", "out": "x", "a@": "out"}, want: "a broken-link"},
	{name: "links", then: list{"a@": "d/x", "d/x": "", "b@": "d", "c@": "./b/x", "d/e@": "../d/x", "f@": "/usr/bin/env", "g@": "../outside", "h@": ".", "i@": "d/"}},
	{name: "link beyond a file", then: list{"x": "", "a@": "x/y"}, want: "a broken-link"},
	{name: "link to itself", then: list{"a@": "b", "b@": "a"}, want: "a broken-link; b broken-link"},
	{name: "link to what is removed", base: list{"d/x": "", "d/y": "", "a@": "d/x", "b@": "d/y"}, git: []string{"rm", "-q", "d/x"}, want: "a broken-link"},
	{name: "link was broken before", base: list{"a@": "nowhere", "x": ""}, git: []string{"rm", "-q", "x"}},
	{name: "links are off", then: list{"a@": "nowhere"}, edit: func(r *filesafety.Request) { r.BrokenLinks = false }},

	{name: "embedded", git: []string{"update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,sub"}, want: "sub embedded-repository"},
	{name: "submodule", then: list{".gitmodules": "[submodule \"x\"]\n\tpath = sub\n\turl = ../x\n", "a@": "sub/file"}, git: []string{"update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,sub"}, want: "sub submodule-moved warning"},
	{name: "submodules are off", git: []string{"update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,sub"}, edit: func(r *filesafety.Request) { r.SubmoduleMoves = false }},
	{name: "all", base: list{"a.sh": "#!/bin/sh\n", "big": strings.Repeat("x", 600000), "A.sh*": "#!/bin/sh\n", "l@": "nowhere"}, edit: func(r *filesafety.Request) { r.All = true }, want: "A.sh case-conflict; a.sh shebang-not-executable:1; l broken-link"},
	{name: "match", then: list{"a.sh": "#!/bin/sh\n", "b.sh": "#!/bin/sh\n"}, edit: func(r *filesafety.Request) { r.Match = func(p string) bool { return p == "b.sh" } }, want: "b.sh shebang-not-executable:1"},
	{name: "odd names", then: list{"a\nb.sh": "#!/bin/sh\n", "\xff.sh": "#!/bin/sh\n"}, want: "a\nb.sh shebang-not-executable:1; \xff.sh shebang-not-executable:1"},
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := testutil.NewRepo(t)
			r.Git("config", "core.ignoreCase", "false")
			files(t, r, tc.base)
			if tc.base != nil {
				r.Git("commit", "-q", "-m", "base")
			}
			files(t, r, tc.then)
			if tc.git != nil {
				r.Git(tc.git...)
			}
			if got := show(check(t, r, tc.edit)); got != tc.want {
				t.Errorf("findings %q, want %q", got, tc.want)
			}
		})
	}
}

// TestSubmodule: moving and removing one is named.
func TestSubmodule(t *testing.T) {
	t.Parallel()
	r := testutil.NewRepo(t)
	files(t, r, list{".gitmodules": "[submodule \"x\"]\n\tpath = \"sub\"\n"})
	r.Git("update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,sub")
	r.Git("commit", "-q", "-m", "c")
	r.Git("update-index", "--cacheinfo", "160000,2222222222222222222222222222222222222222,sub")
	rep := check(t, r, nil)
	if got := show(rep); got != "sub submodule-moved warning" || !strings.Contains(rep.Files[0].Diagnostics[0].Title, "from 1111111111 to 2222222222") {
		t.Errorf("findings %q %+v", got, rep.Files)
	}
	r.Git("update-index", "--force-remove", "sub")
	if got := show(check(t, r, nil)); got != "sub submodule-moved warning" {
		t.Errorf("findings %q", got)
	}
}

// TestUnmerged: a path with conflicts is named.
func TestUnmerged(t *testing.T) {
	t.Parallel()
	r := testutil.NewRepo(t)
	files(t, r, list{"a": "1\n"})
	r.Git("commit", "-q", "-m", "c")
	r.Git("checkout", "-q", "-b", "topic")
	files(t, r, list{"a": "2\n"})
	r.Git("commit", "-q", "-m", "c")
	r.Git("checkout", "-q", "main")
	files(t, r, list{"a": "3\n"})
	r.Git("commit", "-q", "-m", "c")
	_, _ = r.TryGit("merge", "topic")
	if got := show(check(t, r, nil)); got != "a merge-conflict" {
		t.Errorf("findings %q", got)
	}
}

// TestNoTitleShowsASecret: what is found is not printed.
func TestNoTitleShowsASecret(t *testing.T) {
	t.Parallel()
	r := testutil.NewRepo(t)
	files(t, r, list{"a.sh": "curl -u x:" + "sk_live" + "_9aZk39QmT77wLr48XyBv61Qp\n", "id": key})
	for _, f := range check(t, r, nil).Files {
		for _, d := range f.Diagnostics {
			if text := fmt.Sprint(d, d.Metadata); strings.Contains(text, "9aZk39") || strings.Contains(text, "MHcC") || d.Excerpt != "" {
				t.Errorf("%s shows a secret: %s", f.Path, text)
			}
		}
	}
}

func TestFromTable(t *testing.T) {
	t.Parallel()
	o, err := filesafety.FromTable(map[string]any{"enabled": true, "broken_links": false, "max_added_file_kb": int64(7)})
	if err != nil || o.BrokenLinks || !o.CaseConflict || o.MaxAddedKB != 7 {
		t.Errorf("FromTable = %+v, %v", o, err)
	}
	if _, err := filesafety.FromTable(map[string]any{"broken_links": "no"}); err == nil {
		t.Error("a string is taken for a switch")
	}
}

// TestRulesAreReported: every code is the outcome of a case.
func TestRulesAreReported(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, tc := range cases {
		all.WriteString(tc.want + ";")
	}
	for _, r := range filesafety.Spec().Rules {
		if !strings.Contains(all.String(), " "+r.Code) {
			t.Errorf("no case reports %s", r.Code)
		}
		if r.Severity == diag.SeverityUnset || !strings.Contains(r.Doc, "Its switch in") {
			t.Errorf("not a whole rule: %+v", r)
		}
	}
}
