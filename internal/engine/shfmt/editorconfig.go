package shfmt

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"poly/internal/engine"
)

// propertyMap holds the properties of .editorconfig that apply to a file.
type propertyMap map[string]string

// editorconfigLangs are the names of sections such as [[shell]].
func editorconfigLangs(v syntax.LangVariant) []string {
	switch v {
	case syntax.LangBash, syntax.LangBats:
		return []string{"shell", "bash"}
	case syntax.LangZsh:
		return []string{"shell", "zsh"}
	}
	return []string{"shell"}
}

// properties collects what the .editorconfig files, nearest first, say about
// path. A nearer file outranks a farther one, in a file a later section an
// earlier one.
func properties(path string, langs []string, files []engine.Input) propertyMap {
	p := propertyMap{}
	for _, in := range files {
		dir := in.Path[:strings.LastIndexByte(in.Path, '/')+1]
		root := p.read(strings.TrimPrefix(path, dir), langs, string(in.Text))
		if root {
			break
		}
	}
	return p
}

// read adds the properties of one file that are not set yet, and tells whether
// the file is the topmost one.
func (p propertyMap) read(path string, langs []string, text string) (root bool) {
	own, inSection, applies := propertyMap{}, false, false
	for line := range strings.Lines(strings.TrimPrefix(text, byteOrderMark)) {
		line = uncomment(line)
		if n := len(line); n > 2 && line[0] == '[' && line[n-1] == ']' {
			inSection, applies = true, sectionApplies(line[1:n-1], path, langs)
			continue
		}
		i := strings.IndexAny(line, "=:")
		if i < 0 || line[0] == '#' || line[0] == ';' {
			continue
		}
		key, value := strings.ToLower(strings.TrimSpace(line[:i])), strings.TrimSpace(line[i+1:])
		switch {
		case !inSection:
			root = root || key == "root" && strings.EqualFold(value, "true")
		case applies:
			own[key] = value
		}
	}
	for k, v := range own {
		if _, set := p[k]; !set {
			p[k] = v
		}
	}
	return root
}

func uncomment(line string) string {
	for _, mark := range []string{" #", " ;"} {
		if i := strings.Index(line, mark); i >= 0 {
			line = line[:i]
			break
		}
	}
	return strings.TrimSpace(line)
}

func sectionApplies(name, path string, langs []string) bool {
	if n := len(name); n > 2 && name[0] == '[' && name[n-1] == ']' {
		return slices.Contains(langs, name[1:n-1])
	}
	if rest, ok := strings.CutPrefix(name, "/"); ok {
		name = rest
	} else if !strings.Contains(name, "/") {
		name = "**/" + name
	}
	m := matcher{}
	return m.match(name, path)
}

// settings reads the keys of the shfmt command.
func (p propertyMap) settings() settings {
	is := func(key string) bool { return p[key] == "true" }
	s := settings{
		simplify: is("simplify"), binaryNextLine: is("binary_next_line"), caseIndent: is("switch_case_indent"),
		spaceRedirects: is("space_redirects"), keepPadding: is("keep_padding"), functionNextLine: is("function_next_line"),
	}
	switch v := p["shell_variant"]; v {
	case "bash", "posix", "mksh", "bats", "zsh":
		s.variant = v
	case "sh", "dash":
		s.variant = "posix"
	}
	if strings.EqualFold(p["indent_style"], "space") {
		s.indent = tabWidth
		if n, err := strconv.Atoi(p["indent_size"]); err == nil && n > 0 {
			s.indent = min(n, 32)
		}
	}
	return s
}
