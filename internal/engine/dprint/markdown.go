package dprint

import (
	"bytes"
	"context"
	"errors"
	"strconv"

	"poly/internal/engine"
	"poly/internal/guard"
	"poly/internal/guard/css"
	"poly/internal/guard/js"
	"poly/internal/guard/json"
	"poly/internal/guard/markdown"
	"poly/internal/guard/python"
	"poly/internal/guard/toml"
	"poly/internal/lang"
	"poly/internal/mdtree"
	"poly/internal/wasm"
)

// keepCode are settings under which the plugin leaves alone what is shown as it
// stands, and HTML.
func keepCode() object {
	return object{"codeBlock.preserveIndentation": true, "codeBlock.preserveBlankLines": true, "html.skipFormat": true}
}

// frontMatter returns the length of the front matter a text starts with.
func frontMatter(text []byte) int {
	at := 0
	var fence []byte
	for line := range bytes.Lines(text) {
		at += len(line)
		line = bytes.TrimRight(line, " \t\n")
		switch {
		case fence == nil && (string(line) == "---" || string(line) == "+++"):
			fence = line
		case fence == nil:
			return 0
		case bytes.Equal(line, fence):
			return at
		}
	}
	return 0
}

// Marks around the number of a comment that stands for a block the plugin does
// not get.
const (
	holdBlock = "<!-- poly-hold-"
	holdEnd   = " -->"
)

// repairMarkdown keeps from the plugin the blocks that flagged lines are in, as
// a whole with what they hold: they stay as they are.
func repairMarkdown(text []byte, flagged map[int]bool) (prepared []byte, undo func([]byte) []byte) {
	if bytes.Contains(text, []byte(holdBlock)) {
		return text, func(out []byte) []byte { return out }
	}
	front := frontMatter(text)
	doc := mdtree.Parse(text, front)
	above := 1 + bytes.Count(text[:front], []byte("\n"))
	var held [][]byte
	next := 0
	for _, block := range doc.Root.Children {
		first, last := doc.LineAt(block.Start), doc.LineAt(max(block.End-1, block.Start))
		keep := false
		for n := first; n <= last && !keep; n++ {
			keep = flagged[above+n]
		}
		from, to := doc.Lines[first].Start, doc.Lines[last].End
		if !keep || from < next {
			continue
		}
		prepared = append(prepared, text[next:from]...)
		prepared = append(strconv.AppendInt(append(prepared, holdBlock...), int64(len(held)), 10), holdEnd...)
		held = append(held, text[from:to])
		next = to
	}
	prepared = append(prepared, text[next:]...)
	return prepared, func(out []byte) []byte { return release(out, held, holdBlock, holdEnd) }
}

// codes are what became of code inside of one text. One goroutine uses them.
type codes struct{ made map[string][]byte }

type codesKey struct{}

// nested returns a context in which code inside of a text is formatted, and
// what will have become of it.
func nested(ctx context.Context) (context.Context, *codes) {
	c := &codes{made: map[string][]byte{}}
	return context.WithValue(ctx, codesKey{}, c), c
}

// embedded formats code for the plugin, which names a path with the extension
// of its language. What nobody formats is left as it is.
func (f *formatter) embedded(ctx context.Context, path string, text []byte) ([]byte, error) {
	c, ok := ctx.Value(codesKey{}).(*codes)
	l := lang.Detect(path)
	if !ok || f.env.Embedded == nil || l == "" || lang.Template(path, l, text) != "" || l == lang.Markdown {
		return text, nil
	}
	out, err := f.env.Embedded(ctx, l, text)
	if _, skipped := engine.SkipReason(err); skipped {
		return text, nil
	}
	if _, trapped := errors.AsType[*wasm.Trap](err); trapped && ctx.Err() == nil {
		return text, nil
	}
	if err != nil {
		return nil, err
	}
	out, _ = engine.Plain(out)
	c.made[codeKey(text)] = out
	return out, nil
}

// codeKey is what of a code counts as being the same.
func codeKey(text []byte) string { return string(bytes.Trim(text, "\n")) }

// same judges the code of a fence: it is what its own engine made of it, which
// asked its own guard.
func (c *codes) same(info string, before, after []byte) error {
	if out, ok := c.made[codeKey(before)]; ok && codeKey(out) == codeKey(after) {
		return nil
	}
	if lang.Parse(info) == lang.Markdown { // the plugin formats it itself
		return markdown.Same(before, after, c.same)
	}
	return guard.Differ("code ("+info+")", before, 0, after, 0)
}

// sameMarkdown is the guard of whoever has not formatted the text. It knows
// the guards of some languages.
func sameMarkdown(before, after []byte) error { return markdown.Same(before, after, sameCode) }

func sameCode(info string, before, after []byte) error {
	switch l := lang.Parse(info); l {
	case lang.JSON, lang.JSONC:
		return json.Same(before, after)
	case javaScript, jsx:
		return js.Same(before, after, js.JavaScript)
	case lang.TypeScript:
		return js.Same(before, after, js.TypeScript)
	case tsx:
		return js.Same(before, after, js.TSX)
	case "css":
		return css.Same(before, after, css.CSS)
	case lang.Python:
		return python.Same(before, after)
	case lang.TOML:
		return toml.Same(before, after)
	case lang.Markdown:
		return sameMarkdown(before, after)
	}
	return guard.Differ("code ("+info+")", before, 0, after, 0)
}
