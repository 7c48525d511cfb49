package lang

import (
	"bytes"
	"regexp"
)

// strs tells what strings and comments look like in a language.
type strs struct {
	quotes string // bytes that open a string and close it
	escape bool   // backslash escapes the next byte, except inside '
	double bool   // a doubled quote stands for itself
	triple bool   // """ and '''
	line   []string
	block  bool // /* */
	erb    bool // "<%" is no operator
}

var (
	jsonStrings = strs{quotes: `"`, escape: true, line: []string{"//"}, block: true, erb: true}
	tomlStrings = strs{quotes: `"'`, escape: true, triple: true, line: []string{"#"}, erb: true}
	sqlStrings  = strs{quotes: `"'` + "`", double: true, block: true}
)

// findOutsideStrings returns the offset of the first mark that is in no string
// and no comment, or -1. In SQL the comments are searched too, since dbt puts
// dependencies there.
func findOutsideStrings(text []byte, l strs) int {
	for i := 0; i < len(text); {
		if n := l.skip(text[i:]); n > 0 {
			i += n
			continue
		}
		if (text[i] == '{' || text[i] == '<' && l.erb) && codeMark(text[i:]) && !dollar(text, i) {
			return i
		}
		i++
	}
	return -1
}

// codeMark is mark for data languages, where "{{" before a quoted key is an
// error of another kind.
func codeMark(s []byte) bool {
	if !mark(s) {
		return false
	}
	if s[1] != '{' {
		return true
	}
	inner := bytes.TrimLeft(s[2:], " \t\r\n")
	return len(inner) > 0 && (inner[0] != '"' || goAction(action(s)))
}

// skip returns the length of the string or comment that begins s, or 0.
func (l strs) skip(s []byte) int {
	for _, c := range l.line {
		if bytes.HasPrefix(s, []byte(c)) {
			if i := bytes.IndexByte(s, '\n'); i >= 0 {
				return i
			}
			return len(s)
		}
	}
	if l.block && bytes.HasPrefix(s, []byte("/*")) {
		return upTo(s, 2, "*/")
	}
	if bytes.IndexByte([]byte(l.quotes), s[0]) < 0 {
		return 0
	}
	if q := s[:1]; l.triple && bytes.HasPrefix(s, bytes.Repeat(q, 3)) {
		return upTo(s, 3, string(bytes.Repeat(q, 3)))
	}
	return l.str(s)
}

func upTo(s []byte, from int, closer string) int {
	if i := bytes.Index(s[from:], []byte(closer)); i >= 0 {
		return from + i + len(closer)
	}
	return len(s)
}

func (l strs) str(s []byte) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && l.escape && s[0] != '\'':
			i++
		case s[i] == s[0] && l.double && i+1 < len(s) && s[i+1] == s[0]:
			i++
		case s[i] == s[0]:
			return i + 1
		case s[i] == '\n' && l.escape:
			return i
		}
	}
	return len(s)
}

// lineMarks begin a line of a template in a language where they cannot begin
// a line otherwise.
var (
	lineMarks = lazy(`^\s*(\{%[-+]?\s*\w|\{\{[-#/>^!]|\{\{\s*(?:if|range|end|with|define|template|else)\b|<%[-=]?\s)`)
	xmlMarks  = lazy(`^\s*(\{%[-+]?\s*\w|\{\{[-#/>^!]|\{\{\s*(?:if|range|end|with|define|template|else)\b)|(<%[-=@#]?\s)`)
)

// lineMark returns the offset of the mark that begins a line, or -1.
func lineMark(line []byte) int {
	t := bytes.TrimLeft(line, "\t\n\f\r ")
	if len(t) < 2 || t[1] != '%' && t[1] != '{' || t[0] != '{' && t[0] != '<' {
		return -1 // the short way out of nearly all lines
	}
	if m := lineMarks().FindSubmatchIndex(line); m != nil {
		return m[2]
	}
	return -1
}

// findMarkedLine returns the offset of the first mark that begins a line, or -1.
func findMarkedLine(text []byte) int {
	at := 0
	for line := range bytes.Lines(text) {
		if i := lineMark(line); i >= 0 {
			return at + i
		}
		at += len(line)
	}
	return -1
}

