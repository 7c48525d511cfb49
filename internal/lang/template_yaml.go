package lang

import (
	"bytes"
	"strings"
)

// yamlScan walks over YAML far enough to know where a node may begin, and
// finds marks that stand where YAML would read a node instead of text.
type yamlScan struct {
	text  []byte
	pos   int
	quote byte // the quote a scalar is still open with, or 0
	block int  // indent of the node whose block scalar is open, or -1
	plain int  // indent of the node whose plain scalar may go on, or -1
	// begin: a node may begin at pos.
	begin bool
	flow  int
	// values: a file whose strings are templates although it is none itself.
	values bool
}

// findYAML returns the offset of the first mark that makes a YAML file a template, or -1.
func findYAML(path string, text []byte) int {
	if helmPath(path) && helmObject().Match(text) {
		if at := findGoAction(text); at >= 0 {
			return at
		}
	}
	s := &yamlScan{text: text, block: -1, plain: -1, values: helmValues().MatchString(path)}
	for s.pos < len(text) {
		if at := s.line(); at >= 0 {
			return at
		}
	}
	return -1
}

// helmValues matches the values of charts and the files of their tests, whose
// strings the chart renders later.
var helmValues = lazy(`(^|/)(ci|tests?|unittests)/|values[^/]*$`)

// findGoAction finds an action of text/template, quoted or not.
func findGoAction(text []byte) int {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte("{{"))
		if i < 0 {
			return -1
		}
		from += i
		if !dollar(text, from) && goAction(action(text[from:])) {
			return from
		}
		from += 2
	}
}

// line scans up to the next line and returns the offset of a mark, or -1.
func (s *yamlScan) line() int {
	end := len(s.text)
	if i := bytes.IndexByte(s.text[s.pos:], '\n'); i >= 0 {
		end = s.pos + i + 1
	}
	line := s.text[s.pos:end]
	if s.quote != 0 {
		return s.nodes(end)
	}
	content := bytes.TrimLeft(line, " ")
	indent := len(line) - len(content)
	if len(bytes.TrimSpace(content)) == 0 {
		s.pos = end
		return -1
	}
	if s.block >= 0 && indent >= s.block && !documentMark(line) {
		s.pos = end
		return -1
	}
	s.block = -1
	s.pos += indent
	goesOn := s.plain >= 0 && indent > s.plain
	if mark(content) && (!goesOn || controlMark().Match(content)) {
		return s.pos
	}
	s.begin = !goesOn
	if !goesOn {
		s.plain = -1
	}
	if bytes.HasPrefix(content, []byte("---")) {
		s.pos += 3
		indent = -1
	}
	return s.scan(indent, end)
}

// documentMark reports whether a line ends a document, whatever is open.
func documentMark(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))
}

// controlMark matches what a plain scalar that goes on would hardly hold.
var controlMark = lazy(`^(\{\{-|\{%|<%|\{\{\s*(if|else|end|range|with|define|include|template)\b)`)

// mark reports whether a template mark begins s.
func mark(s []byte) bool {
	if len(s) < 2 {
		return false
	}
	switch string(s[:2]) {
	case "{{", "{%", "%{":
		return true
	case "<%":
		return len(s) > 2 && strings.IndexByte("=-_#@ \t\r\n", s[2]) >= 0
	case "{#":
		return bytes.Contains(s[:min(len(s), SniffLen)], []byte("#}"))
	}
	return false
}

// scan goes over the nodes of a line whose first stands at indent.
func (s *yamlScan) scan(indent, end int) int {
	start := s.pos
	for s.begin && s.pos < end {
		switch rest := s.text[s.pos:end]; {
		case rest[0] == ' ' || rest[0] == '\t':
			s.pos++
		case (rest[0] == '-' || rest[0] == '?') && (len(rest) == 1 || blank(rest[1])):
			if after := bytes.TrimLeft(rest[1:], " "); len(after) > 0 && after[0] != '|' && after[0] != '>' {
				indent += len(rest) - len(after)
			}
			s.pos++
		case (rest[0] == '|' || rest[0] == '>') && blockHeader().Match(rest):
			s.block = max(indent, -1) + 1
			s.pos = end
			return -1
		default:
			return s.node(indent, start, end)
		}
	}
	return s.nodes(end)
}

