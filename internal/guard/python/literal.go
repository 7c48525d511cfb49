package python

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf8"
)

// number emits the current token, which is a number, by its value. An integer of
// more than 64 bits is known by its digits.
func (p *parser) number() {
	t := p.toks[p.i]
	text := p.src[t.start:t.end]
	if bytes.IndexByte(text, '_') >= 0 {
		text = bytes.ReplaceAll(text, []byte("_"), nil)
	}
	base := 10
	if len(text) > 1 && text[0] == '0' {
		switch text[1] | ' ' {
		case 'x':
			base = 16
		case 'o':
			base = 8
		case 'b':
			base = 2
		}
	}
	if base != 10 {
		p.integer(text, text[2:], base)
		return
	}
	k := nFloat
	if text[len(text)-1]|' ' == 'j' {
		k, text = nImag, text[:len(text)-1]
	}
	if k == nFloat && !bytes.ContainsAny(text, ".eE") {
		p.integer(text, text, base)
		return
	}
	f, _ := strconv.ParseFloat(string(text), 64) // out of range is infinite, as it is to Python
	p.bits(k, math.Float64bits(f))
}

// bits emits a leaf that is known by 64 bits.
func (p *parser) bits(k node, bits uint64) {
	p.emit(k, 0, 0, p.mark(), p.pos())
	e := p.last()
	e.lo, e.hi = uint32(bits), uint32(bits>>32)
}

func (p *parser) integer(text, digits []byte, base int) {
	if n, err := strconv.ParseUint(string(digits), base, 64); err == nil {
		p.bits(nInt, n)
		return
	}
	lo := len(p.store)
	if base != 10 {
		p.store = append(p.store, text[1]|' ')
	}
	p.store = append(p.store, bytes.ToLower(bytes.TrimLeft(digits, "0"))...)
	p.kept(nInt, 1, lo, p.pos())
}

// kept emits a leaf whose text is the store from lo on.
func (p *parser) kept(k node, op uint8, lo int, pos uint32) {
	p.emit(k, op, 0, p.mark(), pos)
	e := p.last()
	e.kept, e.lo, e.hi = true, uint32(lo), uint32(len(p.store))
}

// literal is one of several strings side by side.
type literal struct {
	raw, bytes, fields, template bool
	body                         []byte // between the quotes; none of one with fields
	lo                           uint32 // its offset in the source
}

// literal reads the form of a string, which starts at the token.
func (p *parser) literal(t token) literal {
	var s literal
	text := p.src[t.start:t.end]
	i := 0
	for ; text[i] != '"' && text[i] != '\''; i++ {
		switch text[i] | ' ' {
		case 'r':
			s.raw = true
		case 'b':
			s.bytes = true
		case 'f':
			s.fields = true
		case 't':
			s.template = true
		}
	}
	quotes := 1
	if text = text[i:]; len(text) >= 3 && text[1] == text[0] && text[2] == text[0] {
		quotes = 3
	}
	if t.kind == tString {
		s.body = text[quotes : len(text)-quotes]
		s.lo = t.start + uint32(i+quotes)
	}
	return s
}

// plain reports whether the body stands for itself.
func (s *literal) plain() bool {
	return (s.raw || bytes.IndexByte(s.body, '\\') < 0) && bytes.IndexByte(s.body, '\r') < 0
}

// strings reads strings side by side and emits them as one.
func (p *parser) strings() {
	mark, pos, t := p.mark(), p.pos(), p.toks[p.i]
	first := p.literal(t)
	if next := p.peek(); next != tString && next != tFStart && t.kind == tString && first.plain() {
		p.one(&first)
		return
	}
	s := sequence{lo: len(p.store)}
	for p.k == tString || p.k == tFStart {
		t := p.toks[p.i]
		l := p.literal(t)
		if l.bytes != first.bytes || l.template != first.template {
			p.fail("strings of different kinds side by side")
			return
		}
		p.next()
		if t.kind == tString {
			p.unescape(l.body, &l, false)
			continue
		}
		s.joined = true
		p.pieces(&s, &l)
		p.expect(tFEnd)
	}
	switch {
	case s.joined:
		p.part(&s)
		k := nJoined
		if first.template {
			k = nTemplate
		}
		p.emit(k, 0, s.n, mark, pos)
	case first.bytes:
		p.kept(nBytes, 0, s.lo, pos)
	default:
		p.kept(nStr, 0, s.lo, pos)
	}
}

