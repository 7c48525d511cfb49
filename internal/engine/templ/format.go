package templ

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/a-h/parse"
	upstream "github.com/a-h/templ/parser/v2"

	"poly/internal/diag"
	"poly/internal/engine"
)

// maxSize is how many bytes a file may have: the time the library takes grows
// with the square of them.
const maxSize = 512 << 10

func tooLarge() error { return engine.Skip(fmt.Sprintf("larger than %d KiB", maxSize>>10)) }

// formatter is one bound configuration.
type formatter struct{ globals engine.Globals }

// format returns what templ fmt would write.
func (f *formatter) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(src.Text) > maxSize {
		return nil, tooLarge()
	}
	body, ends := engine.Plain(src.Text)
	file, err := upstream.ParseString(string(body))
	if err != nil {
		_, line, _ := mistake(err)
		return nil, engine.Skip(fmt.Sprintf("templ syntax error at line %d", line))
	}
	var b bytes.Buffer
	if err := file.Write(&b); err != nil {
		return nil, engine.Skip("templ cannot format it: " + strings.ReplaceAll(err.Error(), "\n", " "))
	}
	out := ends.Restore(b.Bytes(), f.globals)
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// mistake returns an error of the parser and where it is.
func mistake(err error) (message string, line, col int) {
	if e, ok := errors.AsType[parse.ParseError](err); ok {
		first, _, _ := strings.Cut(e.Msg, "\n")
		return first, e.Pos.Line + 1, e.Pos.Col + 1
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first, 1, 1
}

func lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(src.Text) > maxSize {
		return nil, tooLarge()
	}
	body, _ := engine.Plain(src.Text)
	lines := diag.NewLines(src.Text)
	file, err := upstream.ParseString(string(body))
	if err != nil {
		message, line, col := mistake(err)
		at := lines.Offset(line, col)
		return []diag.Diagnostic{{
			Engine: name, Code: codeSyntax, Severity: diag.Error, Title: message, Span: &diag.Span{Start: at, End: at},
		}}, nil
	}
	found, err := upstream.Diagnose(file)
	if err != nil {
		return nil, err
	}
	var out []diag.Diagnostic
	for _, d := range found {
		code := codeText
		switch {
		case strings.Contains(d.Message, "{! "):
			code = codeLegacy
		case !strings.Contains(d.Message, "rendered as text"):
			continue // what a future release will do
		}
		from, to := d.Range.From, d.Range.To
		start := lines.Offset(int(from.Line)+1, int(from.Col)+1)
		out = append(out, diag.Diagnostic{
			Engine: name, Code: code, Severity: diag.Warning, Title: d.Message,
			Span: &diag.Span{Start: start, End: max(start, lines.Offset(int(to.Line)+1, int(to.Col)+1))},
		})
	}
	return out, nil
}
