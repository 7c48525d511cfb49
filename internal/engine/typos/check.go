package typos

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// worker checks files on one goroutine.
type worker struct {
	rules   rules
	exclude excluder
	native  nativeCache
}

// Lint reports misspelt words. A file that is excluded or too large to be
// prose has none.
func (w *worker) Lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(src.Text) >= maxFile || w.exclude.class(src.Path) != "" {
		return nil, nil
	}
	own, err := w.native.rules(src.Inputs)
	if err != nil {
		return nil, err
	}
	c := checker{src: src, rules: w.rules.with(own)}
	if in, ok := lang.Lookup(src.Lang); ok {
		c.prose = in.Prose
	}
	scan(shared(), src.Text, c.add)
	if c.distinct > maxHits {
		return nil, nil
	}
	return c.diags, ctx.Err()
}

// Format returns the text: words are the author's.
func (w *worker) Format(ctx context.Context, src engine.Source) ([]byte, error) {
	return src.Text, ctx.Err()
}

// Close does nothing.
func (w *worker) Close() error { return nil }

// checker collects the diagnostics of one file.
type checker struct {
	src      engine.Source
	rules    rules
	prose    bool
	diags    []diag.Diagnostic
	seen     map[string]bool
	distinct int
	ignored  [][]int // what extend_ignore_re matches, once a hit asks for it
	searched bool
}

// add judges a hit; the cheap questions come first.
func (c *checker) add(h hit) bool {
	text := c.src.Text
	word, ident := text[h.word.Start:h.word.End], text[h.ident.Start:h.ident.End]
	if !plausible(text, h) || c.rules.allow(word, ident) || c.inIgnored(h.word) || !english(text, h.word.Start) {
		return true
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	if key := strings.ToLower(string(word)); !c.seen[key] {
		c.seen[key] = true
		if c.distinct++; c.distinct > maxHits {
			return false
		}
	}
	right := matchCase(word, h.right)
	d := diag.Diagnostic{
		Engine: engineName, Code: codeTypo, Severity: diag.Warning,
		Title: fmt.Sprintf("%q should be %q", word, right),
		Span:  &diag.Span{Start: h.word.Start, End: h.word.End},
	}
	if c.prose && oneSlip(strings.ToLower(string(word)), h.right) && certain(text, h) {
		d.Fix = []diag.Edit{{Start: h.word.Start, End: h.word.End, Replacement: right}}
	}
	c.diags = append(c.diags, d)
	return true
}

// inIgnored reports whether a word lies in a match of extend_ignore_re.
func (c *checker) inIgnored(word diag.Span) bool {
	if !c.searched {
		c.searched = true
		for _, re := range c.rules.text {
			c.ignored = append(c.ignored, re.FindAllIndex(c.src.Text, -1)...)
		}
	}
	for _, m := range c.ignored {
		if m[0] < word.End && word.Start < m[1] {
			return true
		}
	}
	return false
}

// matchCase writes right as word is written: small, Capitalised or CAPITALS.
func matchCase(word []byte, right string) string {
	switch {
	case classes[word[0]] == lower:
		return right
	case classes[word[1]] == upper:
		return strings.ToUpper(right)
	}
	return strings.ToUpper(right[:1]) + right[1:]
}

// oneSlip reports whether one letter more, less or other, or two letters that
// changed places, make wrong of right.
func oneSlip(wrong, right string) bool {
	n := min(len(wrong), len(right))
	i := 0
	for i < n && wrong[i] == right[i] {
		i++
	}
	w, r := wrong[i:], right[i:]
	switch len(w) - len(r) {
	case 1:
		return w[1:] == r
	case -1:
		return w == r[1:]
	case 0:
		return w != "" && (w[1:] == r[1:] || len(w) > 1 && w[0] == r[1] && w[1] == r[0] && w[2:] == r[2:])
	}
	return false
}

// certain reports whether a word of prose may be corrected by machine: it
// stands between blanks and punctuation and not in code, a link or a tag.
func certain(text []byte, h hit) bool {
	start, end := h.word.Start, h.word.End
	if h.word != h.ident || !standsAlone(text, start, end) {
		return false
	}
	line := bytes.LastIndexByte(text[:start], '\n') + 1
	before := text[line:start]
	if bytes.HasPrefix(before, []byte("    ")) || bytes.HasPrefix(before, []byte("\t")) {
		return false
	}
	if bytes.Count(before, []byte("`"))%2 == 1 || bytes.Count(before, []byte("<")) > bytes.Count(before, []byte(">")) ||
		bytes.LastIndex(before, []byte("](")) > bytes.LastIndexByte(before, ')') {
		return false
	}
	return !fenced(text[:line])
}

// standsAlone reports whether a word has blanks or punctuation on both sides,
// and no letter right after the punctuation, as in name.ext.
func standsAlone(text []byte, start, end int) bool {
	if start > 0 && strings.IndexByte(" \t\n(\"'*", text[start-1]) < 0 {
		return false
	}
	switch {
	case end == len(text) || strings.IndexByte(" \t\r\n", text[end]) >= 0:
		return true
	case strings.IndexByte(".,;:!?)\"'*", text[end]) < 0:
		return false
	}
	return end+1 == len(text) || classes[text[end+1]] == other
}

// fenced reports whether a fenced block or a front matter is open at the end of text.
func fenced(text []byte) bool {
	fence := ""
	first := true
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		switch {
		case first && string(line) == "---":
			fence = "---"
		case fence == "" && (bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~"))):
			fence = string(line[:len(line)-len(bytes.TrimLeft(line, string(line[0])))])
		case fence != "" && bytes.HasPrefix(line, []byte(fence)) && len(bytes.Trim(line, fence[:1])) == 0:
			fence = ""
		}
		first = false
	}
	return fence != ""
}

// rules say which words and identifiers are right.
type rules struct {
	words      map[string]bool // in lower case
	idents     map[string]bool
	text       []*regexp.Regexp
	wordRes    []*regexp.Regexp
	identRes   []*regexp.Regexp
	excludeSrc []string
}

// allow reports whether a word or the identifier around it is allowed.
func (r *rules) allow(word, ident []byte) bool {
	if len(r.words) > 0 && r.words[strings.ToLower(string(word))] || len(r.idents) > 0 && r.idents[string(ident)] {
		return true
	}
	for _, re := range r.wordRes {
		if re.Match(word) {
			return true
		}
	}
	for _, re := range r.identRes {
		if re.Match(ident) {
			return true
		}
	}
	return false
}

// with joins two sets of rules; neither is modified.
func (r rules) with(more rules) rules {
	return rules{
		words: union(r.words, more.words), idents: union(r.idents, more.idents),
		text: join(r.text, more.text), wordRes: join(r.wordRes, more.wordRes), identRes: join(r.identRes, more.identRes),
		excludeSrc: join(r.excludeSrc, more.excludeSrc),
	}
}

func union(a, b map[string]bool) map[string]bool {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	out := make(map[string]bool, len(a)+len(b))
	for _, m := range [...]map[string]bool{a, b} {
		for k := range m {
			out[k] = true
		}
	}
	return out
}

func join[T any](a, b []T) []T {
	if len(b) == 0 {
		return a
	}
	return append(slices.Clip(a), b...)
}
