package runner_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// The engines of the tests are cheap and revealing: whatever an engine may
// depend on shows in what one of them says.

type (
	lintFunc   = func(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error)
	formatFunc = func(ctx context.Context, src engine.Source) ([]byte, error)
)

// linter makes an engine of a function.
func linter(name string, f lintFunc, langs ...lang.ID) engine.Engine {
	return engine.Engine{
		Spec: engine.Spec{Name: name, Langs: langs, Verbs: engine.Lint, Cross: len(langs) == 0, Doc: "A test."},
		Bind: func(context.Context, engine.Env) (engine.Bound, error) {
			return engine.Bound{Open: engine.Stateless(engine.Funcs{LintFunc: f})}, nil
		},
	}
}

// formatter makes an engine of a function.
func formatter(name string, f formatFunc, langs ...lang.ID) engine.Engine {
	return engine.Engine{
		Spec: engine.Spec{Name: name, Langs: langs, Verbs: engine.Format, Doc: "A test."},
		Bind: func(context.Context, engine.Env) (engine.Bound, error) {
			return engine.Bound{Open: engine.Stateless(engine.Funcs{FormatFunc: f})}, nil
		},
	}
}

// find reports each occurrence of word, mended by replacement unless it is "".
func find(text []byte, code, word, replacement string, sev diag.Severity) []diag.Diagnostic {
	var out []diag.Diagnostic
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(word))
		if i < 0 {
			return out
		}
		at += i
		d := diag.Diagnostic{Code: code, Severity: sev, Title: word + " found", Span: &diag.Span{Start: at, End: at + len(word)}}
		if replacement != "" {
			d.Fix = []diag.Edit{{Start: at, End: at + len(word), Replacement: replacement}}
		}
		out = append(out, d)
		at += len(word)
	}
}

func say(code, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{Code: code, Severity: diag.Warning, Title: fmt.Sprintf(format, args...)}
}

// xs reports X (fixable) and Y, which is an error, and declines what says NO.
func xs() engine.Engine {
	e := linter("xs", func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
		if bytes.Contains(src.Text, []byte("DECLINE")) {
			return nil, engine.Skip("it asks not to be looked at")
		}
		return append(find(src.Text, "X1", "X", "x", diag.Warning), find(src.Text, "Y1", "Y", "", diag.Error)...), nil
	}, lang.Go, lang.YAML, lang.Markdown, lang.Shell)
	e.Rules = []engine.Rule{{Code: "X1", Severity: diag.Warning, Default: true, Fixable: true, Doc: "X"}, {Code: "Y1", Severity: diag.Error, Default: true, Doc: "Y"}}
	return e
}

// near reports the cfg.txt files above a file.
func near() engine.Engine {
	e := linter("near", nil, lang.Go, lang.YAML)
	e.Bind = func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{
			Inputs: engine.Inputs{Names: []string{"cfg.txt"}},
			Open: engine.Stateless(engine.Funcs{LintFunc: func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
				var out []diag.Diagnostic
				for _, in := range src.Inputs {
					out = append(out, say("C1", "%s says %q", in.Path, in.Text))
				}
				return out, nil
			}}),
		}, nil
	}
	return e
}

// beside reports the files beside a file whose names start with x, y or d.
func beside() engine.Engine {
	e := linter("beside", nil, lang.Go, lang.Markdown, lang.YAML)
	e.Bind = func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{
			Inputs: engine.Inputs{Siblings: []string{"[xy]*", "doc.*"}},
			Open: engine.Stateless(engine.Funcs{LintFunc: func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
				var out []diag.Diagnostic
				for _, in := range src.Siblings {
					out = append(out, say("B1", "%s says %q", in.Path, in.Text))
				}
				return out, nil
			}}),
		}, nil
	}
	e.UsesPath = true
	return e
}

// fixed reports what it read, when it was bound, from a file and a directory.
func fixed() engine.Engine {
	e := linter("fixed", nil, lang.YAML)
	e.Bind = func(_ context.Context, env engine.Env) (engine.Bound, error) {
		var read []string
		if text, err := fs.ReadFile(env.Tree, "conf/tool.cfg"); err == nil {
			read = append(read, string(text))
		}
		list, _ := fs.ReadDir(env.Tree, "rules")
		for _, f := range list {
			if text, err := fs.ReadFile(env.Tree, path.Join("rules", f.Name())); err == nil {
				read = append(read, f.Name()+"="+string(text))
			}
		}
		return engine.Bound{
			Inputs: engine.Inputs{Paths: []string{"conf/tool.cfg", "rules"}},
			Open: engine.Stateless(engine.Funcs{LintFunc: func(context.Context, engine.Source) ([]diag.Diagnostic, error) {
				if len(read) == 0 {
					return nil, nil
				}
				return []diag.Diagnostic{say("R1", "%q", read)}, nil
			}}),
		}, nil
	}
	return e
}

// pathy reports the path and the executable bit; classy the class of the path.
func pathy() engine.Engine {
	e := linter("pathy", func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
		return []diag.Diagnostic{say("P1", "%s %v", src.Path, src.Exec)}, nil
	}, lang.Shell, lang.Markdown)
	e.UsesPath = true
	return e
}

