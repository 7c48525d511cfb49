package dockerfile

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/moby/buildkit/frontend/dockerfile/parser"

	"poly/internal/engine"
)

// What is longer is not looked at: the parsers below work in recursion.
const (
	maxFile    = 1 << 20
	maxScript  = 128 << 10
	maxOnbuild = 1000
)

// file is a Dockerfile that was read.
type file struct {
	text   []byte
	list   []*instruction
	escape byte
	// custom: a syntax directive names a frontend that is not Docker's own, so
	// what the file may hold is not known.
	custom bool
}

// instruction is one instruction, or what ONBUILD defers.
type instruction struct {
	*parser.Node
	name   string   // lower case
	args   []string // what follows the flags; the words of the exec form
	list   bool     // it is written as a JSON array
	from   image    // of FROM
	line   []piece  // where its text comes from
	inner  *instruction
	shell  string  // what runs it: the shell of its stage
	script *script // of RUN, read when it is asked for
	bodies []int   // where the bodies of its here-documents start in the file
}

// piece tells that the logical text from At on stands in the file from Off on.
type piece struct{ at, off int }

// fault is a syntax error.
type fault struct {
	start, end  int
	title, help string
	empty       bool // the file has comments and blanks only
}

// read parses a Dockerfile. An error is a Skip.
func read(text []byte) (*file, *fault, error) {
	if len(text) > maxFile {
		return nil, nil, engine.Skip("Dockerfile larger than 1 MiB")
	}
	if countFold(text, "onbuild") > maxOnbuild {
		return nil, nil, engine.Skip("Dockerfile with more than 1000 ONBUILD")
	}
	f := &file{text: text, escape: '\\'}
	f.custom = !official(text)
	lines := splitLines(text)
	res, err := parser.Parse(bytes.NewReader(text))
	if err != nil {
		return f, f.parseFault(lines, err), nil
	}
	f.escape = byte(res.EscapeToken)
	for _, n := range res.AST.Children {
		in := newInstruction(n)
		in.locate(lines, text, f.escape)
		f.list = append(f.list, in)
	}
	return f, nil, nil
}

// fragment tells that a file is meant to be put into others: it has no FROM,
// nor a word that may have been one, and not the name a builder looks for.
func (f *file) fragment(file string) bool {
	if len(f.list) == 0 || mainName(file) {
		return false
	}
	return !slices.ContainsFunc(f.list, func(in *instruction) bool { return in.name == "from" || nearest(in.name) == "from" })
}

// mainName tells that a builder takes a file without being told its name.
func mainName(file string) bool {
	switch strings.ToLower(path.Base(file)) {
	case "dockerfile", "containerfile":
		return true
	}
	return false
}

// official tells that the file is for Docker's own frontend, or names none.
func official(text []byte) bool {
	ref, _, _, ok := parser.DetectSyntax(text)
	if !ok {
		return true
	}
	base, _, _ := strings.Cut(ref, "@")
	dir, last := "", base
	if i := strings.LastIndexByte(base, '/'); i >= 0 {
		dir, last = base[:i], base[i+1:]
	}
	last, _, _ = strings.Cut(last, ":")
	return (last == "dockerfile" || last == "dockerfile-upstream") && (dir == "docker" || strings.HasSuffix(dir, "/docker"))
}

func (f *file) parseFault(lines []int, err error) *fault {
	title := err.Error()
	line := 1
	if at, ok := errors.AsType[*parser.LocationError](err); ok && len(at.Locations) > 0 && len(at.Locations[0]) > 0 {
		line = at.Locations[0][0].Start.Line
	}
	line = min(max(line, 1), len(lines)-1)
	start, end := trimSpan(f.text, lines[line-1], lines[line])
	return &fault{start: start, end: end, title: parseTitle(title), help: "Docker refuses the whole file.", empty: blankFile(f.text)}
}

// blankFile tells that a text has no line but comments and blank ones.
func blankFile(text []byte) bool {
	for line := range bytes.Lines(bytes.TrimPrefix(text, bom)) {
		if t := bytes.TrimSpace(line); len(t) > 0 && t[0] != '#' {
			return false
		}
	}
	return true
}

// newInstruction reads n without its place.
func newInstruction(n *parser.Node) *instruction {
	in := &instruction{Node: n, name: strings.ToLower(n.Value), list: n.Attributes["json"]}
	if n.Next != nil && len(n.Next.Children) > 0 {
		in.inner = newInstruction(n.Next.Children[0])
		return in
	}
	for a := n.Next; a != nil; a = a.Next {
		in.args = append(in.args, a.Value)
	}
	if in.name == "from" {
		in.from = readImage(in)
	}
	return in
}

