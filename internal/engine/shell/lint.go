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
	s := script{text: src.Text, path: src.Path}
	if bytes.HasPrefix(s.text, []byte(byteOrderMark)) {
		s.shift = len(byteOrderMark)
		s.text = s.text[s.shift:]
	}
	v, err := s.parse()
	if err != nil || s.file == nil || v == syntax.LangZsh {
		return s.out, err
	}
	if err := s.settings(src.Inputs); err != nil {
		return nil, err
	}
	s.check()
	s.finish()
	return s.out, ctx.Err()
}

// script is a file that is being judged.
type script struct {
	text    []byte // without byte order mark
	path    string
	shift   int    // bytes before text
	dialect string // "" if nothing tells it: bash is assumed
	file    *syntax.File
	out     []diag.Diagnostic

	mutes   []mute
	sources []sourceNote
	stack   []syntax.Node   // from the file to the node in hand
	keyed   map[string]bool // arrays with text for keys
	setE    bool            // the script ends at the first command that fails
	flow    *flow
	vars    variables
}

// posix reports whether the script is for a plain sh.
func (s *script) posix() bool {
	return s.dialect == "sh" || s.dialect == "dash"
}

// parse reads the script. What does not parse is reported, unless the parser
// may be wrong: then the file is declined.
func (s *script) parse() (syntax.LangVariant, error) {
	v, dialect := shellfile.Variant(s.path, s.text)
	if p := shellfile.Foreign(s.text); p != "" && topDialect(s.text) == "" {
		return v, engine.Skip("its first line is for " + p + ", which is no shell known here")
	}
	if d := topDialect(s.text); d != "" && dialect != "bats" {
		v, dialect = shellfile.ByName(d), d
	}
	s.dialect = dialect
	if v == syntax.LangPOSIX {
		v = syntax.LangBash // what bash alone knows is no fault of syntax
	}
	file, err := shellfile.Parse(s.text, v)
	if err == nil {
		s.file = file
		return v, nil
	}
	if shellfile.Refused(err) {
		return v, engine.Skip(err.Error())
	}
	if v == syntax.LangZsh || dialect == "ksh" || dialect == "mksh" || dialect == "bats" {
		return v, engine.Skip("the parser does not know all of " + dialect + ": " + err.Error())
	}
	if fault := (syntax.ParseError{}); errors.As(err, &fault) && certain(fault.Text) {
		if s.handedOver() {
			return v, engine.Skip("what follows exec is not for the shell")
		}
		at := s.shift + int(fault.Pos.Offset())
		end := min(at+1, s.shift+len(s.text))
		s.out = append(s.out, diag.Diagnostic{
			Engine: name, Code: codeSyntax, Severity: diag.Error, Title: upper(fault.Text), Span: &diag.Span{Start: min(at, end), End: end},
		})
		return v, nil
	}
	return v, engine.Skip("the parser cannot read it: " + err.Error())
}

func upper(s string) string {
	if s != "" && 'a' <= s[0] && s[0] <= 'z' {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

// topDialect returns the dialect that a directive before the first command
// names; "" if none does.
func topDialect(text []byte) string {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' {
			return ""
		}
		words := strings.Fields(strings.TrimLeft(string(line), "#"))
		if len(words) > 1 && words[0] == "shellcheck" {
			if d := parseDirective(words[1:]).shell; d != "" {
				return d
			}
		}
	}
	return ""
}

// handedOver reports whether a script that does not parse ends, before the
// fault, by handing itself to another program: the rest is in its language.
func (s *script) handedOver() bool {
	p := syntax.NewParser(syntax.Variant(syntax.LangBash))
	found := false
	// Not by range: the library goes on after a false, with the error.
	p.StmtsSeq(bytes.NewReader(s.text))(func(st *syntax.Stmt, err error) bool {
		if found || err != nil {
			return false
		}
		if c := call(st); c != nil && len(c.Args) > 0 {
			n := word(c.Args[0])
			found = n == "exec" && len(c.Args) > 1 || n == "exit"
		}
		return !found
	})
	return found
}

// certain reports whether a message of the parser is about a fault and not
// about something it does not know.
func certain(text string) bool {
	for _, doubt := range []string{"arithmetic", "must follow a name", "must follow an expression", "must be followed by an expression", "ternary", "a[b]", "invalid parameter name"} {
		if strings.Contains(text, doubt) {
			return false
		}
	}
	return true
}

// report adds a finding about the text from start to end.
func (s *script) report(code string, start, end syntax.Pos, title string, fix ...diag.Edit) {
	at, to := int(start.Offset()), int(end.Offset())
	if !start.IsValid() || s.muted(code, at) {
		return
	}
	if to <= at || to > len(s.text) {
		to = min(at+1, len(s.text))
	}
	for i := range fix {
		fix[i].Start += s.shift
		fix[i].End += s.shift
	}
	s.out = append(s.out, diag.Diagnostic{
		Engine: name, Code: code, Severity: severity(code), Title: title, Fix: fix,
		Span: &diag.Span{Start: s.shift + at, End: s.shift + to},
	})
}

// at reports a node.
func (s *script) at(code string, n syntax.Node, title string, fix ...diag.Edit) {
	s.report(code, n.Pos(), n.End(), title, fix...)
}

// finish sorts the findings and drops those said twice.
func (s *script) finish() {
	diag.Sort(s.out)
	kept := s.out[:0]
	for i := range s.out {
		d := &s.out[i]
		if n := len(kept); n > 0 && kept[n-1].Code == d.Code && *kept[n-1].Span == *d.Span {
			continue
		}
		kept = append(kept, *d)
	}
	s.out = kept
}
