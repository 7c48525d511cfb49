package typos

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"poly/internal/config"
	"poly/internal/engine"
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
				return rules{}, engine.BadRegexp("", l.key, s, err)
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
	if name == "pyproject.toml" && !bytes.Contains(text, []byte("typos")) && !bytes.Contains(text, []byte("codespell")) {
		return rules{} // most have neither table, and decoding takes longer than looking
	}
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
