package xml

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// fault is the first thing that is wrong with a file.
type fault struct {
	start, end int
	title      string
	help       string
}

// reader reads one document. The first fault ends it: it is thrown by panic
// and caught by run.
type reader struct {
	src      []byte
	at       int
	fault    *fault
	prefixes []prefix // without a namespace

	open     []element
	spaces   []string // prefixes declared by the open elements, innermost last
	entities map[string]*entity
	version  string
	alone    bool // standalone="yes"
	outside  bool // a DTD outside of the file may declare more
	depth    int  // of entities in entities
	attlists bool // the internal subset declares attributes
}

// element is one that is open.
type element struct {
	name   string
	start  int
	spaces int // how many prefixes were declared before it
}

type prefix struct {
	name  string
	start int
}

func (r *reader) run() {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *fault:
			r.fault = v
		default:
			panic(v)
		}
		if r.outside || r.attlists {
			r.prefixes = nil
		}
	}()
	if r.has(mark) {
		r.at += len(mark)
	}
	r.declaration()
	r.misc(true)
	if !r.has("<") {
		r.noRoot()
	}
	r.root()
	r.misc(false)
	if r.at < len(r.src) {
		r.trailing()
	}
}

func (r *reader) noRoot() {
	if r.at >= len(r.src) {
		r.fail(r.at, r.at, "No element in the file", "")
	}
	r.fail(r.at, r.at+r.width(), "Text before the first element", "")
}

func (r *reader) trailing() {
	if r.has("<") {
		r.fail(r.at, r.at+1, "More than one root element", "A document is one element, with comments and processing instructions around it.")
	}
	r.fail(r.at, r.at+r.width(), "Text after the root element", "")
}

func (r *reader) has(s string) bool {
	return len(r.src)-r.at >= len(s) && string(r.src[r.at:r.at+len(s)]) == s
}

func (r *reader) accept(s string) bool {
	if !r.has(s) {
		return false
	}
	r.at += len(s)
	return true
}

// width is that of the character here, 0 at the end.
func (r *reader) width() int {
	if r.at >= len(r.src) {
		return 0
	}
	_, n := utf8.DecodeRune(r.src[r.at:])
	return n
}

// blanks skips white space and tells whether there was any.
func (r *reader) blanks() bool {
	start := r.at
	for r.at < len(r.src) && isSpace(r.src[r.at]) {
		r.at++
	}
	return r.at > start
}

func (r *reader) fail(start, end int, title, help string) {
	end = min(end, len(r.src))
	panic(&fault{start: min(start, end), end: end, title: title, help: help})
}

// unexpected fails with what stands here.
func (r *reader) unexpected(want string) {
	if r.at >= len(r.src) {
		r.fail(r.at, r.at, "Unexpected end of file, expected "+want, r.openHelp())
	}
	n := r.width()
	r.fail(r.at, r.at+n, "Unexpected "+quote(r.src[r.at:r.at+n])+", expected "+want, "")
}

func quote(text []byte) string {
	if c := text[0]; c < ' ' {
		switch c {
		case '\n', '\r':
			return "end of line"
		case '\t':
			return "tab"
		}
		return fmt.Sprintf("control character U+%04X", c)
	}
	return "'" + string(text) + "'"
}

// openHelp names the element that is still open.
func (r *reader) openHelp() string {
	if len(r.open) == 0 {
		return ""
	}
	e := r.open[len(r.open)-1]
	return fmt.Sprintf("<%s> of line %d is open.", e.name, r.line(e.start))
}

func (r *reader) line(at int) int { return 1 + bytes.Count(r.src[:at], []byte{'\n'}) }

// word reads a name; what says what it names.
func (r *reader) word(what string) string {
	start := r.at
	for r.at < len(r.src) {
		c, n := rune(r.src[r.at]), 1
		if c >= utf8.RuneSelf {
			c, n = utf8.DecodeRune(r.src[r.at:])
		}
		if r.at == start && !isNameStart(c) || !isNameChar(c) {
			break
		}
		r.at += n
	}
	if r.at == start {
		r.unexpected(what)
	}
	return string(r.src[start:r.at])
}

