package engine

// Nests reports whether brackets of text nest deeper than most. Those in
// strings and comments count too: it is meant for texts over which a library
// with a small stack has failed, or would.
func Nests(text []byte, most int) bool {
	depth := 0
	for _, c := range text {
		switch c {
		case '(', '[', '{':
			if depth++; depth > most {
				return true
			}
		case ')', ']', '}':
			depth = max(0, depth-1)
		}
	}
	return false
}
