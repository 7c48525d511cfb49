package proto

import (
	"fmt"
	"strings"

	"github.com/bufbuild/protocompile/ast"
)

// call is an RPC and the types it takes and returns.
type call struct {
	service *ast.ServiceNode
	rpc     *ast.RPCNode
	in, out string
}

// calls lists the RPCs of a file. A name of one word is taken to be in the package.
func calls(file *ast.FileNode, pkg string) []call {
	full := func(t *ast.RPCTypeNode) string {
		if n := typeName(t); strings.Contains(n, ".") || pkg == "" {
			return n
		}
		return pkg + "." + typeName(t)
	}
	var out []call
	for _, d := range file.Decls {
		s, ok := d.(*ast.ServiceNode)
		if !ok {
			continue
		}
		for _, e := range s.Decls {
			if r, ok := e.(*ast.RPCNode); ok {
				out = append(out, call{s, r, full(r.Input), full(r.Output)})
			}
		}
	}
	return out
}

// unique reports RPCs whose types are those of others, in this file or in one
// of the same package beside it.
func (l *linter) unique(peers []*peer) {
	own := calls(l.file, l.pkg)
	users := map[string]int{}
	count := func(list []call) {
		for _, c := range list {
			users[c.in]++
			if c.out != c.in {
				users[c.out]++
			}
		}
	}
	count(own)
	for _, p := range peers {
		if p.pkg == l.pkg {
			count(p.calls)
		}
	}
	for _, c := range own {
		l.within(c.service, func() {
			l.within(c.rpc, func() { l.uniqueCall(c, users) })
		})
	}
}

func (l *linter) uniqueCall(c call, users map[string]int) {
	set := &l.settings
	if c.in == c.out {
		if !set.sameRequest && !(c.in == empty && set.emptyRequest && set.emptyResponse) {
			l.node(codeUnique, c.rpc.Name, fmt.Sprintf("RPC %q has one type for request and response", c.rpc.Name.Val), "")
		}
	}
	if users[c.in] > 1 && !(c.in == empty && set.emptyRequest) {
		l.shared(c, c.in)
	}
	if c.out != c.in && users[c.out] > 1 && !(c.out == empty && set.emptyResponse) {
		l.shared(c, c.out)
	}
}

func (l *linter) shared(c call, full string) {
	l.node(codeUnique, c.rpc.Name, fmt.Sprintf("Type %q of RPC %q is that of another RPC too", full, c.rpc.Name.Val),
		"An RPC whose types are its own can get fields without changing another.")
}
