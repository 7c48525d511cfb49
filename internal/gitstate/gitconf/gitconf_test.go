package gitconf

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing/format/config"
	"github.com/google/go-cmp/cmp"
)

// git runs git with exactly the given environment, and PATH.
func git(tb testing.TB, dir string, env map[string]string, args ...string) (string, error) {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	for k, v := range env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return string(out), err
}

func mustGit(tb testing.TB, dir string, env map[string]string, args ...string) string {
	tb.Helper()
	out, err := git(tb, dir, env, args...)
	if err != nil {
		tb.Fatalf("git %q: %v", args, err)
	}
	return out
}

func write(tb testing.TB, path, text string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		tb.Fatal(err)
	}
}

// dump prints values as `git config --list -z --show-origin --show-scope`
// does; git prints files below its directory relative to that.
func dump(c *Config, dir string) string {
	var b strings.Builder
	for _, v := range c.List() {
		origin := "command line:"
		if v.File != "" {
			file := v.File
			if rel, err := filepath.Rel(dir, file); err == nil && !strings.HasPrefix(rel, "..") && v.Scope >= Local {
				file = rel
			}
			origin = "file:" + file
		}
		fmt.Fprintf(&b, "%s\x00%s\x00%s", v.Scope, origin, v.Key)
		if v.Valued {
			b.WriteString("\n" + v.Text)
		}
		b.WriteByte(0)
	}
	return b.String()
}

// pieces are what generated files are made of: what is allowed, what is
// refused, and what is easily misread.
var pieces = []string{
	"[a]\n", "[A \"B c\"]\n", "[a.B]\n", "[a \"\"]\n", "[a \"q\\\"\\\\\\x\"]", "[a]k = same line\n", "[ a]\n", "[a ]\n", "[a\t\"tab\"]\n", "[a \"b\" ]\n", "[]\n", "[a-9]\n",
	"key = value\n", "\tKEY=v\n", "key\n", "key =\n", "k9-x = 1 2  3\n", "key = \"quoted # no comment\" # comment\n", "key = a;b\n", "key = a \\\n  b\n",
	"key = \\t\\b\\n\\\\\\\"\n", "key = \\x\n", "key = \"open\n", "key value\n", "key # c\n", "9k = 1\n", "k_x = 1\n", "; comment\n", "# comment\n", "\n", "\r\n",
	"crlf = x\r\n", "cr = a\rb\n", "key = \"a\\\nb\"\n", "key = tail  \t\n", "key = \"  kept  \"\n", "key = a\"b\"c\n", "key = \xff\xfe\n", "ü = 1\n", "key = ü\n",
	"\xef\xbb\xbf", "key = end", "key = end\\", "[a", "[a \"b", "key = \"\"\n", "key = a\"\"\n", "key = \\\n", "key = x \\", "k = a = b\n", " [b]  k = 1\n", "k = \"a\" \"b\"\n",
}

// TestFilesEqualGit compares with git on generated files.
func TestFilesEqualGit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	accepted, goGit := 0, 0
	for i := range 400 {
		var text strings.Builder
		if rng.IntN(4) > 0 {
			text.WriteString("[s]\n")
		}
		for range 1 + rng.IntN(5) {
			text.WriteString(pieces[rng.IntN(len(pieces))])
		}
		if i < len(pieces) {
			text.Reset()
			text.WriteString("[s]\n" + pieces[i])
		}
		file := filepath.Join(dir, "config")
		write(t, file, text.String())
		want, gitErr := git(t, dir, nil, "config", "--file", file, "--list", "-z")
		c, err := File(file)
		if (err == nil) != (gitErr == nil) {
			t.Errorf("%q: git says %v, File says %v", text.String(), gitErr, err)
			continue
		}
		if err != nil {
			if !errors.Is(err, ErrSyntax) {
				t.Errorf("%q: %v is no ErrSyntax", text.String(), err)
			}
			continue
		}
		accepted++
		var got strings.Builder
		for _, v := range c.List() {
			got.WriteString(v.Key)
			if v.Valued {
				got.WriteString("\n" + v.Text)
			}
			got.WriteByte(0)
		}
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Errorf("%q (-git +poly):\n%s", text.String(), diff)
		}
		if config.NewDecoder(strings.NewReader(text.String())).Decode(config.New()) == nil {
			goGit++
		}
	}
	// The reason for a parser of our own: go-git's refuses what git reads.
	if accepted < 100 || goGit >= accepted {
		t.Errorf("%d files were accepted, %d by go-git: want at least 100, and go-git to refuse some", accepted, goGit)
	}
}

