package compose

import (
	"regexp"
	"strings"
	"sync"

	"poly/internal/yamlevent"
)

// entry is one entry of a mapping, after merges.
type entry struct {
	key    *yamlevent.Node
	name   string
	value  *yamlevent.Node // followed; nil: an alias without a node
	merged bool            // it comes from elsewhere by <<
}

// maxEntries bounds what merges may add up to in one file.
const maxEntries = 100_000

// entries returns the entries of a mapping: its own first, then those that <<
// merges into it.
func (f *file) entries(n *yamlevent.Node) []entry {
	if out, ok := f.maps[n]; ok {
		return out
	}
	f.maps[n] = nil // a mapping that merges itself has nothing more
	var out []entry
	seen := map[string]bool{}
	add := func(e entry) {
		if !seen[e.name] {
			seen[e.name] = true
			out = append(out, e)
		}
	}
	var merges []*yamlevent.Node
	for i := 0; i+1 < len(n.Items); i += 2 {
		k, v := n.Items[i].Follow(), n.Items[i+1].Follow()
		if k == nil || k.Kind != yamlevent.Scalar {
			continue
		}
		if k.Value == "<<" && k.Style == yamlevent.Plain {
			merges = append(merges, v)
			continue
		}
		add(entry{key: n.Items[i], name: k.Value, value: v})
	}
	for _, m := range merges {
		for _, from := range sources(m) {
			for _, e := range f.entries(from) {
				if f.spent++; f.spent > maxEntries {
					break
				}
				e.merged = true
				add(e)
			}
		}
	}
	f.maps[n] = out
	return out
}

// sources returns the mappings a merge key names.
func sources(n *yamlevent.Node) []*yamlevent.Node {
	switch {
	case n == nil:
	case n.Kind == yamlevent.MappingStart:
		return []*yamlevent.Node{n}
	case n.Kind == yamlevent.SequenceStart:
		var out []*yamlevent.Node
		for _, i := range n.Items {
			if i = i.Follow(); i != nil && i.Kind == yamlevent.MappingStart {
				out = append(out, i)
			}
		}
		return out
	}
	return nil
}

// get returns the value of a key, or nil.
func (f *file) get(n *yamlevent.Node, key string) *yamlevent.Node {
	if n == nil || n.Kind != yamlevent.MappingStart {
		return nil
	}
	for _, e := range f.entries(n) {
		if e.name == key {
			return e.value
		}
	}
	return nil
}

// tagged tells that a node has a tag whose meaning is not looked at, such as
// !reset.
func tagged(n *yamlevent.Node) bool {
	return n.Tag != "" && !strings.HasPrefix(n.Tag, "tag:yaml.org,2002:") && n.Tag != "!override"
}

// text is the kind of a scalar of which no more is known.
const text = isString | isInt | isFloat | isBool

// kindOf returns the kind of a value as Compose's reader resolves it, several
// if that depends on a variable or on the reader.
func kindOf(n *yamlevent.Node) kind {
	switch n.Kind {
	case yamlevent.MappingStart:
		return isMap
	case yamlevent.SequenceStart:
		return isList
	}
	switch {
	case n.Tag != "":
		return anyKind
	case strings.Contains(n.Value, "$"):
		return text
	}
	if n.Style != yamlevent.Plain {
		return isString
	}
	switch n.Value {
	case "", "~", "null", "Null", "NULL":
		return isNull
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return isBool
	case "<<", "=":
		return text
	}
	switch {
	case strings.IndexByte("0123456789+-.", n.Value[0]) < 0:
		return isString
	case wholeNumber().MatchString(n.Value):
		return isInt
	case realNumber().MatchString(n.Value):
		return isFloat
	case likeNumber().MatchString(n.Value):
		return text // times, other bases, grouped digits
	}
	return isString
}

var (
	wholeNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+]?(0|[1-9][0-9]{0,17})$`) })
	realNumber  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+]?[0-9]+\.[0-9]+$`) })
	likeNumber  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[-+]?(([0-9_]+(\.[0-9_]*)?|\.[0-9_]+)([eE][-+]?[0-9]+)?|0[xob][0-9a-fA-F_]+|\.(inf|Inf|INF|nan|NaN|NAN)|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*)$`)
	})
)

// badVariable returns the place of a ${ in text that Compose cannot read.
func badVariable(text string) (at int, ok bool) {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '$' {
			continue
		}
		switch text[i+1] {
		case '$':
			i++
		case '{':
			if !readable(text[i+2:]) {
				return i, true
			}
		}
	}
	return 0, false
}

// readable tells that what follows ${ is a variable.
func readable(s string) bool {
	n := 0
	for n < len(s) && (s[n] == '_' || 'a' <= s[n]|0x20 && s[n]|0x20 <= 'z' || n > 0 && '0' <= s[n] && s[n] <= '9') {
		n++
	}
	if n == 0 || n == len(s) {
		return false
	}
	rest := s[n:]
	if rest[0] == '}' {
		return true
	}
	rest = strings.TrimPrefix(rest, ":")
	return rest != "" && strings.IndexByte("-+?", rest[0]) >= 0 && strings.Contains(rest, "}")
}
