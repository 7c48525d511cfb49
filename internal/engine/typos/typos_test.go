package typos

import (
	"context"
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
		{"small", "please recieve it", "recieve>receive"},
		{"capitalised", "Recieve it", "Recieve>Receive"},
		{"capitals", "RECIEVE", "RECIEVE>RECEIVE"},
		{"camel case", "func recieveBuffer() { doRecieve() }", "recieve>receive Recieve>Receive"},
		{"acronym", "HTTPRecieveBuffer", "Recieve>Receive"},
		{"snake case", "max_recieve_size MAX_RECIEVE_SIZE", "recieve>receive RECIEVE>RECEIVE"},
		{"digits after", "recieve2", "recieve>receive"},
		{"kebab case", "pre-recieve", "recieve>receive"},
		{"several", "teh recieve occured", "teh>the recieve>receive occured>occurred"},
		{"columns", "é recieve", "recieve>receive"},
		{"Chinese beside it", "请recieve数据", "recieve>receive"},

		{"right", "receive the occurrence", ""},
		{"part of another word", "foorecievebar", ""},
		{"short code", "TEH ADRES", ""},
		{"short in a name", "hte_buf bufHte", ""},
		{"name", "Teh-Hsing", ""},
		{"URL", "see https://example.com/recieve and www.recieve.example", ""},
		{"mail", "write to recieve@example.com, to@recieve.example", ""},
		{"host", "at recieve.com or recieve.io now", ""},
		{"path", "in /usr/recieve/x and ./a/recieve/b", ""},
		{"base64", "QmFz1ZTY0recieve4IGxp2bmU9= recieve1a2b3c4d5e6f", ""},
		{"escape", `printf("\nteh %sinse")`, ""},
		{"entity", "&infinte; &teh", ""},
		{"digit before", "6recieve", ""},
		{"letters outside ASCII", "recieveé érecieve", ""},
		{"contraction", "it doens't", ""},
		{"removed", "Stichting Mathematisch Centrum", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := check(t, engine.Env{}, engine.Source{Path: "a.go", Lang: lang.Go, Text: []byte(tc.text)})
			if d := cmp.Diff(strings.Fields(tc.want), got); d != "" && tc.want+strings.Join(got, "") != "" {
				t.Error(d)
			}
		})
	}
}

