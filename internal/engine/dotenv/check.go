package dotenv

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"poly/internal/diag"
)

// maxDiags is more than anybody reads.
const maxDiags = 2000

// checker collects the diagnostics of one file, entry by entry.
type checker struct {
	text  []byte
	diags []diag.Diagnostic
	off   []string        // codes that a comment switched off
	seen  map[string]bool // keys
	group []string        // keys of the group so far, in order
	empty bool            // the entry before was blank

	ordered bool // the order of keys is looked at
}

func (c *checker) report(e *entry, code string, sev diag.Severity, start, end int, title string, fix ...diag.Edit) {
	if slices.Contains(c.off, code) || len(c.diags) >= maxDiags {
		return
	}
	d := diag.Diagnostic{Engine: engineName, Code: code, Severity: sev, Title: title, Fix: fix}
	if end-start > 1 && start < e.start+len(e.raw) { // one line of a long value says enough
		if nl := strings.IndexByte(string(c.text[start:end]), '\n'); nl > 0 {
			end = start + nl
		}
	}
	d.Span = &diag.Span{Start: start, End: end}
	c.diags = append(c.diags, d)
}

func (c *checker) entry(e *entry) {
	c.control(e)
	if e.last {
		c.report(e, codeEnding, diag.Hint, e.end, e.end, "No line end at the end of the file",
			diag.Edit{Start: e.end, End: e.end, Replacement: c.lineEnd()})
	}
	c.blankLine(e)
	if !e.comment() {
		c.whole(e)
	}
	if key, ok := e.key(); ok {
		c.keyed(e, key)
		c.valued(e, key)
	}
	if c.ordered {
		c.order(e)
	}
}

// lineEnd is the ending of the first line.
func (c *checker) lineEnd() string {
	if first, _, ok := strings.Cut(string(c.text[:min(len(c.text), 4096)]), "\n"); ok && strings.HasSuffix(first, "\r") {
		return "\r\n"
	}
	return "\n"
}

// control obeys "# dotenv-linter:off Check, Check" and its opposite.
func (c *checker) control(e *entry) {
	if !e.comment() {
		return
	}
	rest, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimSpace(e.raw)[1:]), "dotenv-linter:")
	words := strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
	if !ok || len(words) == 0 || words[0] != "on" && words[0] != "off" {
		return
	}
	for _, w := range words[1:] {
		code := kebab(w)
		if c.off = slices.DeleteFunc(c.off, func(o string) bool { return o == code }); words[0] == "off" {
			c.off = append(c.off, code)
		}
	}
}

// kebab writes DuplicatedKey as duplicated-key.
func kebab(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func (c *checker) blankLine(e *entry) {
	if !e.blank() {
		c.empty = false
		return
	}
	if c.empty {
		start, end := e.start, e.next
		if start == end { // behind the last line end: the line before is too many
			start--
			if start > 0 && c.text[start-1] == '\r' {
				start--
			}
		}
		c.report(e, codeExtra, diag.Hint, start, end, "Another blank line", diag.Edit{Start: start, End: end})
	}
	c.empty = true
}

// whole makes the checks that look at a line as it stands.
func (c *checker) whole(e *entry) {
	if !e.blank() && !strings.Contains(e.raw, "=") {
		c.report(e, codeNoValue, diag.Warning, e.start, e.end, fmt.Sprintf("%q has no value and no equal sign", short(strings.TrimSpace(e.raw))))
	}
	if first, size := utf8.DecodeRuneInString(e.raw); !e.blank() && first != '_' && !unicode.IsLetter(first) {
		n := len(e.raw) - len(strings.TrimLeft(e.raw, " \t"))
		var fix []diag.Edit
		if rest, _ := utf8.DecodeRuneInString(e.raw[n:]); n > 0 && (rest == '_' || unicode.IsLetter(rest)) {
			fix = []diag.Edit{{Start: e.start, End: e.start + n}}
		}
		c.report(e, codeLeading, diag.Warning, e.start, e.start+max(n, size), "A key cannot start with this", fix...)
	}
	if strings.HasSuffix(e.raw, " ") {
		c.trailing(e)
	}
	if parts := strings.Split(e.raw, "="); len(parts) == 2 && (strings.HasSuffix(parts[0], " ") || strings.HasPrefix(parts[1], " ")) {
		at := e.start + len(parts[0])
		start := at - len(parts[0]) + len(strings.TrimRight(parts[0], " \t"))
		end := at + 1 + len(parts[1]) - len(strings.TrimLeft(parts[1], " \t"))
		c.report(e, codeSpace, diag.Warning, start, end, "Blank beside the equal sign", diag.Edit{Start: start, End: end, Replacement: "="})
	}
}

func (c *checker) trailing(e *entry) {
	n := len(e.raw) - len(strings.TrimRight(e.raw, " \t"))
	d := diag.Edit{Start: e.end - n, End: e.end}
	if e.blank() {
		c.report(e, codeTrailing, diag.Info, d.Start, d.End, "Trailing whitespace", d)
		return
	}
	c.report(e, codeTrailing, diag.Info, d.Start, d.End, "Trailing whitespace")
}

// short makes a text fit into a title.
func short(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s[:min(len(s), 44)])
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "..."
	}
	return s
}

