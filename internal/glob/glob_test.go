package glob

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, rules, base, path string
		dir                     bool
		want                    int
	}{
		{"name at any depth", "foo", "", "a/b/foo", false, 0},
		{"anchored", "/foo", "", "a/foo", false, -1},
		{"slash anchors", "a/foo", "", "b/a/foo", false, -1},
		{"trailing slash does not anchor", "foo/", "", "a/foo", true, 0},
		{"directories only", "foo/", "", "a/foo", false, -1},
		{"last wins", "foo\n!foo", "", "foo", false, 1},
		{"last wins across forms", "*.go\nmain.go\n*.go", "", "main.go", false, 2},
		{"extension", "*.go", "", "a/b.go", false, 0},
		{"long extension", "*.tar.gz", "", "a/b.tar.gz", false, 0},
		{"extension alone", "*.go", "", ".go", false, 0},
		{"star does not cross", "a/*/c", "", "a/b/b/c", false, -1},
		{"tree", "a/**/c", "", "a/b/b/c", false, 0},
		{"tree matches nothing", "a/**/c", "", "a/c", false, 0},
		{"trailing tree needs something", "a/**", "", "a", true, -1},
		{"tree in the middle of a name is a star", "x/a**c", "", "x/a/c", false, -1},
		{"base", "foo", "sub", "foo", false, -1},
		{"base below", "/foo", "sub", "sub/foo", false, 0},
		{"class", "[[:alpha:]]x", "", "qx", false, 0},
		{"class does not match slash", "a[!b]c/d", "", "a/c/d", false, -1},
		{"unclosed class", "a[", "", "a[", false, -1},
		{"backslash at end", `a\`, "", `a\`, false, -1},
		{"quoted bang", `\!a`, "", "!a", false, 0},
		{"quoted hash", `\#a`, "", "#a", false, 0},
		{"trailing space", "a   ", "", "a", false, 0},
		{"quoted trailing space", `a\ `, "", "a ", false, 0},
		{"carriage return", "a\r\nb\r\n", "", "a", false, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			l := NewList(Parse([]byte(tc.rules), tc.base), Options{})
			if got := l.Match(tc.path, tc.dir); got.Rule != tc.want {
				t.Errorf("Match(%q) = %v, want rule %d", tc.path, got, tc.want)
			}
		})
	}
}

func TestCompile(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		pattern, path string
		want          bool
	}{
		{"*.py", "a.py", true},
		{"*.py", "a/b.py", false},
		{"**/*.py", "a/b.py", true},
		{"**/*.py", "b.py", true},
		{"tests/**", "tests/a/b", true},
		{"tests/**", "tests", false},
		{"!x", "!x", true},
		{"a?c", "a/c", false},
		{"", "a", false},
		{strings.Repeat("*a", 40) + "b", strings.Repeat("a", 5000), false},
		{strings.Repeat("**/a/", 40) + "b", strings.Repeat("a/", 2000), false},
	} {
		g, ok := Compile(tc.pattern)
		if got := g.Match(tc.path); !ok || got != tc.want {
			t.Errorf("Compile(%q).Match(%q) = %v (ok %v), want %v", tc.pattern, tc.path, got, ok, tc.want)
		}
	}
	if g, ok := Compile("a[b"); ok || g.Match("a[b") {
		t.Error(`Compile("a[b") is taken for a pattern`)
	}
}

// repo makes a repository without any configuration of this machine.
func repo(tb testing.TB, fold bool) string {
	tb.Helper()
	dir := tb.TempDir()
	gitRun(tb, dir, "", "init", "-q")
	gitRun(tb, dir, "", "config", "core.ignorecase", strconv.FormatBool(fold))
	return dir
}

