// Package discover decides which entries of a tree a run looks at and tells
// why it does not look at the others. It reads no file and changes nothing:
// everything follows from names, modes, sizes and the configuration.
package discover

import (
	"context"
	"fmt"
	"iter"
	"path"
	"strings"

	"poly/internal/atomicfile"
	"poly/internal/config"
	"poly/internal/gitstate"
	"poly/internal/lang"
)

// Request tells what a run was asked to look at. Paths, Exclude and Base are
// slash-separated; paths are relative to the root of Tree.
type Request struct {
	Tree gitstate.Tree
	// Config answers for a directory, "." for the root; nil: no configuration.
	Config Configs
	// Paths are the files and directories named by the user; none, "" or "."
	// mean the whole tree. Naming a path twice, or one inside another, is fine.
	Paths []string
	// Exclude are the globs of the call, relative to the directory Base.
	Exclude []string
	Base    string
	// IncludeExcluded admits the named paths even if a glob excludes them;
	// what is excluded inside a named directory stays excluded.
	IncludeExcluded bool
	// Format: the run formats. Lock files are then left out unless named.
	Format bool
	// Anything reports whether files of no known language may be looked at
	// under a configuration, if they turn out to be text. nil: none are.
	Anything func(*config.Effective) bool
	// Exists reports whether a path that is not in Tree exists all the same:
	// an empty or ignored directory. nil: nothing does.
	Exists func(path string) bool
}

// Configs is the part of a [config.Set] that is needed here.
type Configs interface {
	For(dir string) *config.Effective
}

// DefaultMaxFileSize applies where there is no configuration at all.
const DefaultMaxFileSize = 10 << 20

// Cause tells why an entry is out of scope. The zero value is none: it is in.
type Cause uint8

// The causes, in the order in which they are looked for.
const (
	InScope      Cause = iota
	Outside            // no named path covers it
	Pruned             // below a directory such as node_modules
	Excluded           // by an exclude glob
	Symlink            // a symbolic link nobody named
	Submodule          // another repository
	Special            // neither file nor link nor repository
	Unrecognised       // of no known language
	LockFile           // a lock file in a run that formats
)

func (c Cause) String() string {
	return [...]string{"in scope", "outside", "pruned", "excluded", "symbolic link", "submodule", "special file", "unrecognised", "lock file"}[c]
}

// Rule is an exclude glob as written.
type Rule struct {
	Pattern string
	Base    string // the directory it is relative to, "." for the root
	Origin  string // "poly.toml:3", or "--exclude"
}

// Decision is what discover says about one entry.
type Decision struct {
	// Why is InScope, or the reason the entry has no place in the report.
	Why Cause
	// Skip: in scope, but to be reported as skipped for this reason without
	// being read.
	Skip string
	// Lang is the language by name; "" if the name tells none.
	Lang lang.ID
	// Sniff: the name tells no language and the text may: [lang.Sniff]. If it
	// does not, a file that was not Named is [Unrecognised] after all.
	Sniff bool
	// Anything: the name tells that it is of no language that is known; only
	// whether it is text matters.
	Anything bool
	// Named: the file itself was named, not only a directory above it.
	Named bool
	// Rule excluded the entry; nil unless Why is Excluded.
	Rule *Rule
	// Limit is [discovery] max_file_size: check it with [TooLarge] once the
	// size is known. 0: none.
	Limit int64
}

// In reports whether the entry has an outcome in the report. A Named file of
// no language is in: "no matching engine for this file type".
func (d Decision) In() bool { return d.Why == InScope }

// Scope answers for the entries of one tree. It remembers what it has found
// out about directories, and therefore belongs to one goroutine and must not
// outlive its tree.
type Scope struct {
	req   Request
	named map[string]bool // cleaned Paths
	all   bool            // "." is named
	dirs  map[string]*dir
	last  *dir // of the previous entry: entries come in path order
	lists map[*config.Effective]*list
	rules map[Rule]*Rule
}

// New checks that every named path exists, which may take one pass over the
// tree, and returns the scope. A path that does not exist, or lies outside
// the tree or beyond a link or submodule, is a *usererr.Error that names all
// of them: then nothing must be checked.
func New(ctx context.Context, req Request) (*Scope, error) {
	s := &Scope{
		req: req, named: map[string]bool{}, dirs: map[string]*dir{},
		lists: map[*config.Effective]*list{}, rules: map[Rule]*Rule{},
	}
	if req.Base == "" {
		s.req.Base = "."
	}
	paths, err := clean(req.Paths)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		s.named[p] = true
	}
	s.all = s.named["."]
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s, s.check(paths)
}

