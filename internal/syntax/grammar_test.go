package syntax

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestVersions: the versions that are told are those of go.mod and Cargo.toml.
func TestVersions(t *testing.T) {
	t.Parallel()
	required := map[string]bool{}
	read := func(name, pattern string) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
			required[m[1]+" "+m[2]] = true
		}
	}
	read("../../go.mod", `(?m)^\t(github\.com/tree-sitter\S*) v(\S+)$`)
	read("fetched/Cargo.toml", `(?m)^(tree-sitter-\S+) = "=(\S+)"$`)
	crates := map[string]string{"kotlin": "kotlin-sg", "markdown": "md", "sql": "sequel"}
	told := map[string]bool{Runtime().Source + " " + Runtime().Version: true}
	for _, l := range languages {
		name := crates[l.Name]
		if name == "" {
			name = l.Name
		}
		key := "tree-sitter-" + name + " " + l.Grammar.Version
		if !required[key] {
			key = l.Grammar.Source + " " + l.Grammar.Version
		}
		if !required[key] {
			t.Errorf("%s says %s, and nothing requires it", l.Name, key)
		}
		told[key] = true
	}
	for key := range required {
		if !told[key] {
			t.Errorf("%s is required, and no language says so", key)
		}
	}
}

// TestNotices: every grammar has the text of its licence, a copyright in it.
func TestNotices(t *testing.T) {
	t.Parallel()
	grammars := []*Grammar{Runtime()}
	for _, l := range languages {
		grammars = append(grammars, &l.Grammar)
	}
	for _, g := range grammars {
		text := g.Notice()
		if !strings.Contains(text, "opyright") || g.Licence == "MIT" != strings.Contains(text, "Permission is hereby granted") {
			t.Errorf("%s, %s: notice %.60q", g.Source, g.Licence, text)
		}
	}
}