// TestLanguage: a text in another language is not English gone wrong.
func TestLanguage(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"English", "You can recieve the adress.", "recieve>receive adress>address"},
		{"code", "var adress = 1", "adress>address"},
		{"Swedish", "Fyll i en adress som inte är tom och spara.", ""},
		{"French", "Voici les exemples dans une adress pour vous, l'environement.", ""},
		{"German", "Die Implementationen sind nicht mit der addresse und dem interface.", ""},
		{"Spanish", "Este es un exemple para los usuarios del sistema, responsable de las conexiones.", ""},
		{"name in English", "Thanks to Jürgen Müller for the adress of this.", "adress>address"},
		{"both", strings.Repeat("The quick brown fox of the house was here to be seen. ", 20) + "the adress\n" +
			strings.Repeat("Och det är inte som att eller. ", 40) + "adress\n" + strings.Repeat("Och det är inte som att eller. ", 40), "adress>address"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(check(t, engine.Env{}, engine.Source{Path: "a.txt", Lang: lang.Go, Text: []byte(tc.text)}), " ")
			if got != tc.want {
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
		{"We recieve it.", true},
		{"(recieve)", true},
		{"*recieve*", true},
		{"recieve", true},
		{"a `recieve` b", false},
		{"see [x](recieve)", false},
		{"<a id=\"recieve\">", false},
		{"recieve.md", false},
		{"pre-recieve", false},
		{"a_recieve", false},
		{"    recieve()", false},
		{"```\nrecieve\n```", false},
		{"```\nx\n```\nrecieve", true},
		{"---\ntitle: recieve\n---", false},
	}
	for _, tc := range tests {
		got := check(t, engine.Env{}, engine.Source{Path: "a.md", Lang: lang.Markdown, Text: []byte(tc.text)})
		want := "recieve>receive"
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
	text := []byte("recieve recieveBuf occured\nskip: adress\n")
	all := "recieve>receive recieve>receive occured>occurred adress>address"
	native := func(name, body string) []engine.Input { return []engine.Input{{Path: name, Text: []byte(body)}} }
	tests := []struct {
		name   string
		values config.Values
		inputs []engine.Input
		want   string
	}{
		{"none", nil, nil, all},
		{"extend_words", config.Values{keyWords: map[string]string{"Recieve": "x"}}, nil, "occured>occurred adress>address"},
		{"extend_identifiers", config.Values{keyIdents: map[string]string{"recieveBuf": ""}}, nil, "recieve>receive occured>occurred adress>address"},
		{"extend_ignore_words", config.Values{keyIgnoreWords: []string{"OCCURED"}}, nil, "recieve>receive recieve>receive adress>address"},
		{"extend_ignore_re", config.Values{keyIgnoreRe: []string{`(?m)^skip:.*$`}}, nil, "recieve>receive recieve>receive occured>occurred"},
		{"extend_ignore_words_re", config.Values{keyIgnoreWordsRe: []string{`^rec`}}, nil, "occured>occurred adress>address"},
		{"extend_ignore_identifiers_re", config.Values{keyIgnoreIdentRe: []string{`Buf$`}}, nil, "recieve>receive occured>occurred adress>address"},
		{"extend_exclude", config.Values{keyExclude: []string{"docs/**", "!docs/keep"}}, nil, ""},
		{"_typos.toml", nil, native("_typos.toml", "[default.extend-words]\nrecieve = \"recieve\"\n[default]\nextend-ignore-re = ['skip:.*']\n"), "occured>occurred"},
		{"pyproject.toml", nil, native("pyproject.toml", "[tool.codespell]\nignore-words-list = \"Recieve, adress\"\n[tool.typos.default.extend-identifiers]\noccured = \"occured\"\n"), ""},
		{"malformed", nil, native("typos.toml", "[default.extend-words\n"), all},
		{"bad native expression", nil, native("typos.toml", "[default]\nextend-ignore-re = ['(']\n"), all},
		{"both", config.Values{keyIgnoreWords: []string{"occured"}}, native("a/.typos.toml", "[default.extend-words]\nadress = \"adress\"\n"), "recieve>receive recieve>receive"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(check(t, engine.Env{Options: tc.values}, engine.Source{Path: "docs/a.go", Lang: lang.Go, Text: text, Inputs: tc.inputs}), " ")
			if got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
	for _, key := range []string{keyIgnoreRe, keyIgnoreWordsRe, keyIgnoreIdentRe} {
		_, err := Engine.Bind(t.Context(), engine.Env{Options: config.Values{key: []string{"("}}})
		if err == nil || !strings.Contains(err.Error(), "[lint.typos] "+key) {
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
	if got := check(t, engine.Env{Tree: tree}, engine.Source{Path: "gen/a.go", Text: []byte("recieve")}); got != nil {
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
		"line of 1,999 bytes": {long + "recieve\nrecieve\n", 2},
		"line of 2,000 bytes": {long + strings.Repeat("y", 13) + "recieve\nrecieve\n", 1},
		"file below 1 MiB":    {"recieve\n" + strings.Repeat("x\n", 1<<19-6), 1},
		"file of 1 MiB":       {"recieve\n" + strings.Repeat("x\n", 1<<19-4), 0},
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
		{"recieve", "receive", true}, {"occured", "occurred", true}, {"untill", "until", true}, {"seperate", "separate", true},
		{"teh", "the", true}, {"definately", "definitely", true}, {"ab", "ab", false}, {"a", "", true}, {"", "", false},
		{"reccomend", "recommend", false}, {"misunderstading", "misunderstandings", false}, {"abcd", "badc", false},
	} {
		if got := oneSlip(tc.wrong, tc.right); got != tc.want {
			t.Errorf("oneSlip(%q, %q) = %v", tc.wrong, tc.right, got)
		}
	}
}

func FuzzLint(f *testing.F) {
	f.Add("teh recieve\n", "README.md")
	f.Add("é\\nteh \xff recieve@x.y http://teh", "a/b.go")
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
	text := []byte(strings.Repeat("// A worker recieves files and looks for the words of the list, one after another.\nfunc (w *worker) handleRequest(ctx context.Context) error {\n", 2000))
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
