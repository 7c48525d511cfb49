package rules_test

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"poly/internal/rules"
	"poly/internal/syntax"
)

// packed is a rule of the built-in pack as its files have it.
type packed struct {
	lang, id string // folder and file name
	text     []byte
	rule     packedRule
	tests    packedTests
}

type packedRule struct {
	ID, Language, Severity, Message, Note, URL string
	Rule                                       yaml.Node
	Constraints                                yaml.Node
	Utils                                      yaml.Node
}

type packedTests struct {
	ID             string
	Valid, Invalid []string
}

// copies are the folders whose rules another folder has too, with the suffix of
// their ids: ast-grep wants one language a rule, and one rule an id.
var copies = map[string][]struct{ lang, name, suffix string }{
	"javascript": {{"typescript", "TypeScript", "-ts"}, {"tsx", "Tsx", "-tsx"}},
	"c":          {{"cpp", "Cpp", "-cpp"}},
}

// packs reads the pack, by folder and id.
func packs(t *testing.T) []*packed {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("pack", "*", "*.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var out []*packed
	for _, f := range files {
		if rules.IsTestFile(f) {
			if _, err := os.Stat(strings.TrimSuffix(f, "-test.yml") + ".yml"); err != nil {
				t.Errorf("%s tests no rule", f)
			}
			continue
		}
		p := &packed{lang: filepath.Base(filepath.Dir(f)), id: strings.TrimSuffix(filepath.Base(f), ".yml")}
		p.text = load(t, f, &p.rule)
		load(t, strings.TrimSuffix(f, ".yml")+"-test.yml", &p.tests)
		out = append(out, p)
	}
	if len(out) == 0 {
		t.Fatal("the pack is empty")
	}
	return out
}

func load(t *testing.T, file string, into any) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return text
}

// origin returns the folder and id of the rule that p is a copy of.
func (p *packed) origin() (lang, id string, copied bool) {
	for from, list := range copies {
		for _, c := range list {
			id, ok := strings.CutSuffix(p.id, c.suffix)
			if ok && c.lang == p.lang {
				return from, id, true
			}
		}
	}
	return p.lang, p.id, false
}

// TestPackFiles: each rule has what explains and tests it.
func TestPackFiles(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	for _, p := range packs(t) {
		bad := func(format string, args ...any) {
			t.Helper()
			t.Errorf("%s/%s: %s", p.lang, p.id, fmt.Sprintf(format, args...))
		}
		if p.rule.ID != p.id || p.tests.ID != p.id || !kebab.MatchString(p.id) {
			bad("the ids are %q and %q", p.rule.ID, p.tests.ID)
		}
		if other := seen[p.id]; other != "" {
			bad("%s has the same id", other)
		}
		seen[p.id] = p.lang
		if l, ok := syntax.ByName(p.rule.Language); !ok || l.Name != p.lang {
			bad("it is for %q", p.rule.Language)
		}
		if !slices.Contains([]string{"error", "warning", "info", "hint"}, p.rule.Severity) {
			bad("severity %q", p.rule.Severity)
		}
		if m := p.rule.Message; m == "" || strings.Contains(m, "\n") || len(m) > 200 || !strings.HasSuffix(m, ".") {
			bad("the message is no sentence of one line: %q", m)
		}
		if n := p.rule.Note; len(n) < 80 || !strings.Contains(n, "\n    ") {
			bad("the note has no example:\n%s", n)
		}
		if u, err := url.Parse(p.rule.URL); err != nil || p.rule.URL != "" && u.Scheme != "https" {
			bad("url %q", p.rule.URL)
		}
		if len(p.tests.Valid) < 3 || len(p.tests.Invalid) < 3 {
			bad("%d valid and %d invalid tests, want 3 of each", len(p.tests.Valid), len(p.tests.Invalid))
		}
		all := slices.Concat(p.tests.Valid, p.tests.Invalid)
		slices.Sort(all)
		if n := len(all); len(slices.Compact(all)) != n {
			bad("a test stands there twice")
		}
	}
}

// walk calls use with each key of a rule and what it holds, at any depth.
func walk(n *yaml.Node, use func(key string, value *yaml.Node)) {
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			use(c.Value, n.Content[i+1])
		}
		walk(c, use)
	}
}

