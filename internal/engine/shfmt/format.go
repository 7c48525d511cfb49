package shfmt

import (
	"bytes"
	"context"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/shellfile"
)

// formatter is one bound configuration. It is not changed after bind.
type formatter struct {
	settings
	globals engine.Globals
	files   bool // settings may come from .editorconfig
	same    func(before, after []byte) error
}

// byteOrderMark stays in front of a file that has it.
const byteOrderMark = "\xef\xbb\xbf"

// Format formats one file. Line ends, a byte order mark and the end of the
// file are handled here: the library sees text with "\n" only.
func (w *worker) Format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, v, err := w.settingsFor(src)
	if err != nil {
		return nil, err
	}
	mark, body := "", src.Text
	if bytes.HasPrefix(body, []byte(byteOrderMark)) {
		mark, body = byteOrderMark, body[len(byteOrderMark):]
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return src.Text, nil
	}
	crlf := bytes.Count(body, []byte("\r\n"))
	if crlf > 0 && crlf != bytes.Count(body, []byte("\n")) {
		return nil, engine.Skip("mixed line ends: a carriage return may be meant as text")
	}
	body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
	w.trees = w.trees[:0]
	out, err := w.settle(ctx, s, body, v, src.Verdict)
	if err != nil {
		return nil, err
	}
	if !w.globals.FinalNewline && !bytes.HasSuffix(src.Text, []byte("\n")) {
		out = bytes.TrimSuffix(out, []byte("\n"))
	}
	if w.wantsCRLF(crlf > 0) {
		out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	}
	if mark != "" {
		out = append([]byte(mark), out...)
	}
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// wantsCRLF tells which ends the lines of a text get that has CRLF or has not.
// The command does not know end_of_line = crlf, which breaks scripts.
func (f *formatter) wantsCRLF(has bool) bool {
	g := f.globals
	return has && !g.LF || g.CRLF && g.Configured&config.GivenLineEnding != 0
}

// settingsFor returns the settings and the dialect of one file.
func (f *formatter) settingsFor(src engine.Source) (settings, syntax.LangVariant, error) {
	s, v := f.settings, variant(src.Path, src.Text)
	if f.files && len(src.Inputs) > 0 {
		p := properties(src.Path, editorconfigLangs(v), src.Inputs)
		if p["ignore"] == "true" {
			return s, v, engine.Skip(".editorconfig says ignore = true")
		}
		s = p.settings()
	}
	if s.variant != "" {
		v = shellfile.ByName(s.variant)
	}
	return s, v, nil
}

// variant tells the dialect as the shfmt command does, whose file extensions
// outrank the shebang.
func variant(path string, text []byte) syntax.LangVariant {
	if v, dialect := shellfile.Variant(path, nil); dialect != "" && v != syntax.LangBash || strings.HasSuffix(path, ".bash") {
		return v
	}
	v, _ := shellfile.Variant(path, text)
	return v
}
