package discover

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"poly/internal/config"
	"poly/internal/glob"
)

// dir is what is decided for a directory and holds for everything below it
// until a named path or a configuration says otherwise.
type dir struct {
	name     string
	covered  bool  // a named path is it or above it
	pruned   bool  // one of its names, below the nearest named path, is pruned
	excluded *Rule // the glob that excludes it or a directory above it
	limit    int64
	anything bool // files of no known language may be looked at
	config   *config.Effective
	list     *list    // the globs for what is in it
	exempt   []string // named paths above it, when they are admitted though excluded
}

// dir finds out about a directory from the one above it.
func (s *Scope) dir(name string) *dir {
	if d, ok := s.dirs[name]; ok {
		return d
	}
	d := &dir{name: name}
	if name == "." {
		d.covered = s.all
	} else {
		s.inherit(d)
	}
	d.limit = DefaultMaxFileSize
	if s.req.Config != nil {
		d.config = s.req.Config.For(name)
	}
	if d.config != nil {
		d.limit = d.config.Discovery.MaxFileSize
		d.anything = s.req.Anything != nil && s.req.Anything(d.config)
	}
	d.list = s.list(d)
	s.dirs[name] = d
	return d
}

func (s *Scope) inherit(d *dir) {
	up, base := ".", d.name
	if slash := strings.LastIndexByte(d.name, '/'); slash >= 0 {
		up, base = d.name[:slash], d.name[slash+1:]
	}
	above := s.dir(up)
	d.covered, d.pruned, d.excluded, d.exempt = above.covered, above.pruned || prunedName(base), above.excluded, above.exempt
	if s.named[d.name] {
		d.covered, d.pruned = true, false
		if s.req.IncludeExcluded {
			d.excluded = nil
			d.exempt = append(slices.Clip(d.exempt), d.name)
			return
		}
	}
	if d.excluded == nil {
		d.excluded = above.list.match(d.name, true)
	}
}

// PrunedDir reports whether a directory, slash-separated from the root of the
// tree, is or lies below one that is never entered.
func PrunedDir(dir string) bool {
	for name := range strings.SplitSeq(dir, "/") {
		if prunedName(name) {
			return true
		}
	}
	return false
}

// prunedName reports whether directories of that name are never entered,
// tracked or not, unless they are named: other people's code and build output.
func prunedName(base string) bool {
	switch base {
	case "node_modules", "vendor", "deps", "target", "dist", "build", ".git", ".venv", "venv", "__pycache__",
		".mypy_cache", ".ruff_cache", ".pytest_cache", ".tox", ".gradle", ".next", ".nuxt", "coverage", ".polylint":
		return true
	}
	return false
}

// list is the exclude globs in force in a directory.
type list struct {
	globs *glob.List
	rules []*Rule
}

// match returns the rule that excludes path itself, or nil.
func (l *list) match(p string, isDir bool) *Rule {
	if l == nil {
		return nil
	}
	if r := l.globs.Match(p, isDir); r.Ignored() {
		return l.rules[r.Rule]
	}
	return nil
}

// list compiles the globs for what is in d, once for each configuration.
func (s *Scope) list(d *dir) *list {
	if len(d.exempt) > 0 {
		return s.compile(d.config, d.exempt)
	}
	l, ok := s.lists[d.config]
	if !ok {
		l = s.compile(d.config, nil)
		s.lists[d.config] = l
	}
	return l
}

// compile leaves out what would exclude everything below an exempt path.
func (s *Scope) compile(c *config.Effective, exempt []string) *list {
	l := &list{}
	var globs []glob.Rule
	add := func(base, pattern, origin string) {
		if slices.ContainsFunc(exempt, func(p string) bool { return swallows(base, pattern, p) }) {
			return
		}
		globs = append(globs, glob.Rule{Pattern: pattern, Base: base})
		l.rules = append(l.rules, s.rule(Rule{Pattern: pattern, Base: base, Origin: origin}))
	}
	if c != nil {
		for _, p := range c.Exclude {
			add(p.Base, p.Glob, fmt.Sprintf("%s:%d", p.Origin.File, p.Origin.Line))
		}
	}
	for _, p := range s.req.Exclude {
		add(s.req.Base, p, "--exclude")
	}
	if len(globs) == 0 {
		return nil
	}
	l.globs = glob.NewList(globs, glob.Options{})
	return l
}

func (s *Scope) rule(r Rule) *Rule {
	if known, ok := s.rules[r]; ok {
		return known
	}
	s.rules[r] = &r
	return &r
}

// swallows reports whether a glob excludes all there is below the directory
// named: "**", "/**", or "x/**" where x is named or a directory above it.
func swallows(base, pattern, named string) bool {
	head, ok := strings.CutSuffix(pattern, "**")
	if !ok || strings.HasPrefix(pattern, "!") || head != "" && !strings.HasSuffix(head, "/") {
		return false
	}
	if head == "" || head == "/" {
		return base == "." || base == "" || named == base || strings.HasPrefix(named, base+"/")
	}
	// A slash before ** anchors the glob; it must stay anchored without it.
	head = "/" + strings.Trim(head, "/")
	one := glob.NewList([]glob.Rule{{Pattern: head, Base: base}}, glob.Options{})
	for p := named; p != "."; p = path.Dir(p) {
		if one.Match(p, true).Ignored() {
			return true
		}
	}
	return false
}
