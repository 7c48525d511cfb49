package imports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"sync"

	upstream "golang.org/x/tools/imports"

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
	if err := judgeable(text); err != nil {
		return nil, err
	}
	out, err := process(f.prefix, text)
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

// prefixLock guards upstream.LocalPrefix, the only way to tell the library of
// local imports. Calls that want the value it has run side by side.
var prefixLock sync.RWMutex

func process(prefix string, text []byte) ([]byte, error) {
	prefixLock.RLock()
	if upstream.LocalPrefix == prefix {
		defer prefixLock.RUnlock()
		return run(text)
	}
	prefixLock.RUnlock()
	prefixLock.Lock()
	defer prefixLock.Unlock()
	upstream.LocalPrefix = prefix
	return run(text)
}

func run(text []byte) ([]byte, error) {
	return upstream.Process("", text, &upstream.Options{Comments: true, TabIndent: true, TabWidth: 8, FormatOnly: true})
}

// judgeable declines what does not parse, and files in which a line directive
// stands before the last import: the library would merge the wrong lines of
// those, or try it for ever.
func judgeable(text []byte) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return skipSyntax(err)
	}
	if len(file.Imports) == 0 {
		return nil
	}
	end := file.Imports[len(file.Imports)-1].End()
	for _, g := range file.Comments {
		for _, c := range g.List {
			if c.Pos() < end && (strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ")) {
				return engine.Skip("line directive before the imports")
			}
		}
	}
	return nil
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
