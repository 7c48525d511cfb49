// Package shfmt formats shell scripts with mvdan/sh, as the shfmt command does.
// Every result is read again and compared with the original: a change of
// meaning is refused, never written.
package shfmt

import (
	"context"

	"poly/internal/engine"
	"poly/internal/lang"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     "shfmt",
		Wrapped:  "3.14.1",
		Revision: 3,
		Licence:  "BSD-3-Clause",
		Langs:    []lang.ID{lang.Shell},
		Verbs:    engine.Format,
		UsesPath: true,
		Options:  options(),
		Doc: `Formats sh, bash, bats, mksh and zsh scripts as the shfmt command does with its default settings.

Unless an option or ` + "`indent_width`" + ` is set here, the keys shfmt reads from .editorconfig are obeyed. The dialect comes from
the file name, the shebang or a shellcheck directive; otherwise it is bash. What the parser cannot read is skipped with its
message. Line ends and a byte order mark stay as they are. Subscripts of arrays that are or may be associative keep their
spelling, since blanks would be part of the key, and a result that would change once more is formatted until it does not.
A result with another syntax tree, other text or other comments is refused.`,
	},
	Bind: bind,
}

func bind(_ context.Context, e engine.Env) (engine.Bound, error) {
	f := &formatter{settings: makeSettings(e.Options), globals: e.Globals}
	b := engine.Bound{
		Open:    func(context.Context) (engine.Worker, error) { return &worker{formatter: f}, nil },
		Same:    Same,
		Settled: true,
	}
	if f.simplify {
		b.Same = sameSimplified
	}
	own := indent(e.Options, e.Globals)
	if own >= 0 {
		f.indent = own
	}
	if f.files = own < 0 && !configured(e.Options); f.files {
		b.Inputs.Names = []string{".editorconfig"}
		b.Same = sameSimplified // the file may say so
	} else {
		b.PathClass = func(path string) string { return lang.Dialect(path, nil) }
	}
	f.same = b.Same
	return b, nil
}