// one emits a string that stands alone and for itself.
func (p *parser) one(s *literal) {
	t := p.toks[p.i]
	k := nStr
	if s.bytes {
		if k = nBytes; !isASCII(s.body) {
			p.fail("bytes above ASCII")
			return
		}
	}
	p.emit(k, 0, 0, p.mark(), t.start)
	e := p.last()
	e.lo, e.hi = s.lo, s.lo+uint32(len(s.body))
	p.next()
}

// sequence is what has been read of strings side by side.
type sequence struct {
	lo     int // where the text after the last field starts in the store
	n      int // parts and fields that have been emitted
	joined bool
}

// part emits the text since the last field, if there is any.
func (p *parser) part(s *sequence) {
	if len(p.store) > s.lo {
		p.kept(nPart, 0, s.lo, p.pos())
		s.n++
	}
	s.lo = len(p.store)
}

// pieces reads the text and the fields of a string, or of a format specification.
func (p *parser) pieces(s *sequence, l *literal) {
	for {
		switch p.k {
		case tFText:
			t := p.toks[p.i]
			p.next()
			p.unescape(p.src[t.start:t.end], l, true)
		case tFieldOpen:
			p.part(s)
			p.field(l)
			s.n++
			s.lo = len(p.store)
		default:
			return
		}
	}
}

// Flags of a field; the byte of a conversion is above them.
const (
	isShown = 1 << iota // the text is part of the value: f"{x=}"
	hasFormat
	hasConversion
)

func (p *parser) field(l *literal) {
	mark, open := p.mark(), p.toks[p.i]
	p.enter()
	defer p.leave()
	p.next()
	p.yieldOrStars()
	if p.last().node == nStar {
		p.needs = max(p.needs, 12)
	}
	op, n := uint8(0), 1
	shown := p.src[open.end:p.toks[p.i].start]
	if p.accept(tAssign) {
		op |= isShown
		shown = p.src[open.end:p.toks[p.i].start]
	} else if shown = bytes.TrimRight(shown, " \t\f\r\n"); !l.template {
		shown = nil
	}
	if bang := p.toks[p.i]; p.accept(tBang) {
		t := p.toks[p.i]
		if t.kind != tName || t.end-t.start != 1 || t.start != bang.end || bytes.IndexByte([]byte("rsa"), p.src[t.start]) < 0 {
			p.fail("no conversion")
			return
		}
		op |= hasConversion | p.src[t.start]<<3 // r, s and a differ in their low bits
		p.next()
	}
	if p.accept(tSpec) {
		op |= hasFormat
		s, format := sequence{lo: len(p.store)}, *l
		format.template = false // fields in a format are evaluated, not shown
		p.pieces(&s, &format)
		p.part(&s)
		n += s.n
	}
	lo := len(p.store)
	p.store = p.newlines(shown)
	hi := len(p.store)
	p.expect(tFieldClose)
	if p.why == "" {
		p.emit(nField, op, n, mark, open.start)
		e := p.last()
		e.kept, e.lo, e.hi = true, uint32(lo), uint32(hi)
	}
}

// newlines appends text to the store with its line ends as LF.
func (p *parser) newlines(text []byte) []byte {
	out := p.store
	for i, c := range text {
		switch {
		case c != '\r':
			out = append(out, c)
		case i+1 == len(text) || text[i+1] != '\n':
			out = append(out, '\n')
		}
	}
	return out
}