// findLines returns the offset of the first mark a pattern finds in a line, or -1.
func findLines(text []byte, pattern *regexp.Regexp) int {
	at := 0
	for line := range bytes.Lines(text) {
		if m := pattern.FindSubmatchIndex(line); m != nil {
			return at + max(m[2], m[len(m)-2])
		}
		at += len(line)
	}
	return -1
}

// findFirstLine is for programming languages, whose strings may hold any
// template: only a file that begins with a tag is one.
func findFirstLine(text []byte) int {
	at := 0
	for line := range bytes.Lines(text) {
		t := bytes.TrimSpace(line)
		if len(t) > 0 && !bytes.HasPrefix(t, []byte("#!")) {
			if i := lineMark(line); i >= 0 {
				return at + i
			}
			return -1
		}
		at += len(line)
	}
	return -1
}

// htmlMarks: tags anywhere; blocks of Go and Handlebars; any mark inside a
// tag but outside its quoted values is found by bareInTag.
var (
	htmlMarks = lazy(`\{%[-+]?\s*\w+|<%|<\?php|\{\{-\s|\{\{[#/>^]|\{\{!(--|\s)|\{\{~|\{\{\s*(if|range|end|with|define|template|block|else)\b|\{\{\s*(\.[\w\s}|]|\$\.|\$\w+\s*(:?=|\}\}))|\{#\s|\{\{\s*cookiecutter\.`)
	bareInTag = lazy(`<[a-zA-Z][\w:-]*(\s+[\w:@.#*()\[\]-]+(\s*=\s*("[^"]*"|'[^']*'|[^\s"'>{]+))?)*\s*\{\{`)
	htmlCode  = lazy(`(?is)<(pre|code|textarea|xmp)\b[^>]*>.*?</(pre|code|textarea|xmp)\s*>|` +
		`<script\b[^>]*\stype\s*=\s*["']?\w+/[\w.-]*(template|tmpl|handlebars|html|mustache|jsrender|ejs)[^>]*>.*?</script\s*>`)
)

// findHTML looks outside <pre>, <code> and templates for scripts. Components have their own "{{ }}"
// and "{#if}", so only foreign tags count in them.
func findHTML(id ID, text []byte) int {
	blanked := blankOut(text, htmlCode())
	if id != HTML {
		return findLines(blanked, componentMarks())
	}
	at := -1
	if m := htmlMarks().FindIndex(blanked); m != nil {
		at = m[0]
	}
	if m := bareInTag().FindIndex(blanked); m != nil && (at < 0 || m[1]-2 < at) {
		at = m[1] - 2
	}
	return at
}

// findXML looks at line starts, and inside of tags outside of quoted values.
func findXML(text []byte) int {
	at := findLines(text, xmlMarks())
	if m := bareInTag().FindIndex(text); m != nil && (at < 0 || m[1]-2 < at) {
		at = m[1] - 2
	}
	return at
}

var componentMarks = lazy(`^\s*(\{%-?\s*\w+[^%]*%\})|(<%[-=]?\s)`)

