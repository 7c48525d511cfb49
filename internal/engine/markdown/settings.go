package markdown

import (
	"fmt"
	"regexp"
	"strings"

	"poly/internal/config"
)

const consistent = "consistent"

// What headings should not end in, and what text in emphasis ends in if it is
// no heading.
const (
	punctuation    = ".,;:!。，；：！"
	allPunctuation = ".,;:!?。，；：！？"
)

// settings are what a native file, and comments in the source, say.
type settings struct {
	on       uint64 // rules that are enabled
	params   [ruleCount]map[string]any
	noInline bool // comments change nothing
}

// params are the parameters of one rule: those of poly.toml, then those of a
// native file or a comment.
type params struct {
	own    config.Values
	native map[string]any
}

func (p params) get(key string) any {
	if v, ok := p.own[key]; ok {
		return v
	}
	return p.native[key]
}

// number returns a number; ok is false if there is none.
func (p params) number(key string) (int, bool) {
	switch v := p.get(key).(type) {
	case int:
		return v, true
	case float64:
		return int(v), true
	}
	return 0, false
}

// num returns a number of which 0 means the default.
func (p params) num(key string, def int) int {
	if n, ok := p.number(key); ok && n != 0 {
		return n
	}
	return def
}

func (p params) flag(key string, def bool) bool {
	if b, ok := p.get(key).(bool); ok {
		return b
	}
	return def
}

func (p params) str(key, def string) string {
	if s, ok := p.get(key).(string); ok {
		return s
	}
	return def
}

// list returns a list of strings; ok is false if there is none.
func (p params) list(key string) ([]string, bool) {
	switch v := p.get(key).(type) {
	case []string:
		return v, true
	case []any:
		out := make([]string, len(v))
		for i := range v {
			out[i] = fmt.Sprint(v[i])
		}
		return out, true
	}
	return nil, false
}

func (p params) strs(key string, def []string) []string {
	if l, ok := p.list(key); ok {
		return l
	}
	return def
}

// re returns a pattern; nil if there is none or it is none to Go.
func (p params) re(key string) *regexp.Regexp {
	s := p.str(key, "")
	if s == "" {
		return nil
	}
	re, err := regexp.Compile(s)
	if err != nil {
		return nil
	}
	return re
}

// perLevel returns a number for each level of headings. It is written as one
// number or as a list.
func (p params) perLevel(key string) func(level int) int {
	if n, ok := p.number(key); ok {
		return func(int) int { return n }
	}
	l, _ := p.list(key)
	return func(level int) int {
		if level > len(l) {
			return 1
		}
		n := 1
		_, _ = fmt.Sscan(l[level-1], &n)
		return n
	}
}

// frontTitle reports whether the front matter has a title. The pattern for it
// may be set; if it is empty, none is looked for.
func (c *check) frontTitle() bool {
	if len(c.front) == 0 {
		return false
	}
	pattern, set := c.params.get("front_matter_title").(string)
	if set && pattern == "" {
		return false
	}
	var re *regexp.Regexp
	if set {
		re, _ = regexp.Compile("(?i)" + pattern)
	}
	for line := range strings.Lines(string(c.front)) {
		line = strings.TrimRight(line, "\r\n")
		if re != nil {
			if re.MatchString(line) {
				return true
			}
			continue
		}
		s := strings.TrimPrefix(strings.TrimSpace(line), `"`)
		if len(s) > 5 && strings.EqualFold(s[:5], "title") {
			if s = strings.TrimLeft(strings.TrimPrefix(s[5:], `"`), " \t"); s != "" && (s[0] == ':' || s[0] == '=') {
				return true
			}
		}
	}
	return false
}
