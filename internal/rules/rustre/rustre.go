// Package rustre compiles regular expressions and globs that are written for
// the crates regex and globset of Rust, as ast-grep's rules are, and matches
// with Go's engine. What it cannot express it refuses: an expression never
// means something else than it does there.
//
// The differences it bridges: \d, \w, \s and \b are Unicode there; classes
// nest and know &&, -- and ~~; the flag x; repetitions of repetitions; {,n}.
package rustre

import (
	"bytes"
	"fmt"
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// Regexp is a compiled expression. It is immutable.
type Regexp struct {
	source string
	re     *regexp.Regexp
	prog   *syntax.Prog // for texts on which re does not know where a word ends; nil: it does on all
	plain  []plain      // what it looks for, if that is a few literal texts
	need   []byte       // a literal every match contains; nil: none is known
}

// plain is a literal alternative: a text at the start, at the end, or anywhere.
type plain struct {
	text       []byte
	start, end bool
}

// Compile compiles an expression as the crate regex reads it.
func Compile(expr string) (*Regexp, error) {
	if !utf8.ValidString(expr) {
		return nil, fmt.Errorf("not UTF-8")
	}
	t := &translator{in: expr}
	out, err := t.translate()
	if err != nil {
		return nil, err
	}
	parsed, err := syntax.Parse(out, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("cannot be expressed: %w", err)
	}
	re, err := regexp.Compile(out)
	if err != nil {
		return nil, fmt.Errorf("cannot be expressed: %w", err)
	}
	r := &Regexp{source: expr, re: re}
	if t.words {
		if r.prog, err = syntax.Compile(parsed.Simplify()); err != nil {
			return nil, err
		}
	}
	r.plain = plains(parsed)
	if r.plain == nil {
		r.need = required(parsed)
	}
	return r, nil
}

// String returns the expression as it was written.
func (r *Regexp) String() string { return r.source }

// Literals returns texts of which every match contains one; nil: none are known.
func (r *Regexp) Literals() [][]byte {
	if r.plain == nil {
		if r.need == nil {
			return nil
		}
		return [][]byte{r.need}
	}
	out := make([][]byte, len(r.plain))
	for i := range r.plain {
		out[i] = r.plain[i].text
	}
	return out
}

// Match reports whether a part of text matches.
func (r *Regexp) Match(text []byte) bool {
	if r.plain != nil {
		for i := range r.plain {
			if r.plain[i].match(text) {
				return true
			}
		}
		return false
	}
	if r.need != nil && !bytes.Contains(text, r.need) {
		return false
	}
	if r.prog != nil && !ascii(text) {
		return newPike(r.prog).find(string(text), 0) != nil
	}
	return r.re.Match(text)
}

func (p *plain) match(text []byte) bool {
	switch {
	case p.start && p.end:
		return bytes.Equal(text, p.text)
	case p.start:
		return bytes.HasPrefix(text, p.text)
	case p.end:
		return bytes.HasSuffix(text, p.text)
	}
	return bytes.Contains(text, p.text)
}

func ascii(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// ReplaceAll returns text with every match replaced by a template, in which
// $1, ${1} and $name stand for groups and $$ for a dollar sign.
func (r *Regexp) ReplaceAll(text, template string) string {
	if r.prog == nil || ascii([]byte(text)) {
		return r.re.ReplaceAllString(text, template)
	}
	var out []byte
	p, last, prev := newPike(r.prog), 0, -1
	for at := 0; at <= len(text); {
		m := p.find(text, at)
		if m == nil {
			break
		}
		if m[0] != m[1] || m[0] != prev {
			out = append(out, text[last:m[0]]...)
			out = r.re.ExpandString(out, template, text, m)
			last, prev = m[1], m[1]
		}
		at = m[1]
		if m[0] == m[1] {
			_, n := utf8.DecodeRuneInString(text[at:])
			at += max(n, 1)
		}
	}
	return string(append(out, text[last:]...))
}

// plains returns the literal alternatives an expression consists of, nil if it
// is more than that.
func plains(re *syntax.Regexp) []plain {
	subs := []*syntax.Regexp{re}
	if re = inner(re); re.Op == syntax.OpAlternate {
		subs = re.Sub
	}
	var out []plain
	for _, s := range subs {
		s = inner(s)
		parts := []*syntax.Regexp{s}
		if s.Op == syntax.OpConcat {
			parts = s.Sub
		}
		var p plain
		if len(parts) > 0 && parts[0].Op == syntax.OpBeginText {
			p.start, parts = true, parts[1:]
		}
		if n := len(parts); n > 0 && parts[n-1].Op == syntax.OpEndText {
			p.end, parts = true, parts[:n-1]
		}
		texts, ok := product(parts)
		if !ok {
			return nil
		}
		for _, t := range texts {
			out = append(out, plain{[]byte(t), p.start, p.end})
		}
	}
	if len(out) > maxPlain {
		return nil
	}
	return out
}

// maxPlain bounds the alternatives that are tried one by one.
const maxPlain = 24

func inner(re *syntax.Regexp) *syntax.Regexp {
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	return re
}

// product lists the texts that a sequence matches, if they are few.
func product(parts []*syntax.Regexp) ([]string, bool) {
	texts := []string{""}
	for _, part := range parts {
		more, ok := enumerate(part)
		if !ok || len(texts)*len(more) > maxPlain {
			return nil, false
		}
		var next []string
		for _, a := range texts {
			for _, b := range more {
				next = append(next, a+b)
			}
		}
		texts = next
	}
	return texts, true
}

// enumerate lists the texts that re matches, if they are few.
func enumerate(re *syntax.Regexp) ([]string, bool) {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return []string{""}, true
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return nil, false
		}
		return []string{string(re.Rune)}, true
	case syntax.OpCapture:
		return enumerate(re.Sub[0])
	case syntax.OpConcat:
		return product(re.Sub)
	case syntax.OpQuest:
		texts, ok := enumerate(re.Sub[0])
		return append([]string{""}, texts...), ok
	case syntax.OpCharClass:
		return members(re.Rune)
	case syntax.OpAlternate:
		var out []string
		for _, s := range re.Sub {
			texts, ok := enumerate(s)
			if !ok || len(out)+len(texts) > maxPlain {
				return nil, false
			}
			out = append(out, texts...)
		}
		return out, true
	}
	return nil, false
}

// members lists the runes of ranges, if they are few.
func members(ranges []rune) (out []string, ok bool) {
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > maxPlain || len(out) > maxPlain {
			return nil, false
		}
		for c := ranges[i]; c <= ranges[i+1]; c++ {
			out = append(out, string(c))
		}
	}
	return out, true
}

// required returns the longest literal that every match contains, or nil.
func required(re *syntax.Regexp) []byte {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []byte(string(re.Rune))
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []byte
		for _, s := range re.Sub {
			if lit := required(s); len(lit) > len(best) {
				best = lit
			}
		}
		return best
	}
	return nil
}
