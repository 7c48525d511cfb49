package config

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"poly/internal/usererr"
)

// FuzzLoad: any bytes are either refused with a place, or load to a
// configuration whose views work and whose digests are stable.
func FuzzLoad(f *testing.F) {
	f.Add(everyText(f), "")
	f.Add("extends = 'poly.toml'", "[discovery]\nexclude_mode = 'replace'\nexclude = 'x'")
	f.Add("[lint.text]\nstrict = true\n[lint.text.text]\n[[a.b]]\n[a.b.c]\n", "lint.text.typos = {}")
	f.Add("\xef\xbb\xbfa.\"b\\u00e9\".c = [[{x = 1979-05-27}], '''\n''']\r\n", "\xff")
	f.Add("extends = ['n/poly.toml', '..', '/', '.', 'n']", "[hooks]\ncommit = {}\npre-commit = {}\n")
	f.Fuzz(func(t *testing.T, root, nested string) {
		files := map[string]string{"poly.toml": root, "n/poly.toml": nested, "poly.local.toml": nested}
		s, err := Load(t.Context(), options(files))
		if err != nil {
			var ue *usererr.Error
			if !errors.As(err, &ue) || !strings.Contains(ue.Msg, "poly") {
				t.Fatalf("Load = %v: not an error with a file", err)
			}
			return
		}
		again, err := Load(t.Context(), options(files))
		if err != nil {
			t.Fatalf("the second Load = %v", err)
		}
		for i, e := range s.All() {
			if e.Digest() != again.All()[i].Digest() {
				t.Fatal("Digest is not stable")
			}
			e.Show(true)
			for _, lang := range e.x.langs() {
				for _, t := range e.x.engines(Lint, lang) {
					e.Lint(lang, t.Name)
				}
			}
			for _, p := range e.Exclude {
				if p.Origin.Line == 0 {
					t.Fatalf("exclude %q has no place", p.Glob)
				}
			}
		}
	})
}

// The order of keys in a file means nothing but for the items of arrays.
func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	n, p := parse("poly.toml", []byte(everyText(t)))
	if p != nil {
		t.Fatal(p)
	}
	o := everyOptions(t)
	digest := func(text string) [32]byte {
		o := o
		o.Local = func(string) ([]byte, error) { return []byte(text), nil }
		o.Dirs = nil
		s, err := Load(t.Context(), o)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return s.Root().Digest()
	}
	delete(n.table, "extends")
	want := digest(render(n, nil))
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		if got := digest(render(n, r)); got != want {
			t.Fatalf("Digest differs for\n%s", render(n, r))
		}
	}
	n.table["defaults"].table["line_length"].value = int64(99)
	if digest(render(n, nil)) == want {
		t.Fatal("Digest does not follow the document")
	}
}

// render writes a document, its keys in random order if r is not nil.
func render(n *node, r *rand.Rand) string {
	keys := n.ordered()
	if r != nil {
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	}
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "%s = %s\n", quoteKey(k), inline(n.table[k], r))
	}
	return b.String()
}

func inline(n *node, r *rand.Rand) string {
	switch n.kind {
	case kindTable:
		fields := slices.Collect(strings.Lines(render(n, r)))
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case kindArray:
		items := make([]string, len(n.items))
		for i, it := range n.items {
			items[i] = inline(it, r)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case kindString:
		return fmt.Sprintf("%q", n.value)
	}
	return fmt.Sprint(n.value)
}

// Each scalar and list of a document has the line it was written on.
func TestOriginOfEachValue(t *testing.T) {
	t.Parallel()
	text := everyText(t)
	s, err := Load(t.Context(), everyOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text, "\n")
	checked := 0
	var walk func(n *node, keys []string)
	walk = func(n *node, keys []string) {
		if n.kind == kindTable {
			for k, c := range n.table {
				walk(c, append(slices.Clip(keys), k))
			}
			return
		}
		last := keys[len(keys)-1]
		at := s.Root().Origin(keys...)
		if at.File != "poly.toml" || at.Line < 1 || at.Line > len(lines) {
			t.Errorf("Origin(%q) = %v", keys, at)
			return
		}
		rest := string([]rune(lines[at.Line-1])[at.Col-1:])
		if last != "jobs" && last != "mode" && last != "enabled" && !strings.HasPrefix(strings.Trim(rest, `"`), last) {
			t.Errorf("Origin(%q) = %v, where it says %q", keys, at, rest)
		}
		checked++
	}
	walk(s.Root().merged, nil)
	if checked < 100 {
		t.Errorf("only %d values", checked)
	}
}

const ordinary = `[defaults]
line_length = 100

[discovery]
exclude = ["vendor/**", "testdata/**", "*.min.js"]

[per-file-ignores]
"tests/**" = ["F401"]

[lint.python.pylint]
select = ["E", "F", "W"]
ignore = ["E501"]

[lint.typos]
extend_ignore_words = ["nd", "fo"]

[fmt.yaml.yamlfmt]
indent = 2

[hooks]
stages = ["pre-commit"]

[hooks.builtin]
lint = true
fmt = true

[hooks.pre-push]
jobs = [{ run = "go test ./..." }]
`

func BenchmarkLoad(b *testing.B) {
	o := options(map[string]string{"poly.toml": ordinary, "sub/poly.toml": "[defaults]\nline_length = 80\n"})
	o.Schema.Languages = nil
	for i := range 250 { // as many languages as a real build has
		o.Schema.Languages = append(o.Schema.Languages, fmt.Sprintf("lang%d", i))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(b.Context(), o); err != nil {
			b.Fatal(err)
		}
	}
}
