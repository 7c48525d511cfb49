package repo

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/gitconf"
	"poly/internal/usererr"
)

var errNotDir error = syscall.ENOTDIR

// discovery looks for a repository by the rules of git's setup.c.
type discovery struct {
	env environ
	dir string // absolute, without symbolic links
}

// location is a git directory and where it was found.
type location struct {
	gitDir, commonDir string
	root              string // worktree by position; "" in a bare repository
	explicit          bool   // GIT_DIR named it
}

func (d *discovery) find() (*location, error) {
	if v := d.env.get("GIT_DIR"); v != "" {
		return d.explicit(absolute(d.dir, v))
	}
	ceiling := d.ceiling()
	device, err := deviceOf(d.dir)
	if err != nil {
		return nil, err
	}
	for dir := d.dir; ; {
		f, err := d.at(dir)
		if f != nil || err != nil {
			return f, err
		}
		parent := filepath.Dir(dir)
		if parent == dir || len(parent) <= ceiling {
			return nil, fmt.Errorf("%s: %w (or any of the parent directories)", d.dir, ErrNotRepo)
		}
		if !d.env.bool("GIT_DISCOVERY_ACROSS_FILESYSTEM", false) {
			if dev, err := deviceOf(parent); err != nil || dev != device {
				return nil, fmt.Errorf("%s: %w (or any parent up to mount point %s)", d.dir, ErrNotRepo, dir)
			}
		}
		dir = parent
	}
}

// explicit takes the repository that GIT_DIR names. Git trusts its owner.
func (d *discovery) explicit(path string) (*location, error) {
	if target, err := readGitFile(path, d.env); err == nil && target != "" {
		path = target
	} else if err != nil {
		return nil, err
	}
	if !isGitDir(path, d.env) {
		return nil, fmt.Errorf("GIT_DIR=%s: %w", d.env.get("GIT_DIR"), ErrNotRepo)
	}
	return d.locate(path, d.dir, true)
}

// at looks for a repository in one directory; nil if there is none.
func (d *discovery) at(dir string) (*location, error) {
	dotGit := filepath.Join(dir, ".git")
	target, err := readGitFile(dotGit, d.env)
	if err != nil {
		return nil, err
	}
	if target != "" {
		if err := d.checkOwner(dir, dotGit, dir, target); err != nil {
			return nil, err
		}
		return d.locate(target, dir, false)
	}
	if isGitDir(dotGit, d.env) {
		if err := d.checkOwner(dir, "", dir, dotGit); err != nil {
			return nil, err
		}
		return d.locate(dotGit, dir, false)
	}
	if !isGitDir(dir, d.env) {
		return nil, nil
	}
	if err := d.checkBare(dir); err != nil {
		return nil, err
	}
	if err := d.checkOwner(dir, "", "", dir); err != nil {
		return nil, err
	}
	return d.locate(dir, "", false)
}

func (d *discovery) locate(gitDir, root string, explicit bool) (*location, error) {
	dir, err := filepath.EvalSymlinks(gitDir)
	if err != nil {
		return nil, err
	}
	common, err := filepath.EvalSymlinks(commonDir(dir, d.env))
	if err != nil {
		return nil, err
	}
	return &location{gitDir: dir, commonDir: common, root: root, explicit: explicit}, nil
}

// ceiling returns the length of the longest directory of
// GIT_CEILING_DIRECTORIES above d.dir; -1 if there is none. The search stops
// before it, but always looks into d.dir.
func (d *discovery) ceiling() int {
	longest, resolve := -1, true
	for c := range strings.SplitSeq(d.env.get("GIT_CEILING_DIRECTORIES"), string(filepath.ListSeparator)) {
		if c == "" {
			resolve = false // the ones after an empty entry are taken literally
			continue
		}
		if !filepath.IsAbs(c) {
			continue
		}
		c = filepath.Clean(c)
		if r, err := filepath.EvalSymlinks(c); err == nil && resolve {
			c = r
		}
		if rel, ok := below(c, d.dir); ok && rel != "" {
			longest = max(longest, len(c))
		}
	}
	return longest
}

// commonDir returns the directory that linked worktrees share.
func commonDir(gitDir string, env environ) string {
	if v := env.get("GIT_COMMON_DIR"); v != "" {
		return v
	}
	b, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
	if err != nil {
		return gitDir
	}
	return absolute(gitDir, strings.TrimRight(string(b), "\r\n"))
}

// isGitDir reports whether path looks like a git directory to git: a valid
// HEAD, objects and refs.
func isGitDir(path string, env environ) bool {
	if !validHead(filepath.Join(path, "HEAD")) {
		return false
	}
	common := commonDir(path, env)
	objects := env.get("GIT_OBJECT_DIRECTORY")
	if objects == "" {
		objects = filepath.Join(common, "objects")
	}
	return isDir(objects) && isDir(filepath.Join(common, "refs"))
}

