package enginetest

import (
	"context"
	"fmt"
	"unicode"
	"unicode/utf8"

	"poly/internal/engine"
)

// damages is how many words of a fixture are damaged.
const damages = 8

// checkDamage: every formatter has a guard, but for one of blanks in any
// language, and neither it nor what a worker says in its place takes a result
// for the original in which a word is another or is gone.
func checkDamage(ctx context.Context, s *suite) []string {
	return each(ctx, s, func(c testCase, b engine.Bound, w engine.Worker) []string {
		o, err := judge(ctx, &s.engine, w, c.src)
		if err != nil {
			return []string{err.Error()}
		}
		if o.text == nil {
			return nil
		}
		if b.Same == nil {
			if s.engine.Generic {
				return nil
			}
			return []string{"a formatter without a guard"}
		}
		guards := []func(before, after []byte) error{b.Same}
		if j, ok := w.(engine.Judge); ok {
			guards = append(guards, j.Same)
		}
		words := words(o.text)
		for n := 0; n < len(words); n += max(1, len(words)/damages) {
			at := words[n]
			for _, damaged := range [][]byte{
				splice(o.text, at[1], at[1], "q"), // another word
				splice(o.text, at[0], at[1], ""),
			} {
				for _, same := range guards {
					if same(c.src.Text, damaged) == nil {
						return []string{fmt.Sprintf("the guard accepts damage to %q, byte %d:\n%s", o.text[at[0]:at[1]], at[0], damaged)}
					}
				}
			}
		}
		return nil
	})
}

func splice(text []byte, from, to int, with string) []byte {
	out := append([]byte(nil), text[:from]...)
	return append(append(out, with...), text[to:]...)
}

// words returns where runs of letters start and end.
func words(text []byte) (out [][2]int) {
	start := -1
	for i := 0; i <= len(text); {
		r, n := utf8.DecodeRune(text[i:])
		switch letter := n > 0 && unicode.IsLetter(r); {
		case letter && start < 0:
			start = i
		case !letter && start >= 0:
			out = append(out, [2]int{start, i})
			start = -1
		}
		i += max(1, n)
	}
	return out
}
