package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"poly/internal/atomicfile"
	"poly/internal/gitstate"
	"poly/internal/gitstate/gitconf"
	"poly/internal/usererr"
)

// Place is where git looks for the hooks of a repository.
type Place struct {
	Dir string // absolute
	// Shared: other repositories use the directory too; Guard is the file in
	// this one that lets the hooks in it run poly here.
	Shared  bool
	Guard   string
	Setting string // where core.hooksPath was set, "" if it was not
}

// Locate finds the directory of hooks: core.hooksPath, else hooks/ in the
// common git directory, which linked worktrees share. home is the user's.
func Locate(r *gitstate.Repo, home string) (Place, error) {
	v, ok := r.Config.Get("core.hooksPath")
	if !ok {
		return Place{Dir: filepath.Join(r.CommonDir, "hooks")}, nil
	}
	p := Place{Setting: v.Scope.String(), Guard: filepath.Join(r.CommonDir, guardFile)}
	dir, err := r.Config.Path("core.hooksPath", home)
	switch {
	case err != nil:
		return p, fmt.Errorf("core.hooksPath: %w", err)
	case dir == "":
		return p, usererr.New("hooks-path", "core.hooksPath is empty: git runs no hooks", "git config --unset core.hooksPath")
	case !filepath.IsAbs(dir) && r.Root == "":
		return p, usererr.New("hooks-path", "core.hooksPath is relative and there is no worktree", "")
	case !filepath.IsAbs(dir):
		dir = filepath.Join(r.Root, dir)
	}
	p.Dir = filepath.Clean(dir)
	if fi, err := os.Stat(p.Dir); err == nil && !fi.IsDir() {
		return p, usererr.New("hooks-path", "core.hooksPath names no directory: "+p.Dir, "git runs no hooks so: git config --unset core.hooksPath, or name a directory")
	}
	own := within(r.CommonDir, p.Dir) || r.Root != "" && within(r.Root, p.Dir)
	p.Shared = !own && (v.Scope == gitconf.System || v.Scope == gitconf.Global || v.Scope == gitconf.Command)
	return p, nil
}

