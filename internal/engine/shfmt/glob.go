package shfmt

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// matcher matches patterns of .editorconfig: *, **, ?, [...], {a,b}, {1..9}. It
// gives up, without a match, on patterns that would take very long.
type matcher struct{ steps int }

const maxSteps = 1 << 16

func (m *matcher) match(pat, name string) bool {
	for pat != "" {
		if m.steps++; m.steps > maxSteps {
			return false
		}
		switch pat[0] {
		case '*':
			return m.star(pat, name)
		case '{':
			if alternatives, rest, ok := braces(pat); ok {
				return m.brace(alternatives, rest, name)
			}
		case '[':
			if in, size, ok := class(pat, name); ok {
				if !in {
					return false
				}
				_, n := utf8.DecodeRuneInString(name)
				pat, name = pat[size:], name[n:]
				continue
			}
		case '?':
			r, n := utf8.DecodeRuneInString(name)
			if n == 0 || r == '/' {
				return false
			}
			pat, name = pat[1:], name[n:]
			continue
		}
		pat = unescape(pat)
		if name == "" || pat[0] != name[0] {
			return false
		}
		pat, name = pat[1:], name[1:]
	}
	return name == ""
}

// unescape drops a backslash in front of another character.
func unescape(pat string) string {
	if len(pat) > 1 && pat[0] == '\\' {
		return pat[1:]
	}
	return pat
}

func (m *matcher) star(pat, name string) bool {
	rest := strings.TrimLeft(pat, "*")
	deep := len(pat)-len(rest) > 1
	if deep && strings.HasPrefix(rest, "/") && m.match(rest[1:], name) {
		return true // "**/" also stands for no directory
	}
	for i := 0; ; i++ {
		if m.match(rest, name[i:]) {
			return true
		}
		if i == len(name) || !deep && name[i] == '/' {
			return false
		}
	}
}

func (m *matcher) brace(alternatives []string, rest, name string) bool {
	if low, high, ok := numbers(alternatives); ok {
		n := len(name) - len(strings.TrimLeft(strings.TrimPrefix(name, "-"), "0123456789"))
		v, err := strconv.Atoi(name[:n])
		return err == nil && low <= v && v <= high && m.match(rest, name[n:])
	}
	for _, a := range alternatives {
		if m.match(a+rest, name) {
			return true
		}
	}
	return false
}

// numbers reads the single alternative "1..9".
func numbers(alternatives []string) (low, high int, ok bool) {
	if len(alternatives) != 1 {
		return 0, 0, false
	}
	a, b, ok := strings.Cut(alternatives[0], "..")
	low, err1 := strconv.Atoi(a)
	high, err2 := strconv.Atoi(b)
	return min(low, high), max(low, high), ok && err1 == nil && err2 == nil
}

// braces splits "{a,b}rest"; ok is false if the brace is an ordinary character.
func braces(pat string) (alternatives []string, rest string, ok bool) {
	depth, start := 0, 1
	for i := 0; i < len(pat); i++ {
		switch pat[i] {
		case '\\':
			i++
		case '{':
			depth++
		case ',':
			if depth == 1 {
				alternatives = append(alternatives, pat[start:i])
				start = i + 1
			}
		case '}':
			if depth--; depth > 0 {
				continue
			}
			alternatives = append(alternatives, pat[start:i])
			if len(alternatives) == 1 {
				_, _, ok = numbers(alternatives)
				return alternatives, pat[i+1:], ok
			}
			return alternatives, pat[i+1:], true
		}
	}
	return nil, "", false
}

// class looks whether the first character of name is in the set pat starts
// with, whose length is size; ok is false if the bracket is an ordinary character.
func class(pat, name string) (in bool, size int, ok bool) {
	end := strings.IndexByte(pat[1:], ']')
	if end <= 0 || strings.Contains(pat[1:end+1], "/") {
		return false, 0, false
	}
	set := []rune(pat[1 : end+1])
	negated := set[0] == '!' || set[0] == '^'
	if negated {
		set = set[1:]
	}
	r, n := utf8.DecodeRuneInString(name)
	if n == 0 || r == '/' {
		return false, end + 2, true
	}
	for i := 0; i < len(set); i++ {
		low, high := set[i], set[i]
		if i+2 < len(set) && set[i+1] == '-' {
			high = set[i+2]
			i += 2
		}
		in = in || low <= r && r <= high
	}
	return in != negated, end + 2, true
}
