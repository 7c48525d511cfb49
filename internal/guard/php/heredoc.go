package php

import (
	"bytes"
	"encoding/binary"
)

// maxNested is how deep strings and code may stand in each other before code is
// compared as it is written.
const maxNested = 8

// interpolated is the text of a heredoc with a digest in the place of the code
// in braces, whose layout is free.
func (l *lexer) interpolated(value []byte) []byte {
	var out []byte
	for {
		i := bytes.Index(value, []byte("{$"))
		if i < 0 || l.nested >= maxNested {
			return append(out, value...)
		}
		end := codeEnd(value, i+1)
		if end < 0 || escaped(value, i) {
			out, value = append(out, value[:i+1]...), value[i+1:]
			continue
		}
		code := value[i+1 : end]
		out = append(append(out, value[:i]...), 0xff, '{')
		out = append(append(out, l.digest(code)...), '}')
		value = value[end+1:]
	}
}

// digest returns the same for two pieces of code that mean the same; the code
// itself if it cannot be read.
func (l *lexer) digest(code []byte) []byte {
	r := &reader{lexer: lexer{src: append([]byte("<?php "), code...), nested: l.nested + 1}}
	r.run()
	if r.bad != "" {
		return code
	}
	var out []byte
	for _, e := range append(r.events, r.comments...) {
		out = binary.LittleEndian.AppendUint64(out, e.Sum)
	}
	return out
}

// escaped reports whether an odd number of backslashes stands before an offset.
func escaped(text []byte, at int) bool {
	n := 0
	for at > n && text[at-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// codeEnd returns the offset of the brace that closes the code at one; -1 if
// there is none, or a string in it that is hard to tell.
func codeEnd(text []byte, at int) int {
	for depth := 0; at < len(text); at++ {
		switch text[at] {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return at
			}
			depth--
		case '\'', '"':
			end := stringEnd(text, at)
			if end < 0 {
				return -1
			}
			at = end
		}
	}
	return -1
}

// stringEnd returns the offset of the quote that closes the string at one.
func stringEnd(text []byte, at int) int {
	quote := text[at]
	for at++; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case quote:
			return at
		}
	}
	return -1
}
