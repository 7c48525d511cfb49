// Package attr answers what git's attribute files say about paths, and what git
// therefore does to their bytes between worktree and blob. It runs nothing, and
// reads files only through the functions it is given.
package attr

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"poly/internal/gitstate/entry"
	"poly/internal/glob"
)

// Values of an attribute that are no strings. A string value cannot begin
// with these bytes in practice and is never mistaken for them in a comparison.
const (
	set         = "\x00set"
	unset       = "\x00unset"
	unspecified = "\x00unspecified" // "!name": decided, and nothing
)

// lineMax is the length from which git ignores a line.
const lineMax = 2048

// Sources says where attributes come from.
type Sources struct {
	// Outside are the texts of attribute files that are not in the tree, lowest
	// precedence first: the system's, the user's.
	Outside [][]byte
	// Info is the text of $GIT_COMMON_DIR/info/attributes, which wins over all.
	Info []byte
	// Dirs are the directories of the tree that have a .gitattributes; "" is the root.
	Dirs []string
	// Read returns the text of a .gitattributes of the tree. It is called at
	// the first question, once for each of Dirs.
	Read     func(path string) ([]byte, bool)
	FoldCase bool
}

// Set is all the attribute files that count for the paths of a tree. It reads
// nothing before the first question and may be used by many goroutines.
type Set struct {
	src  Sources
	load sync.Once

	// Set by load.
	info    *file
	inner   map[string]*file // by directory
	outside []*file          // highest precedence first
	macros  map[string][]assignment
	names   map[string]bool // every attribute that is assigned anywhere

	mu     sync.Mutex
	stacks map[string][]*file // by directory, highest precedence first
}

// file is one parsed attributes file.
type file struct {
	list    *glob.List
	assigns [][]assignment // by rule of list
	macros  map[string][]assignment
}

type assignment struct{ name, value string }

// New makes a Set. Nothing is read yet.
func New(src Sources) *Set {
	return &Set{src: src, stacks: map[string][]*file{}}
}

// get returns the raw value of one attribute.
func (a *Set) get(file, name string) string {
	var v [1]string
	a.query(file, []string{name}, v[:])
	return v[0]
}

// Value returns the value of one attribute for a path: "set", "unset", a
// string, or "" if it is unspecified.
func (a *Set) Value(file, name string) string {
	return strings.TrimPrefix(a.get(file, name), "\x00")
}

// query fills values with the raw values of the named attributes.
func (a *Set) query(file string, names []string, values []string) {
	a.load.Do(a.loadAll)
	var space [16]assignment
	known := a.decide(space[:0], file)
	for i, n := range names {
		values[i] = known.get(n)
		if values[i] == unspecified {
			values[i] = ""
		}
	}
}

// all returns every specified attribute of a file, as check-attr -a lists them.
func (a *Set) all(file string) map[string]string {
	a.load.Do(a.loadAll)
	all := map[string]string{}
	for _, s := range a.decide(nil, file) {
		if s.value != unspecified {
			all[s.name] = strings.TrimPrefix(s.value, "\x00")
		}
	}
	return all
}

// decisions are the attributes decided for one file; there are few.
type decisions []assignment

func (d decisions) get(name string) string {
	for i := range d {
		if d[i].name == name {
			return d[i].value
		}
	}
	return ""
}

// decide appends what all files say about a path.
func (a *Set) decide(known decisions, file string) decisions {
	var buf [16]int32
	for _, f := range a.stack(entry.Dir(file)) {
		for _, i := range f.list.AppendMatches(buf[:0], file, false) {
			known = a.assign(known, f.assigns[i])
		}
	}
	return known
}

// mentions reports whether any file assigns one of the attributes, by
// itself or through a macro.
func (a *Set) mentions(names ...string) bool {
	a.load.Do(a.loadAll)
	return slices.ContainsFunc(names, func(n string) bool { return a.names[n] })
}

// assign records what is not decided yet, last assignment first; a macro
// that becomes set brings its own assignments.
func (a *Set) assign(known decisions, assigns []assignment) decisions {
	for _, s := range slices.Backward(assigns) {
		if slices.ContainsFunc(known, func(k assignment) bool { return k.name == s.name }) {
			continue
		}
		known = append(known, s)
		if s.value == set {
			known = a.assign(known, a.macros[s.name])
		}
	}
	return known
}

func (a *Set) loadAll() {
	a.inner = map[string]*file{}
	a.macros = map[string][]assignment{
		"binary": {{"diff", unset}, {"merge", unset}, {"text", unset}},
	}
	for _, text := range a.src.Outside { // a later, higher one overrides macros
		f := parse(text, "", true, a.src.FoldCase)
		a.outside = append([]*file{f}, a.outside...)
		a.addMacros(f)
	}
	for _, dir := range a.src.Dirs {
		if text, ok := a.src.Read(path.Join(dir, ".gitattributes")); ok {
			f := parse(text, dir, dir == "", a.src.FoldCase)
			a.inner[dir] = f
			a.addMacros(f)
		}
	}
	a.info = parse(a.src.Info, "", true, a.src.FoldCase)
	a.addMacros(a.info)

	a.names = map[string]bool{}
	a.each(func(_, _ string, s assignment) { a.mention(s) })
}

