package peers

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

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
	return k.wrapper("biome", program, "--config-path="+filepath.Dir(config))
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
