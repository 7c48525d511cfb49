package webfmt

import (
	"bytes"

	"poly/internal/engine"
	"poly/internal/guard"
)

// frontMatter returns the length of the lines between two of three hyphens at
// the start of a text, and of one empty line after them: a generator of sites
// such as Jekyll reads them and hands on the rest. 0 if there are none.
func frontMatter(text []byte) int {
	line, n := cutLine(text)
	if line != "---" {
		return 0
	}
	for n < len(text) {
		line, size := cutLine(text[n:])
		n += size
		if line != "---" {
			continue
		}
		if line, size := cutLine(text[n:]); line == "" {
			n += size
		}
		return n
	}
	return 0
}

// cutLine returns the first line of text without blanks at its end, and the
// bytes it takes with its line ending.
func cutLine(text []byte) (line string, size int) {
	size = bytes.IndexByte(text, '\n') + 1
	if size == 0 {
		size = len(text)
	}
	return string(bytes.TrimRight(text[:size], " \t\r\n")), size
}

// besides makes a guard that leaves out the front matter, which must be the same
// but for its line ends.
func besides(same func(before, after []byte) error) func(before, after []byte) error {
	return func(before, after []byte) error {
		was, _ := engine.Plain(before)
		is, _ := engine.Plain(after)
		n, m := frontMatter(was), frontMatter(is)
		if !bytes.Equal(was[:n], is[:m]) {
			return guard.Differ("the front matter", was, 0, is, 0)
		}
		if n == 0 {
			return same(before, after)
		}
		// An empty line stands for each line that is left out: errors name lines.
		lines := bytes.Repeat([]byte("\n"), bytes.Count(was[:n], []byte("\n")))
		return same(append(lines, was[n:]...), append(bytes.Clone(lines), is[m:]...))
	}
}
