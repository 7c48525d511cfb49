package config

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"poly/internal/usererr"
)

// testSchema is a build with made-up engines beside real names.
func testSchema() Schema {
	return Schema{
		Languages: []string{"go", "yaml", "json", "python", "markdown", "text", "toml", "shell", "lua"},
		Engines: []EngineTable{
			{Name: "pylint", Langs: []string{"python"}, Lint: true, Fmt: true, Options: []Option{
				{Name: "target", Type: String, Enum: []string{"py311", "py312"}, Default: "py311", Doc: "Version."},
				{Name: "depth", Type: Int, Default: 3, Min: 1, Max: 9},
				{Name: "src", Type: Strings},
				{Name: "quotes", Type: String, Default: "double", Verbs: Fmt},
			}, Rules: []RuleTable{{Code: "E501", Options: []Option{{Name: "max", Type: Int, Default: 80, Min: 1}}}, {Code: "F401"}}},
			{Name: "typos", Lint: true, Options: []Option{
				{Name: "extend_ignore_words", Type: Strings, Accumulate: true},
				{Name: "extend_words", Type: StringMap},
				{Name: "entropy", Type: Float, Default: 3.5},
			}},
			{Name: "text", Lint: true, Fmt: true, Options: []Option{{Name: "strict", Type: Bool}}},
			{Name: "free", Langs: []string{"lua"}, Lint: true, OptIn: true, Options: []Option{{Name: "settings", Type: Table}}},
			{Name: "yaml", Langs: []string{"yaml"}, Lint: true},
			{Name: "yamlfmt", Langs: []string{"yaml"}, Fmt: true, Options: []Option{{Name: "indent", Type: Int, Default: 2}}},
			{Name: "gofumpt", Langs: []string{"go"}, Lint: true, Fmt: true, Options: []Option{
				{Name: "mode", Type: String, Enum: []string{"gofumpt", "gofmt"}, Default: "gofumpt", Verbs: Fmt},
			}},
		},
		Tools: []string{"prettier", "eslint"},
	}
}

// options describes a tree by its files. Names of poly.local.toml are of the
// worktree; names that start with / are outside.
func options(files map[string]string) Options {
	o := Options{Schema: testSchema(), Root: "/repo"}
	tree := fstest.MapFS{}
	for name, text := range files {
		if path.Base(name) != LocalFileName && !strings.HasPrefix(name, "/") {
			tree[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		}
		if path.Base(name) == FileName && !strings.HasPrefix(name, "/") {
			o.Dirs = append(o.Dirs, path.Dir(name))
		}
	}
	read := func(name string) ([]byte, error) {
		text, ok := files[name]
		if !ok {
			return nil, fmt.Errorf("open: %w", fs.ErrNotExist)
		}
		return []byte(text), nil
	}
	o.Tree, o.Local, o.Outside = tree, read, read
	return o
}

func load(t *testing.T, files map[string]string) *Set {
	t.Helper()
	s, err := Load(t.Context(), options(files))
	if err != nil {
		t.Fatalf("Load(%v) = %v", files, err)
	}
	return s
}

func one(t *testing.T, text string) *Effective {
	t.Helper()
	return load(t, map[string]string{"poly.toml": text}).Root()
}

// refuse loads and returns the message and the hint.
func refuse(t *testing.T, o Options) (msg, hint string) {
	t.Helper()
	s, err := Load(t.Context(), o)
	if err == nil {
		t.Fatalf("Load = %v, want an error", s)
	}
	return err.Error(), usererr.Hint(err)
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	e := load(t, nil).Root()
	if want := (Defaults{LineLength: 120, FinalNewline: true, TrimTrailingWhitespace: true}); e.Defaults != want {
		t.Errorf("Defaults = %+v, want %+v", e.Defaults, want)
	}
	if e.Discovery.MaxFileSize != 10<<20 || !e.Workspace || !e.Cache.Enabled || e.Cache.Hooks != "safe" {
		t.Errorf("Discovery, Workspace, Cache = %+v, %v, %+v", e.Discovery, e.Workspace, e.Cache)
	}
	if diff := cmp.Diff([]RuleDir{{Path: ".poly/rules"}}, e.Rules.Dirs); diff != "" {
		t.Error(diff)
	}
}

// A typo is an error with the line and the nearest key.
func TestUnknownKeyNamed(t *testing.T) {
	t.Parallel()
	for _, tc := range unknownKeys() {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			msg, hint := refuse(t, options(map[string]string{"poly.toml": tc.text}))
			if msg != tc.msg || !strings.Contains(hint, tc.hint) {
				t.Errorf("Load = %q, hint %q; want %q, %q", msg, hint, tc.msg, tc.hint)
			}
		})
	}
}

