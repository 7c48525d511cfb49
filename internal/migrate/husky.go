package migrate

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// husky reads the scripts of .husky, or the table of old versions in
// package.json.
func (r *reader) husky() error {
	entries, err := fs.ReadDir(r.Tree, ".husky")
	if err == nil {
		for _, e := range entries {
			if e.IsDir() || strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_") {
				continue
			}
			if err := r.huskyScript(".husky/" + e.Name()); err != nil {
				return err
			}
		}
	}
	text, ok := r.read("package.json")
	if !ok {
		return nil
	}
	doc, err := parse("package.json", text)
	if err != nil {
		return nil //nolint:nilerr // npm's file, not husky's: lint-staged tells
	}
	hooks := doc.get("husky").get("hooks").members()
	if len(hooks) > 0 {
		r.plan.Files = append(r.plan.Files, "package.json")
		r.note(`package.json: remove its "husky"`)
	}
	for _, m := range hooks {
		if err := r.huskyLines("package.json", m.name, m.value.line(), []string{m.value.text()}); err != nil {
			return err
		}
	}
	if prepare := doc.get("scripts").get("prepare").text(); strings.Contains(prepare, "husky") && len(r.plan.Files) > 0 {
		r.note(`package.json: the script "prepare" starts husky; poly hooks install takes its place`)
	}
	return nil
}

// huskyScript migrates one script: its lines, if each is a command by itself,
// else the whole.
func (r *reader) huskyScript(name string) error {
	stage := path.Base(name)
	if !slices.Contains(knownStages, stage) {
		if slices.Contains(gitHooks, stage) {
			r.source(name)
			r.add(Hook{File: name, ID: stage, Outcome: Left, Notes: []string{"poly has no stage " + stage}})
		}
		return nil
	}
	text, ok := r.read(name)
	if !ok {
		return nil
	}
	r.source(name)
	lines, plain := commands(string(text))
	if plain {
		return r.huskyLines(name, stage, 0, lines)
	}
	h := Hook{File: name, ID: stage, Outcome: Carried, Notes: []string{"it is more than a list of commands, so it stays and is executed"}}
	r.plan.Remove = slices.DeleteFunc(r.plan.Remove, func(f string) bool { return f == name })
	j := entry{}
	j.set("name", quote("husky"))
	j.set("script", quote(name))
	j.set("runner", quote("sh -e"))
	if n := argsOf[stage]; n > 0 {
		var args []string
		for i := range n {
			args = append(args, fmt.Sprintf("{%d}", i+1))
		}
		j.list("args", args)
	}
	whole(&j, stage)
	h.To = "job " + r.draft.stage(stage).addJob(j)
	r.add(h)
	return nil
}

// argsOf are the arguments a hook gets.
var argsOf = map[string]int{"commit-msg": 1, "post-merge": 1, "post-rewrite": 1, "pre-push": 2, "pre-rebase": 1, "post-checkout": 3, "prepare-commit-msg": 1}

// whole makes a job that looks at the project and asks git, as scripts of hooks
// do.
func whole(j *entry, stage string) {
	if fileStage(stage) {
		j.set("workspace", "true")
	}
	j.set("git_env", "true")
}

// huskyLines migrates commands of a hook.
func (r *reader) huskyLines(file, stage string, line int, lines []string) error {
	if !slices.Contains(knownStages, stage) {
		r.add(Hook{File: file, Line: line, ID: stage, Outcome: Left, Notes: []string{"poly has no stage " + stage}})
		return nil
	}
	s := r.draft.stage(stage)
	for i, l := range lines {
		h := Hook{File: file, Line: line, ID: fmt.Sprintf("%s: %s", stage, l), Outcome: Carried}
		switch {
		case stage == "commit-msg" && isCommitlint(l):
			r.draft.builtin("commit", stage)
			h.Outcome, h.To = Mapped, "builtin commit"
			h.Notes = append(h.Notes, "rules of commitlint's configuration belong into [commit.rules]")
		case strings.Contains(l, "lint-staged"):
			n := len(r.plan.Hooks)
			if err := r.lintStagedAt(stage); err != nil {
				return err
			}
			if len(r.plan.Hooks) > n {
				h.Outcome, h.To = Mapped, "the jobs of lint-staged"
				break
			}
			h.Notes = append(h.Notes, "lint-staged is run as it is, since its configuration is none that can be read; it stashes and stages by itself")
			fallthrough
		default:
			j := entry{}
			j.set("name", quote(jobName(l, i)))
			j.set("run", quote(numbered(l)))
			whole(&j, stage)
			h.To = "job " + s.addJob(j)
			r.program(&h, l)
		}
		r.add(h)
	}
	if len(s.jobs) > 0 {
		s.set("parallel", "false")
		s.set("piped", "true")
	}
	return nil
}

var parameter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"\$\{?([1-9])\}?"|\$\{?([1-9])\}?|\$\{?(?:HUSKY_GIT_PARAMS|GIT_PARAMS)\}?`)
})

// numbered writes the arguments of a hook as templates.
func numbered(line string) string {
	return parameter().ReplaceAllStringFunc(line, func(s string) string {
		if n := strings.Trim(s, `"${}`); len(n) == 1 {
			return "{" + n + "}"
		}
		return "{1}"
	})
}

// commands splits a script into commands that stand by themselves; plain is
// false if it is more than that.
func commands(script string) (lines []string, plain bool) {
	script = strings.ReplaceAll(script, "\r\n", "\n")
	script = strings.ReplaceAll(script, "\\\n", " ")
	for line := range strings.SplitSeq(script, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "", strings.HasPrefix(line, "#"), strings.Contains(line, "husky.sh"), line == "set -e", line == "set -eu", line == "set -euo pipefail", line == "exit 0":
			continue
		}
		if !isCommand(line) {
			return nil, false
		}
		lines = append(lines, line)
	}
	return lines, true
}

// isCommand reports whether a line is whole by itself and sets nothing that the
// next one reads.
func isCommand(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	switch word {
	case "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "{", "}", "function", "export", "exit", "return", "cd", "set", "trap", "exec",
		"read", "source", ".", "[", "[[", "test", "local", "alias", "unset", "shift", "command", "echo", "printf", "!":
		return word == "echo" && strings.Count(line, "`")+strings.Count(line, "$(") == 0
	}
	if strings.Contains(word, "=") || strings.Contains(line, "()") || strings.Contains(line, "<<") || strings.HasSuffix(line, "{") || strings.HasSuffix(line, "\\") {
		return false
	}
	quotes := strings.Count(line, `"`)%2 == 0 && strings.Count(line, "'")%2 == 0
	ends := !strings.HasSuffix(line, "&&") && !strings.HasSuffix(line, "||") && !strings.HasSuffix(line, "|")
	return quotes && ends && !strings.HasPrefix(line, "&&") && !strings.HasPrefix(line, "|")
}
