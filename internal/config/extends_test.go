package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"poly/internal/usererr"
)

func TestExtends(t *testing.T) {
	t.Parallel()
	length := func(n int) string { return fmt.Sprintf("[defaults]\nline_length = %d\n", n) }
	for _, tc := range []struct {
		name       string
		files      map[string]string
		lineLength int
		globs      []string
		tree       []string // Files
	}{
		{"string", map[string]string{"poly.toml": "extends = 'base.toml'\n", "base.toml": length(1)}, 1, nil, []string{"base.toml", "poly.toml"}},
		{"own outranks", map[string]string{"poly.toml": "extends = 'base.toml'\n" + length(2), "base.toml": length(1)}, 2, nil, nil},
		{"table", map[string]string{"poly.toml": "extends = {path='base.toml', id='b'}\n", "base.toml": length(1)}, 1, nil, nil},
		{"later outranks", map[string]string{"poly.toml": "extends = ['a.toml', {path='b.toml'}]\n", "a.toml": length(1), "b.toml": length(2)}, 2, nil, nil},
		{"directory", map[string]string{"poly.toml": "extends = 'cfg'\n", "cfg/poly.toml": length(5)}, 5, nil, nil},
		{"directory and file", map[string]string{"poly.toml": "extends = {path='cfg', file='x/y.toml'}\n", "cfg/x/y.toml": length(5)}, 5, nil, nil},
		{"empty array", map[string]string{"poly.toml": "extends = []\n"}, 120, nil, nil},
		{"relative to the file that says so", map[string]string{
			"poly.toml": "extends = 'cfg/a.toml'\n", "cfg/a.toml": "extends = ['b.toml', '../c.toml']\n",
			"cfg/b.toml": length(1), "c.toml": "[discovery]\nexclude='c'\n",
		}, 1, []string{".:c"}, nil},
		{"from a nested file", map[string]string{
			"poly.toml": length(9), "pkg/poly.toml": "extends = '../base.toml'\n", "base.toml": length(8),
		}, 9, nil, nil},
		{"exclude adds up", map[string]string{
			"poly.toml": "extends = ['a.toml', 'b.toml']\n[discovery]\nexclude = ['x', 'own']\n",
			"a.toml":    "[discovery]\nexclude = 'a'\n", "b.toml": "[discovery]\nexclude = ['a', 'x']\n",
		}, 120, []string{".:a", ".:x", ".:own"}, nil},
		{"exclude_mode", map[string]string{
			"poly.toml": "extends = ['a.toml', 'b.toml']\n[discovery]\nexclude = ['own']\n",
			"a.toml":    "[discovery]\nexclude = 'a'\n", "b.toml": "[discovery]\nexclude = ['b']\nexclude_mode = 'replace'\n",
		}, 120, []string{".:b", ".:own"}, nil},
		{"diamond", map[string]string{
			"poly.toml": "extends = ['l.toml', 'r.toml']\n", "l.toml": "extends = 'top.toml'\n" + length(2), "r.toml": "extends = 'top.toml'\n",
			"top.toml": length(1) + "[discovery]\nexclude='t'\n",
		}, 1, []string{".:t"}, []string{"l.toml", "poly.toml", "r.toml", "top.toml"}},
		{"a base's local file is not applied", map[string]string{
			"poly.toml": "extends = 'cfg'\n", "cfg/poly.toml": length(1), "cfg/poly.local.toml": length(2),
		}, 1, nil, nil},
		{"out of the tree", map[string]string{"poly.toml": "extends = '../shared/base.toml'\n", "/shared/base.toml": length(6)}, 6, nil, []string{"poly.toml"}},
		{"out of the tree, directory", map[string]string{"poly.toml": "extends = '../shared'\n", "/shared/poly.toml": length(6)}, 6, nil, nil},
		{"absolute", map[string]string{"poly.toml": "extends = '/shared/base.toml'\n", "/shared/base.toml": "extends = 'more.toml'\n", "/shared/more.toml": length(4)}, 4, nil, nil},
		{"out and in again", map[string]string{"poly.toml": "extends = '../repo/cfg/a.toml'\n", "cfg/a.toml": length(3)}, 3, nil, []string{"cfg/a.toml", "poly.toml"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := load(t, tc.files)
			e := s.Root()
			if e.Defaults.LineLength != tc.lineLength {
				t.Errorf("line_length = %d, want %d", e.Defaults.LineLength, tc.lineLength)
			}
			if diff := cmp.Diff(tc.globs, globList(e)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tc.tree, s.Files()); tc.tree != nil && diff != "" {
				t.Error(diff)
			}
		})
	}
	s := load(t, map[string]string{"poly.toml": "", "pkg/poly.toml": "extends = '../base.toml'\n", "base.toml": "[discovery]\nexclude='/x'\n[rules]\ndirs=['r']\n"})
	e := s.For("pkg")
	want := []Pattern{{Base: "pkg", Glob: "/x", Origin: Origin{"base.toml", 2, 1}}}
	if diff := cmp.Diff(want, e.Exclude); diff != "" {
		t.Errorf("a base's globs are relative to the file that extends it: %s", diff)
	}
	if e.Rules.Dirs[0].Path != "r" {
		t.Errorf("a base's rule directories are beside it: %+v", e.Rules.Dirs)
	}
}

