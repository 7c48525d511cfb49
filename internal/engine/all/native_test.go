package all_test

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/engine/all"
	"poly/internal/wasm/wasmtest"
)

// natives are the configuration files of tools that engines read: what each
// tool refuses is an error with the file and the line, what it ignores is
// accepted. The rows were found by running the tools.
var natives = []struct {
	engine, file, source string
	refused              map[string]int // text: the line that is told
	accepted             []string
}{
	{
		"actionlint", ".github/actionlint.yaml", ".github/workflows/a.yml",
		map[string]int{
			"a: 1\npaths: [\n": 2, "self-hosted-runner: 3\n": 1, "self-hosted-runner:\n  labels: x\n": 2, "3\n": 1, "config-variables: x\n": 1,
			"paths:\n  a:\n    ignore: ['(']\n": 3,
		},
		[]string{"", "foo: 1\n", "paths:\n  a: {ignor: [x]}\n"},
	},
	{
		"buildifier", ".buildifier.json", "BUILD",
		map[string]int{
			"{\n": 2, "[]": 1, "{\n\"type\": \"foo\"}": 2, "{\n\"warnings\": 3}": 2, "{\"warnings\":\n\"nosuch\"}": 2, "{\"warningsList\":[\"all\",\n\"-nosuch\"]}": 2,
		},
		[]string{"{}", `{"foo": 1}`, `{"buildifier_disable": ["nosuch"]}`, `{"warnings": "-module-docstring,+load"}`},
	},
	{
		"dockerfile", ".hadolint.yaml", "Dockerfile",
		map[string]int{
			"ignored:\n- [\n": 2, "3\n": 1, "": 1, "ignored: DL3006\n": 1, "a: 1\nignored: [3]\n": 2, "override: 3\n": 1, "override:\n  error: DL3006\n": 2,
			"trustedRegistries: a\n": 1, "disable-ignore-pragma: maybe\n": 1, "strict-labels: 3\n": 1, "label-schema: 3\n": 1,
		},
		[]string{"ignord: [DL3006]\n", "override:\n  erro: [DL3006]\n", "ignored: [NOSUCH]\n", "ignored:\n", "disable-ignore-pragma: true\n"},
	},
	{
		"dprint", "dprint.json", "a.json",
		map[string]int{
			"{\n": 2, "[]": 1, "{\n\"json\": 3}": 2, "{\"json\":\n{\"lineWidth\": \"x\"}}": 2, "{\"json\": {\n\"foo\": 1}}": 2, "{\n\"lineWidth\": \"x\"}": 2,
		},
		[]string{"{}", `{"foo": 1}`, `{"json": {"locked": true}, "markdown": 3, // a` + "\n}"},
	},
	{
		"editorconfig", ".editorconfig-checker.json", "a.txt",
		map[string]int{"{\n": 2, "[]": 1, "{\n\"Exclude\": 3}": 2, "{\"Disable\":\n{\"EndOfLine\": 3}}": 2},
		[]string{"{}", `{"foo": 1}`, `{"Exclude": ["("]}`, `{"Disable": {"foo": true}}`},
	},
	{
		"hcl", ".tflint.hcl", "main.tf",
		map[string]int{
			"rule \"a\" {\n": 1, "foo = 1\n": 1, "\nrulee \"a\" {}\n": 2, "rule \"terraform_typd_variables\" {\n enabled = true\n}\n": 1,
			"rule \"terraform_typed_variables\" {\n enabled = \"x\"\n}\n": 2, "rule \"terraform_typed_variables\" {\n}\n": 1, "config {\n foo = 1\n}\n": 2,
			"config {\n disabled_by_default = 3\n}\n": 2, "plugin \"terraform\" {\n preset = \"all\"\n}\n": 1, "rule {\n enabled = true\n}\n": 1,
			"rule \"aws_foo\" {\n enabled = true\n}\n": 1,
		},
		[]string{
			"", "rule \"terraform_typed_variables\" {\n enabled = true\n foo = 1\n}\n", "config {\n force = false\n}\n",
			"plugin \"aws\" {\n enabled = true\n}\nrule \"aws_foo\" {\n enabled = false\n}\n", "tflint {\n required_version = \">= 0.50\"\n}\n",
		},
	},
	{
		"markdown", ".markdownlint.yaml", "a.md",
		map[string]int{"a: [\n": 1, "a: 1\nb: {\n": 2},
		[]string{"foo: 1\n", "MD013:\n  foo: 1\n", "MD013:\n  line_length: x\n", "MD018: x\n"},
	},
	{
		"markdown", ".markdownlint-cli2.jsonc", "a.md",
		map[string]int{"{": 1},
		[]string{`{"foo": 1}`, `{"config": 3}`, `{"noInlineConfig": 3}`, "{} // c\n"},
	},
	{
		"proto", "buf.yaml", "a.proto",
		map[string]int{
			"version: [\n": 1, "version: v2\nfoo: 1\n": 2, "version: v9\n": 1, "lint: {}\n": 1, "3\n": 1, "": 1, "version: v2\nlint:\n  except: [NOSUCH]\n": 3,
			"version: v2\nlint:\n  excep: [A]\n": 3, "version: v2\nlint:\n  except: 3\n": 3, "version: v2\nlint:\n  ignore_only:\n    NOSUCH: [a]\n": 4,
			"version: v2\nlint:\n  rpc_allow_same_request_response: maybe\n": 3, "version: v2\nmodules:\n- path: .\n  foo: 1\n": 4,
			"version: v2\nlint:\n  use: [NOSUCH]\n": 3,
		},
		[]string{
			"version: v1\nlint:\n  except: [OTHER, PACKAGE_DIRECTORY_MATCH]\n", "version: v2\nname: buf.build/a/b\nbreaking: {use: [FILE]}\ndeps: []\n",
			"version: v2\nplugins: [{plugin: x}]\nlint:\n  use: [OF_THE_PLUGIN]\n", "version: v1beta1\nbuild: {excludes: [], roots: [.]}\n",
		},
	},
	{
		"revive", "revive.toml", "a.go",
		map[string]int{
			"a = [\n": 1, "confidence = \"x\"\n": 1, "\n[rule.nosuch]\n": 2, "[rule.exported]\narguments = 3\n": 2, "\n[rule.argument-limit]\narguments = [\"x\"]\n": 2,
			"exclude = 3\n": 1,
		},
		[]string{"", "foo = 1\n", "severity = \"bad\"\n", "[rule.exported]\nfoo = 3\n", "[directive.nosuch]\n", "[rule.unhandled-error]\n"},
	},
	{
		"ruff", "ruff.toml", "a.py",
		map[string]int{
			"line-length = \n": 1, "3\n": 1, "\nfoo = 1\n": 2, "[lint]\nfoo = 1\n": 2, "[lint.isort]\nfoo = 1\n": 2, "line-length = \"x\"\n": 0,
			"[lint]\nselect = [\"NOPE\"]\n": 0, "[lint]\nignore = [\"NOPE\"]\n": 0, "[format]\nquote-style = \"x\"\n": 0, "target-version = \"py30\"\n": 0,
			"extend = \"x.toml\"\n": 0,
		},
		[]string{"", "select = [\"E\"]\n", "line-length = 300\n", "[lint.per-file-ignores]\n\"b.py\" = [\"E\"]\n", "[lint.pylint]\nmax-args = 3\n"},
	},
	{
		"ruff", "pyproject.toml", "a.py",
		map[string]int{"[tool.ruff]\nfoo = 1\n": 2, "[tool.ruff\n": 2},
		[]string{"[tool.foo\n", "[tool.foo]\nbar = 1\n"},
	},
	{
		"ruff", ".ruff.toml", "a.py",
		map[string]int{"foo = 1\n": 1},
		[]string{""},
	},
	{
		"secrets", ".gitleaks.toml", "a.txt",
		map[string]int{
			"a = [\n": 1, "[allowlist]\nregexes = [\"(\"]\n": 2, "[[allowlists]]\npaths = ['a', '[']\n": 1, "[allowlist]\ncondition = 'xor'\n": 2,
			"\nallowlist = 3\n": 2, "[allowlist]\nregexTarget = 'x'\n": 2, "[allowlist]\nstopwords = 3\n": 2,
		},
		[]string{"", "foo = 1\n", "[allowlist]\nfoo = 1\n", "[allowlist]\nstopwords = 'a'\n", "[allowlist]\ncondition = 'AND'\n"},
	},
	{"secrets", ".gitleaksignore", "a.txt", nil, []string{"nonsense\n", "a:b:c\n"}},
	{
		"shell", ".shellcheckrc", "a.sh",
		map[string]int{
			"\nnonsense\n": 2, "disable=SC20x\n": 1, "disable=foo\n": 1, "source-path=\n": 1, "disable = SC2086\n": 1, "disable=SC2086, SC2034\n": 1,
		},
		[]string{
			"", "disable=\n", "disabl=SC2086\n", "enable=nonsense\n", "shell=foo\n", "external-sources=maybe\n", "  disable=SC2086 # why not\n", "disable=2086\n",
			"disable=\"SC2086\"\n", "disable=SC1000-SC9999\n", "disable=all\n", "disable=SC2086\ndisable=SC2034 enable=all\n",
		},
	},
	{
		"typos", "typos.toml", "a.txt",
		map[string]int{
			"a = [": 1, "[defaul]\nx = 1\n": 1, "[default]\nextend-wordz = {}\n": 2, "[default]\nextend-ignore-re = ['(']\n": 2, "[default]\nextend-words = 'a'\n": 2,
			"[default.extend-words]\na = 1\n": 2, "[default]\nlocale = 'xx'\n": 2, "\n[type.go]\nfoo = 1\n": 3, "[files]\nextend-exclude = 3\n": 2,
		},
		[]string{"", "[files]\nextend-exclude = ['[']\n", "[type.go]\nextend-glob = ['*.x']\ncheck-file = false\n"},
	},
	{
		"typos", "sub/pyproject.toml", "sub/a.txt",
		map[string]int{"[tool.typos]\na = [": 2, "[tool.typos.defaul]\nx = 1\n": 1, "[tool.typos.default]\nextend-ignore-re = ['(']\n": 2},
		[]string{"", "[tool.codespell]\nignore-words-list = 3\n", "[tool.black]\nline-length = 3\n"},
	},
	{
		"yaml", ".yamllint", "a.yaml",
		map[string]int{
			"a: 1\nrules: [\n": 2, "\nrules: {trut: disable}\n": 2, "rules: {truthy: {foo: 1}}\n": 1, "rules:\n  truthy:\n    allowed-values: [foo]\n": 3,
			"rules:\n  truthy: {check-keys: 3}\n": 2, "rules: {truthy: {level: bad}}\n": 1, "rules: {truthy: 3}\n": 1, "rules: 3\n": 1, "3\n": 1, "": 1,
			"rules:\n  key-ordering: {ignored-keys: ['(']}\n": 2, "rules: {braces: {foo: 3}}\n": 1, "rules: {octal-values: {forbid-implicit-octal: maybe}}\n": 1,
		},
		[]string{"rule: {}\n", "foo: 3\nrules: {truthy: enable}\n", "extends: default\nrules: {braces: {level: warning, ignore: a}, truthy: disable}\n"},
	},
	{
		"yamlfmt", ".yamlfmt", "a.yaml",
		map[string]int{"a: 1\nb: [\n": 2, "formatter: {indent: x}\n": 0, "formatter: 3\n": 1, "a: 1\nline_ending: x\n": 2, "formatter: {force_array_style: x}\n": 0},
		[]string{"", "foo: 1\n", "formatter: {foo: 1}\n", "formatter: {indent: 1}\n", "formatter: {type: nosuch}\n"},
	},
}

