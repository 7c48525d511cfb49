package hcl

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"poly/internal/diag"
)

// declarations looks at the blocks of a file of a module.
func (l *linter) declarations(body *hclsyntax.Body) {
	for _, b := range body.Blocks {
		if len(b.Labels) != 1 {
			continue
		}
		switch b.Type {
		case "variable":
			if b.Body.Attributes["type"] == nil {
				l.put(codeTyped, b.DefRange(), fmt.Sprintf("Variable %q has no type", b.Labels[0]), "")
			}
			l.documented(codeDocumentedVariables, "Variable", b)
		case "output":
			l.documented(codeDocumentedOutputs, "Output", b)
		case "module":
			l.call(b)
		}
	}
	l.comments()
}

func (l *linter) documented(code, what string, b *hclsyntax.Block) {
	if a := b.Body.Attributes["description"]; a == nil {
		l.put(code, b.DefRange(), fmt.Sprintf("%s %q has no description", what, b.Labels[0]), "")
	} else if s, ok := text(a.Expr); ok && s == "" {
		l.put(code, a.SrcRange, fmt.Sprintf("%s %q has an empty description", what, b.Labels[0]), "")
	}
}

// comments reports comments that do not start with "#".
func (l *linter) comments() {
	if !strings.Contains(string(l.text), "//") && !strings.Contains(string(l.text), "/*") {
		return
	}
	tokens, _ := hclsyntax.LexConfig(l.text, "", hcl.InitialPos)
	for _, t := range tokens {
		if t.Type != hclsyntax.TokenComment {
			continue
		}
		at := t.Range
		switch s := string(t.Bytes); {
		case strings.HasPrefix(s, "//"):
			at.End.Byte = at.Start.Byte + len(strings.TrimRight(s, "\r\n"))
			l.put(codeComments, at, "Comment starts with // instead of #", "", diag.Edit{Start: at.Start.Byte, End: at.Start.Byte + 2, Replacement: "#"})
		case strings.HasPrefix(s, "/*") && strings.Contains(s, "\n"):
			l.put(codeComments, at, "Comment of several lines does not start with #", "")
		}
	}
}

// call looks at where a module is taken from.
func (l *linter) call(b *hclsyntax.Block) {
	a := b.Body.Attributes["source"]
	if a == nil {
		return
	}
	source, ok := text(a.Expr)
	if !ok {
		return
	}
	switch {
	case registry(source):
		if b.Body.Attributes["version"] == nil {
			l.put(codeModuleVersion, a.Expr.Range(), fmt.Sprintf("Module %q of a registry has no version", b.Labels[0]), "Each terraform init may bring another one.")
		}
	case repository(source):
		switch rev := revision(source); rev {
		case "":
			l.put(codePinned, a.Expr.Range(), fmt.Sprintf("Module source %q is not pinned", source), "Each terraform init brings what the branch is then.")
		case "master", "main", "default", "develop":
			l.put(codePinned, a.Expr.Range(), fmt.Sprintf("Module source %q is pinned to a branch", source), "Each terraform init brings what the branch is then.")
		}
	}
}

// registry tells that a source is the address of a module in a registry:
// [host/]namespace/name/system[//directory].
func registry(source string) bool {
	source, _, _ = strings.Cut(source, "//")
	parts := strings.Split(source, "/")
	if len(parts) == 4 {
		if !strings.Contains(parts[0], ".") || strings.ContainsAny(parts[0], "@") || strings.HasPrefix(parts[0], ".") {
			return false
		}
		switch parts[0] {
		case "github.com", "bitbucket.org", "gitlab.com":
			return false
		}
		parts = parts[1:]
	}
	if len(parts) != 3 {
		return false
	}
	for _, p := range parts {
		if p == "" || strings.Trim(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			return false
		}
	}
	return true
}

// repository tells that a source is one of git or Mercurial.
func repository(source string) bool {
	for _, prefix := range [...]string{"git::", "hg::", "github.com/", "bitbucket.org/", "git@", "git://"} {
		if strings.HasPrefix(source, prefix) {
			return true
		}
	}
	return false
}

// revision returns the ref or rev that a source asks for.
func revision(source string) string {
	_, query, _ := strings.Cut(source, "?")
	for part := range strings.SplitSeq(query, "&") {
		if k, v, _ := strings.Cut(part, "="); k == "ref" || k == "rev" {
			return v
		}
	}
	return ""
}
