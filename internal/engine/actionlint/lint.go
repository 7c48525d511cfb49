package actionlint

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	upstream "github.com/rhysd/actionlint"

	"poly/internal/diag"
	"poly/internal/engine"
)

const (
	maxFile  = 1 << 20 // bytes; GitHub takes half of it
	maxDepth = 1000    // of brackets: the parser of expressions descends
)

// linter checks files on one goroutine.
type linter struct {
	env    engine.Env
	local  locals
	config *upstream.Config
	err    error // of the native configuration
	read   bool  // the configuration was read
}

func newLinter(e engine.Env) *linter { return &linter{env: e, local: newLocals(e.Tree)} }

func (l *linter) lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil || !workflow(src.Path) {
		return nil, err
	}
	if l.configure(); l.err != nil {
		return nil, l.err
	}
	if reason := tooMuch(src.Text); reason != "" {
		return nil, engine.Skip(reason)
	}
	w, errs := upstream.Parse(bytes.TrimPrefix(src.Text, []byte("\xef\xbb\xbf")))
	if w == nil {
		if len(errs) > 0 && !strings.Contains(errs[0].Message, "unknown anchor") && readable(src.Text) {
			return nil, engine.Skip("actionlint cannot read it: " + strings.TrimPrefix(errs[0].Message, notYAML))
		}
		return nil, ctx.Err()
	}
	errs = lenient(w, errs, src.Text)
	found, err := l.check(w, src.Path)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(e *upstream.Error) bool { return e.Kind == kindNeeds && strings.HasPrefix(e.Message, cyclic) })
	errs = slices.Concat(errs, found, cycles(w))
	errs = slices.DeleteFunc(errs, timezone)
	paths := l.config.PathConfigs(src.Path)
	errs = slices.DeleteFunc(errs, func(e *upstream.Error) bool { return ignored(paths, e) })
	return l.diagnostics(w, src.Text, errs), ctx.Err()
}

const kindSyntax = "syntax-check"

const notYAML = "could not parse as YAML: "

// configure reads the native configuration, once.
func (l *linter) configure() {
	if l.read {
		return
	}
	l.read, l.config = true, &upstream.Config{}
	for _, file := range configs {
		if l.env.Tree == nil {
			break
		}
		text, err := fs.ReadFile(l.env.Tree, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			l.config, err = upstream.ParseConfig(text)
		}
		if err != nil {
			l.err = engine.BrokenBy(engine.Input{Path: file, Text: text}, err)
			return
		}
		break
	}
	l.config.SelfHostedRunner.Labels = slices.Concat(l.config.SelfHostedRunner.Labels, l.env.Params["runner-label"].Strings(keyLabels))
	if vars := l.env.Params["expression"].Strings(keyVariables); vars != nil {
		l.config.ConfigVariables = vars
	}
}

// check runs the rules of the library over a workflow.
func (l *linter) check(w *upstream.Workflow, file string) ([]*upstream.Error, error) {
	actions, workflows, errs, err := l.local.caches(w)
	if err != nil {
		return nil, err
	}
	rules := []upstream.Rule{
		upstream.NewRuleMatrix(),
		upstream.NewRuleCredentials(),
		upstream.NewRuleShellName(),
		upstream.NewRuleRunnerLabel(),
		upstream.NewRuleEvents(),
		upstream.NewRuleJobNeeds(),
		upstream.NewRuleAction(actions),
		upstream.NewRuleEnvVar(),
		upstream.NewRuleID(),
		upstream.NewRuleGlob(),
		upstream.NewRulePermissions(),
		upstream.NewRuleWorkflowCall(file, workflows),
		upstream.NewRuleExpression(actions, workflows),
		upstream.NewRuleDeprecatedCommands(),
		upstream.NewRuleIfCond(),
	}
	v := upstream.NewVisitor()
	for _, r := range rules {
		r.SetConfig(l.config)
		v.AddPass(r)
	}
	if err := v.Visit(w); err != nil {
		return nil, err
	}
	for _, r := range rules {
		errs = append(errs, r.Errs()...)
	}
	return errs, nil
}

func ignored(paths []upstream.PathConfig, e *upstream.Error) bool {
	return slices.ContainsFunc(paths, func(p upstream.PathConfig) bool { return p.Ignore.Match(e) })
}

// diagnostics gives errors their place in text. One that is told twice, since
// an alias repeats what has it, is kept once.
func (l *linter) diagnostics(w *upstream.Workflow, text []byte, errs []*upstream.Error) []diag.Diagnostic {
	slices.SortFunc(errs, func(a, b *upstream.Error) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column, strings.Compare(a.Message, b.Message), strings.Compare(a.Kind, b.Kind))
	})
	errs = slices.CompactFunc(errs, func(a, b *upstream.Error) bool {
		return a.Line == b.Line && a.Column == b.Column && a.Message == b.Message
	})
	if len(errs) == 0 {
		return nil
	}
	out := make([]diag.Diagnostic, 0, len(errs))
	lines := diag.NewLines(text)
	for _, e := range errs {
		span := place(text, lines, e)
		if twice(text, lines, text[span.Start:span.End], e) || port(e, lines.Line(e.Line)) {
			continue
		}
		d := diag.Diagnostic{Engine: name, Code: e.Kind, Severity: severity(w, e, text[span.Start:]), Span: &span}
		d.Title, d.Description = split(e.Message)
		out = append(out, d)
	}
	diag.Sort(out)
	return out
}

// split parts what the library says into a title and the lists and links
// that follow it.
func split(message string) (title, more string) {
	message = strings.ReplaceAll(strings.ToValidUTF8(message, "\ufffd"), "\n", " ")
	if title, more, ok := strings.Cut(message, " in object type {"); ok && len(more) > 80 {
		return title, "The object has the type {" + more
	}
	quoted := false
	for i := range message {
		switch {
		case message[i] == '"':
			quoted = !quoted
		case !quoted && strings.HasPrefix(message[i:], ". "):
			more = message[i+2:]
			return message[:i], strings.ToUpper(more[:1]) + more[1:] + "."
		}
	}
	return message, ""
}

// twice reports whether e says that a key stands twice in the same letters,
// which the engine yaml reports as duplicate-key.
func twice(text []byte, lines *diag.Lines, key []byte, e *upstream.Error) bool {
	_, at, ok := strings.Cut(e.Message, " previously defined at line:")
	if !ok || e.Kind != kindSyntax {
		return false
	}
	var line, col int
	if n, _ := fmt.Sscanf(at, "%d,col:%d", &line, &col); n != 2 {
		return false
	}
	return bytes.HasPrefix(text[lines.Offset(line, col):], key)
}

// tooMuch tells why a text is not given to the library, which descends into
// brackets and walks what an alias names each time it is named.
func tooMuch(text []byte) string {
	if len(text) > maxFile {
		return "larger than any workflow GitHub takes"
	}
	depth, bangs := 0, 0
	for _, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1)
		case '!':
			bangs++
		case '\n':
			depth, bangs = 0, 0
		}
		if depth > maxDepth || bangs > maxDepth {
			return "brackets are nested too deeply"
		}
	}
	if names(text, '&') && names(text, '*') && expands(text) {
		return "aliases repeat too much of it"
	}
	return ""
}
