// Package filesafety judges what is about to be committed by what no commit of
// any repository should bring: merge markers, secrets, large files, names that
// clash, and entries that git records but nobody can use. It reads trees, never
// the worktree, so it judges exactly what is staged.
package filesafety

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/gitstate"
)

// Request says what to judge.
type Request struct {
	Options
	// Tree is what is about to be committed.
	Tree gitstate.Tree
	// Changes are how Tree differs from HEAD. Without All only these are judged.
	Changes []gitstate.Difference
	// All judges every entry. Sizes of files and moves of submodules are not
	// judged then: nothing is new.
	All bool
	// Match limits what is judged; nil: everything.
	Match func(path string) bool
	// Merging: a merge, rebase or cherry-pick is going on.
	Merging bool
	// Others are the trees of the other parents of a merge: what came from them
	// as it is was judged there.
	Others []gitstate.Tree
	// Blob reads a blob of HEAD; nil: what was there before is not looked at.
	Blob func(ctx context.Context, id gitstate.ID) ([]byte, error)
	// Secrets is the detector of secrets, bound to the configuration; nil: none.
	Secrets engine.Worker
}

// maxText bounds what is searched for markers and secrets, in bytes.
const maxText = 64 << 20

// entry is one thing to judge.
type entry struct {
	gitstate.File
	change gitstate.Difference
	added  bool // not at this path before
	fresh  bool // judged as part of a change, not with All
}

// checker is the state of one call.
type checker struct {
	*Request
	reports map[string]*diag.FileReport
}

// Check judges a tree. The report has one FileReport for each file with
// findings, or that could not be judged; the error is about the run itself,
// such as a repository that lost an object. Lines and columns are filled in.
func Check(ctx context.Context, req Request) (diag.Report, error) {
	c := &checker{Request: &req, reports: map[string]*diag.FileReport{}}
	rep := diag.Report{Verb: "lint"}
	entries, removed := c.entries()
	for i := range entries {
		if err := ctx.Err(); err != nil {
			return rep, err
		}
		if err := c.entry(ctx, &entries[i]); err != nil {
			return rep, err
		}
	}
	if c.CaseConflict {
		c.clashes(entries)
	}
	if c.BrokenLinks && removed {
		if err := c.leftBehind(ctx, entries); err != nil {
			return rep, err
		}
	}
	rep.Summary.Checked = len(entries)
	for _, f := range c.reports {
		diag.Sort(f.Diagnostics)
		switch f.Outcome {
		case diag.Errored:
			rep.Summary.Errored++
			rep.Summary.Checked--
		case diag.Skipped:
			rep.Summary.Skipped++
			rep.Summary.Checked--
		}
		rep.Files = append(rep.Files, *f)
	}
	slices.SortFunc(rep.Files, func(a, b diag.FileReport) int { return strings.Compare(a.Path, b.Path) })
	return rep, nil
}

// entries lists what is judged, and tells whether something was removed.
func (c *checker) entries() (out []entry, removed bool) {
	if c.All {
		for f := range c.Tree.Files() {
			if c.matches(f.Path) {
				out = append(out, entry{File: f})
			}
		}
		return out, false
	}
	for _, d := range c.Changes {
		f, ok := c.Tree.Lookup(d.Path)
		switch {
		case !c.matches(d.Path):
			removed = removed || !ok
		case !ok:
			removed = true
			if d.Was == gitstate.ModeGitlink && c.SubmoduleMoves {
				c.report(d.Path, codeMoved, "The submodule is removed", nil)
			}
		case !c.elsewhere(f):
			out = append(out, entry{File: f, change: d, added: d.Was == 0, fresh: true})
		}
	}
	return out, removed
}

func (c *checker) matches(path string) bool { return c.Match == nil || c.Match(path) }

// elsewhere reports whether an entry is as another parent has it.
func (c *checker) elsewhere(f gitstate.File) bool {
	return slices.ContainsFunc(c.Others, func(t gitstate.Tree) bool {
		o, ok := t.Lookup(f.Path)
		return ok && o.ID == f.ID && o.Mode == f.Mode
	})
}

