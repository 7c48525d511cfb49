package hcl

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"poly/internal/engine"
)

// summary is what the rest of a module wants to know of a file.
type summary struct {
	text     []byte
	path     string
	broken   bool // it does not parse: nothing is known of what it uses
	override bool // what it declares replaces what others declare
	uses     map[string]bool
	declares []declaration
}

// declaration is something of a module that has a name.
type declaration struct {
	kind string // variable, local, data ...
	name string // as it is referred to, or would be
	at   hcl.Range
}

// siblings returns what is known of the other files of a module.
func (w *worker) siblings(src engine.Source) []*summary {
	out := make([]*summary, 0, len(src.Siblings))
	for _, s := range src.Siblings {
		out = append(out, w.summarise(s.Path, s.Text, nil))
	}
	return out
}

// summarise reads a file, or takes what it found before. body is the file if
// it is parsed already.
func (w *worker) summarise(file string, text []byte, body *hclsyntax.Body) *summary {
	if dir := path.Dir(file); dir != w.dir {
		w.dir = dir
		clear(w.files)
	}
	if s := w.files[file]; s != nil && bytes.Equal(s.text, text) {
		return s
	}
	s := &summary{text: text, path: file, uses: map[string]bool{}}
	w.files[file] = s
	base := strings.TrimSuffix(strings.TrimSuffix(path.Base(file), path.Ext(file)), ".tf")
	s.override = base == "override" || strings.HasSuffix(base, "_override")
	if body == nil {
		if strings.HasSuffix(file, ".json") || unjudged(text) != "" {
			s.broken = true
			return s
		}
		parsed, diags := parse(text)
		if s.broken = diags.HasErrors(); s.broken {
			return s
		}
		body = parsed.Body.(*hclsyntax.Body)
	}
	s.body(body, "")
	for _, b := range body.Blocks {
		s.declare(b)
	}
	return s
}

// body notes what is used. self is a name whose use there does not count.
func (s *summary) body(b *hclsyntax.Body, self string) {
	for _, a := range b.Attributes {
		for _, t := range hclsyntax.Variables(a.Expr) {
			if ref := reference(t); ref != self {
				s.uses[ref] = true
			}
		}
	}
	for _, block := range b.Blocks {
		own := self
		if block.Type == "variable" && self == "" && len(block.Labels) == 1 {
			own = "var." + block.Labels[0]
		}
		s.body(block.Body, own)
	}
}

// reference is what a traversal refers to: var.x, local.x, data.a.b or, of a
// provider, aws.x. Only "var", "local" or "data" if it cannot be told.
func reference(t hcl.Traversal) string {
	root := t.RootName()
	parts := []string{root}
	want := 2
	if root == "data" {
		want = 3
	}
	for _, step := range t[1:] {
		a, ok := step.(hcl.TraverseAttr)
		if !ok || len(parts) == want {
			break
		}
		parts = append(parts, a.Name)
	}
	if len(parts) < want {
		return root
	}
	return strings.Join(parts, ".")
}

// labelled are the blocks that declare a name, the number of their labels, and
// what stands before those in the name.
var labelled = [...]struct {
	block  string
	labels int
	kind   string
	prefix string
}{
	{"variable", 1, "variable", "var."},
	{"data", 2, "data source", "data."},
	{"resource", 2, "resource", ""},
	{"output", 1, "output", "output."},
	{"module", 1, "module", "module."},
}

func (s *summary) declare(b *hclsyntax.Block) {
	add := func(kind, name string, at hcl.Range) { s.declares = append(s.declares, declaration{kind, name, at}) }
	for _, l := range labelled {
		if b.Type == l.block && len(b.Labels) == l.labels {
			add(l.kind, l.prefix+strings.Join(b.Labels, "."), b.DefRange())
			return
		}
	}
	switch b.Type {
	case "locals":
		for _, a := range b.Body.Attributes {
			add("local", "local."+a.Name, a.SrcRange)
		}
	case "provider":
		if alias := b.Body.Attributes["alias"]; alias != nil && len(b.Labels) == 1 {
			if word, ok := text(alias.Expr); ok {
				add("provider", b.Labels[0]+"."+word, b.DefRange())
			}
		}
	case "check":
		for _, inner := range b.Body.Blocks {
			if inner.Type == "data" {
				s.declare(inner)
			}
		}
	}
}

// text is the value of an expression that is a plain string.
func text(e hclsyntax.Expression) (string, bool) {
	t, ok := e.(*hclsyntax.TemplateExpr)
	if !ok || !t.IsStringLiteral() {
		return "", false
	}
	v, diags := t.Value(nil)
	if diags.HasErrors() {
		return "", false
	}
	return v.AsString(), true
}

// module reports what the files of a module together show about one of them.
func (l *linter) module(own *summary, others []*summary) {
	complete := true
	for _, o := range others {
		complete = complete && !o.broken
	}
	used := func(name string) bool {
		root, _, _ := strings.Cut(name, ".")
		for _, s := range append([]*summary{own}, others...) {
			if s.uses[name] || s.uses[root] {
				return true
			}
		}
		return false
	}
	first := map[string]declaration{}
	for _, d := range own.declares {
		switch d.kind {
		case "variable", "local", "data source", "provider":
			if complete && !used(d.name) {
				l.put(codeUnused, d.at, fmt.Sprintf("%s %s is declared and never used", strings.ToUpper(d.kind[:1])+d.kind[1:], d.name), "")
			}
		}
		if before, twice := first[d.name]; twice {
			if before.at.Start.Byte > d.at.Start.Byte {
				before, d = d, before // locals come in no order
			}
			l.put(codeDuplicate, d.at, fmt.Sprintf("%s is declared already, on line %d", d.name, before.at.Start.Line), "")
		}
		first[d.name] = d
	}
	l.elsewhere(own, others)
}

// elsewhere reports what another file of the module declares too.
func (l *linter) elsewhere(own *summary, others []*summary) {
	if own.override {
		return
	}
	stem := func(p string) string { return strings.TrimSuffix(p, path.Ext(p)) }
	for _, d := range own.declares {
		for _, o := range others {
			// With OpenTofu a.tofu replaces a.tf.
			if o.override || stem(o.path) == stem(own.path) || !o.has(d.name) {
				continue
			}
			l.put(codeDuplicateFile, d.at, fmt.Sprintf("%s is declared in %s too", d.name, path.Base(o.path)), "All files of a directory are one module.")
			break
		}
	}
}

func (s *summary) has(name string) bool {
	for _, d := range s.declares {
		if d.name == name {
			return true
		}
	}
	return false
}
