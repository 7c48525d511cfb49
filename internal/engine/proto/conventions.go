package proto

import (
	"fmt"
	"path"
	"strings"

	"github.com/bufbuild/protocompile/ast"
)

// conventions looks at every declaration for what buf's rules say.
func (l *linter) conventions() {
	var pkg *ast.PackageNode
	for _, d := range l.file.Decls {
		if p, ok := d.(*ast.PackageNode); ok {
			pkg = p
		}
	}
	l.fileRules(pkg)
	for _, d := range l.file.Decls {
		l.decl(d)
	}
}

func (l *linter) decl(n ast.Node) {
	l.within(n, func() {
		switch d := n.(type) {
		case *ast.ImportNode:
			if d.Public != nil {
				l.node(codeImportPublic, d, fmt.Sprintf("Import %q is public", d.Name.AsString()), "Whoever imports this file gets the other one too, without saying so.")
			}
		case *ast.MessageNode:
			l.pascal(codeMessageName, "Message", d.Name)
			l.body(d.Decls)
		case *ast.GroupNode:
			l.required(d, d.Label)
			l.body(d.Decls)
		case *ast.FieldNode:
			l.required(d, d.Label)
			l.lowerSnake(codeFieldName, "Field", d.Name)
		case *ast.MapFieldNode:
			l.lowerSnake(codeFieldName, "Field", d.Name)
		case *ast.OneofNode:
			l.lowerSnake(codeOneofName, "Oneof", d.Name)
			for _, e := range d.Decls {
				l.decl(e)
			}
		case *ast.ExtendNode:
			for _, e := range d.Decls {
				l.decl(e)
			}
		case *ast.EnumNode:
			l.enum(d)
		case *ast.ServiceNode:
			l.service(d)
		}
	})
}

func (l *linter) body(decls []ast.MessageElement) {
	for _, e := range decls {
		l.decl(e)
	}
}

func (l *linter) required(n ast.Node, label ast.FieldLabel) {
	if label.KeywordNode != nil && label.Required {
		l.node(codeRequired, n, "Field is required", "A required field can never be removed: old readers refuse messages without it.")
	}
}

func (l *linter) pascal(code, what string, n *ast.IdentNode) {
	if want := pascalCase(n.Val); n.Val != want {
		l.node(code, n, fmt.Sprintf("%s name %q is not PascalCase, such as %q", what, n.Val, want), "")
	}
}

func (l *linter) lowerSnake(code, what string, n *ast.IdentNode) {
	if want := strings.ToLower(snakeCase(n.Val)); n.Val != want {
		l.node(code, n, fmt.Sprintf("%s name %q is not lower_snake_case, such as %q", what, n.Val, want), "")
	}
}

// fileRules are those about the file as a whole.
func (l *linter) fileRules(pkg *ast.PackageNode) {
	if l.file.Syntax == nil && l.file.Edition == nil {
		l.put(codeSyntaxSpecified, 0, 0, "No syntax is specified", `Without it a file is "proto2".`)
	}
	base := strings.TrimSuffix(path.Base(l.path), ".proto")
	if want := strings.ToLower(snakeCase(base)); base != want {
		l.put(codeFileName, 0, 0, fmt.Sprintf("File name %q is not lower_snake_case.proto, such as %q", base+".proto", want+".proto"), "")
	}
	if pkg == nil {
		l.put(codePackage, 0, 0, "No package is declared", "Names without a package collide with those of others.")
		return
	}
	l.pkg = string(pkg.Name.AsIdentifier())
	l.within(pkg, func() { l.packageRules(pkg) })
}

func (l *linter) packageRules(pkg *ast.PackageNode) {
	parts := strings.Split(l.pkg, ".")
	for i, p := range parts {
		parts[i] = strings.ToLower(snakeCase(p))
	}
	if want := strings.Join(parts, "."); want != l.pkg {
		l.node(codePackageName, pkg, fmt.Sprintf("Package name %q is not lower_snake.case, such as %q", l.pkg, want), "")
	}
	if last := parts[len(parts)-1]; len(parts) < 2 || !isVersion(last) {
		l.node(codeVersionSuffix, pkg, fmt.Sprintf("Package %q does not end in a version, such as %q", l.pkg, l.pkg+".v1"), "")
	}
	want := strings.ReplaceAll(l.pkg, ".", "/")
	dir := path.Dir(l.path)
	if l.settings.known {
		if at, ok := strings.CutPrefix(dir+"/", strings.TrimPrefix(l.settings.root+"/", "./")); !ok || strings.TrimSuffix(at, "/") != want {
			l.node(codePackageDirectory, pkg, fmt.Sprintf("Package %q belongs into the directory %q of its module", l.pkg, want), "")
		}
	} else if dir != want && !strings.HasSuffix(dir, "/"+want) {
		l.node(codePackageDirectory, pkg, fmt.Sprintf("Package %q belongs into a directory %q", l.pkg, want), "")
	}
}

