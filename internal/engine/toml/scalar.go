package toml

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// scalar reads a boolean, a number or a time.
func (p *parser) scalar() *fault {
	start := p.at
	end := p.token(start)
	// A blank may stand between date and time.
	if isDate(p.src[start:end]) && end+1 < len(p.src) && p.src[end] == ' ' && digit(p.src[end+1]) {
		end = p.token(end + 1)
	}
	word := string(p.src[start:end])
	if word == "" {
		return p.unexpected("a value")
	}
	p.at = end
	fault := &fault{start: start, end: end}
	switch {
	case word == "true" || word == "false" || number(word):
		return nil
	case len(word) > 2 && word[2] == ':' || len(word) > 4 && word[4] == '-' && digit(word[0]):
		if moment(word) {
			return nil
		}
		fault.title, fault.help = "`"+visible([]byte(word))+"` is no date or time", "Dates are written 1979-05-27, times 07:32:00, both with a `T` between them."
	case strings.EqualFold(word, "true") || strings.EqualFold(word, "false"):
		fault.title, fault.help = "`"+word+"` is no boolean", "Write it in small letters."
	case digit(word[0]) || strings.IndexByte("+-.", word[0]) >= 0:
		fault.title, fault.help = "`"+visible([]byte(word))+"` is no number", "Numbers have no leading zeros and digits on both sides of a point; quote text."
	default:
		fault.title, fault.help = "`"+visible([]byte(word))+"` is no value", "Quote text."
	}
	return fault
}

// token returns the end of what may be one scalar.
func (p *parser) token(at int) int {
	for at < len(p.src) && (bare(p.src[at]) || p.src[at] >= utf8.RuneSelf || bytes.IndexByte([]byte("+.:"), p.src[at]) >= 0) {
		at++
	}
	return at
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// number reports whether s is an integer or a float.
func number(s string) bool {
	if len(s) > 2 && s[0] == '0' {
		switch s[1] {
		case 'x':
			return digits(s[2:], "0123456789abcdefABCDEF")
		case 'o':
			return digits(s[2:], "01234567")
		case 'b':
			return digits(s[2:], "01")
		}
	}
	if s[0] == '+' || s[0] == '-' {
		s = s[1:]
	}
	if s == "inf" || s == "nan" {
		return true
	}
	const decimal = "0123456789"
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		exponent := s[i+1:]
		if exponent != "" && (exponent[0] == '+' || exponent[0] == '-') {
			exponent = exponent[1:]
		}
		if !digits(exponent, decimal) {
			return false
		}
		s = s[:i]
	}
	whole, fraction, float := strings.Cut(s, ".")
	if float && !digits(fraction, decimal) {
		return false
	}
	return digits(whole, decimal) && (whole == "0" || whole[0] != '0')
}

// digits reports whether s has digits of set, and underscores between two of them.
func digits(s, set string) bool {
	last := byte('_')
	for i := range len(s) {
		if s[i] == '_' && last == '_' || s[i] != '_' && strings.IndexByte(set, s[i]) < 0 {
			return false
		}
		last = s[i]
	}
	return last != '_'
}

func isDate(b []byte) bool {
	rest, ok := date(string(b))
	return ok && rest == ""
}

// moment reports whether s is a date, a time, or both with or without an offset.
func moment(s string) bool {
	rest, ok := date(s)
	if !ok {
		rest, ok = clock(s)
		return ok && rest == ""
	}
	if rest == "" {
		return true
	}
	if strings.IndexByte("Tt ", rest[0]) < 0 {
		return false
	}
	if rest, ok = clock(rest[1:]); !ok {
		return false
	}
	switch {
	case rest == "" || rest == "Z" || rest == "z":
		return true
	case rest[0] != '+' && rest[0] != '-':
		return false
	}
	_, rest, ok = two(rest[1:], 0, 23)
	if !ok || rest == "" || rest[0] != ':' {
		return false
	}
	_, rest, ok = two(rest[1:], 0, 59)
	return ok && rest == ""
}

// date reads a date of the calendar.
func date(s string) (rest string, ok bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return s, false
	}
	year := 0
	for _, c := range []byte(s[:4]) {
		if !digit(c) {
			return s, false
		}
		year = 10*year + int(c-'0')
	}
	month, _, ok := two(s[5:7], 1, 12)
	if !ok {
		return s, false
	}
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		days = 29
	}
	_, _, ok = two(s[8:10], 1, days)
	return s[10:], ok
}

// clock reads a time of the day; seconds may be left out since 1.1.
func clock(s string) (rest string, ok bool) {
	if _, rest, ok = two(s, 0, 23); !ok || rest == "" || rest[0] != ':' {
		return s, false
	}
	if _, rest, ok = two(rest[1:], 0, 59); !ok {
		return s, false
	}
	if rest == "" || rest[0] != ':' {
		return rest, true
	}
	if _, rest, ok = two(rest[1:], 0, 60); !ok {
		return s, false
	}
	if rest != "" && rest[0] == '.' {
		n := 1
		for n < len(rest) && digit(rest[n]) {
			n++
		}
		return rest[n:], n > 1
	}
	return rest, true
}

// two reads two digits between least and most.
func two(s string, least, most int) (n int, rest string, ok bool) {
	if len(s) < 2 || !digit(s[0]) || !digit(s[1]) {
		return 0, s, false
	}
	n = 10*int(s[0]-'0') + int(s[1]-'0')
	return n, s[2:], least <= n && n <= most
}