func classy() engine.Engine {
	class := func(p string) string { return path.Dir(p) }
	e := linter("classy", nil, lang.Go)
	e.UsesPath = true
	e.Bind = func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{PathClass: class, Open: engine.Stateless(engine.Funcs{
			LintFunc: func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
				return []diag.Diagnostic{say("K1", "in %s", class(src.Path))}, nil
			},
		})}, nil
	}
	return e
}

// choosy looks at files in one directory, and says what lies in a file elsewhere.
func choosy() engine.Engine {
	e := linter("choosy", nil, lang.Go, lang.YAML)
	e.UsesPath = true
	e.Bind = func(_ context.Context, env engine.Env) (engine.Bound, error) {
		return engine.Bound{
			Inputs: engine.Inputs{Paths: []string{"a"}},
			Looks:  func(p string) bool { return strings.HasPrefix(p, "a/") },
			Open: engine.Stateless(engine.Funcs{LintFunc: func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
				text, err := fs.ReadFile(env.Tree, "a/x.yaml")
				return []diag.Diagnostic{say("C1", "%s sees %q, %v", src.Path, text, err == nil)}, nil
			}}),
		}, nil
	}
	return e
}

// optional reports a word that is an option, and the globals.
func optional() engine.Engine {
	e := linter("optional", nil, lang.YAML, lang.Go)
	e.Options = []config.Option{{Name: "word", Type: config.String, Default: "W"}}
	e.Bind = func(_ context.Context, env engine.Env) (engine.Bound, error) {
		word, _ := env.Options["word"].(string)
		return engine.Bound{Open: engine.Stateless(engine.Funcs{LintFunc: func(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
			return append(find(src.Text, "W1", word, "", diag.Info), say("W2", "%d %s %d", env.Globals.LineLength, env.Lang, env.Globals.IndentWidth)), nil
		}})}, nil
	}
	return e
}

// optIn is off unless somebody asks for it.
func optIn() engine.Engine {
	e := linter("optin", func(context.Context, engine.Source) ([]diag.Diagnostic, error) {
		return []diag.Diagnostic{say("O1", "on")}, nil
	}, lang.Markdown)
	e.OptIn = true
	return e
}

// cross reports TODO in every file, and can mend it. It batches.
func cross() engine.Engine {
	e := linter("cross", nil)
	e.Bind = func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{Open: func(context.Context) (engine.Worker, error) { return &crossWorker{}, nil }}, nil
	}
	return e
}

type crossWorker struct{ engine.Funcs }

func (w *crossWorker) Lint(_ context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	return find(src.Text, "T1", "TODO", "done", diag.Info), nil
}

func (w *crossWorker) LintBatch(ctx context.Context, srcs []engine.Source) (diags [][]diag.Diagnostic, errs []error) {
	diags, errs = make([][]diag.Diagnostic, len(srcs)), make([]error, len(srcs))
	for i, s := range srcs {
		diags[i], errs[i] = w.Lint(ctx, s)
	}
	return diags, errs
}

// goFormat is the default formatter of Go: it halves runs of spaces.
func goFormat() engine.Engine {
	return formatter("gofumpt", func(_ context.Context, src engine.Source) ([]byte, error) {
		if bytes.Contains(src.Text, []byte("DECLINE")) {
			return nil, engine.Skip("it asks not to be looked at")
		}
		return bytes.ReplaceAll(src.Text, []byte("  "), []byte(" ")), nil
	}, lang.Go)
}

// yamlFormat is the default formatter of YAML: it writes the word of the
// nearest cfg.txt for W, and its guard refuses texts that say GUARD.
func yamlFormat() engine.Engine {
	e := formatter("yamlfmt", nil, lang.YAML)
	e.Bind = func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{
			Inputs: engine.Inputs{Names: []string{"cfg.txt"}},
			Same: func(before, after []byte) error {
				if bytes.Contains(after, []byte("GUARD")) {
					return fmt.Errorf("%q became %q", before, after)
				}
				return nil
			},
			Open: engine.Stateless(engine.Funcs{FormatFunc: func(_ context.Context, src engine.Source) ([]byte, error) {
				word := []byte("w")
				if len(src.Inputs) > 0 {
					word = bytes.ToLower(bytes.TrimSpace(src.Inputs[0].Text))
				}
				return bytes.ReplaceAll(src.Text, []byte("W"), word), nil
			}}),
		}, nil
	}
	return e
}

// textFormat is the generic formatter: it cuts trailing spaces.
func textFormat() engine.Engine {
	e := formatter("text", func(_ context.Context, src engine.Source) ([]byte, error) {
		lines := strings.Split(string(src.Text), "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		return []byte(strings.Join(lines, "\n")), nil
	})
	e.Cross, e.Generic = true, true
	return e
}

// revealing is all of them.
func revealing() []engine.Engine {
	return []engine.Engine{xs(), near(), beside(), fixed(), pathy(), classy(), choosy(), optional(), optIn(), cross(), goFormat(), yamlFormat(), textFormat()}
}