// unescape appends the value of a body to the store. braces says that two
// braces may stand for one.
func (p *parser) unescape(body []byte, l *literal, braces bool) {
	if l.bytes && !isASCII(body) {
		p.fail("bytes above ASCII")
		return
	}
	for len(body) > 0 {
		n := bytes.IndexAny(body, "\\\r{}")
		if n < 0 {
			p.store = append(p.store, body...)
			return
		}
		p.store = append(p.store, body[:n]...)
		body = body[n:]
		c := body[0]
		doubled := len(body) > 1 && body[1] == c
		used, why := 1, ""
		switch {
		case c == '\\' && !l.raw:
			used, why = p.escape(body, l)
		case c == '\r':
			p.store = append(p.store, '\n')
			if len(body) > 1 && body[1] == '\n' {
				used = 2
			}
		default:
			p.store = append(p.store, c)
			if braces && doubled && c != '\\' {
				used = 2
			}
		}
		if why != "" {
			p.fail(why)
			return
		}
		body = body[used:]
	}
}

// escapes holds the values of the escapes of one letter; 0 is none.
var escapes = [256]byte{
	'\\': '\\', '\'': '\'', '"': '"', 'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
}

// escape appends the value of the escape at the start of body to the store and
// returns the length of the escape. An unknown escape stands for itself.
func (p *parser) escape(body []byte, l *literal) (n int, why string) {
	if len(body) < 2 {
		p.store = append(p.store, '\\')
		return 1, ""
	}
	c := body[1]
	if v := escapes[c]; v != 0 {
		p.store = append(p.store, v)
		return 2, ""
	}
	switch c {
	case '\n':
		return 2, ""
	case '\r':
		if len(body) > 2 && body[2] == '\n' {
			return 3, ""
		}
		return 2, ""
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return p.octal(body, l), ""
	case 'x':
		return p.hex(body, 2, l)
	}
	if !l.bytes {
		switch c {
		case 'u':
			return p.hex(body, 4, l)
		case 'U':
			return p.hex(body, 8, l)
		case 'N':
			return p.namedCharacter(body)
		}
	}
	p.store = append(p.store, '\\')
	return 1, ""
}

func (p *parser) octal(body []byte, l *literal) int {
	n := 2
	for n < 4 && n < len(body) && body[n] >= '0' && body[n] <= '7' {
		n++
	}
	v, _ := strconv.ParseUint(string(body[1:n]), 8, 16)
	p.character(uint32(v), l)
	return n
}

func (p *parser) hex(body []byte, digits int, l *literal) (n int, why string) {
	if len(body) < 2+digits {
		return 0, "an escape is cut short"
	}
	v, err := strconv.ParseUint(string(body[2:2+digits]), 16, 32)
	if err != nil || v > utf8.MaxRune {
		return 0, "an escape is no character"
	}
	p.character(uint32(v), l)
	return 2 + digits, ""
}

// character appends a character, or a byte, to the store. Half of a surrogate
// pair is written as if it were a character: no source holds one.
func (p *parser) character(v uint32, l *literal) {
	switch {
	case l.bytes:
		p.store = append(p.store, byte(v))
	case v >= 0xd800 && v < 0xe000:
		p.store = append(p.store, 0xed, byte(0x80|v>>6&0x3f), byte(0x80|v&0x3f))
	default:
		p.store = utf8.AppendRune(p.store, rune(v))
	}
}

// namedCharacter appends a character that is given by its name: the name in capitals
// between bytes that no text holds.
func (p *parser) namedCharacter(body []byte) (n int, why string) {
	end := bytes.IndexByte(body, '}')
	if len(body) < 3 || body[2] != '{' || end < 4 {
		return 0, "an escape has no name"
	}
	p.store = append(p.store, 0xff)
	p.store = append(p.store, bytes.ToUpper(body[3:end])...)
	p.store = append(p.store, 0xfe)
	return end + 1, ""
}
