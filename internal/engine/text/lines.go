package text

import (
	"bytes"

	"poly/internal/lang"
)

var (
	lf   = []byte("\n")
	crlf = []byte("\r\n")
	bom  = []byte("\xef\xbb\xbf")
)

// endings counts the line ends of a text.
type endings struct{ lf, crlf, cr int }

func countEndings(text []byte) endings {
	n := endings{crlf: bytes.Count(text, crlf), lf: bytes.Count(text, lf)}
	n.lf -= n.crlf
	n.cr = bytes.Count(text, []byte("\r")) - n.crlf
	return n
}

// most returns the line end that most lines have; LF if there are as many of each.
func (n endings) most() []byte {
	if n.crlf > n.lf {
		return crlf
	}
	return lf
}

// splitEnd splits a line as [bytes.Lines] yields it from its line end.
func splitEnd(line []byte) (body, end []byte) {
	body = bytes.TrimSuffix(line, lf)
	if len(body) < len(line) {
		body = bytes.TrimSuffix(body, []byte("\r"))
	}
	return body, line[len(body):]
}

// isPatch reports whether text is a diff: its blanks and endings belong to
// the files it patches.
func isPatch(l lang.ID, text []byte) bool {
	if l == "diff" {
		return true
	}
	head := text[:min(len(text), 64<<10)]
	for _, mark := range [...]string{"diff --git ", "diff -", "Index: ", "--- "} {
		i := lineStart(head, mark)
		if i < 0 {
			continue
		}
		if mark == "diff --git " || lineStart(head[i:], "+++ ") > 0 && lineStart(head[i:], "@@ -") > 0 || lineStart(head[i:], "*** ") > 0 {
			return true
		}
	}
	return false
}

// lineStart returns the offset of the first line that starts with prefix, or -1.
func lineStart(text []byte, prefix string) int {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(prefix))
		if i < 0 {
			return -1
		}
		i += from
		if i == 0 || text[i-1] == '\n' {
			return i
		}
		from = i + 1
	}
}

// trimmer tells line by line which blanks at a line's end may go. Its zero
// value with a language is ready for the first line.
type trimmer struct {
	lang      lang.ID
	continued bool // the line before ended with a backslash
	recipe    bool // makefile: the continued line is a recipe or an assignment
	define    bool // makefile: inside define ... endef
	keep      bool // makefile: .RECIPEPREFIX is set, so a recipe cannot be told
	heredoc   byte // dotenv: the quote that is open
}

// blanks returns how many bytes at the end of body, a line without its end,
// are blanks that mean nothing.
func (t *trimmer) blanks(body []byte) int {
	rest := bytes.TrimRight(body, " \t")
	n := len(body) - len(rest)
	switch t.lang {
	case lang.Make:
		if t.makefile(body) {
			n = 0
		}
	case "dotenv", "properties":
		if t.value(body) {
			n = 0
		}
	case lang.Markdown, lang.MDX:
		// Two blanks at the end of a line with text are a line break.
		if len(rest) > 0 && n >= 2 && bytes.HasSuffix(body, []byte("  ")) {
			n = 0
		}
	}
	// A blank after a backslash keeps it from escaping the line end or is
	// itself escaped; "-- " opens a mail signature.
	if bytes.HasSuffix(rest, []byte(`\`)) || string(body) == "-- " {
		return 0
	}
	return n
}

// makefile reports whether make may see the blanks at the end of a line: it
// keeps those of a value and hands those of a recipe to the shell.
func (t *trimmer) makefile(body []byte) bool {
	words := bytes.TrimLeft(bytes.TrimPrefix(body, bom), " ")
	inside := t.continued && t.recipe
	significant := inside || t.define || t.keep || bytes.HasPrefix(body, []byte("\t")) || bytes.ContainsRune(body, '=')
	switch {
	case t.continued:
	case bytes.HasPrefix(words, []byte("define ")):
		t.define = true
	case bytes.HasPrefix(words, []byte("endef")):
		t.define = false
	case bytes.HasPrefix(words, []byte(".RECIPEPREFIX")):
		t.keep = true
	}
	t.continued = bytes.HasSuffix(body, []byte(`\`))
	t.recipe = significant
	return significant
}

// value reports whether a line of a properties or dotenv file holds a value,
// whose blanks at the end its reader may keep.
func (t *trimmer) value(body []byte) bool {
	words := bytes.TrimLeft(bytes.TrimPrefix(body, bom), " \t")
	value := t.continued || len(words) > 0 && words[0] != '#' && words[0] != '!'
	if t.lang == "dotenv" {
		value = value || t.heredoc != 0
		t.quotes(body)
	}
	t.continued = value && bytes.HasSuffix(body, []byte(`\`))
	return value
}

// quotes follows the quotes of a dotenv file, whose values may span lines.
func (t *trimmer) quotes(body []byte) {
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case t.heredoc == 0 && c == '#' && len(bytes.TrimLeft(body[:i], " \t")) == 0:
			return
		case t.heredoc == 0 && (c == '"' || c == '\'' || c == '`'):
			t.heredoc = c
		case t.heredoc == '"' && c == '\\':
			i++
		case c == t.heredoc:
			t.heredoc = 0
		}
	}
}
