package json

import (
	"bytes"
	"fmt"
)

// numeral reads a number. Its value is never computed: there is no limit to it.
func (s *scanner) numeral() (token, *fault) {
	start := s.at
	i := start
	if c := s.src[i]; c == '-' || c == '+' {
		i++
	}
	n, why := s.magnitude(i)
	if why == "" && n < len(s.src) {
		// `1a`, `1.2.3` and `0x1G` are one bad number, not two tokens.
		if e := s.tail(n); e > n {
			n, why = e, "Malformed number"
		}
	}
	if why != "" {
		n = max(s.tail(n), start+1)
		return token{}, &fault{start, n, fmt.Sprintf("%s %s", why, show(s.src[start:n])), ""}
	}
	s.at = n
	return token{number, start, n}, nil
}

// magnitude reads a number without its sign from i.
func (s *scanner) magnitude(i int) (next int, why string) {
	rest := s.src[i:]
	if s.json5 {
		for _, w := range []string{"Infinity", "NaN"} {
			if bytes.HasPrefix(rest, []byte(w)) {
				return i + len(w), ""
			}
		}
		if len(rest) > 1 && rest[0] == '0' && rest[1]|0x20 == 'x' {
			n := i + 2
			for n < len(s.src) && hexDigits(s.src, n, 1) {
				n++
			}
			if n == i+2 {
				return n, "Hexadecimal number without digits"
			}
			return n, ""
		}
	}
	return s.decimal(i)
}

func (s *scanner) decimal(i int) (next int, why string) {
	n := s.digits(i)
	whole := n - i
	if whole > 1 && s.src[i] == '0' {
		return n, "Leading zero in number"
	}
	if whole == 0 && !s.json5 {
		return n, "Malformed number"
	}
	if n < len(s.src) && s.src[n] == '.' {
		m := s.digits(n + 1)
		if m == n+1 && (!s.json5 || whole == 0) {
			return m, "No digit after the point of number"
		}
		whole += m - n
		n = m
	}
	if whole == 0 {
		return n, "Malformed number"
	}
	return s.exponent(n)
}

func (s *scanner) exponent(n int) (next int, why string) {
	if n == len(s.src) || s.src[n]|0x20 != 'e' {
		return n, ""
	}
	n++
	if n < len(s.src) && (s.src[n] == '+' || s.src[n] == '-') {
		n++
	}
	next = s.digits(n)
	if next == n {
		return n, "No digit in the exponent of number"
	}
	return next, ""
}

func (s *scanner) digits(i int) int {
	for i < len(s.src) && digit(s.src[i]) {
		i++
	}
	return i
}

// tail returns the end of what a reader sees as the rest of the number at i.
func (s *scanner) tail(i int) int {
	for i < len(s.src) {
		c := s.src[i]
		if c == '.' || digit(c) {
			i++
			continue
		}
		n := s.identifier(i)
		if n == i {
			break
		}
		i = n
	}
	return i
}
