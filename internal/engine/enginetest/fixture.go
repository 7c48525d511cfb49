package enginetest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"poly/internal/diag"
	"poly/internal/editorconfig"
	"poly/internal/engine"
	"poly/internal/lang"
)

// fixture is one archive.
type fixture struct {
	file    string
	archive *txtar.Archive
	golden  bool       // it has an input section, which is cases[0]
	quoted  bool       // the input is quoted, so the wants are
	cases   []testCase // all sources of the archive
}

// readFixture reads an archive. An error is a mistake in the archive.
func readFixture(file string, spec *engine.Spec) (*fixture, error) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		return nil, err
	}
	f := &fixture{file: file, archive: a}
	if err := f.read(spec); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return f, nil
}

func (f *fixture) read(spec *engine.Spec) error {
	settings, input := "", ""
	files := map[string][]byte{}
	for _, s := range f.archive.Files {
		name, data, err := section(s)
		if err != nil {
			return err
		}
		switch {
		case name == "config":
			settings = string(data)
		case strings.HasPrefix(name, "want.") || strings.HasSuffix(name, ".want"):
		case strings.HasPrefix(name, "input."):
			input, f.golden, f.quoted = name, true, s.Name != name
			files[name] = data
		default:
			files[name] = data
		}
	}
	c := testCase{name: filepath.Base(f.file), env: defaultEnv(spec, "")}
	c.src.Path = input
	if err := c.configure(spec, settings); err != nil {
		return err
	}
	if f.golden {
		if c.src.Text = files[input]; c.src.Text == nil {
			c.src.Text = []byte{}
		}
		delete(files, input)
		return f.add(spec, c, files)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		d := c
		d.name, d.src.Path, d.src.Text = c.name+"/"+name, name, files[name]
		if err := f.add(spec, d, nil); err != nil {
			return err
		}
	}
	return nil
}

// add completes c with its language and the files around it.
func (f *fixture) add(spec *engine.Spec, c testCase, files map[string][]byte) error {
	if c.src.Lang == "" {
		c.src.Lang = langOf(spec, c.src.Path)
	}
	if c.src.Lang == "" && !spec.Cross {
		return fmt.Errorf("no language for %s: add \"lang = ...\" to config", c.src.Path)
	}
	if !spec.Cross {
		c.env.Lang = c.src.Lang
	}
	if c.env.Globals.IndentWidth == 0 {
		c.env.Globals.IndentWidth = indentOf(c.src.Lang)
	}
	tree := fstest.MapFS{c.src.Path: {Data: c.src.Text}}
	for name, data := range files {
		tree[name] = &fstest.MapFile{Data: data}
	}
	c.env.Tree = tree
	if spec.Verbs&engine.Format != 0 {
		said, err := editorconfig.NewResolver(tree).Properties(c.src.Path)
		if err != nil {
			return err
		}
		c.env.Globals = c.env.Globals.Under(said)
	}
	f.cases = append(f.cases, c)
	return nil
}

// section returns the name and the bytes of a section, unquoted.
func section(s txtar.File) (name string, data []byte, err error) {
	name, quoted := strings.CutSuffix(s.Name, ".q")
	if !quoted {
		return name, s.Data, nil
	}
	data = []byte{}
	for line := range strings.Lines(string(s.Data)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		u, err := strconv.Unquote(line)
		if err != nil {
			return name, nil, fmt.Errorf("section %s: %q is no Go string", s.Name, line)
		}
		data = append(data, u...)
	}
	return name, data, nil
}

// inputs are the files an engine is given besides the source, nearest first.
func (c testCase) inputs(b engine.Bound) []engine.Input {
	tree, _ := c.env.Tree.(fstest.MapFS)
	var out []engine.Input
	for dir := path.Dir(c.src.Path); ; dir = path.Dir(dir) {
		for _, name := range b.Inputs.Names {
			p := path.Join(dir, name)
			if file, ok := tree[p]; ok {
				out = append(out, engine.Input{Path: p, Text: file.Data})
			}
		}
		if dir == "." || dir == "/" {
			return out
		}
	}
}