func TestExtendsRefused(t *testing.T) {
	t.Parallel()
	deep := map[string]string{"poly.toml": "extends = 'b0.toml'\n"}
	for i := range 40 {
		deep[fmt.Sprintf("b%d.toml", i)] = fmt.Sprintf("extends = 'b%d.toml'\n", i+1)
	}
	wide := map[string]string{"poly.toml": "extends = ['b0.toml', 'b0.toml']\n", "b30.toml": "nonsense = 1\n"}
	for i := range 30 {
		wide[fmt.Sprintf("b%d.toml", i)] = fmt.Sprintf("extends = ['b%d.toml', 'b%d.toml']\n", i+1, i+1)
	}
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"itself", map[string]string{"poly.toml": "extends = \"poly.toml\"\n"}, "poly.toml:1: extends makes a cycle: poly.toml -> poly.toml"},
		{"itself as a directory", map[string]string{"poly.toml": "\nextends = \".\"\n"}, "poly.toml:2: extends makes a cycle: poly.toml -> poly.toml"},
		{"each other", map[string]string{"poly.toml": "extends = 'a.toml'", "a.toml": "extends = 'b.toml'", "b.toml": "\n\nextends = ['c.toml', 'a.toml']", "c.toml": ""}, "b.toml:3: extends makes a cycle: a.toml -> b.toml -> a.toml"},
		{"missing", map[string]string{"poly.toml": "# x\nextends = 'none.toml'"}, "poly.toml:2: extends \"none.toml\": there is no such file"},
		{"missing outside", map[string]string{"poly.toml": "extends = '../none.toml'"}, "poly.toml:1: extends \"../none.toml\": there is no such file"},
		{"broken base", map[string]string{"poly.toml": "extends = 'a.toml'", "a.toml": "\n[defalts]\n"}, "a.toml:2: unknown key \"defalts\""},
		{"syntax in a base", map[string]string{"poly.toml": "extends = 'a.toml'", "a.toml": "\na = \n"}, "a.toml:2:5: "},
		{"deep", deep, "b31.toml:1: extends is nested deeper than 32 files"},
		{"wide, once", wide, "b30.toml:1: unknown key \"nonsense\""},
		{"git is refused here", map[string]string{"poly.toml": "extends = {git='u', revision='" + strings.Repeat("a", 40) + "'}"}, "poly.toml:1: extends u: git bases are not read here"},
		{"not locked", map[string]string{"poly.toml": "extends = {git='u', revision='main'}"}, "poly.toml:1: extends u at main is not locked in poly-config.lock"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			msg, _ := refuse(t, options(tc.files))
			if !strings.HasPrefix(msg, tc.want) || strings.Count(msg, "\n") > 0 {
				t.Errorf("Load = %q, want %q alone", msg, tc.want)
			}
		})
	}
	o := options(map[string]string{"poly.toml": "extends = '../x.toml'"})
	o.Root = "" // a commit of a bare repository
	if msg, _ := refuse(t, o); msg != `poly.toml:1: extends "../x.toml" leaves the tree` {
		t.Errorf("Load = %q", msg)
	}
}

