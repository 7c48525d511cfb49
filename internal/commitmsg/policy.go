package commitmsg

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"poly/internal/diag"
)

// affixes judges the prefix and the suffix of the title and returns what is
// between them.
func (j *judge) affixes() mline {
	t := j.message.lines[0]
	if p := j.o.TitlePrefix; p.Text != "" {
		full := p.Text + p.Separator
		rest, ok := strings.CutPrefix(t.text, full)
		switch {
		case ok:
			t = mline{rest, t.start + len(full)}
		case strings.HasPrefix(t.text, p.Text):
			j.report(codePrefix, t.start, t.start+len(p.Text), fmt.Sprintf("%s does not follow the prefix %s", quote(p.Separator), quote(p.Text)))
			rest := strings.TrimLeft(t.text[len(p.Text):], " *:-|")
			t = mline{rest, t.end() - len(rest)}
		default:
			j.report(codePrefix, t.start, t.end(), "The title does not begin with "+quote(full), diag.Edit{Start: t.start, End: t.start, Replacement: full})
		}
	}
	if s := j.o.TitleSuffix; s.Text != "" {
		full := s.Separator + s.Text
		if rest, ok := strings.CutSuffix(t.text, full); ok {
			t.text = rest
		} else {
			var fix []diag.Edit
			if !strings.HasSuffix(t.text, s.Text) {
				fix = []diag.Edit{{Start: t.end(), End: t.end(), Replacement: full}}
			}
			j.report(codeSuffix, t.start, t.end(), "The title does not end with "+quote(full), fix...)
		}
	}
	return t
}

// policies judges the characters of the message.
func (j *judge) policies() {
	for _, l := range j.message.lines {
		for i, r := range l.text {
			bad := utf8.RuneLen(r)
			if r == utf8.RuneError {
				_, bad = utf8.DecodeRuneInString(l.text[i:])
			}
			switch {
			case j.o.ASCIIOnly && r >= utf8.RuneSelf:
				j.report(codeASCII, l.start+i, l.start+i+bad, fmt.Sprintf("%q is not ASCII", r))
			case j.o.NoEmojis && isEmoji(r):
				j.report(codeEmoji, l.start+i, l.start+i+bad, fmt.Sprintf("%s is an emoji", string(r)))
			default:
				continue
			}
			break // one a line is enough
		}
	}
}

// isEmoji covers the pictographs of Unicode 16 and the symbols that are shown
// as such.
func isEmoji(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF
}
