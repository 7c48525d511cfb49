package config

import (
	"slices"
)

// stage is a stage of [hooks] and the other name it may have.
type stage struct{ name, alias string }

var stages = [...]stage{
	{"pre-commit", "commit"},
	{"pre-merge-commit", "merge-commit"},
	{"prepare-commit-msg", ""},
	{"commit-msg", ""},
	{"post-commit", ""},
	{"pre-rebase", ""},
	{"post-checkout", ""},
	{"post-merge", ""},
	{"pre-push", "push"},
	{"post-rewrite", ""},
	{"manual", ""},
	{"always", ""},
}

func stageNames() []string {
	var out []string
	for _, s := range stages {
		out = append(out, s.name)
		if s.alias != "" {
			out = append(out, s.alias)
		}
	}
	return out
}

func stageList(doc string) *shape {
	return &shape{kinds: kindArray, elem: &shape{kinds: kindString, enum: stageNames()}, doc: doc}
}

const notYet = "this version does not act on it"

func dead(s *shape) *shape {
	s.dead = notYet
	return s
}

func hooksShape() *shape {
	keys := []key{
		{"stages", stageList("Stages of builtins that name none.")},
		{"env", environment()},
		{"builtin", builtinsShape()},
		{"isolate", switchable("Jobs of commit stages see the staged content only.")},
		{"parallel", switchable("Whether jobs of a stage run at the same time, unless the stage says.")},
		{"link", list("Ignored directories that jobs find in the staged snapshot, such as node_modules.")},
		{"git_env", switchable("Jobs get git's GIT_* variables.")},
		{"sources", sourcesShape()},
	}
	st := stageShape()
	for _, s := range stageNames() {
		keys = append(keys, key{s, st})
	}
	return &shape{kinds: kindTable, keys: keys, doc: "Git hooks.", check: checkHooks, schema: hooksSchema()}
}

func checkHooks(v *validator, n *node, _ place) {
	for _, s := range stages {
		if a, b := n.get(s.name), n.get(s.alias); s.alias != "" && a != nil && b != nil {
			v.add(b.at, "duplicate-key", "", "[hooks.%s] and [hooks.%s] are the same stage", s.name, s.alias)
		}
	}
	for _, k := range []string{"repo", "repos"} {
		if n.get(k) == nil {
			continue
		}
		for i := range v.problems {
			if p := &v.problems[i]; p.at == n.get(k).at {
				p.hint = `that is pre-commit's format: "poly migrate" converts it`
			}
		}
	}
}

func hooksSchema() map[string]any {
	var none []any
	for _, s := range stages {
		if s.alias != "" {
			none = append(none, map[string]any{"not": map[string]any{"required": []string{s.name, s.alias}}})
		}
	}
	return map[string]any{"allOf": none}
}

func stageShape() *shape {
	job := jobShape()
	byScript := *job
	byScript.check, byScript.ref = checkGuards, "script"
	byScript.schema = guardSchema()
	s := &shape{
		kinds: kindTable, doc: "What runs at this stage.", ref: "stage", check: checkGuards, schema: guardSchema(),
		keys: []key{
			{"parallel", switchable("Jobs run at the same time.")},
			{"piped", switchable("The first failure stops the stage.")},
			{"follow", dead(switchable("Accepted for compatibility."))},
			{"exclude_tags", list("Jobs with one of these tags are left out.")},
			{"files", list("Globs of files jobs get.")},
			{"skip", guardShape("When the stage does not run.")},
			{"only", guardShape("When the stage runs.")},
			{"fail_on_changes", dead(&shape{kinds: kindBool | kindString, doc: "Accepted for compatibility."})},
			{"precondition", text("A command; the stage is skipped unless it succeeds.")},
			{"before", list("Commands that run first.")},
			{"after", list("Commands that run last, if all went well.")},
			{"env", environment()},
			{"git_env", switchable("Jobs get git's GIT_* variables.")},
			{"jobs", &shape{kinds: kindArray, elem: job, doc: "Jobs, in order."}},
			{"commands", tableOf(job, "Jobs by name.")},
			{"scripts", tableOf(&byScript, "Jobs by the file of their script.")},
		},
	}
	s.keys = append(s.keys, globs("Globs of files jobs do not get.")...)
	return s
}

