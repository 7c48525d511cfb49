package ruff

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/usererr"
)

const (
	// defaultMinor is the Python 3 that is aimed at where none is named.
	defaultMinor = 11
	// maxWidth is the widest line ruff takes.
	maxWidth = 320
)

// object is a table of ruff's settings, by the names of its configuration.
type object = map[string]any

// settings are what one table of settings comes to.
type settings struct {
	options object
	minor   int      // of the Python aimed at; 0: as the project requires
	src     []string // folders from the root
	asked   bool     // they are those of a native file: what they select is reported
}

// target reads "py311" or "3.11".
func target(version string) (minor int, err error) {
	digits := strings.TrimPrefix(version, "py3")
	if digits == version {
		digits = strings.TrimPrefix(version, "3.")
	}
	minor, err = strconv.Atoi(digits)
	if err != nil || digits == version || minor < 7 || minor > 15 {
		return 0, &usererr.Error{
			Code: "bad-value", Msg: fmt.Sprintf("target_version %q is none", version), Hint: "versions are py37 to py315, or 3.7 to 3.15",
		}
	}
	return minor, nil
}

// settingsOf returns the settings of poly.toml.
func settingsOf(e *engine.Env) (*settings, error) {
	s := &settings{options: object{}, src: []string{".", "src"}}
	if v := e.Options.String("target_version"); v != "" {
		var err error
		if s.minor, err = target(v); err != nil {
			return nil, err
		}
	}
	columns := e.Globals.LineLength
	if n := e.Options.Int("line_length"); n > 0 {
		columns = n
	}
	s.options["line-length"] = width(columns)
	s.options["indent-width"] = indent(e)
	if src := e.Options.Strings("src"); len(src) > 0 {
		s.src = src
	}
	s.lint(e)
	s.format(e)
	return s, previews(e)
}

// previews refuses a preview that is named and would not be looked for. Where
// a prefix covers it, it is left out as by ruff.
func previews(e *engine.Env) error {
	if e.Options.Bool("preview") {
		return nil
	}
	for i := range facts {
		if f := &facts[i]; f.preview && e.Rules.Lists(f.code) {
			return &engine.OptionError{
				Option: "preview", Err: fmt.Errorf("rule %s is a preview, and is looked for only with preview = true", f.code),
				Hint: "set preview = true in the table of ruff, or take " + f.code + " out of it",
			}
		}
	}
	return nil
}

// settingsIn returns the settings of a native file. What it does not say is as
// ruff has it, unless somebody wrote it down for poly.
func settingsIn(e *engine.Env, n *native) *settings {
	s := &settings{options: maps.Clone(n.options), minor: n.minor, src: n.src, asked: true}
	if s.src == nil {
		dir := path.Dir(n.path)
		s.src = []string{dir, path.Join(dir, "src")}
	}
	g := &e.Globals
	layout := func(key string, given config.Given, v any) {
		if _, own := s.options[key]; !own && g.Given(given) {
			s.options[key] = v
		}
	}
	layout("line-length", config.GivenLineLength, width(g.LineLength))
	layout("indent-width", config.GivenIndentWidth, indent(e))
	f := cloned(s.options, "format")
	if ending := lineEnding(g); f["line-ending"] == nil && ending != "" {
		f["line-ending"] = ending
	}
	return s
}

func width(columns int) float64 {
	if columns <= 0 || columns > maxWidth {
		return maxWidth
	}
	return float64(columns)
}

func indent(e *engine.Env) float64 { return float64(max(1, min(e.Globals.Blanks(e.Lang), 16))) }

// lineEnding is ruff's word for the ends of lines asked for; "": as the file has them.
func lineEnding(g *engine.Globals) string {
	switch {
	case g.CRLF:
		return "cr-lf"
	case g.LF:
		return "lf"
	}
	return ""
}

