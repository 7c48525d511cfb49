package hcl

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// rewrite brings tokens to the form that terraform fmt gives them: no value is
// one interpolation or in parentheses as a whole, labels are quoted, types of
// variables are not. It reads tokens where the formatter reads a tree.
func rewrite(in []token) []token {
	c := canoniser{in: in, out: make([]token, 0, len(in))}
	for c.pos < len(c.in) {
		c.item()
	}
	return c.out
}

type canoniser struct {
	in, out []token
	pos     int
	blocks  []string // types of the blocks around pos
}

func (c *canoniser) peek(n int) hclsyntax.TokenType {
	if c.pos+n < len(c.in) {
		return c.in[c.pos+n].Type
	}
	return hclsyntax.TokenEOF
}

func (c *canoniser) emit(t ...token) { c.out = append(c.out, t...) }

// item reads an attribute, the head of a block, or one token between those.
func (c *canoniser) item() {
	t, n := c.in[c.pos], 1
	for c.peek(n) == hclsyntax.TokenComment {
		n++
	}
	switch {
	case t.Type == hclsyntax.TokenIdent && c.peek(n) == hclsyntax.TokenEqual:
		c.emit(c.in[c.pos : c.pos+n+1]...)
		c.pos += n + 1
		c.attribute(t.text)
	case t.Type == hclsyntax.TokenIdent:
		c.head()
	default:
		if t.Type == hclsyntax.TokenCBrace && len(c.blocks) > 0 {
			c.blocks = c.blocks[:len(c.blocks)-1]
		}
		c.emit(t)
		c.pos++
	}
}

// head reads up to the brace that opens a block. What is no head ends with its line.
func (c *canoniser) head() {
	kind := c.in[c.pos]
	c.emit(kind)
	for c.pos++; c.pos < len(c.in); c.pos++ {
		t := c.in[c.pos]
		switch t.Type {
		case hclsyntax.TokenIdent:
			c.emit(token{hclsyntax.TokenOQuote, `"`, t.line}, token{hclsyntax.TokenQuotedLit, t.text, t.line}, token{hclsyntax.TokenCQuote, `"`, t.line})
			continue
		case hclsyntax.TokenOBrace:
			c.blocks = append(c.blocks, kind.text)
		case hclsyntax.TokenNewline:
		default:
			c.emit(t)
			continue
		}
		c.emit(t)
		c.pos++
		return
	}
}

// attribute reads the value of an attribute.
func (c *canoniser) attribute(name string) {
	start, depth := c.pos, 0
	for ; c.pos < len(c.in); c.pos++ {
		d := nesting(c.in[c.pos].Type)
		if depth += d; depth < 0 {
			break
		}
		if t := c.in[c.pos]; depth == 0 && d == 0 && ends(t) {
			break
		}
	}
	value := c.in[start:c.pos]
	// Comments at both ends are no part of it.
	for len(value) > 0 && value[0].Type == hclsyntax.TokenComment {
		c.emit(value[0])
		value = value[1:]
	}
	end := len(value)
	for end > 0 && value[end-1].Type == hclsyntax.TokenComment {
		end--
	}
	value, after := value[:end], value[end:]
	typed := []token(nil)
	if name == "type" && len(c.blocks) == 1 && c.blocks[0] == "variable" {
		typed = constraint(value)
	}
	if typed == nil {
		typed = bare(value)
	}
	c.emit(typed...)
	c.emit(after...)
}

// ends tells that a token outside all brackets ends a value.
func ends(t token) bool {
	return t.Type == hclsyntax.TokenNewline || t.Type == hclsyntax.TokenEOF || t.Type == hclsyntax.TokenComment && !strings.HasPrefix(t.text, "/*")
}

// nesting is what a token adds to the depth of brackets and quotes.
func nesting(t hclsyntax.TokenType) int {
	switch t {
	case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc,
		hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		return 1
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc,
		hclsyntax.TokenTemplateSeqEnd:
		return -1
	}
	return 0
}

// bare takes the interpolation or the parentheses off a value that is nothing else.
func bare(v []token) []token {
	for {
		v = trimNewlines(v)
		n := len(v)
		switch {
		case n > 4 && v[0].Type == hclsyntax.TokenOQuote && v[1].Type == hclsyntax.TokenTemplateInterp && encloses(v[1:n-1]) && encloses(v):
			v = v[2 : n-2]
		case n > 2 && v[0].Type == hclsyntax.TokenOParen && encloses(v):
			v = v[1 : n-1]
		default:
			return v
		}
	}
}

func trimNewlines(v []token) []token {
	for len(v) > 0 && v[0].Type == hclsyntax.TokenNewline {
		v = v[1:]
	}
	for len(v) > 0 && v[len(v)-1].Type == hclsyntax.TokenNewline {
		v = v[:len(v)-1]
	}
	return v
}

// encloses tells that the first token opens what the last one closes.
func encloses(v []token) bool {
	depth := 0
	for i, t := range v {
		if depth += nesting(t.Type); depth == 0 {
			return i == len(v)-1
		}
	}
	return false
}

// constraint returns an old type as it is written now, nil if it is none.
func constraint(v []token) []token {
	var b strings.Builder
	for _, t := range v {
		b.WriteString(t.text)
	}
	old := b.String()
	word := func(s string) token { return token{hclsyntax.TokenIdent, s, v[0].line} }
	of := func(kind, element string) []token {
		return []token{word(kind), {hclsyntax.TokenOParen, "(", v[0].line}, word(element), {hclsyntax.TokenCParen, ")", v[0].line}}
	}
	switch old {
	case "list", "map", "set":
		return of(old, "any")
	case `"list"`, `"map"`:
		return of(old[1:len(old)-1], "string")
	case `"string"`:
		return []token{word("string")}
	}
	return nil
}
