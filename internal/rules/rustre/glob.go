package rustre

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Glob is a glob as the crate globset reads it by default: * and ? match a
// slash too, ** stands for whole directories. It is immutable.
type Glob struct{ re *regexp.Regexp }

// CompileGlob compiles a glob.
func CompileGlob(glob string, foldCase bool) (*Glob, error) {
	var b strings.Builder
	b.WriteString("(?s)")
	if foldCase {
		b.WriteString("(?i)")
	}
	b.WriteString("^")
	depth := 0
	for i := 0; i < len(glob); {
		n, err := globItem(&b, glob, i, &depth)
		if err != nil {
			return nil, fmt.Errorf("glob %q: %w", glob, err)
		}
		i += n
	}
	if depth > 0 {
		return nil, fmt.Errorf("glob %q: unclosed alternatives", glob)
	}
	b.WriteString("$")
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nil, fmt.Errorf("glob %q: %w", glob, err)
	}
	return &Glob{re}, nil
}

// globItem translates what stands at i and returns how many bytes it took.
// depth counts the alternatives that are open.
func globItem(b *strings.Builder, glob string, i int, depth *int) (int, error) {
	switch c := glob[i]; {
	case c == '*':
		n := len(glob[i:]) - len(strings.TrimLeft(glob[i:], "*"))
		return stars(b, glob, i, n), nil
	case c == '?':
		b.WriteString(".")
	case c == '[':
		return globClass(b, glob[i:])
	case c == '{':
		*depth++
		b.WriteString("(?:")
	case c == '}':
		if *depth == 0 {
			return 0, errors.New("unopened alternatives")
		}
		*depth--
		b.WriteString(")")
	case c == ',' && *depth > 0:
		b.WriteString("|")
	case c == '\\':
		if i+1 == len(glob) {
			return 0, errors.New("a backslash at the end")
		}
		b.WriteString(regexp.QuoteMeta(glob[i+1 : i+2]))
		return 2, nil
	default:
		b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
	}
	return 1, nil
}

// stars translates n stars at i and returns how many bytes it took.
func stars(b *strings.Builder, glob string, i, n int) int {
	before := i == 0 || glob[i-1] == '/'
	after := i+n == len(glob) || glob[i+n] == '/'
	if n != 2 || !before || !after {
		b.WriteString(".*")
		return n
	}
	switch {
	case i+n == len(glob) && i == 0:
		b.WriteString(".*")
	case i+n == len(glob): // "/**" at the end: something below
		b.WriteString(".*")
	case i == 0:
		b.WriteString("(?:/?|.*/)")
		return n + 1
	default: // "/**/"; the first slash is written already
		b.WriteString("(?:.*/)?")
		return n + 1
	}
	return n
}

// globClass translates a class and returns how many bytes it took.
func globClass(b *strings.Builder, glob string) (int, error) {
	i := 1
	b.WriteByte('[')
	if i < len(glob) && (glob[i] == '!' || glob[i] == '^') {
		b.WriteByte('^')
		i++
	}
	for first := true; i < len(glob); first = false {
		c := glob[i]
		if c == ']' && !first {
			b.WriteByte(']')
			return i + 1, nil
		}
		if c == '-' && !first && i+1 < len(glob) && glob[i+1] != ']' {
			b.WriteByte('-')
		} else {
			b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(string(c)), "-", `\-`))
		}
		i++
	}
	return 0, errors.New("unclosed class")
}

// Match reports whether the whole of a path with slashes matches.
func (g *Glob) Match(path string) bool { return g.re.MatchString(path) }
