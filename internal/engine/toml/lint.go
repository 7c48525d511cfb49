package toml

import (
	"context"
	"fmt"

	"poly/internal/diag"
	"poly/internal/engine"
)

// checkEvery is how many lines are read between two looks at the context.
const checkEvery = 1 << 10

func lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	p := newParser(src.Text)
	for n := 0; ; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		more, f := p.line()
		if f != nil {
			if f.tooDeep {
				return nil, engine.Skip(f.title)
			}
			p.report(codeSyntax, f.start, f.end, f.title, f.help)
		}
		if f != nil || !more {
			break
		}
	}
	diag.Sort(p.out)
	return p.out, nil
}

// fault is what makes a text unreadable.
type fault struct {
	start, end int
	title      string
	help       string
	tooDeep    bool // not a fault of the text, but ours
}

func (p *parser) report(code string, start, end int, title, help string) {
	p.out = append(p.out, diag.Diagnostic{
		Engine: name, Code: code, Severity: diag.Error, Title: title, Description: help, Span: &diag.Span{Start: start, End: end},
	})
}

// since tells on which line something stands that is defined at offset.
func (p *parser) since(offset int) string {
	if p.lines == nil {
		p.lines = diag.NewLines(p.src)
	}
	line, _ := p.lines.Position(offset)
	return fmt.Sprintf("first on line %d", line)
}
