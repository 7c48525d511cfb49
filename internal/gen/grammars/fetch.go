package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"poly/internal/atomicfile"
	"poly/internal/gen/sums"
)

const (
	sumFile   = "grammars.sum"
	builtFile = "built.h" // what fetched.h looks for; it is written last
)

var errNoCargo = errors.New("cargo is not installed, and is needed to fetch grammars of tree-sitter")

// fetcher works in the folder of the package fetched.
type fetcher struct {
	dir string
	log io.Writer
}

func (f *fetcher) path(names ...string) string {
	return filepath.Join(append([]string{f.dir}, names...)...)
}

func (f *fetcher) run(ctx context.Context, update bool) error {
	stamp, err := f.stamp()
	if err != nil {
		return err
	}
	if !update && f.fresh(stamp) {
		return nil
	}
	crates, err := f.crates(ctx)
	if err != nil {
		return err
	}
	files, err := joinAll(crates)
	if err != nil {
		return err
	}
	if err := addNotices(ctx, files); err != nil {
		return err
	}
	if err := sums.Check(f.path(sumFile), files, update); err != nil {
		return err
	}
	if update { // the sums are part of it
		if stamp, err = f.stamp(); err != nil {
			return err
		}
	}
	return f.write(files, stamp)
}

// stamp is a digest of all that decides what the files are.
func (f *fetcher) stamp() (string, error) {
	h := sha256.New()
	names, err := filepath.Glob(f.path("..", "..", "gen", "grammars", "*.go"))
	if err != nil {
		return "", err
	}
	for _, name := range append(names, f.path("Cargo.toml"), f.path("Cargo.lock"), f.path(sumFile)) {
		text, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(name), len(text), text)
	}
	return fmt.Sprintf("// %x\n", h.Sum(nil)), nil
}

// fresh reports whether the files were made for this stamp and are all there.
func (f *fetcher) fresh(stamp string) bool {
	text, err := os.ReadFile(f.path(builtFile))
	if err != nil || string(text) != stamp {
		return false
	}
	for _, s := range sources {
		if _, err := os.Stat(f.path(s.name + "_parser.c")); err != nil {
			return false
		}
	}
	return true
}

// crates has cargo fetch what the lock names, compiles nothing, and returns the
// folder of each crate.
func (f *fetcher) crates(ctx context.Context) (map[string]string, error) {
	cargo, err := exec.LookPath("cargo")
	if err != nil {
		return nil, errNoCargo
	}
	cmd := exec.CommandContext(ctx, cargo, "metadata", "--quiet", "--locked", "--format-version", "1", "--manifest-path", f.path("Cargo.toml"))
	cmd.Stderr = f.log
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("cargo metadata in %s: %w", f.dir, err)
	}
	var meta struct {
		Packages []struct {
			Name     string `json:"name"`
			Manifest string `json:"manifest_path"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(out, &meta); err != nil {
		return nil, fmt.Errorf("cargo metadata: %w", err)
	}
	dirs := map[string]string{}
	for _, p := range meta.Packages {
		dirs[p.Name] = filepath.Dir(p.Manifest)
	}
	return dirs, nil
}

// joinAll returns what is written, by name.
func joinAll(crates map[string]string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, s := range sources {
		crate := crates[s.crate]
		if crate == "" {
			return nil, fmt.Errorf("cargo knows no crate %s", s.crate)
		}
		for _, part := range []string{"parser", "scanner"} {
			name := filepath.Join(crate, filepath.FromSlash(s.dir), part+".c")
			text, err := join(name)
			if errors.Is(err, fs.ErrNotExist) && part == "scanner" {
				continue
			}
			if err != nil {
				return nil, err
			}
			files[s.name+"_"+part+".c"] = text
		}
		if !bytes.Contains(files[s.name+"_parser.c"], []byte("*tree_sitter_"+s.symbol+"(void)")) {
			return nil, fmt.Errorf("%s has no function tree_sitter_%s", s.crate, s.symbol)
		}
		text, err := os.ReadFile(filepath.Join(crate, "LICENSE"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files["notices/tree-sitter-"+s.name+".txt"] = text
	}
	return files, nil
}

// join returns a C source with the headers of its own folders in place.
func join(name string) ([]byte, error) {
	j := joiner{top: filepath.Dir(name), seen: map[string]bool{}}
	j.out.WriteString("//go:build cgo && !notreesitter\n\n")
	if err := j.add(name); err != nil {
		return nil, err
	}
	return j.out.Bytes(), nil
}

// include matches a line that includes a header of the crate: one of the system
// has no folder tree_sitter.
var include = regexp.MustCompile(`^#include (?:"([^"]+)"|<(tree_sitter/[^>]+)>)`)

type joiner struct {
	top  string
	seen map[string]bool
	out  bytes.Buffer
}

func (j *joiner) add(name string) error {
	if j.seen[name] {
		return nil
	}
	j.seen[name] = true
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(text) {
		m := include.FindSubmatch(line)
		if m == nil {
			j.out.Write(line)
			continue
		}
		header := string(m[1]) + string(m[2])
		beside := filepath.Join(filepath.Dir(name), filepath.FromSlash(header))
		if _, err := os.Stat(beside); err != nil {
			beside = filepath.Join(j.top, filepath.FromSlash(header))
		}
		if err := j.add(beside); err != nil {
			return err
		}
		j.out.WriteByte('\n')
	}
	return nil
}

// write lays the files down and removes what another list left.
func (f *fetcher) write(files map[string][]byte, stamp string) error {
	if err := os.Remove(f.path(builtFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, pattern := range []string{"*.c", "notices/*.txt"} {
		old, err := filepath.Glob(f.path(filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		for _, name := range old {
			if _, err := os.Stat(name); err == nil {
				if err := os.Remove(name); err != nil {
					return err
				}
			}
		}
	}
	for name, text := range files {
		if err := atomicfile.Write(f.path(filepath.FromSlash(name)), text, atomicfile.Options{}); err != nil {
			return err
		}
	}
	fmt.Fprintf(f.log, "%d grammars of tree-sitter, %d files\n", len(sources), len(files))
	return atomicfile.Write(f.path(builtFile), []byte(stamp), atomicfile.Options{})
}
