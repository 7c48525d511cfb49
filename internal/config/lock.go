package config

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

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
