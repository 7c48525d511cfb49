package yaml

import (
	"slices"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/yamlevent"
)

// nativeNames are the files yamllint reads its settings from.
var nativeNames = []string{".yamllint", ".yamllint.yaml", ".yamllint.yml"}

// codeOf returns our code for a rule of yamllint, "" for one that is not ours.
func codeOf(rule string) string {
	switch rule {
	case "key-duplicates":
		return codeDuplicate
	case "truthy":
		return codeTruthy
	case "octal-values":
		return codeOctal
	case "key-ordering":
		return codeOrder
	case "anchors":
		return codeAlias
	}
	return ""
}

// native returns s as a configuration of yamllint changes it. Rules that it
// does not name stay as they are; which files it ignores is not looked at.
func (s settings) native(in engine.Input) (settings, error) {
	docs, err := yamlevent.Tree(in.Text)
	if err != nil {
		return s, engine.BrokenBy(in, err)
	}
	var root *yamlevent.Node
	if len(docs) > 0 {
		root = docs[0].Follow()
	}
	if err := wellFormed(in, root); err != nil {
		return s, err
	}
	s.levels = map[string]diag.Severity{}
	if ext := get(root, "extends"); ext != nil && ext.Value == "relaxed" {
		s.off = append(slices.Clone(s.off), codeTruthy)
	}
	for name, node := range pairs(get(root, "rules")) {
		if code := codeOf(name); code != "" {
			if err := s.rule(code, node); err != nil {
				return s, engine.Broken(in.Path, in.Line(node.Start), "%s", err)
			}
		}
	}
	return s, nil
}

// rule applies what yamllint's configuration says about one rule. Once it is
// named, its options have yamllint's defaults.
func (s *settings) rule(code string, node *yamlevent.Node) error {
	s.off = slices.DeleteFunc(slices.Clone(s.off), func(c string) bool { return c == code })
	switch {
	case node == nil:
		return nil
	case node.Kind == yamlevent.Scalar && (node.Value == "disable" || truth(node) == "false"):
		s.off = append(s.off, code)
		return nil
	}
	flag := func(key string, otherwise bool) bool {
		if v := get(node, key); v != nil {
			return truth(v) == "true"
		}
		return otherwise
	}
	if level := get(node, "level"); level != nil {
		if sev, ok := diag.ParseSeverity(level.Value); ok {
			s.levels[code] = sev
		}
	}
	switch code {
	case codeDuplicate:
		s.merge = flag("forbid-duplicated-merge-keys", false)
	case codeTruthy:
		s.keys = flag("check-keys", true)
		s.allowed = []string{"true", "false"}
		if list := get(node, "allowed-values"); list != nil {
			s.allowed = texts(list)
		}
	case codeOctal:
		s.implicit, s.explicit = flag("forbid-implicit-octal", true), flag("forbid-explicit-octal", true)
	case codeOrder:
		s.order, s.asked = true, true
		var err error
		s.ignored, err = compile(texts(get(node, "ignored-keys")))
		return err
	}
	return nil
}

// truth is the boolean of a node as YAML 1.1 reads it, "" for none.
func truth(n *yamlevent.Node) string {
	switch strings.ToLower(n.Value) {
	case "true", "yes", "on":
		return "true"
	case "false", "no", "off":
		return "false"
	}
	return ""
}

// get returns the value of a key of a mapping, nil if there is none.
func get(n *yamlevent.Node, key string) *yamlevent.Node {
	for k, v := range pairs(n) {
		if k == key {
			return v
		}
	}
	return nil
}

// pairs yields the keys and values of a mapping; of anything else nothing.
func pairs(n *yamlevent.Node) func(yield func(string, *yamlevent.Node) bool) {
	return func(yield func(string, *yamlevent.Node) bool) {
		n = n.Follow()
		if n == nil || n.Kind != yamlevent.MappingStart {
			return
		}
		for i := 0; i+1 < len(n.Items); i += 2 {
			if !yield(n.Items[i].Value, n.Items[i+1].Follow()) {
				return
			}
		}
	}
}

// texts returns the scalars of a sequence.
func texts(n *yamlevent.Node) []string {
	var out []string
	if n = n.Follow(); n == nil {
		return nil
	}
	for _, item := range n.Items {
		out = append(out, item.Value)
	}
	return out
}
