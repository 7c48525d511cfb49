package shell

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/shellfile"
)

const byteOrderMark = "\xef\xbb\xbf"

func lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := script{text: src.Text}
	if bytes.HasPrefix(s.text, []byte(byteOrderMark)) {
		s.shift = len(byteOrderMark)
	}
	if err := s.parse(src.Path); err != nil {
		return s.out, err
	}
	return s.out, nil
}

// script is a file that is being judged.
type script struct {
	text    []byte
	shift   int // bytes before what was parsed
	dialect string
	file    *syntax.File
	out     []diag.Diagnostic
}

// parse reads the script. What does not parse is reported, unless the parser
// may be wrong: then the file is declined.
func (s *script) parse(path string) error {
	body := s.text[s.shift:]
	v, dialect := shellfile.Variant(path, s.text)
	s.dialect = dialect
	if v == syntax.LangPOSIX {
		v = syntax.LangBash // what bash alone knows is no fault of syntax
	}
	file, err := shellfile.Parse(body, v)
	if err == nil {
		s.file = file
		return nil
	}
	if shellfile.Refused(err) {
		return engine.Skip(err.Error())
	}
	if v == syntax.LangZsh || dialect == "ksh" || dialect == "mksh" {
		return engine.Skip("the parser does not know all of " + dialect + ": " + err.Error())
	}
	if fault := (syntax.ParseError{}); errors.As(err, &fault) && certain(fault.Text) {
		at := s.shift + int(fault.Pos.Offset())
		end := min(at+1, len(s.text))
		s.out = append(s.out, diag.Diagnostic{
			Engine: name, Code: codeSyntax, Severity: diag.Error, Title: fault.Text, Span: &diag.Span{Start: min(at, end), End: end},
		})
		return nil
	}
	return engine.Skip("the parser cannot read it: " + err.Error())
}

// certain reports whether a message of the parser is about a fault and not
// about something it does not know.
func certain(text string) bool {
	return !strings.Contains(text, "arithmetic operator")
}
