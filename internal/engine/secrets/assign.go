package secrets

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"poly/internal/lang"
)

const (
	maxName  = 80  // bytes of a name
	maxValue = 200 // and of the value it is given
)

// assignment looks at a name that may be given a secret: [start, end) is the
// word that says so.
func (s *scanner) assignment(start, end int) {
	for end > start && !nameByte(s.text[end-1]) {
		end--
	}
	start, end = nameAround(s.text, start, end)
	if start == s.last && s.last != 0 {
		return // another word of the same name
	}
	s.last = start
	from, to, quoted := s.value(start, end)
	if to-from < 8 {
		return
	}
	if name := normal(s.text[start:end]); !s.named(name, from, to) {
		s.unnamed(string(s.text[start:end]), name, from, to, quoted)
	}
}

func nameAround(t []byte, start, end int) (from, to int) {
	from, to = start, end
	for from > 0 && nameByte(t[from-1]) && start-from < maxName {
		from--
	}
	for to < len(t) && nameByte(t[to]) && to-end < maxName {
		to++
	}
	return from, to
}

func nameByte(c byte) bool { return wordByte(c) || c == '-' || c == '.' }

// normal writes a name in small letters without _, - and dots.
func normal(name []byte) string {
	var b [maxName * 3]byte
	out := b[:0]
	for _, c := range name {
		if c == '_' || c == '-' || c == '.' {
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		out = append(out, c)
	}
	return string(out)
}

// value finds what the name at [start, end) is given: the bounds without
// quotes, and whether there were any. Nothing is given: 0, 0.
func (s *scanner) value(start, end int) (from, to int, quoted bool) {
	t := s.text
	i := skipClosers(t, end)
	if i >= len(t) {
		return 0, 0, false
	}
	switch c := t[i]; {
	case c == '>' && start > 0 && t[start-1] == '<': // XML
		n := bytes.IndexByte(t[i:min(len(t), i+maxValue)], '<')
		if n < 0 {
			return 0, 0, false
		}
		return i + 1, i + n, true
	case c == '(' || c == ',': // set("name", "value"), name("value")
		i = skipBlanks(t, i+1)
		if i >= len(t) || t[i] != '"' && t[i] != '\'' {
			return 0, 0, false
		}
		return s.operand(i)
	}
	j, ok := operator(t, i)
	switch {
	case ok:
		return s.operand(j)
	case s.lang == "credentials" && i > end: // .netrc: password value
		n := bytes.IndexFunc(t[i:min(len(t), i+maxValue)], unicode.IsSpace)
		return i, i + max(n, 0), true
	}
	return 0, 0, false
}

// skipClosers skips what closes "name" or ["name"], and blanks.
func skipClosers(t []byte, i int) int {
	if i < len(t) && strings.IndexByte("\"'`", t[i]) >= 0 {
		i++
	}
	for i < len(t) && (t[i] == ']' || t[i] == ')') {
		i++
	}
	return skipBlanks(t, i)
}

func skipBlanks(t []byte, i int) int {
	for n := 0; i < len(t) && (t[i] == ' ' || t[i] == '\t') && n < 60; n++ {
		i++
	}
	return i
}

// operator skips =, :, :=, =>, == and the like, and a type between : and =.
func operator(t []byte, i int) (int, bool) {
	if strings.IndexByte("=:?!+", t[i]) < 0 {
		return 0, false
	}
	first, n := t[i], 0
	for i < len(t) && n < 3 && strings.IndexByte("=:?!+>", t[i]) >= 0 {
		i++
		n++
	}
	i = skipBlanks(t, i)
	if first == ':' && n == 1 {
		i = skipType(t, i)
	}
	return i, i < len(t)
}

// skipType skips the type of name: type = "value".
func skipType(t []byte, i int) int {
	j := i
	for j < len(t) && (wordByte(t[j]) || strings.IndexByte(".<>[]?&", t[j]) >= 0) && j-i < 40 {
		j++
	}
	k := skipBlanks(t, j)
	if j > i && k > j && k+1 < len(t) && t[k] == '=' && t[k+1] != '=' && t[k+1] != '>' {
		return skipBlanks(t, k+1)
	}
	return i
}

// operand returns the bounds of a string, or of a bare word where the
// language takes that for a value.
func (s *scanner) operand(i int) (from, to int, quoted bool) {
	t := s.text
	if i+1 < len(t) && strings.IndexByte("brBR@", t[i]) >= 0 && (t[i+1] == '"' || t[i+1] == '\'') {
		i++ // b"..." of Python, @"..." of C#
	}
	if i >= len(t) {
		return 0, 0, false
	}
	if q := t[i]; q == '"' || q == '\'' || q == '`' {
		n := bytes.IndexByte(t[i+1:min(len(t), i+1+maxValue)], q)
		if n < 0 || bytes.IndexByte(t[i+1:i+1+n], '\n') >= 0 {
			return 0, 0, false
		}
		return i + 1, i + 1 + n, true
	}
	if !bareValues(s.lang) {
		return 0, 0, false
	}
	return bareWord(t, i)
}

// bareWord returns the bounds of a word that goes up to the end of its line, or
// to a comment.
func bareWord(t []byte, i int) (from, to int, quoted bool) {
	j := i
	for j < len(t) && j-i < maxValue && t[j] > ' ' && strings.IndexByte(",;\"'`<>()[]{}|\\", t[j]) < 0 {
		j++
	}
	if k := skipBlanks(t, j); k < len(t) && strings.IndexByte("\n\r#\\", t[k]) < 0 {
		return 0, 0, false
	}
	return i, j, false
}

// bareValues reports whether a value needs no quotes in a language.
func bareValues(l lang.ID) bool {
	switch l {
	case "dotenv", "ini", "properties", lang.YAML, lang.Shell, lang.Dockerfile, lang.Make, lang.Text, "gitconfig", "systemd", "credentials", "":
		return true
	}
	return false
}

// named reports credentials that are known by the name they are assigned to.
func (s *scanner) named(name string, from, to int) bool {
	for i := range kinds {
		k := &kinds[i]
		for _, w := range k.names {
			if !strings.Contains(name, w) {
				continue
			}
			value := s.text[from:to]
			m := compiled()[i]().FindIndex(value)
			if m != nil && m[1] == len(value) {
				s.found(k, from, to)
				return true
			}
		}
	}
	return false
}

// unnamed notes a value that is random enough to be a secret.
func (s *scanner) unnamed(ident, name string, from, to int, quoted bool) {
	if s.test || len(s.maybe) >= maxSeen {
		return
	}
	value := decoded(s.text[from:to])
	c := candidate{start: from, end: to}
	switch kindOfName(name) {
	case nameKey:
		c.code = codeKey
		if !randomKey(value) {
			return
		}
	case namePassword:
		c.code = codePassword
		if !randomPassword(value, quoted) {
			return
		}
	default:
		return
	}
	if s.allows(c.code, from, to) {
		return
	}
	c.title = fmt.Sprintf("%s is given what looks like a secret (%d characters)", shorten(ident), to-from)
	s.maybe = append(s.maybe, c)
}

func shorten(ident string) string {
	if len(ident) > 40 {
		return ident[:40] + "..."
	}
	return ident
}