func jobShape() *shape {
	s := &shape{
		kinds: kindTable, doc: "One job.", ref: "job", check: checkJob, schema: jobSchema(),
		keys: []key{
			{"name", text("Its name in reports.")},
			{"run", nonEmpty(text("A shell command."))},
			{"fix", text("A shell command that repairs what run would refuse.")},
			{"script", nonEmpty(text("A file to execute."))},
			{"runner", text("What executes the script.")},
			{"args", array("Arguments.")},
			{"glob", list("Globs of files it gets.")},
			{"files", list("Globs of files it gets.")},
			{"file_types", list("Tags all of which its files have, such as python or executable.")},
			{"root", text("Directory it runs in, from the root.")},
			{"skip", guardShape("When it does not run.")},
			{"only", guardShape("When it runs.")},
			{"precondition", text("A command; the job is skipped unless it succeeds.")},
			{"before", list("Commands that run before it.")},
			{"tags", list("Tags for exclude_tags.")},
			{"env", environment()},
			{"fail_text", text("What to say when it fails.")},
			{"timeout", &shape{kinds: kindInt | kindString, min: 0, doc: `Time limit: seconds, or a string such as "2m".`}},
			{"priority", &shape{kinds: kindInt, min: noMin, doc: "Lower runs first."}},
			{"serial", nonEmpty(&shape{kinds: kindBool | kindString, doc: "Jobs with the same word do not run together."})},
			{"stage_fixed", switchable("What it changes is staged.")},
			{"workspace", switchable("It looks at the whole project and gets no files.")},
			{"interactive", switchable("It gets the terminal.")},
			{"use_stdin", switchable("It gets git's standard input.")},
			{"follow", dead(switchable("Accepted for compatibility."))},
			{"needs", list("Files besides its own that it reads.")},
			{"git_env", switchable("It gets git's GIT_* variables.")},
			{"cache", table("When its result may be reused.",
				key{"mode", word("", "Which results.", "off", "safe", "aggressive")},
				key{"inputs", list("Globs of files its result depends on.")},
				key{"compiler", switchable("It compiles; sccache helps.")})},
		},
	}
	s.keys = append(s.keys, globs("Globs of files it does not get.")...)
	return s
}

func nonEmpty(s *shape) *shape {
	s.nonEmpty = true
	return s
}

func guardShape(doc string) *shape {
	item := &shape{
		kinds: kindString | kindTable, enum: []string{"merge", "rebase"},
		keys: []key{
			{"run", nonEmpty(text("A command that succeeds."))},
			{"ref", nonEmpty(list("Globs of branch names."))},
			{"merge", switchable("During a merge.")},
			{"rebase", switchable("During a rebase.")},
		},
		check: func(v *validator, n *node, at place) {
			if n.kind == kindTable && len(n.table) == 0 {
				v.add(n.at, "bad-value", "", "%s must have one of run, ref, merge and rebase", at)
			}
		},
		schema: map[string]any{"minProperties": 1},
	}
	return &shape{
		kinds: kindBool | kindString | kindArray, enum: []string{"merge", "rebase"}, elem: item, doc: doc, ref: "guard",
	}
}

func checkGuards(v *validator, n *node, at place) {
	if s, o := n.get("skip"), n.get("only"); s != nil && o != nil {
		v.add(o.at, "bad-value", "", "skip and only in [%s] exclude each other", at.path())
	}
}

func guardSchema() map[string]any {
	return map[string]any{"not": map[string]any{"required": []string{"skip", "only"}}}
}

