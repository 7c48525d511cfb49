package match

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"poly/internal/rules/rustre"
)

// Rule is a rule as its file has it, compiled. It is immutable.
type Rule struct {
	ID       string
	Lang     *Language
	Severity string // hint, info, warning, error or off
	Note     string
	HasNote  bool // the key note is there
	URL      string
	Metadata *yaml.Node // nil: none
	Line     int        // of the document, from 1
	// Message with variables in it, as it is written.
	Message string
	// Ignored are keys that have no effect, which ast-grep takes without a word.
	Ignored []*Error

	core     *core
	message  fixTemplate
	fixes    []*fixer
	fixable  bool // it has the key fix
	labels   []labelConfig
	files    []*rustre.Glob // nil: all
	ignores  []*rustre.Glob
	filtered bool // files is there
	needs    [][]byte
}

type labelConfig struct {
	name    string
	style   string
	message string
}

// Fixable reports whether the rule has a fix.
func (r *Rule) Fixable() bool { return r.fixable }

// Applies reports whether the rule is for a file at a path, from the directory
// that its globs are relative to.
func (r *Rule) Applies(path string) bool {
	matches := func(g *rustre.Glob) bool { return g.Match(path) }
	if slices.ContainsFunc(r.ignores, matches) {
		return false
	}
	return !r.filtered || slices.ContainsFunc(r.files, matches)
}

// Scoped reports whether [Rule.Applies] depends on the path.
func (r *Rule) Scoped() bool { return r.filtered || len(r.ignores) > 0 }

// ruleFields are the keys of a rule's document.
func ruleFields() []string {
	return []string{
		"id", "language", "rule", "constraints", "utils", "transform", "fix", "rewriters", "message", "note", "severity", "labels", "files", "ignores", "url", "metadata",
	}
}

// Document is a document of YAML.
type Document = yaml.Node

// Documents parses YAML into documents. An error of the syntax comes as [Error].
func Documents(src []byte) ([]*yaml.Node, error) {
	dec := yaml.NewDecoder(strings.NewReader(string(src)))
	var docs []*yaml.Node
	for {
		n := new(yaml.Node)
		err := dec.Decode(n)
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return docs, yamlError(err)
		}
		if len(n.Content) == 1 {
			docs = append(docs, n.Content[0])
		}
	}
}

// yamlError takes the line out of the message of the library.
func yamlError(err error) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if _, scanErr := fmt.Sscanf(msg, "line %d:", &line); scanErr == nil {
		_, msg, _ = strings.Cut(msg, ": ")
	}
	return &Error{line, msg}
}

// head reads the texts of a document. fallback is the id of one that has none.
func (c *Compiler) head(n *yaml.Node, fallback string) (*Rule, map[string]*yaml.Node, error) {
	c.nodes, c.depth, c.passed = 0, 0, nil
	fields, err := c.closed(n, "a rule file", ruleFields()...)
	if err != nil {
		return nil, nil, err
	}
	r := &Rule{ID: fallback, Severity: "hint", Line: n.Line}
	if null(fields["language"]) {
		return nil, nil, errorAt(n, "language is missing")
	}
	if r.Lang, err = language(fields["language"]); err != nil {
		return nil, nil, err
	}
	if err := c.strings(r, fields); err != nil {
		return nil, nil, err
	}
	if r.ID == "" {
		r.ID = fallback
	}
	return r, fields, nil
}

// Head reads a document without its rule. What it returns cannot be run: it has
// texts, language and scope. A document that it refuses [Compiler.Compile] refuses.
func (c *Compiler) Head(n *yaml.Node, fallback string) (*Rule, error) {
	r, fields, err := c.head(c.deref(n), fallback)
	if err != nil {
		return nil, err
	}
	if err := c.globs(r, fields); err != nil {
		return nil, err
	}
	return r, nil
}

// Compile compiles a document. fallback is the id of one that has none.
func (c *Compiler) Compile(n *yaml.Node, fallback string) (*Rule, error) {
	defer c.seal()
	n = c.deref(n)
	r, fields, err := c.head(n, fallback)
	if err != nil {
		return nil, err
	}
	s := &scope{lang: r.Lang, local: map[string]rule{}, globals: c.globals, rewriters: map[string]*rewriter{}}
	if r.core, err = c.coreOf(s, n, fields); err != nil {
		return nil, err
	}
	if err := c.rewriters(s, r.core, fields["rewriters"]); err != nil {
		return nil, err
	}
	if err := c.labels(r, fields["labels"]); err != nil {
		return nil, err
	}
	if r.core.known == nil {
		return nil, errorAt(fields["rule"], "the rule does not say which kinds it matches: add kind or a pattern")
	}
	if f := fields["fix"]; !null(f) {
		r.fixable = true
		if r.fixes, err = c.fixers(s, f); err != nil {
			return nil, err
		}
		for _, x := range r.fixes {
			if err := checkFix(f, &x.template, r.core.defined(true)); err != nil {
				return nil, err
			}
		}
	}
	r.needs = r.core.rule.needs()
	r.Ignored = c.passed
	return r, c.globs(r, fields)
}