// IsTop reports whether a directory has a ".git" that is a repository, as git's
// own test for nested repositories does.
func IsTop(dir string) bool {
	at := filepath.Join(dir, ".git")
	if target, err := readGitFile(at, nil); err == nil && target != "" {
		return true
	}
	return isGitDir(at, nil)
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

func validHead(path string) bool {
	if target, err := os.Readlink(path); err == nil {
		return strings.HasPrefix(target, "refs/")
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	if ref, ok := bytes.CutPrefix(b, []byte("ref:")); ok {
		return bytes.HasPrefix(bytes.TrimLeft(ref, " \t\r\n"), []byte("refs/"))
	}
	_, ok := entry.ParseID(string(b[:min(len(b), 40)]))
	return ok && len(b) >= 40
}

// readGitFile returns the directory a .git file names; "" if path is no file.
func readGitFile(path string, env environ) (target string, err error) {
	size, ok := fileSize(path)
	if !ok {
		return "", nil
	}
	bad := func(format string, args ...any) error {
		return &usererr.Error{Code: "git-file", Msg: "git cannot use " + path, Err: fmt.Errorf(format, args...)}
	}
	if size > 1<<20 {
		return "", bad("too large to be a .git file")
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", bad("error opening it: %w", err)
	}
	rest, ok := strings.CutPrefix(string(b), "gitdir: ")
	if !ok {
		return "", bad("invalid gitfile format")
	}
	rest = strings.TrimRight(rest, "\r\n")
	if rest == "" {
		return "", bad("no path in gitfile")
	}
	target = absolute(filepath.Dir(path), rest)
	if !isGitDir(target, env) {
		return "", bad("not a git repository: %s", target)
	}
	return target, nil
}

// fileSize returns the size of a regular file; ok is false if path is none.
func fileSize(path string) (size int64, ok bool) {
	fi, err := os.Stat(path)
	if err != nil || !fi.Mode().IsRegular() {
		return 0, false
	}
	return fi.Size(), true
}

// format is what the repository's own configuration says about its format.
type format struct {
	ext      Extensions
	bare     bool
	worktree string // core.worktree, or ""
	refused  string // why git of any version would refuse it; "" if not
}

// format reads what git must know before it trusts any other setting: the
// repository's file alone, without includes.
func (d *discovery) format(f *location) (*format, error) {
	own, err := gitconf.File(filepath.Join(f.commonDir, "config"))
	if err != nil {
		return nil, &usererr.Error{Code: "git-config", Msg: "git's configuration cannot be read", Err: err}
	}
	out := &format{ext: Extensions{ObjectFormat: "sha1", RefStorage: "files"}}
	version, err := own.Int("core.repositoryFormatVersion", 0)
	if err != nil {
		return nil, err
	}
	out.ext.Version = int(version)
	out.extensions(own)
	if v := own.String("core.repositoryFormatVersion"); version > 1 {
		out.refused = "repository format version " + v
	}
	linked := f.commonDir != f.gitDir
	from := []*gitconf.Config{}
	if !linked || out.ext.WorktreeConfig {
		from = append(from, own)
	}
	if out.ext.WorktreeConfig {
		wt, err := gitconf.File(filepath.Join(f.gitDir, "config.worktree"))
		if err != nil {
			return nil, &usererr.Error{Code: "git-config", Msg: "git's configuration cannot be read", Err: err}
		}
		from = append(from, wt)
	}
	for _, c := range from {
		if out.bare, err = c.Bool("core.bare", out.bare); err != nil {
			return nil, err
		}
		if v, ok := c.Get("core.worktree"); ok {
			out.worktree = v.Text
		}
	}
	return out, nil
}

// extensions reads extensions.*; those that version 0 repositories may not
// have are reported as a reason to ask git.
func (f *format) extensions(c *gitconf.Config) {
	for _, name := range c.Names("extensions") {
		v := c.String("extensions." + name)
		b, _ := c.Bool("extensions."+name, false)
		onlyV1 := false
		switch name {
		case "noop", "preciousobjects":
		case "worktreeconfig":
			f.ext.WorktreeConfig = b
		case "partialclone":
			f.ext.PartialClone = v
		case "objectformat":
			f.ext.ObjectFormat, onlyV1 = v, true
		case "refstorage":
			f.ext.RefStorage, onlyV1 = v, true
		case "relativeworktrees":
			f.ext.RelativeWorktrees, onlyV1 = b, true
		case "noop-v1", "compatobjectformat":
			onlyV1 = true
		default:
			if f.ext.Version > 0 {
				f.ext.Unknown = append(f.ext.Unknown, name)
			}
		}
		if onlyV1 && f.ext.Version == 0 {
			f.refused = "extensions." + name + " in a repository of format version " + strconv.Itoa(f.ext.Version)
		}
	}
	if !slices.Contains([]string{"sha1", "sha256"}, f.ext.ObjectFormat) {
		f.refused = "object format " + strconv.Quote(f.ext.ObjectFormat)
	}
	if !slices.Contains([]string{"files", "reftable"}, f.ext.RefStorage) {
		f.ext.Unknown = append(f.ext.Unknown, "refstorage="+f.ext.RefStorage)
	}
}
