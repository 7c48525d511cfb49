//go:build extra

package opa

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// marks are those that the formatter may write or leave out.
const marks = "()[]{},;.:\"`\\"

// sameWords compares texts by a scanner of ours, so that a fault which the
// parser and the printer of OPA share is seen, too: both have the same names,
// numbers, words of strings and operators, in any order, since imports are
// sorted, without what says no more than what stands beside it, as "= true".
func sameWords(before, after string) error {
	a, b := words(before), words(after)
	slices.Sort(a)
	slices.Sort(b)
	for i := range max(len(a), len(b)) {
		switch {
		case i == len(b) || i < len(a) && a[i] < b[i]:
			return fmt.Errorf("the word %q was lost", a[i])
		case i == len(a) || a[i] > b[i]:
			return fmt.Errorf("the word %q was added", b[i])
		}
	}
	return nil
}

func words(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if w := strings.Fields(line); len(w) > 0 && w[0] == "import" {
			continue // the tree has them all
		}
		out = split(out, line)
	}
	return out
}

// split adds the words of a line and every mark that is no layout, up to a comment.
func split(out []string, line string) []string {
	line = uncommented(line)
	for len(line) > 0 {
		n := strings.IndexFunc(line, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if n < 0 {
			n = len(line)
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(line)
		}
		if w := line[:n]; !silent(w) {
			out = append(out, w)
		}
		line = line[n:]
	}
	return out
}

// uncommented returns a line up to a # that is not in a string.
func uncommented(line string) string {
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote == 0 && (c == '"' || c == '`'):
			quote = c
		case quote != 0 && c == quote:
			quote = 0
		case quote == '"' && c == '\\':
			i++
		case quote == 0 && c == '#':
			return line[:i]
		}
	}
	return line
}

// silent reports whether a word or a mark may be written or left out.
func silent(w string) bool {
	switch w {
	case "if", "contains", "=", "true":
		return true
	}
	return strings.Contains(marks, w) || strings.TrimSpace(w) == ""
}
