package shfmt

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"poly/internal/shellfile"
)

// Same reports whether two scripts mean the same: the same syntax tree with the
// same text of every word, quotation and here-document, the same comments in
// their order, those for shellcheck in front of the same commands, and the same characters in sum, but for blanks and for what may
// be written in several ways. Texts do not tell their file names, so they are
// read in the dialect of the shebang, and else in the first that fits.
func Same(before, after []byte) error { return same(before, after, false) }

// sameSimplified is Same for results that were simplified, or may have been.
func sameSimplified(before, after []byte) error {
	err := Same(before, after)
	if err != nil && same(before, after, true) == nil {
		return nil
	}
	return err
}

func same(before, after []byte, simplify bool) error {
	before, after = plain(before), plain(after)
	var fault, unread error
	for _, v := range variants(before) {
		a, err := shellfile.Parse(before, v)
		if err != nil {
			if unread == nil {
				unread = fmt.Errorf("the original does not parse: %w", err)
			}
			continue
		}
		b, err := shellfile.Parse(after, v)
		switch {
		case err != nil:
			err = fmt.Errorf("the result does not parse: %w", err)
		case simplify:
			syntax.Simplify(a)
			syntax.Simplify(b)
			_, _, err = sameCode(a, b, before, after)
		default:
			err = sameTrees(a, b, before, after)
		}
		if err == nil {
			return nil
		}
		if fault == nil {
			fault = err
		}
	}
	return cmp.Or(fault, unread)
}

func plain(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	if bytes.IndexByte(text, '\r') < 0 {
		return text
	}
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

// variants are the dialects a text is tried as: that of its shebang first.
func variants(text []byte) []syntax.LangVariant {
	v, _ := shellfile.Variant("", text)
	out := []syntax.LangVariant{v}
	for _, o := range []syntax.LangVariant{syntax.LangBash, syntax.LangBats, syntax.LangZsh, syntax.LangMirBSDKorn, syntax.LangPOSIX} {
		if o != v {
			out = append(out, o)
		}
	}
	return out
}

func sameTrees(a, b *syntax.File, before, after []byte) error {
	x, y, err := sameCode(a, b, before, after)
	if err != nil {
		return err
	}
	was, is := x.count(), y.count()
	for c := range was {
		if was[c] != is[c] {
			return fmt.Errorf("characters were lost or added: %q %d times before, %d after", rune(c), was[c], is[c])
		}
	}
	return nil
}

// sameCode compares entries and comments of two trees.
func sameCode(a, b *syntax.File, before, after []byte) (x, y *canon, err error) {
	x, y = canonical(a, before, false), canonical(b, after, false)
	switch {
	case !bytes.Equal(x.entries, y.entries):
		x, y = canonical(a, before, true), canonical(b, after, true)
		i := x.differ(y)
		err = fmt.Errorf("code changed: before %s, after %s", x.excerpt(i), y.excerpt(i))
	case !slices.Equal(x.comments, y.comments):
		err = commentsDiffer(x.comments, y.comments)
	default:
		for i, m := range x.marks {
			if m != y.marks[i] {
				return x, y, fmt.Errorf("comment %s moved to another command", quote(m.text))
			}
		}
	}
	return x, y, err
}

func commentsDiffer(x, y []string) error {
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Errorf("comments changed: before %s, after %s", quote(x[i]), quote(y[i]))
		}
	}
	if len(x) > len(y) {
		return fmt.Errorf("comment %s was lost", quote(x[len(y)]))
	}
	return fmt.Errorf("comment %s was added", quote(y[len(x)]))
}

func quote(s string) string {
	if utf8.RuneCountInString(s) > 60 {
		s = string([]rune(s)[:57]) + "..."
	}
	return fmt.Sprintf("%q", s)
}

// census counts the characters of a text that no formatting removes or adds.
type census [256]int

// count takes the characters of the text, less those that may be written in
// several ways, plus what the printer writes for old spellings.
func (c *canon) count() census {
	var n census
	for _, b := range c.text {
		n[b]++
	}
	for _, b := range []byte(" \t\n\r\v\f;\\`$()[]{}") {
		n[b] = 0
	}
	for _, s := range c.added {
		for _, b := range []byte(s) {
			n[b]++
		}
	}
	for _, s := range c.removed {
		for _, b := range []byte(s) {
			n[b]--
		}
	}
	return n
}

// differ returns the index of the first entry in which two trees differ.
func (c *canon) differ(o *canon) int {
	n := 0
	for n < min(len(c.entries), len(o.entries)) && c.entries[n] == o.entries[n] {
		n++
	}
	return bytes.Count(c.entries[:n], []byte{0})
}

// excerpt shows the text at an entry with its line.
func (c *canon) excerpt(i int) string {
	if i >= len(c.offsets) {
		return "nothing (end of file)"
	}
	at := min(int(c.offsets[i]), len(c.text))
	line, _, _ := strings.Cut(string(c.text[at:]), "\n")
	return fmt.Sprintf("%s (line %d)", quote(line), 1+bytes.Count(c.text[:at], []byte("\n")))
}
