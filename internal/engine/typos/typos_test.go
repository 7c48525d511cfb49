package typos

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/golangci/misspell"
	"github.com/google/go-cmp/cmp"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
)

// plain removes the dots that keep the misspellings in this file from being found.
func plain(s string) string { return strings.ReplaceAll(s, "·", "") }

// check returns "wrong>right" of every finding, with "!" where there is a fix.
func check(t *testing.T, env engine.Env, src engine.Source) []string {
	t.Helper()
	b, err := Engine.Bind(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	w, err := b.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	src.Text = []byte(plain(string(src.Text)))
	diags, err := w.Lint(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range diags {
		wrong := string(src.Text[d.Span.Start:d.Span.End])
		_, right, _ := strings.Cut(d.Title, "should be ")
		s := wrong + ">" + strings.Trim(right, `"`)
		if len(d.Fix) > 0 {
			s += "!"
		}
		out = append(out, s)
	}
	return out
}

// TestWords: what is reported, as what, and what only looks like a misspelling.
func TestWords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       string
	}{
		{"small", "please re·cieve it", "re·cieve>receive"},
		{"capitalised", "Re·cieve it", "Re·cieve>Receive"},
		{"capitals", "RE·CIEVE", "RE·CIEVE>RECEIVE"},
		{"camel case", "func re·cieveBuffer() { doRe·cieve() }", "re·cieve>receive Re·cieve>Receive"},
		{"acronym", "HTTPRe·cieveBuffer", "Re·cieve>Receive"},
		{"snake case", "max_re·cieve_size MAX_RE·CIEVE_SIZE", "re·cieve>receive RE·CIEVE>RECEIVE"},
		{"digits after", "re·cieve2", "re·cieve>receive"},
		{"kebab case", "pre-re·cieve", "re·cieve>receive"},
		{"several", "te·h re·cieve oc·cured", "te·h>the re·cieve>receive oc·cured>occurred"},
		{"columns", "é re·cieve", "re·cieve>receive"},
		{"Chinese beside it", "请re·cieve数据", "re·cieve>receive"},

		{"right", "receive the occurrence", ""},
		{"part of another word", "foore·cievebar", ""},
		{"short code", "TE·H AD·RES", ""},
		{"short in a name", "ht·e_buf bufHte", ""},
		{"name", "Te·h-Hsing", ""},
		{"URL", "see https://example.com/re·cieve and www.re·cieve.example", ""},
		{"mail", "write to re·cieve@example.com, to@re·cieve.example", ""},
		{"host", "at re·cieve.com or re·cieve.io now", ""},
		{"path", "in /usr/re·cieve/x and ./a/re·cieve/b", ""},
		{"base64", "QmFz1ZTY0re·cieve4IGxp2bmU9= re·cieve1a2b3c4d5e6f", ""},
		{"escape", `printf("\nte·h %si·nse")`, ""},
		{"entity", "&in·finte; &te·h", ""},
		{"digit before", "6re·cieve", ""},
		{"letters outside ASCII", "re·cieveé ére·cieve", ""},
		{"contraction", "it do·ens't", ""},
		{"corrected", "re·cieve -> receive, `Re·cieve` to `receive`, *re·cieve*=>*receive*", ""},
		{"not corrected", "re·cieve to deceive, oc·cured -> send", "re·cieve>receive oc·cured>occurred"},
		{"removed", "St·ichting Ma·thematisch Centrum", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := check(t, engine.Env{}, engine.Source{Path: "a.go", Lang: lang.Go, Text: []byte(tc.text)})
			if d := cmp.Diff(strings.Fields(plain(tc.want)), got); d != "" && tc.want+strings.Join(got, "") != "" {
				t.Error(d)
			}
		})
	}
}

