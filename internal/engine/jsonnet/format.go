package jsonnet

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/google/go-jsonnet/ast"
	upstream "github.com/google/go-jsonnet/formatter"

	"poly/internal/config"
	"poly/internal/engine"
)

// maxDepth is how deep brackets may be nested: the library recurses.
const maxDepth = 500

// formatter is one bound configuration.
type formatter struct {
	options config.Values
	globals engine.Globals
}

// format returns what jsonnetfmt would write.
func (f *formatter) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	body, ends := engine.Plain(src.Text)
	if err := judgeable(body); err != nil {
		return nil, err
	}
	text, err := upstream.Format("", string(body), f.upstream())
	if err != nil {
		return nil, engine.Skip(fmt.Sprintf("Jsonnet syntax error at line %d", place(err).Begin.Line))
	}
	out := ends.Restore([]byte(text), f.globals)
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// upstream returns the options under the library's names.
func (f *formatter) upstream() upstream.Options {
	o := upstream.DefaultOptions()
	if n := f.globals.Blanks("jsonnet"); n > 0 {
		o.Indent = n
	}
	if n, ok := f.options["max_blank_lines"].(int); ok {
		o.MaxBlankLines = n
	}
	switch f.options["string_style"] {
	case "double":
		o.StringStyle = upstream.StringStyleDouble
	case "leave":
		o.StringStyle = upstream.StringStyleLeave
	}
	switch f.options["comment_style"] {
	case "hash":
		o.CommentStyle = upstream.CommentStyleHash
	case "leave":
		o.CommentStyle = upstream.CommentStyleLeave
	}
	for name, field := range map[string]*bool{
		"pad_arrays": &o.PadArrays, "pad_objects": &o.PadObjects, "pretty_field_names": &o.PrettyFieldNames,
		"sort_imports": &o.SortImports, "use_implicit_plus": &o.UseImplicitPlus,
	} {
		if v, ok := f.options[name].(bool); ok {
			*field = v
		}
	}
	return o
}

// place returns where the library found a mistake.
func place(err error) ast.LocationRange {
	if l, ok := err.(interface{ Loc() ast.LocationRange }); ok {
		return l.Loc()
	}
	return ast.LocationRange{}
}

// reason returns the words of an error of the library without its place.
func reason(err error) string {
	at := place(err)
	words := strings.TrimSpace(strings.TrimPrefix(err.Error(), at.String()))
	if head, rest, ok := strings.Cut(words, " "); ok && strings.Trim(head, "0123456789:-()") == "" {
		words = rest // some errors name their place twice
	}
	return words
}

// judgeable declines what the library cannot stand.
func judgeable(body []byte) error {
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
	return nil
}