const (
	oidA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	oidB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

// remotes are git bases by url@oid.
func remotes(m map[string]fstest.MapFS) Fetcher {
	return func(_ context.Context, url, oid string) (fs.FS, error) {
		if f, ok := m[url+"@"+oid]; ok {
			return f, nil
		}
		return nil, errors.New("not there")
	}
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text), Mode: 0o644} }

func TestGitBase(t *testing.T) {
	t.Parallel()
	fetch := remotes(map[string]fstest.MapFS{"u@" + oidA: {
		"poly.toml":     file("extends = 'sub/more.toml'\n[defaults]\nline_length = 50\n[rules]\ndirs = ['rules']\n"),
		"sub/more.toml": file("[defaults]\nfinal_newline = false\n"),
		"leaves.toml":   file("extends = '../x.toml'\n"),
	}, "link@" + oidA: {
		"poly.toml": &fstest.MapFile{Mode: fs.ModeNamedPipe},
	}})
	lock := "version = 1\n[[sources]]\ngit = 'u'\nfile = 'poly.toml'\nrevision = 'main'\nlocked = '" + oidA + "'\n"

	o := options(map[string]string{"poly.toml": "extends = {git='u', revision='main'}\n", "poly-config.lock": lock})
	o.Fetch = fetch
	s, err := Load(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	e := s.Root()
	if e.Defaults.LineLength != 50 || e.Defaults.FinalNewline {
		t.Errorf("Defaults = %+v", e.Defaults)
	}
	if got, want := e.Origin("defaults", "final_newline").String(), "u@aaaaaaaaaaaa:sub/more.toml:2"; got != want {
		t.Errorf("Origin = %s, want %s", got, want)
	}
	if d := e.Rules.Dirs[0]; d.Git != "u" || d.OID != oidA || d.Path != "rules" {
		t.Errorf("Rules.Dirs = %+v", d)
	}
	want := []Base{
		{By: "u@aaaaaaaaaaaa:poly.toml", Line: 1, Path: "sub/more.toml", File: "u@aaaaaaaaaaaa:sub/more.toml"},
		{By: "poly.toml", Line: 1, Git: "u", Revision: "main", OID: oidA, File: "u@aaaaaaaaaaaa:poly.toml"},
	}
	if diff := cmp.Diff(want, s.Bases()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"poly-config.lock", "poly.toml"}, s.Files()); diff != "" {
		t.Error(diff)
	}

	for _, tc := range []struct{ name, text, lock, msg, hint string }{
		{"not in the cache", "extends = {git='v', revision='" + oidA + "'}", "", "poly.toml:1: extends v at " + oidA + " is not in the cache", "poly config update"},
		{"locked for another file", "extends = {git='u', revision='main', file='x.toml'}", lock, "poly.toml:1: extends u at main is not locked", "poly config update"},
		{"locked for another revision", "extends = {git='u', revision='dev'}", lock, "poly.toml:1: extends u at dev is not locked", "poly config update"},
		{"no such file", "extends = {git='u', revision='" + oidA + "', file='x.toml'}", "", "poly.toml:1: extends \"u\": there is no such file", ""},
		{"leaves the repository", "extends = {git='u', revision='" + oidA + "', file='leaves.toml'}", "", "u@aaaaaaaaaaaa:leaves.toml:1: extends \"../x.toml\" leaves the repository", ""},
		{"not a regular file", "extends = {git='link', revision='" + oidA + "'}", "", "link@aaaaaaaaaaaa:poly.toml: poly.toml is not a regular file", ""},
		{"other lock version", "extends = {git='u', revision='main'}", "version = 2\n", "poly-config.lock:1: this version reads only version = 1", "poly config update"},
		{"broken lock", "extends = {git='u', revision='main'}", "version = 1\n[[sources]]\ngit = 1\n", "poly-config.lock:3: git in [sources[0]] must be a string", ""},
		{"lock with a name", "extends = {git='u', revision='main'}", "version = 1\n[[sources]]\nlocked = 'main'\n", "poly-config.lock:3: locked in [sources[0]] must be an object id", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"poly.toml": tc.text}
			if tc.lock != "" {
				files["poly-config.lock"] = tc.lock
			}
			o := options(files)
			o.Fetch = fetch
			msg, hint := refuse(t, o)
			if !strings.HasPrefix(msg, tc.msg) || !strings.Contains(hint, tc.hint) {
				t.Errorf("Load = %q, hint %q; want %q, %q", msg, hint, tc.msg, tc.hint)
			}
		})
	}
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	fetch := remotes(map[string]fstest.MapFS{
		"u@" + oidA: {"poly.toml": file("extends = {git='v', revision='tag', file='b.toml'}\n[hooks]\nstages=['pre-push']\n")},
		"v@" + oidB: {"b.toml": file("[defaults]\nline_length = 44\n[tools.eslint]\nenabled = true\n")},
		"w@" + oidA: {"poly.toml": file("")},
	})
	resolve := func(_ context.Context, url, revision string) (string, error) {
		switch url + "@" + revision {
		case "u@main":
			return oidA, nil
		case "v@tag":
			return strings.ToUpper(oidB), nil
		case "x@odd":
			return "main", nil
		}
		return "", errors.New("no such revision")
	}
	files := map[string]string{
		"poly.toml":   "extends = [{git='u', revision='main'}, {git='w', revision='" + oidA + "'}]\n",
		"n/poly.toml": "extends = {git='u', revision='main'}\n",
	}
	lock, err := Update(t.Context(), options(files), resolve, fetch)
	if err != nil {
		t.Fatal(err)
	}
	want := []Locked{
		{Git: "u", File: "poly.toml", Revision: "main", OID: oidA, Hooks: true},
		{Git: "v", File: "b.toml", Revision: "tag", OID: oidB, Tools: true},
		{Git: "w", File: "poly.toml", Revision: oidA, OID: oidA, Pinned: true},
	}
	if diff := cmp.Diff(want, lock.Sources); diff != "" {
		t.Error(diff)
	}
	if lock.Config.Root().Defaults.LineLength != 44 {
		t.Error("Update: not the configuration that results")
	}

	// What Update writes is what Load needs, bases of bases included.
	files["poly-config.lock"] = string(lock.Encode())
	o := options(files)
	o.Fetch = fetch
	s, err := Load(t.Context(), o)
	if err != nil || s.Root().Defaults.LineLength != 44 {
		t.Fatalf("Load = %v, %v with\n%s", s, err, lock.Encode())
	}
	wantText := "# Written by \"poly config update\".\nversion = 1\n\n[[sources]]\ngit = \"u\"\nfile = \"poly.toml\"\nrevision = \"main\"\nlocked = \"" + oidA +
		"\"\n\n[[sources]]\ngit = \"v\"\nfile = \"b.toml\"\nrevision = \"tag\"\nlocked = \"" + oidB + "\"\n"
	if diff := cmp.Diff(wantText, string(lock.Encode())); diff != "" {
		t.Error(diff)
	}
	if got := (&Lock{Sources: want[2:]}).Encode(); got != nil {
		t.Errorf("Encode = %q, want nothing: an object id needs no lock", got)
	}

	for _, tc := range []struct{ url, want string }{
		{"x", `poly.toml:1: extends x at odd: "main" is not an object id`},
		{"none", "poly.toml:1: extends none at odd: no such revision"},
	} {
		_, err := Update(t.Context(), options(map[string]string{"poly.toml": "extends = {git='" + tc.url + "', revision='odd'}"}), resolve, fetch)
		var ue *usererr.Error
		if !errors.As(err, &ue) || ue.Msg != tc.want {
			t.Errorf("Update(%s) = %v, want %q", tc.url, err, tc.want)
		}
	}
}

func TestCancelledLoad(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Load(ctx, options(map[string]string{"poly.toml": "x = 1"})); !errors.Is(err, context.Canceled) {
		t.Errorf("Load = %v, want context.Canceled", err)
	}
}
