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
	"sync/atomic"

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
	tree     fs.FS
	dirs     []string
	noPack   bool
	user     func() ([]*userFile, error)
	compiled atomic.Int64

	mu      sync.Mutex // guards what follows
	sets    map[string]func() (*Set, error)
	classes map[string]func() (*Classes, error)
}

// NewLibrary returns the library of directories of a tree. It reads nothing.
func NewLibrary(tree fs.FS, dirs []string) *Library {
	l := &Library{tree: tree, dirs: dirs, sets: map[string]func() (*Set, error){}, classes: map[string]func() (*Classes, error){}}
	l.user = sync.OnceValues(l.readUser)
	return l
}

// Compiled counts the rules that have been compiled so far.
func (l *Library) Compiled() int { return int(l.compiled.Load()) }

func (l *Library) readUser() ([]*userFile, error) {
	var out []*userFile
	for _, dir := range l.dirs {
		files, err := Files(l.tree, dir, IsRuleFile)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			text, err := fs.ReadFile(l.tree, f)
			if err != nil {
				return nil, fmt.Errorf("read the rules in %s: %w", f, err)
			}
			out = append(out, newUserFile(f, text))
		}
	}
	return out, nil
}

// Languages lists the languages that rules are for, sorted. It looks at texts
// only, so that asking is cheap: a rule that is refused counts as well.
func (l *Library) Languages() ([]string, error) {
	out := Packed()
	user, err := l.user()
	for _, f := range user {
		out = append(out, languagesIn(f.text)...)
	}
	slices.Sort(out)
	return slices.Compact(out), err
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

// once returns the function that is in a map under a key, or else puts make there.
func once[T any](l *Library, m map[string]func() (T, error), key string, make func() (T, error)) func() (T, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := m[key]
	if f == nil {
		f = sync.OnceValues(make)
		m[key] = f
	}
	return f
}

// Set returns the rules for one language. It compiles no others, but those that
// share an id with one of them, so the problems in it are not all there are.
func (l *Library) Set(lang string) (*Set, error) {
	return once(l, l.sets, lang, func() (*Set, error) {
		user, err := l.userOf(lang)
		if err != nil {
			return nil, err
		}
		set, err := l.load(user, lang)
		if err == nil {
			set.Rules = slices.DeleteFunc(set.Rules, func(r Rule) bool { return r.Lang.Name != lang })
		}
		return set, err
	})()
}

// userOf compiles the rules of the directories for a language, and those whose
// ids decide which of the language's rules there are.
func (l *Library) userOf(lang string) (*Set, error) {
	files, err := l.user()
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	if !l.noPack {
		for _, r := range packed(lang) {
			ids[r.id] = true
		}
	}
	for _, f := range files {
		for _, d := range f.docs() {
			if d.head != nil && d.head.Lang.Name == lang {
				ids[d.head.ID] = true
			}
		}
	}
	loader := NewLoader()
	defer loader.Close()
	for _, f := range files {
		for _, d := range f.docs() {
			if d.head != nil && ids[d.head.ID] {
				l.compiled.Add(1)
				loader.addDocument(f.name, d.doc, d.id, false)
			}
		}
	}
	return &loader.Set, nil
}

// All returns all rules: those of the directories, then the built-in ones.
func (l *Library) All() (*Set, error) {
	files, err := l.user()
	if err != nil {
		return nil, err
	}
	loader := NewLoader()
	defer loader.Close()
	for _, f := range files {
		loader.Add(f.name, f.text, false)
	}
	return l.load(&loader.Set, Packed()...)
}

// load adds to the rules of the directories the built-in ones of some languages.
func (l *Library) load(user *Set, langs ...string) (*Set, error) {
	set := &Set{Rules: slices.Clone(user.Rules), Problems: user.Problems, Unbuilt: user.Unbuilt, Notes: user.Notes}
	if l.noPack {
		return set, nil
	}
	loader := NewLoader()
	defer loader.Close()
	for _, name := range langs {
		if err := loader.AddDir(pack, path.Join(packDir, name), true); err != nil {
			return nil, err
		}
	}
	l.compiled.Add(int64(len(loader.Set.Rules)))
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

// Classes tells how the rules for a language depend on the path. It is immutable.
type Classes struct{ scopes []scope }

// Classes returns the classes of paths for a language. No rule is compiled; of
// the directories, files that may hold globs are parsed.
func (l *Library) Classes(lang string) (*Classes, error) {
	return once(l, l.classes, lang, func() (*Classes, error) {
		files, err := l.user()
		if err != nil {
			return nil, err
		}
		c := &Classes{}
		if !l.noPack {
			if c.scopes, err = packScopes(lang); err != nil {
				return nil, err
			}
		}
		c.scopes = append(c.scopes, userScopes(files, lang)...)
		return c, nil
	})()
}

// Of tells which rules look at a path, as far as that depends on the path:
// equal classes, equal results.
func (c *Classes) Of(path string) string {
	out := make([]byte, len(c.scopes))
	for i, s := range c.scopes {
		out[i] = '0'
		if s.Applies(path) {
			out[i] = '1'
		}
	}
	return string(out)
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
