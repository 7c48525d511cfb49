package editorconfig

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// maxDiags is more than anybody reads of one file.
const maxDiags = 500

var bom = []byte("\xef\xbb\xbf")

// checker follows the lines of one file.
type checker struct {
	src     engine.Source
	props   properties
	rules   engine.Selection
	info    lang.Info
	diags   []diag.Diagnostic
	tracker tracker
	off     bool // editorconfig-checker-disable
	next    bool // -disable-next-line: the line that follows
}

func lint(ctx context.Context, src engine.Source, p properties, rules engine.Selection) ([]diag.Diagnostic, error) {
	if bytes.IndexByte(src.Text, 0) >= 0 || src.Lang == "diff" {
		return nil, nil
	}
	first, _, _ := bytes.Cut(src.Text[:min(len(src.Text), 4096)], []byte("\n"))
	if len(src.Text) == 0 || bytes.Contains(first, []byte(directive+"disable-file")) {
		return nil, nil
	}
	c := checker{src: src, props: p, rules: rules, tracker: newTracker(src.Lang)}
	c.info, _ = lang.Lookup(src.Lang)
	c.whole()
	if !p.trim && p.style == "" && p.length == 0 {
		return c.diags, nil
	}
	at := 0
	for line := range bytes.Lines(src.Text) {
		if len(c.diags) >= maxDiags || ctx.Err() != nil {
			break
		}
		body := bytes.TrimRight(line, "\r\n")
		starts, ends := c.tracker.next(string(body))
		if !c.switchedOff(body) {
			c.line(body, at, starts, ends)
		}
		at += len(line)
	}
	return c.diags, ctx.Err()
}

func (c *checker) report(code string, start, end int, title string, fix ...diag.Edit) {
	if c.rules.Allows(code) {
		c.diags = append(c.diags, diag.Diagnostic{
			Engine: engineName, Code: code, Severity: diag.Warning, Title: title, Span: &diag.Span{Start: start, End: end}, Fix: fix,
		})
	}
}

// whole makes the checks of the file as a whole.
func (c *checker) whole() {
	text := c.src.Text
	switch marked := bytes.HasPrefix(text, bom); {
	case marked && c.props.charset == "utf-8":
		c.report(codeCharset, 0, 3, "utf-8 is without a byte order mark", diag.Edit{Start: 0, End: 3})
	case !marked && c.props.charset == "utf-8-bom":
		c.report(codeCharset, 0, 0, "utf-8-bom needs a byte order mark", diag.Edit{Replacement: string(bom)})
	}
	c.endings()
	if last := text[len(text)-1]; c.props.final && last != '\n' && last != '\r' {
		c.report(codeFinal, len(text), len(text), "No line end at the end of the file", diag.Edit{Start: len(text), End: len(text), Replacement: c.newline()})
	}
}

