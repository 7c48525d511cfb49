package repo

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/testutil"
	"poly/internal/usererr"
)

// place is where a repository is, as git and as Open tell it.
type place struct{ Root, GitDir, CommonDir, Index, Prefix, Format string }

// gitPlace asks git; ok is false if git refuses.
func gitPlace(g *testutil.Repo) (p place, ok bool) {
	ask := func(args ...string) string {
		out, err := g.Try("", append([]string{"rev-parse", "--path-format=absolute"}, args...)...)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(out, "\n")
	}
	if _, err := g.Try("", "rev-parse", "--git-dir"); err != nil {
		return place{}, false
	}
	return place{
		Root: ask("--show-toplevel"), GitDir: ask("--absolute-git-dir"), CommonDir: resolved(ask("--git-common-dir")),
		Index: ask("--git-path", "index"), Prefix: strings.TrimSuffix(ask("--show-prefix"), "/"), Format: ask("--show-object-format"),
	}, true
}

func resolved(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}

// TestOpenEqualsGit compares discovery with git rev-parse. $D is the
// directory above the repository, which holds repositories of other kinds too.
func TestOpenEqualsGit(t *testing.T) {
	t.Parallel()
	g := testutil.NewRepo(t)
	g.Fill()
	g.AddSubmodule()
	d := filepath.Dir(g.Dir)
	g.Git("worktree", "add", "-q", filepath.Join(d, "linked"))
	g.Git("clone", "-q", "--bare", g.Dir, filepath.Join(d, "bare"))
	g.Git("init", "-q", "--separate-git-dir", filepath.Join(d, "separate.git"), filepath.Join(d, "separate"))
	g.Git("clone", "-q", g.Dir, filepath.Join(d, "moved"))
	g.In(filepath.Join(d, "moved")).Git("config", "core.worktree", "../../elsewhere")
	g.Git("clone", "-q", g.Dir, filepath.Join(d, "bogus"))
	g.In(filepath.Join(d, "bogus")).Git("config", "core.bare", "true")
	g.Git("init", "-q", "--object-format=sha256", filepath.Join(d, "wide"))
	for _, name := range []string{"elsewhere/deep", "plain/deep", "broken", "lost", "linked/x/y", "bare/hooks", "repo/b/.git"} {
		g.Write("../"+name+"/file", "")
	}
	g.Write("../broken/.git", "nonsense\n")
	g.Write("../lost/.git", "gitdir: nowhere\n")
	if err := os.Symlink(g.Path("b"), filepath.Join(d, "symlink")); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		dir string
		env []string
	}{
		{"repo", nil},
		{"repo/b/e", nil},
		{"repo/b/.git", nil}, // a directory that is no repository
		{"repo/.git", nil},
		{"repo/.git/objects", nil},
		{"repo/sm", nil},
		{"symlink", nil},
		{"symlink/e", nil},
		{"linked", nil},
		{"linked/x/y", nil},
		{"bare", nil},
		{"bare/hooks", nil},
		{"separate", nil},
		{"separate.git", nil},
		{"moved", nil},
		{"moved/b", nil},
		{"elsewhere/deep", nil},
		{"bogus", nil},
		{"bogus/b", nil},
		{"wide", nil},
		{"plain/deep", nil},
		{"broken", nil},
		{"lost", nil},
		{"plain", []string{"GIT_DIR=$D/repo/.git"}},
		{"plain", []string{"GIT_DIR=../repo/.git"}},
		{"plain/deep", []string{"GIT_DIR=$D/repo/.git", "GIT_WORK_TREE=.."}},
		{"plain/deep", []string{"GIT_DIR=$D/repo/.git", "GIT_WORK_TREE=$D/plain", "GIT_INDEX_FILE=i"}},
		{"plain/deep", []string{"GIT_DIR=$D/repo/.git", "GIT_WORK_TREE=$D/elsewhere", "GIT_INDEX_FILE=i"}},
		{"plain", []string{"GIT_DIR=$D/moved/.git"}},
		{"plain", []string{"GIT_DIR=$D/bare"}},
		{"plain", []string{"GIT_DIR=$D/bare", "GIT_WORK_TREE=."}},
		{"plain", []string{"GIT_DIR=$D/separate/.git"}},
		{"plain", []string{"GIT_DIR=$D/nowhere"}},
		{"plain", []string{"GIT_DIR=$D/repo/.git", "GIT_IMPLICIT_WORK_TREE=0"}},
		{"repo/b", []string{"GIT_WORK_TREE=$D/repo"}},
		{"repo/b", []string{"GIT_WORK_TREE=$D/elsewhere"}},
		{"repo/b", []string{"GIT_INDEX_FILE=other"}},
		{"repo/b", []string{"GIT_INDEX_FILE=$D/other"}},
		{"linked", []string{"GIT_INDEX_FILE=x"}},
		{"linked/x", []string{"GIT_DIR=$D/repo/.git/worktrees/linked", "GIT_WORK_TREE=$D/linked"}},
		{"plain", []string{"GIT_DIR=$D/repo/.git/worktrees/linked", "GIT_COMMON_DIR=$D/repo/.git"}},
		{"repo/b/e", []string{"GIT_CEILING_DIRECTORIES=$D/repo"}},
		{"repo/b/e", []string{"GIT_CEILING_DIRECTORIES=$D"}},
		{"repo/b/e", []string{"GIT_CEILING_DIRECTORIES=$D/repo/b"}},
		{"repo", []string{"GIT_CEILING_DIRECTORIES=$D/repo"}},
		{"symlink/e", []string{"GIT_CEILING_DIRECTORIES=$D/symlink"}},
		{"symlink/e", []string{"GIT_CEILING_DIRECTORIES=:$D/symlink"}},
		{"repo/b/e", []string{"GIT_CEILING_DIRECTORIES=relative:$D/repo/b/:$D"}},
		{"bare/hooks", []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.bareRepository", "GIT_CONFIG_VALUE_0=explicit"}},
		{"repo", []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.bareRepository", "GIT_CONFIG_VALUE_0=explicit"}},
		{"repo", []string{"GIT_OBJECT_DIRECTORY=$D/bare/objects"}},
		{"repo", []string{"GIT_OBJECT_DIRECTORY=$D/nowhere"}},
	} {
		t.Run(tc.dir+" "+strings.Join(tc.env, " "), func(t *testing.T) {
			t.Parallel()
			env := strings.Split(strings.ReplaceAll(strings.Join(tc.env, "\n"), "$D", d), "\n")
			c := g.In(filepath.Join(d, tc.dir)).With(env...).For(t)
			want, ok := gitPlace(c)
			r, err := Open(t.Context(), OpenOptions{Dir: c.Dir, Env: c.Env})
			if !ok {
				if err == nil {
					t.Fatalf("Open succeeds with %+v, git refuses", r)
				}
				if _, ok := errors.AsType[*usererr.Error](err); !ok && !errors.Is(err, ErrNotRepo) {
					t.Errorf("Open = %v, want ErrNotRepo or a usererr.Error", err)
				}
				return
			}
			if err != nil {
				t.Fatalf("Open = %v, git says %+v", err, want)
			}
			t.Cleanup(func() { _ = r.Close() })
			got := place{r.Root, r.GitDir, r.CommonDir, r.IndexPath, r.Prefix, r.Ext.ObjectFormat}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-git +poly):\n%s", diff)
			}
		})
	}
}

