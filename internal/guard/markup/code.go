package markup

import (
	"bytes"
	"slices"
	"strings"

	"poly/internal/guard/css"
	"poly/internal/guard/js"
	"poly/internal/guard/json"
)

// lang is the language of a piece of code.
type lang uint8

const (
	plain lang = iota // not known: only the indentation of its lines is free
	script
	typed // TypeScript
	jsonText
	style
	scss
	less
	declarations // of an attribute
	expression
	parameters
	loop    // `a in b`
	handler // statements
	braced  // an expression in braces, or a tag of Svelte
)

// codeOf returns the language of a script or style.
func codeOf(name []byte, attrs []event) lang {
	of := strings.ToLower(value(attrs, "lang"))
	if strings.EqualFold(string(name), "style") {
		switch of {
		case "", "css", "postcss":
			return style
		case "scss":
			return scss
		case "less":
			return less
		}
	}
	if strings.EqualFold(string(name), "script") {
		return scriptOf(of, strings.ToLower(value(attrs, "type")))
	}
	return plain
}

func scriptOf(of, kind string) lang {
	switch {
	case of == "ts" || of == "typescript" || of == "tsx":
		return typed
	case strings.HasSuffix(kind, "json") || kind == "importmap" || kind == "speculationrules":
		return jsonText
	case kind == "" || kind == "module" || strings.HasSuffix(kind, "javascript") || kind == "text/babel" || kind == "jsx":
		return script
	}
	return plain
}

// codeIn returns the language of an attribute's value.
func (r *reader) codeIn(name []byte) lang {
	n := string(name)
	switch r.dialect {
	case HTML:
		if len(n) > 2 && strings.EqualFold(n[:2], "on") {
			return handler
		}
	case Vue:
		return directive(n)
	}
	return plain
}

// directive returns the language of the value of an attribute in Vue.
func directive(n string) lang {
	starts := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(n, p) })
	}
	switch {
	case n == "v-for":
		return loop
	case n == "slot-scope" || starts("v-slot", "#"):
		return parameters
	case starts("@", "v-on:"):
		return handler
	case starts(":", "v-", "."):
		return expression
	}
	return plain
}

// sameCode asks the guard of the language of two pieces of code that are not the
// same.
func sameCode(x, y *event) bool {
	if x.what != code || x.lang != y.lang {
		return false
	}
	if x.lang == plain {
		return bytes.Equal(dedent(x.text), dedent(y.text))
	}
	if bytes.IndexByte(x.text, '`') < 0 && bytes.Equal(lines(x.text), lines(y.text)) {
		return true
	}
	a, b := x.text, y.text
	switch x.lang {
	case expression:
		return wrapped("(", a, b, "\n)")
	case parameters:
		return wrapped("((", a, b, "\n)=>0)") || wrapped("(", a, b, "\n)")
	case loop:
		return sameLoop(a, b)
	case handler:
		return wrapped("(", a, b, "\n)") || wrapped("(async function(){", a, b, "\n})")
	case braced:
		return sameBraced(a, b)
	}
	return sameFile(a, b, x.lang)
}

// sameFile compares code that might stand in a file of its own.
func sameFile(a, b []byte, l lang) bool {
	var err error
	switch l {
	case script:
		err = js.Same(a, b, js.JavaScript)
	case typed:
		err = js.Same(a, b, js.TypeScript)
	case jsonText:
		err = json.Same(a, b)
	case style:
		err = css.Same(a, b, css.CSS)
	case scss:
		err = css.Same(a, b, css.SCSS)
	case less:
		err = css.Same(a, b, css.Less)
	default:
		rule := func(code []byte) []byte { return []byte("a{" + string(code) + "}") }
		err = css.Same(rule(a), rule(b), css.CSS)
	}
	return err == nil
}

// lines returns code without the blanks around its lines.
func lines(code []byte) []byte {
	var out []byte
	for l := range bytes.SplitSeq(bytes.TrimSpace(code), []byte("\n")) {
		out = append(append(out, bytes.TrimSpace(l)...), '\n')
	}
	return out
}

// dedent returns lines without the blanks that all of them start with, and
// without those at their ends.
func dedent(text []byte) []byte {
	all := bytes.Split(bytes.TrimRight(text, " \t\r\n"), []byte("\n"))
	for len(all) > 0 && len(bytes.TrimSpace(all[0])) == 0 {
		all = all[1:]
	}
	margin := -1
	for i, l := range all {
		all[i] = bytes.TrimRight(l, " \t\r")
		if n := len(all[i]) - len(bytes.TrimLeft(all[i], " \t")); len(all[i]) > 0 && (margin < 0 || n < margin) {
			margin = n
		}
	}
	for i, l := range all {
		all[i] = l[min(len(l), max(margin, 0)):]
	}
	return bytes.Join(all, []byte("\n"))
}