// each calls f for every assignment of every file, in an order that does not
// depend on chance. The directory is that of the file.
func (a *Set) each(f func(dir, pattern string, s assignment)) {
	file := func(dir string, file *file) {
		for i, assigns := range file.assigns {
			for _, s := range assigns {
				f(dir, file.list.Rule(i).Pattern, s)
			}
		}
	}
	file("info", a.info)
	for _, o := range a.outside {
		file("outside", o)
	}
	for _, dir := range slices.Sorted(maps.Keys(a.inner)) {
		file("/"+dir, a.inner[dir])
	}
}

func (a *Set) addMacros(f *file) {
	maps.Copy(a.macros, f.macros)
}

func (a *Set) mention(s assignment) {
	if a.names[s.name] {
		return
	}
	a.names[s.name] = true
	for _, m := range a.macros[s.name] {
		a.mention(m)
	}
}

// stack returns the files that count for the files of a directory.
func (a *Set) stack(dir string) []*file {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s, ok := a.stacks[dir]; ok {
		return s
	}
	var s []*file
	add := func(f *file) {
		if f != nil && f.list.Len() > 0 {
			s = append(s, f)
		}
	}
	add(a.info)
	for d := dir; d != ""; d = entry.Dir(d) {
		add(a.inner[d])
	}
	add(a.inner[""])
	for _, f := range a.outside {
		add(f)
	}
	a.stacks[dir] = s
	return s
}

const blank = " \t\r\n"

// parse reads an attributes file written in directory base. As in git, a line
// with an invalid attribute name, a negative pattern or a macro where none may
// be is ignored.
func parse(text []byte, base string, macrosOK, fold bool) *file {
	f := &file{macros: map[string][]assignment{}}
	var rules []glob.Rule
	rest := strings.TrimPrefix(string(text), "\ufeff")
	for n := 1; rest != ""; n++ {
		line, tail, _ := strings.Cut(rest, "\n")
		rest = tail
		line, _, _ = strings.Cut(line, "\x00") // git reads C strings
		pattern, states, ok := splitLine(line)
		if !ok {
			continue
		}
		assigns, ok := parseAssigns(states)
		if !ok {
			continue
		}
		if macro, is := strings.CutPrefix(pattern, "[attr]"); is && macro != "" {
			if macrosOK && nameValid(macro) {
				f.macros[macro] = assigns
			}
			continue
		}
		if strings.HasPrefix(pattern, "!") {
			continue
		}
		rules = append(rules, glob.Rule{Pattern: pattern, Base: base, Line: n})
		f.assigns = append(f.assigns, assigns)
	}
	f.list = glob.NewList(rules, glob.Options{FoldCase: fold, NoNegation: true})
	return f
}

// splitLine splits a line into pattern and assignments.
func splitLine(line string) (pattern, states string, ok bool) {
	if len(line) >= lineMax {
		return "", "", false
	}
	line = strings.TrimLeft(line, blank)
	if line == "" || line[0] == '#' {
		return "", "", false
	}
	if line[0] == '"' {
		if pattern, states, ok = unquoteC(line); ok {
			return pattern, states, true
		}
	}
	i := strings.IndexAny(line, blank)
	if i < 0 {
		return line, "", true
	}
	return line[:i], line[i:], true
}

// parseAssigns reads "text -diff !merge eol=lf".
func parseAssigns(states string) (assigns []assignment, ok bool) {
	for word := range strings.FieldsFuncSeq(states, func(r rune) bool { return strings.ContainsRune(blank, r) }) {
		name, value, hasValue := strings.Cut(word, "=")
		s := assignment{name: name, value: set}
		if hasValue {
			s.value = value
		}
		switch name[:min(1, len(name))] {
		case "-":
			s = assignment{name[1:], unset}
		case "!":
			s = assignment{name[1:], unspecified}
		}
		if !nameValid(s.name) {
			return nil, false
		}
		assigns = append(assigns, s)
	}
	return assigns, true
}

func nameValid(name string) bool {
	return name != "" && name[0] != '-' && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '-' && r != '.' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// unquoteC reads a C-style quoted string at the start of s, as git writes it.
func unquoteC(s string) (text, rest string, ok bool) {
	var b []byte
	for i := 1; i < len(s); i++ {
		c := s[i]
		if c == '"' {
			return string(b), s[i+1:], true
		}
		if c != '\\' {
			b = append(b, c)
			continue
		}
		if i++; i == len(s) {
			return "", "", false
		}
		if at := strings.IndexByte(`abfnrtv\"`, s[i]); at >= 0 {
			b = append(b, "\a\b\f\n\r\t\v\\\""[at])
			continue
		}
		if i+2 >= len(s) || s[i] < '0' || s[i] > '3' || !isOctal(s[i+1]) || !isOctal(s[i+2]) {
			return "", "", false
		}
		b = append(b, (s[i]-'0')<<6|(s[i+1]-'0')<<3|(s[i+2]-'0'))
		i += 2
	}
	return "", "", false
}

func isOctal(c byte) bool { return '0' <= c && c <= '7' }