// siblings are the other files an engine is given of the source's directory.
func (c testCase) siblings(b engine.Bound) []engine.Input {
	tree, _ := c.env.Tree.(fstest.MapFS)
	var out []engine.Input
	for p, file := range tree {
		matches := func(pat string) bool {
			ok, err := path.Match(pat, path.Base(p))
			return ok && err == nil
		}
		if p != c.src.Path && path.Dir(p) == path.Dir(c.src.Path) && slices.ContainsFunc(b.Inputs.Siblings, matches) {
			out = append(out, engine.Input{Path: p, Text: file.Data})
		}
	}
	slices.SortFunc(out, func(a, b engine.Input) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// compare checks the want sections, or rewrites them.
func (f *fixture) compare(t *testing.T, e engine.Engine, update bool) {
	t.Helper()
	got, err := results(t.Context(), e, f.cases[0])
	if err != nil {
		t.Fatal(err)
	}
	if update {
		f.update(t, got)
		return
	}
	want := map[string]string{}
	for _, s := range f.archive.Files {
		name, data, _ := section(s)
		if strings.HasPrefix(name, "want.") {
			want[name] = string(data)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got; -update rewrites):\n%s", f.file, d)
	}
}

// update writes the archive with new want sections after the others.
func (f *fixture) update(t *testing.T, got map[string]string) {
	t.Helper()
	a := &txtar.Archive{Comment: f.archive.Comment}
	for _, s := range f.archive.Files {
		if !strings.HasPrefix(s.Name, "want.") {
			a.Files = append(a.Files, s)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		data := []byte(got[name])
		plain := name == "want.diag" || name == "want.skip"
		if !plain && (f.quoted || txtar.NeedsQuote(data) || len(data) > 0 && data[len(data)-1] != '\n') {
			name, data = name+".q", quote(data)
		}
		a.Files = append(a.Files, txtar.File{Name: name, Data: data})
	}
	if err := os.WriteFile(f.file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

func quote(data []byte) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		out = strconv.AppendQuote(out, string(line))
		out = append(out, '\n')
	}
	return out
}

// results are the want sections that the engine would fill; one that says
// nothing new is left out.
func results(ctx context.Context, e engine.Engine, c testCase) (map[string]string, error) {
	b, w, err := open(ctx, e, c.env)
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Close() }()
	c.src.Inputs, c.src.Siblings = c.inputs(b), c.siblings(b)
	got := map[string]string{}
	if e.Verbs&engine.Lint != 0 {
		if err := lintResults(ctx, w, c, got); err != nil {
			return nil, err
		}
	}
	if e.Verbs&engine.Format == 0 {
		return got, nil
	}
	out, err := w.Format(ctx, c.src)
	switch reason, skip := engine.SkipReason(err); {
	case skip:
		got["want.skip"] = reason + "\n"
	case err != nil:
		return nil, fmt.Errorf("format: %w", err)
	case !bytes.Equal(out, c.src.Text):
		got["want.formatted"] = string(out)
	}
	return got, nil
}

func lintResults(ctx context.Context, w engine.Worker, c testCase, got map[string]string) error {
	diags, err := w.Lint(ctx, c.src)
	if reason, skip := engine.SkipReason(err); skip {
		got["want.diag"] = "skip: " + reason + "\n"
		return nil
	}
	if err != nil {
		return fmt.Errorf("lint: %w", err)
	}
	diags = slices.DeleteFunc(slices.Clone(diags), func(d diag.Diagnostic) bool { return !c.env.Rules.Reports(&d) })
	if text := Format(c.src.Text, diags); text != "" {
		got["want.diag"] = text
	}
	var fixes [][]diag.Edit
	for i := range diags {
		if len(diags[i].Fix) > 0 {
			fixes = append(fixes, diags[i].Fix)
		}
	}
	if fixed, n := diag.Apply(c.src.Text, fixes); n > 0 {
		got["want.fixed"] = string(fixed)
	}
	return nil
}

// Format renders diagnostics one a line, sorted: "3:9-3:12 error syntax: Title",
// or "file error syntax: Title" for a diagnostic about the whole file.
func Format(text []byte, diags []diag.Diagnostic) string {
	diags = slices.Clone(diags)
	diag.Sort(diags)
	lines := diag.NewLines(text)
	var b strings.Builder
	for i := range diags {
		d := &diags[i]
		where := "file"
		if d.Span != nil {
			s := *d.Span
			lines.Fill(&s)
			where = fmt.Sprintf("%d:%d-%d:%d", s.StartLine, s.StartCol, s.EndLine, s.EndCol)
		}
		fmt.Fprintf(&b, "%s %s %s: %s\n", where, d.Severity, d.Code, d.Title)
	}
	return b.String()
}

func langOf(spec *engine.Spec, name string) lang.ID {
	if len(spec.Langs) == 1 {
		return spec.Langs[0]
	}
	return lang.Detect(name)
}

func indentOf(l lang.ID) int {
	if in, ok := lang.Lookup(l); ok && in.Indent > 0 {
		return in.Indent
	}
	return 4
}
