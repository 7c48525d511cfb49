package ini

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode"

	"poly/internal/diag"
)

// parser follows configparser.RawConfigParser through a text.
type parser struct {
	dialect
	diags   []diag.Diagnostic
	begun   bool   // a section header was seen
	section string // the current one
	option  bool   // a line indented deeper continues the value before it
	indent  int
	seen    map[[2]string]int // sections {name, ""} and keys {section, "=" + name}, and their lines
}

func configparser(ctx context.Context, text []byte, d dialect) ([]diag.Diagnostic, error) {
	p := parser{dialect: d, seen: map[[2]string]int{}}
	at := len(text) - len(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	number := 0
	for line := range bytes.Lines(text[at:]) {
		if number++; number%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !p.line(string(line), number, at) {
			break
		}
		at += len(line)
	}
	return p.diags, ctx.Err()
}

// line reads one line, which starts at an offset; false ends the file.
func (p *parser) line(line string, number, at int) bool {
	value := strings.TrimSpace(line)
	if value == "" || value[0] == '#' || value[0] == ';' {
		return true
	}
	indent := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsSpace(r) })
	if p.begun && p.option && indent > p.indent {
		return true
	}
	p.indent = indent
	start := at + indent
	end := start + len(value)
	if name, ok := header(value); ok {
		p.begun, p.option, p.section = true, false, name
		if name != "DEFAULT" {
			p.once([2]string{name, ""}, number, start, end, codeSection, fmt.Sprintf("Section [%s]", short(name)))
		}
		return true
	}
	if !p.begun {
		p.diags = append(p.diags, problem(codeSyntax, start, end, "No section header before this line"))
		return false
	}
	sep := strings.IndexAny(value, "=:")
	if sep <= 0 {
		p.diags = append(p.diags, problem(codeSyntax, start, end, "Neither a section header nor a key with a value"))
		return true
	}
	name := strings.TrimSpace(value[:sep])
	key := name
	if p.fold {
		key = strings.ToLower(name)
	}
	p.option = true
	p.once([2]string{p.section, "=" + key}, number, start, start+len(name), codeKey, fmt.Sprintf("%s of [%s]", short(name), short(p.section)))
	return true
}

// header returns the name in brackets at the start of a line.
func header(value string) (name string, ok bool) {
	end := strings.LastIndexByte(value, ']')
	if value[0] != '[' || end < 2 {
		return "", false
	}
	return value[1:end], true
}

// once reports a section or key that was there before.
func (p *parser) once(key [2]string, number, start, end int, code, what string) {
	first, twice := p.seen[key]
	switch {
	case !twice:
		p.seen[key] = number
	case !p.loose:
		p.diags = append(p.diags, problem(code, start, end, fmt.Sprintf("%s is already in line %d", what, first)))
	}
}

// openHeaders reports section headers without a closing bracket: a line of
// nothing but a bracket and a name.
func openHeaders(text []byte) []diag.Diagnostic {
	var diags []diag.Diagnostic
	at := 0
	for line := range bytes.Lines(text) {
		if body := bytes.TrimRight(line, " \t\r\n"); len(body) > 1 && body[0] == '[' && onlyName(body[1:]) {
			diags = append(diags, problem(codeSyntax, at, at+len(body), "The section header has no closing bracket"))
		}
		at += len(line)
	}
	return diags
}

func onlyName(s []byte) bool {
	for _, c := range s {
		if !word(c) && c != ' ' && c != '.' && c != ':' && c != '-' {
			return false
		}
	}
	return 'a' <= s[0]|0x20 && s[0]|0x20 <= 'z'
}

func word(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_'
}
