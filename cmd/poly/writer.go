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

// lockTree opens the worktree for writing: what another poly is about to
// write, or left behind, is not looked at.
func (s *session) lockTree(ctx context.Context) (err error) {
	if s.homeless != nil {
		return s.homeless
	}
	s.lock, err = worktree.Open(ctx, worktree.Options{Root: s.root, StateDir: filepath.Join(s.dirs.State, "worktrees"), Wait: s.lockWait})
	return err
}

// writer returns what f asks for.
func (s *session) writer(ctx context.Context, f *runFlags) (*writer, error) {
	if f.fix && f.stdinName != "" {
		text, err := s.stdinText(ctx)
		return &writer{stdin: &capture{text: text}}, err
	}
	return &writer{tree: s.lock}, nil
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
