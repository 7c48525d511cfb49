package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"poly/internal/gen/proof/lab"
)

// migrated are public repositories with hooks of another tool. Those that are
// there are migrated.
var migrated = []struct{ tool, name string }{
	{"pre-commit", "astral-sh/ruff"},
	{"pre-commit", "bazelbuild/rules_python"},
	{"pre-commit", "caddyserver/caddy"},
	{"pre-commit", "celery/celery"},
	{"pre-commit", "cookiecutter/cookiecutter-django"},
	{"pre-commit", "jupyter/docker-stacks"},
	{"pre-commit", "saleor/saleor"},
	{"pre-commit", "scrapy/scrapy"},
	{"pre-commit", "sqlfluff/sqlfluff"},
	{"pre-commit", "tilt-dev/tilt-extensions"},
	{"lefthook", "evilmartians/lefthook"},
	{"lefthook", "10play/10tap-editor"},
	{"lefthook", "0xsequence/sequence.js"},
	{"lefthook", "0xMiden/web-sdk"},
	{"lefthook", "0xsend/sendapp"},
	{"husky", "babel/babel"},
	{"husky", "dotansimha/graphql-code-generator"},
	{"husky", "excalidraw/excalidraw"},
	{"husky", "home-assistant/frontend"},
	{"husky", "monicahq/monica"},
}

// least is the share of hooks that must be carried over, in percent.
const least = 80

// hookFiles are what poly migrate may read.
var hookFiles = []string{".pre-commit-config.yaml", "lefthook.yml", ".lefthook.yml", ".lefthook", ".husky", "package.json", ".lintstagedrc", ".lintstagedrc.json", "lint-staged.config.js", ".lintstagedrc.js"}

// migrations runs poly migrate over what public repositories have.
func (p *proof) migrations(ctx context.Context) error {
	p.Page.Line("The configuration of each at the newest commit that is there. A hook is carried over as a job, or mapped to a builtin; the\n"+
		"`poly.toml` that results has loaded. At least %d %% of the hooks of a repository must be carried over, but for scripts of husky.", least)
	t := lab.NewTable("tool", "repository", "hooks", "jobs", "builtins", "left out", "why")
	for _, m := range migrated {
		source, err := p.Find(m.name)
		if err != nil {
			t.Row(m.tool, m.name, "not there")
			continue
		}
		if err := p.migration(ctx, t, m.tool, m.name, source); err != nil {
			return err
		}
	}
	p.Page.Table(t)
	return nil
}

// plan is what poly migrate --format json prints.
type plan struct {
	Hooks []struct {
		ID, Outcome string
		Notes       []string
	}
}

func (p *proof) migration(ctx context.Context, t *lab.Table, tool, name, source string) error {
	dir := filepath.Join(p.Dir, "migrate", lab.Key(name))
	if err := p.hookConfiguration(ctx, source, dir); err != nil {
		return err
	}
	res, err := p.Start(ctx, dir, nil, p.Poly, "migrate", "--format", "json")
	if err != nil {
		return err
	}
	if res.Exit != 0 {
		p.Fault("%s: poly migrate exits %d: %s", name, res.Exit, res.Errs)
		return nil
	}
	var got plan
	if err := json.Unmarshal(res.Out, &got); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	count := map[string]int{}
	var why []string
	for _, h := range got.Hooks {
		count[h.Outcome]++
		if h.Outcome == "not" {
			why = append(why, h.ID+": "+strings.Join(h.Notes, "; "))
		}
	}
	t.Row(tool, name, len(got.Hooks), count["carried"], count["mapped"], count["not"], strings.Join(why, " / "))
	if kept := count["carried"] + count["mapped"]; kept*100 < least*len(got.Hooks) && tool != "husky" {
		p.Fault("%s: %d of %d hooks are carried over", name, kept, len(got.Hooks))
	}
	return nil
}

// hookConfiguration lays down the files of a repository that poly migrate may
// read, in a repository of their own.
func (p *proof) hookConfiguration(ctx context.Context, source, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if _, err := p.Git(ctx, dir, nil, "init", "-q"); err != nil {
		return err
	}
	names, err := p.Git(ctx, source, nil, append([]string{"ls-tree", "-r", "-z", "--name-only", "HEAD", "--"}, hookFiles...)...)
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		text, err := p.Git(ctx, source, nil, "show", "HEAD:"+name)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
