package rules_test

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"poly/internal/rules"
)

// TestPackFacts: the table of the pack says what its files say.
func TestPackFacts(t *testing.T) {
	t.Parallel()
	sums := map[string]string{}
	var langs []string
	for _, p := range packs(t) { // by path
		if !slices.Contains(langs, p.lang) {
			langs = append(langs, p.lang)
		}
		sum := sha256.Sum256(p.text)
		sums[p.lang] += hex.EncodeToString(sum[:8])
	}
	if d := cmp.Diff(langs, rules.Packed()); d != "" {
		t.Errorf("languages (-files +table), go generate ./internal/rules mends it:\n%s", d)
	}
	for _, l := range langs {
		if sums[l] != rules.PackDigest(l) {
			t.Errorf("the rules for %s are not those in the table: go generate ./internal/rules", l)
		}
	}
}

// paths that rules of the pack tell apart.
var paths = []string{
	"a.go", "a_test.go", "x/a_test.go", "test/a.go", "x/test/y/a.go", "e2e/a", "testing/x", "aTest.java", "x/aTests.java", "ci/a.yml", "ci/x/a.yml", ".github/workflows/a.yml",
	".github/a.yaml", "x/.github/workflows/y/a.yaml", "action.yml", "x/action.yaml", "deployments/a.yml", "a.yml", "src/test", "bench/x", "x.bats", "t/x", "unit/a.c", "vendor/x/a.js", "é/tests/ü",
}

// TestClasses: paths of a class are paths that the same rules are for; finding
// out compiles nothing.
func TestClasses(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{
		"r/a.yml":        {Data: []byte("{id: one, language: go, rule: {kind: identifier}, files: ['x/**', {glob: '**/A*', caseInsensitive: true}]}\n")},
		"r/b.yml":        {Data: []byte(`{"id": "two", "language": "go", "rule": {"kind": "identifier"}, "\u0069gnores": ["**/a.go"]}`)},
		"r/c.yml":        {Data: []byte("id: three\nlanguage: go\nrule: {kind: identifier}\n")},
		"r/bad.yml":      {Data: []byte("{id: bad, language: go, rule: {kind: no_such_kind}, files: ['**/*.go']}\n---\n{id: [}")},
		"r/x/a-test.yml": {Data: []byte("{id: one, valid: [], files: []}")},
	}
	for _, lib := range []*rules.Library{rules.NewLibrary(nil, nil), rules.NewLibrary(tree, []string{"r"})} {
		seen := 0
		for _, lang := range append(rules.Packed(), "lua") {
			c, err := lib.Classes(lang)
			if err != nil {
				t.Fatal(err)
			}
			classes := make([]string, len(paths))
			for i, p := range paths {
				classes[i] = c.Of(p)
			}
			if n := lib.Compiled(); n != seen {
				t.Errorf("%d rules are compiled to tell the classes of paths for %s", n-seen, lang)
			}
			set, err := lib.Set(lang)
			if err != nil {
				t.Fatal(err)
			}
			seen = lib.Compiled()
			of := map[string]string{}
			for i, p := range paths {
				var ids []string
				for _, r := range set.Rules {
					if r.Applies(p) {
						ids = append(ids, r.ID)
					}
				}
				all := strings.Join(ids, " ")
				if other, ok := of[classes[i]]; ok && other != all {
					t.Errorf("%s is of a class with another path, for which there are other rules:\n%s\n%s", p, other, all)
				}
				of[classes[i]] = all
			}
			if lang == "go" && len(of) < 3 {
				t.Errorf("only %d classes of paths for Go", len(of))
			}
		}
	}
}

// TestSetOfLanguage: the rules for a language are those of all rules, however
// rules of other languages replace them; others are not compiled.
func TestSetOfLanguage(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{
		"r/a.yml": {Data: []byte(strings.Join([]string{
			"{id: go-zip-slip, language: python, rule: {kind: call}}",               // replaces one for Go
			"{id: go-defer-lock, language: go, rule: {kind: no_such_kind}}",         // refused: replaces nothing
			"{id: c-strlen-in-loop, language: c, rule: {kind: call_expression}}",    // replaces its own
			"{id: twice, language: ruby, rule: {kind: no_such_kind}}",               // refused: the next one counts
			"{id: twice, language: go, rule: {kind: identifier}}",                   //
			"{id: twice, language: python, rule: {kind: call}}",                     // defined twice
			"{id: elsewhere, language: rust, rule: {kind: identifier}, files: [a]}", //
			"{language: go, rule: {kind: identifier}}",                              // a-7
			"{id: go-write-to-nil-map, language: klingon, rule: {kind: identifier}}",
		}, "\n---\n"))},
		"r/b.yml": {Data: []byte("&a {id: &i plain, language: go, rule: {kind: identifier}}\n--- \n{ id: [ }\n")},
	}
	lib := rules.NewLibrary(tree, []string{"r"})
	all, err := lib.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range append(rules.Packed(), "lua") {
		lib := rules.NewLibrary(tree, []string{"r"})
		set, err := lib.Set(lang)
		if err != nil {
			t.Fatal(err)
		}
		ids := func(list []rules.Rule) (out []string) {
			for _, r := range list {
				if r.Lang.Name == lang {
					out = append(out, r.ID+" of "+r.File)
				}
			}
			return out
		}
		if d := cmp.Diff(ids(all.Rules), ids(set.Rules)); d != "" {
			t.Errorf("rules for %s (-of all +of the language):\n%s", lang, d)
		}
		if len(ids(set.Rules)) != len(set.Rules) {
			t.Errorf("the set for %s holds rules for others", lang)
		}
		if n := lib.Compiled(); n > len(set.Rules)+5 {
			t.Errorf("%d rules are compiled for the %d of %s", n, len(set.Rules), lang)
		}
	}
}
