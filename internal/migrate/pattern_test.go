package migrate

import (
	"regexp"
	"strings"
	"testing"

	"poly/runner/job"
)

// TestGlobsMatchWhatTheExpressionMatches: paths are chosen by both alike.
func TestGlobsMatchWhatTheExpressionMatches(t *testing.T) {
	t.Parallel()
	paths := []string{
		"a.py", "src/a.py", "src/x/a.py", "src/a.pyi", "a.pyx", "docs/a.md", "docs/x/b.md", "mydocs/a.md", "setup.py", "x/setup.py", "setup.pyc", "a.yaml", "a.yml", "charts/x/templates/a.yaml",
		".github/workflows/ci.yml", ".github/workflows/x/ci.yml", "README.md", "LICENSE", "a[1].txt", "tests/data/x.json", "tests/x.json", "src/a.js", "src/a.jsx", "src/b.ts", "package-lock.json", "r/mdtest/a", "r/other/a", "A.PY", "v1/x", "v22/x", "x y.txt",
	}
	for _, expr := range []string{
		`\.py$`, `^src/`, `^src/.*\.py$`, `^src/[^/]+\.py$`, `^setup\.py$`, `(^|/)setup\.py$`, `^docs/`, `docs`, `\.ya?ml$`, `\.(js|jsx|ts)$`, `^(src|docs)/`, `.*`, `^$`, `^\.github/workflows/`,
		`^\.github/workflows/[^/]+\.ya?ml$`, `^tests/(data/)?x\.json$`, `^charts/.*/templates/`, `a\[1\]`, `LICENSE|README\.md`, `(?x)^( docs/ | src/ # code
		)`, `(?i)\.py$`, `^v[0-9]/`, `package-lock\.json$`, `^[a-z]\.py$`, `^.*\.md$`, `^src/a\.(py|js)$`, `x y`,
	} {
		globs, exact, left, ok := globsOf(expr)
		if !ok || left != nil || !exact {
			t.Errorf("globsOf(%q) = %v, %v, %v, %v", expr, globs, exact, left, ok)
			continue
		}
		re := regexp.MustCompile(verbose(expr))
		for _, p := range paths {
			if got, want := job.Match(globs, p), re.MatchString(p); got != want {
				t.Errorf("%q: %v match %q: %v, want %v", expr, globs, p, got, want)
			}
		}
	}
}

// TestWhatHasNoForm: each alternative stands by itself, and a lookahead that
// says no takes back.
func TestWhatHasNoForm(t *testing.T) {
	t.Parallel()
	globs, _, left, ok := globsOf(`^(a/.*|b/(?=x).*|r/(?!mdtest/).*)$`)
	if !ok || len(left) != 1 || !strings.Contains(left[0], "(?=x)") {
		t.Errorf("left %q, %v", left, ok)
	}
	for p, want := range map[string]bool{"a/x": true, "r/other/a": true, "r/mdtest/a": false, "b/x": false, "c": false} {
		if got := job.Match(globs, p); got != want {
			t.Errorf("%v match %q: %v, want %v", globs, p, got, want)
		}
	}
	for _, expr := range []string{`(?<=a)b`, `(`, `\1`, `a(?=b)`} {
		if globs, _, left, ok := globsOf(expr); ok || len(left) == 0 || len(globs) > 0 {
			t.Errorf("globsOf(%q) = %v, %v", expr, globs, left)
		}
	}
}

// TestMoreIsSaid: what cannot be written exactly matches at least as much.
func TestMoreIsSaid(t *testing.T) {
	t.Parallel()
	globs, exact, _, ok := globsOf(`^docs/\w+\.md$`)
	if !ok || exact || !job.Match(globs, "docs/a.md") || job.Match(globs, "src/a.md") {
		t.Errorf("globsOf = %v, %v, %v", globs, exact, ok)
	}
}

func FuzzGlobsOf(f *testing.F) {
	f.Add(`^(a|b[^/]*)\.py$`)
	f.Add(`(?x)( a # b`)
	f.Add(`a(?!b)c|[`)
	f.Fuzz(func(t *testing.T, expr string) {
		globs, _, left, ok := globsOf(expr)
		if !ok && len(left) == 0 || len(globs) > 0 && !ok {
			t.Fatalf("globsOf(%q) = %v, %v, %v", expr, globs, left, ok)
		}
		for _, g := range globs {
			job.Match([]string{g}, "a/b.py")
		}
	})
}
