package config

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
)

// assemble makes the Set of what the directories contribute.
func (l *loader) assemble(levels []level) *Set {
	byDir := make(map[string]level, len(levels))
	for _, v := range levels {
		byDir[v.dir] = v
	}
	s := &Set{byDir: make(map[string]*Effective, len(levels))}
	for _, v := range levels {
		s.byDir[v.dir] = l.effective(v.dir, governing(byDir, v.dir))
	}
	if s.root = s.byDir["."]; s.root == nil {
		s.root = l.effective(".", nil)
	}
	return s
}

// governing lists the levels in force for a directory, outermost first.
func governing(byDir map[string]level, dir string) []level {
	var out []level
	for {
		if v, ok := byDir[dir]; ok {
			out = append(out, v)
			if v.node.get("workspace", "root").bool(false) {
				break
			}
		}
		if dir == "." {
			break
		}
		dir = path.Dir(dir)
	}
	slices.Reverse(out)
	return out
}

func (l *loader) effective(dir string, levels []level) *Effective {
	e := &Effective{Dir: dir, x: l.x, merged: newTable(Origin{})}
	e.tables.tables = map[tableKey]*EngineConfig{}
	for _, v := range levels {
		e.addGlobs(v)
		e.merged = merge(e.merged, withoutGlobs(v.node), false)
	}
	m := e.merged
	d := m.get("defaults")
	e.Defaults = Defaults{
		LineLength:             d.get("line_length").int(defaultLineLength),
		LineEnding:             d.get("line_ending").string(""),
		CRLF:                   d.get("line_ending").string("") == "crlf",
		FinalNewline:           d.get("final_newline").bool(true),
		TrimTrailingWhitespace: d.get("trim_trailing_whitespace").bool(true),
	}
	e.Discovery = Discovery{
		MaxFileSize:  maxFileSize(m.get("discovery", "max_file_size")),
		ForceExclude: m.get("discovery", "force_exclude").bool(false),
	}
	e.Rules = Rules{Dirs: l.ruleDirs(m.get("rules", "dirs")), Disable: m.get("rules", "disable").strings()}
	c := m.get("cache")
	e.Cache = Cache{
		Enabled: c.get("enabled").bool(true),
		Dir:     c.get("dir").string(""),
		Hooks:   c.get("results", "hooks").string("safe"),
		SCCache: SCCache{
			Enabled: c.get("sccache", "enabled").bool(false),
			Bin:     c.get("sccache", "bin").string("sccache"),
			Dir:     c.get("sccache", "dir").string(""),
			MaxSize: c.get("sccache", "max_size").string(""),
		},
	}
	e.Workspace = m.get("lint", "workspace").bool(true)
	e.digest()
	return e
}

// addGlobs appends the globs of a level: they stay relative to its directory.
func (e *Effective) addGlobs(v level) {
	if x := v.node.get("discovery", "exclude"); x != nil {
		for _, it := range x.items {
			e.Exclude = append(e.Exclude, Pattern{Base: v.dir, Glob: it.string(""), Origin: it.at})
		}
	}
	p := v.node.get("per-file-ignores")
	if p == nil {
		return
	}
	for _, glob := range p.ordered() {
		n := p.table[glob]
		e.Ignores = append(e.Ignores, Ignore{Base: v.dir, Glob: glob, Codes: n.strings(), Origin: n.at})
	}
}

// withoutGlobs returns n without what addGlobs took and without `extends`,
// which is of one file.
func withoutGlobs(n *node) *node {
	out := &node{kind: kindTable, table: maps.Clone(n.table), at: n.at}
	delete(out.table, "extends")
	delete(out.table, "per-file-ignores")
	if d := n.get("discovery"); d != nil {
		c := &node{kind: kindTable, table: maps.Clone(d.table), at: d.at}
		delete(c.table, "exclude")
		delete(c.table, "exclude_mode")
		out.table["discovery"] = c
	}
	return out
}

func maxFileSize(n *node) int64 {
	if n == nil {
		return defaultMaxFileSize
	}
	if i, ok := n.value.(int64); ok {
		return i
	}
	size, _ := parseSize(n.string(""))
	return size
}

// ruleDirs finds the directories: each is relative to the file that names it.
func (l *loader) ruleDirs(n *node) []RuleDir {
	if n == nil {
		return []RuleDir{{Path: defaultRules}}
	}
	var out []RuleDir
	for _, it := range n.items {
		d := RuleDir{Origin: it.at}
		s, err := l.join(l.spots[it.at.File], it.string(""))
		switch rel, inside := l.inside(s.abs); {
		case err != nil:
			l.notes = append(l.notes, note{it.at, fmt.Sprintf("dirs %q in [rules] has no effect: it %s", it.string(""), err)})
			continue
		case s.git != nil:
			d.Path, d.Git, d.OID = s.path, s.url, s.oid
		case inside:
			d.Path = rel
		case s.abs != "":
			d.Outside = s.abs
		default:
			d.Path = s.path
		}
		out = append(out, d)
	}
	return out
}

// outsideName is an Outside directory without what is this machine's own.
func outsideName(abs string) string { return filepath.Base(abs) }
