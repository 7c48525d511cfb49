package commitmsg

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"poly/internal/diag"
)

// defaultTypes are the types of a conventional title.
var defaultTypes = []string{"build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test"}

func (c *Checker) types() []string {
	if len(c.o.Types) > 0 {
		return c.o.Types
	}
	return defaultTypes
}

// header is a title taken apart; offsets are in the title.
type header struct {
	kind, scope, subject string
	scoped               bool
	subjectAt            int
	tight                bool // no blank after the colon
}

// parseHeader splits "type(scope)!: subject". ok is false if the title has no
// such form.
func parseHeader(title string) (h header, ok bool) {
	i := strings.IndexFunc(title, func(r rune) bool { return !isWord(r) })
	if i < 0 {
		return h, false
	}
	h.kind = title[:i]
	if title[i] == '(' {
		end := strings.IndexByte(title[i:], ')')
		if end < 0 {
			return h, false
		}
		h.scope, h.scoped = title[i+1:i+end], true
		i += end + 1
	}
	rest := strings.TrimPrefix(title[i:], "!")
	rest, ok = strings.CutPrefix(rest, ":")
	if !ok {
		return h, false
	}
	h.subject = strings.TrimLeft(rest, " \t")
	h.subjectAt = len(title) - len(h.subject)
	h.tight = rest != "" && len(h.subject) == len(rest)
	return h, true
}

func isWord(r rune) bool {
	return r == '_' || r == '-' || r >= '0' && r <= '9' || isLetter(r)
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// title judges a title, without its affixes, by the conventional form.
func (j *judge) title(t mline) {
	if n, limit := utf8.RuneCountInString(t.text), orNumber(j.o.MaxTitle, defaultMax); n > limit {
		j.report(codeTitleLength, t.start+cutAt(t.text, limit), t.end(), fmt.Sprintf("The title has %d characters; at most %d are allowed", n, limit))
	}
	h, ok := parseHeader(t.text)
	if !ok || h.kind == "" {
		j.report(codeTypeEmpty, t.start, t.end(), `The title has no type: it must read "type(scope): subject"`)
		return
	}
	if h.tight && h.subject != "" {
		at := t.start + h.subjectAt
		j.report(codeTitleFormat, at-1, at, "No space after the colon", diag.Edit{Start: at, End: at, Replacement: " "})
	}
	j.kind(t, h)
	j.scope(t, h)
	if strings.TrimSpace(h.subject) == "" {
		j.report(codeSubjectEmpty, t.start, t.end(), "The title has no subject")
		return
	}
	j.subject(h.subject, t.start+h.subjectAt, t.end())
}

func orNumber(n, def int) int {
	if n == 0 {
		return def
	}
	return n
}

// cutAt is the offset of the n-th character.
func cutAt(s string, n int) int {
	for i := range s {
		if n--; n < 0 {
			return i
		}
	}
	return len(s)
}

func (j *judge) kind(t mline, h header) {
	types := j.types()
	end := t.start + len(h.kind)
	if slices.Contains(types, h.kind) {
		return
	}
	if low := strings.ToLower(h.kind); low != h.kind {
		var fix []diag.Edit
		if slices.Contains(types, low) {
			fix = []diag.Edit{{Start: t.start, End: end, Replacement: low}}
		}
		j.report(codeTypeCase, t.start, end, fmt.Sprintf("The type %s is not in small letters", quote(h.kind)), fix...)
		if fix != nil {
			return
		}
	}
	j.report(codeTypeUnknown, t.start, end, fmt.Sprintf("The type %s is none of %s", quote(h.kind), strings.Join(types, ", ")))
}

func (j *judge) scope(t mline, h header) {
	if !h.scoped {
		return
	}
	start := t.start + len(h.kind) + 1
	end := start + len(h.scope)
	if strings.TrimSpace(h.scope) == "" {
		j.report(codeScope, start-1, end+1, "The scope is empty")
		return
	}
	if len(j.o.Scopes) == 0 {
		return
	}
	for s := range strings.FieldsFuncSeq(h.scope, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !slices.Contains(j.o.Scopes, s) {
			j.report(codeScope, start, end, fmt.Sprintf("The scope %s is none of %s", quote(s), strings.Join(j.o.Scopes, ", ")))
			return
		}
	}
}

func (j *judge) subject(s string, start, end int) {
	if strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "..") {
		var fix []diag.Edit
		if !strings.HasSuffix(s, "etc.") {
			fix = []diag.Edit{{Start: end - 1, End: end}}
		}
		j.report(codeFullStop, end-1, end, "The subject ends with a full stop", fix...)
		s = s[:len(s)-1]
	}
	if c := caseOf(s); c != "" {
		j.report(codeSubjectCase, start, end, "The subject is in "+c+" case")
	}
}

// caseOf names the case a subject must not be written in, or is "". What is
// not ASCII has no case, so that no language is held to the rules of another.
func caseOf(s string) string {
	words := strings.Fields(s)
	letters := strings.Map(func(r rune) rune {
		if isLetter(r) {
			return r
		}
		return -1
	}, s)
	switch {
	case s == "" || !isLetter(rune(s[0])) || !ascii(s):
		return ""
	case letters == strings.ToUpper(letters):
		return "upper"
	case len(words) == 1:
		if isPascal(s) {
			return "pascal"
		}
		return ""
	case isSentence(s):
		return "sentence"
	case isStart(words):
		return "start"
	}
	return ""
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// isPascal: one word of letters and digits that begins with a capital and has
// a small letter.
func isPascal(s string) bool {
	return s[0] >= 'A' && s[0] <= 'Z' && strings.IndexFunc(s, func(r rune) bool { return !isLetter(r) && (r < '0' || r > '9') }) < 0
}

// isSentence: a capital, then only small letters.
func isSentence(s string) bool {
	return s[0] >= 'A' && s[0] <= 'Z' && s[1:] == strings.ToLower(s[1:])
}

// isStart: each word begins with a capital and goes on in small letters.
func isStart(words []string) bool {
	for _, w := range words {
		if w[0] < 'A' || w[0] > 'Z' || w[1:] != strings.ToLower(w[1:]) {
			return false
		}
	}
	return true
}
