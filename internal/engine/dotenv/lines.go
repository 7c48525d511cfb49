package dotenv

import (
	"bytes"
	"strings"
)

// entry is a line, or the lines of a value in quotes.
type entry struct {
	raw        string // without the last line end
	start, end int    // of raw in the file
	next       int    // start of what follows
	last       bool   // nothing follows, not even a line end
}

// split cuts a file into entries. As in dotenv-linter, what follows the last
// line end is an entry of its own, an empty one.
func split(text []byte) []entry {
	at := len(text) - len(bytes.TrimPrefix(text, bom))
	if len(text) == at {
		return nil
	}
	out := make([]entry, 0, bytes.Count(text, []byte("\n"))+1)
	for line := range bytes.Lines(text[at:]) {
		body := bytes.TrimSuffix(line, []byte("\n"))
		if len(body) < len(line) {
			body = bytes.TrimSuffix(body, []byte("\r"))
		}
		out = append(out, entry{raw: string(body), start: at, end: at + len(body), next: at + len(line)})
		at += len(line)
	}
	if text[len(text)-1] == '\n' {
		out = append(out, entry{start: at, end: at, next: at})
	} else {
		out[len(out)-1].last = true
	}
	return join(out, text)
}

var bom = []byte("\xef\xbb\xbf")

// join makes one entry of the lines of a value in quotes that spans several.
// An opening quote that is never closed spans nothing.
func join(lines []entry, text []byte) []entry {
	out := lines[:0]
	closers := map[byte]bool{} // quotes that are not closed any more: looked for only once
	for i := 0; i < len(lines); i++ {
		e := lines[i]
		if q := openQuote(e.value()); q != 0 && !closers[q] {
			n := closing(lines[i+1:], q)
			closers[q] = n == 0
			if n > 0 {
				end := lines[i+n]
				e.raw = strings.ReplaceAll(string(text[e.start:end.end]), "\r\n", "\n")
				e.end, e.next, e.last = end.end, end.next, end.last
				i += n
			}
		}
		out = append(out, e)
	}
	return out
}

// openQuote returns the quote that a value opens and does not close; 0 if none.
func openQuote(value string) byte {
	value = strings.TrimSpace(value)
	if value == "" || value[0] != '"' && value[0] != '\'' {
		return 0
	}
	if len(value) > 1 && value[len(value)-1] == value[0] && !escaped(value[:len(value)-1]) {
		return 0
	}
	return value[0]
}

// closing returns how many lines it is to the one whose first quote closes a
// value; 0 if there is none.
func closing(lines []entry, quote byte) int {
	for i := range lines {
		if at := strings.IndexByte(lines[i].raw, quote); at >= 0 && !escaped(lines[i].raw[:at]) {
			return i + 1
		}
	}
	return 0
}

// escaped reports whether prefix ends with an odd number of backslashes.
func escaped(prefix string) bool {
	return (len(prefix)-len(strings.TrimRight(prefix, `\`)))%2 == 1
}

func (e *entry) blank() bool { return strings.TrimSpace(e.raw) == "" }

func (e *entry) comment() bool { return strings.HasPrefix(strings.TrimSpace(e.raw), "#") }

// key is what stands before the first equal sign, without export; ok is false
// for a blank line or a comment.
func (e *entry) key() (key string, ok bool) {
	if e.blank() || e.comment() {
		return "", false
	}
	line := strings.TrimSpace(e.raw)
	if rest, found := strings.CutPrefix(line, "export "); found {
		line = strings.TrimSpace(rest)
	}
	key, _, _ = strings.Cut(line, "=")
	return key, true
}

// value is what stands behind the first equal sign; "" if nothing does.
func (e *entry) value() string {
	if e.blank() || e.comment() {
		return ""
	}
	_, value, _ := strings.Cut(e.raw, "=")
	return value
}
