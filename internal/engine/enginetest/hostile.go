package enginetest

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"poly/internal/engine"
	"poly/internal/lang"
)

// hostile are texts nobody meant to write. None may make an engine panic, hang
// or point outside the file.
var hostile = []struct{ name, text string }{
	{"empty", ""},
	{"newline", "\n"},
	{"nul", "\x00"},
	{"nuls", strings.Repeat("\x00\n", 100)},
	{"invalid UTF-8", "a \xff\xfe b\n\xc3\x28\n\xe2\x82\n"},
	{"latin-1", "caf\xe9 = \"na\xefve\"\n"},
	{"UTF-16", "\xff\xfea\x00b\x00\n\x00"},
	{"byte order mark alone", bom},
	{"two byte order marks", bom + bom + "a\n"},
	{"carriage returns alone", "a\rb\rc\r"},
	{"mixed endings", "a\r\nb\nc\rd\r\r\n"},
	{"unusual spaces", "a\u00a0b\u2028c\u2029d\u0085e\ufeff\n\v\f\n"},
	{"right to left", "\u202eabc\u202c // \u05d0\u05d1\n"},
	{"combining", strings.Repeat("e\u0301\u0302\u0303", 1000) + "\n"},
	{"astral", strings.Repeat("😀", 1000) + "\n"},
	{"one long line", strings.Repeat("x", 1<<20)},
	{"one long line of words", strings.Repeat("word and ", 1<<17)},
	{"many lines", strings.Repeat("\n", 1<<20)},
	{"many blanks", strings.Repeat(" ", 1<<20)},
	{"many tabs and lines", strings.Repeat("\t\n ", 1<<18)},
	{"brackets", strings.Repeat("[", 100_000)},
	{"braces", strings.Repeat("{", 100_000)},
	{"parentheses", strings.Repeat("(", 100_000)},
	{"nested lists", strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)},
	{"nested maps", strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000)},
	{"nested indent", nested(1000)},
	{"nested Go", "package p\n\nvar x = " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + "\n"},
	{"nested Go blocks", "package p\n\nfunc f() " + strings.Repeat("{ if true ", 2000) + "{" + strings.Repeat("}", 2001) + "\n"},
	{"quotes", strings.Repeat("\"", 10_001) + "\n"},
	{"backslashes", strings.Repeat("\\", 10_001) + "\n"},
	{"back quotes", strings.Repeat("`", 10_001) + "\n"},
	{"comment openers", strings.Repeat("/*", 10_000)},
	{"hashes", strings.Repeat("#", 10_000) + "\n" + strings.Repeat("# \n", 10_000)},
	{"dashes", strings.Repeat("---\n", 10_000)},
	{"colons", strings.Repeat("a: ", 10_000) + "\n"},
	{"anchors", "a: &a [x]\nb: &b [*a,*a,*a]\nc: &c [*b,*b,*b]\nd: &d [*c,*c,*c]\ne: &e [*d,*d,*d]\nf: [*e,*e,*e]\n"},
	{"equals", strings.Repeat("=", 10_000) + "\n"},
	{"percent", strings.Repeat("%", 10_000) + "\n"},
	{"templates", strings.Repeat("{{ {% {{{ ${ <% ", 5000) + "\n"},
	{"control characters", "\x01\x02\x03\x07\x08\x0b\x0c\x0e\x1b[31m\x7f\n"},
	{"shebang", "#!/usr/bin/env\n"},
	{"conflicts", strings.Repeat(strings.Repeat("<", 7)+" a\n"+strings.Repeat("=", 7)+"\n", 5000)},
}

func nested(depth int) string {
	var b strings.Builder
	for i := range depth {
		fmt.Fprintf(&b, "%sa:\n", strings.Repeat(" ", i))
	}
	return b.String()
}

// checkHostile: nothing one can write breaks an engine.
func checkHostile(ctx context.Context, s *suite) []string {
	var out []string
	for _, l := range hostileLangs(&s.engine.Spec) {
		_, w, err := open(ctx, s.engine, defaultEnv(&s.engine.Spec, l))
		if err != nil {
			return append(out, err.Error())
		}
		for _, h := range hostile {
			src := engine.Source{Path: "hostile", Lang: l, Text: []byte(h.text)}
			out = append(out, survives(ctx, &s.engine, w, src, fmt.Sprintf("%s as %q", h.name, l))...)
			if len(out) >= maxProblems {
				return out
			}
		}
		if err := w.Close(); err != nil {
			out = append(out, err.Error())
		}
	}
	return out
}

// checkTruncated: neither does a fixture that ends in the middle.
func checkTruncated(ctx context.Context, s *suite) []string {
	return each(ctx, s, func(c testCase, _ engine.Bound, w engine.Worker) []string {
		text := c.src.Text
		for n := 0; n < len(text) && n < 16<<10; n += 7 {
			c.src.Text = text[:n:n]
			if out := survives(ctx, &s.engine, w, c.src, fmt.Sprintf("cut after %d bytes", n)); out != nil {
				return out
			}
		}
		return nil
	})
}

func survives(ctx context.Context, e *engine.Engine, w engine.Worker, src engine.Source, what string) []string {
	before := bytes.Clone(src.Text)
	o, err := judge(ctx, e, w, src)
	if err != nil {
		return []string{what + ": " + err.Error()}
	}
	var out []string
	for _, p := range badDiags(&e.Spec, src.Text, o.diags) {
		out = append(out, what+": "+p)
	}
	if !bytes.Equal(before, src.Text) {
		out = append(out, what+": the source was modified")
	}
	if len(out) > maxProblems {
		out = out[:maxProblems]
	}
	return out
}

func hostileLangs(spec *engine.Spec) []lang.ID {
	if spec.Cross {
		return []lang.ID{"", lang.Text, lang.Markdown, lang.Make, lang.Go}
	}
	return spec.Langs
}

func firstLang(spec *engine.Spec) lang.ID {
	if len(spec.Langs) > 0 {
		return spec.Langs[0]
	}
	return ""
}
