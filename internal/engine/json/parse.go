package json

import (
	"context"
	"fmt"
)

// parser checks the grammar with a stack of its own, so that no depth of
// nesting can exhaust the goroutine's.
type parser struct {
	scanner
	stack []frame
	names names
	prev  token // the token before the one in hand

	fault  *fault
	commas []token // trailing commas where none is allowed
	twice  []twin  // names that are in their object already
}

// frame is one open object or array.
type frame struct {
	open  token
	first int // index of its first name
	index map[string]int
}

// state says what may come next.
type state uint8

const (
	value      state = iota // a value
	firstValue              // a value or ]
	nextValue               // a value or, where trailing commas are allowed, ]
	firstName               // a name or }
	nextName                // a name or, where trailing commas are allowed, }
	colon
	comma // a comma or the closing bracket
	done  // nothing
)

// checkEvery is how many tokens are read between two looks at the context.
const checkEvery = 1 << 14

// run reads the whole text, or up to the first fault. Its error is the context's.
func (p *parser) run(ctx context.Context) error {
	for st, n := value, 0; ; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		t, f := p.next()
		if f == nil {
			if t.kind == end && (st == done || st == value && n == 0 && p.comments && !p.json5) {
				return nil
			}
			st, f = p.step(st, t)
		}
		if f != nil {
			p.fault = f
			return nil
		}
		p.prev = t
	}
}

// step takes one token and returns what may follow.
func (p *parser) step(st state, t token) (state, *fault) {
	switch st {
	case value:
		return p.value(t)
	case firstValue, nextValue:
		if t.kind == ']' {
			return p.close(st == nextValue)
		}
		return p.value(t)
	case firstName, nextName:
		return p.name(st, t)
	case colon:
		if t.kind == ':' {
			return value, nil
		}
		return 0, p.wanted("a colon after the name", t)
	case comma:
		return p.comma(t)
	}
	return 0, p.extra(t)
}

func (p *parser) value(t token) (state, *fault) {
	switch t.kind {
	case '[':
		p.stack = append(p.stack, frame{open: t})
		return firstValue, nil
	case '{':
		p.stack = append(p.stack, frame{open: t, first: len(p.names)})
		return firstName, nil
	case text, number:
		return p.after(), nil
	case word:
		switch w := string(p.src[t.start:t.end]); w {
		case "true", "false", "null":
			return p.after(), nil
		case "NaN", "Infinity":
			if p.json5 {
				return p.after(), nil
			}
		}
		return 0, p.badWord(t)
	}
	return 0, p.wanted("a value", t)
}

func (p *parser) name(st state, t token) (state, *fault) {
	switch {
	case t.kind == '}':
		return p.close(st == nextName)
	case t.kind == text, t.kind == word && p.json5:
		p.add(t)
		return colon, nil
	case t.kind == word, t.kind == number:
		return 0, &fault{t.start, t.end, fmt.Sprintf("Name %s without quotes", p.show(t)), "Names are strings in double quotes."}
	}
	return 0, p.wanted("a name or `}`", t)
}

func (p *parser) comma(t token) (state, *fault) {
	open := p.top().open.kind
	switch {
	case t.kind == ',' && open == '{':
		return nextName, nil
	case t.kind == ',':
		return nextValue, nil
	case t.kind == '}' && open == '{', t.kind == ']' && open == '[':
		return p.close(false)
	}
	if open == '{' {
		return 0, p.wanted("a comma or `}`", t)
	}
	return 0, p.wanted("a comma or `]`", t)
}

// close ends the innermost object or array; trailing tells that the token
// before the bracket is a comma.
func (p *parser) close(trailing bool) (state, *fault) {
	if trailing && !p.trailing {
		p.commas = append(p.commas, p.prev)
	}
	if p.top().open.kind == '{' {
		p.names = p.names[:p.top().first]
	}
	p.stack = p.stack[:len(p.stack)-1]
	return p.after(), nil
}

func (p *parser) top() *frame { return &p.stack[len(p.stack)-1] }

// after is the state after a complete value.
func (p *parser) after() state {
	if len(p.stack) == 0 {
		return done
	}
	return comma
}

// wanted is the fault of a token where something else had to stand.
func (p *parser) wanted(what string, t token) *fault {
	if t.kind != end {
		return &fault{t.start, t.end, fmt.Sprintf("Expected %s, found %s", what, p.show(t)), ""}
	}
	if len(p.stack) == 0 {
		return &fault{0, len(p.src), "Empty document", "Write a value, such as `{}`."}
	}
	open := p.top().open
	return &fault{open.start, open.end, fmt.Sprintf("Unclosed %s: expected %s before the end of the file", p.show(open), what), ""}
}

func (p *parser) badWord(t token) *fault {
	f := &fault{t.start, t.end, fmt.Sprintf("Expected a value, found %s", p.show(t)), "The words are `true`, `false` and `null`; anything else needs double quotes."}
	switch string(p.src[t.start:t.end]) {
	case "NaN", "Infinity":
		f.title, f.help = fmt.Sprintf("%s is not a JSON number", p.show(t)), "Write null or a string."
	case "True", "False", "None", "undefined", "TRUE", "FALSE", "NULL", "Null":
		f.title = fmt.Sprintf("%s is not a JSON value", p.show(t))
	}
	return f
}

func (p *parser) extra(t token) *fault {
	f := &fault{start: t.start, end: t.end, title: fmt.Sprintf("Unexpected %s after the end of the value", p.show(t))}
	if t.kind == '{' || t.kind == '[' {
		f.title = "More than one value in the file"
		f.help = "One JSON text holds one value; files with one value a line are named `.jsonl` or `.ndjson`."
	}
	return f
}

func (p *parser) show(t token) string { return show(p.src[t.start:t.end]) }
