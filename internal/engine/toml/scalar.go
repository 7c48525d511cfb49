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
	if end == start {
		return p.unexpected("a value")
	}
	p.at = end
	word := string(p.src[start:end])
	ok := word == "true" || word == "false" || number(word)
	if !ok && timelike(word) {
		ok = moment(word)
	}
	if ok {
		return nil
	}
	title, help := complain(word)
	return &fault{start: start, end: end, title: "`" + visible([]byte(word)) + "` is " + title, help: help}
}

// timelike reports whether s starts as a date or a time does.
func timelike(s string) bool {
	return len(s) > 2 && s[2] == ':' || len(s) > 4 && s[4] == '-' && digit(s[0])
}

// complain tells what a word that is no value was meant to be.
func complain(word string) (title, help string) {
	switch {
	case timelike(word):
		return "no date or time", "Dates are written 1979-05-27, times 07:32:00, both with a `T` between them."
	case strings.EqualFold(word, "true") || strings.EqualFold(word, "false"):
		return "no boolean", "Write it in small letters."
	case digit(word[0]) || strings.IndexByte("+-.", word[0]) >= 0:
		return "no number", "Numbers have no leading zeros and digits on both sides of a point; quote text."
	}
	return "no value", "Quote text."
}

// token returns the end of what may be one scalar.
func (p *parser) token(at int) int {
	for at < len(p.src) && (bare(p.src[at]) || p.src[at] >= utf8.RuneSelf || bytes.IndexByte([]byte("+.:"), p.src[at]) >= 0) {
		at++
	}
	return at
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

const decimal = "0123456789"

// number reports whether s is an integer or a float.
func number(s string) bool {
	if len(s) > 2 && s[0] == '0' {
		switch s[1] {
		case 'x':
			return digits(s[2:], decimal+"abcdefABCDEF")
		case 'o':
			return digits(s[2:], "01234567")
		case 'b':
			return digits(s[2:], "01")
		}
	}
	s = unsigned(s)
	if s == "inf" || s == "nan" {
		return true
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		if !digits(unsigned(s[i+1:]), decimal) {
			return false
		}
		s = s[:i]
	}
	whole, fraction, float := strings.Cut(s, ".")
	return digits(whole, decimal) && (whole == "0" || whole[0] != '0') && (!float || digits(fraction, decimal))
}

// unsigned is s without a sign.
func unsigned(s string) string {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[1:]
	}
	return s
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
