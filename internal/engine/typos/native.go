package typos

import (
	"bytes"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"poly/internal/config"
	"poly/internal/engine"
)

// parseNative reads a native file. What typos refuses is an error: a file that
// is not TOML, a key it does not know, a value of another type.
func parseNative(file string, text []byte) (rules, error) {
	name := path.Base(file)
	if name == "pyproject.toml" && !bytes.Contains(text, []byte("typos")) && !bytes.Contains(text, []byte("codespell")) {
		return rules{}, nil // most have neither table, and decoding takes longer than looking
	}
	doc, err := config.DecodeTOML(file, text)
	if err != nil {
		return rules{}, err
	}
	n := native{file: file, text: text}
	var r rules
	if name == "pyproject.toml" {
		tool, _ := doc["tool"].(map[string]any)
		r.words = codespellWords(tool)
		doc, n.above = n.table(tool, "typos"), []string{"tool", "typos"}
	}
	n.known(doc, "files", "default", "type")
	files, def := n.table(doc, "files"), n.table(doc, "default")
	n.known(files, "extend-exclude", "ignore-hidden", "ignore-files", "ignore-dot", "ignore-vcs", "ignore-global", "ignore-parent")
	n.within("files", func() { r.excludeSrc = n.texts(files, "extend-exclude") })
	n.within("default", func() { r = r.with(n.engine(def)) })
	types := n.table(doc, "type")
	n.within("type", func() {
		for _, name := range slices.Sorted(maps.Keys(types)) {
			t := n.table(types, name)
			n.within(name, func() { n.engine(t) }) // checked, though types are not told apart here
		}
	})
	return r, n.err
}

// native is a file that is being read. The first fault is kept.
type native struct {
	file  string
	text  []byte
	above []string // keys of the table in hand
	err   error
}

// engineKeys are those of [default] and of the tables in [type].
var engineKeys = []string{
	"binary", "check-filename", "check-file", "unicode", "ignore-hex", "identifier-leading-digits", "locale", "extend-ignore-identifiers-re",
	"extend-identifiers", "extend-ignore-words-re", "extend-words", "extend-ignore-re", "extend-glob",
}

// engine reads a table of settings for the check.
func (n *native) engine(t map[string]any) rules {
	n.known(t, engineKeys...)
	n.texts(t, "extend-glob")
	if locale, ok := t["locale"]; ok && !slices.Contains([]any{"en", "en-us", "en-gb", "en-ca", "en-au"}, locale) {
		n.fault("locale", "%v is no locale", locale)
	}
	for _, key := range engineKeys[:6] {
		if v, ok := t[key]; ok {
			if _, ok := v.(bool); !ok {
				n.fault(key, "it must be true or false")
			}
		}
	}
	return rules{
		words: n.keys(t, "extend-words", strings.ToLower), idents: n.keys(t, "extend-identifiers", strings.Clone),
		text: n.expressions(t, "extend-ignore-re"), wordRes: n.expressions(t, "extend-ignore-words-re"),
		identRes: n.expressions(t, "extend-ignore-identifiers-re"),
	}
}

// within does what concerns the table key of the one in hand.
func (n *native) within(key string, do func()) {
	n.above = append(n.above, key)
	do()
	n.above = n.above[:len(n.above)-1]
}

// fault keeps what is wrong with a key of the table in hand.
func (n *native) fault(key, format string, args ...any) {
	if n.err == nil {
		keys := append(slices.Clone(n.above), key)
		n.err = engine.Broken(n.file, config.TOMLLine(n.text, keys...), strings.Join(keys, ".")+": "+format, args...)
	}
}

func (n *native) known(t map[string]any, keys ...string) {
	for _, k := range slices.Sorted(maps.Keys(t)) {
		if !slices.Contains(keys, k) {
			n.fault(k, "unknown key")
		}
	}
}

func (n *native) table(t map[string]any, key string) map[string]any {
	v, ok := t[key]
	out, is := v.(map[string]any)
	if ok && !is {
		n.fault(key, "it must be a table")
	}
	return out
}

func (n *native) texts(t map[string]any, key string) []string {
	v, ok := t[key]
	list, is := v.([]any)
	if ok && !is {
		n.fault(key, "it must be an array of strings")
	}
	var out []string
	for _, x := range list {
		s, ok := x.(string)
		if !ok {
			n.fault(key, "it must be an array of strings")
		}
		out = append(out, s)
	}
	return out
}

func (n *native) keys(t map[string]any, key string, write func(string) string) map[string]bool {
	out := map[string]bool{}
	table := n.table(t, key)
	for _, k := range slices.Sorted(maps.Keys(table)) {
		if _, ok := table[k].(string); !ok {
			n.within(key, func() { n.fault(k, "it must be a string") })
		}
		out[write(k)] = true
	}
	return out
}

func (n *native) expressions(t map[string]any, key string) []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, s := range n.texts(t, key) {
		re, err := regexp.Compile(s)
		if err != nil {
			n.fault(key, "%s", err)
			continue
		}
		out = append(out, re)
	}
	return out
}

// codespellWords splits ignore-words-list of [tool.codespell] at commas. What
// is no string codespell takes for absent.
func codespellWords(tool map[string]any) map[string]bool {
	out := map[string]bool{}
	doc, _ := tool["codespell"].(map[string]any)
	list, _ := doc["ignore-words-list"].(string)
	for w := range strings.SplitSeq(list, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out[strings.ToLower(w)] = true
		}
	}
	return out
}
