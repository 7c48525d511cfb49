package typos

import (
	"io/fs"
	"path"
	"regexp"
	"strings"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/glob"
	"poly/internal/usererr"
)

// Keys of [lint.typos].
const (
	keyWords         = "extend_words"
	keyIdents        = "extend_identifiers"
	keyExclude       = "extend_exclude"
	keyIgnoreWords   = "extend_ignore_words"
	keyIgnoreRe      = "extend_ignore_re"
	keyIgnoreWordsRe = "extend_ignore_words_re"
	keyIgnoreIdentRe = "extend_ignore_identifiers_re"
)

// fromValues makes the rules of [lint.typos]. A bad regular expression is a
// configuration error.
func fromValues(v config.Values) (rules, error) {
	r := rules{words: map[string]bool{}, idents: map[string]bool{}, excludeSrc: v.Strings(keyExclude)}
	for w := range v.Map(keyWords) {
		r.words[strings.ToLower(w)] = true
	}
	for _, w := range v.Strings(keyIgnoreWords) {
		r.words[strings.ToLower(w)] = true
	}
	for id := range v.Map(keyIdents) {
		r.idents[id] = true
	}
	for _, l := range [...]struct {
		key  string
		list *[]*regexp.Regexp
	}{{keyIgnoreRe, &r.text}, {keyIgnoreWordsRe, &r.wordRes}, {keyIgnoreIdentRe, &r.identRes}} {
		for _, s := range v.Strings(l.key) {
			re, err := regexp.Compile(s)
			if err != nil {
				return rules{}, &usererr.Error{
					Code: "bad-regexp", Msg: "[lint.typos] " + l.key + ": " + err.Error(),
					Hint: "the syntax is RE2's: https://golang.org/s/re2syntax",
				}
			}
			*l.list = append(*l.list, re)
		}
	}
	return r, nil
}

// nativeNames are the files of typos and codespell, which count beneath [lint.typos].
var nativeNames = []string{"_typos.toml", ".typos.toml", "typos.toml", "pyproject.toml"}

// rootExcludes returns the excludes of the native files at the root of tree;
// other files' excludes are not known before a file is judged.
func rootExcludes(tree fs.FS) []string {
	if tree == nil {
		return nil
	}
	var out []string
	for _, name := range nativeNames {
		if text, err := fs.ReadFile(tree, name); err == nil {
			out = append(out, parseNative(name, text).excludeSrc...)
		}
	}
	return out
}

// nativeCache keeps the rules of the native files seen last: files of one
// directory have the same.
type nativeCache struct {
	inputs []engine.Input
	last   rules
}

func (c *nativeCache) rules(inputs []engine.Input) rules {
	if len(inputs) == 0 {
		return rules{}
	}
	if !equalInputs(c.inputs, inputs) {
		var r rules
		for _, in := range inputs {
			r = r.with(parseNative(path.Base(in.Path), in.Text))
		}
		c.inputs, c.last = inputs, r
	}
	return c.last
}

func equalInputs(a, b []engine.Input) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Path != b[i].Path || string(a[i].Text) != string(b[i].Text) {
			return false
		}
	}
	return true
}

// parseNative reads a native file. What cannot be read there counts as absent:
// the file is another tool's, which will complain.
func parseNative(name string, text []byte) rules {
	doc, err := config.DecodeTOML(name, text)
	if err != nil {
		return rules{}
	}
	var r rules
	if name == "pyproject.toml" {
		tool := table(doc, "tool")
		r.words = codespellWords(table(tool, "codespell"))
		doc = table(tool, "typos")
	}
	def := table(doc, "default")
	r = r.with(rules{
		words: keys(table(def, "extend-words"), strings.ToLower), idents: keys(table(def, "extend-identifiers"), strings.Clone),
		text: expressions(def, "extend-ignore-re"), wordRes: expressions(def, "extend-ignore-words-re"),
		identRes: expressions(def, "extend-ignore-identifiers-re"), excludeSrc: texts(table(doc, "files"), "extend-exclude"),
	})
	return r
}

