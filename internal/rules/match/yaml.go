package match

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Error is why a rule is refused, and where.
type Error struct {
	Line int // from 1; 0 if it is not known
	Msg  string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Msg
	}
	return "line " + strconv.Itoa(e.Line) + ": " + e.Msg
}

func errorAt(n *yaml.Node, format string, args ...any) error {
	return &Error{n.Line, fmt.Sprintf(format, args...)}
}

// placed puts err at a node unless it has a place already.
func placed(n *yaml.Node, err error) error {
	if e, ok := err.(*Error); ok || err == nil { //nolint:errorlint // it is never wrapped
		if e == nil {
			return nil
		}
		return e
	}
	return errorAt(n, "%s", err)
}

// field is an entry of a mapping.
type field struct {
	key   string
	name  *yaml.Node
	value *yaml.Node
}

// maxNodes bounds what aliases may make of a document.
const maxNodes = 200000

// fields returns the entries of a mapping, whose keys are strings and differ.
func (c *Compiler) fields(n *yaml.Node, what string) ([]field, error) {
	n = c.deref(n)
	if n.Kind != yaml.MappingNode {
		return nil, errorAt(n, "%s must be a mapping", what)
	}
	if c.nodes += len(n.Content); c.nodes > maxNodes {
		return nil, errorAt(n, "too much comes of aliases")
	}
	out := make([]field, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := c.deref(n.Content[i])
		if k.Kind != yaml.ScalarNode {
			return nil, errorAt(k, "a key of %s must be a string", what)
		}
		if slices.ContainsFunc(out, func(f field) bool { return f.key == k.Value }) {
			return nil, errorAt(k, "%s has %s twice", what, k.Value)
		}
		out = append(out, field{k.Value, k, c.deref(n.Content[i+1])})
	}
	return out, nil
}

// closed returns the entries of a mapping by key, all of which must be known.
func (c *Compiler) closed(n *yaml.Node, what string, keys ...string) (map[string]*yaml.Node, error) {
	list, err := c.fields(n, what)
	if err != nil {
		return nil, err
	}
	out := map[string]*yaml.Node{}
	for _, f := range list {
		if !slices.Contains(keys, f.key) {
			return nil, errorAt(f.name, "unknown key %q in %s: it has %s", f.key, what, strings.Join(keys, ", "))
		}
		out[f.key] = f.value
	}
	return out, nil
}

// open returns the entries of a mapping by key. What it does not know ast-grep
// passes over here, so rules that work there may hold it.
func (c *Compiler) open(n *yaml.Node, what string, keys ...string) (map[string]*yaml.Node, error) {
	list, err := c.fields(n, what)
	if err != nil {
		return nil, err
	}
	out := map[string]*yaml.Node{}
	for _, f := range list {
		if !slices.Contains(keys, f.key) {
			c.passed = append(c.passed, &Error{f.name.Line, fmt.Sprintf("%s has no key %q: it is ignored", what, f.key)})
			continue
		}
		out[f.key] = f.value
	}
	return out, nil
}

// deref follows aliases, which cannot contain themselves for long.
func (c *Compiler) deref(n *yaml.Node) *yaml.Node {
	for i := 0; n.Kind == yaml.AliasNode && n.Alias != nil && i < 100; i++ {
		n = n.Alias
	}
	return n
}

func null(n *yaml.Node) bool {
	return n == nil || n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

// text reads a string; a number or a truth value is none.
func text(n *yaml.Node, what string) (string, error) {
	if n.Kind == yaml.ScalarNode {
		switch n.ShortTag() {
		case "!!str", "!!timestamp":
			return n.Value, nil
		}
	}
	return "", errorAt(n, "%s must be a string", what)
}

// scalar reads a string that need not be quoted, whatever it looks like.
func scalar(n *yaml.Node, what string) (string, error) {
	if n.Kind == yaml.ScalarNode && !null(n) {
		return n.Value, nil
	}
	return "", errorAt(n, "%s must be a string", what)
}

func whole(n *yaml.Node, what string) (int, error) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!int" {
		if v, err := strconv.ParseInt(n.Value, 0, 32); err == nil {
			return int(v), nil
		}
	}
	return 0, errorAt(n, "%s must be a whole number", what)
}

func truth(n *yaml.Node, what string) (bool, error) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!bool" {
		return strings.EqualFold(n.Value, "true"), nil
	}
	return false, errorAt(n, "%s must be true or false", what)
}

// items returns the entries of a sequence.
func (c *Compiler) items(n *yaml.Node, what string) ([]*yaml.Node, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, errorAt(n, "%s must be a list", what)
	}
	if c.nodes += len(n.Content); c.nodes > maxNodes {
		return nil, errorAt(n, "too much comes of aliases")
	}
	out := make([]*yaml.Node, len(n.Content))
	for i := range n.Content {
		out[i] = c.deref(n.Content[i])
	}
	return out, nil
}

func (c *Compiler) texts(n *yaml.Node, what string) ([]string, error) {
	list, err := c.items(n, what)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(list))
	for i := range list {
		if out[i], err = text(list[i], what); err != nil {
			return nil, err
		}
	}
	return out, nil
}
