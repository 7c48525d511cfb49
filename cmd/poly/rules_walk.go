package main

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"poly/internal/glob"
)

// scanWalk finds the files that rules are run over, as ast-grep finds them:
// hidden ones and those that .ignore and, within a git worktree, .gitignore
// name are left out, unless they are named themselves.
type scanWalk struct {
	run                            *scanRun
	hidden, noDot, noVCS, noParent bool
	overrides                      *glob.List
	only                           bool // a glob says which files are looked at
	files                          []file
}

// add walks a path as it was typed.
func (w *scanWalk) add(arg string) error {
	abs := w.run.abs(arg)
	fi, err := os.Stat(abs)
	if err != nil {
		return err
	}
	shown := filepath.ToSlash(filepath.Clean(arg))
	if !fi.IsDir() {
		w.file(abs, shown)
		return nil
	}
	if len(w.run.flags.globs) > 0 && w.overrides == nil {
		var list []glob.Rule
		for _, g := range w.run.flags.globs {
			w.only = w.only || !strings.HasPrefix(g, "!")
			list = append(list, glob.Rule{Pattern: g, Base: rooted(w.run.cwd)})
		}
		w.overrides = glob.NewList(list, glob.Options{})
	}
	if shown == "." {
		shown = ""
	}
	return w.dir(abs, shown, w.above(abs))
}

// rooted is an absolute path as a path from the root of all.
func rooted(abs string) string { return strings.TrimPrefix(filepath.ToSlash(abs), "/") }

// ignored are the rules that hold in a directory.
type ignored struct {
	rules []glob.Rule
	git   bool // within a worktree
}

// above reads the rules of the directories above one.
func (w *scanWalk) above(abs string) ignored {
	var ups []string
	for dir := filepath.Dir(abs); ; dir = filepath.Dir(dir) {
		ups = append(ups, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	var ig ignored
	for _, dir := range slices.Backward(ups) {
		ig = w.enter(ig, dir)
	}
	if w.noParent {
		ig.rules = nil
	}
	return ig
}

// enter adds the rules that a directory has.
func (w *scanWalk) enter(ig ignored, dir string) ignored {
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
		ig.git = true
	}
	rules := slices.Clip(ig.rules)
	read := func(name string) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			line = strings.TrimSuffix(line, "\r")
			if line != "" && !strings.HasPrefix(line, "#") {
				rules = append(rules, glob.Rule{Pattern: line, Base: rooted(dir)})
			}
		}
	}
	if ig.git && !w.noVCS {
		read(".gitignore")
		read(".git/info/exclude")
	}
	if !w.noDot {
		read(".ignore")
	}
	ig.rules = rules
	return ig
}

// dir walks a directory.
func (w *scanWalk) dir(abs, shown string, ig ignored) error {
	entries, err := os.ReadDir(abs)
	if err != nil {
		return err
	}
	ig = w.enter(ig, abs)
	list := glob.NewList(ig.rules, glob.Options{})
	for _, e := range entries {
		full := filepath.Join(abs, e.Name())
		if !e.IsDir() && !e.Type().IsRegular() {
			continue
		}
		if w.left(e.Name(), full, e.IsDir(), list) {
			continue
		}
		name := path.Join(shown, e.Name())
		if !e.IsDir() {
			w.file(full, name)
			continue
		}
		if err := w.dir(full, name, ig); err != nil {
			return err
		}
	}
	return nil
}

// left reports whether an entry is left out.
func (w *scanWalk) left(name, full string, dir bool, list *glob.List) bool {
	if w.overrides != nil {
		switch r := w.overrides.Match(rooted(full), dir); {
		case r.Rule >= 0 && !r.Negated:
			return false
		case r.Rule >= 0:
			return true
		case w.only && !dir:
			return true
		}
	}
	if strings.HasPrefix(name, ".") && !w.hidden {
		return true
	}
	return list.Match(rooted(full), dir).Ignored()
}

// file takes a file up if there are rules for it.
func (w *scanWalk) file(abs, shown string) {
	l, ok := w.run.project.OfPath(shown)
	if ok && l.Built() && w.run.index.Covers(l) {
		w.files = append(w.files, file{shown, abs, l})
	}
}