func table(doc map[string]any, key string) map[string]any {
	t, _ := doc[key].(map[string]any)
	return t
}

func texts(doc map[string]any, key string) []string {
	var out []string
	list, _ := doc[key].([]any)
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func keys(doc map[string]any, write func(string) string) map[string]bool {
	out := map[string]bool{}
	for k := range doc {
		out[write(k)] = true
	}
	return out
}

func expressions(doc map[string]any, key string) []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, s := range texts(doc, key) {
		if re, err := regexp.Compile(s); err == nil {
			out = append(out, re)
		}
	}
	return out
}

// codespellWords splits ignore-words-list at commas.
func codespellWords(doc map[string]any) map[string]bool {
	out := map[string]bool{}
	list, _ := doc["ignore-words-list"].(string)
	for w := range strings.SplitSeq(list, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out[strings.ToLower(w)] = true
		}
	}
	return out
}

// excluder tells which files are not spell-checked.
type excluder struct{ list *glob.List }

func newExcluder(patterns []string) excluder {
	rules := make([]glob.Rule, len(patterns))
	for i, p := range patterns {
		rules[i].Pattern = p
	}
	return excluder{glob.NewList(rules, glob.Options{})}
}

// class is "skip" for what is excluded, locked, minified or written in another
// language by its name, and "" for the rest.
func (e excluder) class(p string) string {
	if e.list.Excluded(p, false).Ignored() || notProse(p) {
		return "skip"
	}
	return ""
}

// skippedNames and skippedExts are data: locks, hashes, keys, maps.
var (
	skippedNames = []string{
		"go.sum", "go.work.sum", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lockb", "Pipfile.lock",
		"AUTHORS", "CONTRIBUTORS", ".mailmap", "MAINTAINERS", "CODEOWNERS",
	}
	skippedExts = []string{
		".lock", ".sum", ".svg", ".map", ".pem", ".crt", ".key", ".csr", ".asc", ".po", ".pot", ".xlf", ".xliff", ".csv", ".tsv",
		".min.js", ".min.css", ".dic", ".aff", ".ipynb", ".snap",
	}
)

func notProse(p string) bool {
	name := path.Base(p)
	for _, n := range skippedNames {
		if name == n {
			return true
		}
	}
	for _, ext := range skippedExts {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return foreignName(p)
}

// localeDirs hold translations, one file or directory a language.
var localeDirs = []string{"locale", "locales", "i18n", "l10n", "lang", "langs", "language", "languages", "translations", "nls", "_locales", "intl"}

// foreignName reports whether a path says that its file is a translation into
// another language than English: README.de.md, locales/fr.json, values-pl/a.xml.
func foreignName(p string) bool {
	parts := strings.Split(p, "/")
	name := parts[len(parts)-1]
	if pieces := strings.Split(name, "."); len(pieces) >= 3 && foreignCode(pieces[len(pieces)-2]) {
		return true
	}
	stem, _, _ := strings.Cut(name, ".")
	if len(stem) > 7 && strings.EqualFold(stem[:6], "readme") && foreignCode(stem[7:]) {
		return true
	}
	for i := 1; i < len(parts); i++ {
		code := parts[i]
		if i == len(parts)-1 {
			code = stem
		}
		for _, dir := range localeDirs {
			if parts[i-1] == dir && foreignCode(code) {
				return true
			}
		}
		if rest, ok := strings.CutPrefix(parts[i-1], "values-"); ok && foreignCode(rest) {
			return true
		}
	}
	return false
}

// foreignCode reports whether s is a language code such as de, pt-BR or zh_Hans, but not en.
func foreignCode(s string) bool {
	code, region, _ := strings.Cut(strings.ReplaceAll(s, "_", "-"), "-")
	if len(code) != 2 || !strings.Contains(languageCodes, " "+code+" ") {
		return false
	}
	return region == "" || len(region) <= 4 && strings.Trim(strings.ToLower(region), "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

const languageCodes = " af ar az be bg bn bs ca cs cy da de el eo es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka kk ko lt lv mk ms nb nl nn no pl pt ro ru sk sl sq sr sv ta th tr uk ur uz vi zh "
