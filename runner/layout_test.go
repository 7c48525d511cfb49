package runner_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

	"poly/internal/engine"
	"poly/internal/lang"
	"poly/runner"
)

// speller is a formatter that makes of every text what it was bound with. One
// that embeds adds what Go code inside of it is made.
func speller(l lang.ID, embeds bool) engine.Engine {
	info, _ := lang.Lookup(l)
	return engine.Engine{
		Spec: engine.Spec{Name: info.Formatter, Langs: []lang.ID{l}, Verbs: engine.Format, Embeds: embeds, Doc: "A test."},
		Bind: func(_ context.Context, e engine.Env) (engine.Bound, error) {
			g := e.Globals
			text := fmt.Appendf(nil, "length=%d width=%d tabs=%t crlf=%t lf=%t final=%t trim=%t\n",
				g.LineLength, g.IndentWidth, g.Tabs, g.CRLF, g.LF, g.FinalNewline, g.TrimTrailingWhitespace)
			return engine.Bound{Open: engine.Stateless(engine.Funcs{FormatFunc: func(ctx context.Context, _ engine.Source) ([]byte, error) {
				if !embeds {
					return text, nil
				}
				inner, err := e.Embedded(ctx, lang.Go, []byte("x"))
				return slices.Concat(text, inner), err
			}})}, nil
		},
	}
}

const (
	plainGo   = "length=120 width=4 tabs=true crlf=false lf=false final=true trim=true\n"
	plainYAML = "length=120 width=2 tabs=false crlf=false lf=false final=true trim=true\n"
)

// TestLayout: what .editorconfig says about a file reaches the formatter bound
// for it, below poly.toml.
func TestLayout(t *testing.T) {
	t.Parallel()
	p := newPlace(t, speller(lang.Go, false), speller(lang.YAML, false))
	p.Write(".editorconfig", "root = true\n[*]\nend_of_line = lf\n[*.go]\nindent_size = 3\nmax_line_length = off\n[sub/*.yaml]\ninsert_final_newline = false\ntrim_trailing_whitespace = false\nindent_style = tab\nend_of_line = crlf\n")
	p.Write("other/.editorconfig", "root = true\n[*.yaml]\nindent_size = 8\nmax_line_length = 60\n")
	p.Write("poly.toml", "[defaults]\ntrim_trailing_whitespace = true\n")
	p.Write("mine/poly.toml", "[defaults]\nline_length = 90\nline_ending = 'lf'\n[fmt.go.gofumpt]\nindent_width = 7\n")
	want := map[string]string{
		"a.go":         "length=0 width=3 tabs=true crlf=false lf=true final=true trim=true\n",
		"b.yaml":       "length=120 width=2 tabs=false crlf=false lf=true final=true trim=true\n",
		"sub/c.yaml":   "length=120 width=2 tabs=true crlf=true lf=false final=false trim=true\n",
		"other/d.yaml": "length=60 width=8 tabs=false crlf=false lf=false final=true trim=true\n",
		"other/e.go":   plainGo,
		"mine/f.go":    "length=90 width=7 tabs=true crlf=false lf=false final=true trim=true\n",
	}
	for f := range want {
		p.Write(f, "x\n")
	}
	p.fix(engine.Format, nil)
	for f, text := range want {
		if got := p.Read(f); got != text {
			t.Errorf("%s: %q, want %q", f, got, text)
		}
	}
}

