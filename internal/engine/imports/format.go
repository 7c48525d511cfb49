package imports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/scanner"
	"slices"

	"poly/internal/engine"
)

type formatter struct {
	prefix string
	crlf   bool // line_ending = "crlf"
}

var bom = []byte("\xef\xbb\xbf")

// format returns what goimports -format-only would write, but for a byte order
// mark and the line endings, which it would drop.
func (f formatter) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text, hasBOM := bytes.CutPrefix(src.Text, bom)
	out, err := process(f.prefix, bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	if err != nil {
		return nil, skipSyntax(err)
	}
	if f.crlf || mostlyCRLF(text) {
		out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	}
	if hasBOM {
		out = append(slices.Clip(bom), out...)
	}
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// skipSyntax makes a parse error a skip: lint is who reports it.
func skipSyntax(err error) error {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return engine.Skip(fmt.Sprintf("Go syntax error at line %d", list[0].Pos.Line))
	}
	return err
}

// mostlyCRLF reports whether more lines end with CRLF than with LF alone.
func mostlyCRLF(text []byte) bool {
	crlf := bytes.Count(text, []byte("\r\n"))
	return crlf > 0 && 2*crlf > bytes.Count(text, []byte("\n"))
}
