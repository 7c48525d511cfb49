// Package editorconfig tells what the .editorconfig files of a tree say about
// a path, as https://spec.editorconfig.org has it. It judges nothing.
package editorconfig

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// FileName is the base name of the files.
const FileName = ".editorconfig"

// Properties are what the files say about one path. The zero value says
// nothing; an unknown key or value counts as absent, as for every editor.
type Properties struct {
	Charset     string // "utf-8" or "utf-8-bom"; other charsets are not told
	EndOfLine   string // "lf", "crlf" or "cr"
	IndentStyle string // "space" or "tab"
	// IndentSize is the columns of one level, TabWidth those of a tab. Where
	// only one of them is said and the other follows from it, it is set too.
	IndentSize, TabWidth int
	Trim                 string // trim_trailing_whitespace: "true" or "false"
	Final                string // insert_final_newline: "true" or "false"
	MaxLineLength        int    // characters; [NoLimit]: "off"
}

// NoLimit is a max_line_length of "off".
const NoLimit = -1

// asTab is an indent_size of "tab" until the width of a tab is known.
const asTab = -1

// set obeys one pair.
func (p *Properties) set(key, value string) {
	switch key {
	case "charset":
		p.Charset = oneOf(value, "utf-8", "utf-8-bom")
	case "end_of_line":
		p.EndOfLine = oneOf(value, "lf", "crlf", "cr")
	case "indent_style":
		p.IndentStyle = oneOf(value, "space", "tab")
	case "indent_size":
		if p.IndentSize = number(value); value == "tab" {
			p.IndentSize = asTab
		}
	case "tab_width":
		p.TabWidth = number(value)
	case "trim_trailing_whitespace":
		p.Trim = oneOf(value, "true", "false")
	case "insert_final_newline":
		p.Final = oneOf(value, "true", "false")
	case "max_line_length":
		if p.MaxLineLength = number(value); value == "off" {
			p.MaxLineLength = NoLimit
		}
	}
}

// settle derives each of indent_size and tab_width from the other.
func (p *Properties) settle() {
	if p.IndentSize == asTab || p.IndentSize == 0 && p.IndentStyle == "tab" {
		p.IndentSize = p.TabWidth
	}
	if p.TabWidth == 0 {
		p.TabWidth = p.IndentSize
	}
}

func oneOf(value string, allowed ...string) string {
	if slices.Contains(allowed, value) {
		return value
	}
	return ""
}

func number(value string) int {
	if n, err := strconv.Atoi(value); err == nil && n > 0 {
		return n
	}
	return 0
}

// Resolver tells the properties of paths. It reads each file of the tree once,
// when the first path below asks; any number of goroutines may use it.
type Resolver struct {
	tree fs.FS

	mu   sync.Mutex // guards dirs
	dirs map[string]*chain
}

// chain is the files in a directory and above it up to a root, nearest first.
type chain struct {
	files []*file
	err   error // of a file that is there and cannot be read
}

// NewResolver returns a Resolver of a tree; nil is an empty one.
func NewResolver(tree fs.FS) *Resolver { return &Resolver{tree: tree, dirs: map[string]*chain{}} }

// Properties returns what the files say about the file at p. The error is that
// of reading one of them.
func (r *Resolver) Properties(p string) (Properties, error) {
	var out Properties
	c := r.chain(path.Dir(p))
	for _, f := range slices.Backward(c.files) {
		for k := range f.sections {
			s := &f.sections[k]
			if len(s.pairs) > 0 && s.match.matches(p) {
				for _, pair := range s.pairs {
					out.set(pair[0], pair[1])
				}
			}
		}
	}
	out.settle()
	return out, c.err
}

// Nearest returns the directory of the nearest file that counts in dir, "" if
// there is none, and the text of all that count: nearest first, each behind its path.
func (r *Resolver) Nearest(dir string) (nearest, texts string) {
	var b strings.Builder
	for i, f := range r.chain(dir).files {
		if i == 0 {
			nearest = f.dir
		}
		b.WriteString(f.dir + "\x00" + f.text + "\x00")
	}
	return nearest, b.String()
}

func (r *Resolver) chain(dir string) *chain {
	if r.tree == nil {
		return &chain{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.locked(dir)
}

func (r *Resolver) locked(dir string) *chain {
	if c := r.dirs[dir]; c != nil {
		return c
	}
	var own *file
	text, err := fs.ReadFile(r.tree, path.Join(dir, FileName))
	switch info, fault := fs.Stat(r.tree, path.Join(dir, FileName)); {
	case err == nil:
		own = parse(string(text), dir)
	case errors.Is(err, fs.ErrNotExist), fault == nil && !info.Mode().IsRegular():
		err = nil
	}
	c := &chain{}
	if (own == nil || !own.root) && dir != "." && dir != "/" && dir != "" {
		c = r.locked(path.Dir(dir))
	}
	if own != nil || err != nil {
		c = &chain{files: c.files, err: errors.Join(err, c.err)}
	}
	if own != nil {
		c.files = append([]*file{own}, c.files...)
	}
	r.dirs[dir] = c
	return c
}
