// Package shellfile parses shell scripts: which dialect a file is written in,
// and which texts the parser must not see because it would not come back. It
// never decides what a failure means; that is the engines' part.
package shellfile

import (
	"bytes"
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"poly/internal/lang"
)

// Variant returns the dialect a shell file is parsed as, and its name as
// [lang.Dialect] has it, "" where nothing tells and bash is assumed. A file
// name with the extension of a shell other than sh outranks the shebang, as it
// does for shfmt, unless a shellcheck directive speaks.
func Variant(path string, text []byte) (v syntax.LangVariant, dialect string) {
	dialect = lang.Dialect(path, text)
	switch dialect {
	case "bash":
		if strings.HasSuffix(path, ".bats") {
			dialect = "bats" // which is bash and more
			break
		}
		fallthrough
	case "", "sh":
		if hasBatsTest(text) {
			dialect = "bats"
		}
	}
	return ByName(dialect), dialect
}

// hasBatsTest reports whether a line starts a test of bats: @test "name" {.
func hasBatsTest(text []byte) bool {
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte("@test "))
		if i < 0 {
			return false
		}
		at += i
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		begin := bytes.LastIndexByte(text[:at], '\n') + 1
		if len(bytes.TrimSpace(text[begin:at])) == 0 && bytes.HasSuffix(bytes.TrimSpace(line), []byte("{")) {
			return true
		}
		at += len("@test ")
	}
}

// Foreign returns the program that the first line of a script names if it is
// none that the language shell is known by, as zunit, "" otherwise.
func Foreign(text []byte) string {
	if !bytes.HasPrefix(text, []byte("#!/")) {
		return ""
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if id := lang.Sniff("script", line); id == lang.Shell {
		return ""
	}
	words := strings.Fields(string(line[2:]))
	if len(words) == 2 && strings.HasSuffix(words[0], "/env") {
		words = words[1:]
	}
	if len(words) != 1 || strings.Contains(words[0], "$") || strings.Contains(words[0], "sh") {
		return "" // with options, or a shell of some kind
	}
	return words[0][strings.LastIndexByte(words[0], '/')+1:]
}

// ByName returns the variant for the name of a dialect. Shells the parser does
// not know, such as ksh, are read as bash.
func ByName(dialect string) syntax.LangVariant {
	switch dialect {
	case "sh", "dash", "posix", "ash", "busybox":
		return syntax.LangPOSIX
	case "mksh":
		return syntax.LangMirBSDKorn
	case "bats":
		return syntax.LangBats
	case "zsh":
		return syntax.LangZsh
	}
	return syntax.LangBash
}

// Limits of what is parsed. The parser keeps lines in 18 bits, and recurses for
// each level of nesting and each operator of a chain; no recover ends that.
// Nested brackets take it time in the square of their depth.
const (
	maxSize    = 2 << 20
	maxLines   = 1<<18 - 2
	maxBracket = 3000
	maxDepth   = 50_000
	maxChain   = 250_000
)

// The reasons not to parse a text.
var (
	ErrSize   = errors.New("too long for the shell parser")
	ErrBinary = errors.New("has NUL bytes")
	ErrDepth  = errors.New("nested too deeply")
)

// Parse reads text, which has no byte order mark, with its comments. The error
// is [ErrSize], [ErrBinary] or [ErrDepth] if the text was not given to the
// parser, else a [syntax.ParseError] or [syntax.LangError].
func Parse(text []byte, v syntax.LangVariant) (*syntax.File, error) {
	var p Parser
	return p.Parse(text, v)
}

// Parser is [Parse] for many texts, one after the other. Its zero value is ready.
type Parser struct{ of []parser }

type parser struct {
	variant syntax.LangVariant
	parser  *syntax.Parser
}

// Parse reads text as the function of that name does.
func (p *Parser) Parse(text []byte, v syntax.LangVariant) (*syntax.File, error) {
	switch {
	case len(text) > maxSize || bytes.Count(text, []byte{'\n'}) > maxLines:
		return nil, ErrSize
	case bytes.IndexByte(text, 0) >= 0:
		return nil, ErrBinary
	case deep(text):
		return nil, ErrDepth
	}
	return p.variant(v).Parse(bytes.NewReader(text), "")
}

func (p *Parser) variant(v syntax.LangVariant) *syntax.Parser {
	for _, k := range p.of {
		if k.variant == v {
			return k.parser
		}
	}
	k := parser{v, syntax.NewParser(syntax.KeepComments(true), syntax.Variant(v))}
	p.of = append(p.of, k)
	return k.parser
}

// Refused reports whether err says that the parser has not seen the text.
func Refused(err error) bool {
	return errors.Is(err, ErrSize) || errors.Is(err, ErrBinary) || errors.Is(err, ErrDepth)
}

// deep reports whether text may nest too deeply. It counts what may open and
// close a level, quoted or not: only texts nobody writes are refused for it.
func deep(text []byte) bool {
	if len(text) <= maxDepth && bytes.Count(text, []byte{'('})+bytes.Count(text, []byte{'{'})+bytes.Count(text, []byte{'['}) <= maxBracket {
		return false // the short way out of nearly all files
	}
	depth, run, chain := 0, 0, 0
	var last byte
	for _, c := range text {
		switch c {
		case '(', '{', '[':
			if depth++; depth > maxBracket {
				return true
			}
		case ')', '}', ']':
			depth = max(0, depth-1)
		case ' ', '\t', '\n', '\r', '\\':
			continue
		}
		if strings.IndexByte("|&+-*/%,=<>?:", c) >= 0 {
			chain++
		}
		// A run of one character may be prefix operators or back quotes.
		if c != last {
			last, run = c, 0
		}
		if run++; run > maxDepth && !isWord(c) && c != '#' {
			return true
		}
	}
	return chain > maxChain || tooManyOpen(text)
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '.' || c == '/'
}

// tooManyOpen looks at the words that open and close commands.
func tooManyOpen(text []byte) bool {
	depth := 0
	for word := range bytes.FieldsFuncSeq(text, func(r rune) bool { return r >= 0x80 || !isWord(byte(r)) }) {
		switch string(word) {
		case "if", "case", "while", "until", "for", "select", "elif", "time", "coproc", "function":
			if depth++; depth > maxDepth {
				return true
			}
		case "fi", "esac", "done":
			depth = max(0, depth-1)
		}
	}
	return false
}