type refusal struct{ name, text, msg, hint string }

func unknownKeys() []refusal {
	return []refusal{
		{"section", "# a\n\n[discvery]\nexclude = [\"x\"]\n", `poly.toml:3: unknown key "discvery"`, "did you mean discovery?"},
		{"key", "[defaults]\nlnie_length = 1\n", `poly.toml:2: unknown key "lnie_length" in [defaults]`, "did you mean line_length?"},
		{"dash", "[defaults]\nline-length = 1\n", `poly.toml:2: unknown key "line-length" in [defaults]`, "did you mean line_length?"},
		{"section of a key", "line_length = 1\n", `poly.toml:1: unknown key "line_length"`, "line_length belongs in [defaults]"},
		{"engine", "[lint.python.pylnt]\n", `poly.toml:1: unknown key "pylnt" in [lint.python]`, "did you mean pylint?"},
		{"language", "[lint.pyton.pylint]\n", `poly.toml:1: unknown key "pyton" in [lint]`, "did you mean python?"},
		{"option", "[lint.python.pylint]\ndeph = 1\n", `poly.toml:2: unknown key "deph" in [lint.python.pylint]`, "did you mean depth?"},
		{"option of the other verb", "[lint.python.pylint]\nquotes = \"x\"\n", `poly.toml:2: unknown key "quotes" in [lint.python.pylint]`, "quotes belongs in the [fmt] table of pylint; " + seeKeys},
		{"lint key in fmt", "[fmt.python.pylint]\nselect = [\"E\"]\n", `poly.toml:2: unknown key "select" in [fmt.python.pylint]`, "select belongs in the [lint] table of pylint; " + seeKeys},
		{"key of an engine", "[lint.python.rules.E501]\nlevel = \"error\"\n", `poly.toml:1: unknown key "rules" in [lint.python]`, "rules belongs in the table of an engine, such as [lint.python.pylint]"},
		{"engine that does not format", "[fmt.yaml.yaml]\n", `poly.toml:1: unknown key "yaml" in [fmt.yaml]`, "yaml has no [fmt] table"},
		{"engine of another language", "[lint.go.pylint]\n", `poly.toml:1: unknown key "pylint" in [lint.go]`, "pylint is for python"},
		{"rule parameter", "[lint.python.pylint.rules.E501]\nmx = 1\n", `poly.toml:2: unknown key "mx" in [lint.python.pylint.rules.E501]`, "did you mean max?"},
		{"stage", "[hooks.pre-comit]\n", `poly.toml:1: unknown key "pre-comit" in [hooks]`, "did you mean pre-commit?"},
		{"pre-commit's repos", "[hooks]\nrepos = []\n", `poly.toml:2: unknown key "repos" in [hooks]`, "poly migrate"},
		{"job", "[[hooks.pre-commit.jobs]]\nrun = 'a'\nglobs = 'x'\n", `poly.toml:3: unknown key "globs" in [hooks.pre-commit.jobs[0]]`, "did you mean glob?"},
		{"tool", "[tools.pretier]\n", `poly.toml:1: unknown key "pretier" in [tools]`, "did you mean prettier?"},
		{"quoted", "[lint.\"a b\"]\n", `poly.toml:1: unknown key "a b" in [lint]`, seeKeys},
		{"several", "[a1]\n[defaults]\nline_length='x'\n[discovry]\n", "poly.toml:1: unknown key \"a1\"\n" +
			"poly.toml:3: line_length in [defaults] must be an integer of at least 1, not a string\n" +
			"poly.toml:4: unknown key \"discovry\" (did you mean discovery?)", seeKeys},
	}
}

func TestWrongValues(t *testing.T) {
	t.Parallel()
	for _, tc := range wrongValues() {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if msg, _ := refuse(t, options(map[string]string{"poly.toml": tc.text})); !strings.HasSuffix(msg, tc.msg) {
				t.Errorf("Load = %q, want %q", msg, tc.msg)
			}
		})
	}
}

