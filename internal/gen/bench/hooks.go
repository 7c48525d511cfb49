package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Peers of hooks, installed by the ordinary clients.
const (
	lefthookVersion  = "lefthook@2.2.2"
	prekVersion      = "prek==0.5.3"
	preCommitVersion = "pre-commit==4.6.0"
)

// peers are the programs that poly's hooks are measured against.
type peers struct{ lefthook, prek, preCommit string }

func installPeers(ctx context.Context, dir string) (peers, error) {
	run := func(argv ...string) error {
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w: %s", argv, err, out)
		}
		return nil
	}
	err := errors.Join(
		run("npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", dir, lefthookVersion),
		run("python3", "-m", "venv", filepath.Join(dir, "venv")),
	)
	if err == nil {
		err = run(filepath.Join(dir, "venv", "bin", "pip"), "install", "-q", prekVersion, preCommitVersion)
	}
	// npm's lefthook is a script that starts it by node; hooks start it itself.
	found, _ := filepath.Glob(filepath.Join(dir, "node_modules", "lefthook-*", "bin", "lefthook"))
	if err == nil && len(found) == 0 {
		err = errors.New("npm installed no lefthook for this machine")
	}
	if err != nil {
		return peers{}, err
	}
	bin := filepath.Join(dir, "venv", "bin")
	return peers{found[0], filepath.Join(bin, "prek"), filepath.Join(bin, "pre-commit")}, nil
}

// hookRun is a contender that runs the stage pre-commit over three files with
// fresh contents.
type hookRun struct {
	contender
	config map[string]string // files it is configured by
}

// hooks measures a commit's hooks in a repository of n files.
func hooks(b *bounds, poly, dir string, env []string, p peers, files, n int) error {
	top := filepath.Join(dir, fmt.Sprintf("hooks%d", files))
	if err := hookRepository(b.ctx, top, env, files); err != nil {
		return err
	}
	round := 0
	runs := hookRuns(poly, p)
	cs := make([]*contender, len(runs))
	for i, r := range runs {
		r.before = func() error {
			round++
			return stageFresh(b.ctx, top, env, round, r.config)
		}
		cs[i] = &r.contender
	}
	if err := race(b.ctx, top, env, n, cs...); err != nil {
		return err
	}
	of := func(name string) float64 {
		for _, c := range cs {
			if c.name == name {
				return least(c.samples, wall)
			}
		}
		panic("no contender " + name)
	}
	for _, c := range cs {
		fmt.Fprintf(b.out, "  hooks, %d files: %-24s %7.1f ms, %6.1f ms of processor\n", files, c.name, least(c.samples, wall), least(c.samples, cpu))
	}
	for _, l := range []struct {
		name, against string
		limit         float64
	}{
		{"poly lint and fmt", "lefthook", 0.6},
		{"poly true, files", "lefthook", 0.8},
		{"poly true, whole tree", "lefthook", 1.5},
		{"poly ten jobs", "lefthook ten jobs", 1},
		{"poly lint and fmt", "prek", 1},
		{"poly true, files", "prek", 1},
		{"poly true, whole tree", "prek", 1},
		{"poly ten jobs", "prek ten jobs", 1},
		{"poly lint and fmt", "pre-commit", 1},
		{"poly true, files", "pre-commit", 1},
		{"poly true, whole tree", "pre-commit", 1},
		{"poly ten jobs", "pre-commit ten jobs", 1},
	} {
		b.check(fmt.Sprintf("hooks, %d files: %s against %s", files, l.name, l.against), of(l.name)/of(l.against), l.limit, "x")
	}
	return gitProcesses(b, top, env, runs[0], files)
}