// TestGoGitAgrees compares with go-git's reader where that is right: on files
// as git itself writes them.
func TestGoGitAgrees(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "config")
	for key, value := range map[string]string{
		"core.bare": "false", "remote.origin.url": "https://example.com/a b", "remote.or\"igin.fetch": "+refs/*:refs/*", "alias.x": "!f() { echo \"a;b\" # c\n}; f",
		"user.name": " lead and trail ", "branch.a.b.merge": "x\\y",
	} {
		mustGit(t, dir, nil, "config", "--file", file, key, value)
	}
	c, err := File(file)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	theirs := config.New()
	if err := config.NewDecoder(bytes.NewReader(b)).Decode(theirs); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, s := range theirs.Sections {
		for _, o := range s.Options {
			want[Canonical(s.Name+"."+o.Key)] = o.Value
		}
		for _, sub := range s.Subsections {
			for _, o := range sub.Options {
				want[Canonical(s.Name+"."+sub.Name+"."+o.Key)] = o.Value
			}
		}
	}
	got := map[string]string{}
	for _, v := range c.List() {
		got[v.Key] = v.Text
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-go-git +poly):\n%s", diff)
	}
}

func TestFileLines(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "c")
	write(t, file, "[a]\nb = 1\n\n  c = 2 \\\n 3\n[x] y\nz = last")
	c, err := File(file)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, v := range c.List() {
		got[v.Key] = v.Line
	}
	if diff := cmp.Diff(map[string]int{"a.b": 2, "a.c": 5, "x.y": 6, "x.z": 7}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	write(t, file, "[a]\nb = 1\noops ?\n")
	if _, err := File(file); err == nil || !strings.Contains(err.Error(), "line 3") || !strings.Contains(err.Error(), file) {
		t.Errorf("File of a bad line 3: %v", err)
	}
}

// TestTypesEqualGit compares booleans and numbers with --type.
func TestTypesEqualGit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, text := range []string{
		"true", "TRUE", "yes", "on", "1", "2", "-1", "0", "00", "", "no", "off", "False", "maybe", "1k", "0k", "k", "2M", "3g", "4G", "0x10", "010", "1kb", " 1", "1 ",
		"tru", "+5", "--5", "9223372036854775807", "99999999999999999999", "0x", "08", "1t",
	} {
		file := filepath.Join(dir, "c")
		write(t, file, fmt.Sprintf("[a]\nb = %q\n", text))
		c, err := File(file)
		if err != nil {
			t.Fatal(err)
		}
		want, gitErr := git(t, dir, nil, "config", "--file", file, "--type=bool", "a.b")
		b, err := c.Bool("a.b", false)
		if got := fmt.Sprintf("%v\n", b); (err == nil) != (gitErr == nil) || err == nil && got != want {
			t.Errorf("Bool of %q = %q, %v; git %q, %v", text, got, err, want, gitErr)
		}
		want, gitErr = git(t, dir, nil, "config", "--file", file, "--type=int", "a.b")
		n, err := c.Int("a.b", 0)
		if got := fmt.Sprintf("%d\n", n); text != "9223372036854775807" && ((err == nil) != (gitErr == nil) || err == nil && got != want) {
			t.Errorf("Int of %q = %q, %v; git %q, %v", text, got, err, want, gitErr)
		}
	}
	c := newConfig(nil)
	if b, err := c.Bool("a.b", true); !b || err != nil {
		t.Errorf("Bool of an unset key = %v, %v, want the default", b, err)
	}
}

// scene is a home directory with a repository in it.
type scene struct {
	t    *testing.T
	dir  string // home
	repo string
	env  map[string]string
}

func newScene(t *testing.T) *scene {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, dir: dir, repo: filepath.Join(dir, "proj", "Repo"), env: map[string]string{
		"HOME": dir, "GIT_CONFIG_SYSTEM": filepath.Join(dir, "system"),
	}}
	mustGit(t, dir, s.env, "init", "-q", "-b", "topic/one", s.repo)
	return s
}

// compare compares Load with `git config --list` in the repository. branch is
// what HEAD names.
func (s *scene) compare() {
	s.t.Helper()
	want, gitErr := git(s.t, s.repo, s.env, "config", "--list", "-z", "--show-origin", "--show-scope")
	gitDir := filepath.Join(s.repo, ".git")
	c, err := Load(Options{
		Env: func(k string) string { return s.env[k] }, SystemFile: filepath.Join(s.dir, "none"),
		GitDir: gitDir, CommonDir: gitDir, WorktreeConfig: strings.Contains(want, "extensions.worktreeconfig\ntrue"),
		Branch: func() string {
			b, _ := git(s.t, s.repo, s.env, "symbolic-ref", "--short", "HEAD")
			return strings.TrimSpace(b)
		},
		Match: match,
	})
	if (err == nil) != (gitErr == nil) {
		s.t.Fatalf("git says %v, Load says %v", gitErr, err)
	}
	if err != nil {
		return
	}
	if diff := cmp.Diff(want, dump(c, s.repo)); diff != "" {
		s.t.Errorf("config --list (-git +poly):\n%s", diff)
	}
}