// sources are what files of which there is nothing to say look like.
var sources = map[string]string{
	"a.py":                    "x = 1\n",
	".github/workflows/a.yml": "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: x\n",
	"BUILD":                   "x = 1\n", "Dockerfile": "FROM debian:12\nUSER a\n", "a.txt": "a\n", "sub/a.txt": "a\n", "main.tf": "locals {}\n", "a.md": "# A\n",
	"a.proto": "syntax = \"proto3\";\n", "a.go": "// Package a is.\npackage a\n", "a.sh": "#!/bin/sh\ntrue\n", "a.yaml": "a:   1\n",
}

// TestNativeFiles: a broken configuration file of a tool is never taken for an
// absent one.
func TestNativeFiles(t *testing.T) {
	t.Parallel()
	seen := map[string]map[string]bool{}
	for _, n := range natives {
		i := slices.IndexFunc(all.Engines(), func(e engine.Engine) bool { return e.Name == n.engine })
		e := all.Engines()[i]
		if seen[n.engine] == nil {
			seen[n.engine] = map[string]bool{}
		}
		seen[n.engine][path.Base(n.file)] = true
		for text, line := range n.refused {
			want := n.file + ":"
			if line > 0 {
				want += strconv.Itoa(line) + ":"
			}
			if err := obey(t, e, n.file, text, n.source); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s with %s %q: %v, want %s", n.engine, n.file, text, err, want)
			}
		}
		for _, text := range n.accepted {
			if err := obey(t, e, n.file, text, n.source); err != nil {
				t.Errorf("%s with %s %q: %v", n.engine, n.file, text, err)
			}
		}
	}
	for _, e := range all.Engines() {
		if files, ok := withoutConfiguration[e.Name]; ok {
			seen[e.Name] = map[string]bool{files: true}
		}
		b, err := e.Bind(t.Context(), environment(t, e, fstest.MapFS{}))
		if err != nil {
			t.Fatal(err)
		}
		if len(b.Inputs.Names)+len(b.Inputs.Paths) > 0 && len(seen[e.Name]) == 0 {
			t.Errorf("%s reads %q: add rows to natives", e.Name, append(b.Inputs.Names, b.Inputs.Paths...))
		}
	}
}

