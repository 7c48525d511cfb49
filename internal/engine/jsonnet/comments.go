package jsonnet

import (
	"slices"
	"strings"
)

// comments returns the comments of a program, without what starts and ends
// them, sorted.
func comments(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		rest := text[i:]
		switch {
		case rest[0] == '#', strings.HasPrefix(rest, "//"):
			end := lineLength(rest)
			out = append(out, strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(rest[:end], "#"), "//")))
			i += end
		case strings.HasPrefix(rest, "/*"):
			end := len(rest)
			if n := strings.Index(rest[2:], "*/"); n >= 0 {
				end = n + 4
			}
			out = append(out, block(rest[:end]))
			i += end
		case strings.HasPrefix(rest, "|||"):
			i += textBlock(rest)
		case rest[0] == '@' && len(rest) > 1 && (rest[1] == '"' || rest[1] == '\''):
			i += 1 + quoted(rest[1:], false)
		case rest[0] == '"', rest[0] == '\'':
			i += quoted(rest, true)
		default:
			i++
		}
	}
	slices.Sort(out)
	return out
}

// block is a comment of several lines without the blanks around them.
func block(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

// quoted returns the length of a string literal.
func quoted(s string, escapes bool) int {
	for i := 1; i < len(s); i++ {
		switch {
		case escapes && s[i] == '\\':
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return len(s)
}

// textBlock returns the length of a text between bars: its lines are those
// that start with the blanks the first one starts with, and empty ones.
func textBlock(s string) int {
	first := strings.IndexByte(s, '\n') + 1
	if first == 0 {
		return len(s)
	}
	at, indent := first, ""
	for at < len(s) {
		line, _, _ := strings.Cut(s[at:], "\n")
		if indent == "" {
			indent = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		}
		if line != "" && (indent == "" || !strings.HasPrefix(line, indent)) {
			break
		}
		at += len(line) + 1
	}
	if bars := strings.Index(s[min(at, len(s)):], "|||"); bars >= 0 {
		return min(at, len(s)) + bars + 3
	}
	return len(s)
}

// lineLength returns how many bytes of a text are before its first line end.
func lineLength(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}
