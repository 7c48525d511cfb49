package imports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/scanner"

	"poly/internal/engine"
)

type formatter struct {
	prefix string
	// How lines end: neither keeps what most of them have.
	crlf, lf bool
}

// format returns what goimports -format-only would write, but for a byte order
// mark and the line endings, which it would drop.
func (f formatter) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text, ends := engine.Plain(src.Text)
	out, err := process(f.prefix, text)
	if err != nil {
		return nil, skipSyntax(err)
	}
	out = ends.Restore(out, engine.Globals{CRLF: f.crlf, LF: f.lf, FinalNewline: true})
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
