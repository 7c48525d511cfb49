package gitconf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Options say where to look.
type Options struct {
	// Env returns a variable of the environment, or "".
	Env func(name string) string
	// SystemFile is the system-wide file if GIT_CONFIG_SYSTEM does not say
	// otherwise; "" if there is none.
	SystemFile string
	// GitDir and CommonDir are absolute; both "" outside a repository. They
	// differ in a linked worktree.
	GitDir, CommonDir string
	// WorktreeConfig: extensions.worktreeConfig is on.
	WorktreeConfig bool
	// Branch returns the short name of the current branch, also if it is
	// unborn; "" if HEAD is detached. Called for includeIf "onbranch:" only.
	Branch func() string
	// Match is git's wildmatch with the pathname flag. Both texts are relative.
	Match func(pattern, text string, fold bool) bool
	// Protected leaves out what a repository says of itself: only system,
	// global and command values, as for safe.directory.
	Protected bool
}

// maxDepth is how deep git lets files include each other.
const maxDepth = 10

// Load reads the configuration. Files that do not exist are left out; a
// malformed or unreadable one is an error, as in git.
func Load(o Options) (*Config, error) {
	l := &loader{o: o}
	if err := l.all(); err != nil {
		return nil, err
	}
	return newConfig(l.list), nil
}

// File reads one file alone, without its includes. A file that does not exist
// has no values.
func File(path string) (*Config, error) {
	l := &loader{bare: true}
	if err := l.file(path, Local, false, 0); err != nil {
		return nil, err
	}
	return newConfig(l.list), nil
}

type loader struct {
	o    Options
	bare bool // do not follow includes
	list []Value
	urls []string // of remotes, once collected
	seen bool     // urls are complete
	// collecting urls: every hasconfig condition holds, and no file that is
	// included under a condition may name a remote, as in git.
	collecting  bool
	conditional int // depth of includeIf files being read
}

func (l *loader) all() error {
	if !l.noSystem() {
		file := l.o.Env("GIT_CONFIG_SYSTEM")
		if file == "" {
			file = l.o.SystemFile
		}
		if err := l.file(file, System, false, 0); err != nil {
			return err
		}
	}
	for _, file := range l.global() {
		if err := l.file(file, Global, true, 0); err != nil {
			return err
		}
	}
	if !l.o.Protected {
		if err := l.local(); err != nil {
			return err
		}
	}
	return l.command()
}

func (l *loader) noSystem() bool {
	b, _ := Value{Text: l.o.Env("GIT_CONFIG_NOSYSTEM"), Valued: true}.Bool()
	return b
}

func (l *loader) global() []string {
	if file := l.o.Env("GIT_CONFIG_GLOBAL"); file != "" {
		return []string{file}
	}
	var files []string
	home := l.o.Env("HOME")
	if xdg := l.o.Env("XDG_CONFIG_HOME"); xdg != "" {
		files = append(files, filepath.Join(xdg, "git", "config"))
	} else if home != "" {
		files = append(files, filepath.Join(home, ".config", "git", "config"))
	}
	if home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	return files
}

func (l *loader) local() error {
	if l.o.CommonDir == "" {
		return nil
	}
	if err := l.file(filepath.Join(l.o.CommonDir, "config"), Local, false, 0); err != nil {
		return err
	}
	if !l.o.WorktreeConfig {
		return nil
	}
	return l.file(filepath.Join(l.o.GitDir, "config.worktree"), Worktree, false, 0)
}

// file reads one file and what it includes. lenient: git ignores that it may
// not read it.
func (l *loader) file(path string, scope Scope, lenient bool, depth int) error {
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), lenient && errors.Is(err, fs.ErrPermission):
		return nil
	case err != nil:
		return fmt.Errorf("git config: %w", err)
	}
	err = parse(text, func(key, value string, valued bool, line int) error {
		return l.set(Value{Key: key, Text: value, Valued: valued, Scope: scope, File: path, Line: line}, depth)
	})
	if err != nil && errors.Is(err, ErrSyntax) && depth == 0 {
		return fmt.Errorf("%s: %w", path, err)
	}
	return err
}

