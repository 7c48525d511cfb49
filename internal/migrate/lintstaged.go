package migrate

import (
	"path"
	"slices"
	"strings"
)

// lintStagedFiles are the files of data lint-staged reads; the others are
// programs.
var (
	lintStagedFiles    = []string{".lintstagedrc", ".lintstagedrc.json", ".lintstagedrc.yaml", ".lintstagedrc.yml"}
	lintStagedPrograms = []string{
		"lint-staged.config.js", "lint-staged.config.mjs", "lint-staged.config.cjs", "lint-staged.config.ts", "lint-staged.config.mts", "lint-staged.config.cts",
		".lintstagedrc.js", ".lintstagedrc.mjs", ".lintstagedrc.cjs", ".lintstagedrc.ts", ".lintstagedrc.mts", ".lintstagedrc.cts",
	}
)

// lintStaged reads lint-staged's configuration for the stage pre-commit.
func (r *reader) lintStaged() error {
	read := r.staged
	if err := r.lintStagedAt("pre-commit"); err != nil || read || len(r.plan.Hooks) > 0 {
		return err
	}
	if name, _, ok := r.first(lintStagedPrograms...); ok {
		r.plan.Files = append(r.plan.Files, name)
		r.add(Hook{File: name, ID: "lint-staged", Outcome: Left, Notes: []string{"it is a program, and poly runs none to read a configuration: write its globs as jobs by hand"}})
	}
	return nil
}

// lintStagedAt reads it for a stage, once. One that is a program is not read.
func (r *reader) lintStagedAt(stage string) error {
	if r.staged {
		return nil
	}
	r.staged = true
	if text, ok := r.read("package.json"); ok {
		doc, err := parse("package.json", text)
		if err != nil {
			return err
		}
		if n := doc.get("lint-staged"); len(n.members()) > 0 {
			r.plan.Files = append(r.plan.Files, "package.json")
			r.note(`package.json: remove its "lint-staged"`)
			r.globs("package.json", stage, n)
			return nil
		}
	}
	if name, text, ok := r.first(lintStagedFiles...); ok {
		doc, err := parse(name, text)
		if err != nil {
			return err
		}
		r.source(name)
		r.globs(name, stage, doc)
		return nil
	}
	return nil
}

// globs carries the commands of each glob as one job.
func (r *reader) globs(file, stage string, doc node) {
	s := r.draft.stage(stage)
	for _, m := range doc.members() {
		if m.value.text() == "" && len(m.value.items()) == 0 {
			if slices.Contains([]string{"ignore", "linters", "concurrent", "chunkSize", "globOptions", "subTaskConcurrency", "renderer"}, m.name) {
				r.note(file + ": " + m.name + " is of old versions of lint-staged and was not read")
			}
			continue
		}
		h := Hook{File: file, Line: m.key.line(), ID: m.name, Outcome: Carried}
		glob, ok := stagedGlob(m.name)
		if !ok {
			h.Outcome, h.Notes = Left, []string{"its glob has no form in poly: write it as files and exclude by hand"}
			r.add(h)
			continue
		}
		parts, programs := stagedCommands(m.value)
		if len(parts) == 0 {
			h.Outcome, h.Notes = Left, []string{"it only stages files, which stage_fixed does"}
			r.add(h)
			continue
		}
		j := entry{comments: m.key.comments()}
		j.set("name", quote(jobName(programs[0], len(s.jobs))))
		j.set("run", quote(strings.Join(parts, " && ")))
		j.list("files", []string{glob})
		j.set("stage_fixed", "true")
		h.To = "job " + s.addJob(j)
		r.add(h)
	}
}

// stagedCommands are the commands of a glob, as a job runs them and as they are
// written.
func stagedCommands(n node) (parts, programs []string) {
	for _, c := range n.texts() {
		if c == "git add" || strings.HasPrefix(c, "git add ") {
			continue // stage_fixed does so
		}
		parts = append(parts, local(c)+" {staged_files}")
		programs = append(programs, c)
	}
	return parts, programs
}

// local starts a program of node_modules, where lint-staged looks first.
func local(command string) string {
	word, _, _ := strings.Cut(command, " ")
	if strings.Contains(word, "/") || strings.Contains(word, "=") || slices.Contains(notNode, word) || slices.Contains(shellWords, word) {
		return command
	}
	return "npx --no-install " + command
}

// notNode are programs that are in no node_modules.
var notNode = []string{
	"npx", "npm", "pnpm", "yarn", "bun", "bunx", "node", "deno", "git", "sh", "bash", "make", "cargo", "go", "gofmt", "python", "python3", "uv", "uvx", "poetry", "ruff", "black", "rustfmt", "php", "composer",
	"bundle", "ruby", "docker", "cross-env", "terraform", "shellcheck", "shfmt", "mix", "dart", "flutter", "swiftlint", "swiftformat", "dotnet", "gradle", "mvn", "nix", "just", "task", "poly",
}

// stagedGlob writes a glob of lint-staged for poly; one without a slash matches
// at any depth in both.
func stagedGlob(glob string) (string, bool) {
	if strings.ContainsAny(glob, "()") {
		return "", false
	}
	glob = strings.TrimPrefix(glob, "./")
	if strings.HasPrefix(glob, "!") || strings.HasPrefix(glob, "/") || path.IsAbs(glob) {
		return "", false
	}
	return glob, true
}
