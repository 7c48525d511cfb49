package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// mixed measures poly on a repository of a thousand files that Wasm engines
// judge: peak memory of a run that has to judge all, and a run of one file
// whose result is cached.
func mixed(b *bounds, poly, dir string, env []string) error {
	repo := filepath.Join(dir, "mixed")
	if err := fill(b, repo); err != nil {
		return err
	}
	if err := git(b.ctx, repo, env, "init", "-q"); err != nil {
		return err
	}
	if err := git(b.ctx, repo, env, "add", "-A"); err != nil {
		return err
	}
	if _, err := once(b.ctx, repo, env, poly, "warm"); err != nil {
		return err
	}
	for _, verb := range []string{"lint", "fmt"} {
		s, err := once(b.ctx, repo, env, poly, verb, "-j", "2", "--no-cache")
		if err != nil {
			return err
		}
		fmt.Fprintf(b.out, "poly %s -j 2 on 1000 mixed files: %.0f ms CPU, peak %.0f MB\n", verb, cpu(s), rss(s))
		b.check("poly "+verb+" -j 2, 1000 mixed files, peak", rss(s), 600, "MB")
	}
	version := &contender{name: "poly --version", argv: []string{poly, "--version"}}
	cached := &contender{name: "poly lint, cached", argv: []string{poly, "lint", "a0.py"}}
	if err := race(b.ctx, repo, env, 30, version, cached); err != nil {
		return err
	}
	b.check("poly lint of a cached Python file / poly --version, CPU", median(cached.samples, cpu)/median(version.samples, cpu), 3, "x")
	return nil
}

// fill writes a thousand files into repo: Python, JavaScript, Markdown, JSON.
func fill(b *bounds, repo string) error {
	python, err := pythonLibrary(b.ctx)
	if err != nil {
		return err
	}
	kinds := map[string][][]byte{".py": python}
	for ext, from := range map[string]string{".js": packages, ".ts": packages, ".md": filepath.Join("internal", "docs"), ".json": packages} {
		if kinds[ext], err = texts(from, ext, 300); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(repo, 0o755); err != nil {
		return err
	}
	for ext, sources := range kinds {
		for i := range 1000 / len(kinds) {
			// Each differs, so that none shares its result with another.
			text := append([]byte(nil), sources[i%len(sources)]...)
			for range i / len(sources) {
				text = append(text, '\n')
			}
			if err := write(filepath.Join(repo, fmt.Sprintf("a%d%s", i, ext)), text); err != nil {
				return err
			}
		}
	}
	return nil
}