func (s *settings) lint(e *engine.Env) {
	preview := e.Options.Bool("preview")
	lint := object{"select": selected(e, preview), "preview": preview}
	for _, o := range []struct{ option, table, key string }{
		{"mccabe_max_complexity", "mccabe", "max-complexity"},
		{"pylint_max_args", "pylint", "max-args"},
		{"pylint_max_branches", "pylint", "max-branches"},
		{"pylint_max_returns", "pylint", "max-returns"},
	} {
		if n, ok := e.Options[o.option].(int); ok {
			put(lint, o.table, o.key, float64(n))
		}
	}
	if c := e.Options.String("pydocstyle_convention"); c != "" {
		put(lint, "pydocstyle", "convention", c)
	}
	for _, o := range []struct{ option, key string }{{"known_first_party", "known-first-party"}, {"known_third_party", "known-third-party"}} {
		if list := e.Options.Strings(o.option); len(list) > 0 {
			put(lint, "isort", o.key, list)
		}
	}
	s.options["lint"] = lint
}

// put sets a key of a table inside of another one.
func put(in object, table, key string, v any) {
	t, ok := in[table].(object)
	if !ok {
		t = object{}
		in[table] = t
	}
	t[key] = v
}

// selected lists the codes in force. Ruff is asked for exactly these.
func selected(e *engine.Env, preview bool) []string {
	var out []string
	off := contradicts(e.Options.String("pydocstyle_convention"))
	for i := range facts {
		f := &facts[i]
		switch {
		case !e.Rules.Allows(f.code) || f.preview && !preview:
		case (f.code == "B008" || slices.Contains(off, f.code)) && !e.Rules.Lists(f.code):
		default:
			out = append(out, f.code)
		}
	}
	return out
}

// contradicts lists the rules that ruff leaves out under a convention of
// docstrings unless they are named.
func contradicts(convention string) []string {
	switch convention {
	case "google":
		return strings.Fields("D203 D204 D213 D215 D400 D401 D404 D406 D407 D408 D409 D413")
	case "numpy":
		return strings.Fields("D107 D203 D212 D213 D402 D413 D415 D416 D417")
	case "pep257":
		return strings.Fields("D203 D212 D213 D214 D215 D404 D405 D406 D407 D408 D409 D410 D411 D413 D415 D416 D417 D420")
	}
	return nil
}

func (s *settings) format(e *engine.Env) {
	f := object{"docstring-code-format": e.Options.Bool("docstring_code_format"), "preview": e.Options.Bool("preview")}
	for option, key := range map[string]string{"quote_style": "quote-style", "indent_style": "indent-style", "line_ending": "line-ending"} {
		if v := e.Options.String(option); v != "" {
			f[key] = v
		}
	}
	if f["indent-style"] == nil && e.Globals.Tabs {
		f["indent-style"] = "tab"
	}
	if ending := lineEnding(&e.Globals); f["line-ending"] == nil && ending != "" {
		f["line-ending"] = ending
	}
	if e.Options.Bool("skip_magic_trailing_comma") {
		f["skip-magic-trailing-comma"] = true
	}
	if n := e.Options.Int("docstring_code_line_length"); n > 0 {
		f["docstring-code-line-length"] = float64(n)
	}
	s.options["format"] = f
}

// with returns the settings as they are for files that find the modules of p.
func (s *settings) with(p *party) object {
	options := maps.Clone(s.options)
	lint := cloned(options, "lint")
	sort := cloned(lint, "isort")
	sort["known-first-party"] = merged(sort["known-first-party"], p.modules)
	sort["known-third-party"] = merged(sort["known-third-party"], p.others)
	return options
}

// cloned replaces a table inside of another one by a copy and returns it.
func cloned(in object, key string) object {
	t, _ := in[key].(object)
	if t = maps.Clone(t); t == nil {
		t = object{}
	}
	in[key] = t
	return t
}

// merged adds names to a list of settings. What somebody wrote comes first.
func merged(have any, names []string) []any {
	var out []any
	switch have := have.(type) {
	case []string:
		for _, n := range have {
			out = append(out, n)
		}
	case []any:
		out = slices.Clone(have)
	}
	for _, n := range names {
		if !slices.Contains(out, any(n)) {
			out = append(out, n)
		}
	}
	return out
}