func wrongValues() []refusal {
	return []refusal{
		{"type", "[defaults]\nfinal_newline = 1", "poly.toml:2: final_newline in [defaults] must be a boolean, not an integer", ""},
		{"zero", "[defaults]\nline_length = 0", "poly.toml:2: line_length in [defaults] must be an integer of at least 1, not 0", ""},
		{"enum", "[defaults]\nline_ending = 'cr'", `poly.toml:2: line_ending in [defaults] must be one of "lf", "crlf", not "cr"`, ""},
		{"item", "[discovery]\nexclude = [\n 'a',\n 1]", "poly.toml:4: exclude[1] in [discovery] must be a string, not an integer", ""},
		{"not a table", "lint = 1", "poly.toml:1: lint must be a table, not an integer", ""},
		{"engine not a table", "[lint.python]\npylint = true", "poly.toml:2: pylint in [lint.python] must be a table, not a boolean", ""},
		{"range", "[lint.python.pylint]\ndepth = 10", "poly.toml:2: depth in [lint.python.pylint] must be an integer from 1 to 9, not 10", ""},
		{"option enum", "[lint.python.pylint]\ntarget = 'py27'", `poly.toml:2: target in [lint.python.pylint] must be one of "py311", "py312", not "py27"`, ""},
		{"float", "[lint.typos]\nentropy = -1.5", "poly.toml:2: entropy in [lint.typos] must be a number of at least 0, not -1.5", ""},
		{"level", "[lint.python.pylint.rules.F401]\nlevel = 'fatal'", `poly.toml:2: level in [lint.python.pylint.rules.F401] must be one of "error", "warning", "warn", "info", "information", "hint", "help", not "fatal"`, ""},
		{"size", "[discovery]\nmax_file_size = '10 apples'", `poly.toml:2: max_file_size in [discovery] must be a size such as "10 MiB", not "10 apples"`, ""},
		{"exclude_mode", "[discovery]\nexclude_mode = 'add'", `poly.toml:2: exclude_mode in [discovery] must be one of "extend", "replace", not "add"`, ""},
		{"source both", "extends = {path='a', git='b', revision='c'}", "poly.toml:1: extends must have exactly one of path and git", ""},
		{"source none", "extends = [{file='a'}]", "poly.toml:1: extends[0] must have exactly one of path and git", ""},
		{"git without revision", "extends = {git='b'}", "poly.toml:1: extends needs a revision: git bases are pinned", ""},
		{"path with revision", "extends = {path='b', revision='c'}", "poly.toml:1: revision in extends goes with git, not with path", ""},
		{"revision is an option", "extends = {git='b', revision='-c'}", `poly.toml:1: revision in [extends] must be a non-empty string that does not start with "-", not "-c"`, ""},
		{"file leaves", `extends = {path='b', file='a\..\..\c'}`, `poly.toml:1: file in [extends] must be a relative path without "..", not "a\\..\\..\\c"`, ""},
		{"job without run", "[[hooks.pre-commit.jobs]]\nname='x'", "poly.toml:1: [hooks.pre-commit.jobs[0]] must have exactly one of run and script", ""},
		{"runner without script", "[hooks.pre-commit.commands.a]\nrun='x'\nrunner='y'", "poly.toml:3: runner in [hooks.pre-commit.commands.a] goes with script, not with run", ""},
		{"skip and only", "[hooks.pre-commit]\nskip=true\nonly=[{run='x'}]", "poly.toml:3: skip and only in [hooks.pre-commit] exclude each other", ""},
		{"two names of a stage", "[hooks.pre-push]\n[hooks.push]\n", "poly.toml:2: [hooks.pre-push] and [hooks.push] are the same stage", ""},
		{"stage word", "[hooks]\nstages=['pre-comit']", `not "pre-comit"`, ""},
		{"commit", "[commit.rules]\nsingle_line=true\nrequire_body=true", "poly.toml:3: single_line and require_body in [commit.rules] exclude each other", ""},
		{"sccache", "[cache.sccache]\nbin='a/b'", "poly.toml:2: bin in [cache.sccache] must be a bare name or an absolute path, not \"a/b\"", ""},
		{"guard", "[hooks.manual]\nskip=[{}]", "poly.toml:2: skip[0] in [hooks.manual] must have one of run, ref, merge and rebase", ""},
	}
}

