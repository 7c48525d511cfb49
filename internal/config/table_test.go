package config

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestEngineTable(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for _, tc := range []struct {
		name         string
		text         string
		verb         Verbs
		lang, engine string
		want         EngineConfig
	}{
		{
			"defaults", "", Lint, "python", "pylint",
			EngineConfig{
				Values: Values{"target": "py311", "depth": 3}, Params: map[string]Values{"E501": {"max": 80}},
				On: true,
			},
		},
		{
			"fmt has its own options", "[fmt.python.pylint]\ndepth = 4\nindent_width = 8\nenabled = false\n", Fmt, "python", "pylint",
			EngineConfig{
				Values: Values{"target": "py311", "depth": 4, "quotes": "double"}, IndentWidth: 8, Enabled: &no, Configured: true,
			},
		},
		{
			"selection and levels",
			"[lint.python.pylint]\nselect = 'E'\nextend_select = ['W']\nignore = []\nsrc = 'a'\n[lint.python.pylint.rules.F841]\nlevel = 'WARN'\n" +
				"[lint.python.pylint.rules.E501]\nmax = 99\nlevel = 'help'\n",
			Lint, "python", "pylint",
			EngineConfig{
				Values: Values{"target": "py311", "depth": 3, "src": []string{"a"}},
				Select: []string{"E"}, ExtendSelect: []string{"W"}, Ignore: []string{},
				Levels: []Level{{"E501", "hint", Origin{"poly.toml", 10, 1}}, {"F841", "warning", Origin{"poly.toml", 7, 1}}},
				Params: map[string]Values{"E501": {"max": 99}}, On: true, Configured: true,
			},
		},
		{
			"cross engine", "[lint.typos]\nextend_ignore_words = ['a', 'b']\nentropy = 4\n[lint.typos.extend_words]\nx = 'y'\n", Lint, "", "typos",
			EngineConfig{
				Values: Values{"entropy": 4.0, "extend_ignore_words": []string{"a", "b"}, "extend_words": map[string]string{"x": "y"}},
				On:     true, Configured: true,
			},
		},
		{
			"cross engine for a language",
			"[lint.typos]\nenabled = false\nignore = 'a'\nextend_ignore_words = ['a', 'b']\nentropy = 4\nextend_words = {x = 'y'}\n" +
				"[lint.go.typos]\nextend_ignore_words = ['b', 'c']\nextend_words = {z = ''}\nenabled = true\nignore = ['b']\n",
			Lint, "go", "typos",
			EngineConfig{
				Values: Values{"entropy": 4.0, "extend_ignore_words": []string{"a", "b", "c"}, "extend_words": map[string]string{"x": "y", "z": ""}},
				Ignore: []string{"b"}, Enabled: &yes, On: true, Configured: true,
			},
		},
		{
			"a name that is a language too, as engine", "[lint.text]\nstrict = true\n[lint.text.typos]\nentropy = 1\n", Lint, "", "text",
			EngineConfig{Values: Values{"strict": true}, On: true, Configured: true},
		},
		{
			"a name that is a language too, as language", "[lint.text]\nstrict = true\n[lint.text.typos]\nentropy = 1\n", Lint, "text", "typos",
			EngineConfig{Values: Values{"entropy": 1.0}, On: true, Configured: true},
		},
		{
			"engine and language of one name", "[fmt.text.text]\nstrict = false\n[fmt.text]\nstrict = true\n", Fmt, "text", "text",
			EngineConfig{Values: Values{"strict": false}, On: true, Configured: true},
		},
		{
			"language of that name only", "[lint.text.typos]\nentropy = 1\n", Lint, "", "text",
			EngineConfig{Values: Values{}, On: true},
		},
		{
			"opt-in, free tables and rules", "[lint.lua.free]\nsettings = {a = [1, {b = 2.5}]}\nrules.x = {level = 'info', any = 'thing'}\n", Lint, "lua", "free",
			EngineConfig{
				Values: Values{"settings": map[string]any{"a": []any{int64(1), map[string]any{"b": 2.5}}}},
				Levels: []Level{{"x", "info", Origin{"poly.toml", 3, 12}}}, Params: map[string]Values{"x": {"any": "thing"}}, Configured: true,
			},
		},
		{"no such engine", "", Lint, "lua", "nobody", EngineConfig{Values: Values{}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			e := one(t, tc.text)
			got := e.Lint(tc.lang, tc.engine)
			if tc.verb == Fmt {
				got = e.Fmt(tc.lang, tc.engine)
			}
			if diff := cmp.Diff(&tc.want, got, cmpopts.IgnoreUnexported(EngineConfig{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEngineOrigins(t *testing.T) {
	t.Parallel()
	c := load(t, map[string]string{
		"poly.toml": "[lint.typos]\nextend_ignore_words = [\n 'a',\n 'b']\nentropy = 2\nselect = ['x']\n[lint.go.typos]\nextend_ignore_words = 'c'\n",
	}).Root().Lint("go", "typos")
	for _, tc := range []struct {
		item string
		keys []string
		want string
	}{
		{"", []string{"entropy"}, "poly.toml:5"},
		{"", []string{"ignore"}, "default"},
		{"b", []string{"extend_ignore_words"}, "poly.toml:4"},
		{"c", []string{"extend_ignore_words"}, "poly.toml:8"},
		{"x", []string{"select"}, "poly.toml:6"},
		{"none", []string{"select"}, "poly.toml:6"},
	} {
		got := c.Origin(tc.keys...)
		if tc.item != "" {
			got = c.OriginOf(tc.item, tc.keys...)
		}
		if got.String() != tc.want {
			t.Errorf("OriginOf(%q, %q) = %v, want %s", tc.item, tc.keys, got, tc.want)
		}
	}
}

// Tables of engines that are elsewhere load and are named once; what means the
// same for an engine that is here is carried over.
func TestUpstreamEngines(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{
		"poly.toml": "[fmt.toml.taplo]\ncolumn_width = 80\n[lint.python.ruff]\nselect = ['F']\nodd = 1979-05-27\n[lint.secrets]\nenabled = true\n" +
			"[fmt.go.gofmt]\nenabled = true\n[fmt.yaml.pretty_yaml]\nindent_width = 4\nquotes = 'x'\n[lint.uncomment]\n[lint.lua.uncomment]\n" +
			"[fmt.lua.treesitter]\n",
		"a/poly.toml": "[fmt.toml.taplo]\n[fmt.go.gofumpt]\nmode = 'gofumpt'\n[fmt.yaml.yamlfmt]\nindent = 3\n",
		"b/poly.toml": "[fmt.go.gofmt]\nenabled = false\n",
	})
	want := []string{
		"poly.toml:6: [lint.secrets] has no effect: engine not in this build",
		"poly.toml:3: [lint.python.ruff] has no effect: engine not in this build",
		"poly.toml:13: [lint.uncomment] has no effect: engine not in this build",
		"poly.toml:14: [lint.lua.uncomment] has no effect: engine not in this build",
		"poly.toml:1: [fmt.toml.taplo] has no effect: engine not in this build",
		"poly.toml:10: quotes in [fmt.yaml.pretty_yaml] has no effect: yamlfmt, which is here instead of pretty_yaml, has no such key",
		"poly.toml:15: [fmt.lua.treesitter] has no effect: engine not in this build",
	}
	sorted := cmpopts.SortSlices(func(a, b string) bool { return a < b })
	if diff := cmp.Diff(want, s.Notes(), sorted); diff != "" {
		t.Error(diff)
	}
	root := s.Root()
	if c := root.Fmt("go", "gofumpt"); c.Values.String("mode") != "gofmt" || !*c.Enabled || c.Origin("mode").Line != 8 {
		t.Errorf("gofmt became %+v", c)
	}
	if c := root.Fmt("yaml", "yamlfmt"); c.IndentWidth != 4 || c.Values.Int("indent") != 2 {
		t.Errorf("pretty_yaml became %+v", c)
	}
	if c := s.For("a").Fmt("go", "gofumpt"); c.Values.String("mode") != "gofumpt" {
		t.Errorf("the nearer table does not outrank: %+v", c)
	}
	if c := s.For("b").Fmt("go", "gofumpt"); c.On {
		t.Errorf("enabled = false is lost: %+v", c)
	}
	own := one(t, "[fmt.go.gofmt]\n[fmt.go.gofumpt]\nmode = 'gofumpt'\n").Fmt("go", "gofumpt")
	if own.Values.String("mode") != "gofumpt" {
		t.Error("the alias outranks the engine's own table")
	}
	if got := root.Section("lint"); len(got) != 0 {
		t.Errorf("tables without effect are still in force: %v", got)
	}
}

// Digests follow what is in force, not how it is written.
func TestDigests(t *testing.T) {
	t.Parallel()
	type sums struct{ all, lint, fmt, scope bool }
	base := "[defaults]\nline_length = 100\n[lint.python.pylint]\nselect = ['A', 'B']\ndepth = 3\n[lint.typos]\nextend_words = {a = '1', b = '2'}\n[hooks.pre-commit]\nparallel = true\n"
	for _, tc := range []struct {
		name string
		text string
		want sums // what differs from base
	}{
		{"order of keys and tables", "[hooks.pre-commit]\nparallel = true\n[lint.typos]\nextend_words = {b = '2', a = '1'}\n[lint.python.pylint]\ndepth = 3\nselect = ['B', 'A', 'A']\n[defaults]\nline_length = 100\n", sums{}},
		{"dotted keys, comments", "# c\ndefaults.line_length = 100 # d\n[lint]\npython.pylint = {select = ['A', 'B'], depth = 3}\ntypos.extend_words.a = '1'\ntypos.extend_words.b = '2'\n[hooks.commit]\nparallel = true\n", sums{}},
		{"a default spelt out", base + "[fmt.python.pylint]\nenabled = true\nquotes = 'double'\n[cache]\nenabled = true\n[lint.go.gofumpt]\n", sums{}},
		{"a default of [defaults] spelt out", strings.Replace(base, "100\n", "100\nfinal_newline = true\n", 1), sums{all: true, lint: true, fmt: true}},
		{"a table without effect", base + "[fmt.toml.taplo]\nx = 1\n", sums{}},
		{"hooks", base + "piped = true\n", sums{all: true}},
		{"tools", base + "[tools.eslint]\nenabled = true\n", sums{all: true}},
		{"commit", base + "[commit]\nwrite = true\n", sums{all: true}},
		{"cache", base + "[cache]\nenabled = false\n", sums{all: true}},
		{"phase", base + "[lint]\nworkspace = false\n", sums{all: true}},
		{"a default setting", strings.Replace(base, "100", "101", 1), sums{all: true, lint: true, fmt: true}},
		{"lint option", strings.Replace(base, "depth = 3", "depth = 4", 1), sums{all: true, lint: true}},
		{"level", base + "[lint.python.pylint.rules.E501]\nlevel = 'info'\n", sums{all: true, lint: true}},
		{"lint off", base + "[lint.yaml.yaml]\nenabled = false\n", sums{all: true, lint: true}},
		{"fmt option", base + "[fmt.yaml.yamlfmt]\nindent = 3\n", sums{all: true, fmt: true}},
		{"exclude", base + "[discovery]\nexclude = 'a'\n", sums{all: true, scope: true}},
		{"size", base + "[discovery]\nmax_file_size = '1 MiB'\n", sums{all: true, scope: true}},
		{"per-file-ignores", base + "[per-file-ignores]\na = 'E'\n", sums{all: true, lint: true}},
		{"rules", base + "[rules]\ndisable = ['x']\n", sums{all: true, lint: true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			a, b := one(t, base), one(t, tc.text)
			got := sums{a.Digest() != b.Digest(), a.LintDigest() != b.LintDigest(), a.FmtDigest() != b.FmtDigest(), a.ScopeDigest() != b.ScopeDigest()}
			if got != tc.want {
				t.Errorf("differing digests = %+v, want %+v", got, tc.want)
			}
		})
	}
	order := func(globs string) [32]byte { return one(t, "[discovery]\nexclude = "+globs).ScopeDigest() }
	if order("['a', '!a']") == order("['!a', 'a']") {
		t.Error("the order of exclude means something")
	}
	a := one(t, "[lint.python.pylint]\ndepth = 4\n").Lint("python", "pylint")
	b := one(t, "[lint.python.pylint]\ndepth = 4\nrules.E501.level = 'info'\n").Lint("python", "pylint")
	c := one(t, "[lint.python.pylint]\ndepth = 4\nrules.E501.max = 81\n").Lint("python", "pylint")
	if a.Digest() != b.Digest() || a.Digest() == c.Digest() {
		t.Error("EngineConfig.Digest: levels must not count, parameters must")
	}
}

// The same configuration in another place has the same digest.
func TestDigestHasNoAbsolutePath(t *testing.T) {
	t.Parallel()
	at := func(root string) [32]byte {
		o := options(map[string]string{
			"poly.toml": "extends = '../shared/base.toml'\n", root + "/shared/base.toml": "[rules]\ndirs = ['r']\n[discovery]\nexclude='x'\n",
		})
		o.Root = root + "/repo"
		s, err := Load(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return s.Root().Digest()
	}
	if a, b := at("/home/a"), at("/srv"); a != b {
		t.Errorf("Digest = %s and %s", hex.EncodeToString(a[:4]), hex.EncodeToString(b[:4]))
	}
}
