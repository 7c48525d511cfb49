package text

import (
	"bytes"
	"context"
	"fmt"

	"poly/internal/engine"
	"poly/internal/lang"
)

// format tidies a file of one of the [Formats] languages; it returns any other as it is.
func (w worker) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n := countEndings(src.Text)
	// A lone carriage return is an end to one reader and a blank to the next.
	if n.cr > 0 || !formats(src.Lang) || isPatch(src.Lang, src.Text) || isBinary(src.Text) {
		return src.Text, nil
	}
	ending := n.most()
	switch {
	case w.globals.CRLF:
		ending = crlf
	case w.globals.LF:
		ending = lf
	}
	out := w.tidy(src, ending)
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// tidy gives every line the ending and takes its blanks away.
func (w worker) tidy(src engine.Source, ending []byte) []byte {
	out := make([]byte, 0, len(src.Text)+len(crlf))
	t := trimmer{lang: src.Lang}
	for line := range bytes.Lines(src.Text) {
		body, end := splitEnd(line)
		if w.globals.TrimTrailingWhitespace {
			body = body[:len(body)-t.blanks(body)]
		}
		out = append(out, body...)
		if len(end) > 0 {
			out = append(out, ending...)
		}
	}
	if w.globals.FinalNewline && len(out) > 0 && !bytes.Equal(out, bom) && !bytes.HasSuffix(out, lf) {
		out = append(out, ending...)
	}
	return out
}

func formats(l lang.ID) bool {
	in, ok := lang.Lookup(l)
	return ok && in.Formatter == engineName
}

func isBinary(text []byte) bool { return bytes.IndexByte(text, 0) >= 0 }

// same reports whether two texts differ in nothing but line ends and blanks at
// the end of lines.
func same(before, after []byte) error {
	b, a := bare(before), bare(after)
	if len(a) == len(b)+1 && len(a[len(b)]) == 0 && !bytes.HasSuffix(before, lf) {
		a = a[:len(b)]
	}
	for i := range max(len(b), len(a)) {
		if i >= len(b) || i >= len(a) || !bytes.Equal(b[i], a[i]) {
			return fmt.Errorf("line %d: %q became %q", i+1, excerpt(b, i), excerpt(a, i))
		}
	}
	return nil
}

// bare returns the lines without their ends and the blanks before them. Blanks
// after the last line end are no line: they may go, or get an end of their own.
func bare(text []byte) [][]byte {
	lines := bytes.Split(bytes.TrimRight(text, " \t"), lf)
	for i, l := range lines {
		lines[i] = bytes.TrimRight(bytes.TrimSuffix(l, []byte("\r")), " \t")
	}
	if n := len(lines) - 1; len(lines[n]) == 0 {
		lines = lines[:n]
	}
	return lines
}

func excerpt(lines [][]byte, i int) []byte {
	if i >= len(lines) {
		return nil
	}
	return lines[i][:min(len(lines[i]), 80)]
}
