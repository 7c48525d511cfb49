package typos

import (
	"io/fs"
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
func rootExcludes(tree fs.FS) ([]string, error) {
	if tree == nil {
		return nil, nil
	}
	var out []string
	for _, name := range nativeNames {
		if text, err := fs.ReadFile(tree, name); err == nil {
			r, err := parseNative(name, text)
			if err != nil {
				return nil, err
			}
			out = append(out, r.excludeSrc...)
		}
	}
	return out, nil
}

// nativeCache keeps the rules of the native files seen last: files of one
// directory have the same.
type nativeCache struct {
	inputs []engine.Input
	last   rules
}

func (c *nativeCache) rules(inputs []engine.Input) (rules, error) {
	if len(inputs) == 0 {
		return rules{}, nil
	}
	if !equalInputs(c.inputs, inputs) {
		var r rules
		for _, in := range inputs {
			own, err := parseNative(in.Path, in.Text)
			if err != nil {
				return rules{}, err
			}
			r = r.with(own)
		}
		c.inputs, c.last = inputs, r
	}
	return c.last, nil
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