// TestLanguage: a text in another language is not English gone wrong.
func TestLanguage(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"English", "You can re·cieve the ad·ress.", "re·cieve>receive ad·ress>address"},
		{"code", "var ad·ress = 1", "ad·ress>address"},
		{"Swedish", "Fyll i en ad·ress som inte är tom och spara.", ""},
		{"French", "Voici les ex·emples dans une ad·ress pour vous, l'en·vironement.", ""},
		{"German", "Die Im·plementationen sind nicht mit der ad·dresse und dem interface.", ""},
		{"Spanish", "Este es un ex·emple para los usuarios del sistema, re·sponsable de las conexiones.", ""},
		{"name in English", "Thanks to Jürgen Müller for the ad·ress of this.", "ad·ress>address"},
		{"both", strings.Repeat("The quick brown fox of the house was here to be seen. ", 20) + "the ad·ress\n" +
			strings.Repeat("Och det är inte som att eller. ", 40) + "ad·ress\n" + strings.Repeat("Och det är inte som att eller. ", 40), "ad·ress>address"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(check(t, engine.Env{}, engine.Source{Path: "a.txt", Lang: lang.Go, Text: []byte(tc.text)}), " ")
			if got != plain(tc.want) {
				t.Errorf("%q: %q, want %q", tc.text, got, tc.want)
			}
		})
	}
}

// TestFix: the fix is offered in prose, where nothing else can be meant.
func TestFix(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want bool
	}{
		{"We re·cieve it.", true},
		{"(re·cieve)", true},
		{"*re·cieve*", true},
		{"re·cieve", true},
		{"a `re·cieve` b", false},
		{"see [x](re·cieve)", false},
		{"<a id=\"re·cieve\">", false},
		{"re·cieve.md", false},
		{"pre-re·cieve", false},
		{"a_re·cieve", false},
		{"    re·cieve()", false},
		{"```\nre·cieve\n```", false},
		{"```\nx\n```\nre·cieve", true},
		{"---\ntitle: re·cieve\n---", false},
	}
	for _, tc := range tests {
		got := check(t, engine.Env{}, engine.Source{Path: "a.md", Lang: lang.Markdown, Text: []byte(tc.text)})
		want := plain("re·cieve>receive")
		if tc.want {
			want += "!"
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("%q: %v, want [%s]", tc.text, got, want)
		}
		code := check(t, engine.Env{}, engine.Source{Path: "a.go", Lang: lang.Go, Text: []byte(tc.text)})
		if len(code) != 1 || strings.HasSuffix(code[0], "!") {
			t.Errorf("%q as code: %v, want no fix", tc.text, code)
		}
	}
}

