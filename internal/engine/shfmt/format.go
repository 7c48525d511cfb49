package shfmt

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"poly/internal/engine"
	"poly/internal/shellfile"
)

// formatter is one bound configuration. It is not changed after bind.
type formatter struct {
	settings
	globals engine.Globals
	files   bool // settings may come from .editorconfig
}

// byteOrderMark stays in front of a file that has it.
const byteOrderMark = "\xef\xbb\xbf"

// format formats one file. Line ends, a byte order mark and the end of the
// file are handled here: the library sees text with "\n" only.
func (f *formatter) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, v, err := f.settingsFor(src)
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
	out, err := s.settle(ctx, body, v)
	if err != nil {
		return nil, err
	}
	if !f.globals.FinalNewline && !bytes.HasSuffix(src.Text, []byte("\n")) {
		out = bytes.TrimSuffix(out, []byte("\n"))
	}
	if crlf > 0 || f.globals.CRLF {
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

// maxPasses is how often a text is formatted at most. Nearly all texts stay as
// they are in the second.
const maxPasses = 4

// settle formats text until nothing changes; the result may still do so, which
// the guard does not mind.
func (s *settings) settle(ctx context.Context, text []byte, v syntax.LangVariant) ([]byte, error) {
	out, err := s.pass(text, v)
	for range maxPasses - 1 {
		if err != nil || bytes.Equal(out, text) {
			break
		}
		text, out, err = out, s.again(out, v), ctx.Err()
	}
	return out, err
}

// again formats what was formatted. If that does not parse it stays as it is:
// the guard refuses it, and tells why.
func (s *settings) again(text []byte, v syntax.LangVariant) []byte {
	if out, err := s.pass(text, v); err == nil {
		return out
	}
	return text
}

// pass parses and prints once.
func (s *settings) pass(text []byte, v syntax.LangVariant) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, engine.Skip(fmt.Sprintf("shfmt cannot format it: %v", r))
		}
	}()
	file, err := shellfile.Parse(text, v)
	if err != nil {
		return nil, engine.Skip("shfmt cannot format it: " + err.Error())
	}
	keepSubscripts(file, text)
	docs := keepDocuments(file, text)
	if s.simplify {
		syntax.Simplify(file)
	}
	b := bytes.NewBuffer(make([]byte, 0, len(text)+len(text)/8))
	if err := s.printer().Print(b, file); err != nil {
		return nil, engine.Skip("shfmt cannot format it: " + err.Error())
	}
	return docs.restore(b.Bytes()), nil
}
