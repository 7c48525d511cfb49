package hooks

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"poly/internal/gitstate"
	"poly/internal/proc"
	"poly/internal/snapshot"
	"poly/runner/job"
)

// repositoryVariables are those that make git work on another repository, index
// or configuration than it would find itself: git rev-parse --local-env-vars.
var repositoryVariables = [...]string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_OBJECT_DIRECTORY",
	"GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS",
	"GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE",
	"GIT_QUARANTINE_PATH",
}

// childEnv is the environment of jobs: the user's, without what points git at
// the repository and the index of the commit.
func (r *stageRun) childEnv() []string {
	env := slices.DeleteFunc(slices.Clone(r.w.Env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(repositoryVariables[:], name)
	})
	if !r.isolated() {
		return env
	}
	// A repository around poly's own directory is none of theirs.
	ceiling := r.snapshotDir()
	if dir, err := filepath.EvalSymlinks(filepath.Dir(ceiling)); err == nil {
		ceiling = dir
	}
	if own := proc.Getenv(env, "GIT_CEILING_DIRECTORIES"); own != "" {
		ceiling += string(filepath.ListSeparator) + own
	}
	env = proc.Setenv(env, "GIT_CEILING_DIRECTORIES="+ceiling)
	if _, ok := r.judged.Tree.Lookup("Cargo.toml"); ok && proc.Getenv(env, "CARGO_TARGET_DIR") == "" {
		// What is built stays, where the snapshot is emptied of it.
		env = proc.Setenv(env, "CARGO_TARGET_DIR="+filepath.Join(r.snapshotDir(), "cargo-target"))
	}
	return env
}

// gitEnv are the variables of jobs with git_env: git works on the repository
// and the index of the commit, with the directory they run in as worktree.
func (r *stageRun) gitEnv() []string {
	var out []string
	for _, kv := range gitstate.ChildEnv(r.w.Repo) {
		name, _, _ := strings.Cut(kv, "=")
		if slices.Contains(repositoryVariables[:], name) || name == "GIT_CONFIG_COUNT" || strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_") {
			out = append(out, kv)
		}
	}
	if root := r.place.root(); root != "" {
		out = proc.Setenv(out, "GIT_WORK_TREE="+root)
	}
	return out
}

// facts are what conditions may ask.
func (r *stageRun) facts(ctx context.Context) job.Facts {
	at := func(name string) bool {
		_, err := os.Lstat(filepath.Join(r.w.Repo.GitDir, name))
		return err == nil
	}
	return job.Facts{
		Branch: gitstate.Branch(ctx, r.w.Repo), Merge: at("MERGE_HEAD"), Rebase: at("rebase-merge") || at("rebase-apply"),
	}
}

// snapshotDir is where the snapshots of this worktree lie.
func (r *stageRun) snapshotDir() string {
	return filepath.Join(r.w.Dirs.Cache, "staged", worktreeKey(r.w.Root))
}

// CleanSnapshots removes the staged snapshots of a repository, but those that
// are in use, and returns how many bytes that freed. cache is its directory.
func CleanSnapshots(ctx context.Context, cache string) (freed int64, err error) {
	return snapshot.Clean(ctx, filepath.Join(cache, "staged"))
}
