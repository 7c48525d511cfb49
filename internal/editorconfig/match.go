package editorconfig

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// matcher tells whether a section covers a path from the root of the tree.
type matcher struct {
	all   bool     // [*]
	ends  []string // [*.a], [*.{a,b}]: ends of base names
	names []string // [Makefile], [{a,b}]: base names
	re    *regexp.Regexp
	dir   string // what re matches is relative to it; "": the root
}

// compile makes a matcher of a section's pattern. The common forms are told
// without a regular expression: a repository has many files.
func compile(pattern, dir string) matcher {
	m := matcher{}
	if dir != "." {
		m.dir = dir + "/"
	}
	if pattern == "*" || pattern == "**" {
		m.all = true
		return m
	}
	if list, ok := plainList(pattern); ok {
		for _, s := range list {
			if rest, ok := strings.CutPrefix(s, "*."); ok {
				m.ends = append(m.ends, "."+rest)
			} else {
				m.names = append(m.names, s)
			}
		}
		return m
	}
	switch {
	case !strings.Contains(withoutClasses(pattern), "/"):
		pattern = "/**/" + pattern
	case pattern[0] != '/':
		pattern = "/" + pattern
	}
	g := globber{pattern: []rune(pattern)}
	expr := g.sequence(0)
	if re, err := regexp.Compile("^" + expr + "$"); err == nil { // a malformed pattern matches nothing
		m.re = re
	}
	return m
}

// plainList splits a.b, *.b, {a,b} and *.{a,b} where nothing else is special.
func plainList(pattern string) (list []string, ok bool) {
	head, inner, braces := strings.Cut(pattern, "{")
	if !braces {
		return []string{pattern}, plainName(pattern)
	}
	inner, tail, ok := strings.Cut(inner, "}")
	if !ok || tail != "" || !strings.Contains(inner, ",") || head != "" && head != "*." {
		return nil, false
	}
	for s := range strings.SplitSeq(inner, ",") {
		s = head + s
		if !plainName(s) {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}

// plainName: nothing special but one "*." at the start.
func plainName(s string) bool {
	rest := strings.TrimPrefix(s, "*.")
	return rest != "" && !strings.ContainsAny(rest, `*?[]{}\/,`)
}

func withoutClasses(pattern string) string {
	for {
		open := strings.IndexByte(pattern, '[')
		if open < 0 {
			return pattern
		}
		end := strings.IndexByte(pattern[open:], ']')
		if end < 0 || strings.Contains(pattern[open:open+end], "/") {
			return pattern
		}
		pattern = pattern[:open] + pattern[open+end+1:]
	}
}

func (m *matcher) matches(file string) bool {
	if m.all {
		return true
	}
	if m.re != nil {
		return m.re.MatchString("/" + strings.TrimPrefix(file, m.dir))
	}
	base := file[strings.LastIndexByte(file, '/')+1:]
	for _, e := range m.ends {
		if strings.HasSuffix(base, e) {
			return true
		}
	}
	return slices.Contains(m.names, base)
}

// globber translates a pattern into a regular expression.
type globber struct {
	pattern []rune
	at      int
}

// sequence translates up to the end, or to a comma or brace at this depth.
func (g *globber) sequence(depth int) string {
	var b strings.Builder
	for g.at < len(g.pattern) {
		c := g.pattern[g.at]
		if depth > 0 && (c == ',' || c == '}') {
			break
		}
		g.at++
		switch c {
		case '\\':
			if g.at < len(g.pattern) {
				b.WriteString(regexp.QuoteMeta(string(g.pattern[g.at])))
				g.at++
			}
		case '*':
			b.WriteString(g.stars())
		case '/':
			b.WriteString(g.slash())
		case '?':
			b.WriteString("[^/]")
		case '[':
			b.WriteString(g.class())
		case '{':
			b.WriteString(g.braces(depth))
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	return b.String()
}

func (g *globber) stars() string {
	if g.at < len(g.pattern) && g.pattern[g.at] == '*' {
		g.at++
		return ".*"
	}
	return "[^/]*"
}

// slash translates a slash; "/**/" is also one slash.
func (g *globber) slash() string {
	if strings.HasPrefix(string(g.pattern[g.at:]), "**/") {
		g.at += 3
		return "(?:/|/.*/)"
	}
	return "/"
}

// class translates [abc] and [!abc]; a bracket without its end, or around a
// slash, is only that.
func (g *globber) class() string {
	end := g.at
	for end < len(g.pattern) && (g.pattern[end] != ']' || end > g.at && g.pattern[end-1] == '\\') {
		if g.pattern[end] == '/' {
			return `\[`
		}
		end++
	}
	if end == len(g.pattern) || end == g.at {
		return `\[`
	}
	inner := string(g.pattern[g.at:end])
	g.at = end + 1
	if rest, ok := strings.CutPrefix(inner, "!"); ok {
		return "[^" + escapeClass(rest) + "]"
	}
	return "[" + escapeClass(inner) + "]"
}

func escapeClass(s string) string {
	return strings.NewReplacer("[", `\[`, "^", `\^`, "&&", `&\&`).Replace(s)
}

// braces translates {a,b} and {1..3}. Braces around one word, or without
// their end, are only that.
func (g *globber) braces(depth int) string {
	start := g.at
	var words []string
	for {
		words = append(words, g.sequence(depth+1))
		if g.at >= len(g.pattern) {
			g.at = start
			return `\{`
		}
		c := g.pattern[g.at]
		g.at++
		if c == '}' {
			break
		}
	}
	if len(words) > 1 {
		return "(?:" + strings.Join(words, "|") + ")"
	}
	if r := numbers(string(g.pattern[start : g.at-1])); r != "" {
		return r
	}
	return `\{` + words[0] + `\}`
}

const maxNumbers = 1000 // of a range

// numbers translates 1..3, in any order; "" if it is none.
func numbers(s string) string {
	low, high, ok := strings.Cut(s, "..")
	a, errA := strconv.Atoi(low)
	b, errB := strconv.Atoi(high)
	if !ok || errA != nil || errB != nil {
		return ""
	}
	if a > b {
		a, b = b, a
	}
	if b-a > maxNumbers {
		return `[+-]?\d+`
	}
	var list []string
	for ; a <= b; a++ {
		list = append(list, strconv.Itoa(a))
	}
	return "(?:" + strings.Join(list, "|") + ")"
}
