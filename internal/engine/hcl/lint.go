package hcl

import (
	"context"

	"github.com/hashicorp/hcl/v2"

	"poly/internal/diag"
	"poly/internal/engine"
)

// codeSyntax and those beside the rules are the codes.
const codeSyntax = "syntax"

func lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if why := unjudged(src.Text); why != "" {
		return nil, engine.Skip(why)
	}
	_, diags := parse(src.Text)
	var out []diag.Diagnostic
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			out = append(out, syntax(src.Text, d))
		}
	}
	diag.Sort(out)
	return out, nil
}

func syntax(text []byte, d *hcl.Diagnostic) diag.Diagnostic {
	out := diag.Diagnostic{Engine: name, Code: codeSyntax, Severity: diag.Error, Title: d.Summary, Description: d.Detail}
	if d.Subject != nil {
		out.Span = span(text, *d.Subject)
	}
	return out
}

// span makes a Span of a range, which the parser may place behind the text.
func span(text []byte, r hcl.Range) *diag.Span {
	end := min(r.End.Byte, len(text))
	return &diag.Span{Start: min(r.Start.Byte, end), End: end}
}

// maxDepth bounds the nesting of what is parsed: the parser recurses.
const maxDepth = 500

// unjudged returns why a text cannot be judged, "" if it can.
func unjudged(text []byte) string {
	depth := 0
	for _, c := range text {
		switch c {
		case '{', '[', '(':
			if depth++; depth > maxDepth {
				return "nested too deeply"
			}
		case '}', ']', ')':
			depth--
		}
	}
	return ""
}