// blankOut returns a copy of text with every match replaced by spaces.
func blankOut(text []byte, pattern *regexp.Regexp) []byte {
	all := pattern.FindAllIndex(text, -1)
	if len(all) == 0 {
		return text
	}
	out := bytes.Clone(text)
	for _, m := range all {
		for i := m[0]; i < m[1]; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	return out
}

// markdownMarks begin a line of prose. Hugo's shortcodes, {{< >}} and {{% %}},
// are part of its Markdown.
var markdownMarks = lazy(`^ {0,3}(\{%[-+]?\s*\w|\{\{[-#/>^!]|\{\{~|\{\{\s*(if|range|end|with|define|template|block|else)\b|<%[-=]?\s)|\{\{-?\s*cookiecutter\.`)

// findMarkdown looks outside code blocks.
func findMarkdown(id ID, text []byte) int {
	at, fence := 0, fence{}
	indented := true
	for line := range bytes.Lines(text) {
		skip := fence.line(line) || indented && isIndented(line) && id != MDX || id == "rst" && blank(line[0])
		if !skip {
			if i := markdownMark(line, id == "rst"); i >= 0 {
				return at + i
			}
		}
		indented = len(bytes.TrimSpace(line)) == 0 || indented && isIndented(line)
		at += len(line)
	}
	return -1
}

// markdownMark returns where a template's mark is in a line of prose, -1 if
// there is none. What stands in code is a mention, unless ticks mean something
// else.
func markdownMark(line []byte, ticks bool) int {
	m := markdownMarks().FindSubmatchIndex(line)
	if m == nil {
		return -1
	}
	if m[2] >= 0 {
		return m[2]
	}
	i := bytes.LastIndex(line[:m[1]], []byte("{{"))
	if !ticks && bytes.Count(line[:i], []byte("`"))%2 == 1 && bytes.IndexByte(line[i:], '`') >= 0 {
		return -1
	}
	return i
}

func isIndented(line []byte) bool {
	return bytes.HasPrefix(line, []byte("    ")) || bytes.HasPrefix(line, []byte("\t"))
}

// fence follows fenced code blocks, also in lists and quotes. The zero value
// is outside one.
type fence struct {
	char byte
	n    int
}

// line reports whether a line belongs to a fenced block, its fences included.
func (f *fence) line(line []byte) bool {
	t := bytes.TrimLeft(line, " \t>*+-0123456789.)")
	n := 0
	for n < len(t) && (t[0] == '`' || t[0] == '~') && t[n] == t[0] {
		n++
	}
	switch {
	case f.n == 0 && n >= 3 && (t[0] == '~' || bytes.IndexByte(t[n:], '`') < 0):
		f.char, f.n = t[0], n
		return true
	case f.n == 0:
		return false
	case n >= f.n && t[0] == f.char && len(bytes.TrimSpace(t[n:])) == 0:
		f.n = 0
	}
	return true
}

var (
	dockerLine = lazy(`(?i)^\s*(FROM|COPY|ADD|WORKDIR|USER|EXPOSE|VOLUME|MAINTAINER|ARG|STOPSIGNAL)\s[^#\n'"]*?(\{\{|\{%|<%|%%[A-Z][A-Z0-9_]*%%)`)
	dockerMark = lazy(`^\s*(\{\{|\{%|\{#|<%|%%[A-Z][A-Z0-9_]*%%)`)
	// cottleMark is told from what a shell may be given to print: it calls,
	// indexes, assigns, or goes on in the next line.
	cottleMark = lazy(`\{\{\s*(?:[A-Za-z]\w*[(\[]|(?:if|for|set|while|return|_)[\s(][^}\n]*(?::|\n)|\r?\n?$)`)
)

// findDockerfile looks at line starts and at instructions that run nothing.
func findDockerfile(text []byte) int {
	at := 0
	var doc heredoc
	for line := range bytes.Lines(text) {
		if !doc.line(line) {
			if m := dockerMark().FindSubmatchIndex(line); m != nil {
				return at + m[2]
			}
			if m := dockerLine().FindSubmatchIndex(line); m != nil && !dollar(line, m[4]) {
				return at + m[4]
			}
			if i := cottle(line); i >= 0 {
				return at + i
			}
		}
		at += len(line)
	}
	return -1
}

// cottle returns the offset of a mark of Cottle in a line of an
// instruction that may hold braces of other kinds, or -1.
func cottle(line []byte) int {
	if !bytes.Contains(line, []byte("{{")) || line[0] == '#' {
		return -1
	}
	m := cottleMark().FindIndex(line)
	if m == nil || dollar(line, m[0]) || bytes.Count(line[:m[0]], []byte("'"))%2 == 1 {
		return -1
	}
	return m[0]
}

// findShell looks at line starts outside here-documents.
func findShell(text []byte) int {
	at := 0
	var doc heredoc
	for line := range bytes.Lines(text) {
		if !doc.line(line) {
			if i := lineMark(line); i >= 0 {
				return at + i
			}
		}
		at += len(line)
	}
	return -1
}

var heredocStart = lazy(`<<-?\s*(?:\\?(\w+)|'([^']+)'|"([^"]+)")`)

// heredoc follows here-documents: the words that end those still open.
type heredoc struct{ ends []string }

// line reports whether a line is inside a here-document.
func (h *heredoc) line(line []byte) bool {
	if len(h.ends) > 0 {
		if string(bytes.TrimSpace(line)) == h.ends[0] {
			h.ends = h.ends[1:]
		}
		return true
	}
	if !bytes.Contains(line, []byte("<<")) || bytes.Contains(line, []byte("<<<")) {
		return false
	}
	for _, m := range heredocStart().FindAllSubmatch(line, -1) {
		h.ends = append(h.ends, string(m[1])+string(m[2])+string(m[3]))
	}
	return false
}