// locate finds out where the text of an instruction stands in the file, as the
// parser put it together: continued lines without comments and blank lines.
func (in *instruction) locate(lines []int, text []byte, escape byte) {
	n := 0
	line := in.StartLine
	for ; line <= in.EndLine && line < len(lines); line++ {
		raw := text[lines[line-1]:lines[line]]
		off := lines[line-1]
		if line == 1 && bytes.HasPrefix(raw, bom) {
			raw, off = raw[len(bom):], off+len(bom)
		}
		s := bytes.TrimRight(raw, "\r\n")
		if line == in.StartLine {
			t := bytes.TrimLeftFunc(s, unicode.IsSpace)
			s, off = t, off+len(s)-len(t)
		} else if t := bytes.TrimLeftFunc(s, unicode.IsSpace); len(t) == 0 || t[0] == '#' {
			continue
		}
		s, more := continued(s, escape)
		in.line = append(in.line, piece{n, off})
		n += len(s)
		if !more {
			break
		}
	}
	in.line = append(in.line, piece{n, -1})
	if n != len(in.Original) {
		in.line = nil // the parser read it otherwise: only its first line is known
		in.line = append(in.line, piece{0, lines[in.StartLine-1]}, piece{0, -1})
	}
	body := lines[min(line, len(lines)-1)]
	for i := range in.Heredocs {
		in.bodies = append(in.bodies, body)
		body += len(in.Heredocs[i].Content)
		for body < len(text) && text[body] != '\n' { // the line that ends it
			body++
		}
		body = min(body+1, len(text))
	}
	for d := in.inner; d != nil; d = d.inner {
		d.line, d.bodies, d.StartLine, d.EndLine = in.line, in.bodies, in.StartLine, in.EndLine
		d.Heredocs, d.Original = in.Heredocs, in.Original
	}
}

var bom = []byte("\xef\xbb\xbf")

// continued cuts the mark at the end of a line that goes on.
func continued(s []byte, escape byte) ([]byte, bool) {
	t := bytes.TrimRight(s, " \t")
	n := len(t)
	if n == 0 || t[n-1] != escape || n > 1 && t[n-2] == escape {
		return s, false
	}
	return t[:n-1], true
}

// offset maps a place in in.Original to one in the file.
func (in *instruction) offset(at int) int {
	if at >= in.line[len(in.line)-1].at {
		p := in.line[max(len(in.line)-2, 0)]
		return p.off + min(at, in.line[len(in.line)-1].at) - p.at
	}
	i, found := slices.BinarySearchFunc(in.line, at, func(p piece, at int) int { return p.at - at })
	if !found {
		i--
	}
	for i > 0 && in.line[i-1].at == in.line[i].at { // empty pieces before it
		i--
	}
	for i+1 < len(in.line) && in.line[i+1].at <= at {
		i++
	}
	return in.line[i].off + at - in.line[i].at
}

// span returns the place of in.Original[from:to] in the file; it ends with the
// line it starts on.
func (in *instruction) span(text []byte, from, to int) (start, end int) {
	start = in.offset(from)
	if to > from {
		end = in.offset(to-1) + 1
	}
	if i := bytes.IndexByte(text[start:max(start, end)], '\n'); i >= 0 {
		_, end = trimSpan(text, start, start+i)
	}
	return start, min(max(start, end), len(text))
}

// keyword returns the place of the instruction's name.
func (in *instruction) keyword(text []byte) (start, end int) {
	start = in.offset(0)
	end = start
	for end < len(text) && text[end] != '\n' && text[end] != '\r' && text[end] != ' ' && text[end] != '\t' {
		end++
	}
	return start, end
}

// word returns the place of a word behind the name, or of the name.
func (in *instruction) word(text []byte, w string) (start, end int) {
	from := len(in.Value)
	if i := strings.Index(in.Original[min(from, len(in.Original)):], w); w != "" && i >= 0 && in.line[len(in.line)-1].at > 0 {
		return in.span(text, from+i, from+i+len(w))
	}
	return in.keyword(text)
}

// rest returns what follows the name and the flags, and where it starts in
// in.Original.
func (in *instruction) rest() (s string, at int) {
	whole := strings.TrimRightFunc(in.Original, unicode.IsSpace)
	if in.list || len(in.args) != 1 {
		return "", len(whole)
	}
	return in.args[0], max(len(whole)-len(in.args[0]), 0)
}

// flag returns the value of a flag; every value of one that is repeated.
func (in *instruction) flag(name string) []string {
	var out []string
	for _, f := range in.Flags {
		if key, value, _ := strings.Cut(f, "="); key == "--"+name {
			out = append(out, value)
		}
	}
	return out
}

// splitLines returns the offset of every line and the length of the text.
func splitLines(text []byte) []int {
	out := []int{0}
	for i, c := range text {
		if c == '\n' && i+1 < len(text) {
			out = append(out, i+1)
		}
	}
	return append(out, len(text))
}

// trimSpan takes blanks off both ends of a line.
func trimSpan(text []byte, start, end int) (int, int) {
	s := text[start:end]
	t := bytes.TrimLeft(s, " \t\xef\xbb\xbf")
	start += len(s) - len(t)
	return start, start + len(bytes.TrimRight(t, " \t\r\n"))
}

// countFold counts an ASCII word in lower case, whatever its case in text.
func countFold(text []byte, word string) int {
	n := 0
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0] && strings.EqualFold(string(text[i:i+len(word)]), word) {
			n++
			i += len(word) - 1
		}
	}
	return n
}

// joined returns the command of an instruction as one text: the words of the
// exec form are joined.
func (in *instruction) joined() string {
	if in.list {
		return strings.Join(in.args, " ")
	}
	if len(in.args) == 0 {
		return ""
	}
	return in.args[0]
}
