package makefile

import (
	"strings"

	"poly/internal/diag"
)

// assignment reports whether make takes the line for an assignment: one name,
// which may hold references, and =, :=, ::=, :::=, +=, ?= or !=.
func assignment(text string) bool {
	i := skipWord(text, 0)
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	rest := text[i:]
	for _, op := range [...]string{"=", ":=", "::=", ":::=", "+=", "?=", "!="} {
		if strings.HasPrefix(rest, op) {
			return i > 0
		}
	}
	return false
}

// skipWord returns the end of the word at i: references may hold blanks.
func skipWord(text string, i int) int {
	for i < len(text) {
		switch c := text[i]; {
		case c == '$' && i+1 < len(text):
			i = skipReference(text, i)
			continue
		case c == ' ' || c == '\t' || c == '=' || c == '#':
			return i
		case c == ':' && strings.HasPrefix(strings.TrimLeft(text[i:], ":"), "="):
			return i
		case (c == '+' || c == '?' || c == '!') && strings.HasPrefix(text[i+1:], "="):
			return i
		case c == ':':
			return i
		}
		i++
	}
	return i
}

// skipReference returns the end of the reference whose dollar is at i.
func skipReference(text string, i int) int {
	i++
	closer := byte(')')
	switch text[i] {
	case '(':
	case '{':
		closer = '}'
	default:
		return i + 1
	}
	opener, depth := text[i], 0
	for ; i < len(text); i++ {
		switch text[i] {
		case opener:
			depth++
		case closer:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// literal returns what is left of a line without its references, and whether
// there were any.
func literal(text string) (rest string, references bool) {
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] == '$' && i+1 < len(text) {
			if text[i+1] == '$' {
				b.WriteByte('$')
				i += 2
				continue
			}
			i, references = skipReference(text, i), true
			b.WriteByte(' ')
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String(), references
}

// statement judges a line that is no recipe, directive or assignment: a rule,
// references that expand to one, or a fault.
func (r *reader) statement(l line, text string) {
	if r.bsd && text[0] == '.' || substitution(text) {
		return // BSD directives; @NAME@ of a configure script
	}
	rest, references := literal(text)
	rest, _, _ = strings.Cut(rest, "#")
	blanks := l.first[0] == ' '
	switch {
	case strings.Contains(rest, ":") || r.bsd && strings.Contains(rest, "!"):
		if r.rule && blanks && command(text) {
			r.blanks(l)
			return
		}
		r.rule = true
	case strings.TrimSpace(rest) == "" || references && l.first[0] != ' ' && l.first[0] != '\t':
		r.rule = r.rule || references // they may expand to anything
	default:
		r.missing(l, rest, references)
	}
}

// missing reports a line that has no separator.
func (r *reader) missing(l line, rest string, references bool) {
	start, end := l.start+len(l.first)-len(strings.TrimLeft(l.first, " \t")), l.start+len(strings.TrimRight(l.first, " \t"))
	switch {
	case l.first[0] == ' ' && r.rule:
		r.report(codeSyntax, diag.Error, l.start, start, "Missing separator: a recipe starts with a tab, not with blanks")
	case references:
	case l.first[0] == '\t':
		r.report(codeSyntax, diag.Error, start, end, "A recipe line before any rule")
	case plain(rest):
		r.report(codeSyntax, diag.Error, start, end, "Missing separator: neither a rule nor an assignment")
	}
}

// substitution reports whether a line has a name between at signs.
func substitution(text string) bool {
	for {
		i := strings.IndexByte(text, '@')
		if i < 0 {
			return false
		}
		text = text[i+1:]
		n := 0
		for n < len(text) && (text[n] == '_' || 'A' <= text[n] && text[n] <= 'Z' || 'a' <= text[n] && text[n] <= 'z' || '0' <= text[n] && text[n] <= '9') {
			n++
		}
		if n > 0 && n < len(text) && text[n] == '@' {
			return true
		}
	}
}

// command reports whether a line can only be meant as a command: it starts
// with a mark of recipes, or with a program that is no file to be made.
func command(text string) bool {
	if text[0] == '@' && len(text) > 1 && text[1] != '@' {
		return true
	}
	word := firstWord(strings.TrimLeft(text, "@-+"))
	switch word {
	case "echo", "printf", "cd", "rm", "mkdir", "cp", "mv", "if", "for", "docker", "go", "python", "python3", "pip", "npm", "node", "git", "curl", "touch", "cat", "sed", "awk", "grep", "sudo", "sh", "bash":
		// echo: a target would stand right before its colon.
		rest := strings.TrimLeft(text[strings.Index(text, word)+len(word):], " \t")
		return rest != "" && !strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "=")
	}
	return false
}

// plain reports whether text is words only: nothing a make other than GNU's
// could take for an operator.
func plain(text string) bool {
	return !strings.ContainsAny(text, "!<>(){}%@\"'`|&;")
}
