package config

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"poly/internal/glob"
)

// Effective is the configuration in force for one directory and what lies
// below it. It is immutable and may be used by many goroutines; what it
// returns must not be modified.
type Effective struct {
	// Dir is the registered directory it stands for, "." for the root.
	Dir       string
	Defaults  Defaults
	Discovery Discovery
	// Exclude are the globs of every governing file, outermost first, in
	// gitignore order: the last that matches wins.
	Exclude []Pattern
	// Ignores are the [per-file-ignores] of every governing file, outermost first.
	Ignores []Ignore
	Rules   Rules
	Cache   Cache
	// Workspace is [lint] workspace: whether the whole-project phase may run.
	Workspace bool

	merged *node
	x      *index
	tables tableCache
	sums   digests
}

// Defaults are the [defaults].
type Defaults struct {
	LineLength             int
	LineEnding             string // "lf", "crlf", or "" if nothing was configured
	CRLF                   bool   // line_ending = "crlf"
	FinalNewline           bool
	TrimTrailingWhitespace bool
	Given                  Given // those that are written down
}

// Given is a set of layout settings that somebody wrote down, so that what
// ranks below, such as .editorconfig, does not count for them.
type Given uint8

// The settings.
const (
	GivenLineLength Given = 1 << iota
	GivenLineEnding
	GivenFinalNewline
	GivenTrim
	GivenIndentWidth
	GivenIndentStyle
)

// Discovery is [discovery] without its globs, which are [Effective.Exclude].
type Discovery struct {
	MaxFileSize  int64 // bytes; a larger file is skipped
	ForceExclude bool  // has no effect: named files always obey exclude
}

// Pattern is one exclude glob, relative to the directory Base.
type Pattern struct {
	Base   string // slash-separated from the root, "." for the root
	Glob   string // as written
	Origin Origin
}

// Ignore is one entry of [per-file-ignores]: the codes are not reported for
// paths that Glob, relative to Base, matches.
type Ignore struct {
	Base   string
	Glob   string
	Codes  []string
	Origin Origin
}

// Rules is the table [rules].
type Rules struct {
	Dirs    []RuleDir
	Disable []string
}

// RuleDir is a directory of rules.
type RuleDir struct {
	Path    string // slash-separated from the root of the tree, or of the git base
	Outside string // absolute path, if it is outside the tree; then Path is ""
	Git     string // url, if it is in a git base
	OID     string // of the git base
	Origin  Origin
}

// Cache is the table [cache].
type Cache struct {
	Enabled bool
	Dir     string // as written; relative means from the root; "": the default
	Hooks   string // off, safe or aggressive
	SCCache SCCache
}

// SCCache is the table [cache.sccache].
type SCCache struct {
	Enabled bool
	Bin     string
	Dir     string
	MaxSize string
}

// Origin tells where a value was written. The zero value is a default.
type Origin struct {
	File string // as shown in messages: "poly.toml", "pkg/poly.local.toml", "<url>@<oid>:poly.toml"
	Line int    // 1-based; 0: not known
	Col  int    // 1-based, in code points
}

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
	for i, k := range [...]string{"line_length", "line_ending", "final_newline", "trim_trailing_whitespace"} {
		if d.get(k) != nil {
			e.Defaults.Given |= GivenLineLength << i
		}
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

// fruitless names the globs of s that can match nothing.
func fruitless(s *Set) (notes []note) {
	check := func(pattern string, at Origin) {
		if strings.HasPrefix(pattern, "./") {
			notes = append(notes, note{at, fmt.Sprintf("the pattern %q matches nothing: write %q", pattern, pattern[1:])})
		} else if _, ok := glob.Compile(pattern); !ok {
			notes = append(notes, note{at, fmt.Sprintf("the pattern %q is malformed and matches nothing", pattern)})
		}
	}
	for _, e := range s.All() {
		for _, p := range e.Exclude {
			check(p.Glob, p.Origin)
		}
		for _, p := range e.Ignores {
			check(p.Glob, p.Origin)
		}
	}
	return notes
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

// foreign tells which directories are excluded by the files above them. It
// sees levels outermost first.
type foreign struct {
	named  func(dir string) bool
	levels map[string]level
	lists  map[string]*glob.List // by the innermost directory with a level
	any    bool                  // a level excludes something
}

func newForeign(named func(dir string) bool) *foreign {
	return &foreign{named: named, levels: map[string]level{}, lists: map[string]*glob.List{}}
}

func (f *foreign) add(v level) {
	f.levels[v.dir] = v
	f.any = f.any || v.node.get("discovery", "exclude") != nil
}

// excluded reports whether dir, or a directory above it, is excluded.
func (f *foreign) excluded(dir string) bool {
	if !f.any || dir == "." || f.named != nil && f.named(dir) {
		return false
	}
	for i, c := range dir + "/" {
		if c == '/' && f.list(path.Dir(dir[:i])).Match(dir[:i], true).Ignored() {
			return true
		}
	}
	return false
}

// list returns the globs in force for what is in dir.
func (f *foreign) list(dir string) *glob.List {
	for dir != "." {
		if _, ok := f.levels[dir]; ok {
			break
		}
		dir = path.Dir(dir)
	}
	l, ok := f.lists[dir]
	if !ok {
		var e Effective
		for _, v := range governing(f.levels, dir) {
			e.addGlobs(v)
		}
		rules := make([]glob.Rule, 0, len(e.Exclude))
		for _, p := range e.Exclude {
			rules = append(rules, glob.Rule{Pattern: p.Glob, Base: p.Base})
		}
		l = glob.NewList(rules, glob.Options{})
		f.lists[dir] = l
	}
	return l
}

// outermost orders directories: what lies above comes first.
func outermost(a, b string) int {
	return cmp.Or(cmp.Compare(depth(a), depth(b)), cmp.Compare(a, b))
}

func depth(dir string) int {
	if dir == "." {
		return -1
	}
	return strings.Count(dir, "/")
}
