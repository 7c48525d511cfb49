package buildifier

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/bazelbuild/buildtools/build"
	"github.com/bazelbuild/buildtools/tables"

	"poly/internal/engine"
)

// What the library can stand: it recurses on brackets, and its time grows with
// the square of the operators in one expression.
const (
	maxDepth = 200
	maxChain = 1500
	small    = 16 << 10 // bytes of a text that is not looked at for it
)

// format returns what the buildifier command would write.
func (w *worker) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w, err := w.native(src.Inputs)
	if err != nil {
		return nil, err
	}
	if w.tables {
		return nil, engine.Skip(src.Inputs[0].Path + " names tables, which poly does not read")
	}
	body, ends := engine.Plain(src.Text)
	if err := judgeable(body); err != nil {
		return nil, err
	}
	f, kind, err := w.parse(src.Path, body)
	if fault, ok := errors.AsType[build.ParseError](err); ok {
		if err := doubted(kind, string(body)); err != nil {
			return nil, err
		}
		return nil, engine.Skip(fmt.Sprintf("Starlark syntax error at line %d", fault.Pos.Line))
	} else if err != nil {
		return nil, err
	}
	out, err := w.careful(f, kind, src.Path, body)
	if err != nil {
		return nil, err
	}
	out = ends.Restore(out, w.globals)
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// careful prints f, which is the body parsed. Where loads of one file are merged
// the library drops the comments before the second: then they are not merged.
func (w *worker) careful(f *build.File, kind, path string, body []byte) ([]byte, error) {
	merges := repeats(f)
	keepCharacters(f, body)
	out := w.print(f, kind)
	if !merges || bytes.Count(out, []byte("#")) >= bytes.Count(body, []byte("#")) {
		return out, nil
	}
	f, kind, err := w.parse(path, body)
	if err != nil {
		return nil, err
	}
	keepCharacters(f, body)
	apart := *w
	apart.disabled = append(slices.Clone(w.disabled), "sameOriginLoad")
	return apart.print(f, kind), nil
}

// repeats reports whether two loads name the same file.
func repeats(f *build.File) bool {
	seen := map[string]bool{}
	for _, s := range f.Stmt {
		if l, ok := s.(*build.LoadStmt); ok {
			if seen[l.Module.Value] {
				return true
			}
			seen[l.Module.Value] = true
		}
	}
	return false
}

func (w *worker) print(f *build.File, kind string) []byte {
	if len(w.disabled) == 0 && len(w.sortable) == 0 && kind != looseKind {
		return build.Format(f)
	}
	r := &build.Rewriter{
		IsLabelArg: tables.IsLabelArg, LabelDenyList: tables.LabelDenylist, IsSortableListArg: tables.IsSortableListArg,
		SortableDenylist: tables.SortableDenylist, SortableAllowlist: tables.SortableAllowlist, NamePriority: tables.NamePriority,
		RewriteSet: []string{},
	}
	for _, rw := range rewrites() {
		if f.Type&rw.kinds != 0 && !slices.Contains(w.disabled, rw.name) && (kind != looseKind || !rw.loads) {
			r.RewriteSet = append(r.RewriteSet, rw.name)
		}
	}
	if len(w.sortable) > 0 {
		r.SortableAllowlist = maps.Clone(tables.SortableAllowlist)
		for _, s := range w.sortable {
			r.SortableAllowlist[s] = true
		}
	}
	return build.FormatWithRewriter(r, f)
}

// rewrite is one of buildifier's, and the files it is applied to.
type rewrite struct {
	name  string
	kinds build.FileType
	loads bool // it moves or merges load statements
}

// rewrites lists those of the command, for a set of them that is not all: the
// library then asks nothing but their names.
func rewrites() []rewrite {
	const (
		code  = build.TypeDefault | build.TypeBzl
		data  = build.TypeBuild | build.TypeWorkspace | build.TypeModule | build.TypeRepo | build.TypeVendor
		every = code | data
	)
	return []rewrite{
		{"removeParens", data, false},
		{"callsort", data, false},
		{"label", data, false},
		{"listsort", every, false},
		{"multiplus", data, false},
		{"loadTop", every, true},
		{"sameOriginLoad", every, true},
		{"sortLoadStatements", every, true},
		{"loadsort", every, false},
		{"useRepoPositionalsSort", build.TypeModule, false},
		{"formatdocstrings", every, false},
		{"reorderarguments", every, false},
		{"editoctal", every, false},
		{"editfloat", every, false},
		{"collapseEmpty", every, false},
	}
}

// judgeable declines what the library or its printer cannot stand.
func judgeable(body []byte) error {
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\n"), []byte("<")) {
		return engine.Skip("it is XML, not Starlark")
	}
	depth, deepest := 0, 0
	for _, c := range body {
		switch c {
		case '(', '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ')', ']', '}':
			depth--
		}
	}
	if deepest > maxDepth {
		return engine.Skip(fmt.Sprintf("brackets nested deeper than %d levels", maxDepth))
	}
	if len(body) > small && longestChain(string(body)) > maxChain {
		return engine.Skip(fmt.Sprintf("an expression of more than %d operators", maxChain))
	}
	return nil
}

const (
	whileReason = "it has while loops, which buildifier cannot parse"
	ownReason   = "buildifier cannot parse it, though it seems to be Starlark"
)

// doubted declines a text that the library does not parse but that may be
// right: in a dialect with loops, or because our own parser reads it.
func doubted(kind, body string) error {
	tokens, _, err := scan(body)
	if err == nil && kind == looseKind && slices.ContainsFunc(tokens, func(t token) bool { return t.kind == nameToken && t.text == "while" }) {
		return engine.Skip(whileReason)
	}
	if _, _, err := parseAll(body); err == nil {
		return engine.Skip(ownReason)
	}
	return nil
}

// longestChain returns how many operators stand in one expression.
func longestChain(text string) int {
	tokens, _, err := scan(text)
	if err != nil {
		return 0
	}
	longest, n := 0, 0
	for i := range tokens {
		switch t := &tokens[i]; {
		case t.kind == newlineToken, t.kind == operatorToken && t.text == ",":
			n = 0
		case t.kind == operatorToken, t.kind == nameToken && reserved(t.text):
			n++
			longest = max(longest, n)
		}
	}
	return longest
}
