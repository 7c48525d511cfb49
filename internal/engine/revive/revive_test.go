package revive

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	upstreamconfig "github.com/mgechev/revive/config"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// leftOut are the rules that one file without its imports cannot answer.
var leftOut = []string{"epoch-naming", "inefficient-map-lookup", "range-val-address", "time-equal", "unhandled-error"}

// TestTables: the tables list the rules of the library, on by default where
// they are there, and those that are made have a place in them.
func TestTables(t *testing.T) {
	t.Parallel()
	var want, wantOn, got, gotOn, made []string
	for _, r := range upstreamconfig.AllRules() {
		if !slices.Contains(leftOut, r.Name()) {
			want = append(want, r.Name())
		}
	}
	for _, r := range upstreamconfig.DefaultRules() {
		wantOn = append(wantOn, r.Name())
	}
	for i := range Engine.Rules {
		if code := Engine.Rules[i].Code; !strings.HasPrefix(code, "specify-disable-") {
			got = append(got, code)
			if Engine.Rules[i].Default {
				gotOn = append(gotOn, code)
			}
		}
	}
	for _, u := range library() {
		made = append(made, u.code)
		if name := u.make().Name(); name != u.code {
			t.Errorf("rule %s calls itself %s", u.code, name)
		}
	}
	for _, list := range [][]string{want, wantOn, got, gotOn, made} {
		slices.Sort(list)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("rules -library +tables:\n%s", d)
	}
	if d := cmp.Diff(wantOn, gotOn); d != "" {
		t.Errorf("on by default -library +tables:\n%s", d)
	}
	if d := cmp.Diff(got, made); d != "" {
		t.Errorf("-tables +made:\n%s", d)
	}
}

// judge runs the engine over one file, as the runner would.
func judge(t *testing.T, path, text string, params map[string]config.Values, p engine.Picks, files ...engine.Input) []string {
	t.Helper()
	sel, err := engine.NewSelection(&Engine.Spec, p)
	if err != nil {
		t.Fatal(err)
	}
	tree := fstest.MapFS{}
	for _, f := range files {
		tree[f.Path] = &fstest.MapFile{Data: f.Text}
	}
	b, err := Engine.Bind(t.Context(), engine.Env{Lang: lang.Go, Rules: sel, Params: params, Tree: tree})
	if err != nil {
		t.Fatal(err)
	}
	w, err := b.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	diags, err := w.Lint(t.Context(), engine.Source{Path: path, Lang: lang.Go, Text: []byte(text), Inputs: files})
	if err != nil {
		return []string{err.Error()}
	}
	diag.Sort(diags)
	var out []string
	for i := range diags {
		if sel.Reports(&diags[i]) {
			out = append(out, diags[i].Severity.String()+" "+diags[i].Code)
		}
	}
	return out
}

const odd = "package p\n\nfunc A(a, b int) { a += 1; println(a) }\n"

