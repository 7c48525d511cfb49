package gofumpt

import (
	"context"
	"errors"
	"go/parser"
	"go/scanner"
	"go/token"
	"unicode/utf8"

	"poly/internal/diag"
	"poly/internal/engine"
)

// lint reports every error of the parser, but only the first of a line: the
// others follow from it.
func lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	_, err := parser.ParseFile(token.NewFileSet(), "", src.Text, parser.AllErrors|parser.SkipObjectResolution)
	if err == nil {
		return nil, nil
	}
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return nil, err
	}
	list.RemoveMultiples()
	severity := diag.Error
	if pathClass(src.Path) != "" {
		severity = diag.Hint
	}
	diags := make([]diag.Diagnostic, 0, len(list))
	for _, e := range list {
		start, end := tokenAt(src.Text, e.Pos.Offset)
		diags = append(diags, diag.Diagnostic{
			Engine: "gofumpt", Code: "syntax", Severity: severity, Title: e.Msg,
			Span: &diag.Span{Start: start, End: end},
		})
	}
	return diags, nil
}

// tokenAt returns the bounds of the word or single character at offset; they
// are equal at the end of the text and of a line.
func tokenAt(text []byte, offset int) (start, end int) {
	start = min(max(offset, 0), len(text))
	for start > 0 && start < len(text) && !utf8.RuneStart(text[start]) {
		start--
	}
	end = start
	for end < len(text) {
		r, n := utf8.DecodeRune(text[end:])
		if !isWord(r) {
			if end == start && r != '\n' && r != '\r' {
				end += n
			}
			break
		}
		end += n
	}
	return start, end
}

func isWord(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= utf8.RuneSelf && r != utf8.RuneError
}
