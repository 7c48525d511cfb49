package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"poly/internal/usererr"
)

// Mirror is a bare repository in the cache that holds pinned commits of one
// remote: the git bases of a configuration. Only Resolve reaches the network,
// by git and with the user's own credentials.
type Mirror struct {
	Dir string // absolute; made by Resolve
	URL string
	Env []string // as os.Environ gives it; git's variables of a hook are left out
}

// Resolve asks the remote for the commit a revision names, and fetches it.
func (m *Mirror) Resolve(ctx context.Context, revision string) (oid string, err error) {
	if revision == "" || revision[0] == '-' || m.URL == "" || m.URL[0] == '-' {
		return "", usererr.Newf("bad-revision", "%q of %q is not a revision", revision, m.URL)
	}
	if err := m.init(ctx); err != nil {
		return "", err
	}
	if _, err := m.git(ctx, "fetch", "--quiet", "--no-tags", "--depth=1", "--", m.URL, revision); err != nil {
		return "", err
	}
	out, err := m.git(ctx, "rev-parse", "--verify", "FETCH_HEAD^{commit}")
	if err != nil {
		return "", err
	}
	oid = strings.TrimSpace(out)
	// A ref keeps the commit from being collected.
	_, err = m.git(ctx, "update-ref", "refs/poly/"+oid, oid)
	return oid, err
}

// Open opens the repository for the commits that were fetched before.
func (m *Mirror) Open(ctx context.Context) (*Repo, error) {
	return Open(ctx, OpenOptions{Dir: m.Dir, Env: m.env()})
}

func (m *Mirror) init(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(m.Dir, "HEAD")); err == nil {
		return nil
	}
	if err := os.MkdirAll(m.Dir, 0o700); err != nil {
		return err
	}
	_, err := m.git(ctx, "init", "--quiet", "--bare", ".")
	return err
}

// env drops what a hook's git says about another repository.
func (m *Mirror) env() []string {
	var out []string
	for _, kv := range m.Env {
		name, _, _ := strings.Cut(kv, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_PREFIX", "GIT_NAMESPACE":
		default:
			out = append(out, kv)
		}
	}
	return append(out, "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0")
}

func (m *Mirror) git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = m.Dir, m.env()
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", fmt.Errorf("git %s %s: %s", args[0], m.URL, strings.TrimSpace(string(exit.Stderr)))
	}
	return string(out), err
}
