package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"poly/internal/gen/proof/lab"
)

// repository is a public repository and what it is made of.
type repository struct{ name, made string }

// repositories differ in size and make. Whoever has them puts clones beside
// this checkout, or names their place with -repos.
var repositories = []repository{
	{"prometheus/prometheus", "Go, YAML, TypeScript"},
	{"ansible/ansible", "Python, YAML, Jinja templates"},
	{"babel/babel", "JavaScript, thousands of JSON files"},
	{"kubernetes/ingress-nginx", "Go, Helm charts, Lua"},
	{"SchemaStore/schemastore", "JSON, YAML, TOML"},
	{"rust-lang/cargo", "Rust, TOML, snapshots"},
	{"helm/charts", "Helm charts"},
	{"cli/cli", "Go"},
	{"rails/rails", "Ruby, YAML templates"},
	{"home-assistant/frontend", "TypeScript"},
	{"go-task/task", "Go, YAML"},
	{"prometheus-operator/kube-prometheus", "Jsonnet, YAML"},
	{"prometheus-community/helm-charts", "Helm charts, YAML"},
	{"actions/starter-workflows", "GitHub workflows"},
}

// checkout is a worktree of a repository.
type checkout struct {
	repository
	source  string // a clone or bare repository
	dir     string
	commit  string
	missing int // files that the source does not have
	docs    map[string]*report
}

// key is the name of a directory.
func (r repository) key() string { return lab.Key(r.name) }

// checkouts makes a worktree of each repository that is there.
func (p *proof) checkouts(ctx context.Context) error {
	var absent []string
	for _, r := range repositories {
		source, err := p.Find(r.name)
		if err != nil {
			absent = append(absent, r.name)
			fmt.Fprintf(p.Log, "   %s is not there: not run\n", r.name)
			continue
		}
		c := &checkout{repository: r, source: source, dir: filepath.Join(p.Dir, "repos", r.key()), docs: map[string]*report{}}
		if c.missing, err = p.materialise(ctx, source, c.dir); err != nil {
			return fmt.Errorf("check out %s: %w", r.name, err)
		}
		head, err := p.Git(ctx, source, nil, "rev-parse", "HEAD")
		if err != nil {
			return err
		}
		c.commit = strings.TrimSpace(string(head))
		p.checks = append(p.checks, c)
	}
	if len(absent) > 0 {
		p.Page.Line("Not there, so not run: %s.", strings.Join(absent, ", "))
	}
	return nil
}

// materialise makes a clone with a worktree of source at dir. Snapshots may
// lack the blobs of large files: those files are left out by a commit on top.
func (p *proof) materialise(ctx context.Context, source, dir string) (missing int, err error) {
	if _, err := os.Stat(dir); err == nil {
		return 0, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return 0, err
	}
	if _, err := p.Git(ctx, p.Dir, nil, "clone", "-q", "--no-checkout", source, dir); err != nil {
		return 0, err
	}
	if _, err := p.Git(ctx, dir, nil, "read-tree", "HEAD"); err != nil {
		return 0, err
	}
	lost, err := p.lost(ctx, dir)
	if err != nil {
		return 0, err
	}
	if len(lost) > 0 {
		gone := []byte(strings.Join(lost, "\x00") + "\x00")
		if _, err := p.Git(ctx, dir, gone, "update-index", "--force-remove", "-z", "--stdin"); err != nil {
			return 0, err
		}
		if _, err := p.Git(ctx, dir, nil, "commit", "-q", "-m", "without what the snapshot lacks"); err != nil {
			return 0, err
		}
	}
	_, err = p.Git(ctx, dir, nil, "checkout-index", "-a", "-q", "-u")
	return len(lost), err
}

// lost lists the files of the index whose blobs are not there.
func (p *proof) lost(ctx context.Context, dir string) ([]string, error) {
	list, err := p.Git(ctx, dir, nil, "ls-files", "-s", "-z")
	if err != nil {
		return nil, err
	}
	var ids bytes.Buffer
	var paths []string
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		meta, path, ok := strings.Cut(entry, "\t")
		f := strings.Fields(meta)
		if !ok || len(f) != 3 {
			return nil, fmt.Errorf("ls-files: %q", entry)
		}
		if f[0] != "160000" {
			ids.WriteString(f[1] + "\n")
			paths = append(paths, path)
		}
	}
	out, err := p.Git(ctx, dir, ids.Bytes(), "cat-file", "--batch-check=%(objecttype)")
	if err != nil {
		return nil, err
	}
	var lost []string
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if strings.HasSuffix(line, " missing") {
			lost = append(lost, paths[i])
		}
	}
	return lost, nil
}
