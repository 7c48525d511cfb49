package discover

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"poly/internal/gitstate"
	"poly/internal/usererr"
)

// clean makes paths canonical and drops repetitions; none means ".".
func clean(paths []string) ([]string, error) {
	var out, outside []string
	for _, p := range paths {
		c := path.Clean(p)
		if path.IsAbs(c) || c == ".." || strings.HasPrefix(c, "../") {
			outside = append(outside, p)
		} else if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	if len(outside) > 0 {
		return nil, usererr.New("outside-path", "outside the repository: "+strings.Join(outside, ", "), "run poly in the repository that holds it")
	}
	if len(out) == 0 {
		out = []string{"."}
	}
	return out, nil
}

// Missing returns those of the paths, cleaned, that are neither an entry of
// the tree nor a directory above one. A path that exists all the same is
// ignored by git, an empty directory, or beyond a link or a submodule; the
// caller may add ignored files with an overlay before it calls [New].
func Missing(tree gitstate.Tree, paths []string) ([]string, error) {
	paths, err := clean(paths)
	if err != nil {
		return nil, err
	}
	var open []string
	for _, p := range paths {
		if _, ok := tree.Lookup(p); !ok && p != "." {
			open = append(open, p)
		}
	}
	if len(open) == 0 {
		return nil, nil
	}
	for f := range tree.Files() {
		open = slices.DeleteFunc(open, func(p string) bool {
			return len(f.Path) > len(p) && f.Path[len(p)] == '/' && f.Path[:len(p)] == p
		})
		if len(open) == 0 {
			break
		}
	}
	return open, nil
}

// check returns an error that names all paths which cannot be looked at.
func (s *Scope) check(paths []string) error {
	missing, err := Missing(s.req.Tree, paths)
	if err != nil {
		return err
	}
	var gone, beyond []string
	for _, p := range missing {
		if what := s.beyond(p); what != "" {
			beyond = append(beyond, fmt.Sprintf("%s is %s", p, what))
		} else if s.req.Exists == nil || !s.req.Exists(p) {
			gone = append(gone, p)
		}
	}
	msg, hint := strings.Join(beyond, "; "), "name the real path, or run poly in the other repository"
	if len(gone) > 0 {
		msg, hint = "no such file or directory: "+strings.Join(gone, ", "), "nothing was checked; mend the path, or leave it out"
		if len(beyond) > 0 {
			msg += "; " + strings.Join(beyond, "; ")
		}
	}
	if msg == "" {
		return nil
	}
	return usererr.New("missing-path", msg, hint)
}

// beyond tells which link or submodule of the tree a path lies behind.
func (s *Scope) beyond(p string) string {
	for up := path.Dir(p); up != "."; up = path.Dir(up) {
		f, ok := s.req.Tree.Lookup(up)
		switch {
		case !ok:
		case f.Mode == gitstate.ModeSymlink:
			return "beyond the symbolic link " + up
		case f.Mode == gitstate.ModeGitlink:
			return "in another git repository, " + up
		}
	}
	return ""
}