// relational reports whether a rule looks at more than the node itself.
func (p *packed) relational() bool {
	found := false
	for _, n := range []*yaml.Node{&p.rule.Rule, &p.rule.Utils} {
		walk(n, func(key string, _ *yaml.Node) {
			found = found || slices.Contains([]string{"inside", "has", "precedes", "follows"}, key)
		})
	}
	return found
}

// ban matches a pattern that is a name, called with anything or not at all.
var ban = regexp.MustCompile(`^(new )?[\w.:]*\$?\w+(\((\$+\w+)?(, *\$+\w+)*\))?$`)

// bansName reports whether all a rule does is to name something.
func (p *packed) bansName() bool {
	if p.relational() {
		return false
	}
	only := true
	walk(&p.rule.Rule, func(key string, v *yaml.Node) {
		if key == "pattern" && v.Kind == yaml.ScalarNode {
			only = only && ban.MatchString(v.Value)
		}
	})
	return only
}

// TestPackIsWhatItShouldBe counts without the copies.
func TestPackIsWhatItShouldBe(t *testing.T) {
	t.Parallel()
	var all, relational int
	var bans []string
	langs := map[string]int{}
	for _, p := range packs(t) {
		if _, _, copied := p.origin(); copied {
			continue
		}
		all++
		langs[p.lang]++
		if p.relational() {
			relational++
		}
		if p.bansName() {
			bans = append(bans, p.id)
		}
	}
	t.Logf("%d rules: %v; %d relational; names only: %v", all, langs, relational, bans)
	if all < 66 || relational < 30 || len(bans) > 10 {
		t.Errorf("%d rules, %d relational, %d name bans: want 66, 30 and at most 10", all, relational, len(bans))
	}
	for _, l := range []string{"go", "python", "javascript", "typescript", "java", "rust", "ruby", "php", "c", "cpp", "bash", "yaml"} {
		if langs[l] == 0 {
			t.Errorf("no rules for %s", l)
		}
	}
}

