package markup

import (
	"bytes"
	"html"
	"strings"
)

// attributes reads those of a start tag, and its end. closed: it ends in `/>`.
func (r *reader) attributes() (closed bool) {
	for r.bad == "" {
		for r.pos < len(r.src) && isSpace(r.src[r.pos]) {
			r.pos++
		}
		switch {
		case r.pos >= len(r.src):
			r.fail(r.pos, "a tag that does not end")
		case r.has("/>"):
			r.pos += 2
			return true
		case r.src[r.pos] == '>':
			r.pos++
			return false
		case r.src[r.pos] == '/':
			r.pos++
		case r.src[r.pos] == '{' && (r.dialect == Svelte || r.dialect == Astro):
			start := r.pos
			r.braces()
			r.events = append(r.events, event{what: code, lang: braced, at: start, text: r.src[start:r.pos]})
		case r.src[r.pos] == '{' || r.src[r.pos] == '<':
			r.fail(r.pos, "a template in a tag")
		default:
			r.attribute()
		}
	}
	return false
}

// attribute reads an attribute.
func (r *reader) attribute() {
	start := r.pos
	for r.pos < len(r.src) && !isSpace(r.src[r.pos]) && strings.IndexByte("=>", r.src[r.pos]) < 0 && !r.has("/>") {
		r.pos++
	}
	name := r.src[start:r.pos]
	at := r.skip(r.pos)
	if at >= len(r.src) || r.src[at] != '=' {
		r.events = append(r.events, event{what: attribute, at: start, text: name})
		return
	}
	at = r.skip(at + 1)
	r.pos = at
	switch {
	case at >= len(r.src):
		r.fail(start, "a tag that does not end")
	case r.src[at] == '{' && (r.dialect == Svelte || r.dialect == Astro):
		r.braces()
		r.events = append(r.events, event{what: attribute, at: start, text: name},
			event{what: code, lang: braced, at: at, text: r.src[at:r.pos]})
	default:
		if v := r.value(at); r.bad == "" {
			r.valued(start, at, name, v)
		}
	}
}

// skip returns the first offset from i on that holds no blank.
func (r *reader) skip(i int) int {
	for i < len(r.src) && isSpace(r.src[i]) {
		i++
	}
	return i
}

// value reads the value of an attribute, without its quotes.
func (r *reader) value(at int) []byte {
	switch q := r.src[at]; {
	case q == '"' || q == '\'':
		r.pos = r.until(at+1, string(q))
		return r.src[min(at+1, r.pos-1) : r.pos-1]
	case q == '`' && r.dialect == Astro:
		r.pos = r.until(at+1, "`")
		return r.src[at:r.pos]
	}
	for r.pos < len(r.src) && !isSpace(r.src[r.pos]) && r.src[r.pos] != '>' && (r.dialect == HTML || !r.has("/>")) {
		r.pos++
	}
	return r.src[at:r.pos]
}

// valued emits an attribute that has a value.
func (r *reader) valued(start, at int, name, v []byte) {
	if l := r.codeIn(name); l != plain {
		r.events = append(r.events, event{what: attribute, at: start, text: name},
			event{what: code, lang: l, at: at, text: []byte(html.UnescapeString(string(v)))})
		return
	}
	if strings.EqualFold(string(name), "style") && r.dialect != XML && bytes.IndexByte(v, '{') < 0 {
		r.events = append(r.events, event{what: attribute, at: start, text: name},
			event{what: code, lang: declarations, at: at, text: styleValue([]byte(html.UnescapeString(string(v))))})
		return
	}
	out := append(bytes.Clone(name), '=')
	switch lower := strings.ToLower(string(name)); {
	case r.dialect == XML:
		v = bytes.ReplaceAll(bytes.ReplaceAll(v, []byte("&quot;"), []byte(`"`)), []byte("&apos;"), []byte("'"))
	case lower == "class" || lower == "srcset" || lower == "sizes" || lower == "rel":
		v = bytes.TrimSpace(collapse(v))
	}
	if r.dialect != XML {
		v = bytes.ReplaceAll(v, []byte("&quot;"), []byte(`"`))
	}
	r.events = append(r.events, event{what: attribute, at: start, text: append(out, v...)})
}

// styleValue returns declarations without the blanks that do not count.
func styleValue(v []byte) []byte {
	var out []byte
	var quote byte
	for _, b := range bytes.TrimSuffix(bytes.TrimSpace(collapse(v)), []byte(";")) {
		switch n := len(out); {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'':
			quote = b
		case b == ' ' && n > 0 && strings.IndexByte(":;, ", out[n-1]) >= 0:
			continue
		case strings.IndexByte(":;,", b) >= 0 && n > 0 && out[n-1] == ' ':
			out = out[:n-1]
		}
		out = append(out, b)
	}
	return bytes.TrimRight(out, " ")
}
