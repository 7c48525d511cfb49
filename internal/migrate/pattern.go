package migrate

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// mostGlobs bounds what one expression becomes.
const mostGlobs = 48

// piece is a part of a glob: text that stands for itself, or a wildcard.
type piece struct {
	text string
	kind pieceKind
}

type pieceKind uint8

const (
	lit  pieceKind = iota
	star           // anything
	segm           // anything but a slash
	glob           // text is in the language of globs
)

// globsOf turns an expression of Python, searched for in a path, into globs of
// a job: "*" matches slashes there, and "!" takes back. exact is false if they
// match more. left are its alternatives that have no such form, all of it if ok
// is false.
func globsOf(expr string) (globs []string, exact bool, left []string, ok bool) {
	exact = true
	for _, one := range alternatives(verbose(expr)) {
		g, same, ok := globsOfOne(one)
		if !ok {
			left = append(left, one)
			continue
		}
		exact = exact && same
		globs = append(globs, g...)
	}
	return globs, exact, left, len(globs) > 0 || left == nil
}

// alternatives splits "^(a|b)$" into "^a$" and "^b$".
func alternatives(expr string) []string {
	head, rest, found := strings.Cut(expr, "(")
	if !found || strings.Trim(head, "^") != "" {
		head, rest = "", expr
	}
	parts, start, end := splitBars(rest)
	tail := ""
	switch {
	case rest == expr && end < 0:
		end = len(rest)
	case rest == expr || end < 0:
		return []string{expr}
	default:
		if tail = rest[end+1:]; strings.Trim(tail, "$") != "" {
			return []string{expr}
		}
	}
	parts = append(parts, rest[start:end])
	for i := range parts {
		parts[i] = head + strings.TrimPrefix(parts[i], "?:") + tail
	}
	return parts
}

// splitBars splits at the bars outside of groups. start is where the last part
// begins, end the parenthesis that closes more than was opened, or -1.
func splitBars(rest string) (parts []string, start, end int) {
	depth := 0
	end = -1
	for i := 0; i < len(rest) && end < 0; i++ {
		switch rest[i] {
		case '\\':
			i++
		case '[':
			if n := strings.IndexByte(rest[min(i+2, len(rest)):], ']'); n >= 0 {
				i += n + 2
			}
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				end = i
			}
		case '|':
			if depth == 0 {
				parts = append(parts, rest[start:i])
				start = i + 1
			}
		}
	}
	return parts, start, end
}

// globsOfOne is globsOf of one alternative.
func globsOfOne(expr string) (globs []string, exact, ok bool) {
	if before, rest, found := strings.Cut(expr, "(?!"); found && !strings.Contains(rest, "(?!") {
		if not, after, found := strings.Cut(rest, ")"); found && !strings.ContainsAny(not, "(|") {
			globs, exact, ok = globsOfOne(before + after)
			without, same, fine := globsOfOne(before + strings.TrimSuffix(not, "$") + ".*")
			if !ok || !fine || !same || slices.ContainsFunc(without, func(g string) bool { return g[0] == '!' }) {
				return nil, false, false
			}
			for _, w := range without {
				globs = append(globs, "!"+w)
			}
			return globs, exact, true
		}
	}
	re, err := syntax.Parse(strings.ReplaceAll(expr, `\Z`, `\z`), syntax.Perl)
	if err != nil {
		return nil, false, false
	}
	c := &converter{exact: true}
	alts := c.walk(re.Simplify())
	if c.failed || len(alts) == 0 || len(alts) > mostGlobs {
		return nil, false, false
	}
	for _, a := range alts {
		globs = append(globs, a.globs()...)
	}
	return slices.Compact(globs), c.exact, true
}

// verbose removes what (?x) makes blank.
func verbose(expr string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(expr), "(?x)")
	if !ok {
		return expr
	}
	var b strings.Builder
	for line := range strings.Lines(rest) {
		inClass := false
		for i := 0; i < len(line); i++ {
			switch c := line[i]; {
			case c == '\\' && i+1 < len(line):
				b.WriteString(line[i : i+2])
				i++
				continue
			case c == '[':
				inClass = true
			case c == ']':
				inClass = false
			case !inClass && c == '#':
				i = len(line)
				continue
			case !inClass && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
				continue
			}
			b.WriteByte(line[i])
		}
	}
	return b.String()
}

// seq is one alternative: its pieces, and whether they begin and end where the
// path does.
type seq struct {
	pieces     []piece
	start, end bool
}

func (s seq) join(o seq) seq {
	out := seq{pieces: slices.Concat(s.pieces, o.pieces), start: s.start, end: o.end}
	if len(s.pieces) == 0 {
		out.start = s.start || o.start
	}
	if len(o.pieces) == 0 {
		out.end = s.end || o.end
	}
	return out
}

type converter struct {
	exact  bool
	failed bool
}

func (c *converter) fail() []seq {
	c.failed = true
	return nil
}

