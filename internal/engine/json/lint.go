package json

import (
	"bytes"
	"context"
	"fmt"
	"path"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// The codes of the rules.
const (
	codeSyntax    = "syntax"
	codeComment   = "comment"
	codeTrailing  = "trailing-comma"
	codeDuplicate = "duplicate-key"
	codeBOM       = "bom"
)

func lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if mayBeEmpty(src.Path) && len(bytes.TrimSpace(src.Text)) == 0 {
		return nil, nil
	}
	if jsonp(src.Text) {
		return nil, engine.Skip("JSONP, a call in JavaScript")
	}
	p := &parser{scanner: scanner{src: src.Text, dialect: dialectOf(src.Lang)}}
	marked := bytes.HasPrefix(src.Text, []byte(mark))
	if marked {
		p.at = len(mark)
	}
	if err := p.run(ctx); err != nil {
		return nil, err
	}
	var out []diag.Diagnostic
	if marked && src.Lang == lang.JSON {
		out = append(out, finding(codeBOM, diag.Hint, 0, len(mark), "Byte order mark at the start of the file", "RFC 8259 forbids to write one, and many readers refuse it."))
	}
	out = append(out, p.findings()...)
	diag.Sort(out)
	return out, nil
}

// mayBeEmpty tells that the reader of a file takes an empty one: for Watchman
// it marks a root.
func mayBeEmpty(file string) bool { return path.Base(file) == ".watchmanconfig" }

// jsonp tells that a text hands a value to a function: name.more({...}).
func jsonp(text []byte) bool {
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte(mark)))
	n := 0
	for n < len(text) && (text[n] == '.' || text[n] == '_' || text[n] == '$' || alnum(text[n])) {
		n++
	}
	if n == 0 || n == len(text) || alnum(text[0]) && text[0] <= '9' || text[n] != '(' {
		return false
	}
	end := text[len(text)-1]
	return end == ')' || end == ';' && bytes.HasSuffix(bytes.TrimRight(text[:len(text)-1], " \t\r\n"), []byte(")"))
}

func alnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

const mark = "\xef\xbb\xbf"

func dialectOf(l lang.ID) dialect {
	switch l {
	case lang.JSONC:
		return dialect{comments: true, trailing: true}
	case lang.JSON5:
		return dialect{comments: true, trailing: true, json5: true}
	}
	return dialect{}
}

// findings tells what the parser has met. Invariant: every span is inside the
// text and, except in an empty file, not empty.
func (p *parser) findings() []diag.Diagnostic {
	var out []diag.Diagnostic
	if p.comment.end > 0 {
		out = append(out, finding(codeComment, diag.Error, p.comment.start, p.comment.end, "Comments are not allowed in JSON",
			"Remove it, or name the file `.jsonc` if its readers allow comments."))
	}
	for _, t := range p.commas {
		d := finding(codeTrailing, diag.Error, t.start, t.end, "Trailing comma", "JSON has commas between values only.")
		d.Fix = []diag.Edit{{Start: t.start, End: t.end}}
		out = append(out, d)
	}
	var lines *diag.Lines
	for _, w := range p.twice {
		if lines == nil {
			lines = diag.NewLines(p.src)
		}
		line, _ := lines.Position(w.first.start)
		out = append(out, finding(codeDuplicate, diag.Error, w.again.start, w.again.end, fmt.Sprintf("Duplicate key %s, first on line %d", p.show(w.again), line),
			"Readers keep one of the two values, and not always the same one."))
	}
	if f := p.fault; f != nil {
		out = append(out, finding(codeSyntax, diag.Error, f.start, f.end, f.title, f.help))
	}
	return out
}

func finding(code string, sev diag.Severity, start, end int, title, help string) diag.Diagnostic {
	return diag.Diagnostic{Engine: name, Code: code, Severity: sev, Title: title, Description: help, Span: &diag.Span{Start: start, End: end}}
}