// TestNative: a revive.toml in any spelling, beneath poly.toml.
func TestNative(t *testing.T) {
	t.Parallel()
	native := func(path, text string) engine.Input { return engine.Input{Path: path, Text: []byte(text)} }
	for _, tc := range []struct {
		name   string
		path   string
		params map[string]config.Values
		picks  engine.Picks
		files  []engine.Input
		want   []string
	}{
		{"none", "p.go", nil, engine.Picks{}, nil, []string{"warning exported", "warning unused-parameter", "warning increment-decrement"}},
		{"a list", "p.go", nil, engine.Picks{}, []engine.Input{native("revive.toml", "[rule.use-fmt-print]\nseverity = \"error\"\n")}, []string{"error use-fmt-print"}},
		{"defaults", "p.go", nil, engine.Picks{}, []engine.Input{native("revive.toml", "enableDefaultRules = true\nseverity = \"error\"\n[rule.exported]\ndisabled = true\n")}, []string{"error unused-parameter", "error increment-decrement"}},
		{"ignored in poly.toml", "p.go", nil, engine.Picks{Ignore: []string{"use-fmt-print"}}, []engine.Input{native("revive.toml", "[rule.use-fmt-print]\n")}, nil},
		{"added in poly.toml", "p.go", nil, engine.Picks{ExtendSelect: []string{"use-fmt-print"}}, []engine.Input{native("revive.toml", "[rule.exported]\n")}, []string{"warning exported", "warning use-fmt-print"}},
		{"arguments", "p.go", nil, engine.Picks{}, []engine.Input{native("revive.toml", "[rule.argument-limit]\narguments = [1]\n")}, []string{"warning argument-limit"}},
		{"arguments of poly.toml", "p.go", map[string]config.Values{"argument-limit": {"max": 2}}, engine.Picks{}, []engine.Input{native("revive.toml", "[rule.argument-limit]\narguments = [1]\n")}, nil},
		{"excluded", "sub/p.go", nil, engine.Picks{}, []engine.Input{native("revive.toml", "exclude = [\"sub/**\"]\n[rule.exported]\n")}, nil},
		{"rule excluded", "sub/p.go", nil, engine.Picks{}, []engine.Input{native("revive.toml", "[rule.exported]\nexclude = [\"sub/*.go\"]\n[rule.use-fmt-print]\n")}, []string{"warning use-fmt-print"}},
		{"nearest", "sub/p.go", nil, engine.Picks{}, []engine.Input{native("sub/revive.toml", "[rule.use-fmt-print]\n"), native("revive.toml", "[rule.exported]\n")}, []string{"warning use-fmt-print"}},
		{"broken", "p.go", nil, engine.Picks{}, []engine.Input{native("revive.toml", "[rule\n")}, []string{"revive.toml:2: toml: line 2: expected '.' or ']' to end table name, but got '\\n' instead"}},
		{"bad argument", "p.go", nil, engine.Picks{}, []engine.Input{native("revive.toml", "[rule.argument-limit]\narguments = [\"x\"]\n")}, []string{`revive.toml:1: invalid value passed as argument number to the "argument-limit" rule`}},
		{"unknown rule", "p.go", nil, engine.Picks{}, []engine.Input{native("revive.toml", "[rule.unhandled-error]\n")}, nil},
		{"no go command", "p.go", nil, engine.Picks{}, []engine.Input{native("revive.toml", "[rule.package-naming]\narguments = [{ checkCollisionWithAllStd = true }]\n")}, nil},
		{"vendored", "vendor/a/p.go", nil, engine.Picks{}, nil, nil},
	} {
		got := judge(t, tc.path, odd, tc.params, tc.picks, tc.files...)
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s -want +got:\n%s", tc.name, d)
		}
	}
}

// TestNoImports: the types of imports are never asked for. If they were, the
// library would run the go command and report the first declaration.
func TestNoImports(t *testing.T) {
	t.Parallel()
	const text = "package p\n\nimport \"bytes\"\n\nvar a *bytes.Buffer = bytes.NewBuffer(nil)\n\ntype t struct{}\n\nvar b *t = &t{}\n"
	if got, want := judge(t, "p.go", text, nil, engine.Picks{}), []string{"warning var-declaration"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestBadParameter: what a rule refuses is an error of the configuration.
func TestBadParameter(t *testing.T) {
	t.Parallel()
	_, err := Engine.Bind(context.Background(), engine.Env{Lang: lang.Go, Params: map[string]config.Values{"filename-format": {"format": "("}}})
	if err == nil || !strings.Contains(err.Error(), "filename-format") {
		t.Errorf("Bind = %v", err)
	}
}

func TestPathClass(t *testing.T) {
	t.Parallel()
	plain, named := &linter{}, &linter{byPath: true}
	for path, want := range map[string][2]string{
		"a/b.go":          {"", "a/b.go"},
		"a/b_test.go":     {"test", "a/b_test.go"},
		"testdata/b.go":   {"testdata", "testdata"},
		"a/vendor/c/b.go": {"testdata", "testdata"},
	} {
		if got := [2]string{plain.pathClass(path), named.pathClass(path)}; got != want {
			t.Errorf("pathClass(%q) = %q, want %q", path, got, want)
		}
	}
}
