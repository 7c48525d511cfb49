package shfmt

import (
	"bytes"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// keepSubscripts makes the printer write the subscripts of arrays that are or
// may be associative as they are in text. The library reads every subscript as
// arithmetic and puts blanks around operators; in an associative array they
// would be part of the key. The function it returns undoes that.
func keepSubscripts(file *syntax.File, text []byte) (undo func()) {
	if !hasSubscript(text) {
		return func() {}
	}
	k := keeper{text: text}
	syntax.Walk(file, k.collect)
	was := make([]syntax.ArithmExpr, len(k.found))
	for i, at := range k.found {
		if was[i] = *at.index; k.mayBeKey(at) {
			*at.index = k.verbatim(*at.index)
		}
	}
	return func() {
		for i, at := range slices.Backward(k.found) {
			*at.index = was[i]
		}
	}
}

// mayBeKey reports whether the subscript may be a key and not arithmetic.
func (k *keeper) mayBeKey(at subscript) bool {
	switch k.kinds[at.name] {
	case associative:
		return true
	case indexed:
		return false
	}
	switch at.name {
	case "COMP_WORDS", "BASH_SOURCE", "BASH_LINENO", "BASH_REMATCH", "FUNCNAME", "PIPESTATUS", "DIRSTACK", "MAPFILE":
		return false
	}
	return symbolic(*at.index)
}

// hasSubscript reports whether text may have one: a bracket behind a name, or
// before an equals sign. It is the cheap test that most scripts fail.
func hasSubscript(text []byte) bool {
	if bytes.Contains(text, []byte("]=")) {
		return true
	}
	for rest := text; ; {
		i := bytes.IndexByte(rest, '[')
		if i < 0 {
			return false
		}
		if i > 0 {
			c := rest[i-1]
			if c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' {
				return true
			}
		}
		rest = rest[i+1:]
	}
}

type arrayKind uint8

const (
	indexed arrayKind = iota + 1
	associative
)

// subscript is an operation in the subscript of a name.
type subscript struct {
	name  string
	index *syntax.ArithmExpr
}

type keeper struct {
	text  []byte
	kinds map[string]arrayKind
	found []subscript
}

func (k *keeper) collect(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.DeclClause:
		k.declared(n)
	case *syntax.Assign:
		if n.Name == nil {
			return true
		}
		k.note(n.Name.Value, &n.Index)
		if n.Array == nil {
			return true
		}
		for _, e := range n.Array.Elems {
			k.note(n.Name.Value, &e.Index)
		}
		if k.kinds[n.Name.Value] == 0 {
			k.set(n.Name.Value, indexed)
		}
	case *syntax.ParamExp:
		if n.Param != nil {
			k.note(n.Param.Value, &n.Index)
		}
	}
	return true
}

func (k *keeper) set(name string, kind arrayKind) {
	if k.kinds == nil {
		k.kinds = map[string]arrayKind{}
	}
	k.kinds[name] = kind
}

// declared notes names that get the attribute of an associative array. A name
// that is one anywhere in the file counts as one everywhere.
func (k *keeper) declared(d *syntax.DeclClause) {
	kind := arrayKind(0)
	for _, a := range d.Args {
		if a.Name == nil && a.Value != nil {
			if lit := a.Value.Lit(); strings.HasPrefix(lit, "-") && strings.Contains(lit, "A") {
				kind = associative
			} else if strings.HasPrefix(lit, "-") && strings.Contains(lit, "a") && kind == 0 {
				kind = indexed
			}
			continue
		}
		if kind != 0 && a.Name != nil && k.kinds[a.Name.Value] != associative {
			k.set(a.Name.Value, kind)
		}
	}
}

// note remembers a subscript in which the printer may add blanks.
func (k *keeper) note(name string, index *syntax.ArithmExpr) {
	switch (*index).(type) {
	case nil, *syntax.Word, *syntax.FlagsArithm:
		return
	}
	k.found = append(k.found, subscript{name, index})
}

// verbatim is e as it stands in the text.
func (k *keeper) verbatim(e syntax.ArithmExpr) syntax.ArithmExpr {
	start, end := e.Pos(), e.End()
	raw := string(k.text[start.Offset():end.Offset()])
	return &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{ValuePos: start, ValueEnd: end, Value: raw}}}
}

// symbolic reports whether e joins plain words only, as the keys of associative
// arrays do: foo-bar, a/b. Numbers, expansions and other operators mean
// arithmetic.
func symbolic(e syntax.ArithmExpr) bool {
	switch e := e.(type) {
	case *syntax.BinaryArithm:
		switch e.Op {
		case syntax.Sub, syntax.Quo, syntax.Add, syntax.Comma:
			return symbolic(e.X) && symbolic(e.Y)
		}
		return false
	case *syntax.Word:
		lit := e.Lit()
		return lit != "" && (lit[0] < '0' || lit[0] > '9')
	}
	return false
}
