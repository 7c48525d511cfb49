package repo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"poly/internal/testutil"
)

// nobody is the user these tests become. They need to be root for that, as
// they are in CI; git has its own switch for the same rule otherwise.
const nobody = 65534

// asNobody prepares a command that another user than the owner runs.
func asNobody(t *testing.T, g *testutil.Repo, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = g.Dir, g.Env
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	} else {
		cmd.Env = append(cmd.Env, "GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
	}
	return cmd
}

// openTo lets everybody into the directories above and below dir.
func openTo(t *testing.T, dir string) {
	t.Helper()
	for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOwner compares with git, as a user who does not own the repository:
// both refuse, or neither does.
func TestOwner(t *testing.T) {
	t.Parallel()
	g := testutil.NewRepo(t)
	g.Fill()
	d := filepath.Dir(g.Dir)
	g.Git("clone", "-q", "--bare", g.Dir, filepath.Join(d, "bare"))
	g.Git("worktree", "add", "-q", filepath.Join(d, "linked"))
	openTo(t, g.Dir)
	if err := os.Symlink(g.Dir, filepath.Join(d, "link")); err != nil {
		t.Fatal(err)
	}
	exe := g.Path("../test.binary")
	testutil.CopySelf(t, exe)
	for _, tc := range []struct {
		name, dir, config string
		env               []string
		// newer: git 2.39 refuses, later ones do not.
		newer bool
	}{
		{name: "nothing", dir: "repo"},
		{name: "below", dir: "repo/b"},
		{name: "named", dir: "repo", config: "directory = $D/repo"},
		{name: "named, from below", dir: "repo/b/e", config: "directory = $D/repo"},
		{name: "star", dir: "repo", config: "directory = *"},
		{name: "reset", dir: "repo", config: "directory = *\n directory ="},
		{name: "reset and named", dir: "repo", config: "directory = *\n directory = \n directory = $D/repo"},
		{name: "another", dir: "repo", config: "directory = $D/other"},
		{name: "trailing slash", dir: "repo", config: "directory = $D/repo/", newer: true},
		{name: "the git directory", dir: "repo", config: "directory = $D/repo/.git"},
		{name: "home", dir: "repo", config: "directory = ~/../repo", newer: true},
		{name: "prefix", dir: "repo", config: "directory = $D/*", newer: true},
		{name: "prefix of another", dir: "repo", config: "directory = $D/re/*"},
		{name: "symbolic link", dir: "repo", config: "directory = $D/link", newer: true},
		{name: "bare", dir: "bare"},
		{name: "bare named", dir: "bare", config: "directory = $D/bare"},
		{name: "linked", dir: "linked"},
		{name: "linked named", dir: "linked", config: "directory = $D/linked"},
		{name: "environment", dir: "repo", env: []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"}},
		{name: "GIT_DIR", dir: "repo", env: []string{"GIT_DIR=$D/repo/.git"}},
		{name: "sudo means nothing to others", dir: "repo", env: []string{"SUDO_UID=0"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			home := t.TempDir()
			openTo(t, home)
			config := filepath.Join(home, "config")
			expand := func(s string) string { return strings.ReplaceAll(s, "$D", d) }
			if err := os.WriteFile(config, []byte("[safe]\n"+expand(tc.config)+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			c := g.In(filepath.Join(d, tc.dir)).With("GIT_CONFIG_GLOBAL=" + config)
			c = c.With(strings.Split(expand(strings.Join(tc.env, "\n")), "\n")...)
			gitOut, gitErr := asNobody(t, c, "git", "rev-parse", "--git-dir").CombinedOutput()
			child := asNobody(t, c.With("REPO_CHILD=open"), exe)
			out, err := child.Output()
			if err != nil {
				t.Fatalf("child: %v", err)
			}
			refused := string(out) != "<nil>"
			if refused != (gitErr != nil && !tc.newer) {
				t.Errorf("Open says %s, git says %s", out, gitOut)
			}
			if refused && (!strings.Contains(string(out), "dubious ownership") || !strings.Contains(string(gitOut), "dubious ownership")) {
				t.Errorf("Open says %s, git says %s, want both to speak of ownership", out, gitOut)
			}
		})
	}
}

// TestSudo: root works in what belongs to the user who called sudo.
func TestSudo(t *testing.T) {
	t.Parallel()
	g := testutil.NewRepo(t)
	d := &discovery{env: environ{"SUDO_UID=65534"}, dir: g.Dir}
	if os.Geteuid() != 0 {
		if d.owns("/etc/passwd") {
			t.Error("another user's file is owned")
		}
		return
	}
	for _, p := range []string{g.Dir, g.Path(".git")} {
		if err := os.Lchown(p, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	for _, env := range [][]string{nil, {"SUDO_UID=65534"}, {"SUDO_UID=1"}, {"SUDO_UID=x"}} {
		c := g.With(env...)
		_, gitErr := c.Try("", "rev-parse", "--git-dir")
		_, err := Open(t.Context(), OpenOptions{Dir: g.Dir, Env: c.Env})
		if (err == nil) != (gitErr == nil) {
			t.Errorf("%q: Open says %v, git says %v", env, err, gitErr)
		}
	}
}