// TestHeadEqualsGit covers every way HEAD can name a commit.
func TestHeadEqualsGit(t *testing.T) {
	t.Parallel()
	g := testutil.NewRepo(t)
	g.Fill()
	check := func(name string) {
		t.Helper()
		id, err := open(t, g).Head(t.Context())
		if want := strings.TrimSpace(g.Git("rev-parse", "HEAD")); err != nil || id.String() != want {
			t.Errorf("%s: Head() = %s, %v, want %s", name, id, err, want)
		}
	}
	check("loose")
	g.Git("branch", "main2")
	g.Git("branch", "a/main")
	g.Git("commit", "-q", "--allow-empty", "-m", "second")
	g.Git("pack-refs", "--all", "--prune")
	check("packed")
	g.Git("commit", "-q", "--allow-empty", "-m", "third")
	check("loose over packed")
	g.Git("checkout", "-q", "--detach", "HEAD~1")
	check("detached")
	g.Git("symbolic-ref", "refs/heads/alias", "refs/heads/main2")
	g.Git("symbolic-ref", "HEAD", "refs/heads/alias")
	check("symbolic twice")
	g.Git("checkout", "-q", "--orphan", "fresh")
	if id, err := open(t, g).Head(t.Context()); !errors.Is(err, ErrUnborn) {
		t.Errorf("orphan: Head() = %s, %v, want ErrUnborn", id, err)
	}
	g.Write(".git/HEAD", "ref: refs/heads/../../../x\n")
	if id, err := open(t, g).Head(t.Context()); err == nil || errors.Is(err, ErrUnborn) {
		t.Errorf("escaping ref: Head() = %s, %v, want an error", id, err)
	}
}

// TestBranch: the short name of HEAD's branch, whoever keeps the refs.
func TestBranch(t *testing.T) {
	t.Parallel()
	g := testutil.NewRepo(t)
	check := func(name string, g *testutil.Repo, want string) {
		t.Helper()
		if got := open(t, g).branch(t.Context()); got != want {
			t.Errorf("%s: branch() = %q, want %q", name, got, want)
		}
	}
	check("unborn", g, "main")
	g.Fill()
	g.Git("checkout", "-q", "-b", "a/b")
	check("with a slash", g, "a/b")
	g.Git("checkout", "-q", "--detach")
	check("detached", g, "")
	g.Git("config", "core.repositoryFormatVersion", "1")
	g.Git("config", "extensions.refStorage", "reftable")
	g.Write(".git/HEAD", "ref: refs/heads/.invalid\n")
	check("reftable", g.FakeGit(`case "$*" in *symbolic-ref*) echo refs/heads/elsewhere;; *) exit 7;; esac`), "elsewhere")
}

// TestPromisor: partial clones of every version of git name their remote.
func TestPromisor(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		set  [][2]string
		want string
	}{
		{"none", nil, ""},
		{"extension", [][2]string{{"core.repositoryFormatVersion", "1"}, {"extensions.partialClone", "origin"}}, "origin"},
		{"remote", [][2]string{{"remote.up.promisor", "true"}}, "up"},
		{"switched off", [][2]string{{"remote.up.promisor", "false"}}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			g := testutil.NewRepo(t)
			for _, kv := range tc.set {
				g.Git("config", kv[0], kv[1])
			}
			if got := open(t, g).promisor(); got != tc.want {
				t.Errorf("promisor() = %q, want %q", got, tc.want)
			}
		})
	}
}
