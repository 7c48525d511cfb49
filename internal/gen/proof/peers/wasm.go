package peers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"poly/internal/gen/proof/lab"
	"poly/internal/guard"
	"poly/internal/guard/markdown"
	"poly/internal/lang"
)

// width is the length of lines for both sides of every Wasm engine.
const width = 100

// lines is poly's configuration of it.
var lines = fmt.Sprintf("[defaults]\nline_length = %d\n", width)

// python is the linter ruff, which the native command has at the version of the
// module that poly has.
var python = linter{
	name: "ruff check", engine: "ruff", fetch: ruff, find: (*bench).ruff, every: true, wrapped: true, column: true, unbound: true, extra: lines,
	corpus: corpus{name: "Python", each: 60, total: 1200, want: ext(".py")},
}

// wasms are formatters whose modules poly has and whose commands are native.
var wasms = []formatter{
	{
		name: "ruff format", engine: "ruff", args: []string{"format"}, fetch: ruff, lang: lang.Python, extra: lines,
		corpus: corpus{name: "Python", each: 60, total: 1200, want: ext(".py")},
	},
	plugin("typescript", lang.TypeScript, corpus{name: "scripts of dprint", each: 120, total: 1200, want: ext(".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")}),
	markdownPlugin(),
	plugin("toml", lang.TOML, corpus{name: "TOML of dprint", each: 100, total: 1200, want: ext(".toml")}),
	plugin("json", lang.JSON, corpus{name: "JSON of dprint", each: 60, total: 1200, want: ext(".json", ".jsonc")}),
}

// plugin is a plugin of dprint.
func plugin(name string, l lang.ID, c corpus) formatter {
	c.place = unpatterned
	return formatter{
		name: "dprint " + name, engine: "dprint", lang: l, args: []string{"fmt"}, corpus: c, extra: lines, fetch: func(ctx context.Context, k *kit) (string, error) { return k.dprint(ctx, name) },
	}
}

// markdownPlugin is the plugin for Markdown with the settings that poly has for
// it, which are other than the plugin's: they keep code and HTML as they are.
func markdownPlugin() formatter {
	f := plugin("markdown", lang.Markdown, corpus{name: "Markdown of dprint", each: 40, total: 1200, want: ext(".md"), edit: nameless})
	f.explain = func(_ *bench, _ context.Context, _ string, before, ours, theirs []byte, skipped string) (string, bool, error) {
		if skipped != "" {
			return "skipped: " + skipped, false, nil
		}
		if bytes.Equal(plain(ours), plain(theirs)) {
			return "line ends, byte order mark or end of file kept", false, nil
		}
		if bytes.Equal(plain(behindFront(ours)), plain(behindFront(theirs))) {
			return "front matter stays as it is", false, nil
		}
		if d, ok := errors.AsType[*guard.Difference](markdown.Same(before, theirs, nil)); ok {
			return "mended: the command changes what is shown (" + d.What + "); such a block stays as it is", false, nil
		}
		return parting(ours, theirs, ""), true, nil
	}
	return f
}

// behindFront cuts the front matter off.
func behindFront(text []byte) []byte {
	text = plain(text)
	rest, ok := bytes.CutPrefix(text, []byte("---\n"))
	if !ok {
		return text
	}
	_, rest, _ = bytes.Cut(rest, []byte("\n---\n"))
	return bytes.TrimLeft(rest, "\n")
}

var fence = regexp.MustCompile("(?m)^([ \t>]*(?:```+|~~~+))[^`\r\n]*")

// nameless takes the languages of code in Markdown away: poly formats that code
// by its language's engine, the command has none for it.
func nameless(_ string, text []byte) []byte { return fence.ReplaceAll(text, []byte("$1")) }

// unpatterned is a name without what the command takes for a pattern.
func unpatterned(p string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("{}[]*?!", r) {
			return '_'
		}
		return r
	}, p)
}

// wasm is the part of the engines that are Wasm modules.
func (b *bench) wasm(ctx context.Context) error {
	if err := b.warm(ctx); err != nil {
		return err
	}
	var here []formatter
	for i := range wasms {
		f := &wasms[i]
		if !slices.Contains(spec(f.engine).Langs, f.lang) {
			b.lab.Page.Line("Not in this build: %s.", f.name)
			continue
		}
		here = append(here, *f)
	}
	if spec(python.engine).Name == "" {
		b.lab.Page.Line("Not in this build: %s.", python.name)
	} else if err := b.lints(ctx, &python); err != nil {
		return err
	}
	if len(here) == 0 {
		return nil
	}
	return b.formatted(ctx, here)
}

