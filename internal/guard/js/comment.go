package js

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"poly/internal/guard"
)

// comment is one comment and where it stands between the leaves of the code:
// names and literals, which layout neither adds nor takes away.
type comment struct {
	start, end int
	leaf       int    // leaves before it; -1 in a group that is sorted
	fence      int    // fences before it
	text       uint64 // digest of what it says
	next       uint64 // the token after it; 0 for a punctuator
	ownLine    bool   // no code before it on its line
	line       bool   // it goes on to the end of the line
	pragma     bool   // tools read it together with the code next to it
	nextLine   bool   // it means the line after its own, and ends one
	sameLine   bool   // it means the line it ends
	cast       bool   // it gives a type to the parentheses after it
}

// trivia skips white space and comments, and reports whether a line ended.
func (p *parser) trivia() bool {
	newline := false
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; c {
		case ' ', '\t', '\v', '\f':
			p.pos++
		case '\n', '\r':
			newline = true
			p.pos++
		default:
			if c >= utf8.RuneSelf {
				if !p.wideBlank(&newline) {
					return newline
				}
			} else if c != '/' && (c != '#' || p.pos > 0) || !p.comment(&newline) {
				return newline
			}
		}
	}
	return newline
}

// wideBlank skips white space outside ASCII, if there is any.
func (p *parser) wideBlank(newline *bool) bool {
	r, size := utf8.DecodeRune(p.src[p.pos:])
	if !unicode.IsSpace(r) && r != '\ufeff' {
		return false
	}
	*newline = *newline || r == '\u2028' || r == '\u2029'
	p.pos += size
	return true
}

// comment skips a comment, if one starts here.
func (p *parser) comment(newline *bool) bool {
	switch c := p.byteAt(p.pos + 1); {
	case c == '/' || c == '!' && p.src[p.pos] == '#':
		p.lineComment(*newline)
	case c == '*':
		i := bytes.Index(p.src[p.pos+2:], []byte("*/"))
		if i < 0 {
			p.fail("a comment has no end")
			return false
		}
		end := p.pos + i + 4
		p.addComment(end, *newline)
		if text := p.src[p.pos:end]; bytes.ContainsAny(text, "\n\r\u2028\u2029") {
			*newline = true
		}
		p.pos = end
	default:
		return false
	}
	return true
}

func (p *parser) lineComment(newline bool) {
	end := p.pos
	for end < len(p.src) && p.src[end] != '\n' && p.src[end] != '\r' {
		if p.src[end] == 0xe2 && (bytes.HasPrefix(p.src[end:], []byte("\u2028")) || bytes.HasPrefix(p.src[end:], []byte("\u2029"))) {
			break
		}
		end++
	}
	p.addComment(end, newline)
	p.pos = end
}

// addComment notes the comment from pos to end.
func (p *parser) addComment(end int, newline bool) {
	c := comment{start: p.pos, end: end, leaf: p.leaves, fence: p.fences, ownLine: newline || p.prevEnd == 0}
	body := p.src[p.pos:end]
	c.line = body[1] != '*'
	if c.pragma = isPragma(body); c.pragma {
		next := bytes.Contains(body, []byte("-next-line")) || bytes.Contains(body, []byte("@ts-"))
		c.nextLine = next && (c.line || p.lineEnds(end))
		c.sameLine = !next && !c.ownLine && (bytes.Contains(body, []byte("-line")) || bytes.Contains(body, []byte("ignore line")))
		c.cast = !c.line && bytes.Contains(body, []byte("@type")) && p.castFollows(end)
	}
	if body[1] == '*' {
		c.text = guard.BlockComment(body)
	} else {
		text := bytes.TrimLeft(body[1:], "/")
		c.text = guard.Mix(uint64(len(body)-len(text)), bytes.TrimSpace(text))
	}
	p.comments = append(p.comments, c)
}

// lineEnds reports whether only blanks are left of the line.
func (p *parser) lineEnds(i int) bool {
	rest := bytes.TrimLeft(p.src[i:], " \t")
	return len(rest) == 0 || rest[0] == '\n' || rest[0] == '\r'
}

// castFollows reports whether a parenthesis is the next thing.
func (p *parser) castFollows(i int) bool { return p.byteAt(p.skipBlank(i)) == '(' }

// pragmas are the starts of comments that tools read.
var pragmas = []string{
	"@ts-", "eslint-", "@__", "#__", "istanbul", "c8 ignore", "v8 ignore", "prettier-ignore", "biome-ignore", "dprint-ignore", "deno-lint-ignore",
	"oxlint-", "tslint:", "jshint ", "jscs:", "webpack", "@vite-ignore", "@jsx", "@type", "$Flow", "@flow", "type-coverage:",
}

func isPragma(body []byte) bool {
	body = bytes.TrimLeft(body, "/*! \t")
	if len(body) == 0 {
		return false
	}
	for _, s := range pragmas {
		if s[0] == body[0] && bytes.HasPrefix(body, []byte(s)) {
			return true
		}
	}
	return false
}

// sortComments brings the comments from the index into an order that does not
// depend on that of the declarations around them.
func (p *parser) sortComments(from int) {
	group := p.comments[from:]
	for i := range group {
		group[i].leaf = -1
	}
	slices.SortFunc(group, func(a, b comment) int {
		switch {
		case a.text < b.text:
			return -1
		case a.text > b.text:
			return 1
		}
		return a.start - b.start
	})
}

// sameComments compares what two texts of the same code say in comments.
func sameComments(before, after *parser) error {
	for i := range max(len(before.comments), len(after.comments)) {
		if i >= len(before.comments) {
			c := after.comments[i]
			return guard.Differ("a comment", before.src, len(before.src), after.src, c.start)
		}
		b := before.comments[i]
		if i >= len(after.comments) {
			return guard.Differ("a comment", before.src, b.start, after.src, len(after.src))
		}
		a := after.comments[i]
		if what := commentChange(before, after, b, a); what != "" {
			return guard.Differ(what, before.src, b.start, after.src, a.start)
		}
	}
	return nil
}

// codeBefore digests the word that ends before the offset, commas apart.
func (p *parser) codeBefore(i int) uint64 {
	for i > 0 && (isBlank(p.src[i-1]) || p.src[i-1] == ',' || p.src[i-1] == ';') {
		i--
	}
	end := i
	for i > 0 && isWord(p.src[i-1]) {
		i--
	}
	return guard.Mix(0, p.src[i:end])
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// elsewhere reports whether a comment has left its place. In a group that is
// sorted it has none.
func elsewhere(b, a comment) bool {
	return b.leaf >= 0 && a.leaf >= 0 && (b.leaf != a.leaf || b.fence != a.fence)
}

// commentChange says what is not the same about a comment, or "".
func commentChange(before, after *parser, b, a comment) string {
	moved := b.next != a.next && b.next != 0 && a.next != 0
	if b.leaf < 0 && b.sameLine {
		moved = before.codeBefore(b.start) != after.codeBefore(a.start)
	}
	switch {
	case b.text != a.text:
		return "a comment"
	case elsewhere(b, a):
		return "the place of a comment"
	case !b.pragma:
		return ""
	case b.cast != a.cast || moved:
		return "the code after a comment for tools"
	case b.nextLine && !a.nextLine, b.sameLine && a.ownLine:
		return "the line of a comment for tools"
	}
	return ""
}