func gitRun(tb testing.TB, dir, stdin string, args ...string) string {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"}
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	if x, ok := errors.AsType[*exec.ExitError](err); ok && x.ExitCode() == 1 && args[0] == "check-ignore" {
		err = nil // nothing is ignored
	}
	if err != nil {
		tb.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}

// checkIgnore asks git which rule decides about each path: "file:line" or "".
func checkIgnore(tb testing.TB, dir string, paths []string) map[string]string {
	tb.Helper()
	out := gitRun(tb, dir, strings.Join(paths, "\x00")+"\x00", "check-ignore", "-v", "-n", "-z", "--stdin", "--no-index")
	got := map[string]string{}
	f := strings.Split(out, "\x00")
	for i := 0; i+3 < len(f); i += 4 {
		if f[i] == "" {
			got[f[i+3]] = ""
		} else {
			got[f[i+3]] = f[i] + ":" + f[i+1]
		}
	}
	return got
}

// excluded is the same from a list made of a root file and one in a directory.
func excluded(l *List, path string) string {
	r := l.Excluded(path, path == "a") // the one directory there is
	if r.Rule < 0 {
		return ""
	}
	rule := l.Rule(r.Rule)
	return filepath.Join(rule.Base, ".gitignore") + ":" + strconv.Itoa(rule.Line)
}

func gen(r *rand.Rand, parts []string, most int) string {
	var b strings.Builder
	for range 1 + r.IntN(most) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

var (
	patternParts = []string{
		"a", "b", "c", ".", "A", "B", "/", "/", "*", "*", "**", "**/", "/**/", "/**", "?", "\\", "\\a", "\\*", "[ab]", "[!a]", "[^b]", "[a-c]", "[A-B]", "[]a]", "[a-]", "[\\a]",
		"[[:alpha:]]", "[[:upper:]]", "[[:lower:]a]", "[![:digit:]]", "[[:punct:]]", "[[:x:]]", "[[:]", "[[::]]", "[", "]", "-", "!", " ", "#", "\\ ", "1", "*.a", "\r", "***", "[--a]", "\\/", "[a/]", "é",
	}
	pathParts = []string{"a", "a", "b", "c", "A", "B", "ab", "a.a", ".a", "/", "/", "1", "-", "!", "]", "[", " ", "#", "*", "\\", "é"}
)

// cleanPath makes a relative path without empty or dot components.
func cleanPath(s string) string {
	var out []string
	for c := range strings.SplitSeq(s, "/") {
		if c != "" && c != "." && c != ".." {
			out = append(out, c)
		}
	}
	return strings.Join(out, "/")
}

// TestGit compares random lists with git itself.
func TestGit(t *testing.T) {
	t.Parallel()
	for _, fold := range []bool{false, true} {
		t.Run(fmt.Sprintf("fold=%v", fold), func(t *testing.T) {
			t.Parallel()
			dir := repo(t, fold)
			r := rand.New(rand.NewPCG(1, 2))
			hits := 0
			for range 250 {
				var root, sub strings.Builder
				if r.IntN(8) == 0 {
					root.WriteString("\ufeff")
				}
				for range 1 + r.IntN(6) {
					root.WriteString(gen(r, patternParts, 6) + "\n")
				}
				for range r.IntN(3) {
					sub.WriteString(gen(r, patternParts, 5) + "\n")
				}
				write(t, filepath.Join(dir, ".gitignore"), root.String())
				write(t, filepath.Join(dir, "a", ".gitignore"), sub.String())
				rules := append(Parse([]byte(root.String()), ""), Parse([]byte(sub.String()), "a")...)
				l := NewList(rules, Options{FoldCase: fold})
				var paths []string
				for range 120 {
					if p := cleanPath(gen(r, pathParts, 7)); p != "" {
						paths = append(paths, p)
					}
				}
				for p, want := range checkIgnore(t, dir, paths) {
					if want != "" {
						hits++
					}
					if strings.HasPrefix(lower(p), "a/") && (fold && !strings.HasPrefix(p, "a/") || l.Match("a", true).Ignored()) {
						continue // a/.gitignore is not read by git
					}
					if got := excluded(l, p); got != want {
						t.Errorf("%q: %q, git says %q\nroot: %q\na: %q", p, got, want, root.String(), sub.String())
					}
				}
				if t.Failed() {
					return
				}
			}
			if hits < 2500 {
				t.Errorf("only %d paths were matched by a rule: the test shows little", hits)
			}
		})
	}
}

func write(tb testing.TB, name, text string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		tb.Fatal(err)
	}
}

func TestAppendMatches(t *testing.T) {
	t.Parallel()
	l := NewList(Parse([]byte("*.go\nmain.go\n/x\n*\n*.go\n"), ""), Options{})
	if diff := cmp.Diff([]int32{4, 3, 1, 0}, l.AppendMatches(nil, "a/main.go", false)); diff != "" {
		t.Error(diff)
	}
}

// FuzzGlob compares one pattern and one path with git.
func FuzzGlob(f *testing.F) {
	f.Add("a/**/b", "a/x/b")
	f.Add("*.[ch]", "x.c")
	f.Add("!a", "a")
	f.Add("a**/b", "ab/b")
	f.Add("a/", "b/a")
	f.Add("[[:space:]-z]/", "a/b")
	dir := repo(f, false)
	write(f, filepath.Join(dir, "a", "x"), "")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		path = cleanPath(path)
		if path == "" || strings.Contains(path, "\x00") || strings.HasPrefix(path, ".git/") || path == ".git" || len(path) > 200 {
			return
		}
		write(t, filepath.Join(dir, ".gitignore"), pattern)
		l := NewList(Parse([]byte(pattern), ""), Options{})
		if got, want := excluded(l, path), checkIgnore(t, dir, []string{path})[path]; got != want {
			t.Errorf("%q on %q: %q, git says %q", pattern, path, got, want)
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	var rules []Rule
	for i := range 200 {
		rules = append(rules, Rule{Pattern: [...]string{"name%d", "*.e%d", "/dir%d/sub", "a%d/**/x", "pre%d*"}[i%5]})
		rules[i].Pattern = fmt.Sprintf(rules[i].Pattern, i)
	}
	l := NewList(rules, Options{})
	for b.Loop() {
		l.Match("packages/some-package/test/fixtures/transform/input.js", false)
	}
}