func TestSyntaxErrors(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, text, want string }{
		{"unterminated", "[defaults]\nline_length = \n", "poly.toml:2:15: "},
		{"duplicate key", "[defaults]\nline_length = 1\nline_length = 2\n", "poly.toml:3:"},
		{"duplicate table", "[lint.typos]\n[lint.typos]\n", "poly.toml:2:"},
		{"column in code points", "'é' = 1 x\n", "poly.toml:1:9: "},
		{"not UTF-8", "a = 1\nb = \"\xff\"\n", "poly.toml:2:6: not valid UTF-8"},
		{"deep arrays", "a = " + strings.Repeat("[", 100000), "poly.toml:1:"},
		{"deep keys", "a" + strings.Repeat(".a", 100000) + " = 1", "poly.toml:1:1: nested too deeply"},
		{"UTF-16", "\xff\xfea\x00", "poly.toml:1:1: not valid UTF-8"},
		{"large", strings.Repeat("#", 2<<20), "poly.toml: larger than 1 MiB"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if msg, _ := refuse(t, options(map[string]string{"poly.toml": tc.text})); !strings.HasPrefix(msg, tc.want) {
				t.Errorf("Load = %q, want prefix %q", msg, tc.want)
			}
		})
	}
}

func TestByteOrderMarkAndCRLF(t *testing.T) {
	t.Parallel()
	e := one(t, "\xef\xbb\xbf[discovery]\r\nexclude = [\"b.json\"]\r\n\r\n[defaults]\r\nline_ending = \"CRLF\"\r\n")
	want := []Pattern{{Base: ".", Glob: "b.json", Origin: Origin{"poly.toml", 2, 12}}}
	if diff := cmp.Diff(want, e.Exclude); diff != "" {
		t.Error(diff)
	}
	if !e.Defaults.CRLF || e.Origin("defaults", "line_ending").Line != 5 {
		t.Errorf("CRLF = %v at %v", e.Defaults.CRLF, e.Origin("defaults", "line_ending"))
	}
	msg, _ := refuse(t, options(map[string]string{"poly.toml": "\xef\xbb\xbfx = 1\r\n"}))
	if msg != `poly.toml:1: unknown key "x"` {
		t.Errorf("Load = %q", msg)
	}
}

// globs lists what governs a directory as base:glob.
func globList(e *Effective) []string {
	var out []string
	for _, p := range e.Exclude {
		out = append(out, p.Base+":"+p.Glob)
	}
	return out
}

// Globs mean what they mean where they are written; nested lists add up.
func TestNestedGlobs(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{
		"poly.toml":         "[discovery]\nexclude = [\"/gen\", \"tmp\", \"docs/*.json\"]\n[per-file-ignores]\n\"pkg/app/tests/**\" = [\"F401\"]\n",
		"sub/poly.toml":     "[discovery]\nexclude = [\"/gen\", \"only.json\"]\n",
		"pkg/app/poly.toml": "[per-file-ignores]\n\"gen/*.py\" = \"F401\"\n",
		"island/poly.toml":  "[workspace]\nroot = true\n[discovery]\nexclude = \"x\"\n",
		"island/a/poly.toml": "[discovery]\nexclude = \"y\"\nexclude_mode = \"replace\"\n" +
			"[per-file-ignores]\n\"**\" = []\n",
	})
	root := []string{".:/gen", ".:tmp", ".:docs/*.json"}
	for _, tc := range []struct {
		dir  string
		want []string
	}{
		{".", root},
		{"other/gen", root},
		{"sub", append(root[:3:3], "sub:/gen", "sub:only.json")},
		{"sub/y/z", append(root[:3:3], "sub:/gen", "sub:only.json")},
		{"subway", root},
		{"pkg/app/tests", root},
		{"island", []string{"island:x"}},
		{"island/a/b", []string{"island:x", "island/a:y"}},
	} {
		if diff := cmp.Diff(tc.want, globList(s.For(tc.dir))); diff != "" {
			t.Errorf("For(%q): %s", tc.dir, diff)
		}
	}
	want := []Ignore{
		{Base: ".", Glob: "pkg/app/tests/**", Codes: []string{"F401"}, Origin: Origin{"poly.toml", 4, 1}},
		{Base: "pkg/app", Glob: "gen/*.py", Codes: []string{"F401"}, Origin: Origin{"pkg/app/poly.toml", 2, 1}},
	}
	if diff := cmp.Diff(want, s.For("pkg/app/tests").Ignores); diff != "" {
		t.Error(diff)
	}
	if s.For("pkg") != s.Root() || s.For("pkg/app/x") != s.For("pkg/app") || len(s.All()) != 5 {
		t.Error("For: not the nearest registered directory")
	}
}

