package editorconfig

import "strings"

// file is a parsed .editorconfig.
type file struct {
	dir      string // "." is the root of the tree
	text     string
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
	f := &file{dir: dir, text: text}
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