// within reports whether p is dir or lies in it.
func within(dir, p string) bool {
	rel, err := filepath.Rel(dir, p)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// State is what became of one hook, or what it is.
type State struct {
	Stage string
	// State is "installed", "missing", "foreign" (somebody else's hook lies
	// there), "not-executable", or for Install and Uninstall what was done:
	// "written", "unchanged", "removed", "restored".
	State  string
	Wanted bool   // the configuration has something for the stage
	Kept   string // the hook that was there before and runs first, "" if none
	Poly   string // the path of poly it has
}

// Install writes the hooks of stages, and keeps what was there. remove are
// stages whose shims, if poly wrote them, go. poly is the absolute path of the
// running binary. Installing twice is installing once.
func (p Place) Install(stages, remove []string, poly string) ([]State, error) {
	if err := os.MkdirAll(p.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("make the directory of hooks: %w", err)
	}
	var out []State
	for _, name := range stages {
		s, _ := Find(name)
		st, err := p.write(s, poly)
		if err != nil {
			return out, fmt.Errorf("install %s: %w", s.Name, err)
		}
		out = append(out, st)
	}
	gone, err := p.Uninstall(remove)
	if err == nil && p.Shared {
		err = atomicfile.Write(p.Guard, []byte("poly runs the hooks of this repository that lie in "+p.Dir+"\n"), atomicfile.Options{})
	}
	return append(out, gone...), err
}

func (p Place) write(s Stage, poly string) (State, error) {
	name := filepath.Join(p.Dir, s.Name)
	text := shim(s, poly, p.Shared)
	st := State{Stage: s.Name, State: "written", Wanted: true, Poly: poly}
	have, err := os.ReadFile(name)
	fi, statErr := os.Lstat(name)
	switch {
	case statErr != nil && !errors.Is(statErr, fs.ErrNotExist):
		return st, statErr
	case statErr != nil: // nothing is there
	case err == nil && isShim(have) && fi.Mode().IsRegular():
		if string(have) == text && fi.Mode().Perm()&0o111 == 0o111 {
			st.State = "unchanged"
		}
	default:
		if err := keepOld(name, have); err != nil {
			return st, err
		}
	}
	if _, err := os.Lstat(name + before); err == nil {
		st.Kept = name + before
	}
	if st.State == "unchanged" {
		return st, nil
	}
	return st, atomicfile.Write(name, []byte(text), atomicfile.Options{Mode: 0o755})
}

// keepOld sets a hook that poly did not write aside. text is what it holds, nil
// if it cannot be read.
func keepOld(name string, text []byte) error {
	if _, err := os.Lstat(name + before); err != nil {
		return atomicfile.SetAside(name, name+before)
	}
	if kept, err := os.ReadFile(name + before); err == nil && text != nil && bytes.Equal(text, kept) {
		return nil // its manager wrote it anew
	}
	return usererr.New("hook-exists", name+" is a hook that poly did not write, and "+name+before+" is there already",
		"one of them has to go: poly runs one hook before its own")
}

// Uninstall removes the shims of stages and puts back what was there before.
func (p Place) Uninstall(stages []string) ([]State, error) {
	var out []State
	for _, stage := range stages {
		name := filepath.Join(p.Dir, stage)
		if have, err := os.ReadFile(name); err != nil || !isShim(have) {
			continue
		}
		st := State{Stage: stage, State: "removed"}
		var err error
		if _, statErr := os.Lstat(name + before); statErr == nil {
			st.State = "restored"
			err = atomicfile.SetAside(name+before, name)
		} else {
			err = os.Remove(name)
		}
		if err != nil {
			return out, fmt.Errorf("uninstall %s: %w", stage, err)
		}
		out = append(out, st)
	}
	return out, nil
}

// Unguard forgets that this repository uses hooks of a shared directory.
func (p Place) Unguard() error {
	if p.Guard == "" {
		return nil
	}
	if err := os.Remove(p.Guard); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Status tells what lies at each stage that is wanted, and at each that poly
// wrote a hook for.
func (p Place) Status(wanted []string) []State {
	var out []State
	for _, stage := range Installable() {
		name := filepath.Join(p.Dir, stage)
		st := State{Stage: stage, Wanted: slices.Contains(wanted, stage)}
		have, err := os.ReadFile(name)
		fi, _ := os.Stat(name)
		switch {
		case err != nil:
			st.State = "missing"
		case !isShim(have):
			st.State = "foreign"
		case fi != nil && fi.Mode().Perm()&0o100 == 0:
			st.State, st.Poly = "not-executable", recorded(have)
		default:
			st.State, st.Poly = "installed", recorded(have)
			if p.Shared {
				if _, err := os.Stat(p.Guard); err != nil {
					st.State = "not-enabled"
				}
			}
		}
		if _, err := os.Lstat(name + before); err == nil {
			st.Kept = name + before
		}
		if st.Wanted || st.State != "missing" && st.State != "foreign" {
			out = append(out, st)
		}
	}
	return out
}

// Configured lists the stages for which [hooks] has something: stage tables,
// builtins with their stages, and tools. hooks and tools are the sections as
// config.Effective.Section returns them; cargo tells that Cargo.toml lies at
// the root of the tree.
func Configured(hooks, tools map[string]any, cargo bool) []string {
	has := map[string]bool{}
	for _, s := range Stages() {
		if t, ok := hooks[s.Name].(map[string]any); ok && len(t) > 0 {
			has[s.Name] = true
		}
	}
	for _, b := range []string{"lint", "fmt", "file_safety", "cargo", "go", "commit"} {
		for _, s := range builtinStages(hooks, b, cargo) {
			has[s] = true
		}
	}
	for _, s := range toolStages(tools) {
		has[s] = true
	}
	if t, ok := hooks["always"].(map[string]any); ok && len(t) > 0 || has["always"] {
		for _, s := range Installable() {
			has[s] = true
		}
	}
	var out []string
	for _, s := range Installable() {
		if has[s] {
			out = append(out, s)
		}
	}
	return out
}

// toolStages returns the stages of the tools that are on.
func toolStages(tools map[string]any) []string {
	var out []string
	for _, v := range tools {
		if t, ok := v.(map[string]any); ok && t["enabled"] == true {
			out = append(out, texts(t["stages"])...)
		}
	}
	return out
}

// builtinStages returns the stages at which a builtin runs: none if it is off.
func builtinStages(hooks map[string]any, name string, cargo bool) []string {
	table, _ := hooks["builtin"].(map[string]any)
	v, given := table[name]
	on, _ := v.(bool)
	t, isTable := v.(map[string]any)
	if isTable {
		on = t["enabled"] != false
	}
	if name == "cargo" && !given {
		on = cargo && hooks != nil
	}
	if !on {
		return nil
	}
	if s := texts(t["stages"]); len(s) > 0 {
		return s
	}
	switch s := texts(hooks["stages"]); {
	case name == "commit":
		return []string{"commit-msg"}
	case len(s) > 0:
		return s
	}
	return []string{"pre-commit"}
}

// texts returns a list of strings as plain values hold it.
func texts(v any) []string {
	list, _ := v.([]any)
	out := make([]string, 0, len(list))
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