// strings reads the keys that are texts.
func (c *Compiler) strings(r *Rule, fields map[string]*yaml.Node) error {
	for _, f := range []struct {
		key string
		to  *string
	}{{"id", &r.ID}, {"message", &r.Message}, {"note", &r.Note}, {"severity", &r.Severity}, {"url", &r.URL}} {
		v := fields[f.key]
		if v == nil || null(v) && (f.key == "note" || f.key == "url") {
			continue
		}
		read := scalar
		if f.key == "severity" {
			read = text
		}
		t, err := read(v, f.key)
		if err != nil {
			return err
		}
		*f.to = t
	}
	if v := fields["severity"]; !slices.Contains([]string{"hint", "info", "warning", "error", "off"}, r.Severity) {
		return errorAt(v, "severity %q is none of hint, info, warning, error and off", r.Severity)
	}
	r.message = newTemplate(r.Message)
	r.HasNote = !null(fields["note"])
	if v := fields["metadata"]; !null(v) {
		if v.Kind != yaml.MappingNode {
			return errorAt(v, "metadata must be a mapping")
		}
		r.Metadata = v
	}
	return nil
}

// rewriters compiles the key rewriters.
func (c *Compiler) rewriters(s *scope, k *core, v *yaml.Node) error {
	if !null(v) {
		list, err := c.items(v, "rewriters")
		if err != nil {
			return err
		}
		for _, n := range list {
			if err := c.rewriter(s, k, n); err != nil {
				return err
			}
		}
	}
	if err := rewritersKnown(s, k, v); err != nil {
		return err
	}
	for _, id := range sortedKeys(s.rewriters) {
		if err := rewritersKnown(s, s.rewriters[id].core, v); err != nil {
			return err
		}
	}
	return nil
}

func rewritersKnown(s *scope, k *core, v *yaml.Node) error {
	for i := range k.transforms {
		for _, id := range k.transforms[i].rewriters {
			if s.rewriters[id] == nil {
				line := 0
				if v != nil {
					line = v.Line
				}
				return &Error{line, "rewriter " + id + " is not defined"}
			}
		}
	}
	return nil
}

func (c *Compiler) rewriter(s *scope, outer *core, n *yaml.Node) error {
	fields, err := c.closed(n, "a rewriter", "id", "fix", "rule", "constraints", "utils", "transform")
	if err != nil {
		return err
	}
	if null(fields["id"]) || null(fields["fix"]) {
		return errorAt(n, "a rewriter needs an id and a fix")
	}
	id, err := text(fields["id"], "id")
	if err != nil {
		return err
	}
	k, err := c.coreOf(s, n, fields)
	if err != nil {
		return err
	}
	fixes, err := c.fixers(s, fields["fix"])
	if err != nil {
		return err
	}
	if len(fixes) == 0 {
		return errorAt(fields["fix"], "a rewriter needs a fix")
	}
	vars := k.defined(true)
	for name := range outer.defined(true) {
		vars[name] = true
	}
	for _, f := range fixes {
		if err := checkFix(fields["fix"], &f.template, vars); err != nil {
			return err
		}
	}
	s.rewriters[id] = &rewriter{k, fixes[0]}
	return nil
}

func (c *Compiler) labels(r *Rule, v *yaml.Node) error {
	if null(v) {
		return nil
	}
	list, err := c.fields(v, "labels")
	if err != nil {
		return err
	}
	r.labels = []labelConfig{}
	vars := r.core.defined(false)
	for _, f := range list {
		if !vars[f.key] {
			return errorAt(f.name, "label $%s is not defined", f.key)
		}
		keys, err := c.closed(f.value, "a label", "style", "message")
		if err != nil {
			return err
		}
		l := labelConfig{name: f.key}
		if null(keys["style"]) {
			return errorAt(f.value, "a label needs a style")
		}
		if l.style, err = text(keys["style"], "style"); err != nil {
			return err
		}
		if l.style != "primary" && l.style != "secondary" {
			return errorAt(keys["style"], "style %q is neither primary nor secondary", l.style)
		}
		if x := keys["message"]; !null(x) {
			if l.message, err = text(x, "message"); err != nil {
				return err
			}
		}
		r.labels = append(r.labels, l)
	}
	return nil
}

// globs reads files and ignores.
func (c *Compiler) globs(r *Rule, fields map[string]*yaml.Node) error {
	for _, f := range []struct {
		key string
		to  *[]*rustre.Glob
	}{{"files", &r.files}, {"ignores", &r.ignores}} {
		v := fields[f.key]
		if null(v) {
			continue
		}
		r.filtered = r.filtered || f.key == "files"
		list, err := c.items(v, f.key)
		if err != nil {
			return err
		}
		for _, n := range list {
			g, err := c.glob(n, f.key)
			if err != nil {
				return placed(n, err)
			}
			*f.to = append(*f.to, g)
		}
	}
	return nil
}

func (c *Compiler) glob(n *yaml.Node, what string) (*rustre.Glob, error) {
	fold := false
	if n.Kind == yaml.MappingNode {
		fields, err := c.closed(n, what, "glob", "caseInsensitive")
		if err != nil {
			return nil, err
		}
		if f := fields["caseInsensitive"]; f != nil {
			if fold, err = truth(f, "caseInsensitive"); err != nil {
				return nil, err
			}
		}
		if n = fields["glob"]; null(n) {
			return nil, fmt.Errorf("%s needs a glob", what)
		}
	}
	t, err := text(n, what)
	if err != nil {
		return nil, err
	}
	return rustre.CompileGlob(t, fold)
}