// warm lets poly compile its modules: the first run would take the time that a
// file may have.
func (b *bench) warm(ctx context.Context) error {
	dir := filepath.Join(b.lab.Dir, "warm")
	for name, text := range map[string]string{"a.py": "a = 1\n", "a.ts": "const a = 1;\n", "a.md": "# a\n", "a.toml": "a = 1\n", "a.json": "{}\n"} {
		if err := writeFile(filepath.Join(dir, name), []byte(text)); err != nil {
			return err
		}
	}
	for range 3 {
		if r, err := b.lab.Start(ctx, dir, nil, b.lab.Poly, "fmt", "--check", "--no-cache", "."); err != nil || r.Exit < 2 {
			return err
		}
	}
	return nil
}

// ruff returns a command with the settings that the engine has by default: see
// its page. Native settings beside the files do not count.
func ruff(ctx context.Context, k *kit) (string, error) {
	program, err := k.wheel(ctx, "ruff")
	if err != nil {
		return "", err
	}
	config := filepath.Join(k.lab.Dir, "ruff.toml")
	text := fmt.Sprintf(`line-length = %d
[lint]
select = ["F", "E4", "E7", "E9", "W6", "I", "UP", "B"]
ignore = ["B008"]
[format]
docstring-code-format = true
docstring-code-line-length = %d
`, width, width)
	if err := writeFile(config, []byte(text)); err != nil {
		return "", err
	}
	return k.wrapper("ruff", program, "--no-cache --config "+config)
}

// dprint returns the command dprint with one plugin, of the version that poly
// has as a module.
func (k *kit) dprint(ctx context.Context, name string) (string, error) {
	dir, err := k.node(ctx)
	if err != nil {
		return "", err
	}
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	libc := map[string]string{"linux": "-glibc"}[runtime.GOOS]
	program := filepath.Join(dir, "node_modules", "@dprint", runtime.GOOS+"-"+arch+libc, "dprint")
	if _, err := os.Stat(program); err != nil {
		return "", err
	}
	config := filepath.Join(k.lab.Dir, "dprint-"+name+".json")
	settings := map[string]any{
		"plugins": []string{filepath.Join(dir, "node_modules", "@dprint", name, "plugin.wasm")}, "lineWidth": width, "indentWidth": 2, "useTabs": false, "newLineKind": "auto",
	}
	if name == "markdown" { // as poly, which says so on the page of engines
		settings[name] = map[string]any{"codeBlock.preserveIndentation": true, "codeBlock.preserveBlankLines": true, "html.skipFormat": true}
	}
	text, err := json.Marshal(settings)
	if err == nil {
		err = writeFile(config, text)
	}
	if err != nil {
		return "", err
	}
	return k.wrapper("dprint-"+name, program, "--allow-no-files --config-discovery=false --config "+config)
}

// wrapper writes a command whose first argument is what a program is to do: the
// program gets more arguments behind it.
func (k *kit) wrapper(name, program, more string) (string, error) {
	return k.limited(name, program, more, "")
}

// limited writes such a command that begins with lines of a shell.
func (k *kit) limited(name, program, more, first string) (string, error) {
	file := filepath.Join(k.lab.Dir, "tools", name+".sh")
	text := "#!/bin/sh\n" + first + "verb=$1\nshift\nexec " + program + ` "$verb" ` + more + ` "$@"` + "\n"
	if err := writeFile(file, []byte(text)); err != nil {
		return "", err
	}
	return file, os.Chmod(file, 0o755)
}

// ruff checks files of one tree.
func (b *bench) ruff(ctx context.Context, tool string, t tree) (*heard, error) {
	h := newHeard()
	return h, b.chunks(ctx, t, 200, h, func(out, _ []byte) error {
		var doc []struct {
			Code, Filename, Message string
			Location                struct{ Row, Column int }
		}
		if err := json.Unmarshal(out, &doc); err != nil {
			return err
		}
		for _, d := range doc {
			name, err := filepath.Rel(t.dir, d.Filename)
			if err != nil {
				return err
			}
			if d.Code == "" || d.Code == "invalid-syntax" {
				h.unread[name] = true
				continue
			}
			h.findings = append(h.findings, finding{path: filepath.ToSlash(name), line: d.Location.Row, column: d.Location.Column, code: d.Code, words: lab.Clean(d.Message)})
		}
		return nil
	}, tool, "check", "--output-format=json", "--exit-zero")
}

