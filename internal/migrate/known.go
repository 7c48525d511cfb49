package migrate

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// knownHook is what is known of a hook of pre-commit besides its id: what its
// repository says in a file that is not read here, and what poly has for it.
type knownHook struct {
	entry, language string
	args            []string
	types, either   []string
	files, exclude  string
	noFiles, always bool
	stages          []string
	fixes           bool // it writes
	git             bool // it asks git

	builtin string // of poly, which does the same
	engine  string // that it needs to be built in; "": none
	fix     bool   // the builtin is to fix
	option  func(d *draft, t *table, args []string, h *Hook)
	// refuses: these arguments make it something else than the builtin.
	refuses     func(args []string) bool
	ignoresArgs bool
	note        string
	left        string // why there is nothing for it
}

// known returns what is known of a hook.
func known(url, id string) knownHook {
	url = strings.ToLower(url)
	for _, k := range knownHooks() {
		if slices.Contains(k.ids, id) && (k.repo == "" || strings.Contains(url, k.repo)) && (url != "local" || k.local) {
			return k.knownHook
		}
	}
	return knownHook{}
}

func safety(keys ...string) func(*draft, *table, []string, *Hook) {
	return func(_ *draft, t *table, _ []string, _ *Hook) { only(t, keys...) }
}

// switches are the checks of file_safety.
var switches = []string{
	"merge_conflict", "added_large_files", "private_key", "case_conflict", "executables_have_shebangs", "shebang_scripts_are_executable", "broken_links", "submodule_moves",
}

// only switches on checks of file_safety, and the others off unless another
// hook is mapped to them.
func only(t *table, keys ...string) {
	for _, s := range switches {
		switch {
		case slices.Contains(keys, s):
			t.pairs = slices.DeleteFunc(t.pairs, func(p pair) bool { return p.key == s })
			t.on = append(t.on, s)
		case !slices.Contains(t.on, s):
			t.set(s, "false")
		}
	}
}

// largeFiles reads the limit of check-added-large-files.
func largeFiles(_ *draft, t *table, args []string, h *Hook) {
	only(t, "added_large_files")
	for i, a := range args {
		v, ok := strings.CutPrefix(a, "--maxkb=")
		if a == "--maxkb" && i+1 < len(args) {
			v, ok = args[i+1], true
		}
		if _, err := strconv.Atoi(v); ok && err == nil {
			t.set("max_added_file_kb", v)
		}
		if a == "--enforce-all" {
			h.Notes = append(h.Notes, "--enforce-all: only new files are judged")
		}
	}
}

// conventional reads the types that conventional-pre-commit is given.
func conventional(d *draft, _ *table, args []string, h *Hook) {
	d.table("commit").set("preset", `"conventional"`)
	var types, scopes []string
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--scopes" && i+1 < len(args):
			i++
			scopes = strings.Split(args[i], ",")
		case a == "--verbose", a == "--strict":
		case strings.HasPrefix(a, "-"):
			h.Notes = append(h.Notes, a+" is not carried over")
		default:
			types = append(types, a)
		}
	}
	if len(types) > 0 {
		d.table("commit.rules").list("types", types)
	}
	if len(scopes) > 0 {
		d.table("commit.rules").list("scopes", scopes)
	}
}

func preset(d *draft, _ *table, args []string, h *Hook) {
	d.table("commit").set("preset", `"conventional"`)
	if slices.Contains(args, "--write") {
		d.table("commit").set("write", "true")
	}
	h.Notes = append(h.Notes, "rules of its own configuration belong into [commit.rules]")
}

// groupTool switches one tool of the builtins cargo and go on.
func groupTool(key string) func(*draft, *table, []string, *Hook) {
	return func(_ *draft, t *table, args []string, h *Hook) {
		if t.name == "cargo" {
			for _, k := range []string{"clippy", "sort", "machete", "deny"} {
				if k != key && t.get(k) == "" {
					t.set(k, "false")
				}
			}
		}
		t.set(key, "true")
		if key == "clippy" && len(args) > 0 {
			t.list("clippy_args", slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "clippy" }))
		} else if len(args) > 0 {
			h.Notes = append(h.Notes, "its arguments are not carried over: "+strings.Join(args, " "))
		}
	}
}

