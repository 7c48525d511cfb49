package imports

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// process formats a file whose lines end with LF.
func process(prefix string, text []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	s := &sorter{text: text, file: file, lines: fset.File(file.FileStart), prefixes: split(prefix)}
	s.arrange()
	return format.Source(s.apply())
}

// sorter plans edits of the import declarations of a file.
type sorter struct {
	text     []byte
	file     *ast.File
	lines    *token.File
	prefixes []string
	edits    []edit
}

// edit replaces text[start:end].
type edit struct {
	start, end int
	text       string
}

// spec is an import and what moves with it.
type spec struct {
	path, name string
	doc        string // comment lines above; only of one that moves to another declaration
	line       string // the import as written
	comment    string // behind it on the line
	group      int
	first      int // its line, as far as runs are concerned
	last       int
	start, end int // where it stands with its comment
}

func split(prefix string) []string {
	var out []string
	for p := range strings.SplitSeq(prefix, ",") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// group is 0 for the standard library, 1 for what has a domain, 2 for old
// App Engine packages and 3 for local ones.
func (s *sorter) group(path string) int {
	for _, p := range s.prefixes {
		if strings.HasPrefix(path, p) || strings.TrimSuffix(p, "/") == path {
			return 3
		}
	}
	first, _, _ := strings.Cut(path, "/")
	switch {
	case strings.HasPrefix(path, "appengine"):
		return 2
	case strings.Contains(first, "."):
		return 1
	}
	return 0
}

func (s *sorter) offset(p token.Pos) int { return s.lines.Offset(p) }

// lineOf counts lines as they are, whatever a line directive says.
func (s *sorter) lineOf(p token.Pos) int { return s.lines.PositionFor(p, false).Line }

// arrange joins the import declarations into the first, but for those of "C",
// and sorts the runs of each.
func (s *sorter) arrange() {
	var first *ast.GenDecl
	var moved []spec
	joined := false
	var decls []*ast.GenDecl
	for _, d := range s.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			break
		}
		switch {
		case importsC(g):
		case first == nil:
			first = g
		default:
			moved = append(moved, s.take(g, first)...)
			joined = true
			continue
		}
		decls = append(decls, g)
	}
	for _, g := range decls {
		var more []spec
		if g == first {
			more = moved
		}
		switch {
		case len(g.Specs)+len(more) == 0:
			s.edits = append(s.edits, edit{s.offset(g.Pos()), s.offset(g.End()), ""})
		case g.Lparen.IsValid():
			s.sortBlock(g, more)
		case g == first && joined:
			s.makeBlock(g, more)
		}
	}
}

func importsC(g *ast.GenDecl) bool {
	return slices.ContainsFunc(g.Specs, func(sp ast.Spec) bool {
		i, ok := sp.(*ast.ImportSpec)
		return ok && i.Path.Value == `"C"`
	})
}

func (s *sorter) spec(sp ast.Spec) spec {
	i, ok := sp.(*ast.ImportSpec)
	if !ok {
		return spec{}
	}
	path, err := strconv.Unquote(i.Path.Value)
	if err != nil {
		path = i.Path.Value
	}
	out := spec{path: path, group: s.group(path), first: s.lineOf(i.Pos()), last: s.lineOf(i.Path.End())}
	if i.Name != nil {
		out.name = i.Name.Name
	}
	out.start, out.end = s.offset(i.Pos()), s.offset(i.Path.End())
	out.line = string(s.text[out.start:out.end])
	if i.Comment != nil {
		end := s.offset(i.Comment.End())
		out.comment = string(s.text[s.offset(i.Comment.Pos()):end])
		out.end = end
	}
	return out
}

// take removes a declaration and returns its imports, with the comments that
// stand above them.
func (s *sorter) take(g, first *ast.GenDecl) []spec {
	start, end := s.offset(g.Pos()), s.offset(g.End())
	from := g.Pos()
	if g.Doc != nil {
		start, from = s.offset(g.Doc.Pos()), g.Doc.Pos()
	}
	var out []spec
	line := s.lineOf(first.Pos())
	for _, sp := range g.Specs {
		t := s.spec(sp)
		t.doc = s.commentsBetween(from, sp.Pos())
		from = token.Pos(int(s.file.FileStart) + t.end)
		if t.name == "" {
			t.first = line // a quirk of goimports, which decides about runs
		}
		t.last = line
		end = max(end, t.end)
		out = append(out, t)
	}
	if rest := s.commentsBetween(from, g.End()); rest != "" && len(out) > 0 {
		out[len(out)-1].doc += rest
	}
	s.edits = append(s.edits, edit{start, end, ""})
	return out
}

