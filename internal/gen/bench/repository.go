package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// repository makes a repository of n files, nine to a directory and four
// directories deep, in languages poly knows and some it does not, and measures
// warm runs in it.
func repository(b *bounds, poly, dir string, env []string, n, runs int) error {
	if err := generate(b.ctx, dir, env, n); err != nil {
		return err
	}
	// The index must be older than the files are new: git and poly both hash
	// files that are as young as the index.
	<-time.After(2100 * time.Millisecond)
	for range 2 {
		if err := git(b.ctx, dir, env, "update-index", "-q", "--refresh"); err != nil {
			return err
		}
		<-time.After(2100 * time.Millisecond)
	}
	touched := filepath.Join(dir, "d0", "d0", "d0")
	edited := filepath.Join(dir, "d0", "d0", "d0", "f0.go")
	touch := func() error {
		f := filepath.Join(touched, "tmp")
		if err := write(f, nil); err != nil {
			return err
		}
		return os.Remove(f)
	}
	counter := 0
	edit := func() error {
		counter++
		return write(edited, fmt.Appendf(nil, "// Package f is a file of a benchmark.\npackage f\n\nvar edited = %d\n", counter))
	}
	status := &contender{name: "git status", argv: []string{"git", "status"}}
	warm := &contender{name: "poly lint . (warm)", argv: []string{poly, "lint", "."}}
	version := &contender{name: "poly --version", argv: []string{poly, "--version"}}
	if err := race(b.ctx, dir, env, runs, status, warm, version); err != nil {
		return err
	}
	status2 := &contender{name: "git status, one directory touched", argv: status.argv, before: touch}
	warm2 := &contender{name: "poly lint ., one directory touched", argv: warm.argv, before: touch}
	if err := race(b.ctx, dir, env, runs, status2, warm2); err != nil {
		return err
	}
	warm3 := &contender{name: "poly lint . (warm, again)", argv: warm.argv}
	changed := &contender{name: "poly lint ., one file changed", argv: warm.argv, before: edit}
	if err := race(b.ctx, dir, env, runs, warm3, changed); err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%d files:\n", n)
	for _, c := range []*contender{status, warm, status2, warm2, warm3, changed, version} {
		fmt.Fprintf(b.out, "  %-40s wall %8.1f ms  cpu %8.1f ms  rss %6.1f MiB\n", c.name, median(c.samples, wall), median(c.samples, cpu), median(c.samples, rss))
	}
	name := func(s string) string { return fmt.Sprintf("%d files: %s", n, s) }
	b.check(name("warm lint / git status, wall"), median(warm.samples, wall)/median(status.samples, wall), 1, "x")
	b.check(name("warm lint / git status, cpu"), median(warm.samples, cpu)/median(status.samples, cpu), 0.7, "x")
	b.check(name("touched directory, wall"), median(warm2.samples, wall)/median(status2.samples, wall), 1, "x")
	b.check(name("touched directory, cpu"), median(warm2.samples, cpu)/median(status2.samples, cpu), 0.7, "x")
	b.check(name("one changed file, cpu over warm"), median(changed.samples, cpu)-median(warm3.samples, cpu), 15, "ms")
	if n <= 25000 {
		b.check(name("memory over poly --version"), median(warm.samples, rss)-median(version.samples, rss), 40, "MiB")
	}
	return agent(b, poly, dir, env, n, runs)
}

// kinds are files without findings: a run that prints thousands of them is
// another matter.
var kinds = []struct{ ext, text string }{
	{"go", "// Package f is a file of a benchmark.\npackage f\n\n// V%d is a number.\nvar V%[1]d = %[2]d\n"},
	{"yaml", "name: n%d\nvalue: %d\n"},
	{"json", "{\"name\": %d, \"value\": %d}\n"},
	{"md", "# Title %d\n\nText %d.\n"},
	{"py", "x%d = %d\n"},
	{"txt", "line %d\nline %d\n"},
	{"ts", "export const x%d = %d;\n"},
}

func generate(ctx context.Context, dir string, env []string, n int) error {
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := git(ctx, dir, env, "init", "-q"); err != nil {
		return err
	}
	for i := range n {
		d := i / 9
		sub := filepath.Join(dir, fmt.Sprintf("d%d", d/400), fmt.Sprintf("d%d", d/20%20), fmt.Sprintf("d%d", d%20))
		if i%9 == 0 {
			if err := os.MkdirAll(sub, 0o755); err != nil {
				return err
			}
		}
		k := kinds[i%len(kinds)]
		if err := write(filepath.Join(sub, fmt.Sprintf("f%d.%s", i%9, k.ext)), fmt.Appendf(nil, k.text, i, i)); err != nil {
			return err
		}
	}
	if err := git(ctx, dir, env, "add", "-A"); err != nil {
		return err
	}
	return git(ctx, dir, env, "-c", "user.name=b", "-c", "user.email=b@example.invalid", "commit", "-qm", "c")
}
