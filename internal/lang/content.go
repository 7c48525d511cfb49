package lang

import (
	"bytes"
	"unicode/utf8"
)

// Content tells why no engine should look at text: "binary file", "UTF-16
// text", "UTF-32 text", "Git LFS pointer" or "not valid UTF-8". "" means that
// it is text.
func Content(text []byte) (reason string) {
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(text, []byte("\x00\x00\xfe\xff")):
		return "UTF-32 text"
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return "UTF-16 text"
	case lfsPointer(text):
		return "Git LFS pointer"
	case bytes.IndexByte(text[:min(len(text), binaryLen)], 0) >= 0:
		return "binary file"
	case !utf8.Valid(text):
		if controls(text) {
			return "binary file"
		}
		return "not valid UTF-8"
	}
	return ""
}

// binaryLen is how far git looks for a NUL byte.
const binaryLen = 8000

// lfsPointer reports whether text is the pointer file that Git LFS leaves in
// place of content it has not fetched.
func lfsPointer(text []byte) bool {
	if len(text) > 1024 || !bytes.HasPrefix(text, []byte("version https://git-lfs.github.com/spec/v1\n")) {
		return false
	}
	return bytes.Contains(text, []byte("\noid sha256:")) && bytes.Contains(text, []byte("\nsize "))
}

// controls reports whether text, which is not UTF-8, has more control
// characters in its first bytes than any legacy encoding of text.
func controls(text []byte) bool {
	text = text[:min(len(text), binaryLen)]
	n := 0
	for _, c := range text {
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b || c == 0x7f {
			n++
		}
	}
	return n*50 > len(text)
}
