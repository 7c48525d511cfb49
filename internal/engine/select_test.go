package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/usererr"
)

var spec = &engine.Spec{
	Name:    "demo",
	Granted: []string{"W902"},
	Rules: []engine.Rule{
		{Code: "F401", Default: true},
		{Code: "F811", Default: true},
		{Code: "FOO1"},
		{Code: "E501"},
		{Code: "lint/a", Default: true},
		{Code: "lint/b"},
		{Code: "syntax", Default: true},
	},
}

// TestSelection: select replaces, extend_select adds, ignore removes last.
func TestSelection(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		picks engine.Picks
		want  string
	}{
		{"defaults", engine.Picks{}, "F401 F811 lint/a syntax"},
		{"select one", engine.Picks{Select: []string{"F401"}}, "F401 syntax"},
		{"select what is granted", engine.Picks{Select: []string{"W9", "F401"}, Ignore: []string{"W902"}}, "F401 syntax"},
		{"select nothing but that", engine.Picks{Select: []string{"W9"}}, "syntax"},
		{"select family", engine.Picks{Select: []string{"F"}}, "F401 F811 syntax"},
		{"select path prefix", engine.Picks{Select: []string{"lint"}}, "lint/a lint/b syntax"},
		{"select all", engine.Picks{Select: []string{"ALL"}}, "F401 F811 FOO1 E501 lint/a lint/b syntax"},
		{"extend", engine.Picks{ExtendSelect: []string{"E501", "FOO1"}}, "F401 F811 FOO1 E501 lint/a syntax"},
		{"select and extend", engine.Picks{Select: []string{"E501"}, ExtendSelect: []string{"lint/b"}}, "E501 lint/b syntax"},
		{"ignore", engine.Picks{Ignore: []string{"F"}}, "lint/a syntax"},
		{"ignore outranks", engine.Picks{Select: []string{"F"}, ExtendSelect: []string{"F401"}, Ignore: []string{"F401"}}, "F811 syntax"},
		{"ignore all", engine.Picks{Ignore: []string{"ALL"}}, ""},
		{"syntax can be ignored", engine.Picks{Ignore: []string{"syntax"}}, "F401 F811 lint/a"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s, err := engine.NewSelection(spec, tc.picks)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i := range spec.Rules {
				if s.Allows(spec.Rules[i].Code) {
					got = append(got, spec.Rules[i].Code)
				}
			}
			if d := cmp.Diff(strings.Fields(tc.want), got); d != "" && len(got)+len(tc.want) > 0 {
				t.Error(d)
			}
			if !s.Allows("") {
				t.Error("a diagnostic without a code is left out")
			}
		})
	}
}

// TestSelectionMistakes: a code that is none is named, with its place and the nearest.
func TestSelectionMistakes(t *testing.T) {
	t.Parallel()
	where := func(_, _ string) string { return "poly.toml:7" }
	tests := []struct {
		name  string
		picks engine.Picks
		msg   string
		hint  string
	}{
		{"select", engine.Picks{Select: []string{"F402"}, Where: where}, `poly.toml:7: unknown rule "F402" in select of demo`, "did you mean F401?"},
		{"letters do not follow", engine.Picks{Ignore: []string{"FO"}, Where: where}, `poly.toml:7: unknown rule "FO" in ignore of demo`, "poly explain demo lists its rules"},
		{"no place", engine.Picks{ExtendSelect: []string{"zzzzzzz"}}, `unknown rule "zzzzzzz" in extend_select of demo`, "poly explain demo lists its rules"},
		{"empty", engine.Picks{Select: []string{""}, Where: where}, `poly.toml:7: empty code in select of demo`, ""},
		{"level", engine.Picks{Levels: map[string]string{"F": "loud"}, Where: where}, `poly.toml:7: level "loud" of rule F of demo is none`, "levels are error, warning, info and hint"},
		{"level of nothing", engine.Picks{Levels: map[string]string{"syntaks": "info"}}, `unknown rule "syntaks" in rules of demo`, "did you mean syntax?"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := engine.NewSelection(spec, tc.picks)
			var u *usererr.Error
			if !errors.As(err, &u) || u.Msg != tc.msg || u.Hint != tc.hint {
				t.Errorf("NewSelection: %+v, want %q, hint %q", err, tc.msg, tc.hint)
			}
		})
	}
}

