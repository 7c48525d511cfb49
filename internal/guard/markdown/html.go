package markdown

import (
	"bytes"
	"strings"

	"poly/internal/mdtree"
)

// breaking are elements that stand on lines of their own: blanks beside their
// tags are not seen.
const breaking = " address article aside blockquote body br caption center col colgroup dd details dialog dir div dl dt " +
	"fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li link main menu meta nav ol optgroup " +
	"option p picture search section source summary table tbody td tfoot th thead title tr track ul "

// html emits a block of HTML: tags and comments with one blank between what
// stands in them, and text with one blank for many. Where an element shows its
// blanks, the lines of the block are taken as they are.
func (r *reader) html(n *mdtree.Node) {
	src := r.doc.Source(n)
	lower := bytes.ToLower(src)
	for _, name := range []string{"<pre", "<textarea", "<script", "<style", "<xmp", "<listing", "<![cdata["} {
		if bytes.Contains(lower, []byte(name)) {
			r.emit("HTML", n.Start, r.dedent(n), 1)
			return
		}
	}
	r.buf, r.pre = r.buf[:0], false
	lines := r.lines(n)
	for len(lines) > 0 {
		i := bytes.IndexByte(lines, '<')
		if i != 0 {
			if i < 0 {
				i = len(lines)
			}
			r.put(lines[:i])
			lines = lines[i:]
			continue
		}
		size := markup(lines)
		r.tag(lines[:size])
		lines = lines[size:]
	}
	r.trim()
	r.emit("HTML", n.Start, r.buf, 0)
}

// tag adds a tag, a comment, or a `<` alone.
func (r *reader) tag(tag []byte) {
	name := tagName(tag)
	alone := name != "" && strings.Contains(breaking, " "+name+" ")
	if alone {
		r.trim()
	}
	r.buf = append(r.buf, markOpen)
	r.attributes(tag)
	if alone {
		r.buf = append(r.buf, markBreak)
	} else {
		r.buf = append(r.buf, markClose)
	}
}

// attributes adds what stands in a tag: one blank for many, and none around `=`.
func (r *reader) attributes(tag []byte) {
	if tagName(tag) == "" {
		r.put(tag)
		return
	}
	for i := 0; i < len(tag); {
		switch b := tag[i]; {
		case b == '"' || b == '\'':
			end := bytes.IndexByte(tag[i+1:], b)
			if end < 0 {
				end = len(tag) - i - 2
			}
			r.buf = append(r.buf, tag[i:i+end+2]...)
			i += end + 2
		case isSpace(b):
			for i < len(tag) && isSpace(tag[i]) {
				i++
			}
			if i < len(tag) && tag[i] != '=' && r.buf[len(r.buf)-1] != '=' {
				r.buf = append(r.buf, ' ')
			}
		default:
			r.buf = append(r.buf, b)
			i++
		}
	}
}

// tagName returns the name of a tag in lower case, "" if it is none.
func tagName(tag []byte) string {
	tag = bytes.TrimPrefix(tag[1:], []byte("/"))
	n := 0
	for n < len(tag) && (isLetter(tag[n]) || n > 0 && ('0' <= tag[n] && tag[n] <= '9' || tag[n] == '-' || tag[n] == ':')) {
		n++
	}
	return strings.ToLower(string(tag[:n]))
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// markup returns the length of the tag or comment src starts with, 1 if there is
// none.
func markup(src []byte) int {
	if bytes.HasPrefix(src, []byte("<!--")) {
		if i := bytes.Index(src[4:], []byte("-->")); i >= 0 {
			return 4 + i + 3
		}
		return len(src)
	}
	if tagName(src) == "" {
		return 1
	}
	var quote byte
	for i := 1; i < len(src); i++ {
		switch b := src[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case (b == '"' || b == '\'') && src[i-1] == '=' || isSpace(src[i-1]) && (b == '"' || b == '\''):
			quote = b
		case b == '>':
			return i + 1
		}
	}
	return len(src)
}