// TestPackCopies: a rule for JavaScript is there for TypeScript and TSX, one for
// C for C++, word for word. -update writes the copies.
func TestPackCopies(t *testing.T) {
	t.Parallel()
	byName := map[string]*packed{}
	for _, p := range packs(t) {
		byName[p.lang+"/"+p.id] = p
	}
	language := regexp.MustCompile(`(?m)^language: .*$`)
	id := regexp.MustCompile(`^id: .*`)
	for _, p := range byName {
		if from, orig, copied := p.origin(); copied && byName[from+"/"+orig] == nil {
			t.Errorf("%s/%s is a copy of nothing", p.lang, p.id)
		}
		for _, c := range copies[p.lang] {
			if jsx(p) && c.lang == "typescript" {
				continue // it cannot hold elements
			}
			name := path.Join("pack", c.lang, p.id+c.suffix)
			files := map[string][]byte{name + ".yml": language.ReplaceAll(p.text, []byte("language: "+c.name))}
			tests, err := os.ReadFile(path.Join("pack", p.lang, p.id+"-test.yml"))
			if err != nil {
				t.Fatal(err)
			}
			files[name+"-test.yml"] = tests
			for file, want := range files {
				want = id.ReplaceAll(want, []byte("id: "+p.id+c.suffix))
				if *update {
					if err := os.WriteFile(file, want, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s is not as %s/%s.yml makes it (-update writes it): %v", file, p.lang, p.id, err)
				}
			}
		}
	}
}

// jsx reports whether a rule is about React, whose files are .jsx and .tsx.
func jsx(p *packed) bool { return strings.HasPrefix(p.id, "react-") }

// library returns the rules of the pack whose grammars are built.
func library(t *testing.T) *rules.Set {
	t.Helper()
	set, err := rules.NewLibrary(os.DirFS(t.TempDir()), nil).All()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range slices.Concat(set.Problems, set.Notes) {
		t.Error(&p)
	}
	return set
}

// TestPackTests: each rule whose grammar is built passes its own tests.
func TestPackTests(t *testing.T) {
	t.Parallel()
	set := library(t)
	if want, got := len(packs(t)), len(set.Rules)+len(set.Unbuilt); len(set.Rules) == 0 || got != want {
		t.Errorf("%d rules and %d without a grammar, want %d", len(set.Rules), len(set.Unbuilt), want)
	}
	tester := rules.NewTester(set)
	defer tester.Close()
	if err := tester.AddPack(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := tester.Result(set.Rules)
	for _, p := range got.Problems {
		t.Error(&p)
	}
	for _, x := range got.Tests {
		if !x.Passed {
			t.Errorf("%s: %s %d: %s", x.File, x.Kind, x.Index, x.Detail)
		}
	}
	if len(got.Missing)+len(got.Untested) > 0 {
		t.Errorf("no rule for %v, no tests for %v", got.Missing, got.Untested)
	}
	t.Logf("%d rules, %d tests", len(set.Rules), len(got.Tests))
}

// fixed are what the fixes of the pack make of a text.
var fixed = map[string][2]string{
	"go-defer-lock":               {"package p\n\nfunc f() {\n\tm.RLock()\n\tdefer m.RLock()\n}\n", "package p\n\nfunc f() {\n\tm.RLock()\n\tdefer m.RUnlock()\n}\n"},
	"go-errors-is-swapped":        {"package p\n\nvar x = errors.Is(io.EOF, err)\n", "package p\n\nvar x = errors.Is(err, io.EOF)\n"},
	"py-except-or":                {"try:\n    f()\nexcept A or B as e:\n    pass\n", "try:\n    f()\nexcept (A, B) as e:\n    pass\n"},
	"map-parseint":                {"x = s.split(',').map(parseInt);\n", "x = s.split(',').map((s) => parseInt(s, 10));\n"},
	"java-bigdecimal-from-double": {"class A { Object b = new BigDecimal(0.1); }\n", "class A { Object b = BigDecimal.valueOf(0.1); }\n"},
	"java-optional-null":          {"class A { Optional<B> f() { return null; } }\n", "class A { Optional<B> f() { return Optional.empty(); } }\n"},
	"c-memset-swapped":            {"void f() { memset(p, sizeof(*p), 0); }\n", "void f() { memset(p, 0, sizeof(*p)); }\n"},
	"cpp-delete-of-array":         {"void f() { char *p = new char[9]; delete p; }\n", "void f() { char *p = new char[9]; delete[] p; }\n"},
}

// TestPackFixes: a fix makes the text that somebody would write, and after it the
// rule is content.
func TestPackFixes(t *testing.T) {
	t.Parallel()
	set := library(t)
	tester := rules.NewTester(set)
	defer tester.Close()
	n := 0
	for i := range set.Rules {
		r := &set.Rules[i]
		if !r.Fixable() {
			continue
		}
		n++
		p := packed{lang: r.Lang.Name, id: r.ID}
		_, orig, _ := p.origin()
		texts, ok := fixed[orig]
		if !ok {
			t.Errorf("no test shows what the fix of %s does", r.ID)
			continue
		}
		doc, err := yaml.Marshal(map[string]any{
			"id": r.ID, "valid": []string{texts[1]}, "invalid": []map[string]string{{"code": texts[0], "fixed": texts[1]}},
		})
		if err != nil {
			t.Fatal(err)
		}
		tester.Add(t.Context(), r.ID, doc)
	}
	got := tester.Result(nil)
	for _, x := range got.Tests {
		if !x.Passed {
			t.Errorf("%s: %s: %s", x.RuleID, x.Kind, x.Detail)
		}
	}
	if len(got.Tests) != 2*n || n == 0 || len(got.Problems) > 0 {
		t.Errorf("%d tests of %d fixes: %v", len(got.Tests), n, got.Problems)
	}
}

// TestPackPage: the page of rules lists the pack. -update writes its table.
func TestPackPage(t *testing.T) {
	t.Parallel()
	const file, mark = "../docs/rules.md", "-run TestPackPage -update. -->\n\n"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, got, ok := strings.Cut(string(page), mark)
	if !ok {
		t.Fatal("the page has no place for the table")
	}
	got, next, more := strings.Cut(got, "\n## ")
	rest := ""
	if more {
		rest = "\n## " + next
	}
	var b strings.Builder
	b.WriteString("| language | rule | severity | fix | says |\n|---|---|---|---|---|\n")
	for _, p := range packs(t) {
		if _, _, copied := p.origin(); copied {
			continue
		}
		fix := "-"
		if _, ok := fixed[p.id]; ok {
			fix = "yes"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", p.lang, p.id, p.rule.Severity, fix, strings.ReplaceAll(p.rule.Message, "|", `\|`))
	}
	if *update {
		if err := os.WriteFile(file, []byte(head+mark+b.String()+rest), 0o644); err != nil {
			t.Fatal(err)
		}
		got = b.String()
	}
	if d := cmp.Diff(b.String(), got); d != "" {
		t.Errorf("the page (-pack +page):\n%s", d)
	}
}