// branchPattern reads the branches of no-commit-to-branch; ok is false if they
// are not plain names.
func branchPattern(args []string) (branches []string, ok bool) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		v, has := strings.CutPrefix(a, "--branch=")
		if (a == "-b" || a == "--branch") && i+1 < len(args) {
			i++
			v, has = args[i], true
		}
		if !has {
			return nil, false
		}
		branches = append(branches, v)
	}
	if len(branches) == 0 {
		branches = []string{"main", "master"}
	}
	return branches, !strings.ContainsAny(strings.Join(branches, ""), "*?[")
}

const (
	lint  = "lint"
	fmtIt = "fmt"
)

var text = []string{"text"}

// entries of pre-commit's own hooks are programs of the package pre-commit-hooks.
const ownPackage = "a program of the Python package pre-commit-hooks, which has to be installed"

// hookEntry is an entry of the table of hooks.
type hookEntry struct {
	repo  string // part of the address; "": any
	ids   []string
	local bool // also as a hook of the repository itself
	knownHook
}

var knownHooks = sync.OnceValue(func() []hookEntry {
	return []hookEntry{
		{"", []string{"trailing-whitespace", "end-of-file-fixer", "mixed-line-ending"}, false, knownHook{builtin: fmtIt, fix: true, ignoresArgs: true, note: "poly fmt ends lines and files as [defaults] says, in the languages it formats"}},
		{"pre-commit-hooks", []string{"pretty-format-json"}, false, knownHook{builtin: fmtIt, fix: true, ignoresArgs: true, refuses: func(a []string) bool { return slices.Contains(a, "--top-keys") }, note: "keys are not sorted"}},
		{"", []string{"check-yaml"}, false, knownHook{builtin: lint, engine: "yaml", ignoresArgs: true}},
		{"", []string{"check-json", "check-json5"}, false, knownHook{builtin: lint, engine: "json"}},
		{"", []string{"check-toml"}, false, knownHook{builtin: lint, engine: "toml"}},
		{"", []string{"check-xml"}, false, knownHook{builtin: lint, engine: "xml"}},
		{"", []string{"check-ast"}, false, knownHook{entry: "check-ast", types: []string{"python"}, builtin: lint, engine: "ruff"}},
		{"", []string{"check-merge-conflict"}, false, knownHook{builtin: "file_safety", option: safety("merge_conflict"), ignoresArgs: true}},
		{"", []string{"check-added-large-files"}, false, knownHook{builtin: "file_safety", option: largeFiles}},
		{"", []string{"check-case-conflict"}, false, knownHook{builtin: "file_safety", option: safety("case_conflict")}},
		{"", []string{"detect-private-key"}, false, knownHook{builtin: "file_safety", option: safety("private_key"), note: "it finds tokens and passwords too"}},
		{"", []string{"detect-aws-credentials"}, false, knownHook{builtin: "file_safety", option: safety("private_key"), ignoresArgs: true}},
		{"", []string{"check-executables-have-shebangs"}, false, knownHook{builtin: "file_safety", option: safety("executables_have_shebangs")}},
		{"", []string{"check-shebang-scripts-are-executable"}, false, knownHook{builtin: "file_safety", option: safety("shebang_scripts_are_executable")}},
		{"", []string{"check-symlinks"}, false, knownHook{builtin: "file_safety", option: safety("broken_links")}},
		{"gitleaks", []string{"gitleaks", "gitleaks-docker", "gitleaks-system"}, true, knownHook{builtin: "file_safety", option: safety("private_key"), ignoresArgs: true, note: "poly's own detector, which reads .gitleaks.toml's allowlists"}},
		{"pre-commit-hooks", []string{"no-commit-to-branch"}, false, knownHook{entry: "no-commit-to-branch", noFiles: true, always: true, git: true}},
		{"pre-commit-hooks", []string{"forbid-new-submodules", "destroyed-symlinks"}, false, knownHook{git: true, note: ownPackage}},
		{"pre-commit-hooks", []string{"debug-statements"}, false, knownHook{entry: "debug-statement-hook", types: []string{"python"}, note: ownPackage}},
		{"pre-commit-hooks", []string{"name-tests-test"}, false, knownHook{entry: "name-tests-test", files: `(^|/)tests/.+\.py$`, note: ownPackage}},
		{"pre-commit-hooks", []string{"check-docstring-first", "check-builtin-literals", "double-quote-string-fixer", "fix-encoding-pragma"}, false, knownHook{types: []string{"python"}, note: ownPackage}},
		{"pre-commit-hooks", []string{"requirements-txt-fixer"}, false, knownHook{entry: "requirements-txt-fixer", files: `(requirements|constraints).*\.txt$`, fixes: true, note: ownPackage}},
		{"pre-commit-hooks", []string{"fix-byte-order-marker", "check-byte-order-marker"}, false, knownHook{types: text, note: ownPackage}},
		{"pre-commit-hooks", []string{"file-contents-sorter"}, false, knownHook{entry: "file-contents-sorter", files: "^$", fixes: true, note: ownPackage}},
		{"pre-commit-hooks", []string{"sort-simple-yaml"}, false, knownHook{entry: "sort-simple-yaml", files: "^$", fixes: true, note: ownPackage}},
		{"pre-commit-hooks", []string{"check-vcs-permalinks"}, false, knownHook{types: text, note: ownPackage}},

		{"ruff", []string{"ruff", "ruff-check"}, false, knownHook{entry: "ruff check --force-exclude", either: []string{"python", "pyi", "jupyter"}, fixes: true, builtin: lint, engine: "ruff", fix: true, refuses: selects}},
		{"ruff", []string{"ruff-format"}, false, knownHook{entry: "ruff format --force-exclude", either: []string{"python", "pyi", "jupyter"}, fixes: true}},
		{"", []string{"black", "black-jupyter"}, false, knownHook{entry: "black", either: []string{"python", "pyi"}, fixes: true}},
		{"", []string{"isort"}, false, knownHook{entry: "isort --filter-files", either: []string{"python", "pyi"}, fixes: true}},
		{"", []string{"flake8"}, false, knownHook{entry: "flake8", types: []string{"python"}}},
		{"", []string{"mypy"}, false, knownHook{entry: "mypy", args: []string{"--ignore-missing-imports", "--scripts-are-modules"}, either: []string{"python", "pyi"}}},
		{"", []string{"pyright"}, false, knownHook{entry: "pyright", either: []string{"python", "pyi"}}},
		{"", []string{"pyupgrade"}, false, knownHook{entry: "pyupgrade", types: []string{"python"}, fixes: true}},
		{"", []string{"autoflake"}, false, knownHook{entry: "autoflake", types: []string{"python"}, fixes: true}},
		{"", []string{"bandit"}, false, knownHook{entry: "bandit", types: []string{"python"}}},
		{"", []string{"pylint"}, false, knownHook{entry: "pylint", types: []string{"python"}}},
		{"", []string{"pydocstyle"}, false, knownHook{entry: "pydocstyle", types: []string{"python"}}},
		{"", []string{"docformatter"}, false, knownHook{entry: "docformatter", types: []string{"python"}, fixes: true}},
		{"", []string{"add-trailing-comma"}, false, knownHook{entry: "add-trailing-comma", types: []string{"python"}, fixes: true}},
		{"", []string{"reorder-python-imports"}, false, knownHook{entry: "reorder-python-imports", types: []string{"python"}, fixes: true}},
		{"", []string{"django-upgrade"}, false, knownHook{entry: "django-upgrade", types: []string{"python"}, fixes: true}},
		{"", []string{"blacken-docs"}, false, knownHook{entry: "blacken-docs", either: []string{"rst", "markdown", "python"}, fixes: true}},
		{"", []string{"doc8"}, false, knownHook{entry: "doc8", either: []string{"rst"}}},
		{"", []string{"vulture"}, false, knownHook{entry: "vulture", types: []string{"python"}}},
		{"", []string{"interrogate"}, false, knownHook{entry: "interrogate", types: []string{"python"}}},
		{"", []string{"validate-pyproject"}, false, knownHook{entry: "validate-pyproject", files: `^pyproject\.toml$`}},
		{"", []string{"pyproject-fmt"}, false, knownHook{entry: "pyproject-fmt", files: `(^|/)pyproject\.toml$`, fixes: true}},
		{"", []string{"setup-cfg-fmt"}, false, knownHook{entry: "setup-cfg-fmt", files: `(^|/)setup\.cfg$`, fixes: true}},
		{"", []string{"toml-sort-fix"}, false, knownHook{entry: "toml-sort -i", types: []string{"toml"}, fixes: true}},
		{"uv-pre-commit", []string{"uv-lock"}, false, knownHook{entry: "uv lock", files: `^(uv\.lock|pyproject\.toml|uv\.toml)$`, noFiles: true, fixes: true}},
		{"uv-pre-commit", []string{"uv-export"}, false, knownHook{entry: "uv export", files: `^uv\.lock$`, noFiles: true, fixes: true}},
		{"uv-pre-commit", []string{"pip-compile"}, false, knownHook{entry: "uv pip compile", files: `^requirements\.(in|txt)$`, noFiles: true, fixes: true}},
		{"poetry", []string{"poetry-check"}, false, knownHook{entry: "poetry check", files: `^(.*/)?(poetry\.lock|pyproject\.toml)$`, noFiles: true}},
		{"poetry", []string{"poetry-lock"}, false, knownHook{entry: "poetry lock", files: `^(.*/)?(poetry\.lock|pyproject\.toml)$`, noFiles: true, fixes: true}},
		{"nbstripout", []string{"nbstripout"}, false, knownHook{entry: "nbstripout", types: []string{"jupyter"}, files: `\.ipynb$`, fixes: true}},
		{"pygrep-hooks", []string{"rst-backticks"}, false, knownHook{entry: `^(?!    ).*(^| )` + "`[^`]+`" + `([^_]|$)`, language: "pygrep", types: []string{"rst"}}},
		{"pygrep-hooks", []string{"python-use-type-annotations"}, false, knownHook{entry: `# type(?!: *ignore([^a-zA-Z0-9]|$))`, language: "pygrep", types: []string{"python"}}},
		{"pygrep-hooks", []string{"python-check-blanket-noqa"}, false, knownHook{entry: `(?i)# noqa(?!: )`, language: "pygrep", types: []string{"python"}}},
		{"pygrep-hooks", []string{"python-no-log-warn"}, false, knownHook{entry: `\blog(?:ger)?\.warn\b`, language: "pygrep", types: []string{"python"}}},
		{"pygrep-hooks", []string{"text-unicode-replacement-char"}, false, knownHook{entry: `\x{FFFD}`, language: "pygrep", types: text}},
		{"sphinx-lint", []string{"sphinx-lint"}, false, knownHook{entry: "sphinx-lint", either: []string{"rst", "markdown"}}},

		{"", []string{"prettier"}, false, knownHook{entry: "prettier --write --ignore-unknown", language: "node", types: text, fixes: true}},
		{"mirrors-eslint", []string{"eslint"}, false, knownHook{entry: "eslint", language: "node", files: `\.[jt]sx?$`}},
		{"biome", []string{"biome-check", "biome-ci", "biome-format", "biome-lint"}, false, knownHook{entry: "biome check --files-ignore-unknown=true --no-errors-on-unmatched", language: "node", types: text}},
		{"oxc", []string{"oxlint"}, false, knownHook{entry: "oxlint", either: []string{"javascript", "ts", "tsx", "vue", "svelte", "astro"}}},
		{"stylelint", []string{"stylelint"}, false, knownHook{entry: "stylelint", language: "node", files: `\.(css|scss|sass|less)$`}},
		{"clang-format", []string{"clang-format"}, false, knownHook{entry: "clang-format -i", either: []string{"c", "c++", "c#", "cuda", "java", "javascript", "json", "objective-c", "proto"}, fixes: true}},
		{"cmake", []string{"cmake-format"}, false, knownHook{entry: "cmake-format", files: `(\.cmake|CMakeLists\.txt)$`, fixes: true}},
		{"cmake", []string{"cmake-lint"}, false, knownHook{entry: "cmake-lint", files: `(\.cmake|CMakeLists\.txt)$`}},
		{"", []string{"markdownlint", "markdownlint-fix", "markdownlint-cli2", "markdownlint-cli2-docker", "markdownlint-docker"}, false, knownHook{entry: "markdownlint", language: "node", types: []string{"markdown"}, builtin: lint, engine: "markdown", note: "[lint.markdown.markdown] configures it"}},
		{"", []string{"mdformat"}, false, knownHook{entry: "mdformat", types: []string{"markdown"}, fixes: true}},
		{"rumdl", []string{"rumdl", "rumdl-fmt"}, false, knownHook{entry: "rumdl check", types: []string{"markdown"}, builtin: lint, engine: "markdown"}},
		{"", []string{"yamllint"}, false, knownHook{entry: "yamllint", types: []string{"yaml"}, builtin: lint, engine: "yaml", ignoresArgs: true, note: "poly reads .yamllint"}},
		{"", []string{"yamlfmt", "yamlfix"}, false, knownHook{entry: "yamlfmt", types: []string{"yaml"}, builtin: fmtIt, engine: "yamlfmt", fix: true}},
		{"", []string{"actionlint", "actionlint-docker", "actionlint-system"}, true, knownHook{entry: "actionlint", files: `^\.github/workflows/`, builtin: lint, engine: "actionlint", ignoresArgs: true}},
		{"", []string{"hadolint", "hadolint-docker"}, false, knownHook{entry: "hadolint", files: `Dockerfile`, builtin: lint, engine: "dockerfile", ignoresArgs: true, note: "poly reads .hadolint.yaml"}},
		{"typos", []string{"typos", "typos-src", "typos-docker"}, false, knownHook{entry: "typos --write-changes --force-exclude", types: text, builtin: lint, engine: "typos", ignoresArgs: true, note: "poly reads _typos.toml"}},
		{"", []string{"codespell"}, false, knownHook{entry: "codespell", types: text}},
		{"", []string{"shellcheck"}, false, knownHook{entry: "shellcheck", types: []string{"shell"}, builtin: lint, engine: "shell", refuses: shellArgs, note: "poly reads .shellcheckrc"}},
		{"", []string{"shfmt", "shfmt-src", "shfmt-docker"}, false, knownHook{entry: "shfmt", args: []string{"-w", "-s"}, types: []string{"shell"}, fixes: true, builtin: fmtIt, engine: "shfmt", fix: true, note: "flags of layout belong into .editorconfig or [fmt.shell.shfmt]"}},
		{"", []string{"bashate"}, false, knownHook{entry: "bashate", types: []string{"shell"}}},
		{"", []string{"editorconfig-checker", "editorconfig-checker-system"}, false, knownHook{entry: "editorconfig-checker", builtin: lint, engine: "editorconfig", ignoresArgs: true}},
		{"", []string{"taplo-format", "taplo-lint"}, false, knownHook{entry: "taplo fmt", types: []string{"toml"}, builtin: fmtIt, engine: "toml", fix: true}},
		{"", []string{"buf-lint", "buf-format"}, false, knownHook{entry: "buf lint", files: `\.proto$`, noFiles: true, builtin: lint, engine: "proto"}},
		{"buildifier", []string{"buildifier", "buildifier-lint"}, false, knownHook{entry: "buildifier", either: []string{"bazel"}, fixes: true, builtin: fmtIt, engine: "buildifier", fix: true}},
		{"", []string{"stylua", "stylua-github", "stylua-system"}, false, knownHook{entry: "stylua", types: []string{"lua"}, fixes: true}},
		{"", []string{"rubocop"}, false, knownHook{entry: "rubocop", types: []string{"ruby"}}},
		{"", []string{"sqlfluff-lint", "sqlfluff-fix"}, false, knownHook{entry: "sqlfluff lint --processes 0 --disable-progress-bar", types: []string{"sql"}}},
		{"detect-secrets", []string{"detect-secrets"}, false, knownHook{entry: "detect-secrets-hook", git: true}},
		{"trufflehog", []string{"trufflehog"}, false, knownHook{entry: "trufflehog git file://. --since-commit HEAD --fail", noFiles: true, git: true}},
		{"check-jsonschema", []string{"check-github-workflows", "check-github-actions"}, false, knownHook{entry: "check-jsonschema --builtin-schema vendor.github-workflows", files: `^\.github/workflows/[^/]+$`, types: []string{"yaml"}, builtin: lint, engine: "actionlint"}},
		{"check-jsonschema", []string{"check-dependabot"}, false, knownHook{entry: "check-jsonschema --builtin-schema vendor.dependabot", files: `^\.github/dependabot\.ya?ml$`}},
		{"check-jsonschema", []string{"check-renovate"}, false, knownHook{entry: "check-jsonschema --builtin-schema vendor.renovate", files: `renovate\.json5?$`}},
		{"check-jsonschema", []string{"check-readthedocs"}, false, knownHook{entry: "check-jsonschema --builtin-schema vendor.readthedocs", files: `^\.readthedocs\.ya?ml$`}},
		{"check-jsonschema", []string{"check-jsonschema"}, false, knownHook{entry: "check-jsonschema"}},
		{"check-jsonschema", []string{"check-metaschema"}, false, knownHook{entry: "check-jsonschema --check-metaschema"}},
		{"zizmor", []string{"zizmor"}, false, knownHook{entry: "zizmor", files: `^\.github/workflows/.*\.ya?ml$`}},

		{"", []string{"go-fmt", "gofmt", "go-fmt-repo"}, false, knownHook{entry: "gofmt -l -w", types: []string{"go"}, fixes: true, builtin: fmtIt, engine: "gofumpt", fix: true, option: func(d *draft, _ *table, _ []string, _ *Hook) {
			d.table("fmt.go.gofumpt").set("mode", `"gofmt"`)
		}}},
		{"", []string{"gofumpt", "go-fumpt", "go-fumpt-repo"}, false, knownHook{entry: "gofumpt -l -w", types: []string{"go"}, fixes: true, builtin: fmtIt, engine: "gofumpt", fix: true}},
		{"", []string{"go-imports", "goimports"}, false, knownHook{entry: "goimports -w", types: []string{"go"}, fixes: true}},
		{"", []string{"golangci-lint", "golangci-lint-full", "golangci-lint-repo-mod", "golangci-lint-mod"}, true, knownHook{builtin: "go", option: groupTool("golangci_lint")}},
		{"", []string{"go-vet", "go-vet-mod", "go-vet-repo-mod", "govet"}, true, knownHook{builtin: "go", option: groupTool("vet")}},
		{"", []string{"go-staticcheck", "staticcheck", "go-staticcheck-mod", "go-staticcheck-repo-mod"}, true, knownHook{builtin: "go", option: groupTool("staticcheck")}},
		{"", []string{"go-revive", "revive"}, false, knownHook{entry: "revive", types: []string{"go"}, builtin: lint, engine: "revive"}},
		{"", []string{"go-mod-tidy", "go-mod-tidy-repo"}, false, knownHook{entry: "go mod tidy", files: `(\.go|go\.mod|go\.sum)$`, noFiles: true}},
		{"", []string{"go-build", "go-build-mod", "go-build-repo-mod"}, false, knownHook{entry: "go build ./...", types: []string{"go"}, noFiles: true}},
		{"", []string{"go-unit-tests", "go-test-mod", "go-test-repo-mod"}, false, knownHook{entry: "go test ./...", types: []string{"go"}, noFiles: true}},
		{"", []string{"go-lint", "go-cyclo"}, false, knownHook{left: "its tool is no longer maintained; the engine revive has its rules"}},
		{"rust", []string{"fmt"}, false, knownHook{entry: "cargo fmt --", types: []string{"rust"}, fixes: true}},
		{"rust", []string{"cargo-check"}, false, knownHook{entry: "cargo check", types: []string{"rust"}, noFiles: true}},
		{"rust", []string{"clippy"}, false, knownHook{builtin: "cargo", option: groupTool("clippy")}},

		{"commitizen", []string{"commitizen"}, false, knownHook{stages: []string{"commit-msg"}, builtin: "commit", option: preset}},
		{"commitizen", []string{"commitizen-branch"}, false, knownHook{entry: "cz check --rev-range HEAD", noFiles: true, always: true, git: true, stages: []string{"pre-push"}}},
		{"", []string{"conventional-pre-commit"}, false, knownHook{stages: []string{"commit-msg"}, builtin: "commit", option: conventional}},
		{"", []string{"commitlint", "gitfluff-lint", "cog", "committed"}, false, knownHook{stages: []string{"commit-msg"}, builtin: "commit", option: preset}},
		{"gitlint", []string{"gitlint"}, false, knownHook{entry: "gitlint --staged --msg-filename", stages: []string{"commit-msg"}}},
		{"pre-commit-terraform", []string{"terraform_fmt"}, false, knownHook{entry: "terraform fmt", language: "system", files: `\.(tf|tfvars|hcl)$`, fixes: true, builtin: fmtIt, engine: "hcl", fix: true}},
		{"pre-commit-terraform", []string{"terraform_validate"}, false, knownHook{entry: "terraform validate", language: "system", files: `\.(tf|tfvars)$`, noFiles: true}},
		{"pre-commit-terraform", []string{"terraform_tflint"}, false, knownHook{entry: "tflint --recursive", language: "system", files: `\.tf$`, noFiles: true}},
		{"pre-commit-terraform", []string{"terraform_docs"}, false, knownHook{entry: "terraform-docs .", language: "system", files: `\.tf$`, noFiles: true, fixes: true}},
		{"pre-commit-terraform", []string{"terraform_trivy", "terraform_tfsec"}, false, knownHook{entry: "trivy config .", language: "system", files: `\.tf$`, noFiles: true}},
		{"pre-commit-terraform", []string{"terraform_checkov"}, false, knownHook{entry: "checkov -d .", language: "system", files: `\.tf$`, noFiles: true}},
		{"gruntwork", []string{"terraform-fmt", "tofu-fmt"}, false, knownHook{entry: "terraform fmt", language: "system", files: `\.tf$`, fixes: true, builtin: fmtIt, engine: "hcl", fix: true}},
		{"gruntwork", []string{"gofmt"}, false, knownHook{entry: "gofmt -l -w", types: []string{"go"}, fixes: true}},
		{"gruntwork", []string{"goimports"}, false, knownHook{entry: "goimports -w", types: []string{"go"}, fixes: true}},
		{"gruntwork", []string{"shellcheck"}, false, knownHook{entry: "shellcheck", types: []string{"shell"}}},
		{"", []string{"nixfmt", "nixfmt-rfc-style", "alejandra", "nixpkgs-fmt"}, false, knownHook{types: []string{"nix"}, fixes: true}},
		{"", []string{"lychee"}, false, knownHook{entry: "lychee --no-progress", types: text}},
		{"", []string{"djlint-reformat-django", "djlint-django", "djlint"}, false, knownHook{entry: "djlint", either: []string{"html", "jinja"}}},
		{"insert-license", []string{"insert-license"}, false, knownHook{entry: "insert_license", fixes: true}},
		{"lucas-c", []string{"insert-license"}, false, knownHook{entry: "insert_license", fixes: true}},
		{"lucas-c", []string{"remove-tabs", "remove-crlf", "forbid-tabs", "forbid-crlf"}, false, knownHook{types: text}},
	}
})

// selects reports whether ruff is given rules that are not in its files.
func selects(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "--select") || strings.HasPrefix(a, "--extend-select") || strings.HasPrefix(a, "--ignore") || strings.HasPrefix(a, "--config")
	})
}

// shellArgs reports whether shellcheck is given more than a severity.
func shellArgs(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "-e") || strings.HasPrefix(a, "--exclude") || strings.HasPrefix(a, "-o")
	})
}