// What is excluded may be somebody else's, with settings of another poly.
func TestExcludedFilesDoNotCount(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"poly.toml":               "[discovery]\nexclude = [\"third_party/\", \"/gen*\", \"!/genuine\", \"*.d\"]\n",
		"third_party/poly.toml":   "future = 1\n",
		"a/third_party/poly.toml": "[",
		"generated/x/poly.toml":   "extends = \"nowhere.toml\"\n",
		"#/.d/poly.toml":          "future = 1\n",
		"genuine/poly.toml":       "[discovery]\nexclude = \"/inner\"\n[defaults]\nline_length = 7\n",
		"genuine/inner/poly.toml": "future = 1\n",
		"inner/poly.toml":         "[defaults]\nline_length = 8\n",
	}
	s := load(t, files)
	for dir, want := range map[string]int{"genuine": 7, "inner": 8, "third_party": 120, "genuine/inner": 7, "generated/x": 120} {
		if got := s.For(dir).Defaults.LineLength; got != want {
			t.Errorf("For(%q): line_length %d, want %d", dir, got, want)
		}
	}
	o := options(files)
	o.Named = func(dir string) bool { return dir == "third_party" }
	if msg, _ := refuse(t, o); !strings.HasPrefix(msg, "third_party/poly.toml:1") {
		t.Errorf("a named directory: %s, want what is wrong in it", msg)
	}
}

func TestCascade(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{
		"poly.toml":     "[defaults]\nline_length = 100\nfinal_newline = false\n[lint.python.pylint]\nselect = [\"A\", \"B\"]\nsrc = [\"a\"]\n[lint]\nworkspace = false\n",
		"a/poly.toml":   "[defaults]\nline_length = 80\n[lint.python.pylint]\nselect = [\"C\"]\n",
		"a/b/poly.toml": "[lint.python.pylint]\nsrc = []\n[workspace]\nroot = false\n",
	})
	e := s.For("a/b/c")
	if e.Defaults.LineLength != 80 || e.Defaults.FinalNewline || e.Workspace {
		t.Errorf("Defaults = %+v, Workspace %v", e.Defaults, e.Workspace)
	}
	c := e.Lint("python", "pylint")
	if diff := cmp.Diff([]string{"C"}, c.Select); diff != "" {
		t.Error(diff)
	}
	if src := c.Values.Strings("src"); src == nil || len(src) != 0 {
		t.Errorf("src = %#v, want an empty list", src)
	}
	if got := e.Origin("defaults", "line_length"); got != (Origin{"a/poly.toml", 2, 1}) {
		t.Errorf("Origin(line_length) = %v", got)
	}
	if got := e.Origin("defaults", "final_newline").String(); got != "poly.toml:3" {
		t.Errorf("Origin(final_newline) = %v", got)
	}
	if got := e.Origin("defaults", "trim_trailing_whitespace").String(); got != "default" {
		t.Errorf("Origin(trim_trailing_whitespace) = %v", got)
	}
}