// TestLayoutIsFollowed: a changed, new or removed .editorconfig counts at once,
// also where the answer of the run before is kept, and costs nothing otherwise.
func TestLayoutIsFollowed(t *testing.T) {
	t.Parallel()
	p := newPlace(t, speller(lang.Go, false), speller(lang.YAML, false))
	p.Write("a.go", plainGo)
	p.Write("sub/b.yaml", plainYAML)
	p.Commit("all")
	step := func(name string, want ...string) {
		t.Helper()
		for _, cached := range []bool{true, true, false} {
			rep := p.run(engine.Format, cached, nil)
			var changed []string
			for _, f := range rep.Files {
				if f.Changed {
					changed = append(changed, f.Path)
				}
			}
			if !slices.Equal(changed, want) {
				t.Errorf("%s, cached %t: changed %v, want %v", name, cached, changed, want)
			}
		}
	}
	step("none")
	p.Write(".editorconfig", "[*.go]\nindent_size = 3\n")
	step("new", "a.go")
	p.Commit("it")
	step("committed", "a.go")
	p.Write("sub/.editorconfig", "[*]\nindent_size = 3\n")
	step("a nested one", "a.go", "sub/b.yaml")
	p.Write(".editorconfig", "# [*.go]\n")
	step("changed", "sub/b.yaml")
	p.Write("poly.toml", "[fmt.yaml.yamlfmt]\nindent_width = 2\n")
	step("poly.toml outranks it")
	rep := p.format()
	if rep.Stats.Read > 0 {
		t.Errorf("%d files read though nothing changed", rep.Stats.Read)
	}
	for _, name := range []string{"poly.toml", "sub/.editorconfig"} {
		if err := os.Remove(p.Path(name)); err != nil {
			t.Fatal(err)
		}
	}
	step("removed")
}

// TestLayoutOfConverted: where git makes the line ends, .editorconfig does not.
func TestLayoutOfConverted(t *testing.T) {
	t.Parallel()
	var seen []byte
	p := newPlace(t, formatter("gofumpt", func(_ context.Context, src engine.Source) ([]byte, error) { return src.Text, nil }, lang.Go))
	p.engines[0].Bind = func(_ context.Context, e engine.Env) (engine.Bound, error) {
		return engine.Bound{Open: engine.Stateless(engine.Funcs{FormatFunc: func(_ context.Context, src engine.Source) ([]byte, error) {
			seen = fmt.Appendf(seen, "%s:%t ", src.Path, e.Globals.LF)
			return src.Text, nil
		}})}, nil
	}
	p.Write(".editorconfig", "[*]\nend_of_line = lf\n")
	p.Write(".gitattributes", "crlf.go text eol=crlf\n")
	p.Write("crlf.go", "package a\r\n")
	p.Write("lf.go", "package b\n")
	p.Commit("all")
	p.run(engine.Format, false, func(q *runner.Request) { q.Jobs = 1 })
	for _, want := range []string{"crlf.go:false", "lf.go:true"} {
		if !bytes.Contains(seen, []byte(want)) {
			t.Errorf("seen %q, want %q in it", seen, want)
		}
	}
}

// TestLayoutOfEmbedded: code inside of a file has the properties of its own
// language beside the nearest .editorconfig, and those are in the key.
func TestLayoutOfEmbedded(t *testing.T) {
	t.Parallel()
	p := newPlace(t, speller(lang.Go, false), speller(lang.Markdown, true))
	p.Write("docs/a.md", "x\n")
	p.Write("b/a.md", "x\n")
	inner := func(name string, want string) {
		t.Helper()
		p.fix(engine.Format, nil)
		if _, got, _ := bytes.Cut([]byte(p.Read(name)), []byte("\n")); string(got) != want {
			t.Errorf("%s: Go inside %q, want %q", name, got, want)
		}
	}
	inner("docs/a.md", plainGo)
	p.Write("docs/.editorconfig", "[*.md]\nmax_line_length = 60\n[*.go]\nindent_size = 3\n")
	inner("docs/a.md", "length=120 width=3 tabs=true crlf=false lf=false final=true trim=true\n")
	inner("b/a.md", plainGo)
	p.Write("docs/.editorconfig", "[*.md]\nmax_line_length = 60\n[*.go]\nindent_size = 5\n")
	inner("docs/a.md", "length=120 width=5 tabs=true crlf=false lf=false final=true trim=true\n")
}
