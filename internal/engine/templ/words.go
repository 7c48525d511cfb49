package templ

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// layout are the marks that the formatter may write or leave out.
const layout = "(){},;<>/\"'`@!"

// sameWords compares texts by a scanner of ours, so that a fault which the
// parser and the printer of templ share is seen, too: both have the same words
// and marks in the same order, but for imports and closing tags.
func sameWords(before, after string) error {
	a, b := words(before), words(after)
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return fmt.Errorf("the word %q was added", b[i])
		case i >= len(b):
			return fmt.Errorf("the word %q was lost", a[i])
		case a[i] != b[i]:
			return fmt.Errorf("the word %q became %q", a[i], b[i])
		}
	}
	return nil
}

func words(text string) []string {
	var out []string
	for len(text) > 0 {
		n := strings.IndexFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		switch {
		case n < 0:
			n = len(text)
		case strings.HasPrefix(text, "</"):
			if n = strings.IndexByte(text, '>'); n < 0 {
				n = 2
			}
		case n == 0:
			_, n = utf8.DecodeRuneInString(text)
		}
		if w := text[:n]; !strings.HasPrefix(w, "</") && !strings.Contains(layout, w) && strings.TrimSpace(w) != "" {
			out = append(out, w)
		}
		text = text[n:]
	}
	return out
}