func TestLocalFile(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"poly.toml":       "[defaults]\nline_length = 100\n[discovery]\nexclude = [\"a\", \"b\"]\n[per-file-ignores]\n\"x\" = [\"A\"]\n",
		"poly.local.toml": "[defaults]\nline_length = 90\n[discovery]\nexclude = [\"b\", \"c\"]\n[per-file-ignores]\n\"x\" = [\"B\"]\n",
	}
	s := load(t, files)
	e := s.Root()
	if diff := cmp.Diff([]string{".:a", ".:b", ".:c"}, globList(e)); diff != "" {
		t.Error(diff)
	}
	if e.Defaults.LineLength != 90 || e.Origin("defaults", "line_length").File != "poly.local.toml" {
		t.Errorf("line_length = %d from %v", e.Defaults.LineLength, e.Origin("defaults", "line_length"))
	}
	if len(e.Ignores) != 1 || e.Ignores[0].Codes[0] != "B" {
		t.Errorf("Ignores = %+v", e.Ignores)
	}

	o := options(files)
	x := s.Externals()
	if len(x) != 1 || x[0].Path != "poly.local.toml" || !x[0].Local || !x[0].Present || !x[0].Same(o) {
		t.Fatalf("Externals = %+v", x)
	}
	files["poly.local.toml"] += "\n"
	if x[0].Same(o) {
		t.Error("Same does not see that the file changed")
	}
	delete(files, "poly.local.toml")
	if x[0].Same(o) {
		t.Error("Same does not see that the file is gone")
	}

	o.Local = nil // a commit
	c, err := Load(t.Context(), o)
	if err != nil || c.Root().Defaults.LineLength != 100 || len(c.Externals()) != 0 {
		t.Errorf("Load of a commit = %v, %v", c, err)
	}

	alone := load(t, map[string]string{"poly.local.toml": "[defaults]\nline_length = 7\n"})
	if alone.Root().Defaults.LineLength != 7 {
		t.Error("the root's poly.local.toml has no effect without a poly.toml")
	}
	replaced := load(t, map[string]string{
		"poly.toml":       "[discovery]\nexclude = \"a\"\n",
		"poly.local.toml": "[discovery]\nexclude = \"c\"\nexclude_mode = \"replace\"\n",
	})
	if diff := cmp.Diff([]string{".:c"}, globList(replaced.Root())); diff != "" {
		t.Error(diff)
	}
	msg, _ := refuse(t, options(map[string]string{"poly.toml": "", "poly.local.toml": "\nextends = \"x.toml\"\n"}))
	if msg != "poly.local.toml:2: poly.local.toml must not extend anything" {
		t.Errorf("Load = %q", msg)
	}
}

// A memo is checked against Externals: what was looked for in vain counts too.
func TestExternalsNameWhatIsAbsent(t *testing.T) {
	t.Parallel()
	files := map[string]string{"poly.toml": "", "a/poly.toml": ""}
	s := load(t, files)
	want := []External{{Path: "a/poly.local.toml", Local: true}, {Path: "poly.local.toml", Local: true}}
	if diff := cmp.Diff(want, s.Externals()); diff != "" {
		t.Error(diff)
	}
	o := options(files)
	files["a/poly.local.toml"] = ""
	if s.Externals()[0].Same(o) {
		t.Error("Same does not see the new file")
	}
	if diff := cmp.Diff([]string{"a/poly.toml", "poly.toml"}, s.Files()); diff != "" {
		t.Error(diff)
	}
}

func TestConfigFlag(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"poly.toml":          "[defaults]\nline_length = 1\n",
		"sub/poly.toml":      "[defaults]\nline_length = 2\n",
		"/etc/p.toml":        "extends = \"base.toml\"\n[defaults]\nline_length = 3\n[discovery]\nexclude = \"x\"\n[rules]\ndirs = [\"r\"]\n",
		"/etc/base.toml":     "[defaults]\nfinal_newline = false\n",
		"/repo/ci/p.toml":    "[defaults]\nline_length = 4\n[rules]\ndirs = [\"r\"]\n",
		"ci/poly.local.toml": "[defaults]\nfinal_newline = false\n",
	}
	o := options(files)
	o.File = "/etc/p.toml"
	s, err := Load(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	e := s.For("sub")
	if e != s.Root() || e.Defaults.LineLength != 3 || e.Defaults.FinalNewline {
		t.Errorf("Defaults = %+v", e.Defaults)
	}
	if diff := cmp.Diff([]string{".:x"}, globList(e)); diff != "" {
		t.Error(diff)
	}
	if d := e.Rules.Dirs[0]; d.Outside != "/etc/r" {
		t.Errorf("Rules.Dirs = %+v", d)
	}
	var names []string
	for _, x := range s.Externals() {
		names = append(names, x.Path)
	}
	if diff := cmp.Diff([]string{"/etc/base.toml", "/etc/p.toml", "/etc/poly.local.toml"}, names); diff != "" {
		t.Error(diff)
	}
	if len(s.Files()) != 0 {
		t.Errorf("Files = %v: --config reads nothing of the tree", s.Files())
	}

	o.File = "/repo/ci/p.toml"
	if s, err = Load(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if e := s.Root(); e.Defaults.LineLength != 4 || e.Defaults.FinalNewline || e.Rules.Dirs[0].Path != "ci/r" ||
		e.Origin("defaults", "line_length").String() != "ci/p.toml:2" {
		t.Errorf("in the tree: %+v, %+v", e.Defaults, e.Rules)
	}
	o.File = "/etc/none.toml"
	if msg, _ := refuse(t, o); msg != "no such configuration file: /etc/none.toml" {
		t.Errorf("Load = %q", msg)
	}
}
