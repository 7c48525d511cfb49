package secrets

import (
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"poly/internal/config"
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

// config reads the global allowlists. What cannot be read counts as absent:
// gitleaks will complain.
func (n *native) config(text []byte) {
	doc, err := config.DecodeTOML(nativeConfig, text)
	if err != nil {
		return
	}
	if t, ok := doc["allowlist"].(map[string]any); ok {
		n.allow(t)
	}
	switch list := doc["allowlists"].(type) {
	case []map[string]any:
		for _, t := range list {
			n.allow(t)
		}
	case []any:
		for _, v := range list {
			if t, ok := v.(map[string]any); ok {
				n.allow(t)
			}
		}
	}
}

// allow adds one allowlist. One whose conditions hold only together, or for
// some rules, is not taken over: it would allow too much.
func (n *native) allow(t map[string]any) {
	if condition, _ := t["condition"].(string); strings.EqualFold(condition, "and") || strings.EqualFold(condition, "&&") || t["targetRules"] != nil {
		return
	}
	n.paths = append(n.paths, expressions(t["paths"])...)
	if target, _ := t["regexTarget"].(string); target == "" || target == "secret" {
		n.secrets = append(n.secrets, expressions(t["regexes"])...)
	} else {
		n.lines = append(n.lines, expressions(t["regexes"])...)
	}
	for _, w := range texts(t["stopwords"]) {
		n.words = append(n.words, strings.ToLower(w))
	}
}

func texts(v any) []string {
	var out []string
	list, _ := v.([]any)
	for _, x := range list {
		if s, ok := x.(string); ok && s != "" {
			out = append(out, s)
		}
	}
	return out
}

func expressions(v any) []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, s := range texts(v) {
		if re, err := regexp.Compile(s); err == nil {
			out = append(out, re)
		}
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
