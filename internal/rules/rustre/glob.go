package rustre

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Glob is a glob as the crate globset reads it by default: * and ? match a
// slash too, ** stands for whole directories. It is immutable.
type Glob struct {
	re *regexp.Regexp // nil: parts are there
	// parts are the texts between the stars of what follows "**/" at the start.
	parts []string
}

// CompileGlob compiles a glob.
func CompileGlob(glob string, foldCase bool) (*Glob, error) {
	if rest, ok := strings.CutPrefix(glob, "**/"); ok && !foldCase && simple(rest) {
		return &Glob{parts: strings.Split(single(rest), "*")}, nil
	}
	return compileGlob(glob, foldCase)
}

// compileGlob makes a regular expression of a glob.
func compileGlob(glob string, foldCase bool) (*Glob, error) {
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
	return &Glob{re: re}, nil
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

// simple reports whether a glob has nothing but ASCII and stars, none of which
// stands for directories in its middle.
func simple(glob string) bool {
	special := func(r rune) bool { return r >= utf8.RuneSelf || strings.ContainsRune(`?[]{}\,`, r) }
	return !strings.ContainsFunc(glob, special) && !strings.Contains("/"+glob, "/**/")
}

// single makes one star of many: they all match anything.
func single(glob string) string {
	for strings.Contains(glob, "**") {
		glob = strings.ReplaceAll(glob, "**", "*")
	}
	return glob
}

// Match reports whether the whole of a path with slashes matches.
func (g *Glob) Match(path string) bool {
	if g.re != nil {
		return g.re.MatchString(path)
	}
	first, last := g.parts[0], g.parts[len(g.parts)-1]
	if len(g.parts) == 1 {
		return strings.HasSuffix(path, first) && (len(path) == len(first) || path[len(path)-len(first)-1] == '/')
	}
	// The first place is the best one: the star behind it takes the rest.
	if first != "" && !strings.HasPrefix(path, first) {
		i := strings.Index(path, "/"+first)
		if i < 0 {
			return false
		}
		path = path[i+1:]
	}
	path = path[len(first):]
	for _, p := range g.parts[1 : len(g.parts)-1] {
		_, after, ok := strings.Cut(path, p)
		if !ok {
			return false
		}
		path = after
	}
	return strings.HasSuffix(path, last)
}
