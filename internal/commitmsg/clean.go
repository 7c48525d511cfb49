package commitmsg

import (
	"bytes"
	"strings"

	"poly/internal/diag"
)

// Clean returns the file with the message tidied up: the replacements of the
// configuration, then layout (line ends, blanks, blank lines), then what Check
// offers a fix for. Comments, what follows the scissors, and every line that
// needs no change stay as they are, byte by byte. Messages that Check ignores
// are returned as they are. text is not modified; it is returned itself if
// nothing changes.
func (c *Checker) Clean(text []byte, g Git) []byte {
	m := parse(text, g)
	if len(m.lines) == 0 || c.ignored(m, g) != "" || m.verbatim {
		return text
	}
	want := m.String()
	for _, k := range c.cleanups {
		want = k.re.ReplaceAllString(want, k.replace)
	}
	if strings.TrimSpace(want) == "" {
		return text // a message must not vanish
	}
	out := m.replace(want)
	// What was added may be followed by more to mend: a removed trailer leaves a
	// blank line behind. Each round removes something, or is the last.
	for range 5 {
		next := c.fixed(out, g)
		if bytes.Equal(next, out) {
			break
		}
		out = next
	}
	if bytes.Equal(out, text) {
		return text
	}
	return out
}

// fixed applies the fixes of Check.
func (c *Checker) fixed(text []byte, g Git) []byte {
	var fixes [][]diag.Edit
	for _, d := range c.Check(text, g).Diagnostics {
		if len(d.Fix) > 0 && d.Code != codeCleanup {
			fixes = append(fixes, d.Fix)
		}
	}
	out, n := diag.Apply(text, fixes)
	if n == 0 {
		return text
	}
	m := parse(out, g)
	if len(m.lines) == 0 {
		return text
	}
	return m.replace(m.String())
}

// tidy reports the replacements that Clean would make.
func (j *judge) tidy() {
	whole := j.message.String()
	for _, k := range j.cleanups {
		at := k.re.FindStringIndex(whole)
		if at == nil || k.re.ReplaceAllString(whole, k.replace) == whole {
			continue
		}
		title := k.what
		if title == "" {
			title = quote(k.re.String()) + " is to be replaced"
		}
		start, end := j.message.span(at[0], at[1])
		j.report(codeCleanup, start, end, title)
	}
}
