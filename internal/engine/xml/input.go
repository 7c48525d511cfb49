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

func isNameStart(r rune) bool {
	switch {
	case r < 0x80:
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' || r == ':'
	case r < 0x2000:
		return r >= 0xc0 && r != 0xd7 && r != 0xf7 && r != 0x37e && (r < 0x300 || r >= 0x370)
	}
	return r == 0x200c || r == 0x200d || 0x2070 <= r && r <= 0x218f || 0x2c00 <= r && r <= 0x2fef || 0x3001 <= r && r <= 0xd7ff ||
		0xf900 <= r && r <= 0xfdcf || 0xfdf0 <= r && r <= 0xfffd && r != utf8.RuneError || 0x10000 <= r && r <= 0xeffff
}

func isNameChar(r rune) bool {
	return isNameStart(r) || '0' <= r && r <= '9' || r == '-' || r == '.' || r == 0xb7 || 0x300 <= r && r <= 0x36f || r == 0x203f || r == 0x2040
}
