package jsonnet

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// layout are the marks that the formatter may write or leave out.
const layout = "()[],.+\"'\\"

// sameWords compares texts by a scanner of ours, that of the comments, so that
// a fault which the parser and the printer of the library share is seen, too:
// names, numbers, what is in strings, and operators, in their order. Imports
// that are sorted may stand in another one.
func sameWords(before, after string) error {
	a, b := words(before), words(after)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	x, y := strings.Join(a[:min(len(a), 5)], " "), strings.Join(b[:min(len(b), 5)], " ")
	if slices.Contains(a, "import") && onlyImports(a) {
		slices.Sort(a)
		slices.Sort(b)
		if slices.Equal(a, b) {
			return nil
		}
	}
	return fmt.Errorf("the words changed from %q to %q", x, y)
}

// onlyImports reports whether words may be part of definitions by imports.
func onlyImports(list []string) bool {
	return !slices.ContainsFunc(list, func(w string) bool {
		r, _ := utf8.DecodeRuneInString(w)
		return !isWord(r) && w != "=" && w != ";" && w != "/" && w != "-" && w != "@"
	})
}

func isWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// words are the names, numbers and marks of a program without its comments.
func words(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		rest := text[i:]
		n := 0
		switch {
		case rest[0] == '#', strings.HasPrefix(rest, "//"):
			n = lineLength(rest)
		case strings.HasPrefix(rest, "/*"):
			n = len(rest)
			if end := strings.Index(rest[2:], "*/"); end >= 0 {
				n = end + 4
			}
		case strings.HasPrefix(rest, "|||"):
			n = textBlock(rest)
			out = split(out, strings.TrimPrefix(strings.Trim(rest[:n], "|"), "-"))
		case rest[0] == '@' && len(rest) > 1 && (rest[1] == '"' || rest[1] == '\''):
			n = 1 + quoted(rest[1:], false)
			out = split(out, rest[1:n])
		case rest[0] == '"', rest[0] == '\'':
			n = quoted(rest, true)
			out = split(out, unescape(rest[:n]))
		default:
			for n < len(rest) && strings.IndexByte("#/|@\"'", rest[n]) < 0 {
				n++
			}
			n = max(n, 1)
			out = split(out, rest[:n])
		}
		i += n
	}
	return out
}

// split adds the words of a text and every mark that is no layout.
func split(out []string, text string) []string {
	for len(text) > 0 {
		n := strings.IndexFunc(text, func(r rune) bool { return !isWord(r) })
		if n < 0 {
			n = len(text)
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(text)
			if mark := text[:n]; !strings.Contains(layout, mark) && strings.TrimSpace(mark) != "" {
				out = append(out, mark)
			}
		} else {
			out = append(out, text[:n])
		}
		text = text[n:]
	}
	return out
}
