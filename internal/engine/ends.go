package engine

import "bytes"

const mark = "\xef\xbb\xbf"

// Ends are what surrounds the lines of a text and is none of a formatter's
// business: [Plain] takes it away, [Ends.Restore] gives it back.
type Ends struct {
	Marked bool // it starts with a byte order mark
	CRLF   bool // most of its lines end with "\r\n"
	Mixed  bool // others do not
	Open   bool // its last line has no line end
}

// Plain returns text without a byte order mark and with "\n" for each "\r\n".
// The result shares memory with text where it can: it must not be modified.
func Plain(text []byte) ([]byte, Ends) {
	body, marked := bytes.CutPrefix(text, []byte(mark))
	crlf, all := bytes.Count(body, []byte("\r\n")), bytes.Count(body, []byte("\n"))
	e := Ends{Marked: marked, CRLF: 2*crlf > all, Mixed: crlf > 0 && crlf < all, Open: !bytes.HasSuffix(body, []byte("\n"))}
	if crlf > 0 {
		body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
	}
	return body, e
}

// Restore returns out, a formatted text with "\n" alone, with the ends of the
// original or those that g demands. It may change out.
func (e Ends) Restore(out []byte, g Globals) []byte {
	switch ended := bytes.HasSuffix(out, []byte("\n")); {
	case len(out) == 0:
	case !ended && (g.FinalNewline || !e.Open):
		out = append(out, '\n')
	case ended && e.Open && !g.FinalNewline:
		out = out[:len(out)-1]
	}
	if g.CRLF || e.CRLF && !g.LF {
		out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	}
	if e.Marked {
		out = append([]byte(mark), out...)
	}
	return out
}
