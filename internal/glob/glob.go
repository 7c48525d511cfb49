// Package glob is the one matcher of gitignore-style patterns: those of git's
// ignore and attributes files, of `exclude` lists and of [per-file-ignores].
// It knows strings only: no file system and no git.
package glob

import (
	"slices"
	"strings"
)

// Rule is one pattern as written, and where it was written.
type Rule struct {
	Pattern string // with its leading "!" and trailing "/", if any
	Base    string // directory the pattern is written in, relative to the root; "" (or ".") is the root
	Line    int    // 1-based line of its file; 0 if it has none
}

// Options of a list.
type Options struct {
	// FoldCase ignores the case of ASCII letters, as core.ignoreCase does.
	FoldCase bool
	// NoNegation takes a leading "!" literally, as git attributes do not know it.
	NoNegation bool
}

// Result is what matched.
type Result struct {
	Rule    int  // index of the last rule that matches; -1: none
	Negated bool // that rule begins with "!"
}

// Ignored reports whether a rule matched that was not negated.
func (r Result) Ignored() bool { return r.Rule >= 0 && !r.Negated }

// List is a compiled sequence of rules in which the last match wins. It is
// immutable and may be used by many goroutines.
type List struct {
	rules []Rule
	pats  []pattern
	fold  bool
	// Patterns that are one literal base name, and patterns "*.ext", are found
	// by map; the rest one by one. Values are ascending rule indexes.
	names map[string][]int32
	exts  map[string][]int32
	rest  []int32
}

// NewList compiles rules. It never fails: a malformed pattern matches nothing,
// as in git.
func NewList(rules []Rule, o Options) *List {
	l := &List{rules: rules, pats: make([]pattern, len(rules)), fold: o.FoldCase}
	for i, r := range rules {
		p := compile(r.Pattern, r.Base, o)
		l.pats[i] = p
		switch key := int32(i); {
		case p.kind == never:
		case p.kind == nameLiteral:
			if l.names == nil {
				l.names = map[string][]int32{}
			}
			l.names[p.lit] = append(l.names[p.lit], key)
		case p.kind == nameSuffix && p.lit != "" && strings.LastIndexByte(p.lit, '.') == 0:
			if l.exts == nil {
				l.exts = map[string][]int32{}
			}
			l.exts[p.lit] = append(l.exts[p.lit], key)
		default:
			l.rest = append(l.rest, key)
		}
	}
	return l
}

// Len is the number of rules.
func (l *List) Len() int { return len(l.rules) }

// Rule returns the rule with index i.
func (l *List) Rule(i int) Rule { return l.rules[i] }

// Match returns the last rule that matches path itself; a rule that matches
// a parent directory does not count, see [List.Excluded]. path is slash-separated
// and relative to the root; isDir says whether it is a directory (symlinks are not).
func (l *List) Match(path string, isDir bool) Result {
	if l == nil || len(l.rules) == 0 {
		return Result{Rule: -1}
	}
	t := newTarget(path, isDir, l.fold)
	best := int32(-1)
	if l.names != nil {
		best = l.last(l.names[t.base], &t, best)
	}
	if l.exts != nil {
		if dot := strings.LastIndexByte(t.base, '.'); dot >= 0 {
			best = l.last(l.exts[t.base[dot:]], &t, best)
		}
	}
	best = l.last(l.rest, &t, best)
	if best < 0 {
		return Result{Rule: -1}
	}
	return Result{Rule: int(best), Negated: l.pats[best].negated}
}

// last returns the greatest of the ascending candidates that matches t and is
// greater than best, else best.
func (l *List) last(candidates []int32, t *target, best int32) int32 {
	for i := len(candidates) - 1; i >= 0 && candidates[i] > best; i-- {
		if l.pats[candidates[i]].match(t) {
			return candidates[i]
		}
	}
	return best
}

// AppendMatches appends the indexes of all rules that match path itself to
// dst, greatest first.
func (l *List) AppendMatches(dst []int32, path string, isDir bool) []int32 {
	if l == nil || len(l.rules) == 0 {
		return dst
	}
	t := newTarget(path, isDir, l.fold)
	from := len(dst)
	all := func(candidates []int32) {
		for _, c := range candidates {
			if l.pats[c].match(&t) {
				dst = append(dst, c)
			}
		}
	}
	all(l.names[t.base])
	if dot := strings.LastIndexByte(t.base, '.'); dot >= 0 {
		all(l.exts[t.base[dot:]])
	}
	all(l.rest)
	slices.SortFunc(dst[from:], func(a, b int32) int { return int(b - a) })
	return dst
}

// Excluded returns what decides about path when everything below an ignored
// directory is ignored too: the result for the topmost ignored parent, else
// that for path.
func (l *List) Excluded(path string, isDir bool) Result {
	if l == nil || len(l.rules) == 0 {
		return Result{Rule: -1}
	}
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		if r := l.Match(path[:i], true); r.Ignored() {
			return r
		}
	}
	return l.Match(path, isDir)
}

// Parse splits the text of an ignore file into rules as git does: a byte order
// mark, blank lines, comments, carriage returns at line ends and unescaped
// trailing spaces are dropped. base is the file's directory.
func Parse(text []byte, base string) []Rule {
	var rules []Rule
	rest := strings.TrimPrefix(string(text), "\ufeff")
	for n := 1; rest != ""; n++ {
		line, tail, _ := strings.Cut(rest, "\n")
		rest = tail
		if line == "" || line[0] == '#' {
			continue
		}
		line = strings.TrimSuffix(line, "\r")
		line, _, _ = strings.Cut(line, "\x00") // git reads C strings
		if line = trimTrailingSpaces(line); line != "" {
			rules = append(rules, Rule{Pattern: line, Base: base, Line: n})
		}
	}
	return rules
}

// trimTrailingSpaces removes spaces at the end unless a backslash quotes them.
func trimTrailingSpaces(s string) string {
	end := 0 // one past the last byte that must stay
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			continue
		case '\\':
			i++
			if i == len(s) {
				return s
			}
		}
		end = i + 1
	}
	return s[:end]
}

// Glob is one plain pattern that matches whole relative paths.
type Glob struct{ p pattern }

// Compile compiles a plain glob: "*" and "?" do not cross "/", "**" between
// slashes does. The pattern is anchored at both ends and is not negated by
// "!". ok is false if it is malformed; it then matches nothing.
func Compile(pattern string) (g Glob, ok bool) {
	toks, ok := tokenize(pattern, false)
	g.p = toPattern(toks, ok)
	return g, ok
}

// Match reports whether the glob matches all of path.
func (g Glob) Match(path string) bool {
	t := target{path: path}
	return g.p.match(&t)
}
