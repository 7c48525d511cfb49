package xml

import (
	"bytes"
	"unicode/utf8"

	"poly/internal/engine"
)

const mark = "\xef\xbb\xbf"

// notJudged tells why a file cannot be judged, "" if it can.
func notJudged(src engine.Source) string {
	text := src.Text
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) || bytes.HasPrefix(text, []byte("<\x00")) {
		return "UTF-16"
	}
	text = bytes.TrimPrefix(text, []byte(mark))
	if !utf8.Valid(text) {
		return "not UTF-8"
	}
	if start := bytes.TrimLeft(text, " \t\r\n"); pathClass(src.Path) != "" && !bytes.HasPrefix(start, []byte("<")) {
		return "does not start as XML does"
	}
	return ""
}

// isChar reports whether XML 1.0 allows a character.
func isChar(r rune) bool {
	switch {
	case r < 0x20:
		return r == '\t' || r == '\n' || r == '\r'
	case r < 0xd800:
		return true
	}
	return 0xe000 <= r && r <= 0xfffd || 0x10000 <= r && r <= 0x10ffff
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// nameStarts are the ranges of characters that begin a name, above ASCII.
var nameStarts = [...][2]rune{
	{0xc0, 0xd6},
	{0xd8, 0xf6},
	{0xf8, 0x2ff},
	{0x370, 0x37d},
	{0x37f, 0x1fff},
	{0x200c, 0x200d},
	{0x2070, 0x218f},
	{0x2c00, 0x2fef},
	{0x3001, 0xd7ff},
	{0xf900, 0xfdcf},
	{0xfdf0, 0xfffc},
	{0x10000, 0xeffff},
}

func isNameStart(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' || r == ':'
	}
	for _, n := range nameStarts {
		if r <= n[1] {
			return r >= n[0]
		}
	}
	return false
}

func isNameChar(r rune) bool {
	return isNameStart(r) || '0' <= r && r <= '9' || r == '-' || r == '.' || r == 0xb7 || 0x300 <= r && r <= 0x36f || r == 0x203f || r == 0x2040
}
