package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

const maxBases = 32 // depth of extends

// extend is one entry of `extends`.
type extend struct {
	at                        Origin
	path, git, revision, file string
}

func extendsOf(n *node) []extend {
	x := n.get("extends")
	if x == nil {
		return nil
	}
	items := []*node{x}
	if x.kind == kindArray {
		items = x.items
	}
	out := make([]extend, 0, len(items))
	for _, it := range items {
		e := extend{at: it.at, file: FileName}
		if it.kind == kindString {
			e.path = it.string("")
		} else {
			e.path, e.git, e.revision = it.get("path").string(""), it.get("git").string(""), it.get("revision").string("")
			e.file = path.Clean(strings.ReplaceAll(it.get("file").string(FileName), `\`, "/"))
		}
		out = append(out, e)
	}
	return out
}

func (l *loader) blame(at Origin, code, hint, format string, args ...any) {
	l.problems = append(l.problems, problem{at: at, code: code, hint: hint, msg: fmt.Sprintf(format, args...)})
}

// overBases lays a file over the bases it extends. d.open marks the files that
// are on the way, so that a cycle is seen when it closes.
func (l *loader) overBases(ctx context.Context, d *doc, chain []*doc) *node {
	entries := extendsOf(d.own)
	if len(entries) == 0 {
		return d.own
	}
	if d.spot.local {
		l.blame(d.own.get("extends").at, "bad-value", "", "%s must not extend anything", LocalFileName)
		return d.own
	}
	d.open = true
	defer func() { d.open = false }()
	chain = append(slices.Clip(chain), d)
	var below *node
	for i := range entries {
		if ctx.Err() != nil {
			return d.own
		}
		if base := l.base(ctx, &entries[i], chain); base != nil {
			below = merge(below, base, true)
		}
	}
	return merge(below, d.own, true)
}

// base returns the layer an entry names, or nil after a problem was noted.
func (l *loader) base(ctx context.Context, e *extend, chain []*doc) *node {
	if len(chain) > maxBases {
		l.blame(e.at, "extends-depth", "", "extends is nested deeper than %d files", maxBases)
		return nil
	}
	by := chain[len(chain)-1].spot
	if e.git != "" {
		return l.gitBase(ctx, e, by, chain)
	}
	s, err := l.join(by, e.path)
	if err != nil {
		l.blame(e.at, "extends", "", "extends %q %s", e.path, err)
		return nil
	}
	d := l.baseDoc(ctx, s, e, chain)
	if d == nil {
		return nil
	}
	l.bases = append(l.bases, Base{By: by.name(), Line: e.at.Line, Path: e.path, File: d.spot.name()})
	return d.layer
}

// baseDoc reads the file at s, or the file in the directory s.
func (l *loader) baseDoc(ctx context.Context, s spot, e *extend, chain []*doc) *doc {
	d := l.read(ctx, s, chain)
	if !d.exist || l.isDir(d) {
		l.forget(d)
		in := s
		in.path = path.Join(s.path, e.file)
		if s.abs != "" {
			in.path, in.abs, in.shown = "", filepath.Join(s.abs, filepath.FromSlash(e.file)), path.Join(s.name(), e.file)
		}
		d = l.read(ctx, in, chain)
	}
	if !d.exist {
		hint := ""
		if s.git == nil && s.abs == "" {
			hint = "bases are read from the tree that is checked: is it added to git?"
		}
		l.blame(e.at, "extends", hint, "extends %q: there is no such file", e.path+e.git)
		return nil
	}
	if d.open {
		l.blame(e.at, "extends-cycle", "", "extends makes a cycle: %s", cycle(chain, d))
		return nil
	}
	return d
}

// isDir reports whether reading d failed because it is a directory.
func (l *loader) isDir(d *doc) bool {
	if d.own != nil || !d.exist || len(l.problems) == 0 {
		return false
	}
	s := d.spot
	switch {
	case s.git != nil:
		return false
	case s.abs == "":
		info, err := fs.Stat(l.o.Tree, s.path)
		return err == nil && info.IsDir()
	}
	last := l.problems[len(l.problems)-1]
	return last.code == "config-unreadable" && last.at.File == s.name()
}

// forget takes back the problem of a directory that was read as a file.
func (l *loader) forget(d *doc) {
	if n := len(l.problems); n > 0 && d.exist && l.problems[n-1].at.File == d.spot.name() {
		l.problems = l.problems[:n-1]
	}
	delete(l.docs, d.spot.id())
}

func cycle(chain []*doc, d *doc) string {
	var names []string
	for _, c := range chain {
		if c == d || len(names) > 0 {
			names = append(names, c.spot.name())
		}
	}
	return strings.Join(append(names, d.spot.name()), " -> ")
}

func (l *loader) gitBase(ctx context.Context, e *extend, by spot, chain []*doc) *node {
	oid, p := l.pin(ctx, e)
	if p != nil {
		l.problems = append(l.problems, *p)
		return nil
	}
	if l.o.Fetch == nil {
		l.blame(e.at, "extends", "", "extends %s: git bases are not read here", e.git)
		return nil
	}
	tree, err := l.o.Fetch(ctx, e.git, oid)
	if err != nil {
		l.blame(e.at, "base-missing", updateHint, "extends %s at %s is not in the cache: %v", e.git, e.revision, err)
		return nil
	}
	d := l.baseDoc(ctx, spot{git: tree, url: e.git, oid: oid, path: e.file}, e, chain)
	if d == nil {
		return nil
	}
	l.bases = append(l.bases, Base{By: by.name(), Line: e.at.Line, Git: e.git, Revision: e.revision, OID: oid, File: d.spot.name()})
	return d.layer
}

const updateHint = `"poly config update" resolves and fetches it`

// pinned is the pin of Load: the revision itself if it is an object id, else
// what poly-config.lock says.
func (l *loader) pinned(_ context.Context, e *extend) (string, *problem) {
	if isOID(e.revision) {
		return strings.ToLower(e.revision), nil
	}
	if l.lock == nil {
		l.lock = &lockFile{}
		text, err := l.bytes(spot{path: LockFileName})
		switch {
		case err == nil:
			lock, p := parseLock(text)
			if p != nil {
				return "", p
			}
			l.lock = lock
		case !errors.Is(err, fs.ErrNotExist):
			return "", &problem{at: Origin{File: LockFileName}, code: "config-unreadable", msg: err.Error()}
		}
	}
	for _, s := range l.lock.Sources {
		if s.Git == e.git && s.File == e.file && s.Revision == e.revision {
			return s.OID, nil
		}
	}
	return "", &problem{
		at: e.at, code: "base-not-locked", hint: updateHint,
		msg: fmt.Sprintf("extends %s at %s is not locked in %s", e.git, e.revision, LockFileName),
	}
}

func isOID(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	return strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

// Lock is what `poly config update` found: the content of poly-config.lock.
type Lock struct {
	Sources []Locked // sorted
	// Config is the configuration that results.
	Config *Set
}

// Locked is one git base, with what its file may make poly execute.
type Locked struct {
	Git, File, Revision string
	OID                 string
	Pinned              bool // the revision is an object id: it needs no lock
	Hooks, Tools        bool // the file has [hooks], [tools]
}

// Resolver asks a remote repository for the object id of a revision.
type Resolver func(ctx context.Context, url, revision string) (oid string, err error)

// Fetcher brings the content of a commit into the cache, if it is not there,
// and returns it.
type Fetcher func(ctx context.Context, url, oid string) (fs.FS, error)

// Update resolves and fetches every git base of the configuration, those of
// bases too. It writes nothing: the caller writes [Lock.Encode] to
// poly-config.lock, or removes that file if it is empty.
func Update(ctx context.Context, o Options, resolve Resolver, fetch Fetcher) (*Lock, error) {
	o.Fetch = fetch
	l := newLoader(o)
	lock := &Lock{}
	l.pin = func(ctx context.Context, e *extend) (string, *problem) {
		s := Locked{Git: e.git, File: e.file, Revision: e.revision, Pinned: isOID(e.revision), OID: strings.ToLower(e.revision)}
		if i := slices.IndexFunc(lock.Sources, func(k Locked) bool {
			return k.Git == s.Git && k.File == s.File && k.Revision == s.Revision
		}); i >= 0 {
			return lock.Sources[i].OID, nil
		}
		if !s.Pinned {
			oid, err := resolve(ctx, e.git, e.revision)
			if err == nil && !isOID(oid) {
				err = fmt.Errorf("%q is not an object id", oid)
			}
			if err != nil {
				return "", &problem{at: e.at, code: "base-unresolved", msg: fmt.Sprintf("extends %s at %s: %v", e.git, e.revision, err)}
			}
			s.OID = strings.ToLower(oid)
		}
		lock.Sources = append(lock.Sources, s)
		return s.OID, nil
	}
	set, err := l.load(ctx)
	if err != nil {
		return nil, err
	}
	lock.Config = set
	for i := range lock.Sources {
		s := &lock.Sources[i]
		for _, d := range l.docs {
			if d.spot.git != nil && d.spot.url == s.Git && d.spot.oid == s.OID && d.spot.path == s.File {
				s.Hooks, s.Tools = d.own.get("hooks") != nil, d.own.get("tools") != nil
			}
		}
	}
	slices.SortFunc(lock.Sources, func(a, b Locked) int {
		return slices.Compare([]string{a.Git, a.File, a.Revision}, []string{b.Git, b.File, b.Revision})
	})
	return lock, nil
}

type lockFile struct{ Sources []Locked }

// Encode returns the content of poly-config.lock; nil if there is nothing to lock.
func (k *Lock) Encode() []byte {
	type source struct {
		Git      string `toml:"git"`
		File     string `toml:"file"`
		Revision string `toml:"revision"`
		Locked   string `toml:"locked"`
	}
	var file struct {
		Version int      `toml:"version"`
		Sources []source `toml:"sources"`
	}
	file.Version = 1
	for _, s := range k.Sources {
		if !s.Pinned {
			file.Sources = append(file.Sources, source{s.Git, s.File, s.Revision, s.OID})
		}
	}
	if len(file.Sources) == 0 {
		return nil
	}
	var out strings.Builder
	out.WriteString("# Written by \"poly config update\".\n")
	enc := toml.NewEncoder(&out)
	enc.Indent = ""
	if err := enc.Encode(file); err != nil {
		panic(err) // strings and an integer always encode
	}
	return []byte(out.String())
}

func parseLock(content []byte) (*lockFile, *problem) {
	n, p := parse(LockFileName, content)
	if p != nil {
		return nil, p
	}
	need := func(doc string) *shape { return nonEmpty(text(doc)) }
	source := table("", key{"git", need("")}, key{"file", need("")}, key{"revision", need("")}, key{"locked", &shape{
		kinds: kindString, wants: "an object id", accepts: isOID,
	}})
	top := table("", key{"version", whole(1, "")}, key{"sources", &shape{kinds: kindArray, elem: source}})
	if v := n.get("version").int(0); v != 1 {
		at := n.at
		if c := n.get("version"); c != nil {
			at = c.at
		}
		return nil, &problem{at: at, code: "bad-value", msg: "this version reads only version = 1 of " + LockFileName, hint: `"poly config update" writes it anew`}
	}
	v := &validator{top: top}
	v.validate(n, top, place{})
	if len(v.problems) > 0 {
		return nil, &v.problems[0]
	}
	lock := &lockFile{}
	if s := n.get("sources"); s != nil {
		for _, it := range s.items {
			lock.Sources = append(lock.Sources, Locked{
				Git: it.get("git").string(""), File: it.get("file").string(""),
				Revision: it.get("revision").string(""), OID: strings.ToLower(it.get("locked").string("")),
			})
		}
	}
	return lock, nil
}
