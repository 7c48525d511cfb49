//go:build extra

package cue

import (
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue/scanner"
	"cuelang.org/go/cue/token"

	"poly/internal/engine"
)

// piece is a token that means something. A comma and a line end that stands for
// one are equal.
type piece struct {
	tok  token.Token
	text string
	line int
}

// Same reports whether two texts have the same tokens, but for a comma before a
// closing bracket, and the same comments. It uses the library's scanner alone, not its parser or printer.
func Same(before, after []byte) error {
	a, one, err := read(before)
	if err != nil {
		return fmt.Errorf("the original: %w", err)
	}
	b, two, err := read(after)
	if err != nil {
		return fmt.Errorf("the result: %w", err)
	}
	if err := equalPieces(a, b); err != nil {
		return err
	}
	return equalComments(one, two)
}

func equalPieces(a, b []piece) error {
	for i := range min(len(a), len(b)) {
		if x, y := a[i], b[i]; x.tok != y.tok || x.text != y.text {
			return fmt.Errorf("line %d has %q, the result has %q at line %d", x.line, x.text, y.text, y.line)
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("there are %d tokens, %d in the result", len(a), len(b))
	}
	return nil
}

func equalComments(a, b []string) error {
	for i := range max(len(a), len(b)) {
		switch {
		case i == len(b) || i < len(a) && a[i] < b[i]:
			return fmt.Errorf("comment %q was lost", a[i])
		case i == len(a) || a[i] > b[i]:
			return fmt.Errorf("comment %q was added", b[i])
		}
	}
	return nil
}

func read(text []byte) (pieces []piece, comments []string, err error) {
	body, _ := engine.Plain(text)
	file := token.NewFile("", -1, len(body))
	r := &reader{}
	r.s.Init(file, body, func(pos token.Pos, msg string, args []any) {
		err = fmt.Errorf("line %d: "+msg, append([]any{pos.Line()}, args...)...)
	}, scanner.ScanComments)
	for err == nil && r.next() {
	}
	slices.Sort(r.comments)
	return r.pieces, r.comments, err
}

// reader gathers the tokens and comments of a text.
type reader struct {
	s        scanner.Scanner
	pieces   []piece
	comments []string
	commas   int // read behind the last of pieces
	// open has one entry for every string that an expression interrupts.
	open []interrupted
}

// interrupted is a string literal with expressions inside.
type interrupted struct {
	parts []int // where in pieces its parts are
	depth int   // of parentheses in the expression
}

// add adds a token, and the commas before it but for one that may be left out.
func (r *reader) add(tok token.Token, text string, pos token.Pos) {
	if (tok == token.RBRACE || tok == token.RBRACK || tok == token.RPAREN) && r.commas > 0 {
		r.commas--
	}
	for ; r.commas > 0; r.commas-- {
		r.pieces = append(r.pieces, piece{token.COMMA, ",", pos.Line()})
	}
	r.pieces = append(r.pieces, piece{tok, text, pos.Line()})
}

// next reads a token; it returns false at the end.
func (r *reader) next() bool {
	pos, tok, lit := r.s.Scan()
	if !tok.IsLiteral() && tok != token.COMMENT && tok != token.ATTRIBUTE && tok != token.INTERPOLATION {
		lit = tok.String()
	}
	switch tok {
	case token.EOF:
		if r.commas > 1 { // the last line end stands for one
			r.commas--
			r.add(tok, lit, pos)
		}
		return false
	case token.COMMA:
		r.commas++
		return true
	case token.COMMENT:
		r.comments = append(r.comments, strings.TrimRight(lit, " \t\r"))
		return true
	case token.INTERPOLATION:
		r.add(tok, lit, pos)
		r.open = append(r.open, interrupted{parts: []int{len(r.pieces) - 1}})
		return true
	case token.STRING:
		lit = dedented([]string{lit})[0]
	case token.LPAREN, token.RPAREN:
		r.parenthesis(tok, pos)
		return true
	}
	r.add(tok, lit, pos)
	return true
}

// parenthesis counts those of an expression in a string; behind the last one
// the string goes on.
func (r *reader) parenthesis(tok token.Token, pos token.Pos) {
	r.add(tok, tok.String(), pos)
	if len(r.open) == 0 {
		return
	}
	last := &r.open[len(r.open)-1]
	if tok == token.LPAREN {
		last.depth++
		return
	}
	if last.depth--; last.depth > 0 {
		return
	}
	rest := r.s.ResumeInterpolation()
	last.parts = append(last.parts, len(r.pieces))
	r.add(token.STRING, rest, pos)
	if strings.HasSuffix(rest, "(") {
		return // another expression follows
	}
	texts := make([]string, len(last.parts))
	for i, at := range last.parts {
		texts[i] = r.pieces[at].text
	}
	for i, t := range dedented(texts) {
		r.pieces[last.parts[i]].text = t
	}
	r.open = r.open[:len(r.open)-1]
}

// dedented drops the indentation of a string of several lines, which is that of
// its last one and no part of its value.
func dedented(parts []string) []string {
	opening := strings.TrimLeft(parts[0], "#")
	if !strings.HasPrefix(opening, `"""`) && !strings.HasPrefix(opening, "'''") {
		return parts
	}
	last := parts[len(parts)-1]
	end := last[strings.LastIndexByte(last, '\n')+1:]
	indent := end[:len(end)-len(strings.TrimLeft(end, " \t"))]
	out := make([]string, len(parts))
	for i, p := range parts {
		lines := strings.Split(p, "\n")
		for n := 1; n < len(lines); n++ {
			lines[n] = strings.TrimPrefix(lines[n], indent)
		}
		out[i] = strings.Join(lines, "\n")
	}
	return out
}
