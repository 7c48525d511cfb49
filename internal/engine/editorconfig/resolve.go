package editorconfig

import (
	"encoding/json"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"poly/internal/editorconfig"
	"poly/internal/engine"
)

// nativeNames are the files of editorconfig-checker at the root of the tree.
var nativeNames = [...]string{".editorconfig-checker.json", ".ecrc"}

// resolver tells what is asked of paths. Any number of goroutines may use it.
type resolver struct {
	files  *editorconfig.Resolver
	native func() *native
}

func newResolver(tree fs.FS) *resolver {
	return &resolver{files: editorconfig.NewResolver(tree), native: sync.OnceValue(func() *native { return readNative(tree) })}
}

// properties returns what is asked of the file at p. A file that cannot be
// read is one of the inputs, so that the runner has told of it.
func (r *resolver) properties(p string) properties {
	if foreign(p) {
		return properties{}
	}
	said, _ := r.files.Properties(p)
	if said == (editorconfig.Properties{}) {
		return properties{}
	}
	return r.native().apply(p, properties{
		charset: said.Charset, end: said.EndOfLine, style: said.IndentStyle, size: said.IndentSize,
		trim: said.Trim == "true", final: said.Final == "true", length: max(0, said.MaxLineLength),
	})
}

// properties are what the files ask of one path. The zero value asks for
// nothing.
type properties struct {
	charset string // "utf-8" or "utf-8-bom"
	end     string // "lf", "crlf" or "cr"
	style   string // "space" or "tab"
	size    int    // blanks a level, 0: not said
	trim    bool
	final   bool
	length  int
}

// class is equal for equal properties: they are all of a path that matters.
func (p properties) class() string {
	if p == (properties{}) {
		return ""
	}
	b := make([]byte, 0, 48)
	for _, s := range [...]string{p.charset, p.end, p.style} {
		b = append(append(b, s...), ' ')
	}
	b = strconv.AppendInt(b, int64(p.size), 10)
	b = strconv.AppendInt(append(b, ' '), int64(p.length), 10)
	b = strconv.AppendBool(append(b, ' '), p.trim)
	b = strconv.AppendBool(append(b, ' '), p.final)
	return string(b)
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
	err     error // it cannot be read
}

// readNative reads the first file there is. A regular expression that does not
// compile counts as absent, as for editorconfig-checker.
func readNative(tree fs.FS) *native {
	n := &native{}
	if tree == nil {
		return n
	}
	for _, name := range nativeNames {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			continue
		}
		if err := json.Unmarshal(text, n); err != nil {
			return &native{err: engine.BrokenBy(engine.Input{Path: name, Text: text}, err)}
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
