package rules_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"poly/internal/rules"
	"poly/internal/rules/match"
)

var update = flag.Bool("update", false, "write what ast-grep says to the cases")

// The reference, fetched by the npm client at test time.
const (
	reference    = "@ast-grep/cli-linux-x64-gnu@0.51.1"
	referenceSum = "FlaaRLyopXet+zFrWOdlTbyJb+QqZzgV9jxIbgz0FoVsJSaJ6jsenO/6bgYJk4zPOCUODuvoQ1/XFlB4r6BdcQ=="
)

// astGrep fetches ast-grep's command line once and returns its path.
var astGrep = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "ast-grep")
	if err != nil {
		return "", err
	}
	cmd := exec.Command("npm", "pack", "--silent", "--prefer-offline", "--pack-destination", dir, reference)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm pack: %w\n%s", err, out)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(names) != 1 {
		return "", fmt.Errorf("npm pack left %v: %w", names, err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		return "", err
	}
	got := sha512.Sum512(data)
	if text := base64.StdEncoding.EncodeToString(got[:]); text != referenceSum {
		return "", fmt.Errorf("%s has the sha512 %s, want %s", reference, text, referenceSum)
	}
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return "", errors.New("the package holds no ast-grep")
		}
		if err != nil {
			return "", err
		}
		if filepath.Base(h.Name) == "ast-grep" {
			text, err := io.ReadAll(tr)
			if err != nil {
				return "", err
			}
			name := filepath.Join(dir, "ast-grep")
			return name, os.WriteFile(name, text, 0o755)
		}
	}
})

func cases(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(files) < 5 {
		t.Fatalf("found %d cases: %v", len(files), err)
	}
	return files
}

// ours returns what a rule file finds in the other files of an archive, one
// match a line, sorted.
func ours(t *testing.T, a *txtar.Archive) []string {
	t.Helper()
	l := rules.NewLoader()
	defer l.Close()
	l.Lenient = true
	for _, f := range a.Files {
		if f.Name == "rule.yml" {
			l.Add(f.Name, f.Data, false)
		}
	}
	for i := range l.Set.Problems {
		t.Error(l.Set.Problems[i].Error())
	}
	x := rules.NewIndex(l.Set.Rules, nil)
	var w rules.Worker
	defer w.Close()
	lines := []string{}
	for _, f := range a.Files {
		lang, ok := match.OfPath(f.Name)
		if !ok || f.Name == "rule.yml" || f.Name == "want" || !x.Covers(lang) || rules.Unreadable(f.Data) != "" {
			continue
		}
		err := w.Scan(t.Context(), x, lang, f.Name, f.Data, func(found *rules.Found) error {
			for i := range found.Matches {
				j, err := found.AsJSON(t.Context(), &found.Matches[i], f.Name, true)
				if err != nil {
					return err
				}
				b, err := rules.AppendJSON(nil, &j, false)
				if err != nil {
					return err
				}
				lines = append(lines, canonical(t, b))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(lines)
	return lines
}

// theirs returns the same of ast-grep.
func theirs(t *testing.T, a *txtar.Archive) []string {
	t.Helper()
	bin, err := astGrep()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range a.Files {
		if f.Name != "want" {
			if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.CommandContext(t.Context(), bin, "scan", "-r", "rule.yml", "--json=stream", "--include-metadata", ".")
	cmd.Dir = dir
	out, err := cmd.Output()
	if _, exit := errors.AsType[*exec.ExitError](err); err != nil && !exit {
		t.Fatal(err)
	}
	lines := []string{}
	for line := range bytes.Lines(out) {
		lines = append(lines, canonical(t, line))
	}
	slices.Sort(lines)
	return lines
}

// canonical writes a match with its labels in order.
func canonical(t *testing.T, line []byte) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(line, &m); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	if labels, ok := m["labels"].([]any); ok {
		slices.SortFunc(labels, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestCases: the matches of a rule, with ranges, variables, labels and fixes,
// are those that ast-grep has printed.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, file := range cases(t) {
		if filepath.Base(file) == "refused.txtar" {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			reference := theirs(t, a)
			if len(reference) == 0 {
				t.Fatal("ast-grep finds nothing: the case shows nothing")
			}
			if *update {
				a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return f.Name == "want" })
				a.Files = append(a.Files, txtar.File{Name: "want", Data: []byte(strings.Join(reference, "\n") + "\n")})
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got := ours(t, a)
			var want []string
			for _, f := range a.Files {
				if f.Name == "want" {
					want = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("matches (-committed +ours):\n%s", d)
			}
			if d := cmp.Diff(reference, got); d != "" {
				t.Errorf("matches (-ast-grep +ours):\n%s", d)
			}
		})
	}
}

// TestRefused: what ast-grep refuses is refused, with its line; what it takes is
// taken; and a rule beside it in the same file works.
func TestRefused(t *testing.T) {
	t.Parallel()
	a, err := txtar.ParseFile("testdata/cases/refused.txtar")
	if err != nil {
		t.Fatal(err)
	}
	bin, err := astGrep()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range a.Files {
		l := rules.NewLoader()
		l.Add(f.Name, append(slices.Clone(f.Data), "---\n{id: fine, language: python, rule: {kind: call}}\n"...), false)
		l.Close()
		bad := len(l.Set.Problems) > 0
		if want := strings.HasPrefix(f.Name, "bad/"); bad != want {
			t.Errorf("%s is refused: %v, want %v: %v", f.Name, bad, want, l.Set.Problems)
		}
		if bad && l.Set.Problems[0].Line != 1 {
			t.Errorf("%s is refused in line %d: %s", f.Name, l.Set.Problems[0].Line, l.Set.Problems[0].Msg)
		}
		if _, ok := l.Set.Find("fine"); !ok {
			t.Errorf("%s spoils the rule behind it", f.Name)
		}
		name := filepath.Join(dir, filepath.Base(f.Name))
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), bin, "scan", "-r", name, dir)
		out, err := cmd.CombinedOutput()
		if (err != nil) != strings.HasPrefix(f.Name, "bad/") {
			t.Errorf("ast-grep refuses %s: %v\n%s", f.Name, err, out)
		}
	}
}