// commentsBetween returns the comments in a range that stand on their own.
func (s *sorter) commentsBetween(from, to token.Pos) string {
	var b strings.Builder
	for _, g := range s.file.Comments {
		if g.Pos() >= from && g.End() <= to {
			b.Write(s.text[s.offset(g.Pos()):s.offset(g.End())])
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// makeBlock turns a declaration without parentheses into one with them.
func (s *sorter) makeBlock(g *ast.GenDecl, more []spec) {
	own := s.spec(g.Specs[0])
	var b strings.Builder
	b.WriteString("import (\n")
	for i, run := range runs(append([]spec{own}, more...)) {
		if i > 0 {
			b.WriteByte('\n')
		}
		s.writeRun(&b, run)
	}
	b.WriteString(")")
	s.edits = append(s.edits, edit{s.offset(g.Pos()), own.end, b.String()})
}

// sortBlock sorts the runs of a declaration where they stand; more goes to the
// end of the last.
func (s *sorter) sortBlock(g *ast.GenDecl, more []spec) {
	var specs []spec
	for _, sp := range g.Specs {
		specs = append(specs, s.spec(sp))
	}
	own := len(specs)
	if own == 0 {
		s.writeBefore(g.Rparen, more)
		return
	}
	for i, run := range runs(append(specs, more...)) {
		inPlace := run[:min(own, len(run))]
		own -= len(inPlace)
		if len(inPlace) == 0 { // a run of moved imports alone
			s.writeBefore(g.Rparen, run)
			continue
		}
		start, end := inPlace[0].start, inPlace[len(inPlace)-1].end
		if len(run) < 2 || s.commented(inPlace) {
			if extra := run[len(inPlace):]; len(extra) > 0 {
				s.writeBefore(g.Rparen, extra)
			}
			continue
		}
		var b strings.Builder
		if i == 0 && s.lineOf(g.Lparen) == inPlace[0].first {
			b.WriteByte('\n')
		}
		s.writeRun(&b, run)
		s.edits = append(s.edits, edit{start, end, strings.TrimSuffix(b.String(), "\n")})
	}
}

func (s *sorter) writeBefore(paren token.Pos, specs []spec) {
	var b strings.Builder
	b.WriteString("\n")
	s.writeRun(&b, specs)
	at := s.offset(paren)
	s.edits = append(s.edits, edit{at, at, b.String()})
}

// commented reports whether a comment other than those behind the imports
// stands in a run: nobody knows where it would belong.
func (s *sorter) commented(run []spec) bool {
	start, end := run[0].start, run[len(run)-1].end
	for _, g := range s.file.Comments {
		at := s.offset(g.Pos())
		if at < start || at >= end {
			continue
		}
		if !slices.ContainsFunc(run, func(sp spec) bool {
			return sp.start <= at && at < sp.end && sp.comment != "" && at == sp.end-len(sp.comment)
		}) {
			return true
		}
	}
	return false
}

// runs cuts imports at empty lines and lines with comments.
func runs(specs []spec) [][]spec {
	var out [][]spec
	i := 0
	for j := 1; j < len(specs); j++ {
		if specs[j].first > specs[j-1].last+1 {
			out = append(out, specs[i:j])
			i = j
		}
	}
	return append(out, specs[i:])
}

// writeRun writes imports in order, groups apart, none twice.
func (s *sorter) writeRun(b *strings.Builder, run []spec) {
	run = slices.Clone(run)
	slices.SortStableFunc(run, func(x, y spec) int {
		return cmp.Or(cmp.Compare(x.group, y.group), cmp.Compare(x.path, y.path), cmp.Compare(x.name, y.name), cmp.Compare(x.comment, y.comment))
	})
	last := -1
	for i, sp := range run {
		if i+1 < len(run) && run[i+1].path == sp.path && run[i+1].name == sp.name && sp.comment == "" && sp.doc == "" {
			continue
		}
		if last >= 0 && sp.group != last {
			b.WriteByte('\n')
		}
		last = sp.group
		b.WriteString(sp.doc + sp.line)
		if sp.comment != "" {
			b.WriteString(" " + sp.comment)
		}
		b.WriteByte('\n')
	}
}

// apply makes the edits.
func (s *sorter) apply() []byte {
	if len(s.edits) == 0 {
		return s.text
	}
	slices.SortStableFunc(s.edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var out bytes.Buffer
	at := 0
	for _, e := range s.edits {
		out.Write(s.text[at:e.start])
		out.WriteString(e.text)
		at = e.end
	}
	out.Write(s.text[at:])
	return out.Bytes()
}
