//go:build extra

package caddy

import (
	"fmt"
	"strings"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"poly/internal/engine"
)

// Same reports whether two texts have the same words on the same lines, braces
// among them, and the same comments in their order. Only the brace that opens
// a site may go from a line of its own to the end of the one before.
func Same(before, after []byte) error {
	one, _ := engine.Plain(before)
	two, _ := engine.Plain(after)
	a, err := words(one)
	if err != nil {
		return fmt.Errorf("the original: %w", err)
	}
	b, err := words(two)
	if err != nil {
		return fmt.Errorf("the result: %w", err)
	}
	for i := range min(len(a), len(b)) {
		if x, y := a[i], b[i]; x.text != y.text || x.quoted != y.quoted || x.starts != y.starts {
			return fmt.Errorf("%q at line %d is %q in the result at line %d", x.text, x.line, y.text, y.line)
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("there are %d words, %d in the result", len(a), len(b))
	}
	return sameComments(comments(string(one)), comments(string(two)))
}

// word is a token and whether it starts a line.
type word struct {
	text           string
	quoted, starts bool
	line           int
}

func words(text []byte) ([]word, error) {
	if len(text) == 0 {
		return nil, nil
	}
	tokens, err := caddyfile.Tokenize(text, "")
	if err != nil {
		return nil, err
	}
	var out []word
	last, depth, head := 0, 0, ""
	for i := range tokens {
		t := &tokens[i]
		w := word{t.Text, t.Quoted(), t.Line > last, t.Line}
		last = t.Line + t.NumLineBreaks()
		opens := !w.quoted && w.text == "{"
		switch {
		case opens:
			if depth == 0 && head != "" && head != "import" {
				w.starts = false // the brace of a site may stand below its name
			}
			depth++
			head = ""
		case !w.quoted && w.text == "}":
			depth--
			head = ""
		case w.starts:
			head = w.text
		}
		out = append(out, w)
	}
	return out, nil
}

func sameComments(a, b []string) error {
	for i := range max(len(a), len(b)) {
		switch {
		case i == len(b):
			return fmt.Errorf("comment %q was lost", a[i])
		case i == len(a):
			return fmt.Errorf("comment %q was added", b[i])
		case a[i] != b[i]:
			return fmt.Errorf("comment %q became %q", a[i], b[i])
		}
	}
	return nil
}

// comments returns the comments of a text by its words: from a # that starts
// one to the end of the line, outside of quotes and heredocs.
func comments(text string) []string {
	var out []string
	fresh := true // a word may start here
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch c := text[i]; {
		case c == ' ', c == '\t', c == '\n', c == '\r':
			fresh = true
			continue
		case !fresh:
			continue
		case c == '#':
			end := lineLength(rest)
			out = append(out, strings.TrimSpace(rest[:end]))
			i += end - 1
			continue
		case c == '"' || c == '`':
			i += quoted(rest) - 1
		case strings.HasPrefix(rest, "<<"):
			i += heredoc(rest) - 1
		}
		fresh = false
	}
	return out
}

// quoted returns the length of a word between quotes.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[0] == '"' && s[i] == '\\':
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return len(s)
}

// heredoc returns the length of a text up to its marker; that of "<<" if it is none.
func heredoc(s string) int {
	marker, rest, ok := strings.Cut(s[2:], "\n")
	if !ok || marker == "" || strings.ContainsAny(marker, " \t") {
		return 2
	}
	end := strings.Index(rest, marker)
	if end < 0 {
		return len(s)
	}
	return 2 + len(marker) + 1 + end + len(marker)
}

// lineLength returns how many bytes of a text are before its first line end.
func lineLength(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}
