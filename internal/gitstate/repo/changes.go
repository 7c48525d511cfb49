package repo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"poly/internal/gitstate/entry"
)

// Difference is a path at which two trees differ. A mode of 0 and the empty id
// mean that it is not there.
type Difference struct {
	Path        string
	Was, Is     entry.Mode
	WasID, IsID entry.ID
	Unmerged    bool // the index has conflicts there
}

// StagedChanges returns how the index that git names differs from HEAD, in
// path order, by one git process. Renames are a removal and an addition. It
// fails with [ErrUnborn] where HEAD has no commit. Paths with intent to add
// have a mode and the empty id.
func StagedChanges(ctx context.Context, r *Repo) ([]Difference, error) {
	head, err := r.Head(ctx)
	if err != nil {
		return nil, err
	}
	out, err := r.output(ctx, "-c", "core.fsmonitor=false", "diff-index", "--cached", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=none", "-z", head.String(), "--")
	if err != nil {
		return nil, err
	}
	return parseRaw(string(out))
}

// TreeChanges returns how one commit or tree differs from another. An empty
// from is the empty tree.
func TreeChanges(ctx context.Context, r *Repo, from, to string) ([]Difference, error) {
	if from == "" {
		from = r.emptyTree()
	}
	out, err := r.output(ctx, "diff-tree", "-r", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=none", "-z", "--end-of-options", from, to, "--")
	if err != nil {
		return nil, err
	}
	return parseRaw(string(out))
}

// emptyTree is the id of the tree without entries, which git always knows.
func (r *Repo) emptyTree() string {
	if r.HashLen == 32 {
		return "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
	}
	return "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
}

// parseRaw reads --raw -z: ":<mode> <mode> <hex> <hex> <letter>\0<path>\0".
func parseRaw(text string) ([]Difference, error) {
	var out []Difference
	for text != "" {
		meta, rest, ok := strings.Cut(text, "\x00")
		path, rest, ok2 := strings.Cut(rest, "\x00")
		f := strings.Split(strings.TrimPrefix(meta, ":"), " ")
		if !ok || !ok2 || len(f) != 5 || f[4] == "" {
			return nil, fmt.Errorf("git diff: unexpected %q", meta)
		}
		text = rest
		d := Difference{Path: path, Unmerged: f[4][0] == 'U'}
		for i, m := range []*entry.Mode{&d.Was, &d.Is} {
			n, err := strconv.ParseUint(f[i], 8, 32)
			if err != nil {
				return nil, fmt.Errorf("git diff: unexpected %q", meta)
			}
			if n != 0 {
				*m = entry.CanonicalMode(uint32(n))
			}
		}
		for i, id := range []*entry.ID{&d.WasID, &d.IsID} {
			v, ok := entry.ParseID(f[i+2])
			if !ok {
				return nil, fmt.Errorf("git diff: unexpected %q", meta)
			}
			if strings.Trim(string(v), "\x00") != "" {
				*id = v
			}
		}
		if n := len(out); n > 0 && out[n-1].Path == path { // U and M for one path
			out[n-1].Unmerged = out[n-1].Unmerged || d.Unmerged
			continue
		}
		out = append(out, d)
	}
	return out, nil
}

// Pushed returns the commits at the border of what a push of local would bring
// to a remote: those the remote has, as far as is known here, next to those it
// has not. known is what the remote's ref is said to point to, "" for a new
// one; remote "*" means all of them. Nothing new is ok = false; something new and no border means that the
// remote shares no history.
func Pushed(ctx context.Context, r *Repo, remote, known, local string) (border []string, ok bool, err error) {
	args := []string{"rev-list", "--boundary", "--ignore-missing", local, "--not"}
	if known != "" {
		args = append(args, known)
	}
	if remote == "*" {
		args = append(args, "--remotes")
	} else if remote != "" && remote[0] != '-' && !strings.ContainsAny(remote, "*?[\\") {
		args = append(args, "--remotes="+remote)
	}
	out, err := r.output(ctx, args...)
	if err != nil {
		return nil, false, err
	}
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if b, is := strings.CutPrefix(line, "-"); is {
			border = append(border, b)
		} else {
			ok = true
		}
	}
	return border, ok, nil
}

// MergeBase returns the best common ancestor of two commits, "" if there is none.
func MergeBase(ctx context.Context, r *Repo, a, b string) (string, error) {
	out, stderr, err := r.run(ctx, "merge-base", "--end-of-options", a, b)
	if err != nil && len(out) == 0 && len(stderr) == 0 && ctx.Err() == nil {
		return "", nil
	}
	if err != nil {
		return "", errors.Join(ctx.Err(), gitError([]string{"merge-base"}, stderr, err))
	}
	return strings.TrimSpace(string(out)), nil
}

// Branch returns the short name of the branch HEAD names, "" if it names none.
func Branch(ctx context.Context, r *Repo) string { return r.branch(ctx) }

// Program returns the git that commands on a repository use.
func Program(r *Repo) string { return gitProgram(r.env.get("PATH")) }

// ChildEnv is the environment in which any git command works on r and nothing
// else, wherever it runs.
func ChildEnv(r *Repo) []string {
	env := slices.DeleteFunc(r.childEnv(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return name == "LC_ALL" || name == "LANGUAGE" || name == "GIT_OPTIONAL_LOCKS"
	})
	for _, kv := range r.env {
		if name, _, _ := strings.Cut(kv, "="); name == "LC_ALL" || name == "LANGUAGE" || name == "GIT_OPTIONAL_LOCKS" {
			env = append(env, kv)
		}
	}
	return env
}
