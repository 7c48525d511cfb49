// Package lua finds what no version of Lua would compile. Its parser reads the
// union of Lua 5.1 to 5.5 and LuaJIT, since a file seldom tells which of them
// will run it. It never runs code and knows no library.
package lua

import (
	"context"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const (
	name       = "lua"
	codeSyntax = "syntax"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Revision: 1,
		Langs:    []lang.ID{"lua"},
		Verbs:    engine.Lint,
		Rules: []engine.Rule{{
			Code: codeSyntax, Severity: diag.Error, Default: true,
			Doc: "The text is not Lua.\n\n" +
				"No version of Lua from 5.1 to 5.5 and no LuaJIT would load the file. What one of them accepts is accepted: `goto` is a " +
				"name or a statement, `//` and `&` are operators, `1ULL` is a number. Only the first error is reported.\n\n" +
				"    if x = 1 then print(x) end\n\n" +
				"Mend the place that is named; where a block is not closed, the line that opened it is named too.",
			URL: "https://www.lua.org/manual/5.4/manual.html#9",
		}},
		Doc: `Finds syntax errors in Lua 5.1 to 5.5 and LuaJIT.

Besides the grammar it checks what compilers check: a break outside of a loop, a goto without its label, ... outside of a
function with variable arguments, an assignment to a constant. Files in another language of the family are skipped with
that reason: Luau and Teal by their type annotations, PICO-8 cartridges, Garry's Mod by its operators.`,
	},
	Bind: func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{Open: engine.Stateless(engine.Funcs{LintFunc: lint})}, nil
	},
}

func lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if reason := foreign(src.Text); reason != "" {
		return nil, engine.Skip(reason)
	}
	f := parse(src.Text)
	if f == nil {
		return nil, nil
	}
	if f.deep {
		return nil, engine.Skip("nested too deeply")
	}
	if reason := f.dialect(src.Text); reason != "" {
		return nil, engine.Skip(reason)
	}
	return []diag.Diagnostic{{
		Engine: name, Code: codeSyntax, Severity: diag.Error, Title: f.title, Description: f.help,
		Span: &diag.Span{Start: f.start, End: f.end},
	}}, nil
}