// wrapped compares two pieces as TypeScript between other text.
func wrapped(before string, a, b []byte, after string) bool {
	wrap := func(code []byte) []byte { return []byte(before + string(code) + after) }
	return js.Same(wrap(a), wrap(b), js.TSX) == nil || js.Same(wrap(a), wrap(b), js.TypeScript) == nil
}

func sameLoop(a, b []byte) bool {
	for _, word := range []string{" in ", " of "} {
		x, xs, ok := bytes.Cut(bytes.TrimSpace(collapse(a)), []byte(word))
		y, ys, also := bytes.Cut(bytes.TrimSpace(collapse(b)), []byte(word))
		if ok && also {
			open := func(p []byte) []byte {
				p = bytes.TrimSpace(p)
				return bytes.TrimSuffix(bytes.TrimPrefix(p, []byte("(")), []byte(")"))
			}
			return wrapped("((", open(x), open(y), "\n)=>0)") && wrapped("(", xs, ys, "\n)")
		}
	}
	return false
}

// sameBraced compares two expressions in braces. The tags of Svelte are a word
// and then an expression.
func sameBraced(a, b []byte) bool {
	a, b = bytes.TrimSpace(a[1:len(a)-1]), bytes.TrimSpace(b[1:len(b)-1])
	if len(a) > 0 && len(b) > 0 && strings.IndexByte("#:@/", a[0]) >= 0 && a[0] == b[0] {
		if bytes.Equal(bytes.TrimSpace(collapse(a)), bytes.TrimSpace(collapse(b))) {
			return !bytes.ContainsAny(a, "'\"`")
		}
		x, a, _ := bytes.Cut(a, []byte(" "))
		y, b, _ := bytes.Cut(b, []byte(" "))
		return bytes.Equal(x, y) && wrapped("(", a, b, "\n)")
	}
	return wrapped("(", a, b, "\n)") || wrapped("[", a, b, "\n]") || wrapped("({", a, b, "\n})")
}

// expression reads one in braces in text.
func (r *reader) expression() {
	start := r.pos
	r.braces()
	if r.bad != "" {
		return
	}
	e := event{what: code, lang: braced, at: start, text: r.src[start:r.pos]}
	if c := r.src[start+1]; r.dialect == Svelte && (c == '#' || c == ':' || c == '/' || c == '@') {
		e.text = append([]byte{'{'}, append(bytes.TrimSpace(e.text[1:len(e.text)-1]), '}')...)
	}
	r.inline(e)
}

// braces goes behind the brace that closes the one at hand.
func (r *reader) braces() {
	start, depth := r.pos, 0
	for r.pos < len(r.src) {
		switch b := r.src[r.pos]; {
		case b == '{':
			depth++
		case b == '}':
			if depth--; depth == 0 {
				r.pos++
				return
			}
		case b == '`' || (b == '"' || b == '\'') && r.quotes(b):
			r.quoted(b)
			continue
		case r.has("/*"):
			r.pos = r.until(r.pos+2, "*/")
			continue
		case r.has("//") && (r.pos == 0 || r.src[r.pos-1] != ':'):
			if i := bytes.IndexByte(r.src[r.pos:], '\n'); i >= 0 {
				r.pos += i
				continue
			}
		}
		r.pos++
	}
	r.fail(start, "a brace that is not closed")
}

// quotes reports whether a quote mark starts a string: not an apostrophe in the
// text of an element.
func (r *reader) quotes(q byte) bool {
	rest := r.src[r.pos+1:]
	i := bytes.IndexByte(rest, q)
	return i >= 0 && bytes.IndexByte(rest[:i], '\n') < 0 && (r.pos == 0 || !isNameStart(r.src[r.pos-1]))
}

// quoted goes behind a string.
func (r *reader) quoted(q byte) {
	for r.pos++; r.pos < len(r.src); r.pos++ {
		switch r.src[r.pos] {
		case '\\':
			r.pos++
		case q:
			r.pos++
			return
		}
	}
	r.fail(min(r.pos, len(r.src)), "a string that is not closed")
}

// frontMatter reads the script an Astro file starts with.
func (r *reader) frontMatter() {
	start := r.pos
	for r.pos < len(r.src) && isSpace(r.src[r.pos]) {
		r.pos++
	}
	if !r.has("---") {
		r.pos = start
		return
	}
	from := r.pos + 3
	r.pos = r.until(from, "---")
	if r.bad == "" {
		r.events = append(r.events, event{what: code, lang: typed, at: from, text: r.src[from : r.pos-3]})
	}
}
