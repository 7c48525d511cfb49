package proto

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/bufbuild/protocompile/ast"

	"poly/internal/engine"
)

// peer is what is known of a file beside the one that is linted.
type peer struct {
	text     []byte
	path     string
	pkg      string
	packaged bool              // it says a package
	options  map[string]string // string options of the file
	declared []string          // full names of what it declares
	calls    []call
	opaque   bool // it does not parse, or passes on other files
}

// peers returns the other files of a directory.
func (w *worker) peers(src engine.Source) []*peer {
	if dir := path.Dir(src.Path); dir != w.dir {
		w.dir = dir
		clear(w.parsed)
	}
	out := make([]*peer, 0, len(src.Siblings))
	for _, s := range src.Siblings {
		p := w.parsed[s.Path]
		if p == nil || !bytes.Equal(p.text, s.Text) {
			p = readPeer(s)
			w.parsed[s.Path] = p
		}
		out = append(out, p)
	}
	return out
}

func readPeer(s engine.Input) *peer {
	p := &peer{text: s.Text, path: s.Path, options: map[string]string{}}
	text := bytes.TrimPrefix(s.Text, []byte(bom))
	if unjudged(text) != "" {
		p.opaque = true
		return p
	}
	file, faults := parse(s.Path, text)
	if p.opaque = len(faults) > 0; p.opaque {
		return p
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.PackageNode:
			p.pkg, p.packaged = string(d.Name.AsIdentifier()), true
		case *ast.ImportNode:
			p.opaque = p.opaque || d.Public != nil
		}
	}
	p.options, p.calls = fileOptions(file), calls(file, p.pkg)
	for _, d := range file.Decls {
		p.declare(p.pkg, d)
	}
	return p
}

// fileOptions are the values of the plain options of a file, as text.
func fileOptions(file *ast.FileNode) map[string]string {
	out := map[string]string{}
	for _, d := range file.Decls {
		if o, ok := d.(*ast.OptionNode); ok && optionName(o) != "" {
			out[optionName(o)] = fmt.Sprint(o.Val.Value())
		}
	}
	return out
}

func (p *peer) declare(in string, n ast.Node) {
	full := func(id *ast.IdentNode) string {
		name := strings.TrimPrefix(in+"."+id.Val, ".")
		p.declared = append(p.declared, name)
		return name
	}
	switch d := n.(type) {
	case *ast.MessageNode:
		in = full(d.Name)
		for _, e := range d.Decls {
			p.declareInMessage(in, e)
		}
	case *ast.GroupNode:
		in = full(d.Name)
		for _, e := range d.Decls {
			p.declareInMessage(in, e)
		}
	case *ast.EnumNode:
		full(d.Name)
	case *ast.ServiceNode:
		full(d.Name)
	case *ast.ExtendNode:
		for _, e := range d.Decls {
			switch f := e.(type) {
			case *ast.FieldNode:
				full(f.Name)
			case *ast.GroupNode:
				p.declare(in, f)
				p.declared = append(p.declared, strings.TrimPrefix(in+"."+strings.ToLower(f.Name.Val), "."))
			}
		}
	}
}

// declareInMessage leaves out what no other file can name: fields.
func (p *peer) declareInMessage(in string, n ast.Node) {
	switch n := n.(type) {
	case *ast.MessageNode, *ast.GroupNode, *ast.EnumNode, *ast.ExtendNode:
		p.declare(in, n)
	case *ast.OneofNode:
		for _, e := range n.Decls {
			if g, ok := e.(*ast.GroupNode); ok {
				p.declare(in, g)
			}
		}
	}
}

// siblings applies the rules that other files decide.
func (l *linter) siblings(peers []*peer) {
	l.imports(peers)
	l.unique(peers)
	var pkg ast.Node = l.file
	for _, d := range l.file.Decls {
		if p, ok := d.(*ast.PackageNode); ok {
			pkg = p
		}
	}
	for _, p := range peers {
		if !p.opaque && p.pkg != l.pkg && p.packaged && l.pkg != "" {
			l.within(pkg, func() {
				l.node(codeDirectoryPackage, pkg, fmt.Sprintf("Package %q and package %q, of %s, share a directory", l.pkg, p.pkg, path.Base(p.path)), "")
			})
			break
		}
	}
	if l.pkg != "" {
		l.within(pkg, func() { l.sameOptions(peers) })
	}
}

// sameOptions compares what the files of a package say about the code made of them.
func (l *linter) sameOptions(peers []*peer) {
	own := fileOptions(l.file)
	for _, r := range sameRules {
		for _, p := range peers {
			if p.opaque || p.pkg != l.pkg || p.options[r.option] == own[r.option] {
				continue
			}
			at := l.option(r.option)
			say := func(v string) string {
				if v == "" {
					return "none"
				}
				return fmt.Sprintf("%q", v)
			}
			title := fmt.Sprintf("Option %s is %s here and %s in %s, a file of the same package", r.option, say(own[r.option]), say(p.options[r.option]), path.Base(p.path))
			if at == nil {
				l.put(r.code, 0, 0, title, "")
			} else {
				l.node(r.code, at, title, "")
			}
			break
		}
	}
}

// option finds an option of the file; nil if it is not set.
func (l *linter) option(name string) ast.Node {
	for _, d := range l.file.Decls {
		if o, ok := d.(*ast.OptionNode); ok && optionName(o) == name {
			return o
		}
	}
	return nil
}
