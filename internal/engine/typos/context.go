package typos

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plausible reports whether a hit is a word of running text or of a name
// somebody chose, and no part of an address, a path, encoded data, an escape
// or a word with letters that are not ASCII.
func plausible(text []byte, h hit) bool {
	w, id := h.word, h.ident
	switch {
	case abbreviation(text, h):
		return false
	case w.Start > id.Start && classes[text[w.Start-1]] == digit: // 6yuo
		return false
	case bytes.HasPrefix(text[w.End:], []byte("'t")): // doens't: the correction is another
		return false
	case escaped(text, id.Start) || besideLetter(text, id.Start, id.End):
		return false
	}
	return !encoded(text, id.Start, id.End) && !address(text, id.Start, id.End) && !corrected(text, h)
}

// corrected reports whether the text itself corrects the word, as a list of
// changes does: wrong -> right, "wrong" to "right". It has to be wrong there.
func corrected(text []byte, h hit) bool {
	const quotes = "\"'`*_"
	rest := text[h.word.End:min(h.word.End+len(h.right)+32, len(text))]
	rest = bytes.TrimLeft(bytes.TrimLeft(rest, quotes), " ")
	for _, sign := range []string{"->", "=>", "\u2192", "to ", "by ", "with ", "into "} {
		if after, ok := bytes.CutPrefix(rest, []byte(sign)); ok {
			after = bytes.TrimLeft(bytes.TrimLeft(after, " "), quotes)
			return len(after) >= len(h.right) && strings.EqualFold(string(after[:len(h.right)]), h.right)
		}
	}
	return false
}

// abbreviation: a short part of an identifier, a code or a name: clsBuf, ERRNO, Nto.
func abbreviation(text []byte, h hit) bool {
	n := h.word.End - h.word.Start
	if classes[text[h.word.Start+1]] == upper {
		return n <= minPart
	}
	return n < minPart && h.word != h.ident || n == minWord && classes[text[h.word.Start]] == upper
}

// escaped: \nname, %sname, &name; and @name are no words.
func escaped(text []byte, start int) bool {
	return start > 0 && bytes.IndexByte([]byte(`\%&@`), text[start-1]) >= 0
}

// besideLetter reports whether a letter or mark outside ASCII touches the word.
func besideLetter(text []byte, start, end int) bool {
	if start > 0 && text[start-1] >= utf8.RuneSelf {
		if r, _ := utf8.DecodeLastRune(text[max(start-utf8.UTFMax, 0):start]); isLetter(r) {
			return true
		}
	}
	if end < len(text) && text[end] >= utf8.RuneSelf {
		if r, _ := utf8.DecodeRune(text[end:]); isLetter(r) {
			return true
		}
	}
	return false
}

// isLetter leaves out the scripts that are written without blanks: an English
// word among them stands alone.
func isLetter(r rune) bool {
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) || unicode.IsMark(r)
}

// encoded reports whether the run of base64 characters around the word looks
// like data: letters and digits take turns in it.
func encoded(text []byte, start, end int) bool {
	isData := func(c byte) bool { return classes[c] != other || c == '+' || c == '/' || c == '=' || c == '-' }
	for start > 0 && isData(text[start-1]) {
		start--
	}
	for end < len(text) && isData(text[end]) {
		end++
	}
	turns := 0
	for i := start + 1; i < end; i++ {
		if (classes[text[i-1]] == digit) != (classes[text[i]] == digit) {
			turns++
		}
	}
	return end-start >= 16 && turns >= 5 || end-start >= 200
}

// address reports whether the word belongs to a URL, a mail address, a host
// name or a path.
func address(text []byte, start, end int) bool {
	isPart := func(c byte) bool { return c > ' ' && bytes.IndexByte([]byte("\"'`<>()[]{}|,;"), c) < 0 }
	s, e := start, end
	for s > 0 && start-s < maxLine && isPart(text[s-1]) {
		s--
	}
	for e < len(text) && e-end < maxLine && isPart(text[e]) {
		e++
	}
	return isAddress(text[s:e]) || host(text, end)
}

func isAddress(chunk []byte) bool {
	switch {
	case bytes.HasPrefix(chunk, []byte("www.")), bytes.HasPrefix(chunk, []byte("~/")), bytes.Count(chunk, []byte("/")) >= 2:
		return true
	case bytes.HasPrefix(chunk, []byte("/")):
		return bytes.IndexByte(chunk, '.') > 0
	}
	return bytes.IndexByte(chunk, '@') > 0 && bytes.IndexByte(chunk, '.') > 0
}

// host reports whether .com or the like follows the word.
func host(text []byte, end int) bool {
	rest, ok := bytes.CutPrefix(text[end:min(end+16, len(text))], []byte("."))
	if !ok {
		return false
	}
	n := 0
	for n < len(rest) && classes[rest[n]] == lower {
		n++
	}
	switch string(rest[:n]) {
	case "com", "net", "org", "edu", "gov", "io", "dev", "de", "fr", "it", "es", "nl", "info", "eu", "uk":
		return true
	}
	return false
}
