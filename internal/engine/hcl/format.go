package hcl

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"poly/internal/diag"
	"poly/internal/engine"
)

const bom = "\xef\xbb\xbf"

type formatter struct{ globals engine.Globals }

// format lays out one file. A byte order mark and line ends are handled here.
func (f formatter) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text, marked := bytes.CutPrefix(src.Text, []byte(bom))
	if why := unjudged(text); why != "" {
		return nil, engine.Skip(why)
	}
	text, crlf := f.lineEnds(text)
	file, diags := parse(text)
	if diags.HasErrors() {
		return nil, engine.Skip(fmt.Sprintf("HCL syntax error at line %d", firstError(diags).Subject.Start.Line))
	}
	if kindOf(src.Path) != other {
		if edits := modernise(text, file.Body.(*hclsyntax.Body)); len(edits) > 0 {
			text, _ = diag.Apply(text, [][]diag.Edit{edits})
		}
	}
	if f.globals.FinalNewline && len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(slices.Clip(text), '\n') // before, since blanks at the end of the text are not cut
	}
	out := layOut(text)
	if crlf {
		out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	}
	if marked {
		out = append([]byte(bom), out...)
	}
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// lineEnds returns the text as it is laid out, and whether the result gets CRLF.
func (f formatter) lineEnds(text []byte) (plain []byte, crlf bool) {
	crlf = f.globals.CRLF || allCRLF(text) && !f.globals.LF
	if crlf || f.globals.LF {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	return text, crlf
}

// allCRLF reports whether every line ends with CRLF.
func allCRLF(text []byte) bool {
	n := bytes.Count(text, []byte("\r\n"))
	return n > 0 && n == bytes.Count(text, []byte("\n"))
}

func parse(text []byte) (*hcl.File, hcl.Diagnostics) {
	return hclsyntax.ParseConfig(text, "", hcl.InitialPos)
}

func firstError(diags hcl.Diagnostics) *hcl.Diagnostic {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			return d
		}
	}
	return diags[0]
}

// modernise returns the edits terraform fmt makes besides layout.
func modernise(text []byte, body *hclsyntax.Body) []diag.Edit {
	m := moderniser{text: text}
	m.body(body, nil)
	slices.SortFunc(m.edits, func(a, b diag.Edit) int { return a.Start - b.Start })
	return m.edits
}

type moderniser struct {
	text  []byte
	edits []diag.Edit
}

func (m *moderniser) replace(r hcl.Range, s string) {
	m.edits = append(m.edits, diag.Edit{Start: r.Start.Byte, End: r.End.Byte, Replacement: s})
}

func (m *moderniser) body(b *hclsyntax.Body, in []string) {
	for _, a := range b.Attributes {
		if len(in) == 1 && in[0] == "variable" && a.Name == "type" {
			m.constraint(a.Expr)
			continue
		}
		m.value(a.Expr)
	}
	for _, block := range b.Blocks {
		for i, label := range block.Labels {
			if r := block.LabelRanges[i]; m.text[r.Start.Byte] != '"' {
				m.replace(r, `"`+label+`"`)
			}
		}
		m.body(block.Body, append(in, block.Type))
	}
}

// value unwraps an expression that is nothing but one interpolation.
func (m *moderniser) value(e hclsyntax.Expression) {
	wrap, ok := e.(*hclsyntax.TemplateWrapExpr)
	if !ok {
		return
	}
	r := wrap.SrcRange
	inside, ok := unwrap(string(m.text[r.Start.Byte:r.End.Byte]))
	if ok {
		m.replace(r, inside)
	}
}

// unwrap takes "${x}" to x. More than one line is put in parentheses, if it is
// not in some already. Comments, which may take in what follows them, and
// heredocs stay where they are.
func unwrap(quoted string) (string, bool) {
	inside, opened := strings.CutPrefix(quoted, `"${`)
	inside, closed := strings.CutSuffix(inside, `}"`)
	if !opened || !closed {
		return "", false
	}
	inside = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(inside, "~"), "~"))
	tokens, _ := hclsyntax.LexExpression([]byte(inside), "", hcl.InitialPos)
	depth, lines, whole := 0, false, true
	for i, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenComment, hclsyntax.TokenOHeredoc:
			return "", false
		case hclsyntax.TokenNewline:
			lines = true
		}
		depth += nesting(t.Type)
		whole = whole && (depth > 0 || i >= len(tokens)-2) // the last one is the end of the text
	}
	if lines && !(whole && tokens[0].Type == hclsyntax.TokenOParen) {
		inside = "(" + inside + ")"
	}
	return inside, true
}

// constraint writes the type of a variable as Terraform 0.12 and later do.
func (m *moderniser) constraint(e hclsyntax.Expression) {
	r := e.Range()
	switch string(m.text[r.Start.Byte:r.End.Byte]) {
	case "list", "map", "set":
		m.replace(r, string(m.text[r.Start.Byte:r.End.Byte])+"(any)")
	case `"string"`:
		m.replace(r, "string")
	case `"list"`:
		m.replace(r, "list(string)")
	case `"map"`:
		m.replace(r, "map(string)")
	}
}