func (c *converter) walk(re *syntax.Regexp) []seq {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return []seq{{}}
	case syntax.OpBeginText, syntax.OpBeginLine:
		return []seq{{start: true}}
	case syntax.OpEndText, syntax.OpEndLine:
		return []seq{{end: true}}
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 && strings.ToLower(string(re.Rune)) != strings.ToUpper(string(re.Rune)) {
			return c.folded(re.Rune)
		}
		return []seq{{pieces: []piece{{text: string(re.Rune)}}}}
	case syntax.OpCapture:
		return c.walk(re.Sub[0])
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return []seq{{pieces: []piece{{text: "?", kind: glob}}}}
	case syntax.OpCharClass:
		return c.class(re)
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		return c.repeat(re)
	case syntax.OpQuest:
		return append([]seq{{}}, c.walk(re.Sub[0])...)
	case syntax.OpAlternate:
		var out []seq
		for _, sub := range re.Sub {
			out = append(out, c.walk(sub)...)
		}
		return out
	case syntax.OpConcat:
		return c.concat(re.Sub)
	}
	return c.fail()
}

func (c *converter) concat(subs []*syntax.Regexp) []seq {
	out := []seq{{}}
	for _, sub := range subs {
		var next []seq
		for _, a := range out {
			for _, b := range c.walk(sub) {
				next = append(next, a.join(b))
			}
		}
		if len(next) > mostGlobs {
			return c.fail()
		}
		out = next
	}
	return out
}

// folded writes a word in both cases.
func (c *converter) folded(word []rune) []seq {
	var p []piece
	for _, r := range word {
		low, up := strings.ToLower(string(r)), strings.ToUpper(string(r))
		if low == up {
			p = append(p, piece{text: low})
		} else {
			p = append(p, piece{text: "[" + low + up + "]", kind: glob})
		}
	}
	return []seq{{pieces: p}}
}

func (c *converter) class(re *syntax.Regexp) []seq {
	if isNotSlash(re) {
		return []seq{{pieces: []piece{{text: "?", kind: glob}}}}
	}
	var b strings.Builder
	b.WriteByte('[')
	n := 0
	for i := 0; i+1 < len(re.Rune); i += 2 {
		lo, hi := re.Rune[i], re.Rune[i+1]
		if hi > 0x7e || lo < 0x20 || lo == ']' || hi == ']' || lo == '!' || lo == '^' || lo <= '-' && hi >= '-' && lo != hi || lo == '\\' {
			c.exact = false
			return []seq{{pieces: []piece{{text: "?", kind: glob}}}}
		}
		n += int(hi-lo) + 1
		b.WriteRune(lo)
		if hi > lo {
			b.WriteString("-" + string(hi))
		}
	}
	if n == 1 {
		return []seq{{pieces: []piece{{text: string(re.Rune[0])}}}}
	}
	return []seq{{pieces: []piece{{text: b.String() + "]", kind: glob}}}}
}

// isNotSlash reports whether a class is everything but a slash.
func isNotSlash(re *syntax.Regexp) bool {
	r := re.Rune
	return re.Op == syntax.OpCharClass && len(r) == 4 && r[0] == 0 && r[1] == '/'-1 && r[2] == '/'+1
}

func (c *converter) repeat(re *syntax.Regexp) []seq {
	sub := re.Sub[0]
	for sub.Op == syntax.OpCapture {
		sub = sub.Sub[0]
	}
	switch {
	case sub.Op == syntax.OpAnyChar || sub.Op == syntax.OpAnyCharNotNL:
		return []seq{{pieces: []piece{{kind: star}}}}
	case isNotSlash(sub):
		return []seq{{pieces: []piece{{kind: segm}}}}
	}
	c.exact = false
	return []seq{{pieces: []piece{{kind: star}}}}
}

// globs writes a sequence in the language of jobs.
func (s seq) globs() []string {
	p := s.pieces
	if len(p) == 0 && s.start && s.end {
		return nil // "^$": no path is empty
	}
	if !s.start && (len(p) == 0 || p[0].kind != star) {
		p = slices.Concat([]piece{{kind: star}}, p)
	}
	if !s.end && (len(p) == 0 || p[len(p)-1].kind != star) {
		p = slices.Concat(p, []piece{{kind: star}})
	}
	whole := render(p, -1)
	out := []string{whole}
	for i := range p {
		if p[i].kind == segm {
			out = append(out, "!"+render(p, i))
		}
	}
	if s.start && !strings.Contains(whole, "/") && !strings.HasPrefix(whole, "*") {
		out = append(out, "!*/"+whole)
	}
	return out
}

// render writes pieces; the one at wide matches a slash for sure.
func render(p []piece, wide int) string {
	var b strings.Builder
	for i := range p {
		switch {
		case i == wide:
			b.WriteString("*/*")
		case p[i].kind == star || p[i].kind == segm:
			if !strings.HasSuffix(b.String(), "*") {
				b.WriteByte('*')
			}
		case p[i].kind == glob:
			b.WriteString(p[i].text)
		default:
			b.WriteString(escape(p[i].text))
		}
	}
	return b.String()
}

// escape takes the meaning from characters of globs.
func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`*?[{\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
