package editorconfig

import (
	"bytes"
	"strings"

	"poly/internal/lang"
)

// tracker follows what spans lines: strings, block comments, here documents,
// fenced and literal blocks. It knows no grammar, only what opens and closes.
type tracker struct {
	family  family
	open    string // what closes what is open; "" outside
	comment bool   // a block comment is open
	heredoc bool   // open stands on a line of its own
	block   int    // YAML: a literal block is open, of lines with more blanks than this; -1: none
}

// family is what a language has of such things.
type family struct {
	line     []string // comments up to the end of the line
	block    [2]string
	quotes   string   // strings that end in their line
	long     string   // quotes of strings that may span lines
	triple   []string // longer quotes of strings that span lines
	heredocs bool
	fences   bool
	scalars  bool
}

func familyOf(l lang.ID) family {
	c := family{line: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"'`}
	switch l {
	case lang.Go, "javascript", lang.TypeScript, "jsx", "tsx", "d", "v", "vue", "svelte", "astro":
		c.long = "`"
	case "java", "kotlin", "swift", "scala", "groovy", "dart", "csharp":
		c.triple = []string{`"""`}
	case "c", "cpp", "objc", "rust", "php", "proto", "css", "scss", "less", "zig", "solidity", "verilog", "glsl", "cuda", "arduino", "devicetree", "thrift", "hack":
		if l == "php" {
			c.heredocs, c.long, c.quotes = true, `"'`, ""
			c.line = []string{"//", "#"}
		}
	case lang.Python, "cython", "starlark", "toml", "gdscript", "nim", "elixir", "julia":
		return family{line: []string{"#"}, quotes: `"'`, triple: []string{`"""`, `'''`}}
	case lang.Shell, "ruby", "perl", "crystal", "zsh", "fish":
		return family{line: []string{"#"}, long: `"'`, heredocs: true}
	case "hcl", lang.Dockerfile:
		return family{line: []string{"#", "//"}, quotes: `"`, heredocs: true}
	case "lua", "luau":
		return family{line: nil, quotes: `"'`, block: [2]string{"[[", "]]"}}
	case "sql":
		return family{line: []string{"--"}, block: c.block, long: `'"`}
	case lang.HTML, lang.XML, "angular":
		return family{block: [2]string{"<!--", "-->"}}
	case lang.YAML:
		return family{line: []string{" #"}, scalars: true}
	case lang.Markdown, lang.MDX, "quarto", "rst", "asciidoc":
		return family{fences: true}
	default:
		return family{}
	}
	return c
}

func newTracker(l lang.ID) tracker { return tracker{family: familyOf(l), block: -1} }

// lone reports whether a text has carriage returns alone: to one reader they
// are line ends and to another not.
func lone(text []byte) bool {
	return bytes.Count(text, []byte("\r")) != bytes.Count(text, []byte("\r\n"))
}

// next reads a line. starts: its beginning lies inside of something, so its
// indentation is not that of code; ends: its end lies in a string, a here
// document or a literal block, so blanks there are data.
func (t *tracker) next(line string) (starts, ends bool) {
	switch {
	case t.family.scalars:
		in := t.scalar(line)
		return in, in
	case t.family.fences:
		return t.fence(line)
	case t.heredoc:
		if strings.TrimLeft(line, " \t") == t.open {
			t.open, t.heredoc = "", false
			return true, false
		}
		return true, true
	}
	starts = t.open != ""
	t.scan(line)
	return starts, t.open != "" && !t.comment && !t.heredoc
}

// scan follows one line outside of here documents.
func (t *tracker) scan(line string) {
	heredoc := ""
	for i := 0; i < len(line); {
		rest := line[i:]
		if t.open != "" {
			if rest[0] == '\\' && !t.comment {
				i += 2
				continue
			}
			if strings.HasPrefix(rest, t.open) {
				i += len(t.open)
				t.open, t.comment = "", false
				continue
			}
			i++
			continue
		}
		n, end, word := t.opens(line, i)
		if end {
			break
		}
		if word != "" {
			heredoc = word
		}
		i += n
	}
	if heredoc != "" && t.open == "" {
		t.open, t.heredoc = heredoc, true
	}
}

// opens looks at what starts at i, outside of everything: how long it is,
// whether it is a comment up to the end of the line, the word that closes a
// here document.
func (t *tracker) opens(line string, i int) (n int, end bool, heredoc string) {
	f, rest := &t.family, line[i:]
	if f.comments(line, i) {
		return 0, true, ""
	}
	if f.block[0] != "" && strings.HasPrefix(rest, f.block[0]) {
		t.open, t.comment = f.block[1], f.block[0] != "[[" // those are strings
		return len(f.block[0]), false, ""
	}
	for _, q := range f.triple {
		if strings.HasPrefix(rest, q) {
			t.open = q
			return len(q), false, ""
		}
	}
	c := rest[0]
	switch {
	case c == '\\':
		return 2, false, ""
	case strings.IndexByte(f.long, c) >= 0:
		t.open = string(c)
	case strings.IndexByte(f.quotes, c) >= 0:
		return closed(rest, c), false, ""
	case f.heredocs && strings.HasPrefix(rest, "<<"):
		n, word := heredocWord(rest)
		return n, false, word
	}
	return 1, false, ""
}

// comments reports whether a comment up to the end of the line starts at i.
func (f *family) comments(line string, i int) bool {
	for _, mark := range f.line {
		if strings.HasPrefix(line[i:], mark) && (mark != "#" || i == 0 || strings.IndexByte(" \t;", line[i-1]) >= 0) {
			return true
		}
	}
	return false
}

// closed returns the length of a string that starts with a quote and ends in
// its line; 1 if it does not end there: it is an apostrophe.
func closed(rest string, quote byte) int {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return 1
}

// heredocWord returns the length of "<<-'WORD'" and its word, "" if it is a shift.
func heredocWord(rest string) (n int, word string) {
	s := strings.TrimLeft(rest, "<")
	if len(rest)-len(s) > 3 {
		return len(rest) - len(s), ""
	}
	s = strings.TrimLeft(strings.TrimLeft(s, "-~"), " ")
	s = strings.TrimLeft(s, `"'\`)
	end := 0
	for end < len(s) && (s[end] == '_' || 'A' <= s[end] && s[end] <= 'Z' || 'a' <= s[end] && s[end] <= 'z' || end > 0 && '0' <= s[end] && s[end] <= '9') {
		end++
	}
	return len(rest) - len(s) + end, s[:end]
}

// fence follows the fenced blocks of documents.
func (t *tracker) fence(line string) (starts, ends bool) {
	s := strings.TrimLeft(line, " \t>")
	if t.open != "" {
		if strings.HasPrefix(s, t.open) && strings.Trim(strings.TrimSpace(s), t.open[:1]) == "" {
			t.open = ""
			return true, false
		}
		return true, true
	}
	n := 0
	for n < len(s) && s[n] == s[0] && (s[0] == '`' || s[0] == '~') {
		n++
	}
	if n >= 3 && !strings.Contains(s[n:], "`") {
		t.open = s[:n]
	}
	return false, false
}

// scalar follows block scalars of YAML: lines that are indented deeper than
// the one that ends with | or >.
func (t *tracker) scalar(line string) bool {
	s := strings.TrimLeft(line, " ")
	indent := len(line) - len(s)
	if t.block >= 0 {
		if s == "" || indent > t.block {
			return true
		}
		t.block = -1
	}
	code, _, _ := strings.Cut(s, " #")
	code = strings.TrimRight(code, " \t")
	i := strings.LastIndexAny(code, "|>")
	if i == 0 || i > 0 && code[i-1] == ' ' && strings.Trim(code[i+1:], "+-0123456789") == "" {
		t.block = indent
	}
	return false
}
