package hooks

import (
	"bytes"
	"context"
	"maps"
	"strings"
	"sync"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/gitstate"
	"poly/runner"
	"poly/runner/job"
)

// builtins in the order in which they run.
var builtins = [...]struct {
	name string
	run  func(ctx context.Context, r *stageRun, b *job.Builtin, paths []string) (job.Result, error)
}{
	{"lint", func(ctx context.Context, r *stageRun, b *job.Builtin, paths []string) (job.Result, error) {
		return r.engines(ctx, engine.Lint, b, paths)
	}},
	{"fmt", func(ctx context.Context, r *stageRun, b *job.Builtin, paths []string) (job.Result, error) {
		return r.engines(ctx, engine.Format, b, paths)
	}},
	{"file_safety", func(ctx context.Context, r *stageRun, b *job.Builtin, _ []string) (job.Result, error) {
		return r.safety(ctx, b)
	}},
	{"commit", func(ctx context.Context, r *stageRun, _ *job.Builtin, _ []string) (job.Result, error) {
		return r.message(ctx)
	}},
}

// fixing reports whether a builtin changes what is staged.
func (r *stageRun) fixing(b *job.Builtin) bool { return b.Bool("fix", false) && r.req.Source.Staged }

// engines runs lint or fmt over the files of the stage, as they are recorded
// and as fixers before have left them.
func (r *stageRun) engines(ctx context.Context, verb engine.Verb, b *job.Builtin, paths []string) (job.Result, error) {
	if len(paths) == 0 {
		return job.Result{Outcome: job.Skipped, Reason: "no file matches"}, nil
	}
	req := runner.Request{Verb: verb, Tree: r.fixes.workTree(), Config: r.judged.Config, Paths: paths}
	if r.req.Source != (Source{}) {
		req.Tree = gitstate.Only(req.Tree, paths)
	}
	var got *collect
	if r.fixing(b) {
		got = &collect{}
		req.Fix = got
	}
	rep, err := r.judged.Run(ctx, req)
	if err != nil {
		return job.Result{}, err
	}
	if err := r.otherPushes(ctx, verb, b, &rep); err != nil {
		return job.Result{}, err
	}
	var res job.Result
	res.Outcome, res.NoVerdict, res.Reason = verdict(&rep)
	r.mu.Lock()
	r.reports[b.Name] = &rep
	r.mu.Unlock()
	if got != nil {
		if res.Changed, err = r.fixes.add(ctx, got.changes); err != nil {
			return job.Result{}, err
		}
	}
	return res, nil
}

// otherPushes judges the commits of further refs of a push.
func (r *stageRun) otherPushes(ctx context.Context, verb engine.Verb, b *job.Builtin, rep *diag.Report) error {
	for i := 1; i < len(r.pushes); i++ {
		p := &r.pushes[i]
		if p.commit == r.pushes[0].commit {
			continue
		}
		j, err := r.w.Open(ctx, Source{Commit: p.commit})
		if err != nil {
			return err
		}
		var paths []string
		for _, f := range p.paths {
			if (len(b.Files) == 0 || job.Match(b.Files, f)) && !job.Match(b.Exclude, f) {
				paths = append(paths, f)
			}
		}
		if len(paths) > 0 {
			tree, _, _, err := gitstate.CheckedOut(r.w.Repo, j.Tree)
			if err != nil {
				j.Close()
				return err
			}
			more, err := j.Run(ctx, runner.Request{Verb: verb, Tree: gitstate.Only(tree, paths), Config: j.Config, Paths: paths})
			if err != nil {
				j.Close()
				return err
			}
			rep.Files = append(rep.Files, more.Files...)
			rep.Summary.Checked += more.Summary.Checked
			rep.Summary.Skipped += more.Summary.Skipped
			rep.Summary.Errored += more.Summary.Errored
		}
		j.Close()
	}
	return nil
}

