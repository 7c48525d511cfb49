package engine

import (
	"slices"
	"strings"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/usererr"
)

// AllCodes is the pattern that matches every code.
const AllCodes = "ALL"

// syntaxCodes are reported whatever `select` says, unless `ignore` names them:
// a file that does not parse was not checked, so it may not look clean.
var syntaxCodes = []string{"syntax", "parse-error"}

// Picks is what a configuration says about the rules of one engine. Each entry
// of Select, ExtendSelect and Ignore and each key of Levels is a pattern as
// [MatchesCode] takes it.
type Picks struct {
	Select       []string          // not empty: replaces the rules that are on by default
	ExtendSelect []string          // adds
	Ignore       []string          // removes, after both
	Levels       map[string]string // severity by code: rules.<code>.level
	// Where tells where a pattern stands, as "poly.toml:14". key is "select",
	// "extend_select", "ignore" or "rules". nil, or "": not known.
	Where func(key, pattern string) string
}

// PicksOf returns what the table of an engine says about its rules.
func PicksOf(t *config.EngineConfig) Picks {
	levels := make(map[string]string, len(t.Levels))
	for _, l := range t.Levels {
		levels[l.Code] = l.Severity
	}
	return Picks{Select: t.Select, ExtendSelect: t.ExtendSelect, Ignore: t.Ignore, Levels: levels, Where: func(key, pattern string) string {
		o := t.OriginOf(pattern, key)
		if key == "rules" {
			o = t.Origin(key, pattern, "level")
		}
		return o.String()
	}}
}

// Selection tells which codes of an engine are reported, and how severe they
// are. The zero Selection reports everything at the engine's own severity.
type Selection struct {
	off      []string // codes of Spec.Rules that are not reported, sorted
	ignore   []string // patterns, for codes that Spec.Rules does not list
	selects  []string // patterns that replaced the defaults; nil: they did not
	replaced bool
	known    []string // codes of Spec.Rules, sorted
	levels   []level  // most specific pattern first
}

type level struct {
	pattern  string
	severity diag.Severity
}

// NewSelection checks p against the rules of spec. A pattern that matches no
// rule, or a level that is none, is a [usererr.Error] with the place from
// p.Where and the nearest code. An engine that lists no rules takes every
// pattern.
func NewSelection(spec *Spec, p Picks) (Selection, error) {
	s := Selection{ignore: p.Ignore, replaced: len(p.Select) > 0}
	for i := range spec.Rules {
		s.known = append(s.known, spec.Rules[i].Code)
	}
	slices.Sort(s.known)
	lists := []struct {
		key      string
		patterns []string
	}{{"select", p.Select}, {"extend_select", p.ExtendSelect}, {"ignore", p.Ignore}}
	for _, l := range lists {
		for _, pat := range l.patterns {
			if err := s.check(spec, p.Where, l.key, pat); err != nil {
				return Selection{}, err
			}
		}
	}
	s.selects = slices.Concat(p.Select, p.ExtendSelect)
	for i := range spec.Rules {
		r := &spec.Rules[i]
		on := r.Default && !s.replaced || matchesAny(r.Code, s.selects) || slices.Contains(syntaxCodes, r.Code)
		if !on || matchesAny(r.Code, p.Ignore) {
			s.off = append(s.off, r.Code)
		}
	}
	slices.Sort(s.off)
	return s, s.setLevels(spec, p)
}

func (s *Selection) check(spec *Spec, where func(key, pattern string) string, key, pattern string) error {
	if pattern != AllCodes && strings.TrimSpace(pattern) == "" {
		return usererr.Newf("unknown-rule", "%sempty code in %s of %s", at(where, key, pattern), key, spec.Name)
	}
	matches := func(code string) bool { return MatchesCode(code, pattern) }
	if len(s.known) == 0 || spec.Open || pattern == AllCodes || slices.ContainsFunc(s.known, matches) || slices.ContainsFunc(spec.Granted, matches) {
		return nil
	}
	err := usererr.Newf("unknown-rule", "%sunknown rule %q in %s of %s", at(where, key, pattern), pattern, key, spec.Name)
	if n := usererr.Nearest(pattern, s.known); n != "" {
		err.Hint = "did you mean " + n + "?"
	} else {
		err.Hint = "poly explain " + spec.Name + " lists its rules"
	}
	return err
}

func at(where func(key, pattern string) string, key, pattern string) string {
	if where == nil {
		return ""
	}
	if w := where(key, pattern); w != "" {
		return w + ": "
	}
	return ""
}

func (s *Selection) setLevels(spec *Spec, p Picks) error {
	for pat, name := range p.Levels {
		if err := s.check(spec, p.Where, "rules", pat); err != nil {
			return err
		}
		sev, ok := diag.ParseSeverity(name)
		if !ok {
			return &usererr.Error{
				Code: "bad-level",
				Msg:  at(p.Where, "rules", pat) + `level "` + name + `" of rule ` + pat + " of " + spec.Name + " is none",
				Hint: "levels are error, warning, info and hint",
			}
		}
		s.levels = append(s.levels, level{pat, sev})
	}
	// Longest first: an exact code is longer than any prefix of it. ALL is last.
	slices.SortFunc(s.levels, func(a, b level) int {
		if all := a.pattern == AllCodes; all != (b.pattern == AllCodes) {
			if all {
				return 1
			}
			return -1
		}
		if d := len(b.pattern) - len(a.pattern); d != 0 {
			return d
		}
		return strings.Compare(a.pattern, b.pattern)
	})
	return nil
}

// Allows reports whether diagnostics with this code are reported. A diagnostic
// without a code always is.
func (s Selection) Allows(code string) bool {
	if code == "" {
		return true
	}
	if _, known := slices.BinarySearch(s.known, code); known {
		_, off := slices.BinarySearch(s.off, code)
		return !off
	}
	if matchesAny(code, s.ignore) {
		return false
	}
	return !s.replaced || matchesAny(code, s.selects) || slices.Contains(syntaxCodes, code)
}

// Lists tells whether select or extend_select name this very code.
func (s Selection) Lists(code string) bool { return slices.Contains(s.selects, code) }

// Reports tells whether d is reported: its code is allowed, or a tool's own
// configuration asks for it and this one neither ignores it nor selects others.
func (s Selection) Reports(d *diag.Diagnostic) bool {
	return s.Allows(d.Code) || d.Asked && !s.replaced && !matchesAny(d.Code, s.ignore)
}

// Severity returns the level configured for d's code, else d's own severity.
// An exact code beats a prefix and a longer prefix beats a shorter one.
func (s Selection) Severity(d *diag.Diagnostic) diag.Severity {
	if d.Code != "" {
		for _, l := range s.levels {
			if MatchesCode(d.Code, l.pattern) {
				return l.severity
			}
		}
	}
	return d.Severity
}

// MatchesCode reports whether a pattern of select, ignore, rules or
// per-file-ignores covers code: [AllCodes]; the code itself; or a prefix of it
// that is not followed by a letter, so F covers F401 but not FOO. Neither an
// empty pattern nor an empty code matches anything.
func MatchesCode(code, pattern string) bool {
	if code == "" || pattern == "" {
		return false
	}
	if pattern == AllCodes {
		return true
	}
	rest, ok := strings.CutPrefix(code, pattern)
	return ok && (rest == "" || !isLetter(rest[0]))
}

func matchesAny(code string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return MatchesCode(code, p) })
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