// match is enough of wildmatch for these tests: "**" and "*".
func match(pattern, text string, fold bool) bool {
	if fold {
		pattern, text = lower(pattern), lower(text)
	}
	switch {
	case pattern == "":
		return text == ""
	case strings.HasPrefix(pattern, "**/") && match(pattern[3:], text, false):
		return true
	case strings.HasPrefix(pattern, "**"):
		return match(pattern[2:], text, false) || text != "" && match(pattern, text[1:], false)
	case pattern[0] == '*':
		return match(pattern[1:], text, false) || text != "" && text[0] != '/' && match(pattern, text[1:], false)
	}
	return text != "" && pattern[0] == text[0] && match(pattern[1:], text[1:], false)
}

func TestLoadEqualsGit(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		files map[string]string // relative to home
		env   map[string]string // $HOME is replaced
	}{
		{"nothing", nil, nil},
		{"every file", map[string]string{
			"system": "[s]\na=1", ".config/git/config": "[s]\na=2", ".gitconfig": "[s]\na=3", "proj/Repo/.git/config": "[core]\nrepositoryformatversion=0\n[s]\na=4\n",
		}, nil},
		{"no system", map[string]string{"system": "[s]\na=1"}, map[string]string{"GIT_CONFIG_NOSYSTEM": "yes"}},
		{"global", map[string]string{"g": "[s]\na=1", ".gitconfig": "[s]\na=2", ".config/git/config": "[s]\na=3"}, map[string]string{"GIT_CONFIG_GLOBAL": "$HOME/g"}},
		{"XDG", map[string]string{"x/git/config": "[s]\na=1", ".config/git/config": "[s]\na=3"}, map[string]string{"XDG_CONFIG_HOME": "$HOME/x"}},
		{"worktree config", map[string]string{
			"proj/Repo/.git/config": "[core]\nrepositoryformatversion=1\n[extensions]\nworktreeConfig=true\n", "proj/Repo/.git/config.worktree": "[s]\na=5",
		}, nil},
		{"count", nil, map[string]string{"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "S.Sub.A", "GIT_CONFIG_VALUE_0": "x y", "GIT_CONFIG_KEY_1": "s.b", "GIT_CONFIG_VALUE_1": ""}},
		{"bad count", nil, map[string]string{"GIT_CONFIG_COUNT": "2x"}},
		{"missing key", nil, map[string]string{"GIT_CONFIG_COUNT": "1"}},
		{"bad key", nil, map[string]string{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "nodot", "GIT_CONFIG_VALUE_0": "1"}},
		{"parameters", nil, map[string]string{"GIT_CONFIG_PARAMETERS": `'s.a'='it'\''s '\!'' 's.b'= 's.old=1=2'  's.flag'`}},
		{"old flag", nil, map[string]string{"GIT_CONFIG_PARAMETERS": `'s.flag'`}},
		{"bad parameters", nil, map[string]string{"GIT_CONFIG_PARAMETERS": `s.flag`}},
		{"open parameters", nil, map[string]string{"GIT_CONFIG_PARAMETERS": `'s.flag`}},
		{"both", nil, map[string]string{"GIT_CONFIG_PARAMETERS": `'s.a'='1'`, "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "s.a", "GIT_CONFIG_VALUE_0": "2"}},
		{"include", map[string]string{".gitconfig": "[include]\npath=a\n[s]\nz=1\n[include]\npath=~/b\n", "a": "[s]\na=1\n[include]\npath=d/c\n", "b": "[s]\nb=1", "d/c": "[s]\nc=1"}, nil},
		{"missing include", map[string]string{".gitconfig": "[include]\npath=nowhere\n"}, nil},
		{"include without value", map[string]string{".gitconfig": "[include]\npath\n"}, nil},
		{"include cycle", map[string]string{".gitconfig": "[include]\npath=.gitconfig\n"}, nil},
		{"ten deep", map[string]string{
			".gitconfig": "[include]\npath=1", "1": "[include]\npath=2", "2": "[include]\npath=3", "3": "[include]\npath=4", "4": "[include]\npath=5", "5": "[include]\npath=6",
			"6": "[include]\npath=7", "7": "[include]\npath=8", "8": "[include]\npath=9", "9": "[include]\npath=10", "10": "[s]\na=10",
		}, nil},
		{"broken include", map[string]string{".gitconfig": "[include]\npath=a\n", "a": "[s\n"}, nil},
		{"relative include from the environment", nil, map[string]string{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "include.path", "GIT_CONFIG_VALUE_0": "x"}},
		{"absolute include from the environment", map[string]string{"x": "[s]\na=1"}, map[string]string{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "include.path", "GIT_CONFIG_VALUE_0": "$HOME/x"}},
		{"gitdir", map[string]string{
			".gitconfig": strings.Join([]string{
				cond("gitdir:~/proj/", "yes"), cond("gitdir:~/proj", "no"), cond("gitdir:Repo/", "yes"), cond("gitdir:Repo/.git", "yes"), cond("gitdir:repo/", "no"),
				cond("gitdir/i:repo/", "yes"), cond("gitdir:./proj/", "yes"), cond("gitdir/i:./PROJ/", "yes"), cond("gitdir:./other/", "no"), cond("gitdir:**/Re*/**", "yes"),
				cond("gitdir:/", "yes"), cond("gitdir:~/proj/*", "no"), cond("gitdir:~/proj/*/.git", "yes"), cond("gitdir:", "no"), cond("unknown:x", "no"), cond("", "no"),
			}, ""),
			"yes": "[s]\nyes=1\n", "no": "[s]\nno=1\n",
		}, nil},
		{"onbranch", map[string]string{
			".gitconfig": cond("onbranch:topic/one", "yes") + cond("onbranch:topic/", "yes") + cond("onbranch:topic", "no") + cond("onbranch:*", "no") + cond("onbranch:**", "yes") + cond("onbranch:one", "no"),
			"yes":        "[s]\nyes=1\n", "no": "[s]\nno=1\n",
		}, nil},
		{"hasconfig", map[string]string{
			".gitconfig":            cond("hasconfig:remote.*.url:https://example.com/**", "yes") + cond("hasconfig:remote.*.url:https://example.org/", "no") + cond("hasconfig:other:x", "no"),
			"yes":                   "[s]\nyes=1\n",
			"no":                    "[s]\nno=1\n",
			"proj/Repo/.git/config": "[core]\nrepositoryformatversion=0\n[remote \"o\"]\nurl = https://example.com/a/b\n",
		}, nil},
		{"hasconfig that adds a remote", map[string]string{
			".gitconfig": cond("hasconfig:remote.*.url:x", "yes"), "yes": "[remote \"b\"]\nurl=x\n",
		}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			for _, name := range slices.Sorted(maps.Keys(tc.files)) {
				write(t, filepath.Join(s.dir, name), tc.files[name])
			}
			for k, v := range tc.env {
				s.env[k] = strings.ReplaceAll(v, "$HOME", s.dir)
			}
			s.compare()
		})
	}
}

func cond(condition, file string) string {
	return fmt.Sprintf("[includeIf %q]\npath = %s\n", condition, file)
}

func TestProtectedLeavesTheRepositoryOut(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	write(t, filepath.Join(s.dir, ".gitconfig"), "[safe]\ndirectory = global\n")
	write(t, filepath.Join(s.repo, ".git", "config"), "[safe]\ndirectory = *\n")
	c, err := Load(Options{
		Env: func(k string) string { return s.env[k] }, GitDir: filepath.Join(s.repo, ".git"), CommonDir: filepath.Join(s.repo, ".git"), Match: match, Protected: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range c.All("safe.directory") {
		got = append(got, v.Text)
	}
	if diff := cmp.Diff([]string{"global"}, got); diff != "" {
		t.Errorf("safe.directory (-want +got):\n%s", diff)
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "c")
	write(t, file, "[a]\nb = ~/x\nc = /y\nd =\n")
	c, err := File(file)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"a.b": "/home/me/x", "A.C": "/y", "a.d": "", "a.e": ""} {
		if got, err := c.Path(key, "/home/me"); got != want || err != nil {
			t.Errorf("Path(%q) = %q, %v, want %q", key, got, err, want)
		}
	}
	if got, err := c.Path("a.b", ""); err == nil {
		t.Errorf("Path of ~/x without a home = %q, want an error", got)
	}
}

func TestSystemFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "opt", "bin", "git"), "")
	for path, want := range map[string]string{
		"": "/etc/gitconfig", "/nowhere/bin": "/etc/gitconfig",
		filepath.Join(dir, "opt", "bin") + ":/usr/bin": filepath.Join(dir, "opt", "etc", "gitconfig"),
	} {
		if got := SystemFile(path); got != want {
			t.Errorf("SystemFile(%q) = %q, want %q", path, got, want)
		}
	}
}
