package markup

import (
	"bytes"
	"html"
	"slices"
	"strings"
)

// breaking are elements that stand on lines of their own.
const breaking = " html head body title meta link base address article aside blockquote center dd details dialog div dl dt fieldset " +
	"figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr li main nav ol p section table ul tr td th thead tbody tfoot " +
	"caption colgroup col br template noscript summary option optgroup select source track menu legend style script search " +
	"picture datalist noframes "

// void are elements that have no end.
const void = " area base br col embed hr img input link meta param source track wbr "

func named(list string, name []byte) bool {
	return len(name) > 0 && strings.Contains(list, " "+strings.ToLower(string(name))+" ")
}

// angle reads what starts with `<`.
func (r *reader) angle() {
	start := r.pos
	switch {
	case r.has("<!--"):
		r.pos = r.until(start+4, "-->")
		r.comment(start, r.src[start:r.pos])
	case r.has("<![CDATA[") && r.dialect == XML:
		end := r.until(start, "]]>")
		r.frames[len(r.frames)-1].mixed = true
		for r.pos < end {
			r.char()
		}
	case r.has("<!") || r.has("<?"):
		r.declaration()
	case r.named(1):
		r.openTag()
	case r.has("</") && r.named(2):
		r.pos = r.until(start, ">")
		if r.bad == "" {
			r.endTag(start, bytes.TrimSpace(r.src[start+2:r.pos-1]))
		}
	case r.dialect == Astro && (r.has("<>") || r.has("</>")):
		r.pos = r.until(start, ">")
		r.inline(event{what: openTag, at: start, text: r.src[start:r.pos]})
	case r.dialect == XML:
		r.fail(start, "a `<` that starts nothing")
	default:
		r.char()
	}
}

// maxDepth bounds the nesting of elements where it matters.
const maxDepth = 1000

// named reports whether a name starts n bytes further.
func (r *reader) named(n int) bool { return r.pos+n < len(r.src) && isNameStart(r.src[r.pos+n]) }

func isNameStart(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' || b == '_' || b >= 0x80 }

// comment notes a comment, and how much text came before it.
func (r *reader) comment(start int, body []byte) {
	if !bytes.HasPrefix(body, []byte("<!--[if")) && !bytes.Contains(body, []byte("<![endif]")) {
		body = bytes.TrimSpace(collapse(bytes.TrimSuffix(bytes.TrimPrefix(body, []byte("<!--")), []byte("-->"))))
	}
	if r.dialect == XML {
		r.flush(false)
		r.events = append(r.events, event{what: comment, at: start, text: body})
		return
	}
	r.comments = append(r.comments, event{what: comment, at: start, detail: r.written, text: body})
}

// declaration reads `<!...>` and `<?...>`.
func (r *reader) declaration() {
	start := r.pos
	if r.has("<?") {
		if r.dialect != XML {
			r.fail(start, "an instruction")
			return
		}
		r.pos = r.until(start, "?>")
	} else {
		depth := 0
		for ; r.pos < len(r.src); r.pos++ {
			switch r.src[r.pos] {
			case '[':
				depth++
			case ']':
				depth--
			}
			if r.src[r.pos] == '>' && depth <= 0 {
				break
			}
		}
		if r.pos++; r.pos > len(r.src) {
			r.fail(start, "a declaration that does not end")
			return
		}
	}
	body := r.src[start:r.pos]
	if r.dialect != XML {
		body = bytes.ToLower(collapse(body))
	} else if r.src[start+1] == '?' {
		body = collapse(body)
	}
	r.flush(true)
	r.events = append(r.events, event{what: declaration, at: start, text: body})
}

// openTag reads a start tag.
func (r *reader) openTag() {
	start := r.pos
	for r.pos++; r.pos < len(r.src) && !isSpace(r.src[r.pos]) && strings.IndexByte(">/{", r.src[r.pos]) < 0; {
		r.pos++
	}
	name := r.src[start+1 : r.pos]
	if r.dialect == HTML {
		name = bytes.ToLower(name)
	}
	edge := r.edged(name)
	r.flush(edge)
	r.events = append(r.events, event{what: openTag, at: start, text: name})
	r.written++
	first := len(r.events)
	closed := r.attributes()
	if r.bad != "" {
		return
	}
	r.edge = edge
	switch {
	case r.dialect == XML:
		r.pushFrame(r.events[first:])
		if closed {
			r.popFrame(name, start)
		}
	case named(void, name) && (r.dialect == HTML || isLower(name)):
	case closed && r.dialect == HTML:
		r.events = append(r.events, event{what: attribute, at: start, text: []byte("/")})
	case closed:
		r.closing(start, name)
	default:
		r.opened(name, first)
	}
}

func isLower(name []byte) bool { return bytes.Equal(name, bytes.ToLower(name)) }

// edged reports whether an element stands on lines of its own.
func (r *reader) edged(name []byte) bool {
	return r.dialect != XML && named(breaking, name) && (r.dialect == HTML || isLower(name))
}

// opened notes an element that is open, and reads its text if that is no markup.
func (r *reader) opened(name []byte, first int) {
	attrs := r.events[first:]
	root := len(r.open) == 0
	if r.dialect == Vue {
		if r.open = append(r.open, name); len(r.open) > maxDepth {
			r.fail(r.pos, "nested too deeply")
		}
	}
	switch {
	case named(" pre textarea listing ", name):
		r.pre++
		if r.has("\r\n") {
			r.pos++
		}
		if r.has("\n") {
			r.pos++
		}
	case named(" script style xmp plaintext ", name):
		r.raw(name, codeOf(name, attrs))
	case r.dialect == Vue && root && (string(name) != "template" || value(attrs, "lang") != "" && value(attrs, "lang") != "html"):
		r.raw(name, plain)
	}
}

// raw reads the text of an element up to its end tag.
func (r *reader) raw(name []byte, l lang) {
	start := r.pos
	end := start
	for {
		i := bytes.Index(r.src[end:], []byte("</"))
		if i < 0 {
			r.fail(start, "an element that does not end")
			return
		}
		end += i
		tail := r.src[end+2:]
		if len(tail) >= len(name) && bytes.EqualFold(tail[:len(name)], name) {
			break
		}
		end += 2
	}
	r.pos = end
	r.events = append(r.events, event{what: code, lang: l, at: start, text: r.src[start:end]})
}

func (r *reader) endTag(start int, name []byte) {
	if r.dialect == XML {
		r.popFrame(name, start)
		return
	}
	if r.dialect == HTML {
		name = bytes.ToLower(name)
	}
	r.closing(start, name)
	if named(" pre textarea listing ", name) && r.pre > 0 {
		r.pre--
	}
	for i, open := range slices.Backward(r.open) {
		if bytes.Equal(open, name) {
			r.open = r.open[:i]
			break
		}
	}
}

func (r *reader) closing(start int, name []byte) {
	edge := r.edged(name)
	r.flush(edge)
	r.events = append(r.events, event{what: closeTag, at: start, text: name})
	r.written++
	r.edge = edge
}

// value returns that of an attribute.
func value(attrs []event, name string) string {
	for _, a := range attrs {
		if n, v, _ := bytes.Cut(a.text, []byte("=")); string(n) == name {
			return strings.TrimSpace(html.UnescapeString(string(v)))
		}
	}
	return ""
}
