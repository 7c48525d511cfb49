package main

import (
	"context"
	"os"
	"path/filepath"
)

// phaseConfig has one whole-project job that passes and one that fails.
const phaseConfig = "[hooks.pre-commit.commands.good]\nrun = \"echo fine\"\nworkspace = true\n\n" +
	"[hooks.pre-commit.commands.bad]\nrun = \"exit 4\"\nworkspace = true\n"

// clients holds poly mcp against the clients that agents are made of, as npm
// has them, at the versions of the lock file.
func clients(ctx context.Context, c *counts) error {
	dir, err := os.MkdirTemp("", "clients")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.CopyFS(dir, os.DirFS("internal/gen/check/clients")); err != nil {
		return err
	}
	if err := command("npm", "ci", "--prefix", dir, "--no-audit", "--no-fund", "--loglevel=error")(ctx, c); err != nil {
		return err
	}
	repo := filepath.Join(dir, "repo")
	if err := command("git", "init", "-q", repo)(ctx, c); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(repo, "poly.toml"), []byte(phaseConfig), 0o644); err != nil {
		return err
	}
	poly, err := filepath.Abs("bin/poly")
	if err != nil {
		return err
	}
	return command("node", filepath.Join(dir, "contract.mjs"), poly, repo)(ctx, c)
}
