package ruff

import (
	"path"
	"regexp"
	"strings"
)

// pattern is a glob of a native configuration: it matches a path below the
// folder of that file, or a base name. As to ruff, a star matches slashes too.
type pattern struct {
	negated bool
	text    string // of the pattern
	path    *regexp.Regexp
	base    *regexp.Regexp
}

func newPattern(dir, text string) pattern {
	glob, negated := strings.CutPrefix(text, "!")
	return pattern{negated, text, globRegexp(path.Join(dir, glob)), globRegexp(glob)}
}

// matches reports whether a file is meant.
func (p pattern) matches(file string) bool {
	return p.covers(file) != p.negated
}

func (p pattern) covers(file string) bool {
	return p.path.MatchString(file) || p.base.MatchString(path.Base(file))
}

// excludes reports whether a file or a folder it is in is meant.
func (p pattern) excludes(file string) bool {
	for ; file != "."; file = path.Dir(file) {
		if p.covers(file) {
			return true
		}
	}
	return false
}

// globRegexp translates a glob. What is no glob matches nothing.
func globRegexp(glob string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	for depth := 0; glob != ""; {
		c := glob[0]
		glob = glob[1:]
		switch {
		case c == '*' && strings.HasPrefix(glob, "*/"):
			b.WriteString(`(?:.*/)?`)
			glob = glob[2:]
		case c == '*':
			b.WriteString(`.*`)
			glob = strings.TrimLeft(glob, "*")
		case c == '?':
			b.WriteByte('.')
		case c == '[':
			end := strings.IndexByte(glob, ']')
			if end <= 0 {
				b.WriteString(`\[`)
				break
			}
			class := strings.ReplaceAll(glob[:end], `\`, `\\`)
			if strings.HasPrefix(class, "!") {
				class = "^" + class[1:]
			}
			b.WriteString("[" + class + "]")
			glob = glob[end+1:]
		case c == '{':
			depth++
			b.WriteString(`(?:`)
		case c == '}' && depth > 0:
			depth--
			b.WriteByte(')')
		case c == ',' && depth > 0:
			b.WriteByte('|')
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	b.WriteString(`\z`)
	r, err := regexp.Compile(b.String())
	if err != nil {
		return regexp.MustCompile(`\z.`)
	}
	return r
}
