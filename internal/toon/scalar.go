package toon

import (
	"strconv"
	"strings"
)

func appendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// appendKey writes a member's name, quoted unless it is an identifier that may
// hold dots.
func appendKey(dst []byte, key string) []byte {
	plain := key != "" && key[0] != '.' && !digit(key[0])
	for i := 0; plain && i < len(key); i++ {
		c := key[i]
		plain = c == '_' || c == '.' || digit(c) || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	if plain {
		return append(dst, key...)
	}
	return appendQuoted(dst, key)
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func appendString(dst []byte, s string, delim byte) []byte {
	if mustQuote(s, delim) {
		return appendQuoted(dst, s)
	}
	return append(dst, s...)
}

// mustQuote reports whether s would read as something else without quotes.
func mustQuote(s string, delim byte) bool {
	switch s {
	case "", "true", "false", "null":
		return true
	}
	if s[0] == ' ' || s[len(s)-1] == ' ' || s[0] == '-' || s[0] == '#' {
		return true
	}
	for i := range len(s) {
		switch c := s[i]; c {
		case ':', '"', '\\', '[', ']', '{', '}', delim:
			return true
		default:
			if c < ' ' {
				return true
			}
		}
	}
	return numeric(s)
}

// numeric reports whether s looks like a number: [+-] digits [. digits] [e [+-] digits].
func numeric(s string) bool {
	s, ok := digits(strings.TrimPrefix(s, "+")) // a leading "-" is quoted anyway
	if !ok {
		return false
	}
	if rest, found := strings.CutPrefix(s, "."); found {
		if s, ok = digits(rest); !ok {
			return false
		}
	}
	if s != "" && s[0]|0x20 == 'e' {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		if s, ok = digits(s); !ok {
			return false
		}
	}
	return s == ""
}

// digits cuts leading digits off s; ok is false if there are none.
func digits(s string) (rest string, ok bool) {
	i := 0
	for i < len(s) && digit(s[i]) {
		i++
	}
	return s[i:], i > 0
}

func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			if c < ' ' {
				const hex = "0123456789abcdef"
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
				continue
			}
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// The range in which a number is written without an exponent: from 1e-6 to
// below 1e21, as the place of the decimal point relative to the first digit.
const (
	lowPoint  = -5
	highPoint = 21
)

// appendNumber writes a JSON number in canonical form.
func appendNumber(dst []byte, s string) []byte {
	text := s
	negative := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	exp := 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		var err error
		if exp, err = strconv.Atoi(s[i+1:]); err != nil || exp > 1<<30 || exp < -1<<30 {
			return appendQuoted(dst, text) // beyond any number type: kept as text
		}
		s = s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	all := whole + fraction
	point := len(whole) + exp // the value is 0.<all> * 10^point
	significant := strings.TrimLeft(all, "0")
	point -= len(all) - len(significant)
	significant = strings.TrimRight(significant, "0")
	if significant == "" {
		return append(dst, '0')
	}
	if negative {
		dst = append(dst, '-')
	}
	if point < lowPoint || point > highPoint {
		return appendExponent(dst, significant, point-1)
	}
	return appendPlain(dst, significant, point)
}

func appendPlain(dst []byte, significant string, point int) []byte {
	n := len(significant)
	switch {
	case point <= 0:
		dst = append(dst, '0', '.')
		dst = append(dst, strings.Repeat("0", -point)...)
		return append(dst, significant...)
	case point >= n:
		dst = append(dst, significant...)
		return append(dst, strings.Repeat("0", point-n)...)
	default:
		dst = append(dst, significant[:point]...)
		dst = append(dst, '.')
		return append(dst, significant[point:]...)
	}
}

func appendExponent(dst []byte, significant string, exp int) []byte {
	dst = append(dst, significant[0])
	if len(significant) > 1 {
		dst = append(dst, '.')
		dst = append(dst, significant[1:]...)
	}
	dst = append(dst, 'e')
	if exp > 0 {
		dst = append(dst, '+')
	}
	return appendInt(dst, exp)
}
