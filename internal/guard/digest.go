package guard

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Mix adds a text to a digest, so that different texts in the same places give
// different digests.
func Mix(h uint64, text []byte) uint64 {
	n := uint64(len(text))
	for ; len(text) >= 8; text = text[8:] {
		h = MixWord(h, binary.LittleEndian.Uint64(text))
	}
	var tail uint64
	for i, c := range text {
		tail |= uint64(c) << (8 * i)
	}
	return MixWord(MixWord(h, tail), n)
}

// MixWord adds a number to a digest.
func MixWord(h, w uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, w^0xd6e8feb86659fd93)
	return hi ^ lo ^ bits.RotateLeft64(h, 29)
}

// BlockComment digests a comment that starts with "/*" and ends with "*/",
// without the blanks and the stars that surround its lines; empty lines at its
// ends are nothing, others one.
func BlockComment(body []byte) uint64 {
	h := uint64('/')
	if body[2] == '*' {
		h = '*'
	}
	body = bytes.TrimRight(body[2:max(2, len(body)-2)], "* \t\r\n")
	for empty := true; len(body) > 0; {
		line, rest, _ := bytes.Cut(body, []byte("\n"))
		body = rest
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] == '*' {
			line = bytes.TrimPrefix(line[1:], []byte(" "))
		}
		if len(line) > 0 || !empty {
			h = Mix(h, line)
		}
		empty = len(line) == 0
	}
	return h
}
