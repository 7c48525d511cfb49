package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"poly/internal/gitstate/entry"
)

// ErrUnborn means that HEAD names a branch without a commit.
var ErrUnborn = errors.New("HEAD has no commit yet")

// maxSymrefs is how many symbolic references git follows.
const maxSymrefs = 5

// Head returns the id of the commit that HEAD names; [ErrUnborn] if the branch
// has none yet. It reads the files of refs itself, and asks git if the
// repository keeps them in another form.
func (r *Repo) Head(ctx context.Context) (entry.ID, error) {
	if r.foreignRefs() {
		return r.askHead(ctx)
	}
	ref := "HEAD"
	for range maxSymrefs {
		text, err := r.readRef(ref)
		if err != nil {
			return "", fmt.Errorf("read %s: %w", ref, err)
		}
		if text == "" {
			return "", ErrUnborn
		}
		next, symbolic := strings.CutPrefix(text, "ref:")
		if !symbolic {
			id, ok := entry.ParseID(text)
			if !ok || len(id) != r.HashLen {
				return "", fmt.Errorf("%s holds no object id: %q", ref, text)
			}
			return id, nil
		}
		ref = strings.TrimSpace(next)
		if !safeRef(ref) {
			return "", fmt.Errorf("HEAD names the invalid reference %q", ref)
		}
	}
	return "", errors.New("HEAD: too many symbolic references")
}

// foreignRefs reports whether refs are kept in a form that is not read here.
func (r *Repo) foreignRefs() bool { return r.AskGit || r.Ext.RefStorage != "files" }

// branch returns the short name of the branch HEAD names, "" if it names none.
func (r *Repo) branch(ctx context.Context) string {
	var ref string
	if r.foreignRefs() {
		out, err := r.output(ctx, "symbolic-ref", "-q", "HEAD")
		if err != nil {
			return ""
		}
		ref = strings.TrimSpace(string(out))
	} else {
		text, err := r.readRef("HEAD")
		if err != nil {
			return ""
		}
		next, _ := strings.CutPrefix(text, "ref:")
		ref = strings.TrimSpace(next)
	}
	return shortBranch(ref)
}

// shortBranch is the name of a branch without refs/heads/, "" if ref is none.
func shortBranch(ref string) string {
	name, ok := strings.CutPrefix(strings.TrimSpace(ref), "refs/heads/")
	if !ok {
		return ""
	}
	return name
}

// readRef returns the content of a loose or packed ref; "" if there is none.
func (r *Repo) readRef(name string) (string, error) {
	dir := r.CommonDir
	if perWorktree(name) {
		dir = r.GitDir
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if target, err := os.Readlink(path); err == nil && strings.HasPrefix(target, "refs/") {
		return "ref: " + target, nil
	}
	b, err := os.ReadFile(path)
	if err == nil {
		return strings.TrimRight(string(b), " \t\r\n"), nil
	}
	if fi, statErr := os.Stat(path); !isMissing(err) && (statErr != nil || !fi.IsDir()) {
		return "", err
	}
	return r.packedRef(name)
}

// perWorktree reports whether linked worktrees have a ref of their own.
func perWorktree(name string) bool {
	return !strings.HasPrefix(name, "refs/") || strings.HasPrefix(name, "refs/bisect/") ||
		strings.HasPrefix(name, "refs/worktree/") || strings.HasPrefix(name, "refs/rewritten/")
}

// packedRef looks in packed-refs, in which each ref is "<hex> <name>\n".
func (r *Repo) packedRef(name string) (string, error) {
	b, err := os.ReadFile(filepath.Join(r.CommonDir, "packed-refs"))
	if isMissing(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	line := []byte(" " + name + "\n")
	width := 2 * r.HashLen
	for at := 0; ; {
		i := bytes.Index(b[at:], line)
		if i < 0 {
			return "", nil
		}
		i += at
		if i == width || i > width && b[i-width-1] == '\n' {
			return string(b[i-width : i]), nil
		}
		at = i + 1
	}
}

// safeRef reports whether a ref name from a file cannot lead out of the
// repository's directory.
func safeRef(name string) bool {
	if !strings.HasPrefix(name, "refs/") || strings.ContainsAny(name, "\x00\n\\") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' {
			return false
		}
	}
	return true
}
