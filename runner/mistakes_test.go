package runner_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// picky is an engine with an option, and a rule with a parameter, that must be
// regular expressions.
func picky(name string, langs ...lang.ID) engine.Engine {
	e := linter(name, nil, langs...)
	e.Options = []config.Option{{Name: "words", Type: config.Strings, Doc: "Words."}}
	e.Rules = []engine.Rule{{
		Code: "spelling", Severity: diag.Warning, Default: true, Doc: "X",
		Options: []config.Option{{Name: "pattern", Type: config.String, Doc: "A pattern."}},
	}}
	e.Bind = func(_ context.Context, env engine.Env) (engine.Bound, error) {
		for _, w := range env.Options.Strings("words") {
			if _, err := regexp.Compile(w); err != nil {
				return engine.Bound{}, engine.BadRegexp("", "words", w, err)
			}
		}
		switch p := env.Params["spelling"].String("pattern"); p {
		case "whole":
			return engine.Bound{}, &engine.OptionError{Rule: "spelling", Err: errors.New("they do not go together")}
		case "(":
			return engine.Bound{}, engine.BadRegexp("spelling", "pattern", "", errors.New("missing"))
		}
		return engine.Bound{Open: engine.Stateless(engine.Funcs{})}, nil
	}
	return e
}

// TestMistakes: a code that no rule has and a value that an engine does not
// take end the run with the place, whether there are files of the language,
// whether it has an engine of its own, whether the engine is on.
func TestMistakes(t *testing.T) {
	t.Parallel()
	off := picky("optin")
	off.OptIn = true
	p := newPlace(t, picky("cross"), off, picky("own", lang.Go))
	p.Write("a.go", "package a\n")
	for _, tc := range []struct{ toml, want string }{
		{"[lint.ada.cross]\nselect = ['spellin']\n", `poly.toml:2: unknown rule "spellin" in select of cross`},
		{"[lint.ada.cross]\nignore = [\n'spelling',\n'spellin']\n", `poly.toml:4: unknown rule "spellin" in ignore of cross`},
		{"[lint.ada.cross.rules.spellin]\nlevel = 'error'\n", `poly.toml:2: unknown rule "spellin" in rules of cross`},
		{"[lint.ada.optin]\nselect = ['spellin']\n", `poly.toml:2: unknown rule`},
		{"[lint.optin]\nselect = ['spellin']\n", `poly.toml:2: unknown rule`},
		{"[lint.go.own]\nenabled = false\nignore = ['spellin']\n", `poly.toml:3: unknown rule`},
		{"[lint.ada.cross]\nword = ['a']\n", `poly.toml:2: unknown key "word"`},
		{"[lint.ada.cross]\nwords = 3\n", `poly.toml:2: words in [lint.ada.cross] must be`},
		{"[lint.ada.cross]\nwords = [\n'a',\n'(']\n", `poly.toml:4: bad value for cross: words: error parsing regexp`},
		{"[lint.cross]\nwords = '('\n", `poly.toml:2: bad value for cross: words: error parsing regexp`},
		{"[lint.go.own.rules.spelling]\npattern = '('\n", `poly.toml:2: bad value for own: rules.spelling.pattern: missing`},
		{"[lint.go.own.rules.spelling]\npattern = 'whole'\n", `poly.toml:1: bad value for own: rules.spelling: they do not go together`},
	} {
		p.Write("poly.toml", tc.toml)
		for _, cached := range []bool{true, false} {
			if _, err := p.try(t.Context(), engine.Lint, cached, nil); err == nil || !strings.HasPrefix(err.Error(), tc.want) {
				t.Errorf("%q: %v, want %s", tc.toml, err, tc.want)
			}
		}
	}
	p.Write("poly.toml", "[lint.ada.cross]\nselect = ['spelling']\nwords = ['a']\n[lint.optin]\nignore = ['spelling']\n")
	p.lint()
}
