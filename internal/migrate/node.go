package migrate

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"poly/internal/usererr"
)

// node is a value of a YAML (or JSON) document; its methods take nil.
type node struct{ *yaml.Node }

// parse reads a document. The error names the file.
func parse(name string, text []byte) (node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return node{}, &usererr.Error{Code: "bad-source", Msg: "cannot read " + name, Err: err}
	}
	if len(doc.Content) == 0 {
		return node{}, nil
	}
	return node{doc.Content[0]}.follow(), nil
}

func (n node) follow() node {
	for range 20 {
		if n.Node == nil || n.Kind != yaml.AliasNode {
			return n
		}
		n = node{n.Alias}
	}
	return node{}
}

// member is a key of a mapping with its value.
type member struct {
	name       string
	key, value node
}

// members lists the keys of a mapping in order, with those that "<<" merges
// behind them.
func (n node) members() []member {
	return n.within(0)
}

func (n node) within(depth int) []member {
	if n.Node == nil || n.Kind != yaml.MappingNode || depth > 10 {
		return nil
	}
	var out, merged []member
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], node{n.Content[i+1]}.follow()
		if k.Value != "<<" {
			out = append(out, member{k.Value, node{k}, v})
			seen[k.Value] = true
			continue
		}
		from := []node{v}
		if v.Kind == yaml.SequenceNode {
			from = v.items()
		}
		for _, f := range from {
			merged = append(merged, f.within(depth+1)...)
		}
	}
	for _, m := range merged {
		if !seen[m.name] {
			seen[m.name] = true
			out = append(out, m)
		}
	}
	return out
}

// get returns the value of a key.
func (n node) get(key string) node {
	for _, m := range n.members() {
		if m.name == key {
			return m.value
		}
	}
	return node{}
}

// items lists a sequence.
func (n node) items() []node {
	if n.Node == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	out := make([]node, len(n.Content))
	for i, c := range n.Content {
		out[i] = node{c}.follow()
	}
	return out
}

func (n node) there() bool { return n.Node != nil && n.Tag != "!!null" }

// text is a scalar as a string, "" for anything else.
func (n node) text() string {
	if !n.there() || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

// is reports whether a value is true.
func (n node) is() bool {
	switch strings.ToLower(n.text()) {
	case "true", "yes", "on":
		return true
	}
	return false
}

// isNo reports whether a value is false.
func (n node) isNo() bool {
	switch strings.ToLower(n.text()) {
	case "false", "no", "off":
		return true
	}
	return false
}

// texts is a list of scalars, or one of them.
func (n node) texts() []string {
	if s := n.text(); s != "" {
		return []string{s}
	}
	var out []string
	for _, i := range n.items() {
		if s := i.text(); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (n node) line() int {
	if n.Node == nil {
		return 0
	}
	return n.Line
}

// comments are the lines of comments above a value and behind it.
func (n node) comments() []string {
	if n.Node == nil {
		return nil
	}
	var out []string
	for _, c := range []string{n.HeadComment, n.LineComment} {
		for line := range strings.Lines(c) {
			if line = strings.TrimSpace(line); strings.Trim(line, "# ") != "" {
				out = append(out, line)
			}
		}
	}
	return out
}

// above are the comments of an item of a list, which YAML gives to its first
// key.
func (n node) above() []string {
	out := n.comments()
	if m := n.members(); len(m) > 0 {
		out = append(out, m[0].key.comments()...)
		out = append(out, m[0].value.comments()...)
	}
	return out
}

// fromTOML turns decoded TOML into nodes, so that tools that read both need one
// reader.
func fromTOML(v any) node {
	switch v := v.(type) {
	case map[string]any:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		for _, k := range sortedKeys(v) {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: k}, fromTOML(v[k]).Node)
		}
		return node{n}
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		for _, i := range v {
			n.Content = append(n.Content, fromTOML(i).Node)
		}
		return node{n}
	case string:
		return node{&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v}}
	}
	return node{&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!other", Value: fmt.Sprint(v)}}
}
