package dockerfile

import (
	"bytes"
)

// maxTriggers bounds ONBUILD in ONBUILD.
const maxTriggers = 2

// instruction emits an instruction from its text in one line.
func (r *reader) instruction(at int, text []byte, depth int) {
	name, rest := cutWord(text)
	keyword := string(bytes.ToUpper(name))
	r.emit("an instruction", at, []byte(keyword))
	switch keyword {
	case "ONBUILD":
		if depth < maxTriggers {
			r.instruction(at, rest, depth+1)
			return
		}
	case "HEALTHCHECK":
		rest = r.flags(at, rest)
		r.instruction(at, rest, maxTriggers)
		return
	case "ENV", "LABEL":
		r.pairs(at, rest)
		return
	case "FROM":
		rest = alias(rest)
	case "ARG", "CMD", "ENTRYPOINT", "SHELL", "RUN", "COPY", "ADD", "VOLUME":
		rest = r.flags(at, rest)
		if list, ok := stringList(rest); ok {
			r.emit("a list", at, list)
			return
		}
	}
	words := r.words(rest)
	r.emit("an argument", at, bytes.Join(words, []byte(" ")))
	if keyword == "RUN" || keyword == "COPY" || keyword == "ADD" {
		r.heredocs(words)
	}
}

// cutWord returns the first word of a text and what follows it.
func cutWord(text []byte) (word, rest []byte) {
	i := bytes.IndexAny(text, blanks)
	if i < 0 {
		return text, nil
	}
	return text[:i], bytes.Trim(text[i:], blanks)
}

// flags emits the flags a text starts with and returns what follows them.
func (r *reader) flags(at int, text []byte) []byte {
	for bytes.HasPrefix(text, []byte("--")) {
		n := r.wordEnd(text)
		r.emit("a flag", at, text[:n])
		text = bytes.Trim(text[n:], blanks)
	}
	return text
}

// wordEnd returns the end of the word a text starts with: the first blank that
// is neither quoted nor escaped.
func (r *reader) wordEnd(text []byte) int {
	var quote byte
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quote != 0 && b == quote:
			quote = 0
		case quote != '\'' && b == r.escape && i+1 < len(text):
			i++
		case quote != 0:
		case b == '"' || b == '\'':
			quote = b
		case bytes.IndexByte([]byte(blanks), b) >= 0:
			return i
		}
	}
	return len(text)
}

// words returns the words of a text.
func (r *reader) words(text []byte) [][]byte {
	var out [][]byte
	for text = bytes.Trim(text, blanks); len(text) > 0; {
		n := r.wordEnd(text)
		out = append(out, text[:n])
		text = bytes.TrimLeft(text[n:], blanks)
	}
	return out
}

// alias writes the keyword before the name of a stage in upper case.
func alias(text []byte) []byte {
	words := bytes.Fields(text)
	if n := len(words); n > 2 && bytes.EqualFold(words[n-2], []byte("as")) {
		words[n-2] = []byte("AS")
	}
	return bytes.Join(words, []byte(" "))
}

// stringList returns the strings of a list in brackets as they are written, if
// the text is one as JSON has it.
func stringList(text []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(text, []byte("["))
	if !ok {
		return nil, false
	}
	out := []byte{'['}
	rest = bytes.TrimLeft(rest, blanks)
	for first := true; ; first = false {
		if bytes.Equal(rest, []byte("]")) && (first || out[len(out)-1] == '"') {
			return out, true
		}
		if !first {
			if rest, ok = bytes.CutPrefix(rest, []byte(",")); !ok {
				return nil, false
			}
			rest = bytes.TrimLeft(rest, blanks)
		}
		n := stringEnd(rest)
		if n == 0 {
			return nil, false
		}
		out = append(out, rest[:n]...)
		rest = bytes.TrimLeft(rest[n:], blanks)
	}
}

// stringEnd returns the end of the string of JSON a text starts with, 0 if there
// is none.
func stringEnd(text []byte) int {
	if len(text) == 0 || text[0] != '"' {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// pairs emits what ENV and LABEL set. Where the first word has no `=`, it is the
// name, and all that follows is the value.
func (r *reader) pairs(at int, text []byte) {
	words := r.words(text)
	if len(words) > 0 && bytes.IndexByte(words[0], '=') < 0 {
		value := bytes.Trim(text[len(words[0]):], blanks)
		r.emit("a name", at, r.value(words[0]))
		r.emit("a value", at, r.value(value))
		return
	}
	for _, w := range words {
		name, value, ok := bytes.Cut(w, []byte("="))
		if !ok {
			r.emit("a word", at, w)
			continue
		}
		r.emit("a name", at, r.value(name))
		r.emit("a value", at, r.value(value))
	}
}

// value returns a word without its quotes. What is no reference to a variable
// because it was quoted or escaped keeps a backslash.
func (r *reader) value(word []byte) []byte {
	out := make([]byte, 0, len(word))
	var quote byte
	for i := 0; i < len(word); i++ {
		b := word[i]
		switch {
		case quote != 0 && b == quote:
			quote = 0
		case quote == 0 && (b == '"' || b == '\''):
			quote = b
		case quote == '\'' && b == '$':
			out = append(out, 0xff, '$')
		case quote != '\'' && b == r.escape && i+1 < len(word):
			i++
			out = append(out, r.escaped(word[i], quote)...)
		default:
			out = append(out, b)
		}
	}
	return out
}

// escaped returns what an escaped character stands for.
func (r *reader) escaped(b, quote byte) []byte {
	switch {
	case b == '$':
		return []byte{0xff, '$'}
	case quote == '"' && b != '"' && b != r.escape:
		return []byte{r.escape, b}
	}
	return []byte{b}
}

// heredocs emits the here-documents that the words of an instruction announce.
func (r *reader) heredocs(words [][]byte) {
	for _, w := range words {
		name, tabs, ok := heredoc(w)
		if !ok {
			continue
		}
		start := r.at
		var body []byte
		for ended := false; !ended; {
			if r.at >= len(r.src) {
				r.fail(start, "a here-document that does not end")
				return
			}
			line := r.line()
			if tabs {
				line = bytes.TrimLeft(line, "\t")
			}
			ended = bytes.Equal(line, name)
			body = append(append(body, line...), '\n')
		}
		r.emit("a here-document", start, body)
	}
}

// heredoc returns the word that ends the here-document which a word announces.
func heredoc(word []byte) (name []byte, tabs, ok bool) {
	word = bytes.TrimLeft(word, "0123456789")
	word, ok = bytes.CutPrefix(word, []byte("<<"))
	if !ok {
		return nil, false, false
	}
	word, tabs = bytes.CutPrefix(word, []byte("-"))
	name = bytes.Map(func(r rune) rune {
		if r == '"' || r == '\'' {
			return -1
		}
		return r
	}, word)
	return name, tabs, len(name) > 0 && bytes.IndexByte(name, '<') < 0
}