// withoutConfiguration are engines whose inputs are none of a tool's settings,
// or which every reader takes in as far as it goes, by what they read.
var withoutConfiguration = map[string]string{
	"compose": ".env", "cue": "module.cue", "gofumpt": "go.mod", "shfmt": ".editorconfig",
}

func environment(t *testing.T, e engine.Engine, tree fstest.MapFS) engine.Env {
	t.Helper()
	sel, _ := engine.NewSelection(&e.Spec, engine.Picks{})
	env := engine.Env{Options: config.Values{}, Params: map[string]config.Values{}, Rules: sel, Tree: tree, Globals: engine.Globals{LineLength: 120, IndentWidth: 2}}
	if len(e.Langs) > 0 {
		env.Lang = e.Langs[0]
	}
	if len(e.Modules) > 0 {
		env.Wasm = wasmtest.Host(t)
	}
	return env
}

// obey judges a source beside a configuration file, and returns the error of
// Bind or of the worker, unless it declines.
func obey(t *testing.T, e engine.Engine, file, text, source string) error {
	t.Helper()
	in := engine.Input{Path: file, Text: []byte(text)}
	tree := fstest.MapFS{source: {Data: []byte(sources[source])}, file: {Data: in.Text}, ".editorconfig": {Data: []byte("[*]\nindent_size = 2\n")}}
	env := environment(t, e, tree)
	b, err := e.Bind(t.Context(), env)
	if err != nil {
		return err
	}
	w, err := b.Open(t.Context())
	if err != nil {
		return err
	}
	src := engine.Source{Path: source, Lang: env.Lang, Text: []byte(sources[source])}
	if slices.Contains(b.Inputs.Names, path.Base(file)) {
		src.Inputs = []engine.Input{in}
	}
	if e.Verbs&engine.Lint != 0 {
		_, err = w.Lint(t.Context(), src)
	} else {
		_, err = w.Format(t.Context(), src)
	}
	if _, ok := engine.SkipReason(err); ok {
		err = nil
	}
	if fault := w.Close(); err == nil {
		err = fault
	}
	return err
}
