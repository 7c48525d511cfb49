package biome

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
	"poly/internal/wasm"
	"poly/internal/wasm/bindgen"
)

// maxSize is how many bytes of a file biome looks at.
const maxSize = 1 << 20

// linter is a configuration.
type linter struct {
	env      engine.Env
	settings func() (*settings, error)
}

// instance is the module with one workspace. Each set of settings is a project
// in it, which the module never closes.
type instance struct {
	*bindgen.Instance
	workspace bindgen.Pointer
	projects  map[[32]byte]any
}

func newInstance(i *bindgen.Instance) *instance { return &instance{Instance: i} }

// maxProjects is how many sets of settings a workspace keeps.
const maxProjects = 32

// project returns the key of the project with these settings, and its folder.
func (i *instance) project(ctx context.Context, s *settings) (key any, dir string, err error) {
	dir = fmt.Sprintf("/%x", s.key[:8])
	if key, ok := i.projects[s.key]; ok {
		return key, dir, nil
	}
	if i.workspace == 0 || len(i.projects) >= maxProjects {
		if err := i.reset(ctx); err != nil {
			return nil, "", err
		}
	}
	v, err := i.Call(ctx, "Workspace.openProject", i.workspace, object{"path": dir, "openUninitialized": true})
	if err != nil {
		return nil, "", err
	}
	opened, _ := v.(object)
	key = opened["projectKey"]
	v, err = i.Call(ctx, "Workspace.updateSettings", i.workspace, object{"projectKey": key, "workspaceDirectory": dir, "configuration": s.config})
	if err != nil {
		return nil, "", err
	}
	if told, _ := v.(object)["diagnostics"].([]any); len(told) > 0 {
		first, _ := told[0].(object)
		return nil, "", fmt.Errorf("biome refuses its settings: %v", first["description"])
	}
	i.projects[s.key] = key
	return key, dir, nil
}

// reset begins with an empty workspace.
func (i *instance) reset(ctx context.Context) error {
	if i.workspace != 0 {
		if _, err := i.Call(ctx, "Workspace.free", i.workspace, 0); err != nil {
			return err
		}
	}
	v, err := i.Call(ctx, "Workspace.new")
	if err != nil {
		return err
	}
	i.workspace, _ = v.(bindgen.Pointer)
	i.projects = map[[32]byte]any{}
	return nil
}

// pull returns what biome says of a text.
func (i *instance) pull(ctx context.Context, s *settings, file, text string) (found []any, err error) {
	key, dir, err := i.project(ctx, s)
	if err != nil {
		return nil, err
	}
	file = dir + "/" + file
	at := func(more object) object {
		more["projectKey"], more["path"] = key, file
		return more
	}
	content := object{"type": "fromClient", "content": text, "version": 0.0}
	if _, err := i.Call(ctx, "Workspace.openFile", i.workspace, at(object{"content": content})); err != nil {
		return nil, err
	}
	v, err := i.Call(ctx, "Workspace.pullDiagnostics", i.workspace, at(object{"categories": []any{"syntax", "lint"}, "includeCodeFix": false}))
	if err == nil {
		result, _ := v.(object)
		found, _ = result["diagnostics"].([]any)
	}
	if i.Broken() {
		return nil, err
	}
	if _, closing := i.Call(ctx, "Workspace.closeFile", i.workspace, at(object{})); err == nil {
		err = closing
	}
	return found, err
}

// lint asks biome.
func (l *linter) lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch {
	case !utf8.Valid(src.Text):
		return nil, engine.Skip("not UTF-8")
	case len(src.Text) > maxSize:
		return nil, engine.Skip("larger than 1 MiB, which biome does not look at")
	case len(bytes.TrimSpace(src.Text)) == 0:
		return nil, nil
	}
	s, err := l.settings()
	if err != nil {
		return nil, err
	}
	pool, err := bindgen.Shared(ctx, l.env.Wasm, name, newInstance)
	if err != nil {
		return nil, err
	}
	var found []any
	err = pool.Do(ctx, func(ctx context.Context, i *instance) error {
		found, err = i.pull(ctx, s, named(src), string(src.Text))
		return err
	})
	if trap, ok := errors.AsType[*wasm.Trap](err); ok {
		if trap.Reason == "stack overflow" || engine.Nests(src.Text, 200) {
			return nil, engine.Skip("nests too deeply for biome")
		}
		if trap.Full {
			return nil, engine.Skip(wasm.TooMuch)
		}
		if trap.Reason == "unreachable" { // it panicked; so does the command
			return nil, engine.Skip("biome fails at this text")
		}
	}
	if err != nil {
		return nil, err
	}
	return diagnostics(found, src.Text)
}

// named returns the path of a file with an extension by which biome knows its
// language.
func named(src engine.Source) string {
	known := map[lang.ID]string{
		javaScript: ".js .mjs .cjs", jsx: ".jsx", lang.TypeScript: ".ts .mts .cts", tsx: ".tsx",
		lang.JSON: ".json", lang.JSONC: ".json .jsonc", css: ".css", graphQL: ".graphql .graphqls .gql",
	}[src.Lang]
	ext := strings.Fields(known)
	if len(ext) == 0 || slices.Contains(ext, path.Ext(src.Path)) {
		return src.Path
	}
	return src.Path + ext[0]
}

var errShape = errors.New("biome returned a finding of another shape")

// diagnostics reads what Workspace.pullDiagnostics returns.
func diagnostics(found []any, text []byte) ([]diag.Diagnostic, error) {
	var out []diag.Diagnostic
	for _, v := range found {
		m, ok := v.(object)
		if !ok {
			return nil, errShape
		}
		d, err := diagnostic(m, len(text))
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	slices.SortStableFunc(out, func(a, b diag.Diagnostic) int { return cmp.Compare(start(&a), start(&b)) })
	return out, nil
}

func start(d *diag.Diagnostic) int {
	if d.Span == nil {
		return 0
	}
	return d.Span.Start
}

func diagnostic(m object, size int) (diag.Diagnostic, error) {
	category, _ := m["category"].(string)
	title, _ := m["description"].(string)
	level, _ := m["severity"].(string)
	d := diag.Diagnostic{Engine: name, Title: sentence(title), Severity: diag.Error}
	if sev, ok := diag.ParseSeverity(level); ok {
		d.Severity = sev
	}
	place, _ := m["location"].(object)
	if span, ok := place["span"].([]any); ok && len(span) == 2 {
		from, ok1 := span[0].(float64)
		to, ok2 := span[1].(float64)
		if !ok1 || !ok2 || from < 0 || to < from {
			return d, errShape
		}
		// At the end of a text that does not parse it may point beyond.
		d.Span = &diag.Span{Start: min(int(from), size), End: min(int(to), size)}
	}
	code, isRule := strings.CutPrefix(category, "lint/")
	switch {
	case isRule:
		d.Code = code
		if at := slices.IndexFunc(rules, func(r engine.Rule) bool { return r.Code == code }); at >= 0 {
			d.URL = rules[at].URL
		}
	case strings.HasPrefix(category, "suppressions/"):
		d.Code = codeComment
	case category == "parse":
		d.Code = codeSyntax
	default:
		return d, fmt.Errorf("biome: %s: %s", category, title)
	}
	return d, nil
}

// sentence is the first line of a message.
func sentence(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
