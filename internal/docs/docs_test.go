package docs_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"poly/internal/docs"
)

// top is the root of the module, seen from here.
var top = filepath.Join("..", "..")

// limits are the lines a text may have, by folder or file from the top.
var limits = []struct {
	glob  string
	lines int
}{
	{"README.md", 250},
	{"internal/docs/*.md", 300},
	{"internal/docs/adr/*.md", 60},
}

// texts returns the README, the pages and the decisions by path from the top.
func texts(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, l := range limits {
		files, err := filepath.Glob(filepath.Join(top, filepath.FromSlash(l.glob)))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s matches nothing: %v", l.glob, err)
		}
		for _, f := range files {
			rel, err := filepath.Rel(top, f)
			if err != nil {
				t.Fatal(err)
			}
			out[filepath.ToSlash(rel)] = read(t, f)
		}
	}
	return out
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func script(t *testing.T, name string) *txtar.Archive {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join(top, "testdata", "script", name))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func file(t *testing.T, a *txtar.Archive, name string) string {
	t.Helper()
	i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("the script has no file %s", name)
	}
	return string(a.Files[i].Data)
}

// blocks returns the fenced blocks of a Markdown text in one language.
func blocks(text, language string) []string {
	var out []string
	var block []string
	open := ""
	for line := range strings.Lines(text) {
		switch fence, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "```"); {
		case ok && open == "":
			open = "```" + fence
		case ok:
			if open == "```"+language {
				out = append(out, strings.Join(block, ""))
			}
			open, block = "", nil
		case open != "":
			block = append(block, line)
		}
	}
	return out
}

func TestLengths(t *testing.T) {
	t.Parallel()
	all := texts(t)
	for _, l := range limits {
		for name, text := range all {
			if ok, _ := path.Match(l.glob, name); !ok {
				continue
			}
			// The page of the engines is as long as their list of rules.
			if n := strings.Count(text, "\n"); n > l.lines && name != "internal/docs/engines.md" {
				t.Errorf("%s has %d lines, more than %d", name, n, l.lines)
			}
			if !strings.HasPrefix(text, "# ") {
				t.Errorf("%s does not begin with its title", name)
			}
		}
	}
}

var exitCode = regexp.MustCompile(`^poly [0-9]{1,3} `)

// commands returns the poly commands of all scripts, without exit codes.
func commands(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(top, "testdata", "script", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	out := map[string]bool{}
	for _, f := range files {
		a, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(a.Comment)) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "poly ") {
				out[exitCode.ReplaceAllString(line, "poly ")] = true
			}
		}
	}
	return out
}

// typed returns what poly gets of a line that a shell would run.
func typed(line string) string {
	for _, end := range []string{" #", " > ", " < ", " | "} {
		line, _, _ = strings.Cut(line, end)
	}
	return strings.TrimSpace(line)
}

func TestExamplesAreScripts(t *testing.T) {
	t.Parallel()
	known := commands(t)
	n := 0
	for name, text := range texts(t) {
		for _, block := range blocks(text, "sh") {
			for line := range strings.Lines(block) {
				if !strings.HasPrefix(line, "poly ") {
					continue
				}
				n++
				if c := typed(line); !known[c] {
					t.Errorf("%s: no script of testdata/script runs %q", name, c)
				}
			}
		}
	}
	if n < 20 {
		t.Errorf("found %d examples: the test looks in the wrong place", n)
	}
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

func TestLinks(t *testing.T) {
	t.Parallel()
	all := texts(t)
	n := 0
	for name, text := range all {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			n++
			target, anchor, _ := strings.Cut(m[1], "#")
			to := name
			if target != "" {
				to = path.Join(path.Dir(name), target)
			}
			if _, err := os.Stat(filepath.Join(top, filepath.FromSlash(to))); err != nil {
				t.Errorf("%s links to %s, which does not exist", name, m[1])
			} else if anchor != "" && !slices.Contains(anchors(all[to]), anchor) {
				t.Errorf("%s links to %s, which has no such heading", name, m[1])
			}
		}
	}
	if n < 10 {
		t.Errorf("found %d links: the test looks in the wrong place", n)
	}
}

// anchors are the headings of a text as links name them.
func anchors(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if h := strings.TrimLeft(line, "#"); h != line {
			h = strings.ToLower(strings.TrimSpace(h))
			out = append(out, strings.Map(func(r rune) rune {
				switch {
				case r == ' ':
					return '-'
				case r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
					return r
				}
				return -1
			}, h))
		}
	}
	return out
}

// TestReadmeShowsWhatPolyPrints: the example at the top is what the script
// makes poly print, but for the time it took.
func TestReadmeShowsWhatPolyPrints(t *testing.T) {
	t.Parallel()
	text := blocks(read(t, filepath.Join(top, "README.md")), "text")[0]
	got, ok := strings.CutPrefix(text, "$ poly lint\n")
	if !ok {
		t.Fatalf("the first block is %q", text)
	}
	got = regexp.MustCompile(`; in [0-9.]+ ms, \d+ from cache`).ReplaceAllString(got, "")
	if d := cmp.Diff(file(t, script(t, "readme_minute.txtar"), "want.txt"), got); d != "" {
		t.Errorf("-printed +shown:\n%s", d)
	}
}

// TestDocumentsShowsWhatPolyPrints: the documents on the page are those of the
// script, but for line breaks and the hash, which changes with the defaults.
func TestDocumentsShowsWhatPolyPrints(t *testing.T) {
	t.Parallel()
	hash := regexp.MustCompile(`"hash":"[0-9]+/[0-9a-f]{16}"`)
	a := script(t, "readme_documents.txtar")
	shown := blocks(read(t, "documents.md"), "json")
	for i, name := range []string{"lint.json", "fmt.json"} {
		var b bytes.Buffer
		if err := json.Compact(&b, []byte(shown[i])); err != nil {
			t.Fatal(err)
		}
		want := strings.TrimSpace(file(t, a, name))
		if d := cmp.Diff(hash.ReplaceAllString(want, ""), hash.ReplaceAllString(b.String(), "")); d != "" {
			t.Errorf("%s: -printed +shown:\n%s", name, d)
		}
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	pages := docs.Pages()
	var names []string
	for _, p := range pages {
		names = append(names, p.Name)
		if p.Title == "" || strings.HasPrefix(p.Title, "#") || !strings.Contains(p.Text, p.Title) {
			t.Errorf("page %s has the title %q", p.Name, p.Title)
		}
	}
	if !slices.IsSorted(names) || len(names) < 9 {
		t.Errorf("pages: %v", names)
	}
}
