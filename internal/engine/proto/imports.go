package proto

import (
	"fmt"
	"path"
	"strings"

	"github.com/bufbuild/protocompile/ast"
)

// imports reports files that are imported and not used, as far as it is known
// what they declare: files of the same directory and well-known ones.
func (l *linter) imports(peers []*peer) {
	var used []string
	for _, d := range l.file.Decls {
		imp, ok := d.(*ast.ImportNode)
		if !ok || imp.Public != nil {
			continue
		}
		declared, known := wellKnown(imp.Name.AsString()), true
		if declared == nil {
			declared, known = beside(l.path, imp.Name.AsString(), peers)
		}
		if !known {
			continue
		}
		if used == nil {
			used = references(l.file)
		}
		if !uses(used, declared) {
			l.within(imp, func() { l.node(codeImportUsed, imp, fmt.Sprintf("Import %q is not used", imp.Name.AsString()), "") })
		}
	}
}

// beside finds an imported file among those of the same directory.
func beside(from, imported string, peers []*peer) (declared []string, known bool) {
	file := path.Join(path.Dir(from), path.Base(imported))
	if file != imported && !strings.HasSuffix(file, "/"+imported) || !strings.Contains(imported, "/") && strings.Contains(from, "/") {
		return nil, false
	}
	for _, p := range peers {
		if p.path == file {
			return p.declared, !p.opaque
		}
	}
	return nil, false
}

// references are all names a file may know from others, without leading dots.
func references(file *ast.FileNode) []string {
	out := []string{""}
	known := map[string]bool{"": true}
	add := func(n ast.IdentValueNode) {
		if name := strings.TrimPrefix(string(n.AsIdentifier()), "."); !known[name] {
			known[name] = true
			out = append(out, name)
		}
	}
	_ = ast.Walk(file, &ast.SimpleVisitor{
		DoVisitFieldNode:   func(n *ast.FieldNode) error { add(n.FldType); return nil },
		DoVisitMapTypeNode: func(n *ast.MapTypeNode) error { add(n.ValueType); return nil },
		DoVisitExtendNode:  func(n *ast.ExtendNode) error { add(n.Extendee); return nil },
		DoVisitRPCTypeNode: func(n *ast.RPCTypeNode) error { add(n.MessageType); return nil },
		DoVisitFieldReferenceNode: func(n *ast.FieldReferenceNode) error {
			if n.IsExtension() || n.IsAnyTypeReference() {
				add(n.Name)
			}
			return nil
		},
	})
	return out
}

// uses tells that one of the references may mean one of the declared names: it
// is one, or the end of one. A name that ends in a dot stands for all of a package.
func uses(references, declared []string) bool {
	for _, r := range references {
		for _, d := range declared {
			switch {
			case r == "":
			case strings.HasSuffix(d, "."):
				pkg := strings.TrimSuffix(d, ".")
				last := pkg[strings.LastIndexByte(pkg, '.')+1:]
				if strings.Contains("."+r, "."+last+".") {
					return true
				}
			case r == d, strings.HasSuffix(d, "."+r), strings.HasPrefix(r, d+"."):
				return true
			}
		}
	}
	return false
}

// wellKnown returns what a file declares that everybody imports under one name;
// nil if it is not known.
func wellKnown(imported string) []string {
	const google = "google/protobuf/"
	of := func(names ...string) []string {
		for i, n := range names {
			names[i] = "google.protobuf." + n
		}
		return names
	}
	switch strings.TrimSuffix(imported, ".proto") {
	case google + "any":
		return of("Any")
	case google + "duration":
		return of("Duration")
	case google + "empty":
		return of("Empty")
	case google + "field_mask":
		return of("FieldMask")
	case google + "struct":
		return of("Struct", "Value", "ListValue", "NullValue")
	case google + "timestamp":
		return of("Timestamp")
	case google + "wrappers":
		return of("DoubleValue", "FloatValue", "Int64Value", "UInt64Value", "Int32Value", "UInt32Value", "BoolValue", "StringValue", "BytesValue")
	case "google/api/annotations":
		return []string{"google.api.http"}
	case "google/api/field_behavior":
		return []string{"google.api.field_behavior", "google.api.FieldBehavior"}
	case "validate/validate":
		return []string{"validate."}
	case "gogoproto/gogo", "github.com/gogo/protobuf/gogoproto/gogo":
		return []string{"gogoproto."}
	}
	return nil
}
