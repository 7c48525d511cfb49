// Package markup judges what a formatter did to HTML, Vue, Svelte, Astro and
// XML: whether a browser, a compiler or a parser finds the same in it.
//
// Compared are the tags in their order with their attributes, the text, the
// comments, and what stands in scripts, styles and expressions by the guards of
// their languages. Blanks between words are one, as CSS collapses them; beside
// the tags of elements that stand on lines of their own there are none. In pre
// and textarea blanks count. In XML text counts byte for byte, but for blanks
// between elements of a parent that has no other text.
package markup

import (
	"bytes"
	"unicode/utf8"

	"poly/internal/guard"
)

// Dialect is the language of a text.
type Dialect uint8

// The dialects.
const (
	HTML Dialect = iota
	Vue
	Svelte
	Astro
	XML
)

// Same returns nil if after means what before means: see the package guard.
func Same(before, after []byte, d Dialect) error {
	if bytes.Equal(before, after) {
		return nil
	}
	b := read(before, d)
	if b.bad != "" {
		return &guard.CannotJudge{Line: guard.Line(before, b.badAt), Reason: b.bad}
	}
	a := read(after, d)
	if a.bad != "" {
		return &guard.Broken{Line: guard.Line(after, a.badAt), Reason: a.bad}
	}
	if err := compare(b.src, b.events, a.src, a.events); err != nil {
		return err
	}
	return compare(b.src, b.comments, a.src, a.comments)
}

func compare(before []byte, was []event, after []byte, is []event) error {
	for i := range max(len(was), len(is)) {
		switch {
		case i >= len(was):
			return guard.Differ("the end", before, len(before), after, is[i].at)
		case i >= len(is):
			return guard.Differ(was[i].what.String(), before, was[i].at, after, len(after))
		}
		x, y := &was[i], &is[i]
		if x.what != y.what || x.detail != y.detail {
			return guard.Differ(x.what.String(), before, x.at, after, y.at)
		}
		if !bytes.Equal(x.text, y.text) && !sameCode(x, y) {
			return guard.Differ(x.what.String(), before, x.at, after, y.at)
		}
	}
	return nil
}

type what uint8

const (
	text what = iota
	openTag
	closeTag
	attribute
	comment
	declaration
	code
)

func (w what) String() string {
	return [...]string{"text", "a tag", "the end of an element", "an attribute", "a comment", "a declaration", "code"}[w]
}

// event is a piece of a text.
type event struct {
	what   what
	lang   lang
	at     int
	detail int    // of a comment how much text came before it
	text   []byte // canonical, or code as it stands
}

// reader writes a text down as events.
type reader struct {
	src      []byte
	dialect  Dialect
	pos      int
	events   []event
	comments []event
	run      []byte // text since the last event
	runAt    int
	edge     bool     // the last event is the tag of an element on lines of its own
	written  int      // bytes of text and tags so far
	pre      int      // open elements that show their blanks
	open     [][]byte // elements of Vue
	frames   []frame  // of XML
	bad      string
	badAt    int
}

func (r *reader) fail(at int, reason string) {
	if r.bad == "" {
		r.bad, r.badAt = reason, at
	}
	r.pos = len(r.src)
}

func (r *reader) has(prefix string) bool { return bytes.HasPrefix(r.src[r.pos:], []byte(prefix)) }

// until returns the offset behind the next end, from an offset on; fails if
// there is none.
func (r *reader) until(from int, end string) int {
	i := -1
	if from <= len(r.src) {
		i = bytes.Index(r.src[from:], []byte(end))
	}
	if i < 0 {
		r.fail(r.pos, "`"+end+"` does not come")
		return len(r.src)
	}
	return from + i + len(end)
}

func read(src []byte, d Dialect) *reader {
	r := &reader{src: src, dialect: d, edge: true}
	if !utf8.Valid(src) {
		r.bad = "the text is not UTF-8"
		return r
	}
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		r.pos = len("\ufeff")
	}
	if d == XML {
		r.frames = []frame{{}}
	}
	if d == Astro {
		r.frontMatter()
	}
	for r.pos < len(src) && r.bad == "" {
		r.node()
	}
	r.flush(true)
	if d == XML && r.bad == "" {
		if len(r.frames) > 1 {
			r.fail(len(src), "an element that does not end")
			return r
		}
		r.closeFrame()
		r.forget()
	}
	return r
}

// node reads a piece of text, a tag, a comment, a declaration or an expression.
func (r *reader) node() {
	switch b := r.src[r.pos]; {
	case b == '<':
		r.angle()
	case b == '{' && (r.dialect == Svelte || r.dialect == Astro):
		r.expression()
	case b == '{' && r.dialect == Vue && r.has("{{") && r.pre == 0:
		start := r.pos
		r.pos = r.until(start, "}}")
		if r.bad == "" {
			r.inline(event{what: code, lang: expression, at: start, text: r.src[start+2 : r.pos-2]})
		}
	default:
		r.char()
	}
}

// char adds a byte of text.
func (r *reader) char() {
	if len(r.run) == 0 {
		r.runAt = r.pos
	}
	r.run = append(r.run, r.src[r.pos])
	if !isSpace(r.src[r.pos]) {
		r.written++
	}
	r.pos++
}

// inline adds an event that stands in a line of text.
func (r *reader) inline(e event) {
	r.flush(false)
	r.events = append(r.events, e)
	r.written++
}

// flush makes an event of the text so far. edge: an element on lines of its own
// starts or ends here.
func (r *reader) flush(edge bool) {
	run := r.run
	r.run = nil
	switch {
	case r.dialect == XML:
		r.xmlText(run)
	case r.pre > 0:
		r.put(bytes.ReplaceAll(run, []byte("\r\n"), []byte("\n")))
	default:
		run = collapse(run)
		if r.edge {
			run = bytes.TrimLeft(run, " ")
		}
		if edge {
			run = bytes.TrimRight(run, " ")
		}
		r.put(run)
	}
	if len(run) > 0 || edge {
		r.edge = edge
	}
}

func (r *reader) put(text_ []byte) {
	if len(text_) > 0 {
		r.events = append(r.events, event{what: text, at: r.runAt, text: text_})
	}
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f' }

// collapse makes one blank of many.
func collapse(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, b := range text {
		if !isSpace(b) {
			out = append(out, b)
		} else if n := len(out); n == 0 || out[n-1] != ' ' {
			out = append(out, ' ')
		}
	}
	return out
}
