package gitconf

import (
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

// include follows an include.path or includeIf.<condition>.path.
func (l *loader) include(v Value, depth int) error {
	if !v.Valued {
		return v.errorf("missing value for %q", v.Key)
	}
	path, err := l.expand(v.Text, false)
	if err != nil {
		return v.errorf("could not expand include path %q: %w", v.Text, err)
	}
	if !filepath.IsAbs(path) {
		if v.File == "" {
			return v.errorf("relative config includes must come from files")
		}
		path = filepath.Join(filepath.Dir(v.File), path)
	}
	if depth >= maxDepth {
		return v.errorf("exceeded maximum include depth (%d) while including %s", maxDepth, path)
	}
	return l.file(path, v.Scope, false, depth+1)
}

// Path returns a value as a path, with a leading "~/" or "~user/" replaced.
func (c *Config) Path(key, home string) (string, error) {
	v, ok := c.Get(key)
	if !ok || v.Text == "" {
		return "", nil
	}
	l := loader{o: Options{Env: func(string) string { return home }}}
	path, err := l.expand(v.Text, false)
	if err != nil {
		return "", v.errorf("failed to expand user dir in: '%s'", v.Text)
	}
	return path, nil
}

// expand replaces a leading "~" or "~user". Conditions want the home directory
// without symbolic links, as in git.
func (l *loader) expand(path string, realHome bool) (string, error) {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok {
		return path, nil
	}
	name, rest, slash := strings.Cut(rest, "/")
	if slash {
		rest = "/" + rest
	}
	if name != "" {
		u, err := user.Lookup(name)
		if err != nil {
			return "", err
		}
		return u.HomeDir + rest, nil
	}
	home := l.o.Env("HOME")
	if home == "" {
		return "", errors.New("$HOME is not set")
	}
	if home, err := filepath.EvalSymlinks(home); err == nil && realHome {
		return home + rest, nil
	}
	return home + rest, nil
}

// holds evaluates the condition of an includeIf; an unknown one is false.
func (l *loader) holds(cond string, v Value) (bool, error) {
	kind, arg, _ := strings.Cut(cond, ":")
	switch kind {
	case "gitdir":
		return l.inGitDir(arg, v, false)
	case "gitdir/i":
		return l.inGitDir(arg, v, true)
	case "onbranch":
		if l.o.Branch == nil || l.o.GitDir == "" {
			return false, nil
		}
		b := l.o.Branch()
		return b != "" && l.o.Match(forDir(arg), b, false), nil
	case "hasconfig":
		glob, ok := strings.CutPrefix(arg, "remote.*.url:")
		if !ok {
			return false, nil
		}
		return l.hasRemote(glob)
	}
	return false, nil
}

// forDir makes a pattern that ends with a slash match what is below it.
func forDir(pattern string) string {
	if strings.HasSuffix(pattern, "/") {
		return pattern + "**"
	}
	return pattern
}

func (l *loader) inGitDir(pattern string, v Value, fold bool) (bool, error) {
	if l.o.GitDir == "" {
		return false, nil
	}
	pattern, err := l.expand(pattern, true)
	if err != nil {
		return false, v.errorf("%q: %w", v.Key, err)
	}
	literal := "" // compared byte for byte
	switch {
	case strings.HasPrefix(pattern, "./"):
		if v.File == "" {
			return false, v.errorf("relative config include conditionals must come from files")
		}
		file, err := filepath.EvalSymlinks(v.File)
		if err != nil {
			return false, err
		}
		literal = filepath.Dir(file) + "/"
		pattern = pattern[2:]
	case !filepath.IsAbs(pattern):
		pattern = "**/" + pattern
	}
	pattern = forDir(pattern)
	dirs := []string{l.o.GitDir}
	if dir, err := filepath.EvalSymlinks(l.o.GitDir); err == nil && dir != l.o.GitDir {
		dirs = append(dirs, dir)
	}
	for _, dir := range dirs {
		rest, ok := cutPrefix(dir, literal, fold)
		if ok && l.o.Match(strings.TrimPrefix(pattern, "/"), strings.TrimPrefix(rest, "/"), fold) {
			return true, nil
		}
	}
	return false, nil
}

func cutPrefix(s, prefix string, fold bool) (rest string, ok bool) {
	if len(s) < len(prefix) || s[:len(prefix)] != prefix && (!fold || lower(s[:len(prefix)]) != lower(prefix)) {
		return "", false
	}
	return s[len(prefix):], true
}

// hasRemote reports whether the URL of any remote matches, in files already
// read or still to be read.
func (l *loader) hasRemote(glob string) (bool, error) {
	if l.collecting {
		return true, nil
	}
	if !l.seen {
		all := &loader{o: l.o, collecting: true}
		if err := all.all(); err != nil {
			return false, err
		}
		l.urls, l.seen = all.urls, true
	}
	for _, url := range l.urls {
		if l.o.Match(forDir(glob), url, false) {
			return true, nil
		}
	}
	return false, nil
}

// SystemFile returns the system-wide file of the git found first on path, a
// list of directories: git keeps it in /etc if it is installed below /usr,
// else in etc below its prefix.
func SystemFile(path string) string {
	for _, dir := range filepath.SplitList(path) {
		if filepath.Base(dir) != "bin" {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "git")); err != nil {
			continue
		}
		if prefix := filepath.Dir(dir); prefix != "/usr" && prefix != "/" {
			return filepath.Join(prefix, "etc", "gitconfig")
		}
		break
	}
	return "/etc/gitconfig"
}