// hookRuns lists who is measured, and the configuration of each.
func hookRuns(poly string, p peers) []*hookRun {
	jobs := func(n int, head, each string) string {
		var out strings.Builder
		out.WriteString(head)
		for i := range n {
			out.WriteString(strings.ReplaceAll(each, "N", fmt.Sprint(i)))
		}
		return out.String()
	}
	ours := func(name, text string) *hookRun {
		return &hookRun{contender{name: name, argv: []string{poly, "hooks", "run", "pre-commit"}}, map[string]string{"poly.toml": text}}
	}
	left := func(name string, n int) *hookRun {
		text := jobs(n, "pre-commit:\n  parallel: true\n  commands:\n", "    tN:\n      run: true {staged_files}\n")
		return &hookRun{contender{name: name, argv: []string{p.lefthook, "run", "pre-commit"}}, map[string]string{"lefthook.yml": text}}
	}
	pre := func(name, program string, n int) *hookRun {
		text := jobs(n, "repos:\n- repo: local\n  hooks:\n", "  - {id: tN, name: tN, entry: 'true', language: system}\n")
		return &hookRun{contender{name: name, argv: []string{program, "run"}}, map[string]string{".pre-commit-config.yaml": text}}
	}
	const job = "[hooks.pre-commit.commands.tN]\nrun = \"true {staged_files}\"\n"
	return []*hookRun{
		ours("poly lint and fmt", "[hooks.builtin]\nlint = true\nfmt = true\n"),
		ours("poly true, files", jobs(1, "", job)),
		ours("poly true, whole tree", "[hooks.pre-commit.commands.t]\nrun = \"true\"\nworkspace = true\n"),
		ours("poly ten jobs", jobs(10, "", job)),
		left("lefthook", 1), left("lefthook ten jobs", 10),
		pre("prek", p.prek, 1), pre("prek ten jobs", p.prek, 10),
		pre("pre-commit", p.preCommit, 1), pre("pre-commit ten jobs", p.preCommit, 10),
	}
}

func hookRepository(ctx context.Context, top string, env []string, files int) error {
	for i := range files {
		dir := filepath.Join(top, fmt.Sprintf("d%d", i%97), fmt.Sprintf("e%d", i%13))
		if err := errors.Join(os.MkdirAll(dir, 0o755), write(filepath.Join(dir, fmt.Sprintf("f%d.txt", i)), fmt.Appendf(nil, "file %d\n", i))); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"config", "user.name", "b"},
		{"config", "user.email", "b@example.invalid"},
		{"add", "-A"},
		{"commit", "-q", "-m", "c"},
		{"repack", "-adq"},
	} {
		if err := git(ctx, top, env, args...); err != nil {
			return err
		}
	}
	return nil
}

// stageFresh stages three files that nobody has seen before, and the
// configuration of whoever is next.
func stageFresh(ctx context.Context, top string, env []string, round int, config map[string]string) error {
	names := []string{"a.go", "b.yaml", "c.sh"}
	texts := []string{
		fmt.Sprintf("package a\n\nconst round = %d\n", round), fmt.Sprintf("round: %d\n", round), fmt.Sprintf("#!/bin/sh\necho %d\n", round),
	}
	for name, text := range config {
		names, texts = append(names, name), append(texts, text)
	}
	for i, name := range names {
		if err := write(filepath.Join(top, name), []byte(texts[i])); err != nil {
			return err
		}
	}
	return git(ctx, top, env, append([]string{"add"}, names...)...)
}

// gitProcesses counts the processes of git that a commit's hook starts.
func gitProcesses(b *bounds, top string, env []string, r *hookRun, files int) error {
	if err := r.before(); err != nil {
		return err
	}
	trace := filepath.Join(filepath.Dir(top), "trace")
	if _, err := once(b.ctx, top, append(env, "GIT_TRACE="+trace), r.argv...); err != nil {
		return err
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		return err
	}
	if err := os.Remove(trace); err != nil {
		return err
	}
	b.check(fmt.Sprintf("hooks, %d files: git processes of a commit", files), float64(bytes.Count(text, []byte("trace: built-in: git "))), 3, "")
	return nil
}
