package yaml

import (
	"regexp"
	"slices"

	"poly/internal/diag"
	"poly/internal/engine"
)

// Parameters of rules.
const (
	keyMerge    = "merge_keys"
	keyAllowed  = "allowed_values"
	keyKeys     = "check_keys"
	keyImplicit = "implicit"
	keyExplicit = "explicit"
	keyIgnored  = "ignored_keys"
)

// settings say what is reported and how.
type settings struct {
	merge    bool     // duplicate-key: of `<<` too
	allowed  []string // truthy
	keys     bool     // truthy: keys too
	implicit bool     // octal: 0644
	explicit bool     // octal: 0o644
	order    bool     // key-ordering is on
	asked    bool     // by a native configuration
	ignored  []*regexp.Regexp
	off      []string // codes a native configuration switches off
	levels   map[string]diag.Severity
}

func defaults() settings {
	return settings{merge: true, allowed: []string{"true", "True", "TRUE", "false", "False", "FALSE"}, implicit: true}
}

// with returns s with the parameters that poly.toml sets.
func (s settings) with(e engine.Env) (settings, error) {
	set := func(code, name string, to *bool) {
		if _, ok := e.Params[code][name]; ok {
			*to = e.Params[code].Bool(name)
		}
	}
	set(codeDuplicate, keyMerge, &s.merge)
	set(codeTruthy, keyKeys, &s.keys)
	set(codeOctal, keyImplicit, &s.implicit)
	set(codeOctal, keyExplicit, &s.explicit)
	if list := e.Params[codeTruthy].Strings(keyAllowed); list != nil {
		s.allowed = list
	}
	if list := e.Params[codeOrder].Strings(keyIgnored); list != nil {
		var err error
		if s.ignored, err = compile(list); err != nil {
			return s, engine.BadRegexp(codeOrder, keyIgnored, "", err)
		}
	}
	s.order = s.order || e.Rules.Allows(codeOrder)
	return s, nil
}

func compile(list []string) ([]*regexp.Regexp, error) {
	var out []*regexp.Regexp
	for _, text := range list {
		re, err := regexp.Compile(text)
		if err != nil {
			return nil, err
		}
		out = append(out, re)
	}
	return out, nil
}

// finish applies what s says about whole rules to findings.
func (s *settings) finish(out []diag.Diagnostic) []diag.Diagnostic {
	if len(s.off) > 0 {
		out = slices.DeleteFunc(out, func(d diag.Diagnostic) bool { return slices.Contains(s.off, d.Code) })
	}
	for i := range out {
		if level, ok := s.levels[out[i].Code]; ok {
			out[i].Severity = level
		}
		out[i].Asked = s.asked && out[i].Code == codeOrder
	}
	return out
}