// message judges the file of a commit message.
func (r *stageRun) message(ctx context.Context) (job.Result, error) {
	if len(r.req.Args) == 0 {
		return job.Result{Outcome: job.Skipped, Reason: "no message file was given"}, nil
	}
	code, out, err := r.w.Message(ctx, r.req.Args[0])
	res := job.Result{Outcome: job.Passed, ExitCode: code, Output: string(out)}
	switch {
	case err != nil:
		return res, err
	case code == 1:
		res.Outcome = job.Failed
	case code != 0:
		res.Outcome, res.NoVerdict = job.Failed, true
	}
	return res, nil
}

// verdict is that of poly lint and poly fmt.
func verdict(rep *diag.Report) (o job.Outcome, noVerdict bool, reason string) {
	if rep.Summary.Errored > 0 {
		return job.Failed, true, filesIn(rep.Summary.Errored) + " could not be judged"
	}
	for i := range rep.Files {
		f := &rep.Files[i]
		if f.Changed && !rep.Fix {
			return job.Failed, false, ""
		}
		for j := range f.Diagnostics {
			if f.Diagnostics[j].Severity == diag.Error {
				return job.Failed, false, ""
			}
		}
	}
	return job.Passed, false, ""
}

// collect keeps the texts that engines would write.
type collect struct{ changes []runner.Change }

func (c *collect) WriteAll(_ context.Context, changes []runner.Change) []error {
	c.changes = append(c.changes, changes...)
	return make([]error, len(changes))
}

// fixes are the texts that replace staged ones, in blob form. Jobs that run at
// the same time may use them.
type fixes struct {
	base gitstate.Tree // in git's form
	work gitstate.Tree // as a checkout writes it

	toWork func(path string, blob []byte) []byte
	toBlob func(path string, text, staged []byte) []byte

	mu   sync.Mutex
	over map[string][]byte
	puts []string // paths the engines fixed, which a snapshot does not know yet
}

// newFixes begins with a tree as it is. recorded tells that it is one of git's,
// whose files engines see as a checkout writes them.
func newFixes(r *gitstate.Repo, base gitstate.Tree, recorded bool) (*fixes, error) {
	f := &fixes{base: base, work: base, over: map[string][]byte{}}
	if !recorded {
		return f, nil
	}
	var err error
	f.work, f.toWork, f.toBlob, err = gitstate.CheckedOut(r, base)
	return f, err
}

// add takes over what engines made, and returns the paths that are changed in
// git's form.
func (f *fixes) add(ctx context.Context, changes []runner.Change) (changed []string, err error) {
	for _, c := range changes {
		p := strings.Clone(c.File.Path)
		was, ok := f.base.Lookup(p)
		if !ok {
			continue
		}
		staged, err := f.base.Read(ctx, was)
		if err != nil {
			return nil, err
		}
		blob := c.After
		if f.toBlob != nil {
			blob = f.toBlob(p, c.After, staged)
		}
		f.mu.Lock()
		before, fixed := f.over[p]
		if !fixed {
			before = staged
		}
		if !bytes.Equal(blob, before) {
			f.over[p] = blob
			f.puts = append(f.puts, p)
			changed = append(changed, p)
		}
		f.mu.Unlock()
	}
	return changed, nil
}

// set takes over what a job made.
func (f *fixes) set(path string, blob []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over[path] = blob
}

// unknown returns what engines made since the last call.
func (f *fixes) unknown() map[string][]byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make(map[string][]byte, len(f.puts))
	for _, p := range f.puts {
		out[p] = f.over[p]
	}
	f.puts = nil
	return out
}

// tree is the staged tree with the fixes so far. It is not closed: the tree
// below belongs to the run.
func (f *fixes) tree() gitstate.Tree {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.over) == 0 {
		return f.base
	}
	return gitstate.Overlay(f.base, maps.Clone(f.over))
}

// workTree is tree as a checkout writes it.
func (f *fixes) workTree() gitstate.Tree {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.over) == 0 {
		return f.work
	}
	texts := make(map[string][]byte, len(f.over))
	for p, b := range f.over {
		if f.toWork != nil {
			b = f.toWork(p, b)
		}
		texts[p] = b
	}
	return gitstate.Overlay(f.work, texts)
}