func checkJob(v *validator, n *node, at place) {
	checkGuards(v, n, at)
	run, script := n.get("run"), n.get("script")
	if (run == nil) == (script == nil) {
		v.add(n.at, "bad-value", "", "[%s] must have exactly one of run and script", at.path())
	}
	if r := n.get("runner"); r != nil && script == nil {
		v.add(r.at, "bad-value", "", "runner in [%s] goes with script, not with run", at.path())
	}
}

func jobSchema() map[string]any {
	lacks := func(k string) map[string]any { return map[string]any{"not": map[string]any{"required": []string{k}}} }
	return map[string]any{
		"allOf": []any{map[string]any{"not": map[string]any{"required": []string{"skip", "only"}}}},
		"oneOf": []any{
			map[string]any{"required": []string{"run"}, "allOf": []any{lacks("script"), lacks("runner")}},
			map[string]any{"required": []string{"script"}, "allOf": []any{lacks("run")}},
		},
	}
}

// builtinShape takes true, false, or a table.
func builtinShape(doc string, more ...key) *shape {
	keys := slices.Concat([]key{
		{"enabled", switchable("It runs.")},
		{"stages", stageList("Its stages.")},
		{"files", list("Globs of files it gets.")},
	}, globs("Globs of files it does not get."), more)
	return &shape{kinds: kindBool | kindTable, keys: keys, doc: doc}
}

func builtinsShape() *shape {
	fix := key{"fix", switchable("What can be fixed is fixed and staged.")}
	var safety []key
	for _, k := range []string{
		"merge_conflict", "added_large_files", "private_key", "case_conflict",
		"executables_have_shebangs", "shebang_scripts_are_executable", "broken_links", "submodule_moves",
	} {
		safety = append(safety, key{k, switchable("This check runs.")})
	}
	safety = append(safety, key{"max_added_file_kb", whole(0, "Largest file that may be added, in KiB.")})
	return table("Checks that are built in.",
		key{"lint", builtinShape("poly lint on the staged files.", fix)},
		key{"fmt", builtinShape("poly fmt on the staged files.", fix)},
		key{"commit", builtinShape("The commit message check.")},
		key{"file_safety", builtinShape("Checks that any repository wants.", safety...)},
		key{"cargo", builtinShape("Rust's tools over the whole project.",
			key{"clippy", switchable("cargo clippy.")}, key{"sort", switchable("cargo sort.")},
			key{"machete", switchable("cargo machete.")}, key{"deny", switchable("cargo deny.")},
			key{"clippy_args", array("Arguments instead of the default ones.")},
			key{"cache", switchable("Results may be reused.")},
			key{"lint", switchable("They are part of poly lint's whole-project phase.")})},
		key{"go", builtinShape("Go's tools over the whole project.",
			key{"vet", switchable("go vet.")}, key{"staticcheck", switchable("staticcheck.")},
			key{"golangci_lint", switchable("golangci-lint.")},
			key{"cache", switchable("Results may be reused.")},
			key{"lint", switchable("They are part of poly lint's whole-project phase.")})})
}

func sourcesShape() *shape {
	s := &shape{
		kinds: kindTable, check: checkSource, schema: sourceSchema(),
		keys: []key{
			{"id", &shape{
				kinds: kindString, doc: "Its name.", wants: "letters, digits, - and _", accepts: isID,
				schema: map[string]any{"pattern": "^[A-Za-z0-9_-]+$"},
			}},
			{"path", notOption("A directory.")},
			{"git", notOption("URL of a repository.")},
			{"revision", notOption("Branch, tag or commit.")},
			{"hooks", nonEmpty(&shape{kinds: kindArray, elem: nonEmpty(text("")), doc: "Hooks taken from it."})},
		},
	}
	return &shape{kinds: kindArray, elem: s, doc: "Catalogs of hooks.", dead: "hook sources are not supported"}
}

func isID(s string) bool {
	for _, c := range []byte(s) {
		if !isLetter(c) && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return s != ""
}
