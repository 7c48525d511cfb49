// Package markdown judges what a formatter did to a Markdown text: whether a
// reader of the page it is rendered to sees the same.
//
// It reads CommonMark with the extensions of GitHub (tables, task lists,
// footnotes, alerts, literal links), with math and with directives. Bullets,
// numbers after the first of a list, markers of emphasis, fences, underlines of
// headings, escapes and line breaks that are blanks on the page are free.
// Compared are the blocks in their order and nesting, whether lists are loose,
// cells of tables and their alignment, definitions of links and footnotes, text
// and code byte for byte, HTML with the indentation of its lines free outside of
// elements that show it, and front matter as it stands.
package markdown

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"poly/internal/guard"
)

// Code judges the code of a fence that was changed: the first word of its info
// string as it stands ("ts", "js{1,2}", ""), and the code before and after,
// without the indentation of the fence and with LF at every line's end. It
// returns what a guard returns.
type Code func(info string, before, after []byte) error

// Same returns nil if after means what before means: see the package guard. code
// is asked about fenced code that is not the same; nil accepts no change of it.
func Same(before, after []byte, code Code) error {
	if bytes.Equal(before, after) {
		return nil
	}
	b := reader{src: before}
	if b.read(); b.bad != "" {
		return &guard.CannotJudge{Line: guard.Line(before, b.badAt), Reason: b.bad}
	}
	a := reader{src: after}
	if a.read(); a.bad != "" {
		return &guard.Broken{Line: guard.Line(after, a.badAt), Reason: a.bad}
	}
	if !bytes.Equal(b.front, a.front) {
		return guard.Differ("the front matter", before, 0, after, 0)
	}
	for i := range max(len(b.events), len(a.events)) {
		switch {
		case i >= len(b.events):
			return guard.Differ("the end", before, len(before), after, a.events[i].at)
		case i >= len(a.events):
			return guard.Differ(b.events[i].what, before, b.events[i].at, after, len(after))
		}
		x, y := &b.events[i], &a.events[i]
		if x.what != y.what || x.sum != y.sum {
			return guard.Differ(x.what, before, x.at, after, y.at)
		}
		if bytes.Equal(x.code, y.code) {
			continue
		}
		if code == nil || x.info == nil {
			return guard.Differ("code", before, x.at, after, y.at)
		}
		if err := code(string(x.info), x.code, y.code); err != nil {
			return placed(err, guard.Line(before, x.at))
		}
	}
	return nil
}

// placed counts the line of a difference in code from the start of the text: the
// code begins below the line of its fence.
func placed(err error, fence int) error {
	d, ok := errors.AsType[*guard.Difference](err)
	if !ok {
		return err
	}
	moved := *d
	moved.Line += fence
	return &moved
}

// event is a block, or the end of one that holds blocks.
type event struct {
	what string
	sum  uint64
	at   int
	code []byte // of a block of code
	info []byte // of a fence, nil elsewhere
}

// frontMatter returns the front matter a text starts with, with its fences and
// LF for every line ending, and the offset behind it.
func frontMatter(src []byte) ([]byte, int) {
	for _, fence := range []string{"---", "+++"} {
		line, at := cutLine(src, 0)
		if string(bytes.TrimRight(line, " \t")) != fence {
			continue
		}
		for at < len(src) {
			line, next := cutLine(src, at)
			if string(bytes.TrimRight(line, " \t")) == fence {
				text := bytes.TrimRight(src[:next], " \t\r\n")
				return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), next
			}
			at = next
		}
	}
	return nil, 0
}

// cutLine returns the line at the offset and the offset of the next one.
func cutLine(src []byte, at int) (line []byte, next int) {
	i := bytes.IndexByte(src[at:], '\n')
	if i < 0 {
		return src[at:], len(src)
	}
	return bytes.TrimSuffix(src[at:at+i], []byte("\r")), at + i + 1
}

// bom is the mark of UTF-8 a text may start with.
const bom = "\ufeff"

func (r *reader) read() {
	if !utf8.Valid(r.src) {
		r.bad = "the text is not UTF-8"
		return
	}
	start := 0
	if bytes.HasPrefix(r.src, []byte(bom)) {
		start = len(bom)
	}
	var n int
	r.front, n = frontMatter(r.src[start:])
	r.blocks(start + n)
}
