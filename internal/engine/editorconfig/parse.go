package editorconfig

import (
	"slices"
	"strconv"
	"strings"
)

// file is a parsed .editorconfig.
type file struct {
	root     bool
	sections []section
}

type section struct {
	match matcher
	pairs [][2]string // in small letters
}

// parse reads a file in the directory dir, "." for the root. Lines that it
// does not understand count as absent, as for every editor.
func parse(text, dir string) *file {
	f := &file{}
	var current *section
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if line[0] == '[' {
			if end := strings.LastIndexByte(line, ']'); end > 0 {
				f.sections = append(f.sections, section{match: compile(line[1:end], dir)})
				current = &f.sections[len(f.sections)-1]
			}
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			if key, value, ok = strings.Cut(line, ":"); !ok {
				continue
			}
		}
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.ToLower(withoutComment(strings.TrimSpace(value)))
		switch {
		case current != nil:
			current.pairs = append(current.pairs, [2]string{key, value})
		case key == "root":
			f.root = value == "true"
		}
	}
	return f
}

// withoutComment cuts a comment behind a value: no value that is looked at
// holds a blank and one of its signs.
func withoutComment(value string) string {
	for i := 1; i < len(value); i++ {
		if (value[i] == '#' || value[i] == ';') && (value[i-1] == ' ' || value[i-1] == '\t') {
			return strings.TrimSpace(value[:i])
		}
	}
	return value
}

// properties are what the files say about one path. The zero value asks for
// nothing.
type properties struct {
	charset string // "utf-8" or "utf-8-bom"
	end     string // "lf", "crlf" or "cr"
	style   string // "space" or "tab"
	size    int    // blanks a level, 0: not said
	trim    bool
	final   bool
	length  int
}

// set obeys one pair; an unknown key or value switches nothing on.
func (p *properties) set(key, value string) {
	switch key {
	case "charset":
		p.charset = oneOf(value, "utf-8", "utf-8-bom")
	case "end_of_line":
		p.end = oneOf(value, "lf", "crlf", "cr")
	case "indent_style":
		p.style = oneOf(value, "space", "tab")
	case "indent_size":
		p.size = number(value)
	case "trim_trailing_whitespace":
		p.trim = value == "true"
	case "insert_final_newline":
		p.final = value == "true"
	case "max_line_length":
		p.length = number(value)
	}
}

func oneOf(value string, allowed ...string) string {
	if slices.Contains(allowed, value) {
		return value
	}
	return ""
}

func number(value string) int {
	if n, err := strconv.Atoi(value); err == nil && n > 0 {
		return n
	}
	return 0
}

// class is equal for equal properties: they are all of a path that matters.
func (p properties) class() string {
	if p == (properties{}) {
		return ""
	}
	b := make([]byte, 0, 48)
	for _, s := range [...]string{p.charset, p.end, p.style} {
		b = append(append(b, s...), ' ')
	}
	b = strconv.AppendInt(b, int64(p.size), 10)
	b = strconv.AppendInt(append(b, ' '), int64(p.length), 10)
	b = strconv.AppendBool(append(b, ' '), p.trim)
	b = strconv.AppendBool(append(b, ' '), p.final)
	return string(b)
}
