package hooks

import (
	"context"
	"maps"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/gitstate"
	"poly/internal/glob"
	"poly/runner"
)

// builtins in the order in which they run.
var builtins = [...]struct {
	name string
	run  func(ctx context.Context, r *stageRun, table map[string]any) (Result, error)
}{
	{"lint", func(ctx context.Context, r *stageRun, t map[string]any) (Result, error) {
		return r.engines(ctx, engine.Lint, t)
	}},
	{"fmt", func(ctx context.Context, r *stageRun, t map[string]any) (Result, error) {
		return r.engines(ctx, engine.Format, t)
	}},
}

// engines runs lint or fmt over the files of the stage, as they are staged and
// as fixers before have left them.
func (r *stageRun) engines(ctx context.Context, verb engine.Verb, table map[string]any) (Result, error) {
	paths := matching(r.paths, table)
	if len(paths) == 0 {
		return Result{Outcome: Skipped, Reason: "no file matches"}, nil
	}
	req := runner.Request{Verb: verb, Tree: r.fixes.tree(), Config: r.judged.Config, Paths: paths}
	var got *collect
	if table["fix"] == true && r.req.Source.Staged {
		got = &collect{}
		req.Fix = got
	}
	rep, err := r.judged.Run(ctx, req)
	if err != nil {
		return Result{}, err
	}
	res := Result{Files: len(paths), Report: &rep}
	res.Outcome, res.Reason = verdict(&rep)
	if got != nil {
		for _, c := range got.changes {
			res.Fixed = append(res.Fixed, c.File.Path)
		}
		r.fixes.add(got.changes)
	}
	return res, nil
}

// verdict is that of poly lint and poly fmt.
func verdict(rep *diag.Report) (Outcome, string) {
	if rep.Summary.Errored > 0 {
		return Errored, plural(rep.Summary.Errored, "file") + " could not be judged"
	}
	for i := range rep.Files {
		f := &rep.Files[i]
		if f.Changed && !rep.Fix {
			return Failed, ""
		}
		for j := range f.Diagnostics {
			if f.Diagnostics[j].Severity == diag.Error {
				return Failed, ""
			}
		}
	}
	return Passed, ""
}

// matching returns the paths that a table's files and exclude let through. A
// pattern without a slash matches at any depth.
func matching(paths []string, table map[string]any) []string {
	files, exclude := globs(table["files"]), globs(table["exclude"])
	if files == nil && exclude == nil {
		return paths
	}
	var out []string
	for _, p := range paths {
		if (files == nil || files.Match(p, false).Rule >= 0) && (exclude == nil || exclude.Match(p, false).Rule < 0) {
			out = append(out, p)
		}
	}
	return out
}

func globs(v any) *glob.List {
	var rules []glob.Rule
	for _, p := range texts(v) {
		rules = append(rules, glob.Rule{Pattern: strings.TrimPrefix(p, "./")})
	}
	if rules == nil {
		return nil
	}
	return glob.NewList(rules, glob.Options{NoNegation: true})
}

// collect keeps the texts that engines would write.
type collect struct{ changes []runner.Change }

func (c *collect) WriteAll(_ context.Context, changes []runner.Change) []error {
	c.changes = append(c.changes, changes...)
	return make([]error, len(changes))
}

// fixes are the texts that replace staged ones, in blob form.
type fixes struct {
	base gitstate.Tree
	over map[string][]byte
}

func newFixes(base gitstate.Tree) *fixes { return &fixes{base: base, over: map[string][]byte{}} }

func (f *fixes) add(changes []runner.Change) {
	for _, c := range changes {
		f.over[strings.Clone(c.File.Path)] = c.After
	}
}

// tree is the staged tree with the fixes so far. It is not closed: the tree
// below belongs to the run.
func (f *fixes) tree() gitstate.Tree {
	if len(f.over) == 0 {
		return f.base
	}
	return gitstate.Overlay(f.base, maps.Clone(f.over))
}
