package text

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

func (w worker) lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	diags := conflicts(src)
	if w.endings && bytes.Contains(src.Text, crlf) {
		diags = append(diags, mixedEndings(src)...)
	}
	if !w.trailing && !w.final || isBinary(src.Text) || isPatch(src.Lang, src.Text) {
		return diags, nil
	}
	if w.trailing {
		diags = append(diags, trailing(src)...)
	}
	if w.final {
		diags = append(diags, finalNewline(src)...)
	}
	return diags, nil
}

// Markers as git writes them. They are made here so that this file has none.
var (
	opener    = strings.Repeat("<", 7) + " "
	separator = strings.Repeat("=", 7)
	closer    = strings.Repeat(">", 7) + " "
)

// conflicts finds an opener, a separator and a closer, in this order, at the
// start of lines. Markers in a fenced block of a document are an example.
func conflicts(src engine.Source) []diag.Diagnostic {
	first := lineStart(src.Text, opener)
	if first < 0 || lineStart(src.Text[first:], closer) < 0 {
		return nil
	}
	var (
		diags []diag.Diagnostic
		fence = fencer{lang: src.Lang}
		open  = -1 // offset of the opener
		title string
		end   int
		split bool
	)
	at := 0
	for line := range bytes.Lines(src.Text) {
		body, _ := splitEnd(line)
		switch text := string(body[:min(len(body), 80)]); {
		case open < 0 && fence.inside(body):
		case strings.HasPrefix(text, opener):
			open, end, split, title = at, at+len(body), false, strings.ToValidUTF8(text, "")
		case open >= 0 && text == separator:
			split = true
		case open >= 0 && split && strings.HasPrefix(text, closer):
			diags = append(diags, diag.Diagnostic{
				Engine: engineName, Code: codeConflict, Severity: diag.Error,
				Title: fmt.Sprintf("Merge conflict marker %q", title),
				Span:  &diag.Span{Start: open, End: end},
			})
			open = -1
		}
		at += len(line)
	}
	return diags
}

// fencer follows the fenced blocks of documents.
type fencer struct {
	lang  lang.ID
	fence string // what opened the block; "" outside
}

// inside reports whether a line belongs to a fenced block.
func (f *fencer) inside(body []byte) bool {
	marks := fences[f.lang]
	if marks == "" {
		return false
	}
	line := bytes.TrimLeft(body, " \t>")
	if f.fence != "" {
		rest, ok := bytes.CutPrefix(line, []byte(f.fence))
		if ok && len(bytes.TrimSpace(bytes.TrimLeft(rest, f.fence[:1]))) == 0 {
			f.fence = ""
		}
		return true
	}
	if len(line) < 3 || strings.IndexByte(marks, line[0]) < 0 {
		return false
	}
	n := len(line) - len(bytes.TrimLeft(line, string(line[0])))
	least := 3
	if f.lang == "asciidoc" {
		least = 4
	}
	if n < least || line[0] == '`' && bytes.IndexByte(line[n:], '`') >= 0 {
		return false
	}
	f.fence = string(line[:n])
	return true
}

// fences are the characters that open a fenced block.
var fences = map[lang.ID]string{
	lang.Markdown: "`~", lang.MDX: "`~", "quarto": "`~", "asciidoc": "-.`",
}

// mixedEndings reports the first line that ends otherwise than most.
func mixedEndings(src engine.Source) []diag.Diagnostic {
	n := countEndings(src.Text)
	if n.lf == 0 || n.crlf == 0 || isBinary(src.Text) || isPatch(src.Lang, src.Text) {
		return nil
	}
	most := n.most()
	at := 0
	for line := range bytes.Lines(src.Text) {
		body, end := splitEnd(line)
		if len(end) > 0 && !bytes.Equal(end, most) {
			start := at + len(body)
			return []diag.Diagnostic{{
				Engine: engineName, Code: codeEndings, Severity: diag.Warning,
				Title: fmt.Sprintf("Mixed line endings: %d LF, %d CRLF", n.lf, n.crlf),
				Span:  &diag.Span{Start: start, End: start + len(end)},
			}}
		}
		at += len(line)
	}
	return nil
}

// trailing reports blanks at line ends. The fix is offered where the language
// is nothing but lines.
func trailing(src engine.Source) []diag.Diagnostic {
	var diags []diag.Diagnostic
	fixable := formats(src.Lang)
	t := trimmer{lang: src.Lang}
	at := 0
	for line := range bytes.Lines(src.Text) {
		body, _ := splitEnd(line)
		if n := t.blanks(body); n > 0 {
			end := at + len(body)
			d := diag.Diagnostic{
				Engine: engineName, Code: codeTrailing, Severity: diag.Info, Title: "Trailing whitespace",
				Span: &diag.Span{Start: end - n, End: end},
			}
			if fixable {
				d.Fix = []diag.Edit{{Start: end - n, End: end}}
			}
			diags = append(diags, d)
		}
		at += len(line)
	}
	return diags
}

func finalNewline(src engine.Source) []diag.Diagnostic {
	end := len(src.Text)
	if end == 0 || src.Text[end-1] == '\n' || src.Text[end-1] == '\r' {
		return nil
	}
	return []diag.Diagnostic{{
		Engine: engineName, Code: codeFinal, Severity: diag.Info, Title: "No newline at the end of the file",
		Span: &diag.Span{Start: end, End: end},
		Fix:  []diag.Edit{{Start: end, End: end, Replacement: string(countEndings(src.Text).most())}},
	}}
}