var blockHeader = lazy(`^[|>][-+0-9]*[ \t]*(#.*)?\r?\n?$`)

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// node scans from where a node begins, and then whatever follows on the line.
func (s *yamlScan) node(indent, start, end int) int {
	rest := s.text[s.pos:end]
	if mark(rest) && (rest[0] != '%' || s.pos == start) {
		return s.pos
	}
	key := s.pos
	at := s.nodes(end)
	if at < 0 && s.flow == 0 && s.quote == 0 && s.block < 0 {
		s.after(indent, key, end)
	}
	return at
}

// after notes what the next lines may be part of: a block scalar or a plain one.
func (s *yamlScan) after(indent, key, end int) {
	line := s.text[key:end]
	if bytes.ContainsAny(line, "|>") && blockAfterKey().Match(line) {
		s.block = max(indent, -1) + 1
		return
	}
	value := bytes.TrimSpace(line)
	if i := keyEnd(line); i >= 0 {
		value = bytes.TrimSpace(line[i+1:])
	} else {
		indent-- // an entry of a sequence: it goes on where it begins
	}
	if len(value) == 0 {
		return
	}
	if c := value[0]; c != '"' && c != '\'' && c != '[' && c != '{' && c != '#' {
		s.plain = indent
	}
}

// blockAfterKey matches a key, or a sequence of tags and anchors, and the
// header of a block scalar.
var blockAfterKey = lazy(`(:[ \t]+|^)([&!][^ \t]*[ \t]+)*[|>][-+0-9]*[ \t]*(#.*)?\r?\n?$`)

// keyEnd returns the index of the colon that ends a key, or -1.
func keyEnd(line []byte) int {
	for i, c := range line {
		if c == ':' && (i+1 == len(line) || blank(line[i+1])) {
			return i
		}
	}
	return -1
}

// nodes scans the rest of a line: quoted scalars, flow collections, plain
// text. It leaves pos at end.
func (s *yamlScan) nodes(end int) int {
	for s.pos < end {
		if s.quote != 0 {
			s.quoted(end)
			continue
		}
		c := s.text[s.pos]
		if s.begin && !blank(c) {
			if at, done := s.start(c, end); done {
				return at
			}
			continue
		}
		if at, done := s.inside(c, end); done {
			return at
		}
	}
	return -1
}

// start handles the first byte of a node.
func (s *yamlScan) start(c byte, end int) (at int, done bool) {
	rest := s.text[s.pos:end]
	switch {
	case c == '#':
		s.pos = end
		return -1, true
	case mark(rest) && c != '%':
		return s.pos, true
	case c == '&' || c == '!':
		s.property(end)
	case c == '"' || c == '\'':
		s.quote, s.begin = c, false
	case c == '[' || c == '{':
		s.flow++
	case (c == ']' || c == '}') && s.flow > 0:
		s.flow--
		s.begin = false
	default:
		s.begin = false
	}
	s.pos++
	return -1, false
}

// property goes to the last byte of a tag or an anchor.
func (s *yamlScan) property(end int) {
	for s.pos+1 < end && !blank(s.text[s.pos+1]) && (s.flow == 0 || strings.IndexByte(",[]{}", s.text[s.pos+1]) < 0) {
		s.pos++
	}
}

// inside handles a byte of, or after, a scalar.
func (s *yamlScan) inside(c byte, end int) (at int, done bool) {
	rest := s.text[s.pos:end]
	switch {
	case c == '#' && s.pos > 0 && blank(s.text[s.pos-1]):
		s.pos = end
		return -1, true
	case c == ':' && (len(rest) == 1 || blank(rest[1])):
		s.begin = true
	case c == '<' && mark(rest):
		return s.pos, true
	case bytes.HasPrefix(rest, []byte("{{")) && !dollar(s.text, s.pos):
		if !s.values && helmObject().Match(rest[:min(len(rest), SniffLen)]) {
			return s.pos, true
		}
		s.pos++
	case s.flow > 0:
		s.indicator(c)
	}
	s.pos++
	return -1, false
}

// indicator handles a byte that may structure a flow collection.
func (s *yamlScan) indicator(c byte) {
	switch c {
	case ',':
		s.begin = true
	case '[', '{':
		s.flow++
		s.begin = true
	case ']', '}':
		s.flow--
	}
}

// quoted goes to the end of a quoted scalar, or of the line.
func (s *yamlScan) quoted(end int) {
	for s.pos < end {
		c := s.text[s.pos]
		s.pos++
		switch {
		case c == '\\' && s.quote == '"':
			s.pos++
		case c == s.quote && c == '\'' && s.pos < end && s.text[s.pos] == '\'':
			s.pos++
		case c == s.quote:
			s.quote = 0
			return
		}
	}
	s.pos = min(s.pos, len(s.text))
}
