// Package hooks is poly's git hooks: installing them, and running the stages
// of [hooks] over exactly what git is about to commit, push or has done.
//
// # Laws
//
// A check writes nothing outside poly's own directories: index stages read the
// index git names, builtins get staged bytes, and jobs run in a copy of the
// staged tree. What fixes produce is written only if the whole stage passed: a
// refused commit leaves the index, the worktree and everything else as it was.
// A worktree file is replaced only if it still is what was staged, or if the
// fix merges cleanly into it.
package hooks

import (
	"slices"
	"strings"
)

// Stage is one of git's hooks that poly runs, or "manual".
type Stage struct {
	Name string
	// MinArgs and MaxArgs bound what git hands to the hook.
	MinArgs, MaxArgs int
	// Kind says what a stage is about.
	Kind Kind
	// Stdin: git writes to the hook's standard input.
	Stdin bool
}

// Kind is what a stage is about.
type Kind uint8

// The kinds of stages.
const (
	Events  Kind = iota // something happened; there are no files
	Index               // what is staged
	Message             // the file of a commit message
	Push                // what is about to be pushed
	Files               // files that were named
)

// Manual is the stage that only "poly hooks run manual" runs.
const Manual = "manual"

// Stages lists the stages in the order of the documentation.
func Stages() []Stage {
	return []Stage{
		{Name: "pre-commit", Kind: Index},
		{Name: "pre-merge-commit", Kind: Index},
		{Name: "prepare-commit-msg", MinArgs: 1, MaxArgs: 3, Kind: Message},
		{Name: "commit-msg", MinArgs: 1, MaxArgs: 1, Kind: Message},
		{Name: "post-commit"},
		{Name: "pre-rebase", MinArgs: 1, MaxArgs: 2},
		{Name: "post-checkout", MinArgs: 3, MaxArgs: 3},
		{Name: "post-merge", MinArgs: 1, MaxArgs: 1},
		{Name: "pre-push", MinArgs: 2, MaxArgs: 2, Kind: Push, Stdin: true},
		{Name: "post-rewrite", MinArgs: 1, MaxArgs: 1, Stdin: true},
		{Name: Manual, Kind: Files},
	}
}

// Find returns the stage of that name, "commit", "merge-commit" and "push"
// being short for the stages before them.
func Find(name string) (Stage, bool) {
	if long, ok := map[string]string{"commit": "pre-commit", "merge-commit": "pre-merge-commit", "push": "pre-push"}[name]; ok {
		name = long
	}
	all := Stages()
	i := slices.IndexFunc(all, func(s Stage) bool { return s.Name == name })
	if i < 0 {
		return Stage{}, false
	}
	return all[i], true
}

// Installable lists the stages that git has a hook for.
func Installable() []string {
	var out []string
	for _, s := range Stages() {
		if s.Name != Manual {
			out = append(out, s.Name)
		}
	}
	return out
}

// Names lists the stages for messages.
func Names() string { return strings.Join(append(Installable(), Manual), ", ") }
