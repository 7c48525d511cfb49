// Package gitconf reads git configuration as git reads it: every file and
// environment variable, in git's order, with include and includeIf followed.
// It starts no process and writes nothing.
package gitconf

import (
	"errors"
	"fmt"
	"strings"
)

// Scope says which kind of source a value comes from.
type Scope uint8

// The scopes, in the order in which git reads them: later ones win.
const (
	System Scope = iota + 1
	Global
	Local
	Worktree
	Command // environment of the process
)

// String returns the name git gives the scope.
func (s Scope) String() string {
	return [...]string{"", "system", "global", "local", "worktree", "command"}[s]
}

// Value is one setting, as it was found.
type Value struct {
	Key    string // section.subsection.name: section and name in lower case
	Text   string
	Valued bool // false for a name alone, which means true for a boolean
	Scope  Scope
	File   string // "" for the environment
	Line   int    // 1-based line its value ends on; 0 for the environment
}

// Config is what git would use. It is immutable.
type Config struct {
	list []Value
	last map[string]int
}

// ErrSyntax means that a file or variable is malformed: git would refuse to
// work at all.
var ErrSyntax = errors.New("bad git config")

func newConfig(list []Value) *Config {
	c := &Config{list: list, last: make(map[string]int, len(list))}
	for i, v := range list {
		c.last[v.Key] = i
	}
	return c
}

// List returns all values in git's order. The caller must not change it.
func (c *Config) List() []Value { return c.list }

// Get returns the value in force for key.
func (c *Config) Get(key string) (v Value, ok bool) {
	i, ok := c.last[Canonical(key)]
	if !ok {
		return Value{}, false
	}
	return c.list[i], true
}

// All returns every value of key, in git's order.
func (c *Config) All(key string) []Value {
	key = Canonical(key)
	if _, ok := c.last[key]; !ok {
		return nil
	}
	var all []Value
	for _, v := range c.list {
		if v.Key == key {
			all = append(all, v)
		}
	}
	return all
}

// Names returns the names that occur in a section without a subsection, once
// each, in order of their first use.
func (c *Config) Names(section string) []string {
	prefix := strings.ToLower(section) + "."
	var names []string
	seen := map[string]bool{}
	for _, v := range c.list {
		if name, ok := strings.CutPrefix(v.Key, prefix); ok && !strings.Contains(name, ".") && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// Canonical lowers the section and the name of a key, but not its subsection.
func Canonical(key string) string {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first == last {
		return lower(key)
	}
	return lower(key[:first]) + key[first:last] + lower(key[last:])
}

// lower is strings.ToLower for ASCII letters only, as in git.
func lower(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// String returns the value of key, or "" if it is not set or has no value.
func (c *Config) String(key string) string {
	v, _ := c.Get(key)
	return v.Text
}

// Bool returns the value of key as a boolean, or def if it is not set.
func (c *Config) Bool(key string, def bool) (bool, error) {
	v, ok := c.Get(key)
	if !ok {
		return def, nil
	}
	b, ok := v.Bool()
	if !ok {
		return def, v.errorf("bad boolean config value %q for %q", v.Text, v.Key)
	}
	return b, nil
}

// Int returns the value of key as a number, or def if it is not set.
func (c *Config) Int(key string, def int64) (int64, error) {
	v, ok := c.Get(key)
	if !ok {
		return def, nil
	}
	n, ok := parseInt(v.Text)
	if !ok {
		return def, v.errorf("bad numeric config value %q for %q", v.Text, v.Key)
	}
	return n, nil
}

// Bool reads v as git does: a name alone, true, yes, on and numbers but 0 are
// true; the empty text, false, no, off and 0 are false. ok is false for
// anything else.
func (v Value) Bool() (b, ok bool) {
	if !v.Valued {
		return true, true
	}
	switch lower(v.Text) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off", "":
		return false, true
	}
	n, ok := parseInt(v.Text)
	return n != 0, ok && int64(int32(n)) == n // git takes an int here
}

func (v Value) errorf(format string, args ...any) error {
	where := "the environment"
	if v.File != "" {
		where = fmt.Sprintf("%s:%d", v.File, v.Line)
	}
	return fmt.Errorf("%w: %s: "+format, append([]any{ErrSyntax, where}, args...)...)
}

// parseInt reads a C integer (0x and 0 prefixes) with an optional factor k, m or g.
func parseInt(s string) (n int64, ok bool) {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	n, s, ok = parseDigits(s)
	if !ok {
		return 0, false
	}
	factor, ok := map[string]int64{"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}[lower(s)]
	if !ok || n > (1<<62)/factor {
		return 0, false
	}
	if neg {
		n = -n
	}
	return n * factor, true
}

// parseDigits reads an unsigned number and returns what follows it.
func parseDigits(s string) (n int64, rest string, ok bool) {
	base := int64(10)
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") {
		base, s = 16, s[2:]
	} else if len(s) > 1 && s[0] == '0' {
		base = 8
	}
	i := 0
	for ; i < len(s); i++ {
		d := digit(s[i])
		if d < 0 || d >= base {
			break
		}
		if n > (1<<62-d)/base {
			return 0, "", false
		}
		n = n*base + d
	}
	return n, s[i:], i > 0
}

func digit(c byte) int64 {
	switch {
	case '0' <= c && c <= '9':
		return int64(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int64(c|0x20-'a') + 10
	}
	return -1
}
