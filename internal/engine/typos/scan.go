package typos

import (
	"bytes"

	"poly/internal/diag"
)

const (
	maxFile = 1 << 20 // larger files are data
	maxLine = 2000    // longer lines are data
	maxHits = 200     // a file with more different misspellings is a list of them
)

// class of a byte: what it does to words.
type class uint8

const (
	other class = iota
	lower
	upper
	digit
	underscore
)

// classes is a table, made by a function of constants only.
var classes = func() (t [256]class) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z':
			t[c] = lower
		case 'A' <= c && c <= 'Z':
			t[c] = upper
		case '0' <= c && c <= '9':
			t[c] = digit
		case c == '_':
			t[c] = underscore
		}
	}
	return t
}()

// hit is a word of the text that is in the dictionary.
type hit struct {
	word, ident diag.Span // bounds of the word and of the identifier around it
	right       string    // in lower case
}

// scan calls found for every word of text that d knows, in order, until it
// returns false. It looks at nothing but letters: whether a hit counts is for
// the caller to say.
func scan(d *dictionary, text []byte, found func(hit) bool) {
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += at
		}
		if end-at < maxLine && !scanLine(d, text, at, end, found) {
			return
		}
		at = end + 1
	}
}

func scanLine(d *dictionary, text []byte, at, end int, found func(hit) bool) bool {
	for at < end {
		if classes[text[at]] == other {
			at++
			continue
		}
		start := at
		for at < end && classes[text[at]] != other {
			at++
		}
		if at-start >= minWord && !scanIdent(d, text, start, at, found) {
			return false
		}
	}
	return true
}

// scanIdent looks up the words of an identifier: aLower, HTTPServer, snake_case.
func scanIdent(d *dictionary, text []byte, start, end int, found func(hit) bool) bool {
	ident := diag.Span{Start: start, End: end}
	for at := start; at < end; {
		if c := classes[text[at]]; c != lower && c != upper {
			at++
			continue
		}
		word := at
		var h uint32
		at, h = wordEnd(text, at, end)
		if n := at - word; n < minWord || n > maxWord {
			continue
		}
		if right, ok := d.find(text[word:at], h); ok {
			if !found(hit{diag.Span{Start: word, End: at}, ident, right}) {
				return false
			}
		}
	}
	return true
}

// wordEnd returns the end of the word that starts at a letter, and its hash.
func wordEnd(text []byte, at, end int) (int, uint32) {
	first := classes[text[at]]
	h := hashNext(hashStart, text[at])
	at++
	if first == upper && at < end && classes[text[at]] == upper {
		// A run of capitals; its last begins a word if a small letter follows.
		for at < end && classes[text[at]] == upper && (at+1 >= end || classes[text[at+1]] != lower) {
			h = hashNext(h, text[at])
			at++
		}
		return at, h
	}
	for at < end && classes[text[at]] == lower {
		h = hashNext(h, text[at])
		at++
	}
	return at, h
}
