package peers

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"poly/internal/gen/proof/lab"
)

// width is the length of lines for both sides of every Wasm engine.
const width = 100

// lines is poly's configuration of it.
var lines = fmt.Sprintf("[defaults]\nline_length = %d\n", width)

// python is the linter ruff, which the native command has at the version of the
// module that poly has.
var python = linter{
	name: "ruff check", engine: "ruff", fetch: ruff, find: (*bench).ruff, every: true, wrapped: true, column: true, extra: lines,
	corpus: corpus{name: "Python", each: 60, total: 1200, want: ext(".py")},
}

// wasms are formatters whose modules poly has and whose commands are native.
var wasms = []formatter{
	{
		name: "ruff format", engine: "ruff", args: []string{"format"}, check: []string{"format", "--check"}, fetch: ruff, remark: "#", extra: lines,
		corpus: corpus{name: "Python", each: 60, total: 1200, want: ext(".py")},
	},
	plugin("typescript", "//", corpus{name: "JavaScript and TypeScript", each: 120, total: 1200, want: ext(".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")}),
	plugin("markdown", "<!-- -->", corpus{name: "markdown", each: 40, total: 1200, want: ext(".md")}),
	plugin("toml", "#", corpus{name: "TOML", each: 100, total: 1200, want: ext(".toml")}),
	plugin("json", "//", corpus{name: "JSON", each: 60, total: 1200, want: ext(".json", ".jsonc")}),
}

// plugin is a plugin of dprint.
func plugin(name, remark string, c corpus) formatter {
	return formatter{
		name: "dprint " + name, engine: "dprint", args: []string{"fmt"}, check: []string{"check", "--list-different"}, remark: remark, corpus: c,
		extra: lines, fetch: func(ctx context.Context, k *kit) (string, error) { return k.dprint(ctx, name) },
	}
}

// wasm is the part of the engines that are Wasm modules.
func (b *bench) wasm(ctx context.Context) error {
	if spec(python.engine).Name == "" {
		b.lab.Page.Line("Not in this build: %s.", python.engine)
	} else if err := b.lints(ctx, &python); err != nil {
		return err
	}
	var here []formatter
	for i := range wasms {
		if f := &wasms[i]; spec(f.engine).Name == "" {
			b.lab.Page.Line("Not in this build: %s.", f.name)
		} else {
			here = append(here, *f)
		}
	}
	if len(here) == 0 {
		return nil
	}
	if err := b.formatted(ctx, here); err != nil {
		return err
	}
	return b.costs(ctx, here)
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
target-version = "py310"
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
	text, err := json.Marshal(map[string]any{
		"plugins": []string{filepath.Join(dir, "node_modules", "@dprint", name, "plugin.wasm")}, "lineWidth": width, "indentWidth": 2, "useTabs": false, "newLineKind": "auto",
	})
	if err == nil {
		err = writeFile(config, text)
	}
	if err != nil {
		return "", err
	}
	return k.wrapper("dprint-"+name, program, "--allow-no-files --config "+config)
}

// wrapper writes a command whose first argument is what a program is to do: the
// program gets more arguments behind it.
func (k *kit) wrapper(name, program, more string) (string, error) {
	file := filepath.Join(k.lab.Dir, "tools", name+".sh")
	text := "#!/bin/sh\nverb=$1\nshift\nexec " + program + ` "$verb" ` + more + ` "$@"` + "\n"
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
