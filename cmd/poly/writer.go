package main

import (
	"context"
	"path/filepath"

	"poly/internal/worktree"
	"poly/runner"
)

// writer is where fixes go: nowhere, the worktree, or standard output.
type writer struct {
	tree  *worktree.Writer
	stdin *capture
}

// writer opens what f asks for. Opening the worktree for writing takes its lock.
func (s *session) writer(ctx context.Context, f *runFlags) (*writer, error) {
	switch {
	case !f.fix:
		return &writer{}, nil
	case f.stdinName != "":
		text, err := s.stdinText(ctx)
		return &writer{stdin: &capture{text: text}}, err
	}
	if s.homeless != nil {
		return nil, s.homeless
	}
	w, err := worktree.Open(ctx, worktree.Options{Root: s.root, StateDir: filepath.Join(s.dirs.State, "worktrees"), Wait: s.lockWait})
	if err != nil {
		return nil, err
	}
	return &writer{tree: w}, nil
}

func (s *session) stdinText(ctx context.Context) ([]byte, error) {
	f, _ := s.tree.Lookup(s.paths[0])
	return s.tree.Read(ctx, f)
}

func (w *writer) fix() runner.Writer {
	switch {
	case w.tree != nil:
		return treeWriter{w.tree}
	case w.stdin != nil:
		return w.stdin
	}
	return nil
}

// Close gives the lock back.
func (w *writer) Close() {
	if w.tree != nil {
		_ = w.tree.Close()
	}
}

type treeWriter struct{ w *worktree.Writer }

func (t treeWriter) WriteAll(ctx context.Context, changes []runner.Change) []error {
	out := make([]worktree.Change, len(changes))
	for i, c := range changes {
		out[i] = worktree.Change{Path: c.File.Path, Before: c.Before, After: c.After}
	}
	return t.w.WriteAll(ctx, out)
}

// capture keeps the new text of standard input.
type capture struct{ text []byte }

func (c *capture) WriteAll(_ context.Context, changes []runner.Change) []error {
	c.text = changes[0].After
	return make([]error, len(changes))
}