// set records a value and follows it if it is an include.
func (l *loader) set(v Value, depth int) error {
	if l.collecting && strings.HasPrefix(v.Key, "remote.") && strings.HasSuffix(v.Key, ".url") {
		if l.conditional > 0 {
			return v.errorf("remote URLs cannot be configured in a file included by includeIf.hasconfig:remote.*.url")
		}
		l.urls = append(l.urls, v.Text)
	}
	l.list = append(l.list, v)
	if l.bare {
		return nil
	}
	switch {
	case v.Key == "include.path":
		return l.include(v, depth)
	case strings.HasPrefix(v.Key, "includeif.") && strings.HasSuffix(v.Key, ".path"):
		cond := strings.TrimSuffix(strings.TrimPrefix(v.Key, "includeif."), ".path")
		ok, err := l.holds(cond, v)
		if err != nil || !ok {
			return err
		}
		l.conditional++
		defer func() { l.conditional-- }()
		return l.include(v, depth)
	}
	return nil
}

// command reads the settings given by the environment.
func (l *loader) command() error {
	if count := l.o.Env("GIT_CONFIG_COUNT"); count != "" {
		n, err := strconv.ParseUint(count, 10, 31)
		if err != nil {
			return fmt.Errorf("%w: bogus count in GIT_CONFIG_COUNT: %w", ErrSyntax, err)
		}
		for i := range int(n) {
			name := "GIT_CONFIG_KEY_" + strconv.Itoa(i)
			key := l.o.Env(name)
			if key == "" {
				return fmt.Errorf("%w: missing config key %s", ErrSyntax, name)
			}
			if err := l.given(key, l.o.Env("GIT_CONFIG_VALUE_"+strconv.Itoa(i)), true); err != nil {
				return err
			}
		}
	}
	return l.parameters(l.o.Env("GIT_CONFIG_PARAMETERS"))
}

// given adds one setting of the environment after checking its key.
func (l *loader) given(key, value string, valued bool) error {
	last := strings.LastIndexByte(key, '.')
	first := strings.IndexByte(key, '.')
	ok := first > 0 && last+1 < len(key) && isAlpha(key[last+1]) && !strings.Contains(key, "\n")
	for i := 0; ok && i < len(key); i++ {
		if i < first || i > last {
			ok = isKey(key[i])
		}
	}
	if !ok {
		return fmt.Errorf("%w: invalid key %q in the environment", ErrSyntax, key)
	}
	return l.set(Value{Key: Canonical(key), Text: value, Valued: valued, Scope: Command}, 0)
}

// parameters reads GIT_CONFIG_PARAMETERS: shell-quoted 'key'='value' pairs,
// or 'key=value' as git before 2.31 wrote them.
func (l *loader) parameters(s string) error {
	bad := fmt.Errorf("%w: bogus format in GIT_CONFIG_PARAMETERS", ErrSyntax)
	for {
		s = strings.TrimLeft(s, " \t\n\r")
		if s == "" {
			return nil
		}
		key, rest, ok := unquote(s)
		if !ok {
			return bad
		}
		var value string
		valued := false
		switch {
		case rest == "" || isSpace(rest[0]):
			key, value, valued = strings.Cut(key, "=")
			key = strings.Trim(key, " \t\n\r")
		case rest[0] == '=':
			rest = rest[1:]
			if rest != "" && !isSpace(rest[0]) {
				if value, rest, ok = unquote(rest); !ok || rest != "" && !isSpace(rest[0]) {
					return bad
				}
				valued = true
			}
		default:
			return bad
		}
		if err := l.given(key, value, valued); err != nil {
			return err
		}
		s = rest
	}
}

// unquote reads one word in single quotes, in which \' and \! stand outside.
func unquote(s string) (word, rest string, ok bool) {
	if !strings.HasPrefix(s, "'") {
		return "", "", false
	}
	var b strings.Builder
	for {
		in, after, closed := strings.Cut(s[1:], "'")
		if !closed {
			return "", "", false
		}
		b.WriteString(in)
		s = after
		if len(s) < 3 || s[0] != '\\' || s[1] != '\'' && s[1] != '!' || s[2] != '\'' {
			return b.String(), s, true
		}
		b.WriteByte(s[1])
		s = s[2:]
	}
}
