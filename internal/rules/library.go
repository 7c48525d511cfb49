package rules

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"poly/internal/rules/match"
	"poly/internal/syntax"
)

// pack holds the built-in rules, and their tests: <language>/<id>.yml.
//
//go:embed pack
var pack embed.FS

const packDir = "pack"

// Library is the rules of a run: the built-in pack and the directories of a
// tree. It reads when it is asked, and compiles what it is asked for, once. It
// may be used by many goroutines.
type Library struct {
	tree    fs.FS
	dirs    []string
	noPack  bool
	user    func() userFiles
	userSet func() (*Set, error)

	mu   sync.Mutex // guards what follows
	sets map[string]func() (*Set, error)
}

// userFiles are the rule files of the directories.
type userFiles struct {
	names []string
	texts [][]byte
	err   error
}

// NewLibrary returns the library of directories of a tree. It reads nothing.
func NewLibrary(tree fs.FS, dirs []string) *Library {
	l := &Library{tree: tree, dirs: dirs, sets: map[string]func() (*Set, error){}}
	l.user = sync.OnceValue(l.readUser)
	l.userSet = sync.OnceValues(l.compileUser)
	return l
}

func (l *Library) readUser() (u userFiles) {
	for _, dir := range l.dirs {
		files, err := Files(l.tree, dir, IsRuleFile)
		if err != nil {
			u.err = err
			return u
		}
		for _, f := range files {
			text, err := fs.ReadFile(l.tree, f)
			if err != nil {
				u.err = fmt.Errorf("read the rules in %s: %w", f, err)
				return u
			}
			u.names, u.texts = append(u.names, f), append(u.texts, text)
		}
	}
	return u
}

// Packed lists the languages that built-in rules are for, by their names in
// internal/syntax.
func Packed() []string {
	entries, _ := fs.ReadDir(pack, packDir) // it is in memory
	var out []string
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out
}

// Languages lists the languages that rules are for, sorted. It looks at texts
// only, so that asking is cheap: a rule that is refused counts as well.
func (l *Library) Languages() ([]string, error) {
	out := Packed()
	u := l.user()
	for _, text := range u.texts {
		out = append(out, languagesIn(text)...)
	}
	slices.Sort(out)
	return slices.Compact(out), u.err
}

// languagesIn finds the languages that the text of a rule file names.
func languagesIn(text []byte) []string {
	var out []string
	for {
		_, rest, ok := bytes.Cut(text, []byte("language"))
		if !ok {
			return out
		}
		text = rest
		value, ok := bytes.CutPrefix(bytes.TrimLeft(rest, `"' `), []byte(":"))
		if !ok {
			continue
		}
		value = bytes.TrimLeft(value, `"' `)
		n := bytes.IndexAny(value, "\"' ,}\r\n")
		if n < 0 {
			n = len(value)
		}
		if s, ok := syntax.ByName(string(value[:n])); ok {
			out = append(out, s.Name)
		}
	}
}

func (l *Library) compileUser() (*Set, error) {
	u := l.user()
	loader := NewLoader()
	defer loader.Close()
	for i, name := range u.names {
		loader.Add(name, u.texts[i], false)
	}
	return &loader.Set, u.err
}

// Set returns the rules for one language. Problems are those of all files of the
// directories, and of the language's built-in rules.
func (l *Library) Set(lang string) (*Set, error) {
	l.mu.Lock()
	load := l.sets[lang]
	if load == nil {
		load = sync.OnceValues(func() (*Set, error) { return l.load([]string{lang}) })
		l.sets[lang] = load
	}
	l.mu.Unlock()
	return load()
}

// All returns all rules: those of the directories, then the built-in ones.
func (l *Library) All() (*Set, error) { return l.load(nil) }

// load compiles the rules of some languages; nil: of all.
func (l *Library) load(langs []string) (*Set, error) {
	user, err := l.userSet()
	if err != nil {
		return nil, err
	}
	set := &Set{Problems: user.Problems, Unbuilt: user.Unbuilt, Notes: user.Notes}
	wanted := func(name string) bool { return langs == nil || slices.Contains(langs, name) }
	for _, r := range user.Rules {
		if wanted(r.Lang.Name) {
			set.Rules = append(set.Rules, r)
		}
	}
	if l.noPack {
		return set, nil
	}
	loader := NewLoader()
	defer loader.Close()
	for _, name := range Packed() {
		if wanted(name) {
			if err := loader.AddDir(pack, path.Join(packDir, name), true); err != nil {
				return nil, err
			}
		}
	}
	for _, r := range loader.Set.Rules {
		if _, replaced := user.Find(r.ID); !replaced {
			r.File = strings.TrimPrefix(r.File, packDir+"/")
			set.Rules = append(set.Rules, r)
		}
	}
	set.Problems = slices.Concat(set.Problems, loader.Set.Problems)
	set.Unbuilt = slices.Concat(set.Unbuilt, loader.Set.Unbuilt)
	set.Notes = slices.Concat(set.Notes, loader.Set.Notes)
	return set, nil
}

// Without returns the library without the built-in pack, if pack is true.
func (l *Library) Without(pack bool) *Library {
	out := NewLibrary(l.tree, l.dirs)
	out.noPack = pack
	return out
}

// Class tells which rules of a set look at a path, as far as that depends on
// the path: equal classes, equal results.
func (s *Set) Class(path string) string {
	var b strings.Builder
	for i := range s.Rules {
		if r := &s.Rules[i]; r.Scoped() {
			if r.Applies(path) {
				b.WriteByte('1')
			} else {
				b.WriteByte('0')
			}
		}
	}
	return b.String()
}

// InDir reports whether a path lies in one of the directories of the library.
func (l *Library) InDir(path string) bool {
	return slices.ContainsFunc(l.dirs, func(d string) bool { return d == "." || strings.HasPrefix(path, d+"/") })
}

// Check compiles the rules of one file and tells what is wrong with them.
func Check(file string, text []byte) []Problem {
	loader := NewLoader()
	defer loader.Close()
	loader.Add(file, text, false)
	return loader.Set.Problems
}

// Languages lists the languages that rules can be written for.
func Languages() []*match.Language {
	var out []*match.Language
	for _, s := range syntax.Languages() {
		out = append(out, match.Of(s))
	}
	return out
}