// chars checks the characters of a text that ends before end.
func (r *reader) chars(end int) {
	for i := r.at; i < end; {
		c := r.src[i]
		if c >= ' ' && c < utf8.RuneSelf || c == '\n' || c == '\t' || c == '\r' {
			i++
			continue
		}
		ru, n := utf8.DecodeRune(r.src[i:])
		if !isChar(ru) {
			r.fail(i, i+n, fmt.Sprintf("Character U+%04X is not allowed in XML", ru), "")
		}
		i += n
	}
	r.at = end
}

// until reads up to closing and over it. start is where the construct began.
func (r *reader) until(closing, what string, start int) (text []byte) {
	i := bytes.Index(r.src[r.at:], []byte(closing))
	if i < 0 {
		r.fail(start, r.at, what+" is never closed", "It ends with "+closing)
	}
	text = r.src[r.at : r.at+i]
	r.chars(r.at + i)
	r.at += len(closing)
	return text
}

// declaration reads <?xml ... ?>.
func (r *reader) declaration() {
	start := r.at
	if !r.has("<?xml") || r.at+5 >= len(r.src) || !isSpace(r.src[r.at+5]) {
		return
	}
	r.at += len("<?xml")
	order := 0
	for {
		spaced := r.blanks()
		if r.accept("?>") {
			break
		}
		if !spaced {
			r.unexpected("'?>'")
		}
		key := r.at
		attribute := r.word("'?>'")
		i := strings.Index(" version encoding standalone ", " "+attribute+" ")
		if i < 0 || i < order || order == 0 && attribute != "version" {
			r.fail(key, r.at, "Unexpected "+attribute+" in the XML declaration", "It holds version, encoding and standalone, in this order.")
		}
		order = i + 1
		r.equals()
		valueAt := r.at
		value := string(r.literal())
		if !validDeclared(attribute, value) {
			r.fail(valueAt, r.at, "Bad "+attribute+" in the XML declaration", "")
		}
		switch attribute {
		case "version":
			r.version = value
		case "standalone":
			r.alone = value == "yes"
		}
	}
	if order == 0 {
		r.fail(start, r.at, "XML declaration without a version", "")
	}
}

func validDeclared(attribute, value string) bool {
	switch attribute {
	case "version":
		minor, ok := strings.CutPrefix(value, "1.")
		return ok && minor != "" && strings.Trim(minor, "0123456789") == ""
	case "standalone":
		return value == "yes" || value == "no"
	}
	bare := strings.ToLower(value)
	return bare != "" && 'a' <= bare[0] && bare[0] <= 'z' && strings.Trim(bare, "abcdefghijklmnopqrstuvwxyz0123456789._-") == ""
}

func (r *reader) equals() {
	r.blanks()
	if !r.accept("=") {
		r.unexpected("'='")
	}
	r.blanks()
}

// literal reads a quoted text as it stands.
func (r *reader) literal() []byte {
	start := r.at
	if !r.has(`"`) && !r.has("'") {
		r.unexpected("a quotation mark")
	}
	closing := string(r.src[r.at])
	r.at++
	return r.until(closing, "Quotation", start)
}

// misc reads what may stand around the root element.
func (r *reader) misc(prolog bool) {
	for {
		r.blanks()
		start := r.at
		switch {
		case r.accept("<!--"):
			r.comment(start)
		case r.accept("<?"):
			r.instruction(start)
		case prolog && r.accept("<!DOCTYPE"):
			r.doctype(start)
			r.misc(false)
			return
		case r.has("<!DOCTYPE"), r.has("<!doctype"):
			r.fail(start, start+len("<!DOCTYPE"), "DOCTYPE does not belong here", "It is written in capitals, once, before the root element.")
		default:
			return
		}
	}
}

func (r *reader) comment(start int) {
	i := bytes.Index(r.src[r.at:], []byte("--"))
	if i < 0 {
		r.fail(start, r.at, "Comment is never closed", "It ends with -->")
	}
	r.chars(r.at + i)
	if !r.accept("-->") {
		r.fail(r.at, r.at+2, "'--' in a comment", "Only the end of a comment may have it.")
	}
}

func (r *reader) instruction(start int) {
	target := r.word("the target of a processing instruction")
	if strings.EqualFold(target, "xml") {
		help := "The XML declaration is the very start of a file, without blanks or lines before it."
		r.fail(start, r.at, "XML declaration is not at the start of the file", help)
	}
	if r.accept("?>") {
		return
	}
	if !r.blanks() {
		r.unexpected("'?>'")
	}
	r.until("?>", "Processing instruction", start)
}
