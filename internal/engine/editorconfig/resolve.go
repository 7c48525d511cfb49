package editorconfig

import (
	"encoding/json"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// nativeNames are the files of editorconfig-checker at the root of the tree.
var nativeNames = [...]string{".editorconfig-checker.json", ".ecrc"}

// resolver tells the properties of paths. It reads each file of the tree once,
// when the first path below asks; any number of goroutines may use it.
type resolver struct {
	tree   fs.FS
	native func() *native

	mu   sync.Mutex // guards dirs
	dirs map[string][]*file
}

func newResolver(tree fs.FS) *resolver {
	return &resolver{tree: tree, dirs: map[string][]*file{}, native: sync.OnceValue(func() *native { return readNative(tree) })}
}

// properties returns what is asked of the file at p.
func (r *resolver) properties(p string) properties {
	if r.tree == nil {
		return properties{}
	}
	files := r.above(path.Dir(p))
	if len(files) == 0 || foreign(p) {
		return properties{}
	}
	var out properties
	for _, f := range slices.Backward(files) {
		for k := range f.sections {
			s := &f.sections[k]
			if len(s.pairs) > 0 && s.match.matches(p) {
				for _, pair := range s.pairs {
					out.set(pair[0], pair[1])
				}
			}
		}
	}
	return r.native().apply(p, out)
}

// above returns the files in dir and above it up to a root, nearest first.
func (r *resolver) above(dir string) []*file {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.aboveLocked(dir)
}

func (r *resolver) aboveLocked(dir string) []*file {
	if list, ok := r.dirs[dir]; ok {
		return list
	}
	var list []*file
	text, err := fs.ReadFile(r.tree, path.Join(dir, fileName))
	if err == nil {
		list = []*file{parse(string(text), dir)}
	}
	if (len(list) == 0 || !list[0].root) && dir != "." && dir != "/" && dir != "" {
		list = append(list, r.aboveLocked(path.Dir(dir))...)
	}
	r.dirs[dir] = list
	return list
}

// foreign reports whether a file is written by a program, by its name: its
// layout is not the author's.
func foreign(p string) bool {
	base := p[strings.LastIndexByte(p, '/')+1:]
	switch base {
	case "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.mod", "go.sum", "go.work", "go.work.sum", "gradlew", "gradlew.bat",
		"mvnw", "mvnw.cmd", "gradle-wrapper.properties", "maven-wrapper.properties", "gradle.lockfile", ".terraform.lock.hcl", ".pnp.cjs", ".pnp.js":
		return true
	}
	switch ext := path.Ext(base); ext {
	case ".lock", ".svg", ".snap", ".map", ".patch", ".diff", ".log", ".bak", ".pbm", ".pgm", ".pnm", ".ppm":
		return ext != base
	}
	return strings.HasSuffix(base, ".min.js") || strings.HasSuffix(base, ".min.css") || strings.HasSuffix(base, "~") ||
		strings.Contains(p, "node_modules/") || strings.HasPrefix(p, ".yarn/") || strings.Contains(p, "/.yarn/")
}

// native is what a file of editorconfig-checker switches off.
type native struct {
	Exclude []string
	Disable struct {
		EndOfLine, Indentation, IndentSize, InsertFinalNewline, TrimTrailingWhitespace, MaxLineLength, Charset bool
	}
	exclude []*regexp.Regexp
}

// readNative reads the first file there is. What cannot be read counts as
// absent: editorconfig-checker will complain.
func readNative(tree fs.FS) *native {
	n := &native{}
	for _, name := range nativeNames {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			continue
		}
		if json.Unmarshal(text, n) != nil {
			return &native{}
		}
		for _, s := range n.Exclude {
			if re, err := regexp.Compile(s); err == nil {
				n.exclude = append(n.exclude, re)
			}
		}
		break
	}
	return n
}

func (n *native) apply(p string, out properties) properties {
	for _, re := range n.exclude {
		if re.MatchString(p) {
			return properties{}
		}
	}
	d := &n.Disable
	if d.EndOfLine {
		out.end = ""
	}
	if d.Indentation {
		out.style, out.size = "", 0
	}
	if d.IndentSize {
		out.size = 0
	}
	if d.MaxLineLength {
		out.length = 0
	}
	if d.Charset {
		out.charset = ""
	}
	out.trim = out.trim && !d.TrimTrailingWhitespace
	out.final = out.final && !d.InsertFinalNewline
	return out
}