// isVersion tells that the last part of a package is a version: v1, v1beta2,
// v2p1alpha1, v1test or the like.
func isVersion(s string) bool {
	s, ok := strings.CutPrefix(s, "v")
	if !ok {
		return false
	}
	s, ok = number(s)
	if !ok {
		return false
	}
	if s == "" || strings.HasPrefix(s, "test") {
		return true
	}
	if rest, patched := strings.CutPrefix(s, "p"); patched {
		if s, ok = number(rest); !ok {
			return false
		}
	}
	for _, stage := range [...]string{"alpha", "beta"} {
		if rest, found := strings.CutPrefix(s, stage); found {
			if rest == "" {
				return true
			}
			rest, ok = number(rest)
			return ok && rest == ""
		}
	}
	return false
}

// number cuts a number greater than 0 off the start.
func number(s string) (rest string, ok bool) {
	rest = strings.TrimLeft(s, "0123456789")
	return rest, len(rest) < len(s) && s[0] != '0'
}

func (l *linter) enum(d *ast.EnumNode) {
	l.pascal(codeEnumName, "Enum", d.Name)
	prefix := strings.ToUpper(snakeCase(d.Name.Val)) + "_"
	first := true
	for _, e := range d.Decls {
		switch v := e.(type) {
		case *ast.OptionNode:
			if optionName(v) == "allow_alias" && v.Val.Value() == ast.Identifier("true") {
				l.node(codeAlias, v, fmt.Sprintf("Enum %q allows aliases", d.Name.Val), "Readers of JSON and text cannot tell which of the names was meant.")
			}
		case *ast.EnumValueNode:
			l.within(v, func() { l.enumValue(v, prefix, first) })
			first = false
		}
	}
}

func (l *linter) enumValue(v *ast.EnumValueNode, prefix string, first bool) {
	n := v.Name.Val
	if want := strings.ToUpper(snakeCase(n)); n != want {
		l.node(codeValueName, v.Name, fmt.Sprintf("Enum value %q is not UPPER_SNAKE_CASE, such as %q", n, want), "")
	}
	if !strings.HasPrefix(n, prefix) {
		l.node(codeValuePrefix, v.Name, fmt.Sprintf("Enum value %q does not start with %q", n, prefix), "Values of all enums of a scope share one name space.")
	}
	number, ok := v.Number.AsInt64()
	if zero := ok && number == 0; zero && !strings.HasSuffix(n, l.settings.zeroSuffix) {
		l.node(codeZeroSuffix, v.Name, fmt.Sprintf("Zero value %q does not end in %q", n, l.settings.zeroSuffix), "A field that was never set has this value.")
	} else if !zero && first {
		l.node(codeFirstZero, v.Number, fmt.Sprintf("First value %q is not zero", n), "")
	}
}

func (l *linter) service(d *ast.ServiceNode) {
	l.pascal(codeServiceName, "Service", d.Name)
	if !strings.HasSuffix(d.Name.Val, l.settings.serviceSuffix) {
		l.node(codeServiceSuffix, d.Name, fmt.Sprintf("Service name %q does not end in %q", d.Name.Val, l.settings.serviceSuffix), "")
	}
	for _, e := range d.Decls {
		if r, ok := e.(*ast.RPCNode); ok {
			l.within(r, func() { l.rpc(d.Name.Val, r) })
		}
	}
}

const empty = "google.protobuf.Empty"

func (l *linter) rpc(service string, r *ast.RPCNode) {
	l.pascal(codeRPCName, "RPC", r.Name)
	in, out := typeName(r.Input), typeName(r.Output)
	if !(in == empty && l.settings.emptyRequest) {
		l.standard(codeRequestName, r.Input, in, service, r.Name.Val, "Request")
	}
	if !(out == empty && l.settings.emptyResponse) {
		l.standard(codeResponseName, r.Output, out, service, r.Name.Val, "Response")
	}
}

func typeName(t *ast.RPCTypeNode) string {
	return strings.TrimPrefix(string(t.MessageType.AsIdentifier()), ".")
}

// standard checks the name of the type of a request or a response.
func (l *linter) standard(code string, n *ast.RPCTypeNode, full, service, method, end string) {
	got := full[strings.LastIndexByte(full, '.')+1:]
	if want := pascalCase(method) + end; got != want && got != pascalCase(service)+want {
		l.node(code, n.MessageType, fmt.Sprintf("Type %q should be named %q or %q", full, want, pascalCase(service)+want), "")
	}
}
