package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
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
	chain = append(chain[:len(chain):len(chain)], d)
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
