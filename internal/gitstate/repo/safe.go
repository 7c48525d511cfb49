package repo

import (
	"path/filepath"
	"strconv"
	"strings"

	"poly/internal/gitstate/gitconf"
	"poly/internal/usererr"
)

// checkOwner applies git's rule that a repository found by searching must
// belong to the user, or be named by safe.directory. place is what identifies
// the repository to safe.directory; the rest is looked at where not "".
func (d *discovery) checkOwner(place, gitFile, root, gitDir string) error {
	if !d.env.bool("GIT_TEST_ASSUME_DIFFERENT_OWNER", false) && d.owns(gitFile) && d.owns(root) && d.owns(gitDir) {
		return nil
	}
	c, err := d.protected()
	if err != nil {
		return err
	}
	safe := false
	for _, v := range c.All("safe.directory") {
		switch match, reset := d.named(v, place); {
		case reset:
			safe = false
		case match:
			safe = true
		}
	}
	if safe {
		return nil
	}
	return usererr.New("unsafe-repository",
		"detected dubious ownership in repository at '"+place+"': it belongs to another user",
		"to trust it, run: git config --global --add safe.directory "+shellQuote(place))
}

// named reports whether a safe.directory value names place; the empty value
// forgets the ones before it.
func (d *discovery) named(v gitconf.Value, place string) (match, reset bool) {
	switch v.Text {
	case "":
		return false, true
	case "*":
		return true, false
	case ".":
		return place == d.dir, false
	}
	path := v.Text
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(d.env.get("HOME"), rest)
	}
	if prefix, ok := strings.CutSuffix(path, "/*"); ok {
		if resolved, err := filepath.EvalSymlinks(prefix); err == nil {
			prefix = resolved
		}
		_, ok := below(prefix, place)
		return ok && prefix != place, false
	}
	if path == place {
		return true, false
	}
	resolved, err := filepath.EvalSymlinks(path)
	return err == nil && filepath.IsAbs(path) && resolved == place, false
}

// checkBare applies safe.bareRepository to a repository found without .git.
func (d *discovery) checkBare(dir string) error {
	c, err := d.protected()
	if err != nil {
		return err
	}
	if c.String("safe.bareRepository") != "explicit" || insideDotGit(dir) {
		return nil
	}
	return usererr.New("unsafe-repository",
		"cannot use bare repository '"+dir+"' (safe.bareRepository is 'explicit')",
		"name it: GIT_DIR="+shellQuote(dir))
}

// insideDotGit reports whether a bare-looking directory is the git directory
// of a checkout, of a linked worktree or of a submodule.
func insideDotGit(dir string) bool {
	return filepath.Base(dir) == ".git" || strings.Contains(dir, "/.git/worktrees/") || strings.Contains(dir, "/.git/modules/")
}

// protected reads the settings a repository cannot make itself.
func (d *discovery) protected() (*gitconf.Config, error) {
	c, err := gitconf.Load(gitconf.Options{
		Env: d.env.get, SystemFile: gitconf.SystemFile(d.env.get("PATH")), Match: wildmatch, Protected: true,
	})
	if err != nil {
		return nil, &usererr.Error{Code: "git-config", Msg: "git's configuration cannot be read", Err: err}
	}
	return c, nil
}

// owns reports whether the user owns path; root also owns what belongs to the
// user who called sudo.
func (d *discovery) owns(path string) bool {
	if path == "" {
		return true
	}
	owner, user, ok := owners(path)
	if !ok {
		return false
	}
	if user == 0 && owner != 0 {
		id, err := strconv.ParseUint(d.env.get("SUDO_UID"), 10, 32)
		return err == nil && owner == id
	}
	return owner == user
}

func shellQuote(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