// Files yields the entries in scope, in path order, and adds all others to
// tally, which may be nil.
func (s *Scope) Files(tally *Tally) iter.Seq2[gitstate.File, Decision] {
	return func(yield func(gitstate.File, Decision) bool) {
		for f := range s.req.Tree.Files() {
			d := s.Decide(f)
			if !d.In() {
				tally.Add(f.Path, d)
				continue
			}
			if !yield(f, d) {
				return
			}
		}
	}
}

// Decide decides about one entry of the tree.
func (s *Scope) Decide(f gitstate.File) Decision {
	in := s.dirOf(f.Path)
	named := len(s.named) > 0 && s.named[f.Path]
	d := Decision{Named: named, Limit: in.limit}
	if d.Why, d.Rule = s.place(f, in, named); d.Why != InScope {
		return d
	}
	if !f.Mode.Regular() {
		return special(f.Mode, d)
	}
	return s.file(f, in, d)
}

// place decides by directories and globs.
func (s *Scope) place(f gitstate.File, in *dir, named bool) (Cause, *Rule) {
	switch {
	case !in.covered && !named:
		return Outside, nil
	case (in.pruned || temporary(f.Path)) && !named:
		return Pruned, nil
	case named && s.req.IncludeExcluded:
		return InScope, nil
	case in.excluded != nil:
		return Excluded, in.excluded
	}
	if rule := in.list.match(f.Path, f.Mode == gitstate.ModeGitlink); rule != nil {
		return Excluded, rule
	}
	return InScope, nil
}

// temporary reports whether a file is one that poly itself is about to rename,
// or has left behind when it was killed: gone in a moment.
func temporary(p string) bool {
	if !strings.HasSuffix(p, atomicfile.TempSuffix) {
		return false
	}
	return strings.HasPrefix(p[strings.LastIndexByte(p, '/')+1:], ".")
}

// special decides about what has no content to judge.
func special(m gitstate.Mode, d Decision) Decision {
	cause, reason := Special, "not a regular file"
	switch m {
	case gitstate.ModeSymlink:
		cause, reason = Symlink, "symbolic link"
	case gitstate.ModeGitlink:
		cause, reason = Submodule, "another git repository"
	}
	if d.Named {
		d.Skip = reason
	} else {
		d.Why = cause
	}
	return d
}

// file decides about a regular file by its name and size.
func (s *Scope) file(f gitstate.File, in *dir, d Decision) Decision {
	if s.req.Format && !d.Named && lang.LockFile(f.Path) {
		d.Why = LockFile
		return d
	}
	d.Lang = lang.Detect(f.Path)
	if d.Lang == "" {
		d.Sniff = d.Named || f.Mode == gitstate.ModeExec || !lang.HasExtension(f.Path)
		d.Anything = in.anything && !d.Sniff
		d.Sniff = d.Sniff || d.Anything
	}
	large := TooLarge(f.Size, d.Limit)
	switch {
	case d.Lang == "" && (!d.Sniff || large != "" && !d.Named):
		d.Why = Unrecognised
		d.Sniff = false
	case large != "":
		d.Skip, d.Sniff = large, false
	}
	return d
}

// TooLarge returns the reason to skip a file of size bytes, or "". A size
// below 0 is not known and no limit, 0, is never exceeded.
func TooLarge(size, limit int64) string {
	if limit <= 0 || size <= limit {
		return ""
	}
	switch {
	case limit%(1<<20) == 0:
		return fmt.Sprintf("larger than %d MiB", limit>>20)
	case limit%(1<<10) == 0:
		return fmt.Sprintf("larger than %d KiB", limit>>10)
	}
	return fmt.Sprintf("larger than %d bytes", limit)
}

// Covers reports whether the run would look below or at a path, be it a
// directory or a file: for what a tree could not look at.
func (s *Scope) Covers(p string) bool {
	if s.named[p] {
		return true
	}
	in := s.dirOf(p)
	if !in.covered || in.pruned || in.excluded != nil || prunedName(path.Base(p)) {
		return false
	}
	return in.list.match(p, true) == nil
}

// dirOf returns what is known about the directory a path is in.
func (s *Scope) dirOf(p string) *dir {
	slash := strings.LastIndexByte(p, '/')
	name := "."
	if slash >= 0 {
		name = p[:slash]
	}
	if s.last == nil || s.last.name != name {
		s.last = s.dir(name)
	}
	return s.last
}