// newline is what a line ends with: as configured, else as the first one does.
func (c *checker) newline() string {
	if nl := map[string]string{"lf": "\n", "crlf": "\r\n", "cr": "\r"}[c.props.end]; nl != "" {
		return nl
	}
	if i := bytes.IndexByte(c.src.Text, '\n'); i > 0 && c.src.Text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// endings reports the first line end that is not as configured.
func (c *checker) endings() {
	want := c.newline()
	if c.props.end == "" || c.props.end == "lf" && bytes.IndexByte(c.src.Text, '\r') < 0 {
		return
	}
	var (
		fix        []diag.Edit
		start, end = -1, 0
	)
	for i := 0; i < len(c.src.Text); i++ {
		n := endAt(c.src.Text, i)
		if n == 0 {
			continue
		}
		if string(c.src.Text[i:i+n]) != want {
			if start < 0 {
				start, end = i, i+n
			}
			fix = append(fix, diag.Edit{Start: i, End: i + n, Replacement: want})
		}
		i += n - 1
	}
	if start < 0 {
		return
	}
	title := fmt.Sprintf("%d lines do not end with %s", len(fix), strings.ToUpper(c.props.end))
	if len(fix) == 1 {
		title = "A line does not end with " + strings.ToUpper(c.props.end)
	}
	if !c.info.Lines || lone(c.src.Text) {
		fix = nil
	}
	c.report(codeEnd, start, end, title, fix...)
}

// endAt returns the length of the line end at i: 0, 1 or 2.
func endAt(text []byte, i int) int {
	switch {
	case text[i] == '\n':
		return 1
	case text[i] != '\r':
		return 0
	case i+1 < len(text) && text[i+1] == '\n':
		return 2
	}
	return 1
}

const directive = "editorconfig-checker-"

// switchedOff obeys the comments of editorconfig-checker.
func (c *checker) switchedOff(line []byte) bool {
	if c.off && bytes.Contains(line, []byte(directive+"enable")) {
		c.off = false
	}
	if c.next {
		c.next = bytes.Contains(line, []byte(directive+"disable-next-line"))
		return true
	}
	if c.off {
		return true
	}
	i := bytes.Index(line, []byte(directive+"disable"))
	if i < 0 {
		return false
	}
	rest := line[i:]
	c.next = bytes.Contains(rest, []byte(directive+"disable-next-line"))
	if bytes.Contains(rest, []byte(directive+"disable-line")) {
		return true
	}
	c.off = !c.next
	return c.off
}

// line makes the checks of one line; starts and ends are the tracker's.
func (c *checker) line(body []byte, at int, starts, ends bool) {
	if c.props.trim && !ends {
		c.trailing(body, at)
	}
	if c.props.style != "" && !starts {
		c.indent(body, at)
	}
	if c.props.length > 0 && len(body) > c.props.length {
		c.length(body, at)
	}
}

func (c *checker) trailing(body []byte, at int) {
	rest := bytes.TrimRight(body, " \t")
	n := len(body) - len(rest)
	if n == 0 || string(body) == "-- " {
		return
	}
	switch c.src.Lang {
	case lang.Markdown, lang.MDX, "quarto":
		if len(rest) > 0 && n >= 2 && bytes.HasSuffix(body, []byte("  ")) {
			return
		}
	}
	start, end := at+len(rest), at+len(body)
	if c.info.Lines && !bytes.HasSuffix(rest, []byte(`\`)) {
		c.report(codeTrailing, start, end, "Trailing whitespace", diag.Edit{Start: start, End: end})
		return
	}
	c.report(codeTrailing, start, end, "Trailing whitespace")
}

// indent checks the blanks before a line.
func (c *checker) indent(body []byte, at int) {
	rest := bytes.TrimLeft(body, " \t")
	blanks := body[:len(body)-len(rest)]
	if len(blanks) == 0 || len(rest) == 0 || decided(c.src.Lang) {
		return
	}
	tab := bytes.IndexByte(blanks, '\t')
	if c.props.style == "tab" {
		if blanks[0] == ' ' && len(blanks) > 1 && !prose(c.src.Lang) {
			c.report(codeStyle, at, at+len(blanks), "Indented with blanks instead of tabs")
		}
		return
	}
	if tab >= 0 {
		if c.src.Lang != lang.Make || tab > 0 {
			c.report(codeStyle, at, at+len(blanks), "Indented with tabs instead of blanks")
		}
		return
	}
	if n, size := len(blanks), c.props.size; size > 0 && n%size != 0 && (rest[0] != '*' || n%size != 1) {
		c.report(codeSize, at, at+n, fmt.Sprintf("Indented by %d blanks, which is no multiple of %d", n, size))
	}
}

// decided: the language's own tool decides the layout.
func decided(l lang.ID) bool { return l == lang.Go || l == "gomod" || l == "tsv" || l == "templ" }

// prose: indentation belongs to lists and code, and is counted in blanks; YAML
// allows no tabs.
func prose(l lang.ID) bool {
	in, ok := lang.Lookup(l)
	return ok && in.Prose || l == lang.YAML || l == lang.Make
}

func (c *checker) length(body []byte, at int) {
	n, limit := 0, -1
	for i := 0; i < len(body); n++ {
		if n == c.props.length {
			limit = i
		}
		r, size := utf8.DecodeRune(body[i:])
		if r == '\ufeff' && i == 0 && at == 0 {
			n--
		}
		i += size
	}
	// What cannot be broken is no fault.
	if n <= c.props.length || limit < 0 || oneWord(body, limit) {
		return
	}
	c.report(codeLength, at+limit, at+len(body), fmt.Sprintf("The line has %d characters, more than %d", n, c.props.length))
}

// oneWord reports whether the limit at i falls into the last word of a line
// that has at most one short word before it, or into an address.
func oneWord(body []byte, i int) bool {
	start := bytes.LastIndexAny(body[:i], " \t") + 1
	word, _, more := bytes.Cut(bytes.TrimSpace(body[start:]), []byte(" "))
	if bytes.Contains(word, []byte("://")) {
		return true
	}
	before := bytes.Fields(body[:start])
	return !more && (len(before) == 0 || len(before) == 1 && len(before[0]) <= 3)
}