// keyed makes the checks of a key.
func (c *checker) keyed(e *entry, key string) {
	start := e.start + max(strings.Index(e.raw, key), 0)
	end := start + len(key)
	if c.seen[key] {
		c.report(e, codeDuplicate, diag.Warning, start, end, fmt.Sprintf("%s is set twice", short(key)))
	} else if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[key] = true
	clean := strings.TrimLeftFunc(key, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) })
	if strings.ContainsFunc(strings.TrimSpace(clean), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		c.report(e, codeDelimiter, diag.Warning, start, end, fmt.Sprintf("%q is no name of a variable", short(key)))
	}
	if strings.ToUpper(key) != key {
		c.report(e, codeLower, diag.Info, start, end, fmt.Sprintf("%s should be in capitals", short(key)))
	}
}

// valued makes the checks of a value.
func (c *checker) valued(e *entry, key string) {
	value := e.value()
	end := e.end
	start := end - min(len(strings.TrimSpace(value)), len(e.raw))
	blanks := strings.ContainsFunc(value, unicode.IsSpace)
	if strings.ContainsAny(value, `"'`) && !blanks && !strings.ContainsAny(value, "$#&=") && !strings.Contains(value, `\n`) {
		c.report(e, codeQuotes, diag.Info, start, end, "The value needs no quotes")
	}
	if v := strings.TrimSpace(value); strings.ContainsFunc(v, unicode.IsSpace) && !quoted(v, '"') && !quoted(v, '\'') {
		c.report(e, codeUnquoted, diag.Info, e.start+strings.Index(e.raw, "=")+1, end, "A value with blanks needs quotes")
	}
	if badReference(strings.TrimSpace(value)) {
		c.report(e, codeSubst, diag.Warning, e.start, end, fmt.Sprintf("A reference in the value of %s is malformed", short(key)))
	}
}

func quoted(v string, q byte) bool { return v[0] == q && v[len(v)-1] == q }

// badReference reports whether a value has a reference with one brace only, or
// with something in its braces that is no name.
func badReference(value string) bool {
	if strings.HasPrefix(value, "'") {
		return false
	}
	for {
		at := strings.IndexByte(value, '$')
		if at < 0 {
			return false
		}
		before, rest := value[:at], value[at+1:]
		name := rest
		if next := strings.IndexByte(rest, '$'); next >= 0 {
			name, rest = rest[:next], rest[next:]
		} else {
			rest = ""
		}
		closing := strings.IndexByte(name, '}')
		bad := strings.HasPrefix(name, "{") != (closing >= 0)
		if closing > 0 && strings.ContainsFunc(name[1:closing], notName) {
			bad = true
		}
		if bad && !escaped(before) {
			return true
		}
		value = rest
	}
}

func notName(r rune) bool {
	return r != '_' && !('0' <= r && r <= '9') && !('a' <= r && r <= 'z') && !('A' <= r && r <= 'Z')
}
