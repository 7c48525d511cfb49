package gitstate

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"poly/internal/gitstate/attr"
	"poly/internal/gitstate/disk"
	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/index"
	"poly/internal/gitstate/recall"
	"poly/internal/gitstate/repo"
)

// rehash gives ids to the files the index does not describe. Ids are
// remembered, so that a dirty file is read once.
type rehash struct {
	*scan
	repo   *Repo // nil outside a repository
	memory Memory
	conv   *attr.Converter
	known  map[string]recall.File
	gone   []bool  // by deviation: not in the worktree any more
	errs   []error // by deviation
	ask    []bool  // by deviation: git must convert it
	convs  []string
}

// run sorts devs, completes them and drops those that are gone.
func (h *rehash) run(ctx context.Context) error {
	slices.SortFunc(h.devs, func(a, b deviation) int { return strings.Compare(a.Path, b.Path) })
	n := len(h.devs)
	var key, old []byte
	if n > 0 && h.memory != nil {
		key = recall.Key(recall.KeyFiles, h.root.Path)
		old = h.memory.Recall(ctx, key)
		h.known = recall.DecodeFiles(old)
	}
	h.gone, h.errs, h.ask, h.convs = make([]bool, n), make([]error, n), make([]bool, n), make([]string, n)
	err := each(ctx, h.jobs, 16, n, func(ctx context.Context, i int) error {
		h.errs[i] = h.one(ctx, i)
		return nil
	})
	if err != nil {
		return err
	}
	if err := h.askGit(ctx); err != nil {
		return err
	}
	if key != nil && h.limits == nil {
		if now := h.records(); !bytes.Equal(old, now) {
			h.memory.Remember(key, now)
		}
	}
	h.compact()
	return nil
}

// one completes one deviation, unless it must be left to git.
func (h *rehash) one(ctx context.Context, i int) error {
	d := &h.devs[i]
	if d.Mode == ModeGitlink && d.ID == "" && d.Size < 0 {
		return nil
	}
	now := disk.CoarseNow()
	if d.entry < 0 {
		if err := h.root.LstatPath(d.Path, &d.stat); err != nil {
			h.gone[i] = true
			if disk.Absent(err) {
				return nil
			}
			return err
		}
		var ok bool
		if d.Mode, ok = h.rule.Mode(0, &d.stat); !ok {
			h.gone[i] = true
			return nil
		}
		d.Size = d.stat.Size
	}
	if d.stat.IsSymlink() {
		return h.link(i)
	}
	conv := attr.Conversion{}
	if d.Mode.Regular() {
		conv = h.conv.Of(d.Path)
	}
	h.convs[i] = h.convKey(d, conv)
	if r, ok := h.known[d.Path]; ok && r.Stamp == d.stat.Stamp() && r.Size == uint64(d.Size) && r.Conv == h.convs[i] && len(r.ID) == len(h.rule.Empty) {
		d.ID, d.Class, d.kept = r.ID, r.Class, true
		return nil
	}
	return h.hash(ctx, i, conv, now)
}

// convKey names all that decides, besides the bytes, on the id.
func (h *rehash) convKey(d *deviation, conv attr.Conversion) string {
	if conv.None() {
		return ""
	}
	key := conv.Key()
	if conv.Guesses() {
		if at := h.staged(d); at >= 0 {
			key += "\x00" + h.x.ID(at)
		}
	}
	return key
}

// staged returns the entry that git compares with when it guesses about line
// ends: stage 0, or our side of a conflict; -1 if there is none.
func (h *rehash) staged(d *deviation) int {
	if d.entry < 0 {
		return -1
	}
	for i := int(d.entry); i < h.x.Len() && h.x.Path(i) == d.Path; i++ {
		if stage := h.x.Stage(i); stage == 0 || stage == 2 {
			return i
		}
	}
	return -1
}

func (h *rehash) link(i int) error {
	d := &h.devs[i]
	target, err := h.root.ReadLink(d.Path)
	if err != nil {
		h.gone[i] = true
		return err
	}
	d.ID, d.Size = entry.BlobID(target, len(h.rule.Empty)), int64(len(target))
	return nil
}

