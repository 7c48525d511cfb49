package xml

import (
	"bytes"
	"strconv"
	"strings"
)

// entity is a general entity of the internal subset.
type entity struct {
	text     []byte // of an internal one
	internal bool
	state    state
	markup   bool // its text has a tag, so it may not stand in an attribute
}

type state int

const (
	unread state = iota
	reading
	read
)

// doctype reads a document type declaration.
func (r *reader) doctype(start int) {
	if !r.blanks() {
		r.unexpected("a blank")
	}
	r.word("the name of the root element")
	r.blanks()
	if r.externalID() {
		r.outside = true
		r.blanks()
	}
	if r.accept("[") {
		r.subset(start)
		r.blanks()
	}
	if !r.accept(">") {
		r.unexpected("'>'")
	}
}

// externalID reads SYSTEM "..." or PUBLIC "..." "...".
func (r *reader) externalID() bool {
	switch {
	case r.accept("SYSTEM"):
		r.needBlanks()
		r.literal()
	case r.accept("PUBLIC"):
		r.needBlanks()
		r.literal()
		r.blanks()
		if r.has(`"`) || r.has("'") { // a notation may go without
			r.literal()
		}
	default:
		return false
	}
	return true
}

func (r *reader) needBlanks() {
	if !r.blanks() {
		r.unexpected("a blank")
	}
}

// subset reads the internal subset, after its bracket.
func (r *reader) subset(start int) {
	for {
		r.blanks()
		at := r.at
		switch {
		case r.at >= len(r.src):
			r.fail(start, start+len("<!DOCTYPE"), "DOCTYPE is never closed", "Its declarations end with ]>")
		case r.accept("]"):
			return
		case r.accept("<!--"):
			r.comment(at)
		case r.accept("<?"):
			r.instruction(at)
		case r.accept("%"):
			r.word("the name of an entity")
			if !r.accept(";") {
				r.unexpected("';'")
			}
			r.outside = true // for all we know
		case r.accept("<!ENTITY"):
			r.entityDeclaration()
		case r.accept("<!ATTLIST"):
			r.attlists = true
			r.markupDeclaration(at)
		case r.accept("<!ELEMENT"), r.accept("<!NOTATION"):
			r.markupDeclaration(at)
		default:
			r.unexpected("a declaration or ']'")
		}
	}
}

// markupDeclaration reads to the end of a declaration whose grammar is not
// looked at.
func (r *reader) markupDeclaration(start int) {
	r.needBlanks()
	for r.at < len(r.src) {
		switch r.src[r.at] {
		case '>':
			r.at++
			return
		case '"', '\'':
			r.literal()
		case '<':
			r.unexpected("'>'")
		default:
			r.chars(r.at + r.width())
		}
	}
	r.fail(start, start+2, "Declaration is never closed", "")
}

func (r *reader) entityDeclaration() {
	r.needBlanks()
	parameter := r.accept("%")
	if parameter {
		r.needBlanks()
	}
	name := r.word("the name of an entity")
	r.needBlanks()
	e := &entity{}
	if !r.externalID() {
		e.internal = true
		e.text = r.literal()
	}
	if r.blanks() && r.accept("NDATA") {
		r.needBlanks()
		r.word("a notation")
		r.blanks()
	}
	if !r.accept(">") {
		r.unexpected("'>'")
	}
	if parameter {
		return
	}
	if r.entities == nil {
		r.entities = map[string]*entity{}
	}
	if r.entities[name] == nil { // the first declaration counts
		r.entities[name] = e
	}
}

// entity checks a reference that stands at start.
func (r *reader) entity(name string, start int, attribute bool) {
	switch name {
	case "amp", "lt", "gt", "apos", "quot":
		return
	}
	e := r.entities[name]
	switch {
	case e == nil && r.outside && !r.alone:
		return
	case e == nil:
		help := "XML knows &amp; &lt; &gt; &apos; and &quot; others are declared in a DTD. A number such as &#160; always works."
		r.fail(start, r.at, "Entity "+name+" is not declared", help)
	case !e.internal:
		if attribute {
			r.fail(start, r.at, "Entity "+name+" of another file in the value of an attribute", "")
		}
		return
	case e.state == reading:
		r.fail(start, r.at, "Entity "+name+" contains itself", "")
	case e.state == unread:
		r.replace(name, e, start)
	}
	if attribute && e.markup {
		r.fail(start, r.at, "Entity "+name+" has a tag and stands in the value of an attribute", "")
	}
}

// replace checks the text of an entity, once: its tags are closed in it.
func (r *reader) replace(name string, e *entity, start int) {
	e.state = reading
	defer func() { e.state = read }()
	if r.depth >= maxDepth {
		return
	}
	text := expandChars(e.text)
	e.markup = bytes.IndexByte(text, '<') >= 0
	if bytes.IndexByte(text, '&') < 0 && !e.markup {
		return
	}
	inner := &reader{
		src: append([]byte("<e>"), append(text, "</e>"...)...), depth: r.depth + 1,
		entities: r.entities, outside: r.outside, alone: r.alone, version: r.version,
	}
	at := r.at
	func() {
		defer func() {
			if f, ok := recover().(*fault); ok {
				title := f.title
				if !strings.HasPrefix(title, "Entity ") {
					title = "Entity " + name + " is not well-formed: " + title
				}
				r.fail(start, at, title, "")
			}
		}()
		inner.root()
		if inner.at != len(inner.src) {
			inner.fail(0, 0, "a tag closes more than the entity opens", "")
		}
	}()
	// What an entity holds that no tag of its own holds is checked there too.
	for _, n := range nested(text) {
		if o := r.entities[n]; o != nil {
			e.markup = e.markup || o.markup
		}
	}
}

// maxDepth is how deep entities in entities are followed.
const maxDepth = 100

// nested returns the names of the entities that a text refers to.
func nested(text []byte) []string {
	var out []string
	for part := range bytes.SplitSeq(text, []byte("&")) {
		if word, _, ok := bytes.Cut(part, []byte(";")); ok && isName(word) {
			out = append(out, string(word))
		}
	}
	return out
}

// expandChars replaces references to characters, as a processor does when it
// reads the declaration.
func expandChars(text []byte) []byte {
	if !bytes.Contains(text, []byte("&#")) {
		return bytes.Clone(text)
	}
	var out []byte
	for i := 0; i < len(text); {
		if end := bytes.IndexByte(text[i:], ';'); end > 0 && bytes.HasPrefix(text[i:], []byte("&#")) {
			if c, ok := charOf(string(text[i+2 : i+end])); ok {
				out = append(out, string(c)...)
				i += end + 1
				continue
			}
		}
		out = append(out, text[i])
		i++
	}
	return out
}

// charOf reads the number of a reference: "65" or "x41".
func charOf(s string) (rune, bool) {
	base := 10
	if hex, ok := strings.CutPrefix(s, "x"); ok {
		s, base = hex, 16
	}
	n, err := strconv.ParseInt(s, base, 32)
	return rune(n), err == nil && isChar(rune(n))
}
