package rustre

import (
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// pike runs a program as Go's engine does, but knows words of other scripts
// than Latin: it is for texts that are not ASCII and expressions with \b or \B.
type pike struct {
	prog     *syntax.Prog
	seen     []int // by instruction: the step at which it was reached last
	step     int
	now, nxt []thread
}

type thread struct {
	pc  uint32
	cap []int
}

func newPike(prog *syntax.Prog) *pike {
	return &pike{prog: prog, seen: make([]int, len(prog.Inst))}
}

// find returns the bounds of the leftmost match at or after a position and of
// its groups, nil if there is none.
func (p *pike) find(text string, at int) []int {
	var best []int
	p.now = p.now[:0]
	for pos := at; ; {
		r, n := rune(-1), 0
		if pos < len(text) {
			r, n = utf8.DecodeRuneInString(text[pos:])
		}
		if best == nil {
			// A thread that starts here is less wanted than those under way.
			caps := make([]int, p.prog.NumCap)
			for i := range caps {
				caps[i] = -1
			}
			caps[0] = pos
			if len(p.now) == 0 {
				p.step++
			}
			p.now = p.add(p.now, uint32(p.prog.Start), text, pos, caps)
		}
		if len(p.now) == 0 && best != nil {
			return best
		}
		p.step++
		p.nxt = p.nxt[:0]
		for _, t := range p.now {
			in := &p.prog.Inst[t.pc]
			if in.Op == syntax.InstMatch {
				best = append([]int(nil), t.cap...)
				best[1] = pos
				break
			}
			if n > 0 && in.MatchRune(r) {
				p.nxt = p.add(p.nxt, in.Out, text, pos+n, t.cap)
			}
		}
		p.now, p.nxt = p.nxt, p.now
		if n == 0 {
			return best
		}
		pos += n
	}
}

// add follows what needs no rune from pc on.
func (p *pike) add(list []thread, pc uint32, text string, pos int, caps []int) []thread {
	if p.seen[pc] == p.step {
		return list
	}
	p.seen[pc] = p.step
	in := &p.prog.Inst[pc]
	switch in.Op {
	case syntax.InstFail:
		return list
	case syntax.InstAlt, syntax.InstAltMatch:
		return p.add(p.add(list, in.Out, text, pos, caps), in.Arg, text, pos, caps)
	case syntax.InstNop:
		return p.add(list, in.Out, text, pos, caps)
	case syntax.InstCapture:
		if int(in.Arg) < len(caps) {
			caps = append([]int(nil), caps...)
			caps[in.Arg] = pos
		}
		return p.add(list, in.Out, text, pos, caps)
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(in.Arg)&^around(text, pos) != 0 {
			return list
		}
		return p.add(list, in.Out, text, pos, caps)
	}
	return append(list, thread{pc, caps})
}

// around tells what holds at a position of text without looking at a rune.
func around(text string, pos int) syntax.EmptyOp {
	before, after := rune(-1), rune(-1)
	if pos > 0 {
		before, _ = utf8.DecodeLastRuneInString(text[:pos])
	}
	if pos < len(text) {
		after, _ = utf8.DecodeRuneInString(text[pos:])
	}
	op := syntax.EmptyOpContext(before, after) &^ (syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary)
	if isWord(before) != isWord(after) {
		return op | syntax.EmptyWordBoundary
	}
	return op | syntax.EmptyNoWordBoundary
}

// isWord reports whether \w matches r.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control)
}
