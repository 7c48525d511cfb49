package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"poly/internal/gen/proof/lab"
	"poly/internal/lang"
)

// file is an entry of git ls-files that exists.
type file struct {
	path string
	mode fs.FileMode
	size int64
	text func() ([]byte, error)
}

// files lists what git knows or would add, submodules left out.
func (p *proof) files(ctx context.Context, c *checkout) ([]file, error) {
	out, err := p.Git(ctx, c.dir, nil, "ls-files", "-co", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	var files []file
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		full := filepath.Join(c.dir, name)
		fi, err := os.Lstat(full)
		if err != nil {
			return nil, fmt.Errorf("%s: listed by git: %w", c.name, err)
		}
		files = append(files, file{name, fi.Mode(), fi.Size(), func() ([]byte, error) { return os.ReadFile(full) }})
	}
	return files, nil
}

// locks repeats what the page `discovery` says; it is not taken from the code
// that is to be proved.
var locks = []string{
	"*.lock", "*.lockfile", "go.sum", "go.work.sum", "package-lock.json", "npm-shrinkwrap.json", "packages.lock.json", "pnpm-lock.yaml",
	"bun.lockb", "conda-lock.yml", "pylock.toml", "Package.resolved", "Cartfile.resolved", "gems.locked", ".terraform.lock.hcl",
	"jsonnetfile.lock.json", "cabal.project.freeze", "pinned-versions.lock.json",
}

const largest = 10 << 20

// inScope returns the paths that must have an outcome when the whole tree is
// judged without configuration.
func inScope(files []file, format bool) map[string]bool {
	in := map[string]bool{}
	for i := range files {
		if f := &files[i]; outOfScope(f, format) == "" {
			in[f.path] = true
		}
	}
	return in
}

// outOfScope tells why a file has no outcome, or "".
func outOfScope(f *file, format bool) string {
	base := path.Base(f.path)
	for dir := range strings.SplitSeq(path.Dir(f.path), "/") {
		if slices.Contains(lab.Pruned, dir) {
			return "below " + dir
		}
	}
	switch {
	case f.mode&fs.ModeSymlink != 0:
		return "symbolic link"
	case f.mode.IsDir():
		return "submodule"
	case !f.mode.IsRegular():
		return "special file"
	case format && slices.ContainsFunc(locks, func(glob string) bool { ok, _ := path.Match(glob, base); return ok }):
		return "lock file"
	case lang.Detect(f.path) != "":
		return ""
	}
	if f.mode&0o111 == 0 && strings.LastIndexByte(base, '.') > 0 || f.size > largest {
		return "no known language"
	}
	text, err := f.text()
	if err != nil || lang.Content(text) != "" || lang.Sniff(f.path, text) == "" {
		return "no known language"
	}
	return ""
}
