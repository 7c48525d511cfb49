package typos

import "bytes"

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
	for i := 0; i < len(text); {
		start, marked := i, false
		for i < len(text) {
			if n := marks(text[i:]); n > 0 {
				marked = true
				i += n
			} else if c := classes[text[i]]; c == lower || c == upper {
				i++
			} else {
				break
			}
		}
		switch {
		case i == start:
			i++ // no letter
		case marked || signOf(text[start:i]) < 0:
			theirs++
		case signOf(text[start:i]) > 0:
			ours++
		}
	}
	return ours, theirs
}

// marks returns the length of the letter at the start of text if it is one of
// U+00C0 to U+017F, Latin with a mark, else 0.
func marks(text []byte) int {
	if len(text) < 2 || text[0] < 0xc3 || text[0] > 0xc5 || text[1]&0xc0 != 0x80 {
		return 0
	}
	if text[0] == 0xc3 && (text[1] == 0x97 || text[1] == 0xb7) { // × ÷
		return 0
	}
	return 2
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
