package ruff

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"poly/internal/blake3"
	"poly/internal/engine"
)

// linter is a configuration.
type linter struct {
	env      engine.Env
	verb     int       // fromLint or fromFormat
	settings *settings // of poly.toml

	mu    sync.Mutex // guards what follows
	tree  *tree
	bases map[baseKey]*plan
}

// plan is how a file is looked at.
type plan struct {
	err     error // why it is not
	options object
	key     [32]byte // stands for options
	native  string   // the configuration they are from; "": poly.toml
	minor   int
	init    bool // __init__.py
	private bool // a module nobody else imports
}

// baseKey is all that the settings of a file depend on.
type baseKey struct {
	native  *native
	party   *party
	minor   int
	ignored string // codes, of native
}

// of returns the plan for a path.
func (l *linter) of(p string) *plan {
	l.mu.Lock()
	defer l.mu.Unlock()
	base := path.Base(p)
	switch path.Ext(base) {
	case ".pyi":
		return &plan{err: engine.Skip("stub file: ruff's module takes it for a program")}
	case ".ipynb":
		return &plan{err: engine.Skip("notebook")}
	}
	b, err := l.base(p)
	if err != nil {
		return &plan{err: err}
	}
	out := *b
	out.init, out.private = base == "__init__.py", private(p, l.tree.packageOf(path.Dir(p)))
	return &out
}

// base returns the plan without what the name of the file says.
func (l *linter) base(p string) (*plan, error) {
	dir := path.Dir(p)
	k := baseKey{}
	s := l.settings
	if !l.env.Configured {
		n, err := l.tree.nativeIn(dir)
		if err != nil {
			return nil, err
		}
		if n != nil {
			if n.excludes(p, l.verb) {
				return nil, engine.Skip("excluded by " + n.path)
			}
			k.native, k.ignored, k.minor = n, n.ignored(p), n.version(p)
			s = settingsIn(&l.env, n)
		}
	}
	k.minor = cmp.Or(k.minor, s.minor, l.tree.requiresIn(dir))
	minor := cmp.Or(k.minor, defaultMinor)
	k.party = l.tree.firstParty(s.src, dir, minor)
	if b, ok := l.bases[k]; ok {
		return b, nil
	}
	options := s.with(k.party)
	if k.minor > 0 {
		options["target-version"] = "py3" + strconv.Itoa(k.minor)
	}
	if k.ignored != "" {
		cloned(options, "lint")["per-file-ignores"] = object{"*": listOf(strings.Fields(k.ignored))}
	}
	text, err := json.Marshal(options)
	if err != nil {
		return nil, err
	}
	b := &plan{options: options, key: blake3.Sum256(text), minor: minor}
	if k.native != nil {
		b.native = k.native.path
	}
	if l.bases == nil {
		l.bases = map[baseKey]*plan{}
	}
	l.bases[k] = b
	return b, nil
}

// excludes reports whether a native configuration leaves a file out.
func (n *native) excludes(file string, verb int) bool {
	return slices.ContainsFunc(slices.Concat(n.exclude[fromAll], n.exclude[verb]), func(p pattern) bool { return p.excludes(file) })
}

// ignored lists the codes that are ignored in a file.
func (n *native) ignored(file string) string {
	var codes []string
	for _, i := range n.ignores {
		if i.pattern.matches(file) {
			codes = append(codes, i.values...)
		}
	}
	slices.Sort(codes)
	return strings.Join(slices.Compact(codes), " ")
}

// version returns the Python that a file is for in particular; else 0.
func (n *native) version(file string) int {
	for _, v := range n.versions {
		if v.pattern.matches(file) {
			minor, _ := target(v.values[0])
			return minor
		}
	}
	return 0
}

// private reports whether a file is a module for inner use: its name, or that
// of a package it is in, begins with an underscore. root is the folder of the
// outermost package; "": it is in none.
func private(file, root string) bool {
	from := path.Base(file)
	if root != "" {
		from = strings.TrimPrefix(file, strings.TrimSuffix(root, path.Base(root)))
	}
	for name := range strings.SplitSeq(from, "/") {
		stem, _, _ := strings.Cut(name, ".")
		if strings.HasPrefix(stem, "_") && (!strings.HasPrefix(stem, "__") || !strings.HasSuffix(stem, "__")) {
			return true
		}
	}
	return false
}

// class tells which paths share results.
func (l *linter) class(p string) string {
	pl := l.of(p)
	if pl.err != nil {
		return pl.err.Error()
	}
	class := string(pl.key[:]) + pl.native
	if pl.init {
		class += "\x00i"
	}
	if pl.private {
		class += "\x00p"
	}
	return class
}
