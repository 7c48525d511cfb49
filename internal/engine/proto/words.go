package proto

import "strings"

// snakeCase puts "_" between the words of a name, as buf does: before a capital
// letter that follows a small one or is followed by one. The case is kept.
func snakeCase(s string) string {
	s = strings.Trim(s, "_-. ")
	var b strings.Builder
	last := byte(0)
	for i := range len(s) {
		c := s[i]
		if c == '-' || c == '.' || c == ' ' {
			c = '_'
		}
		starts := i > 0 && upper(c) && last != '_' &&
			(i+1 < len(s) && !upper(s[i+1]) && !digit(s[i+1]) && s[i+1] != '_' || lower(s[i-1]))
		if starts {
			b.WriteByte('_')
		} else if c == '_' && last == '_' {
			continue
		}
		b.WriteByte(c)
		last = c
	}
	return b.String()
}

// pascalCase joins the words of a name, each with a capital letter.
func pascalCase(s string) string {
	var b strings.Builder
	start := true
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '_':
		case start:
			b.WriteString(strings.ToUpper(s[i : i+1]))
		default:
			b.WriteByte(c)
		}
		start = c == '_'
	}
	return b.String()
}

func upper(c byte) bool { return 'A' <= c && c <= 'Z' }
func lower(c byte) bool { return 'a' <= c && c <= 'z' }
func digit(c byte) bool { return '0' <= c && c <= '9' }
