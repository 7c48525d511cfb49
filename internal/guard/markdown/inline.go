package markdown

import (
	"bytes"
	"html"
	"strings"

	"poly/internal/mdtree"
)

// What UTF-8 has no place for marks structure in the text of a block.
const (
	markOpen  = 0xf8 // and a letter
	markClose = 0xf9
	markBreak = 0xfa
	markLine  = 0xfb
)

// text returns what a block shows, until the next call. nil shows nothing.
func (r *reader) text(n *mdtree.Node) []byte {
	r.buf, r.pre = r.buf[:0], false
	if n == nil {
		return nil
	}
	alert := n.Kind == mdtree.Paragraph && bytes.HasPrefix(r.src[n.Start:], []byte("[!"))
	for _, c := range n.Children {
		if alert && c.Kind == mdtree.LineEnding {
			r.buf = append(r.buf, markLine)
			alert = false
			continue
		}
		r.inline(c)
	}
	r.trim()
	return r.buf
}

func (r *reader) trim() { r.buf = bytes.TrimRight(r.buf, " ") }

// put adds text of which runs of blanks are one, but for those that are shown.
func (r *reader) put(text []byte) {
	if r.pre {
		r.buf = append(r.buf, text...)
		return
	}
	for _, b := range text {
		if isSpace(b) {
			if n := len(r.buf); n > 0 && r.buf[n-1] != ' ' && r.buf[n-1] != markBreak && r.buf[n-1] != markLine {
				r.buf = append(r.buf, ' ')
			}
			continue
		}
		r.buf = append(r.buf, b)
	}
}

func (r *reader) inlines(n *mdtree.Node) {
	r.depth++
	if r.depth > maxDepth {
		r.bad, r.badAt = "nested too deeply", n.Start
	} else {
		for _, c := range n.Children {
			r.inline(c)
		}
	}
	r.depth--
}

func (r *reader) inline(n *mdtree.Node) {
	switch n.Kind {
	case mdtree.EmphasisSequence, mdtree.StrongSequence:
	case mdtree.LineSuffix:
		if r.pre {
			r.put(r.doc.Source(n))
		}
	case mdtree.LineEnding:
		r.put([]byte("\n"))
	case mdtree.HardBreak:
		r.buf = append(r.buf, markBreak)
	case mdtree.Escape:
		r.buf = append(r.buf, r.src[n.Start+1])
	case mdtree.CharacterReference:
		r.reference(n)
	case mdtree.CodeText:
		r.span('c', n, mdtree.CodeData)
	case mdtree.MathText:
		r.span('m', n, mdtree.MathData)
	case mdtree.Emphasis:
		r.group('e', n.Child(mdtree.EmphasisText))
	case mdtree.Strong:
		r.group('s', n.Child(mdtree.StrongText))
	case mdtree.Link:
		r.link('l', n)
	case mdtree.Image:
		r.link('i', n)
	default:
		r.leaf(n)
	}
}

func (r *reader) leaf(n *mdtree.Node) {
	switch n.Kind {
	case mdtree.Autolink:
		r.marked('a', r.src[n.Start+1:n.End-1])
	case mdtree.LiteralAutolink:
		r.marked('a', r.doc.Source(n))
	case mdtree.FootnoteCall:
		r.marked('f', label(r.src[n.Start+2:n.End-1]))
	case mdtree.HTMLText:
		src := r.doc.Source(n)
		if tagName(src) == "pre" {
			r.pre = src[1] != '/'
		}
		r.marked('h', fold(src))
	default:
		r.other(n)
	}
}

// other adds plain text, or what stands around the inlines in it.
func (r *reader) other(n *mdtree.Node) {
	at := n.Start
	if len(n.Children) > 0 {
		r.put(r.src[at:max(at, n.Children[0].Start)])
		r.inlines(n)
		at = min(n.End, n.Children[len(n.Children)-1].End)
	}
	r.put(r.src[at:n.End])
}

// reference adds the character a reference stands for. A blank is not the one of
// the source.
func (r *reader) reference(n *mdtree.Node) {
	src := r.doc.Source(n)
	text := html.UnescapeString(string(src))
	if strings.TrimSpace(text) == "" || text[0] < ' ' {
		r.marked('r', src)
		return
	}
	r.buf = append(r.buf, text...)
}

func (r *reader) marked(mark byte, text []byte) {
	r.buf = append(r.buf, markOpen, mark)
	r.buf = append(r.buf, text...)
	r.buf = append(r.buf, markClose)
}

func (r *reader) group(mark byte, n *mdtree.Node) {
	r.buf = append(r.buf, markOpen, mark)
	r.inlines(n)
	r.buf = append(r.buf, markClose)
}

// span adds code or math. A line ending in it is a blank, with the blanks around
// it.
func (r *reader) span(mark byte, n *mdtree.Node, data mdtree.Kind) {
	r.buf = append(r.buf, markOpen, mark)
	first := true
	for _, c := range n.Children {
		if c.Kind != data {
			continue
		}
		text := bytes.TrimSuffix(r.doc.Source(c), []byte("\r"))
		if !first {
			r.trim()
			r.buf = append(r.buf, ' ')
			text = bytes.TrimLeft(text, " \t")
		}
		first = false
		r.buf = append(r.buf, text...)
	}
	r.buf = append(r.buf, markClose)
}

func (r *reader) link(mark byte, n *mdtree.Node) {
	text := n.Child(mdtree.Label).Child(mdtree.LabelText)
	r.group(mark, text)
	resource := n.Child(mdtree.Resource)
	if resource == nil {
		name := r.doc.Source(text)
		if ref := n.Child(mdtree.Reference).Child(mdtree.ReferenceString); ref != nil {
			name = r.doc.Source(ref)
		}
		r.marked('d', label(name))
		return
	}
	if dest := resource.Child(mdtree.ResourceDestination); dest != nil {
		r.marked('u', unescape(r.doc.Source(dest)))
	}
	if title := resource.Child(mdtree.ResourceTitle); title != nil {
		r.marked('t', fold(unescape(r.doc.Source(title))))
	}
}

// label returns what makes two labels equal, but for rare letters.
func label(name []byte) []byte { return bytes.ToLower(bytes.Join(bytes.Fields(name), []byte(" "))) }

// fold makes one blank of the blanks and quote marks around a line ending.
func fold(text []byte) []byte {
	if bytes.IndexByte(text, '\n') < 0 {
		return text
	}
	lines := bytes.Split(text, []byte("\n"))
	for i := range lines {
		lines[i] = bytes.Trim(lines[i], " \t\r")
	}
	return bytes.Join(lines, []byte(" "))
}

// unescape takes the backslashes away that escape, and puts characters in the
// place of references.
func unescape(text []byte) []byte {
	if !bytes.ContainsAny(text, `\&`) {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && isPunct(text[i+1]):
			i++
			out = append(out, text[i])
		case text[i] == '&':
			end := bytes.IndexByte(text[i:min(len(text), i+33)], ';')
			if end < 0 {
				out = append(out, '&')
				continue
			}
			out = append(out, html.UnescapeString(string(text[i:i+end+1]))...)
			i += end
		default:
			out = append(out, text[i])
		}
	}
	return out
}

func isPunct(b byte) bool {
	return '!' <= b && b <= '/' || ':' <= b && b <= '@' || '[' <= b && b <= '`' || '{' <= b && b <= '~'
}