// TestSettings: every key of [lint.typos] does what it says, and the native
// files count beneath.
func TestSettings(t *testing.T) {
	t.Parallel()
	text := []byte("re·cieve oc·cured re·cieveBuf\nskip: ad·ress\n")
	all := "re·cieve>receive oc·cured>occurred re·cieve>receive ad·ress>address"
	native := func(name, body string) []engine.Input { return []engine.Input{{Path: name, Text: []byte(plain(body))}} }
	tests := []struct {
		name   string
		values config.Values
		inputs []engine.Input
		want   string
	}{
		{"none", nil, nil, all},
		{"extend_words", config.Values{keyWords: map[string]string{plain("Re·cieve"): "x"}}, nil, "oc·cured>occurred ad·ress>address"},
		{"extend_identifiers", config.Values{keyIdents: map[string]string{plain("re·cieveBuf"): ""}}, nil, "re·cieve>receive oc·cured>occurred ad·ress>address"},
		{"extend_ignore_words", config.Values{keyIgnoreWords: []string{plain("RE·CIEVE")}}, nil, "oc·cured>occurred ad·ress>address"},
		{"extend_ignore_re", config.Values{keyIgnoreRe: []string{`(?m)^skip:.*$`}}, nil, "re·cieve>receive oc·cured>occurred re·cieve>receive"},
		{"extend_ignore_words_re", config.Values{keyIgnoreWordsRe: []string{`^rec`}}, nil, "oc·cured>occurred ad·ress>address"},
		{"extend_ignore_identifiers_re", config.Values{keyIgnoreIdentRe: []string{`Buf$`}}, nil, "re·cieve>receive oc·cured>occurred ad·ress>address"},
		{"extend_exclude", config.Values{keyExclude: []string{"docs/**", "!docs/keep"}}, nil, ""},
		{"_typos.toml", nil, native("_typos.toml", "[default.extend-words]\nre·cieve = \"re·cieve\"\n[default]\nextend-ignore-re = ['skip:.*']\n"), "oc·cured>occurred"},
		{"pyproject.toml", nil, native("pyproject.toml", "[tool.codespell]\nignore-words-list = \"Re·cieve, ad·ress\"\n[tool.typos.default.extend-identifiers]\noc·cured = \"oc·cured\"\n"), ""},
		{"both", config.Values{keyIgnoreWords: []string{plain("oc·cured")}}, native("a/.typos.toml", "[default.extend-words]\nre·cieve = \"\"\n"), "ad·ress>address"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(check(t, engine.Env{Options: tc.values}, engine.Source{Path: "docs/a.go", Lang: lang.Go, Text: text, Inputs: tc.inputs}), " ")
			if got != plain(tc.want) {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
	for _, key := range []string{keyIgnoreRe, keyIgnoreWordsRe, keyIgnoreIdentRe} {
		_, err := Engine.Bind(t.Context(), engine.Env{Options: config.Values{key: []string{"("}}})
		if bad, ok := errors.AsType[*engine.OptionError](err); !ok || bad.Option != key || bad.Item != "(" {
			t.Errorf("%s = [\"(\"]: %v", key, err)
		}
	}
}

// TestRootExcludes: excludes of native files at the root count, through the
// path class, so that they are part of the key.
func TestRootExcludes(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{"_typos.toml": {Data: []byte("[files]\nextend-exclude = [\"gen/\"]\n")}}
	b, err := Engine.Bind(t.Context(), engine.Env{Tree: tree, Options: config.Values{keyExclude: []string{"*.x"}}})
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[string]string{"a.go": "", "gen/a.go": "skip", "b.x": "skip", "go.sum": "skip", "a.min.js": "skip"} {
		if got := b.PathClass(p); got != want {
			t.Errorf("PathClass(%q) = %q, want %q", p, got, want)
		}
	}
	if got := check(t, engine.Env{Tree: tree}, engine.Source{Path: "gen/a.go", Text: []byte("re·cieve")}); got != nil {
		t.Errorf("gen/a.go: %v", got)
	}
}

// TestForeignName tells translations by their names.
func TestForeignName(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]bool{
		"README.de.md": true, "README_zh-CN.md": true, "readme-fr.md": true, "locales/fr.json": true, "i18n/pt-BR/a.yml": true,
		"res/values-pl/strings.xml": true, "lang/zh_Hans.json": true, "messages.es.properties": true,
		"README.md": false, "README.en.md": false, "locales/en.json": false, "de/main.go": false, "fr.go": false, "a.b.go": false,
		"lang/lang.go": false, "locale/it.go.txt": true, "README-old.md": false,
	} {
		if got := foreignName(p); got != want {
			t.Errorf("foreignName(%q) = %v, want %v", p, got, want)
		}
	}
}

// TestData: large files, long lines and lists of misspellings are not prose.
func TestData(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x ", 990)
	var list strings.Builder
	for i := 0; i < 1000; i += 2 {
		fmt.Fprintln(&list, misspell.DictMain[i])
	}
	for name, tc := range map[string]struct {
		text string
		want int
	}{
		"line of 1,999 bytes": {long + "re·cieve\n x re·cieve\n", 2},
		"line of 2,000 bytes": {long + strings.Repeat("y", 13) + "re·cieve\n x re·cieve\n", 1},
		"file below 1 MiB":    {"re·cieve\n" + strings.Repeat("x\n", 1<<19-6), 1},
		"file of 1 MiB":       {"re·cieve\n" + strings.Repeat("x\n", 1<<19-4), 0},
		"list":                {list.String(), 0},
	} {
		if got := check(t, engine.Env{}, engine.Source{Path: "a.txt", Text: []byte(tc.text)}); len(got) != tc.want {
			t.Errorf("%s: %d findings, want %d", name, len(got), tc.want)
		}
	}
}

// TestDictionary: the lists name entries of the wrapped dictionary, each once;
// every entry that is left is found.
func TestDictionary(t *testing.T) {
	t.Parallel()
	entries := map[string]bool{}
	for i := 0; i < len(misspell.DictMain); i += 2 {
		entries[misspell.DictMain[i]] = true
	}
	seen := map[string]bool{}
	for _, text := range []string{removedText, amendedText} {
		for w := range words(text) {
			wrong, _, _ := strings.Cut(w, ">")
			if !entries[wrong] || seen[wrong] {
				t.Errorf("%q is no entry of the dictionary, or is listed twice", wrong)
			}
			seen[wrong] = true
		}
	}
	d := newDictionary()
	found := func(text string) (out []string) {
		scan(d, []byte(text), func(h hit) bool { out = append(out, h.right); return true })
		return out
	}
	if got := found(strings.Join(slices.Collect(words(removedText)), " ")); got != nil {
		t.Errorf("removed words are found: %v", got)
	}
	n := 0
	for i := 0; i < len(misspell.DictMain); i += 2 {
		wrong, right := misspell.DictMain[i], misspell.DictMain[i+1]
		if _, ok := hashWord(wrong); !ok || d.removed[wrong] {
			continue
		}
		if better := d.amended[wrong]; better != "" {
			right = better
		}
		if got := found(wrong); len(got) != 1 || got[0] != right {
			t.Errorf("%q: found %q, want %q", wrong, got, right)
		}
		n++
	}
	if n < 27_000 || len(misspell.DictMain)/2 >= len(d.slots) {
		t.Errorf("%d entries are found, %d slots", n, len(d.slots))
	}
}

// TestSlips: one slip of the finger, and no more.
func TestSlips(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		wrong, right string
		want         bool
	}{
		{"re·cieve", "receive", true},
		{"oc·cured", "occurred", true},
		{"un·till", "until", true},
		{"se·perate", "separate", true},
		{"te·h", "the", true},
		{"de·finately", "definitely", true},
		{"ab", "ab", false},
		{"a", "", true},
		{"", "", false},
		{"re·ccomend", "recommend", false},
		{"mi·sunderstading", "misunderstandings", false},
		{"abcd", "badc", false},
	} {
		if got := oneSlip(plain(tc.wrong), tc.right); got != tc.want {
			t.Errorf("oneSlip(%q, %q) = %v", tc.wrong, tc.right, got)
		}
	}
}

func FuzzLint(f *testing.F) {
	f.Add(plain("te·h re·cieve\n"), "README.md")
	f.Add(plain("é\\nte·h \xff re·cieve@x.y http://te·h"), "a/b.go")
	b, err := Engine.Bind(f.Context(), engine.Env{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		w, err := b.Open(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		diags, err := w.Lint(t.Context(), engine.Source{Path: path, Lang: lang.Markdown, Text: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range diags {
			if _, ok := hashWord(strings.ToLower(text[d.Span.Start:d.Span.End])); !ok {
				t.Errorf("%q is reported", text[d.Span.Start:d.Span.End])
			}
		}
	})
}

func BenchmarkDictionary(b *testing.B) {
	for b.Loop() {
		newDictionary()
	}
}

func BenchmarkLint(b *testing.B) {
	text := []byte(strings.Repeat(plain("// A worker re·cieves files and looks for the words of the list, one after another.\nfunc (w *worker) handleRequest(ctx context.Context) error {\n"), 2000))
	bound, _ := Engine.Bind(b.Context(), engine.Env{})
	w, _ := bound.Open(b.Context())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_, _ = w.Lint(b.Context(), engine.Source{Path: "a.go", Lang: lang.Go, Text: text})
	}
}

func BenchmarkPathClass(b *testing.B) {
	bound, _ := Engine.Bind(b.Context(), engine.Env{})
	for b.Loop() {
		bound.PathClass("internal/engine/typos/some_longer_name_test.go")
	}
}