// hash reads a regular file.
func (h *rehash) hash(ctx context.Context, i int, conv attr.Conversion, now int64) error {
	d := &h.devs[i]
	b, before, after, err := h.root.ReadFile(d.Path)
	if err != nil {
		h.gone[i] = true
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, disk.ErrNotRegular) {
			return nil
		}
		return err
	}
	d.kept = before.Same(&d.stat) && after.Same(&before) && after.Settled(now)
	d.stat, d.Size = after, int64(len(b))
	if conv.NeedsGit() {
		h.ask[i] = true
		return nil
	}
	clean := conv.ToGit(b, func() []byte {
		at := h.staged(d)
		if at < 0 || h.repo == nil {
			return nil
		}
		_, blob, err := h.repo.Objects().Contents(ctx, ID(h.x.ID(at)))
		if err != nil {
			return nil
		}
		return blob
	})
	d.ID = entry.BlobID(clean, len(h.rule.Empty))
	if !conv.None() {
		d.Class = conv.ClassOf(b, d.ID)
	}
	return nil
}

// askGit lets git convert and hash what only it can, with one process. If it
// refuses, the id is that of the bytes themselves.
func (h *rehash) askGit(ctx context.Context) error {
	var at []int
	var paths []string
	for i, ask := range h.ask {
		if ask && !h.gone[i] {
			at, paths = append(at, i), append(paths, h.devs[i].Path)
		}
	}
	if len(at) == 0 {
		return nil
	}
	ids, err := repo.HashFiles(ctx, h.repo, paths)
	if err != nil {
		return err
	}
	for n, i := range at {
		if ids[n] != "" {
			h.converted(i, ids[n])
		} else {
			h.raw(i)
		}
	}
	return nil
}

// converted gives a file the id that git computed.
func (h *rehash) converted(i int, id ID) {
	d := &h.devs[i]
	d.ID = id
	b, before, _, err := h.root.ReadFile(d.Path)
	if err != nil || !before.Same(&d.stat) {
		d.kept = false
	}
	d.Class = h.conv.Of(d.Path).ClassOf(b, id)
}

// raw gives a file the id of its bytes, which are not what git would store.
func (h *rehash) raw(i int) {
	d := &h.devs[i]
	d.kept = false
	b, _, _, err := h.root.ReadFile(d.Path)
	if err != nil {
		h.gone[i], h.errs[i] = true, err
		return
	}
	d.ID = entry.BlobID(b, len(h.rule.Empty))
}

// records returns what is worth remembering.
func (h *rehash) records() []byte {
	var all []recall.File
	for i := range h.devs {
		d := &h.devs[i]
		if d.kept && h.errs[i] == nil && !h.gone[i] {
			all = append(all, recall.File{
				Path: d.Path, Stamp: d.stat.Stamp(), Size: uint64(d.Size), Conv: h.convs[i], ID: d.ID, Class: d.Class,
			})
		}
	}
	return recall.EncodeFiles(all)
}

// compact decides what each deviation means and drops those that are none.
func (h *rehash) compact() {
	kept := h.devs[:0]
	for i, d := range h.devs {
		if h.errs[i] != nil {
			h.problems = append(h.problems, Problem{Path: d.Path, Err: h.errs[i]})
			h.gone[i] = true
		}
		switch {
		case h.gone[i] && d.entry >= 0:
			h.state[d.entry] = entryAbsent
			h.removed = append(h.removed, d.Path)
			continue
		case h.gone[i]:
			continue
		case d.entry < 0:
			d.Untracked = h.repo != nil
			d.Changed = d.Untracked
		default:
			at := int(d.entry)
			equal := ID(h.x.ID(at)) == d.ID && entry.CanonicalMode(h.x.Mode(at)) == d.Mode
			d.Changed = d.Conflict || !equal || h.x.Flags(at)&index.IntentToAdd != 0
			if !d.Changed && h.convs[i] == "" && h.x.Flags(at)&index.SkipWorktree == 0 {
				h.state[at] = entryClean
				continue
			}
		}
		kept = append(kept, d)
	}
	h.devs = kept
}
