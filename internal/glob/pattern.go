package glob

import "strings"

// special are the characters that end a literal.
const special = `*?[\`

// kind says how a pattern is matched; the cheap kinds do not need tokens.
type kind uint8

const (
	never       kind = iota // malformed or empty
	nameLiteral             // base name equals lit
	nameSuffix              // base name ends in lit
	nameTokens              // base name matches toks
	pathLiteral             // path below base equals lit
	pathTokens              // path below base is lit and then toks
)

// pattern is one compiled rule.
type pattern struct {
	kind    kind
	negated bool
	dirOnly bool
	base    string // "" or a directory with a trailing slash
	lit     string
	toks    []token
}

// target is a path being matched, lower-cased if case is folded.
type target struct {
	path string
	base string // last component
	dir  bool
}

func newTarget(path string, isDir, fold bool) target {
	if fold {
		path = lower(path)
	}
	return target{path: path, base: path[strings.LastIndexByte(path, '/')+1:], dir: isDir}
}

// compile reads one pattern the way git does: first "!", then a trailing
// slash, then the question whether any slash is left, which anchors it.
func compile(text, base string, o Options) pattern {
	var p pattern
	if !o.NoNegation && strings.HasPrefix(text, "!") {
		p.negated, text = true, text[1:]
	}
	if strings.HasSuffix(text, "/") {
		p.dirOnly, text = true, text[:len(text)-1]
	}
	if base != "" && base != "." {
		p.base = strings.TrimSuffix(base, "/") + "/"
	}
	wild := strings.IndexAny(text, special)
	if o.FoldCase {
		// Only the literal part: tokenize knows what git folds behind it.
		p.base = lower(p.base)
		if wild < 0 {
			text = lower(text)
		} else {
			text = lower(text[:wild]) + text[wild:]
		}
	}
	if !strings.Contains(text, "/") {
		p.compileName(text, wild, o.FoldCase)
		return p
	}
	if text[0] == '/' {
		text = text[1:]
		wild--
	}
	p.compilePath(text, wild, o.FoldCase)
	return p
}

func (p *pattern) compileName(text string, wild int, fold bool) {
	switch {
	case text == "":
		p.kind = never
	case wild < 0:
		p.kind, p.lit = nameLiteral, text
	case text[0] == '*' && !strings.ContainsAny(text[1:], special):
		p.kind, p.lit = nameSuffix, text[1:]
		if fold {
			p.lit = lower(p.lit)
		}
	default:
		toks, ok := tokenize(text, fold)
		if lit, plain := literal(toks); ok && plain {
			p.kind, p.lit = nameLiteral, lit
		} else if ok {
			p.kind, p.toks = nameTokens, toks
		}
	}
}

func (p *pattern) compilePath(text string, wild int, fold bool) {
	switch {
	case text == "":
		p.kind = never
	case wild < 0:
		p.kind, p.lit = pathLiteral, text
	default:
		// git compares the part before the first special character on its
		// own, so that "**" after it counts as bounded on its left.
		toks, ok := tokenize(text[wild:], fold)
		if ok {
			p.kind, p.lit, p.toks = pathTokens, text[:wild], toks
		}
	}
}

// toPattern makes a whole-path pattern of tokens.
func toPattern(toks []token, ok bool) pattern {
	if !ok {
		return pattern{}
	}
	if lit, plain := literal(toks); plain {
		return pattern{kind: pathLiteral, lit: lit}
	}
	return pattern{kind: pathTokens, toks: toks}
}

func (p *pattern) match(t *target) bool {
	if p.dirOnly && !t.dir {
		return false
	}
	if p.kind <= nameTokens {
		if p.base != "" && !strings.HasPrefix(t.path, p.base) {
			return false
		}
		switch p.kind {
		case nameLiteral:
			return t.base == p.lit
		case nameSuffix:
			return strings.HasSuffix(t.base, p.lit)
		case nameTokens:
			return matchTokens(p.toks, t.base)
		default:
			return false
		}
	}
	path, below := strings.CutPrefix(t.path, p.base)
	if !below || path == "" {
		return false
	}
	if p.kind == pathLiteral {
		return path == p.lit
	}
	path, below = strings.CutPrefix(path, p.lit)
	return below && matchTokens(p.toks, path)
}

// lower folds ASCII letters, byte by byte, and returns s itself if there are none.
func lower(s string) string {
	var b []byte
	for i := range len(s) {
		if c := s[i]; isUpper(c) {
			if b == nil {
				b = []byte(s)
			}
			b[i] = c + 'a' - 'A'
		}
	}
	if b == nil {
		return s
	}
	return string(b)
}