// biome is the linter of the optional pack. Of each finding the line and the
// column must be those of the native command.
var biome = linter{
	name: "biome", engine: "biome", fetch: nativeBiome, find: (*bench).biome, every: true, wrapped: true, column: true, unbound: true, least: 0.995,
	corpus: corpus{name: "scripts, styles, JSON and GraphQL", each: 16, total: 800, place: unpatterned, want: func(p string) bool {
		// Those configure biome itself, or switch on rules by what they depend on.
		return ext(".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".css", ".graphql", ".json")(p) &&
			!slices.Contains([]string{"package.json", "biome.json", "rome.json"}, path.Base(p))
	}},
}

// pack is the part of the optional pack, for builds that have it.
func (b *bench) pack(ctx context.Context) error {
	s := spec(biome.engine)
	if !s.BuiltIn() {
		b.lab.Page.Line("Not in this build: %s.", biome.name)
		return nil
	}
	dir := filepath.Join(b.lab.Dir, "warm-biome")
	if err := writeFile(filepath.Join(dir, "a.css"), []byte("a {}\n")); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, "poly.toml"), []byte("[lint.css.biome]\nenabled = true\n")); err != nil {
		return err
	}
	for range 3 { // until it is compiled: a run gives a file some seconds only
		r, err := b.lab.Start(ctx, dir, nil, b.lab.Poly, "lint", "--no-cache", ".")
		if err != nil {
			return err
		}
		if r.Exit < 2 {
			break
		}
	}
	return b.lints(ctx, &biome)
}

// nativeBiome returns the command with the settings it has without any file.
func nativeBiome(ctx context.Context, k *kit) (string, error) {
	dir, err := k.node(ctx)
	if err != nil {
		return "", err
	}
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	program := filepath.Join(dir, "node_modules", "@biomejs", "cli-"+runtime.GOOS+"-"+arch, "biome")
	if _, err := os.Stat(program); err != nil {
		return "", err
	}
	config := filepath.Join(k.lab.Dir, "biome-config", "biome.json")
	if err := writeFile(config, []byte("{\"root\": true, \"vcs\": {\"enabled\": false}}\n")); err != nil {
		return "", err
	}
	// There are texts for which it takes all the memory there is.
	return k.limited("biome", program, "--config-path="+filepath.Dir(config), "ulimit -v 4000000\n")
}

// biome checks files of one tree. A text at which the command breaks down is
// unread: it is looked for among those that were given together.
func (b *bench) biome(ctx context.Context, tool string, t tree) (*heard, error) {
	h := newHeard()
	for files := range slices.Chunk(t.files, 100) {
		if err := b.biomeOf(ctx, tool, t.dir, h, files); err != nil {
			return nil, err
		}
	}
	return h, nil
}

func (b *bench) biomeOf(ctx context.Context, tool, dir string, h *heard, files []string) error {
	argv := []string{tool, "lint", "--reporter=json", "--max-diagnostics=none", "--colors=off"}
	r, late, err := b.remembered(ctx, dir, append(argv, files...))
	if err != nil {
		return err
	}
	h.cpu += r.CPU
	if late || len(r.Out) == 0 {
		if len(files) == 1 {
			h.unread[files[0]] = true
			return nil
		}
		half := len(files) / 2
		if err := b.biomeOf(ctx, tool, dir, h, files[:half]); err != nil {
			return err
		}
		return b.biomeOf(ctx, tool, dir, h, files[half:])
	}
	return h.biome(r.Out)
}

// biome adds what the command says.
func (h *heard) biome(out []byte) error {
	var doc struct {
		Diagnostics []struct {
			Category, Message string
			Location          struct {
				Path  string
				Start struct{ Line, Column int }
			}
		}
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		return err
	}
	for _, d := range doc.Diagnostics {
		name := filepath.ToSlash(d.Location.Path)
		code, isRule := strings.CutPrefix(d.Category, "lint/")
		switch {
		case isRule:
		case strings.HasPrefix(d.Category, "suppressions/"):
			code = "suppressions"
		default:
			h.unread[name] = true
			continue
		}
		h.findings = append(h.findings, finding{path: name, line: d.Location.Start.Line, column: d.Location.Start.Column, code: code, words: d.Message})
	}
	return nil
}
