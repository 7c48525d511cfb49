package compose

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

func run(tb testing.TB, text string) ([]diag.Diagnostic, error) {
	tb.Helper()
	l := &linter{}
	d, err := l.lint(tb.Context(), engine.Source{Path: "compose.yaml", Lang: lang.YAML, Text: []byte(text)})
	for _, x := range d {
		if s := x.Span; s.Start < 0 || s.End < s.Start || s.End > len(text) {
			tb.Errorf("lint(%.80q): span %d-%d of %q is not inside %d bytes", text, s.Start, s.End, x.Title, len(text))
		}
		if !utf8.ValidString(x.Title) || strings.ContainsAny(x.Title, "\n") {
			tb.Errorf("lint(%.80q): title %q", text, x.Title)
		}
	}
	return d, err
}

func TestClassOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]class{
		"compose.yaml": whole, "a/b/docker-compose.yml": whole, "Compose.YML": whole, "docker-compose.prod.yml": partial, "compose.override.yaml": partial,
		"docker-compose-dev.yaml": partial, "compose-dev.yml": partial, ".devcontainer/docker-compose.yml": partial,
		".github/workflows/docker-compose.yml": other, "composer.yaml": other, "my-compose.yaml": other, "compose.json": other, "compose": other,
	} {
		if got := classOf(path); got != want {
			t.Errorf("classOf(%q) = %d, want %d", path, got, want)
		}
	}
}

func TestKindOf(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"abc": "a string", `"5"`: "a string", "5": "a whole number", "-1": "a whole number", "1.5": "a number", "true": "true or false",
		"yes": "a string", "": "nothing", "~": "nothing", "1.2.3.4": "a string", "10m": "a string", "80:80": "a string", "1.10.3-alpine": "a string",
		"2024-01-02": text.String(), "0755": text.String(), "0x1F": text.String(), "1e3": text.String(), "$A": text.String(), "!!str 5": anyKind.String(),
		"[a]": "a list", "{a: b}": "a mapping",
	} {
		f := load(t, "k: "+value+"\n")
		if got := kindOf(f.root.Items[1]); got.String() != want {
			t.Errorf("kindOf(%s) = %s, want %s", value, got, want)
		}
	}
}

func TestBadVariable(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"${A}": false, "${a_1:-x}": false, "${A-}": false, "${A?no}": false, "${A:+${B}}": false, "$${#x}": false, "$1 $( $": false, "$A": false,
		"${": true, "${}": true, "${1}": true, "${#x}": true, "${A.B}": true, "${A/x/y}": true, "${A:-x": true, "a $$ ${A B}": true, "${A:}": true,
	} {
		if _, got := badVariable(value); got != want {
			t.Errorf("badVariable(%q) = %v, want %v", value, got, want)
		}
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	var bomb, merges, chain strings.Builder
	bomb.WriteString("x-a0: &a0 {k: 1}\n")
	merges.WriteString("x-m0: &m0 {k0: 1}\n")
	for i := range 200 {
		fmt.Fprintf(&bomb, "x-a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 9), ","))
		fmt.Fprintf(&merges, "x-m%d: &m%d {<<: [%s], k%d: 1}\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*m%d,", i), 9), ","), i+1)
	}
	chain.WriteString("services:\n")
	for i := range 5000 {
		fmt.Fprintf(&chain, "  s%d: {image: a, depends_on: [s%d], container_name: c, ports: [\"%d:80\"]}\n", i, i+1, i+1)
	}
	for _, tc := range []struct{ name, text string }{
		{"alias bomb", bomb.String() + "services:\n  a: {image: a, labels: *a200, command: *a200}\n"},
		{"merge bomb", merges.String() + "services:\n  a:\n    <<: *m200\n    image: a\n"},
		{"long chain", chain.String()},
		{"deep", "services: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000)},
		{"merges itself", "services: &s\n  <<: *s\n  a: &a\n    <<: *a\n    image: x\n"},
		{"odd keys", "services:\n  ? [a]\n  : {image: b}\n  ? {c: d}\n  : 1\n  5: {image: x}\n  ~: {image: y}\n"},
		{"not UTF-8", "services:\n  \"\\xff\": {image: a, foo: \"\xfe\"}\n"},
		{"no value", "services:\nnetworks:\nvolumes:\nname:\nversion:\ninclude:\n"},
		{"scalar", "services"},
		{"unknown alias", "services: *x\nnetworks: {a: *y}\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if _, err := run(t, tc.text); err != nil && !errors.As(err, new(*engine.SkipError)) {
				t.Errorf("lint: %v", err)
			}
		})
	}
}

// load reads a file without judging it.
func load(tb testing.TB, text string) *file {
	tb.Helper()
	f, err := read([]byte(text))
	if err != nil || f == nil {
		tb.Fatalf("read(%q) = %v, %v", text, f, err)
	}
	return f
}

func FuzzLint(f *testing.F) {
	for _, s := range []string{
		"x-a: &a {b: [c]}\nservices:\n  w:\n    <<: *a\n    image: ${A:-b}\n    ports: [\"1:2\", {target: 3}]\n    depends_on: {w: {condition: x}}\n",
		"version: '3'\nservices: {a: {build: {args: [a]}, volumes: [v:/x], networks: {n: }}}\nnetworks: {n: {external: true, driver: x}}\nsecrets: {s: {}}\n",
		"services: {a: !reset null, b: {extends: a, restart: no, healthcheck: {test: [a]}}}\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := run(t, text); err != nil && !errors.As(err, new(*engine.SkipError)) {
			t.Errorf("lint(%q): %v", text, err)
		}
	})
}
