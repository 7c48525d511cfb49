package markdown

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"poly/internal/diag"
	"poly/internal/mdtree"
)

var anchor = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{(#[a-z\d]+(?:[-_][a-z\d]+)*)\}`)
})

var lineFragment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^#(?:L\d+(?:C\d+)?-L\d+(?:C\d+)?|L\d+)$`)
})

// fragments are the anchors of a document, with how often each was taken.
type fragments struct {
	taken  map[string]int
	folded map[string]string // the first of those that differ in case only, by its lower case
}

func (f *file) fragments() fragments {
	all, folded := map[string]int{}, map[string]string{}
	set := func(key string, n int) {
		all[key] = n
		if low := strings.ToLower(key); folded[low] == "" {
			folded[low] = key
		}
	}
	set("#top", 0)
	for _, t := range f.nodes(mdtree.HeadingText) {
		key := "#" + f.slug(t)
		if key == "#" {
			continue
		}
		n := all[key]
		if n > 0 {
			set(fmt.Sprintf("%s-%d", key, n), 0)
		}
		set(key, n+1)
		if s := f.doc.Source(t); bytes.Contains(s, []byte("{#")) {
			for _, m := range anchor().FindAllSubmatch(s, -1) {
				if _, ok := all[string(m[1])]; !ok {
					set(string(m[1]), 1)
				}
			}
		}
	}
	for _, n := range f.doc.All(mdtree.HTMLText) {
		name, closing := f.tag(n)
		if name == "" || closing {
			continue
		}
		s := f.doc.Source(n)
		id, ok := attribute(s, "id")
		if !ok && strings.EqualFold(name, "a") {
			id, ok = attribute(s, "name")
		}
		if ok {
			set("#"+id, 0)
		}
	}
	return fragments{all, folded}
}

// slug returns the anchor GitHub makes of a heading.
func (f *file) slug(t *mdtree.Node) string {
	var b strings.Builder
	f.plain(t, &b)
	text := strings.Map(func(r rune) rune {
		switch {
		case r == ' ', r == '-':
			return '-'
		case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r), unicode.Is(unicode.Pc, r):
			return r
		}
		return -1
	}, strings.ToLower(b.String()))
	return encode(text)
}

// encode escapes a fragment as JavaScript's encodeURIComponent does.
func encode(s string) string {
	ascii := true
	for i := range len(s) {
		if b := s[i]; !isWordByte(b) && b != '-' {
			ascii = false
		}
	}
	if ascii {
		return s
	}
	e := strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
	return strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(e)
}

// plain adds the text of n as readers see it.
func (f *file) plain(n *mdtree.Node, b *strings.Builder) {
	for _, c := range n.Children {
		switch c.Kind {
		case mdtree.Data, mdtree.CodeData, mdtree.MathData:
			b.Write(f.doc.Source(c))
		case mdtree.Escape:
			b.Write(f.text[c.Start+1 : c.End])
		case mdtree.Image, mdtree.Reference, mdtree.Resource:
		default:
			f.plain(c, b)
		}
	}
}

func linkFragments(c *check) {
	links := c.nodes(mdtree.ResourceDestination)
	definitions := c.nodes(mdtree.DefinitionDestination)
	var known fragments
	ignored := c.params.re("ignored_pattern")
	fold := c.params.flag("ignore_case", false)
	for _, list := range [...][]*mdtree.Node{links, definitions} {
		for _, d := range list {
			if d.End-d.Start < 2 || c.text[d.Start] != '#' {
				continue
			}
			owner := d.Parent
			if owner.Kind == mdtree.Resource {
				owner = owner.Parent
				if owner.Kind != mdtree.Link {
					continue
				}
				if h := owner.Parent; h.Kind == mdtree.HeadingText && c.docfxTab(h.Parent) {
					continue
				}
			}
			if known.taken == nil {
				known = c.fragments()
			}
			c.fragment(d, owner, known, ignored, fold)
		}
	}
}

func (c *check) fragment(d, owner *mdtree.Node, known fragments, ignored *regexp.Regexp, fold bool) {
	text := unescape(c.doc.Source(d))
	if len(text) < 2 {
		return
	}
	key := "#" + encode(text[1:])
	if _, ok := known.taken[key]; ok || lineFragment().MatchString(key) || ignored != nil && ignored.MatchString(text[1:]) {
		return
	}
	switch k := known.folded[strings.ToLower(text)]; {
	case k == "":
		c.node(owner, "Fragment "+quote([]byte(text))+" is not in this document")
	case !fold && k != text:
		c.node(owner, fmt.Sprintf("Fragment is %s, expected %s", quote([]byte(text)), quote([]byte(k))),
			diag.Edit{Start: d.Start, End: d.End, Replacement: k})
	}
}

// unescape returns a destination without its backslashes and without
// character references.
func unescape(s []byte) string {
	if bytes.IndexByte(s, '\\') < 0 && bytes.IndexByte(s, '&') < 0 {
		return string(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && s[i+1] < 0x80 && !isWordByte(s[i+1]) && s[i+1] > ' ' || s[i] == '\\' && i+1 < len(s) && s[i+1] == '_':
			i++
			b.WriteByte(s[i])
		case s[i] == '&':
			if j := bytes.IndexByte(s[i:], ';'); j > 1 && j < 33 {
				i += j
				continue
			}
			b.WriteByte('&')
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