// TestSeverity: an exact code beats a prefix, a long prefix a short one, ALL none.
func TestSeverity(t *testing.T) {
	t.Parallel()
	s, err := engine.NewSelection(spec, engine.Picks{Levels: map[string]string{
		"ALL": "hint", "F": "info", "F4": "warn", "F401": "error", "lint": "help",
	}})
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]diag.Severity{
		"F401": diag.Error, "F402": diag.Warning, "F811": diag.Info, "FOO1": diag.Hint, "lint/a": diag.Hint, "": diag.Warning,
	} {
		if got := s.Severity(&diag.Diagnostic{Code: code, Severity: diag.Warning}); got != want {
			t.Errorf("Severity(%q) = %v, want %v", code, got, want)
		}
	}
	var none engine.Selection
	if got := none.Severity(&diag.Diagnostic{Code: "F401", Severity: diag.Info}); got != diag.Info || !none.Allows("anything") {
		t.Errorf("the zero Selection: severity %v, allows %v", got, none.Allows("anything"))
	}
}

// TestOpenRules: an engine without a list of rules takes any pattern.
func TestOpenRules(t *testing.T) {
	t.Parallel()
	s, err := engine.NewSelection(&engine.Spec{Name: "open"}, engine.Picks{Select: []string{"SC"}, Ignore: []string{"SC2"}})
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]bool{"SC1000": true, "SC2086": false, "X1": false, "": true, "parse-error": true} {
		if got := s.Allows(code); got != want {
			t.Errorf("Allows(%q) = %v, want %v", code, got, want)
		}
	}
}

// TestMatchesCode: prefixes end where letters do.
func TestMatchesCode(t *testing.T) {
	t.Parallel()
	tests := []struct {
		code, pattern string
		want          bool
	}{
		{"F401", "F", true},
		{"F401", "F401", true},
		{"F401", "F40", true},
		{"FOO", "F", false},
		{"F", "F401", false},
		{"lint/a", "lint", true},
		{"lint-x", "lint", true},
		{"linter", "lint", false},
		{"F401", "ALL", true},
		{"F401", "", false},
		{"", "ALL", false},
		{"", "", false},
		{"f401", "F", false},
	}
	for _, tc := range tests {
		if got := engine.MatchesCode(tc.code, tc.pattern); got != tc.want {
			t.Errorf("MatchesCode(%q, %q) = %v, want %v", tc.code, tc.pattern, got, tc.want)
		}
	}
}

// TestReports: what a tool's own configuration asks for is reported unless
// ours says something of it.
func TestReports(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		picks engine.Picks
		code  string
		asked bool
		want  bool
	}{
		{"on by default", engine.Picks{}, "F401", false, true},
		{"off by default", engine.Picks{}, "E501", false, false},
		{"off by default, asked for", engine.Picks{}, "E501", true, true},
		{"ignored, asked for", engine.Picks{Ignore: []string{"E"}}, "E501", true, false},
		{"others selected, asked for", engine.Picks{Select: []string{"F"}}, "E501", true, false},
		{"others added, asked for", engine.Picks{ExtendSelect: []string{"FOO1"}}, "E501", true, true},
		{"not listed, asked for", engine.Picks{Ignore: []string{"other"}}, "other", true, false},
	}
	for _, tc := range tests {
		open := &engine.Spec{Name: "open"} // takes every pattern
		s, err := engine.NewSelection(spec, tc.picks)
		if tc.code == "other" {
			s, err = engine.NewSelection(open, tc.picks)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Reports(&diag.Diagnostic{Code: tc.code, Asked: tc.asked}); got != tc.want {
			t.Errorf("%s: Reports = %v", tc.name, got)
		}
	}
}