// entry judges one entry by itself.
func (c *checker) entry(ctx context.Context, e *entry) error {
	switch {
	case e.Conflict:
		if c.MergeConflict {
			c.report(e.Path, codeConflict, "The path has merge conflicts that are not resolved", nil)
		}
		return nil
	case e.Mode == gitstate.ModeGitlink:
		if c.SubmoduleMoves {
			return c.submodule(ctx, e)
		}
		return nil
	case e.Mode == gitstate.ModeSymlink:
		if c.BrokenLinks {
			return c.link(ctx, e)
		}
		return nil
	case !e.Mode.Regular():
		return nil
	}
	size, err := c.size(ctx, e)
	if err != nil {
		return c.failed(ctx, e, err)
	}
	if c.AddedLargeFiles && e.added {
		c.large(e, size)
	}
	return c.content(ctx, e, size)
}

func (c *checker) size(ctx context.Context, e *entry) (int64, error) {
	if s, ok := c.Tree.(gitstate.Sizer); ok && e.Size < 0 {
		return s.Stat(ctx, e.File)
	}
	return e.Size, nil
}

// content judges the bytes of a file.
func (c *checker) content(ctx context.Context, e *entry, size int64) error {
	if !c.MergeConflict && !c.PrivateKey && !c.ExecutablesHaveShebangs && !c.ShebangScriptsAreExecutable {
		return nil
	}
	if size > maxText {
		f := c.file(e.Path)
		f.Outcome, f.Reason = diag.Skipped, fmt.Sprintf("larger than %d MiB: not searched for markers and secrets", maxText>>20)
		return nil
	}
	text, err := c.Tree.Read(ctx, e.File)
	if err != nil {
		return c.failed(ctx, e, err)
	}
	b := &blob{entry: e, text: text, binary: bytes.IndexByte(text[:min(len(text), 8<<10)], 0) >= 0}
	c.scripts(ctx, b)
	if c.MergeConflict && !b.binary {
		c.markers(ctx, b)
	}
	if c.PrivateKey && c.Secrets != nil {
		return c.secrets(ctx, b)
	}
	return nil
}

// blob is the content of an entry, and what stood there before.
type blob struct {
	*entry
	text   []byte
	binary bool
	old    []byte
	asked  bool
}

// before returns what HEAD has at the path, nil if that is nothing or cannot
// be read: then everything counts as new.
func (c *checker) before(ctx context.Context, b *blob) []byte {
	if !b.asked {
		b.asked = true
		if d := b.change; b.fresh && d.Was.Regular() && c.Blob != nil {
			b.old, _ = c.Blob(ctx, d.WasID)
		}
	}
	return b.old
}

// had reports whether HEAD has a whole line at the path.
func (c *checker) had(ctx context.Context, b *blob, line []byte) bool {
	old := c.before(ctx, b)
	for at := 0; at < len(old); {
		i := bytes.Index(old[at:], line)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(line)
		if (i == 0 || old[i-1] == '\n') && (end == len(old) || old[end] == '\n' || old[end] == '\r') {
			return true
		}
		at = i + 1
	}
	return false
}

// failed makes a file errored, unless the run was cancelled.
func (c *checker) failed(ctx context.Context, e *entry, err error) error {
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return err
	}
	f := c.file(e.Path)
	f.Outcome, f.Reason = diag.Errored, err.Error()
	return nil
}

func (c *checker) file(path string) *diag.FileReport {
	f := c.reports[path]
	if f == nil {
		f = &diag.FileReport{Path: strings.Clone(path)}
		c.reports[path] = f
	}
	return f
}

// report adds a finding about a path, or about a place in its text.
func (c *checker) report(path, code, title string, span *diag.Span) *diag.Diagnostic {
	f := c.file(path)
	f.Diagnostics = append(f.Diagnostics, diag.Diagnostic{
		Engine: EngineName, Code: code, Severity: severityOf(code), Title: title, Span: span,
	})
	return &f.Diagnostics[len(f.Diagnostics)-1]
}
