package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"poly/internal/discover"
	"poly/internal/gitstate"
	"poly/internal/usererr"
)

// addIgnored puts files into the tree that were named although git ignores
// them, or that lie below a directory named so. What lies beyond a link or in
// another repository stays out: the runner refuses it.
func (s *session) addIgnored(ctx context.Context) error {
	missing, err := discover.Missing(s.tree, s.paths)
	if err != nil || len(missing) == 0 {
		return err
	}
	more := map[string][]byte{}
	for _, p := range missing {
		if s.beyond(p) {
			continue
		}
		if err := s.walkIgnored(ctx, p, more); err != nil {
			return err
		}
	}
	if len(more) > 0 {
		s.tree = gitstate.Overlay(s.tree, more)
	}
	return nil
}

// beyond reports whether p is no ignored file or directory although the tree
// does not have it: the tree failed on it, or it lies in a git directory or
// below an entry that is no directory, a link or a submodule.
func (s *session) beyond(p string) bool {
	if strings.Contains("/"+p+"/", "/.git/") {
		return true
	}
	for _, problem := range s.tree.Problems() {
		if inside(problem.Path, p) {
			return true
		}
	}
	for up := path.Dir(p); up != "."; up = path.Dir(up) {
		if _, ok := s.tree.Lookup(up); ok {
			return true
		}
	}
	return false
}

// walkIgnored reads the regular files at and below p into texts.
func (s *session) walkIgnored(ctx context.Context, p string, texts map[string][]byte) error {
	return filepath.WalkDir(filepath.Join(s.root, filepath.FromSlash(p)), func(name string, d fs.DirEntry, err error) error {
		rel, _ := relative(s.root, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // reported as missing by discover, if it was named
		case err != nil:
			return unreadable(rel, err)
		case d.IsDir() && rel != p && isRepository(name):
			return fs.SkipDir
		case !d.Type().IsRegular():
			if rel == p && !d.IsDir() {
				s.declined = append(s.declined, p) // a pipe, a socket, a device
			}
			return ctx.Err()
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return unreadable(rel, err)
		}
		texts[rel] = text
		return ctx.Err()
	})
}

func isRepository(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil || filepath.Base(dir) == ".git"
}

func unreadable(p string, err error) error {
	return &usererr.Error{Code: "unreadable-path", Msg: "cannot read " + p, Err: cause(err), Hint: "git ignores it, and it was named: leave it out, or make it readable"}
}
