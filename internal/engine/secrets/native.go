package secrets

import (
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"poly/internal/config"
	"poly/internal/engine"
)

// Files of gitleaks at the root of the tree.
const (
	nativeConfig = ".gitleaks.toml"
	nativeIgnore = ".gitleaksignore"
)

// native is what the files of gitleaks allow.
type native struct {
	paths   []*regexp.Regexp
	secrets []*regexp.Regexp
	lines   []*regexp.Regexp
	words   []string
	err     error  // what is wrong with the files
	text    []byte // of the configuration
	ignored map[string][]ignoredLine
}

// ignoredLine is a finding that .gitleaksignore names: file:rule:line.
type ignoredLine struct {
	code string
	line int
}

func readNative(tree fs.FS) *native {
	n := &native{}
	if tree == nil {
		return n
	}
	if text, err := fs.ReadFile(tree, nativeConfig); err == nil {
		n.config(text)
	}
	if text, err := fs.ReadFile(tree, nativeIgnore); err == nil {
		n.ignore(string(text))
	}
	return n
}

// config reads the global allowlists. What gitleaks refuses is an error: a
// file that is not TOML, a condition or target that is none, a value of another
// type, a regular expression that does not compile.
func (n *native) config(text []byte) {
	doc, err := config.DecodeTOML(nativeConfig, text)
	if err != nil {
		n.err = err
		return
	}
	n.text = text
	if t, ok := doc["allowlist"].(map[string]any); ok {
		n.allow(t, "allowlist")
	} else if doc["allowlist"] != nil {
		n.fault("it must be a table", "allowlist")
	}
	switch list := doc["allowlists"].(type) {
	case nil:
	case []any:
		for _, v := range list {
			if t, ok := v.(map[string]any); ok {
				n.allow(t, "allowlists")
			} else {
				n.fault("it must be an array of tables", "allowlists")
			}
		}
	default:
		n.fault("it must be an array of tables", "allowlists")
	}
}

// fault keeps what is wrong with the value at keys; the first fault counts.
func (n *native) fault(what string, keys ...string) {
	if n.err == nil {
		n.err = engine.Broken(nativeConfig, config.TOMLLine(n.text, keys...), "%s: %s", strings.Join(keys, "."), what)
	}
}

// allow adds one allowlist. One whose conditions hold only together, or for
// some rules, is not taken over: it would allow too much.
func (n *native) allow(t map[string]any, key string) {
	paths, regexes := n.expressions(t, key, "paths"), n.expressions(t, key, "regexes")
	words := n.texts(t, key, "stopwords")
	condition, _ := t["condition"].(string)
	switch strings.ToUpper(condition) {
	case "", "OR", "||":
	case "AND", "&&":
		return
	default:
		n.fault("unknown condition "+strconv.Quote(condition), key, "condition")
	}
	if t["targetRules"] != nil {
		return
	}
	n.paths = append(n.paths, paths...)
	switch target, _ := t["regexTarget"].(string); target {
	case "", "secret":
		n.secrets = append(n.secrets, regexes...)
	case "match", "line":
		n.lines = append(n.lines, regexes...)
	default:
		n.fault("unknown target "+strconv.Quote(target), key, "regexTarget")
	}
	for _, w := range words {
		n.words = append(n.words, strings.ToLower(w))
	}
}

// texts returns an array of strings; one string is an array of one.
func (n *native) texts(t map[string]any, above, key string) []string {
	var out []string
	list, ok := t[key].([]any)
	if s, is := t[key].(string); is {
		list, ok = []any{s}, true
	}
	if !ok && t[key] != nil {
		n.fault("it must be an array of strings", above, key)
	}
	for _, x := range list {
		if s, ok := x.(string); !ok {
			n.fault("it must be an array of strings", above, key)
		} else if s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (n *native) expressions(t map[string]any, above, key string) []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, s := range n.texts(t, above, key) {
		re, err := regexp.Compile(s)
		if err != nil {
			n.fault(err.Error(), above, key)
			continue
		}
		out = append(out, re)
	}
	return out
}

// ignore reads fingerprints: [commit:]file:rule:line.
func (n *native) ignore(text string) {
	n.ignored = map[string][]ignoredLine{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		parts := strings.Split(line, ":")
		if line == "" || line[0] == '#' || len(parts) < 3 {
			continue
		}
		number, err := strconv.Atoi(parts[len(parts)-1])
		if err != nil {
			continue
		}
		file := parts[len(parts)-3]
		n.ignored[file] = append(n.ignored[file], ignoredLine{parts[len(parts)-2], number})
	}
}

// isIgnored reports whether .gitleaksignore names a finding.
func (s *scanner) isIgnored(code string, start int) bool {
	if len(s.ignored) == 0 {
		return false
	}
	number := 1 + strings.Count(string(s.text[:start]), "\n")
	for _, i := range s.ignored {
		if i.code == code && i.line == number {
			return true
		}
	}
	return false
}
