package commitmsg

import (
	"bytes"
	"slices"
	"strings"
)

// Git is what decides how git reads the file of a message. The zero value is
// git without settings, after the user edited the file.
type Git struct {
	// Comment is core.commentString (core.commentChar): what comments begin
	// with; "": "#". "auto" stands for whatever git chose for this file.
	Comment string
	// Cleanup is commit.cleanup or git's --cleanup: strip, whitespace,
	// verbatim, scissors; "" or default: by Unedited.
	Cleanup string
	// Unedited: git opened no editor (commit -m, -F, -C), so that lines like
	// comments are part of the message.
	Unedited bool
	// Merging: git is about to record a merge.
	Merging bool
}

// scissorsRule follows the comment string on the line below which git drops
// everything.
var scissorsRule = " " + strings.Repeat("-", 24) + " >8 " + strings.Repeat("-", 24)

// autoComments are the characters git chooses from if core.commentChar is auto.
const autoComments = "#;@!$%^&|:"

// row is a line of the file.
type row struct {
	start, end, next int // end is before the line end, next after it
	comment          bool
}

// mline is a line of the message: text is what git keeps of it.
type mline struct {
	text  string
	start int // offset in the file
}

func (l mline) end() int { return l.start + len(l.text) }

// message is a file split into what git keeps and what it drops.
type message struct {
	text     []byte
	start    int   // offset of the first line: behind a byte order mark
	rows     []row // above the scissors
	tail     int   // offset from where on everything is dropped
	verbatim bool
	// lines are those git keeps: without comments, blanks at line ends, blank
	// lines at both ends, or a second blank line in a row. With verbatim, all.
	lines []mline
}

// String is the message as git keeps it, without a final line end.
func (m *message) String() string {
	var b strings.Builder
	for i, l := range m.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.text)
	}
	return b.String()
}

// span turns offsets in String into offsets in the file.
func (m *message) span(from, to int) (start, end int) {
	return m.offset(from), m.offset(to)
}

func (m *message) offset(at int) int {
	for _, l := range m.lines {
		if at <= len(l.text) {
			return l.start + at
		}
		at -= len(l.text) + 1
	}
	return m.tail
}

var bom = []byte("\xef\xbb\xbf")

// parse splits a file as git g is going to.
func parse(text []byte, g Git) *message {
	m := &message{text: text, tail: len(text)}
	if bytes.HasPrefix(text, bom) {
		m.start = len(bom)
	}
	for at := m.start; at < len(text); {
		r := row{start: at, end: len(text), next: len(text)}
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			r.end, r.next = at+i, at+i+1
		}
		at = r.next
		m.rows = append(m.rows, r)
	}
	comment := m.cut(g.Comment)
	m.verbatim = g.Cleanup == "verbatim"
	m.mark(comment, g)
	m.keep()
	return m
}

// cut drops what follows the scissors and returns what comments begin with.
func (m *message) cut(comment string) string {
	auto := comment == "auto"
	if comment == "" || auto {
		comment = "#"
	}
	for i, r := range m.rows {
		line := string(bytes.TrimRight(m.text[r.start:r.end], "\r"))
		before, ok := strings.CutSuffix(line, scissorsRule)
		if !ok || before != comment && (!auto || len(before) != 1 || !strings.Contains(autoComments, before)) {
			continue
		}
		m.rows, m.tail = m.rows[:i], r.start
		return before
	}
	if auto {
		return m.chosen()
	}
	return comment
}

// chosen is the character that git chose for comments: the one its own notes
// at the end begin with.
func (m *message) chosen() string {
	for _, r := range slices.Backward(m.rows) {
		line := m.text[r.start:r.end]
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if strings.IndexByte(autoComments, line[0]) >= 0 {
			return string(line[:1])
		}
		break
	}
	return "#"
}

// mark finds the lines git drops as comments.
func (m *message) mark(comment string, g Git) {
	is := func(r row) bool { return bytes.HasPrefix(m.text[r.start:r.end], []byte(comment)) }
	switch {
	case g.Cleanup == "strip", (g.Cleanup == "" || g.Cleanup == "default") && !g.Unedited:
		for i := range m.rows {
			m.rows[i].comment = is(m.rows[i])
		}
	default:
		// Git keeps such lines, but a hook that was not told of --cleanup, or of an
		// editor that does nothing, must not take git's notes for the user's text:
		// they are the last lines, below the message.
		m.markNotes(is)
	}
}

// markNotes marks the comments at the end of the file that follow a blank line.
func (m *message) markNotes(is func(row) bool) {
	last := len(m.rows)
	for last > 0 && (is(m.rows[last-1]) || m.blank(m.rows[last-1])) {
		last--
	}
	if last == 0 || last == len(m.rows) || !m.blank(m.rows[last]) {
		return // nothing else, no notes, or part of the last paragraph
	}
	for i := last; i < len(m.rows); i++ {
		m.rows[i].comment = is(m.rows[i])
	}
}

func (m *message) blank(r row) bool { return len(bytes.TrimSpace(m.text[r.start:r.end])) == 0 }

// keep fills lines.
func (m *message) keep() {
	blank := true // so are dropped those at the beginning
	for _, r := range m.rows {
		if r.comment {
			continue
		}
		line := string(m.text[r.start:r.end])
		if !m.verbatim {
			line = strings.TrimRight(line, " \t\r\f\v")
		} else {
			line = strings.TrimSuffix(line, "\r")
		}
		if line == "" && blank && !m.verbatim {
			continue
		}
		blank = line == ""
		m.lines = append(m.lines, mline{line, r.start})
	}
	for len(m.lines) > 0 && strings.TrimSpace(m.lines[len(m.lines)-1].text) == "" {
		m.lines = m.lines[:len(m.lines)-1]
	}
	for len(m.lines) > 0 && strings.TrimSpace(m.lines[0].text) == "" {
		m.lines = m.lines[1:]
	}
}

// Settings tells how git reads the file of a message from what it told a hook:
// get looks settings up in git's configuration, editor is GIT_EDITOR.
func Settings(get func(key string) (string, bool), editor string) Git {
	g := Git{Unedited: editor == ":"} // so git says that it opened no editor
	for _, key := range [...]string{"core.commentChar", "core.commentString"} {
		if v, ok := get(key); ok {
			g.Comment = v
		}
	}
	g.Cleanup, _ = get("commit.cleanup")
	return g
}
