package filesafety

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode"

	"poly/internal/gitstate"
)

// fold maps names to one that they share where case does not count.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, s)
}

// clashes finds names of new entries that differ in case alone from others,
// parents included.
func (c *checker) clashes(entries []entry) {
	n := &names{wanted: map[string]bool{}, first: map[string]string{}, others: map[string]string{}}
	for i := range entries {
		if e := &entries[i]; e.added || !e.fresh {
			for p := e.Path; p != "."; p = path.Dir(p) {
				n.wanted[fold(p)] = true
			}
		}
	}
	if len(n.wanted) == 0 {
		return
	}
	last := ""
	for f := range c.Tree.Files() {
		n.see(f.Path)
		dir := path.Dir(f.Path)
		if dir == last {
			continue
		}
		last = dir
		for p := dir; p != "."; p = path.Dir(p) {
			n.see(p)
		}
	}
	if len(n.others) > 0 {
		c.reportClashes(entries, n.others)
	}
}

// names are those of a tree that somebody asked for.
type names struct {
	wanted map[string]bool   // folded
	first  map[string]string // folded: the first spelling
	others map[string]string // a spelling: another one
}

func (n *names) see(p string) {
	key := fold(p)
	if !n.wanted[key] {
		return
	}
	switch was, ok := n.first[key]; {
	case !ok:
		n.first[key] = p
	case was != p:
		n.others[p] = was
		if n.others[was] == "" {
			n.others[was] = p
		}
	}
}

// reportClashes names the outermost clash of each new entry.
func (c *checker) reportClashes(entries []entry, others map[string]string) {
	seen := map[string]bool{}
	for i := range entries {
		e := &entries[i]
		if e.fresh && !e.added {
			continue
		}
		outer := ""
		for p := e.Path; p != "."; p = path.Dir(p) {
			if others[p] != "" {
				outer = p
			}
		}
		if outer == "" || seen[outer] {
			continue
		}
		seen[outer], seen[others[outer]] = true, true
		what := "name"
		if outer != e.Path {
			what = "directory"
		}
		c.report(e.Path, codeCase, fmt.Sprintf("The %s %s differs from %s in case alone", what, outer, others[outer]), nil)
	}
}

// link judges a symbolic link.
func (c *checker) link(ctx context.Context, e *entry) error {
	target, err := c.Tree.Read(ctx, e.File)
	if err != nil {
		return c.failed(ctx, e, err)
	}
	switch err := c.resolves(ctx, e.Path, string(target)); {
	case err == nil:
	case errors.Is(err, errLoop):
		c.report(e.Path, codeBrokenLink, "The symbolic link leads back to itself", nil)
	case errors.Is(err, errNothing):
		c.report(e.Path, codeBrokenLink, fmt.Sprintf("The symbolic link leads to %s, which is not committed", shown(target)), nil)
	default:
		return c.failed(ctx, e, err)
	}
	return nil
}

func shown(target []byte) string {
	return strings.ToValidUTF8(string(target[:min(len(target), 200)]), "?")
}

var errNothing = errors.New("nothing is there")

const maxLinks = 40 // as many as Linux follows

// resolves follows a link through the tree. It is nil as well where the tree
// cannot tell: outside of it, and in submodules.
func (c *checker) resolves(ctx context.Context, from, target string) error {
	at := path.Dir(from)
	rest := target
	for range maxLinks {
		if strings.HasPrefix(rest, "/") || rest == "" {
			return nil // absolute: of the machine
		}
		next, more, err := c.walk(at, rest)
		if err != nil || next.Path == "" {
			return err
		}
		to, err := c.Tree.Read(ctx, next)
		if err != nil {
			return err
		}
		at, rest = path.Dir(next.Path), string(to)
		if more != "" {
			rest += "/" + more
		}
	}
	return errLoop
}

// walk goes from a directory along a path up to the next symbolic link; next
// is that link, or empty if the path ends somewhere.
func (c *checker) walk(at, rest string) (next gitstate.File, more string, err error) {
	for rest != "" {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		switch name {
		case "", ".":
			continue
		case "..":
			if at == "." {
				return next, "", nil // leaves the repository
			}
			at = path.Dir(at)
			continue
		}
		at = path.Join(at, name)
		f, ok := c.Tree.Lookup(at)
		switch {
		case !ok && !c.isDir(at):
			return next, "", errNothing
		case ok && f.Mode == gitstate.ModeGitlink:
			return next, "", nil
		case ok && f.Mode == gitstate.ModeSymlink:
			return f, rest, nil
		case ok && strings.Trim(rest, "/.") != "":
			return next, "", errNothing // a file is no directory
		}
	}
	return next, "", nil
}

func (c *checker) isDir(p string) bool {
	return p == "." || len(gitstate.Inside(c.Tree, p)) > 0
}

// leftBehind finds links that were there before and lead to what is removed.
func (c *checker) leftBehind(ctx context.Context, judged []entry) error {
	done := map[string]bool{}
	for i := range judged {
		done[judged[i].Path] = true
	}
	var gone []string
	for _, d := range c.Changes {
		if d.Is == 0 {
			gone = append(gone, d.Path)
		}
	}
	for f := range c.Tree.Files() {
		if f.Mode != gitstate.ModeSymlink || done[f.Path] || c.Match != nil && !c.Match(f.Path) {
			continue
		}
		target, err := c.Tree.Read(ctx, f)
		if err != nil {
			return err
		}
		if err := c.resolves(ctx, f.Path, string(target)); err == nil || !errors.Is(err, errNothing) {
			continue
		}
		to := path.Join(path.Dir(f.Path), string(target))
		for _, g := range gone {
			if g == to || strings.HasPrefix(g, to+"/") {
				c.report(f.Path, codeBrokenLink, fmt.Sprintf("The symbolic link leads to %s, which is removed", shown(target)), nil)
				break
			}
		}
	}
	return nil
}

// submodule judges a gitlink.
func (c *checker) submodule(ctx context.Context, e *entry) error {
	listed, err := c.listed(ctx, e.Path)
	if err != nil {
		return c.failed(ctx, e, err)
	}
	was, is := short(e.change.WasID), short(e.ID)
	switch {
	case !listed && (!e.fresh || e.change.Was != gitstate.ModeGitlink):
		c.report(e.Path, codeEmbedded, "A repository inside of this one is staged, and .gitmodules does not name it", nil)
	case !e.fresh:
	case e.change.Was != gitstate.ModeGitlink:
		c.report(e.Path, codeMoved, "The submodule is new, at "+is, nil)
	case e.change.WasID != e.ID:
		c.report(e.Path, codeMoved, fmt.Sprintf("The submodule is moved from %s to %s", was, is), nil)
	}
	return nil
}

func short(id gitstate.ID) string {
	s := id.String()
	return s[:min(len(s), 10)]
}

// listed reports whether .gitmodules names a path.
func (c *checker) listed(ctx context.Context, p string) (bool, error) {
	f, ok := c.Tree.Lookup(".gitmodules")
	if !ok || !f.Mode.Regular() {
		return false, nil
	}
	text, err := c.Tree.Read(ctx, f)
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		value = strings.TrimSuffix(strings.Trim(strings.TrimSpace(value), `"`), "/")
		if ok && strings.EqualFold(strings.TrimSpace(key), "path") && value == p {
			return true, nil
		}
	}
	return false, nil
}
