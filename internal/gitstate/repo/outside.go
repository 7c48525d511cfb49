package repo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"poly/internal/gitstate/gitconf"
)

// RuleFile is a file of ignore rules that lies in no tree.
type RuleFile struct {
	Name string // as it is shown
	Text []byte
}

// AttributeFiles returns the texts of the attribute files that lie outside of
// any tree: the system's and the user's, lowest precedence first, and the
// repository's own, which wins over those in the tree.
func AttributeFiles(r *Repo) (outside [][]byte, info []byte, err error) {
	var paths []string
	if !r.env.bool("GIT_ATTR_NOSYSTEM", false) {
		system := gitconf.SystemFile(r.env.get("PATH"))
		paths = append(paths, filepath.Join(filepath.Dir(system), "gitattributes"))
	}
	user, err := r.userFile("core.attributesFile", "attributes")
	if err != nil {
		return nil, nil, err
	}
	for _, p := range append(paths, user) {
		text, err := readOptional(p)
		if err != nil {
			return nil, nil, err
		}
		outside = append(outside, text)
	}
	info, err = readOptional(filepath.Join(r.CommonDir, "info", "attributes"))
	return outside, info, err
}

// IgnoreFiles reads the user's and the repository's ignore files, lowest
// precedence first.
func IgnoreFiles(r *Repo) ([]RuleFile, error) {
	name, err := r.userFile("core.excludesFile", "ignore")
	if err != nil {
		return nil, err
	}
	user, err := readOptional(name)
	if err != nil {
		return nil, err
	}
	info, err := readOptional(filepath.Join(r.CommonDir, "info", "exclude"))
	if err != nil {
		return nil, err
	}
	return []RuleFile{{Name: name, Text: user}, {Name: ".git/info/exclude", Text: info}}, nil
}

// userFile returns the path a setting names, or the one in the user's git
// directory; "" if there is none.
func (r *Repo) userFile(key, name string) (string, error) {
	if _, ok := r.Config.Get(key); ok {
		return r.Config.Path(key, r.env.get("HOME"))
	}
	if dir := r.env.get("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "git", name), nil
	}
	if home := r.env.get("HOME"); home != "" {
		return filepath.Join(home, ".config", "git", name), nil
	}
	return "", nil
}

// readOptional reads a file that need not exist, or be readable: git warns
// about those and goes on.
func readOptional(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	b, err := os.ReadFile(path)
	if isMissing(err) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EISDIR) {
		return nil, nil
	}
	return b, err
}
