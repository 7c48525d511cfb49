package yamlfmt

import (
	"bytes"
	"strings"
)

// blank stands for a blank line while the library formats: it keeps comments.
const blank = "#poly~blank~line~"

// before changes text ahead of the library: blank lines become comments, as
// deeply indented as any line above so that they stay inside block scalars.
func (s *settings) before(text []byte) []byte {
	if !s.retain && !s.retainSingle && !s.trim {
		return text
	}
	var out bytes.Buffer
	deepest, blanks := 0, 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		deepest = max(deepest, len(line)-len(strings.TrimLeft(line, " ")))
		empty := strings.TrimSpace(line) == ""
		if blanks++; !empty {
			blanks = 0
		}
		switch {
		case !empty, !s.retain && !s.retainSingle:
		case s.retainSingle && blanks > 1:
			continue
		default:
			line = strings.Repeat(" ", deepest) + blank
		}
		if s.trim {
			line = strings.TrimRight(line, " ")
		}
		out.WriteString(line)
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// after turns the comments back. A blank line that the library has written by
// itself is not one of the text's.
func (s *settings) after(text []byte) []byte {
	if !s.retain && !s.retainSingle {
		return text
	}
	var out bytes.Buffer
	for line := range strings.Lines(string(text)) {
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "":
		case strings.HasPrefix(trimmed, blank):
			out.WriteByte('\n')
		default:
			out.WriteString(strings.TrimSuffix(line, "\n"))
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}
