package dotenv

import (
	"fmt"
	"slices"
	"strings"

	"poly/internal/diag"
)

// maxGroup is how many keys of a group are compared: nobody sorts more by hand.
const maxGroup = 1000

// order reports keys behind one that follows them in the alphabet. Blank
// lines, switches and a reference to a key of the group start another group.
func (c *checker) order(e *entry) {
	if e.comment() {
		if strings.HasPrefix(strings.TrimSpace(strings.TrimSpace(e.raw)[1:]), "dotenv-linter:") {
			c.group = nil
		}
		return
	}
	if e.blank() || slices.ContainsFunc(references(e.value()), func(k string) bool {
		_, found := slices.BinarySearch(c.group, k)
		return found
	}) {
		c.group = nil
		return
	}
	if len(c.group) >= maxGroup {
		return
	}
	key, _ := e.key()
	at, _ := slices.BinarySearch(c.group, key)
	for at < len(c.group) && c.group[at] == key {
		at++
	}
	if at < len(c.group) {
		start := e.start + max(strings.Index(e.raw, key), 0)
		c.report(e, codeUnordered, diag.Hint, start, start+len(key), fmt.Sprintf("%s should stand before %s", short(key), short(c.group[at])))
	}
	c.group = slices.Insert(c.group, at, key)
}

// references returns the names a value refers to.
func references(value string) []string {
	value = strings.TrimSpace(value)
	if strings.HasPrefix(value, "'") {
		return nil
	}
	var out []string
	for {
		at := strings.IndexByte(value, '$')
		if at < 0 {
			return out
		}
		rest := value[at+1:]
		if escaped(value[:at]) {
			value = rest
			continue
		}
		name := strings.TrimPrefix(rest, "{")
		if end := strings.IndexFunc(name, notName); end >= 0 {
			name = name[:end]
		}
		if name == "" {
			return out
		}
		out = append(out, name)
		value = rest[len(name):]
	}
}
