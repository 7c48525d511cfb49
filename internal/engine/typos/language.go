package typos

import (
	"bytes"
	"unicode/utf8"
)

// A word that is wrong in English may be right in another language. Before a
// hit counts, the text around it and then the whole file are asked which
// language they are in: by words that stand in every sentence of one language
// and in none of the others, and by letters English does not use.

// near is how many bytes before and after a hit count as its surroundings.
const near = 600

// english reports whether the text at a hit is in no other language for all
// one can tell: its line decides if it says anything, else its surroundings,
// else the file. Code without prose counts as English.
func english(text []byte, at int) bool {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	for _, part := range [...][]byte{line, text[max(at-near, 0):min(at+near, len(text))], text} {
		ours, theirs := evidence(part)
		switch {
		case ours > theirs:
			return true
		case theirs > ours && theirs >= 2: // one is as likely a name
			return false
		}
	}
	return true
}

// evidence counts the signs of English and of other languages.
func evidence(text []byte) (ours, theirs int) {
	start := -1
	foreign := false // the word has a Latin letter with a mark
	for i := 0; i <= len(text); i++ {
		var c byte
		if i < len(text) {
			c = text[i]
		}
		switch {
		case c == 0xc3 && i+1 < len(text) && utf8.RuneStart(c) && text[i+1] != 0x97 && text[i+1] != 0xb7, c == 0xc4, c == 0xc5:
			// U+00C0 to U+017F, but for the signs of multiplication and division.
			foreign = true
			i++
			if start < 0 {
				start = i
			}
			continue
		case classes[c] == lower || classes[c] == upper:
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			if foreign {
				theirs++
			} else if n := i - start; n >= 2 && n <= 6 {
				switch signOf(text[start:i]) {
				case 1:
					ours++
				case -1:
					theirs++
				}
			}
		}
		start, foreign = -1, false
	}
	return ours, theirs
}

// signOf tells the language of a word in small letters: 1 English, -1 another, 0 neither.
func signOf(word []byte) int {
	switch string(word) {
	case "the", "of", "to", "this", "that", "with", "are", "was", "be", "which", "you", "should", "when", "have", "from", "will", "can", "not", "if", "it":
		return 1
	case "der", "und", "nicht", "ist", "das", "dem", "ein", "eine", "mit", "auf", "sich", "auch", "wird", "oder", "wenn", "kann", // German
		"les", "des", "une", "dans", "pour", "avec", "sont", "pas", "qui", "que", "sur", "cette", "vous", "aux", // French
		"los", "las", "una", "del", "para", "como", "este", "esta", "puede", "sus", // Spanish
		"uma", "dos", "mais", "pelo", "sua", // Portuguese
		"che", "il", "sono", "della", "gli", "nel", "questo", "alla", "dei", // Italian
		"het", "een", "niet", "van", "voor", "zijn", "deze", "wordt", "naar", "bij", // Dutch
		"och", "att", "det", "som", "inte", "med", "og", "ikke", "til", "av", "eller", "ett", "kan", // Swedish, Danish, Norwegian
		"nie", "jest", "dla", "jak", "oraz", // Polish
		"els", "amb", "dels", // Catalan
		"yang", "dan", "untuk", "dengan", "bir", "ve", "bu": // Indonesian, Turkish
		return -1
	}
	return 0
}
