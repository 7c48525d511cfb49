package lang

import "strings"

// nameGlob is a file name with one star.
type nameGlob struct {
	prefix, suffix string
	id             ID
}

// Detect returns the language of a file from its slash-separated path alone:
// its whole name first, then names with a star, then the longest known
// extension. "" if none is known.
func Detect(path string) ID {
	slash := strings.LastIndexByte(path, '/')
	base := path[slash+1:]
	if id := byName(base); id != "" {
		return id
	}
	tail := path[strings.LastIndexByte(path[:max(slash, 0)], '/')+1:]
	if slash >= 0 {
		if id := byTail(tail); id != "" {
			return id
		}
	}
	if id := byGlob(base, tail); id != "" {
		return id
	}
	if id := longestExtension(base); id != "" {
		return id
	}
	if strings.Contains(base, ".patch.") || strings.Contains(base, ".diff.") {
		return "diff" // of a file, not one: Makefile.in.patch.hostbuild
	}
	for _, g := range namePrefixes {
		if len(base) > len(g.prefix) && strings.HasPrefix(base, g.prefix) {
			return g.id
		}
	}
	return ""
}

// byGlob looks at names such as tsconfig.*.json and .vscode/*.json. All of
// them end in .json, so that other names cost one comparison.
func byGlob(base, tail string) ID {
	if !strings.HasSuffix(base, ".json") {
		return ""
	}
	if dir, _, ok := strings.Cut(tail, "/"); ok && dir != ".vscode" && strings.HasPrefix(dir, ".vscode") {
		return JSONC // samples of what .vscode holds: .vscode.sample, .vscode-example
	}
	for _, g := range nameGlobs {
		name := base
		if strings.IndexByte(g.prefix, '/') >= 0 {
			name = tail
		}
		if len(name) > len(g.prefix)+len(g.suffix) && strings.HasPrefix(name, g.prefix) && strings.HasSuffix(name, g.suffix) {
			return g.id
		}
	}
	return ""
}

// longestExtension tries everything after a dot from the left, so that
// a.component.html is tried before .html. A name that is only an extension
// (".json") counts as one.
func longestExtension(base string) ID {
	var buf [maxName]byte
	for at := 0; ; {
		dot := strings.IndexByte(base[at:], '.')
		if dot < 0 {
			return ""
		}
		at += dot + 1
		if ext := lower(buf[:0], base[at:]); len(ext) > 0 {
			if id := byExtension(string(ext)); id != "" {
				return id
			}
		}
	}
}

// HasExtension reports whether the name of a file has a dot that is not its
// first byte. Names without one may still be scripts: see [Sniff].
func HasExtension(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	return strings.LastIndexByte(base, '.') > 0
}

// LockFile reports whether a file is written by a package manager. Formatting
// leaves such files alone unless they are named.
func LockFile(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	switch base {
	case "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb", "conda-lock.yml",
		"go.sum", "go.work.sum", "packages.lock.json", "Package.resolved", "Cartfile.resolved", "gems.locked",
		".terraform.lock.hcl", "cabal.project.freeze", "jsonnetfile.lock.json", "pylock.toml", "pinned-versions.lock.json":
		return true
	}
	return strings.HasSuffix(base, ".lock") || strings.HasSuffix(base, ".lockfile")
}
