package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"poly/internal/usererr"
)

// absolute finds what looks like an absolute path in a message.
var absolute = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[\s"'(\[<=,:])(/[^\s"')\]>,:;]*)`)
})

// clean returns err for a client that has no business with this machine: paths
// below the root are relative to the working directory, others are left out,
// and so are values of the environment. The hint goes the same way. nil stays.
func (a *app) clean(err error) error {
	if err == nil {
		return nil
	}
	u, ok := errors.AsType[*usererr.Error](err)
	if !ok {
		if cleaned := a.cleanText(err.Error()); cleaned != err.Error() {
			return errors.New(cleaned)
		}
		return err
	}
	return usererr.New(u.Code, a.cleanText(err.Error()), a.cleanText(usererr.Hint(err)))
}

func (a *app) cleanText(s string) string {
	root := a.around()
	cwd := unlinked(a.cwd)
	s = absolute().ReplaceAllStringFunc(s, func(m string) string {
		at := strings.IndexByte(m, '/')
		p := m[at:]
		switch {
		case strings.HasPrefix(p, "//"): // of a URL
			return m
		case inside(root, p):
			if rel, err := filepath.Rel(cwd, p); err == nil {
				return m[:at] + filepath.ToSlash(rel)
			}
		}
		return m[:at] + "(a path outside of the repository)"
	})
	return a.withoutEnv(s)
}

// cleanOutput shortens what a command of the project printed: its root is left
// out of paths, alone it is ".", and values of the environment are named.
func (a *app) cleanOutput(s string) string {
	root := a.around()
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, root)
		b.WriteString(before)
		if !found {
			return a.withoutEnv(b.String())
		}
		switch {
		case strings.HasPrefix(after, "/"):
			after = after[1:]
		case after == "" || !partOfName(after[0]):
			b.WriteString(".")
		default:
			b.WriteString(root)
		}
		s = after
	}
}

// partOfName reports whether a byte after a path goes on with its last name.
func partOfName(c byte) bool {
	return c == '-' || c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// withoutEnv names the values of the environment that stand in s, the longest first.
func (a *app) withoutEnv(s string) string {
	env := slices.Clone(a.env)
	slices.SortStableFunc(env, func(x, y string) int {
		_, v, _ := strings.Cut(x, "=")
		_, w, _ := strings.Cut(y, "=")
		return len(w) - len(v)
	})
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		if len(value) >= minSecret || len(value) > 1 && strings.HasPrefix(value, "/") {
			s = strings.ReplaceAll(s, value, "$"+name)
		}
	}
	return s
}

// minSecret is how long a value of the environment is that is looked for in
// messages: shorter ones are words of any text.
const minSecret = 8

// around returns the directory around the working directory that holds a
// repository, else the working directory.
func (a *app) around() string {
	cwd := unlinked(a.cwd)
	for d := cwd; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			return cwd
		}
	}
}
