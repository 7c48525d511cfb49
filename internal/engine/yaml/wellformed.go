package yaml

import (
	"slices"
	"strings"

	"poly/internal/engine"
	"poly/internal/yamlevent"
)

// upstreamOptions are the options of each rule of yamllint 1.38, besides level,
// ignore and ignore-from-file. Those that end in "?" are booleans.
func upstreamOptions(rule string) (options []string, ok bool) {
	list := map[string]string{
		"anchors":                 "forbid-undeclared-aliases? forbid-duplicated-anchors? forbid-unused-anchors?",
		"braces":                  "forbid min-spaces-inside max-spaces-inside min-spaces-inside-empty max-spaces-inside-empty",
		"brackets":                "forbid min-spaces-inside max-spaces-inside min-spaces-inside-empty max-spaces-inside-empty",
		"colons":                  "max-spaces-before max-spaces-after",
		"commas":                  "max-spaces-before min-spaces-after max-spaces-after",
		"comments":                "require-starting-space? ignore-shebangs? min-spaces-from-content",
		"comments-indentation":    "",
		"document-end":            "present?",
		"document-start":          "present?",
		"empty-lines":             "max max-start max-end",
		"empty-values":            "forbid-in-block-mappings? forbid-in-flow-mappings? forbid-in-block-sequences?",
		"float-values":            "require-numeral-before-decimal? forbid-scientific-notation? forbid-nan? forbid-inf?",
		"hyphens":                 "max-spaces-after",
		"indentation":             "spaces indent-sequences check-multi-line-strings?",
		"key-duplicates":          "forbid-duplicated-merge-keys?",
		"key-ordering":            "ignored-keys",
		"line-length":             "max allow-non-breakable-words? allow-non-breakable-inline-mappings?",
		"new-line-at-end-of-file": "",
		"new-lines":               "type",
		"octal-values":            "forbid-implicit-octal? forbid-explicit-octal?",
		"quoted-strings":          "quote-type required extra-required extra-allowed allow-quoted-quotes? check-keys?",
		"trailing-spaces":         "",
		"truthy":                  "allowed-values check-keys?",
	}
	s, ok := list[rule]
	return strings.Fields(s), ok
}

// wellFormed reports what yamllint refuses in a configuration.
func wellFormed(in engine.Input, root *yamlevent.Node) error {
	broken := func(n *yamlevent.Node, format string, args ...any) error {
		return engine.Broken(in.Path, in.Line(n.Start), format, args...)
	}
	if root == nil || root.Kind != yamlevent.MappingStart {
		return engine.Broken(in.Path, 1, "it is not a mapping")
	}
	rules := get(root, "rules")
	if rules != nil && rules.Kind != yamlevent.MappingStart {
		return broken(rules, "rules must be a mapping")
	}
	for name, n := range pairs(rules) {
		options, known := upstreamOptions(name)
		switch {
		case !known:
			return broken(n, "no rule is called %q", name)
		case n.Kind == yamlevent.Scalar && truth(n) == "" && n.Value != "enable" && n.Value != "disable",
			n.Kind != yamlevent.Scalar && n.Kind != yamlevent.MappingStart:
			return broken(n, "%s must be enable, disable or a mapping", name)
		}
		for key, v := range pairs(n) {
			if fault := optionFault(options, key, v); fault != "" {
				return broken(v, "%s of %s %s", key, name, fault)
			}
		}
	}
	return nil
}

// optionFault tells what is wrong with an option of a rule, "" for nothing.
func optionFault(options []string, key string, v *yamlevent.Node) string {
	isList := v.Kind == yamlevent.SequenceStart
	if key == "ignore" || key == "ignore-from-file" {
		return ""
	}
	ok, want := true, ""
	switch {
	case key == "level":
		ok, want = v.Value == "error" || v.Value == "warning", "error or warning"
	case slices.Contains(options, key+"?"):
		ok, want = v.Kind == yamlevent.Scalar && v.Style == yamlevent.Plain && truth(v) != "", "a boolean"
	case !slices.Contains(options, key):
		return "is no option"
	case key == "ignored-keys":
		ok, want = isList, "a list"
	case key == "allowed-values":
		ok, want = isList && !slices.ContainsFunc(texts(v), func(s string) bool { return !truthyWord(s) }), "a list of words such as yes"
	}
	if ok {
		return ""
	}
	return "must be " + want
}

// truthyWord reports whether s is a boolean of YAML 1.1 that yamllint knows.
func truthyWord(s string) bool {
	for _, w := range [...]string{"yes", "no", "true", "false", "on", "off"} {
		if s == w || s == strings.ToUpper(w) || s == strings.ToUpper(w[:1])+w[1:] {
			return true
		}
	}
	return false
}
