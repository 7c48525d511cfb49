package xml

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// root reads an element, to its end.
func (r *reader) root() {
	start := r.at
	r.at++ // the bracket
	if r.has("/") {
		r.fail(start, r.at+1, "End tag without a start", "")
	}
	r.startTag(start)
	for len(r.open) > 0 {
		start := r.at
		switch {
		case r.at >= len(r.src):
			e := r.open[len(r.open)-1]
			r.fail(e.start, e.start+1+len(e.name), "<"+e.name+"> is never closed", "")
		case r.accept("</"):
			r.endTag(start)
		case r.accept("<!--"):
			r.comment(start)
		case r.accept("<![CDATA["):
			r.until("]]>", "CDATA section", start)
		case r.accept("<?"):
			r.instruction(start)
		case r.accept("<"):
			r.startTag(start)
		default:
			r.text()
		}
	}
}

// text reads character data up to the next tag.
func (r *reader) text() {
	for r.at < len(r.src) && r.src[r.at] != '<' {
		end := len(r.src)
		if i := bytes.IndexAny(r.src[r.at:], "<&"); i >= 0 {
			end = r.at + i
		}
		if i := bytes.Index(r.src[r.at:end], []byte("]]>")); i >= 0 {
			r.fail(r.at+i, r.at+i+3, "']]>' in text", "Write ]]&gt; unless it ends a CDATA section.")
		}
		r.chars(end)
		if r.has("&") {
			r.reference(false)
		}
	}
}

// reference reads &name; or &#n;.
func (r *reader) reference(attribute bool) {
	start := r.at
	r.at++
	if r.accept("#") {
		r.charReference(start)
		return
	}
	const help = "Write &amp; for the character itself."
	from := r.at
	for r.at < len(r.src) && r.src[r.at] != ';' && !strings.ContainsRune(" \t\r\n<&\"'=", rune(r.src[r.at])) {
		r.at++
	}
	word := r.src[from:r.at]
	if !r.accept(";") || !isName(word) {
		r.fail(start, start+1, "'&' does not begin a reference", help)
	}
	r.entity(string(word), start, attribute)
}

func isName(text []byte) bool {
	for i, c := range string(text) {
		if i == 0 && !isNameStart(c) || !isNameChar(c) {
			return false
		}
	}
	return len(text) > 0
}

func (r *reader) charReference(start int) {
	digits, base := "0123456789", rune(10)
	if r.accept("x") {
		digits, base = "0123456789abcdef", 16
	}
	value, n := rune(0), 0
	for ; r.at < len(r.src); r.at++ {
		i := strings.IndexByte(digits, lower(r.src[r.at]))
		if i < 0 || base == 10 && i > 9 {
			break
		}
		value = min(value*base+rune(i), 0x110000)
		n++
	}
	if n == 0 || !r.accept(";") {
		r.fail(start, r.at, "Character reference is not closed by ';'", "")
	}
	if !isChar(value) && (r.version != "1.1" || value == 0 || value >= ' ') {
		r.fail(start, r.at, string(r.src[start:r.at])+" is no character that XML allows", "")
	}
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func (r *reader) endTag(start int) {
	name := r.word("a name")
	r.blanks()
	if !r.accept(">") {
		r.unexpected("'>'")
	}
	e := r.open[len(r.open)-1]
	if e.name != name {
		r.fail(start, r.at, fmt.Sprintf("</%s> does not close <%s> of line %d", name, e.name, r.line(e.start)), "")
	}
	r.pop()
}

func (r *reader) pop() {
	e := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	r.spaces = r.spaces[:e.spaces]
}

func (r *reader) startTag(start int) {
	if r.has("!") {
		r.fail(start, r.at+1, "Declaration inside of an element", "Comments begin with <!-- and CDATA sections with <![CDATA[")
	}
	name := r.word("a tag, or &lt; for the character")
	r.open = append(r.open, element{name, start, len(r.spaces)})
	used := r.uses(nil, name, start+1)
	var seen []string
	for {
		spaced := r.blanks()
		if r.accept("/>") {
			r.resolve(used)
			r.pop()
			return
		}
		if r.accept(">") {
			r.resolve(used)
			return
		}
		if !spaced {
			r.unexpected("'>'")
		}
		at := r.at
		attribute := r.word("an attribute, '>' or '/>'")
		if slices.Contains(seen, attribute) {
			r.fail(at, r.at, "Attribute "+attribute+" stands twice", "")
		}
		seen = append(seen, attribute)
		r.equals()
		r.value()
		if p, ok := strings.CutPrefix(attribute, "xmlns:"); ok {
			r.spaces = append(r.spaces, p)
		} else {
			used = r.uses(used, attribute, at)
		}
	}
}

// value reads the value of an attribute.
func (r *reader) value() {
	start := r.at
	if !r.has(`"`) && !r.has("'") {
		r.unexpected("a quotation mark")
	}
	closing := r.src[r.at]
	r.at++
	for {
		i := bytes.IndexAny(r.src[r.at:], string([]byte{closing, '<', '&'}))
		if i < 0 {
			r.fail(start, r.at, "Value is never closed", "")
		}
		r.chars(r.at + i)
		switch r.src[r.at] {
		case closing:
			r.at++
			return
		case '<':
			r.fail(r.at, r.at+1, "'<' in the value of an attribute", "Write &lt; for it, or close the quotation that begins on line "+fmt.Sprint(r.line(start))+".")
		case '&':
			r.reference(true)
		}
	}
}

// uses adds the prefix of a name, if it has one that needs a declaration.
func (r *reader) uses(list []prefix, name string, at int) []prefix {
	p, local, ok := strings.Cut(name, ":")
	if !ok || p == "" || local == "" || p == "xml" || p == "xmlns" {
		return list
	}
	return append(list, prefix{p, at})
}

// resolve notes which of the prefixes of a tag nobody has declared, each once
// in the file.
func (r *reader) resolve(used []prefix) {
	for _, p := range used {
		known := func(o prefix) bool { return o.name == p.name }
		if !slices.Contains(r.spaces, p.name) && !slices.ContainsFunc(r.prefixes, known) {
			r.prefixes = append(r.prefixes, p)
		}
	}
}
