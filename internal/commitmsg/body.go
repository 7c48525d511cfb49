package commitmsg

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"poly/internal/diag"
)

// trailers are the tokens, in small letters, that a footer is known by, beside
// those that end in -by.
var trailers = []string{
	"refs", "ref", "fixes", "fix", "closes", "close", "resolves", "relates-to", "related-to", "see-also", "change-id", "cc", "link", "bug", "issue", "git-notes",
}

// isFooter reports whether a line is a footer beyond doubt.
func isFooter(line string) bool {
	token, rest, ok := strings.Cut(line, ":")
	if !ok {
		token, rest, ok = strings.Cut(line, " #")
		rest = " " + rest
	}
	if !ok || !strings.HasPrefix(rest, " ") {
		return false
	}
	if isBreaking(token) {
		return true
	}
	low := strings.ToLower(token)
	if strings.IndexFunc(token, func(r rune) bool { return r == '_' || !isWord(r) }) >= 0 {
		return false
	}
	return strings.HasSuffix(low, "-by") || slices.Contains(trailers, low)
}

func isBreaking(token string) bool { return token == "BREAKING CHANGE" || token == "BREAKING-CHANGE" }

// footers is the index of the first line of the footers, len(lines) if there
// are none: the last paragraph, if it begins with a footer or ends with some.
func (m *message) footers() int {
	n := len(m.lines)
	first := n
	for i := n - 1; i > 0; i-- {
		l := m.lines[i].text
		switch {
		case l == "":
			return first
		case isFooter(l):
			first = i
		case l[0] != ' ' && l[0] != '\t': // not the continuation of a footer
			return first
		}
	}
	return first
}

// bodyLines judges the lines below the title.
func (j *judge) bodyLines() {
	limit := orNumber(j.o.MaxBody, defaultMax)
	footers := j.message.footers()
	fenced := false
	for i, l := range j.message.lines {
		if strings.HasPrefix(strings.TrimLeft(l.text, " "), "```") {
			fenced = !fenced
		}
		n := utf8.RuneCountInString(l.text)
		if i == 0 || n <= limit || fenced || unbreakable(l.text, limit) {
			continue
		}
		code, what := codeBodyLength, "body"
		if i >= footers {
			code, what = codeFooterLength, "footer"
		}
		j.report(code, l.start+cutAt(l.text, limit), l.end(), fmt.Sprintf("A line of the %s has %d characters; at most %d are allowed", what, n, limit))
	}
}

// unbreakable reports whether nothing sensible can be done about a long line:
// it holds a URL, is code by its indent or a quotation, is a row of a table, names a
// person, or has a word that is too long itself.
func unbreakable(line string, limit int) bool {
	switch {
	case strings.Contains(line, "://"), strings.HasPrefix(line, "    "), strings.HasPrefix(line, "\t"), line[0] == '>', line[0] == '|':
		return true
	}
	if token, _, ok := strings.Cut(line, ":"); ok && strings.HasSuffix(strings.ToLower(token), "-by") {
		return true
	}
	return slices.ContainsFunc(strings.Fields(line), func(w string) bool { return utf8.RuneCountInString(w) > limit-20 })
}

// layout judges the blank lines, and whether there is a body.
func (j *judge) layout() {
	lines := j.message.lines
	footers := j.message.footers()
	if j.singleLine {
		for _, l := range lines[1:] {
			if l.text != "" {
				j.report(codeSingleLine, l.start, l.end(), "The message has more than one line")
				break
			}
		}
		return
	}
	if j.requireBody && !slices.ContainsFunc(lines[1:footers], func(l mline) bool { return strings.TrimSpace(l.text) != "" }) {
		j.report(codeBodyMissing, lines[0].start, lines[0].end(), "The message has no body")
	}
	if !j.conventional {
		return
	}
	if len(lines) > 1 && lines[1].text != "" {
		code, what := codeBodyBlank, "body"
		if footers == 1 {
			code, what = codeFooterBlank, "footer"
		}
		j.blankBefore(code, lines[1], "No blank line between the title and the "+what)
	}
	if footers > 1 && footers < len(lines) && lines[footers-1].text != "" {
		j.blankBefore(codeFooterBlank, lines[footers], "No blank line before the footers")
	}
}

func (j *judge) blankBefore(code string, l mline, title string) {
	j.report(code, l.start, l.end(), title, diag.Edit{Start: l.start, End: l.start, Replacement: "\n"})
}

// breaking judges the notes of breaking changes.
func (j *judge) breaking() {
	lines := j.message.lines
	for i, l := range lines[1:] {
		token, rest, ok := strings.Cut(l.text, ":")
		up := strings.ToUpper(token)
		if above := lines[i].text; !ok || !isBreaking(up) || above != "" && !isFooter(above) {
			continue // a line of prose that happens to begin so
		}
		if token != up {
			end := l.start + len(token)
			j.report(codeBreakingCase, l.start, end, quote(token)+" is not in capitals, so tools do not see it", diag.Edit{Start: l.start, End: end, Replacement: up})
		}
		following := i+2 < len(lines) && lines[i+2].text != "" && !isFooter(lines[i+2].text)
		if strings.TrimSpace(rest) == "" && !following {
			j.report(codeBreakingEmpty, l.start, l.end(), quote(up)+" does not say what breaks")
		}
	}
}
