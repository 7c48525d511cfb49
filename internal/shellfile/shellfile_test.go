package shellfile

import (
	"errors"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

func TestParseLimits(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		want       error
	}{
		{"plain", "echo a\n", nil},
		{"nul", "echo \x00\n", ErrBinary},
		{"long", strings.Repeat("echo aaaaaaaaaaaaaaaaaaaaaaaaaaa\n", 1<<16+1), ErrSize},
		{"lines", strings.Repeat("\n", 1<<18), ErrSize},
		{"brackets", strings.Repeat("(", 5000) + strings.Repeat(")", 5000), ErrDepth},
		{"closed brackets", strings.Repeat("(a)\n", 5000), nil},
		{"back quotes", strings.Repeat("`", 60_000), ErrDepth},
		{"negations", "echo $((" + strings.Repeat("- ", 60_000) + "1))", ErrDepth},
		{"pipes", strings.Repeat("a|", 300_000) + "a\n", ErrDepth},
		{"commands", strings.Repeat("if ", 60_000), ErrDepth},
		{"closed commands", strings.Repeat("if a; then b; fi\n", 10_000), nil},
		{"ruler", "# " + strings.Repeat("#", 60_000) + "\n", nil},
	} {
		_, err := Parse([]byte(tc.text), syntax.LangBash)
		if !errors.Is(err, tc.want) || Refused(err) != (tc.want != nil) {
			t.Errorf("%s: Parse = %v, want %v", tc.name, err, tc.want)
		}
	}
}

func TestVariant(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		path, text string
		want       syntax.LangVariant
	}{
		{"a.sh", "", syntax.LangBash},
		{"a.sh", "#!/bin/sh\n", syntax.LangPOSIX},
		{"a", "#!/bin/dash\n", syntax.LangPOSIX},
		{"a.ksh", "", syntax.LangBash},
		{"a", "#!/bin/mksh\n", syntax.LangMirBSDKorn},
		{"a.bats", "", syntax.LangBats},
		{".zshrc", "", syntax.LangZsh},
		{"a.bash", "# shellcheck shell=sh\n", syntax.LangPOSIX},
	} {
		if got, _ := Variant(tc.path, []byte(tc.text)); got != tc.want {
			t.Errorf("Variant(%q, %q) = %v, want %v", tc.path, tc.text, got, tc.want)
		}
	}
}
