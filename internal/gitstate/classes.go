package gitstate

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"poly/internal/gitstate/attr"
	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/recall"
)

// lfsPointerMax is the size from which a file is no LFS pointer.
const lfsPointerMax = 1024

// forms are the classes of clean entries, where they are not "".
type forms struct {
	mu      sync.RWMutex
	classes map[int32]Class
	odd     []uint64 // see worktree.odd
	setting uint64   // digest of the settings they were found under
}

func (f *forms) of(i int) Class {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.classes[int32(i)]
}

// resolve finds the classes of the entries that the index vouches for. Equal
// stat data do not tell in which form a blob lies in the worktree: git add of a
// file with CRLF leaves it as it is. The form does follow from blob and size,
// so that each pair is looked at once.
//
// Without a conversion an entry is what its blob is, unless settings have
// changed since git saw it. Then all files are looked at once.
func (t *worktree) resolve() {
	if t.repo != nil {
		t.classes.Do(t.resolveAll)
	}
}

// form is what was found of one entry.
type form struct {
	entry  int32
	class  Class
	digest uint64
	kind   uint64 // 0: not to be remembered
}

func (t *worktree) resolveAll() {
	k := &recall.Forms{}
	all := t.recallForms(k)
	t.forms.mu.RLock()
	odd := slices.Clone(t.forms.odd)
	t.forms.mu.RUnlock()
	if !all && len(odd) == 0 && !t.conv.Any() {
		return
	}
	const batch = 256
	results := make([][]form, (len(t.state)+batch-1)/batch)
	var g errgroup.Group
	g.SetLimit(t.jobs)
	for n := range results {
		g.Go(func() error {
			for i := n * batch; i < min((n+1)*batch, len(t.state)); i++ {
				if t.state[i] != entryClean || !entry.CanonicalMode(t.x.Mode(i)).Regular() {
					continue
				}
				if f, ok := t.form(i, k, odd, all); ok {
					results[n] = append(results[n], f)
				}
			}
			return nil
		})
	}
	_ = g.Wait() // its functions return nil
	t.keepForms(slices.Concat(results...), k)
}

// keepForms stores what was found.
func (t *worktree) keepForms(found []form, k *recall.Forms) {
	t.forms.mu.Lock()
	defer t.forms.mu.Unlock()
	if t.forms.classes == nil {
		t.forms.classes = map[int32]Class{}
	}
	for _, f := range found {
		if f.class != "" {
			t.forms.classes[f.entry] = f.class
		}
		if f.kind != 0 {
			k.Add(f.digest, f.kind)
		}
	}
	if t.memory != nil && t.limits == nil && k.Added() {
		t.memory.Remember(recall.Key(recall.KeyForms, t.root.Path), k.Encode())
	}
}

// recallForms reads what is remembered. It reports whether all files must be
// looked at.
func (t *worktree) recallForms(k *recall.Forms) (all bool) {
	t.forms.mu.Lock()
	defer t.forms.mu.Unlock()
	t.forms.setting = t.conv.Digest()
	if t.memory == nil {
		return false
	}
	ctx := t.background()
	if t.conv.Any() {
		k.Old = t.memory.Recall(ctx, recall.Key(recall.KeyForms, t.root.Path))
	}
	key := recall.Key(recall.KeyOdd, t.root.Path)
	b := t.memory.Recall(ctx, key)
	was := uint64(0)
	if len(b) >= 8 {
		was = binary.LittleEndian.Uint64(b)
		for b = b[8:]; len(b) >= 8; b = b[8:] {
			t.forms.odd = append(t.forms.odd, binary.LittleEndian.Uint64(b))
		}
	}
	if was != t.forms.setting && t.limits == nil {
		t.rememberOdd()
	}
	return was != 0 && was != t.forms.setting
}

// form finds the form of one entry; ok is false if it is that of the blob,
// and nothing is to be remembered.
func (t *worktree) form(i int, k *recall.Forms, odd []uint64, all bool) (f form, ok bool) {
	conv := t.conv.Of(t.x.Path(i))
	f = form{entry: int32(i), digest: recall.FormDigest(ID(t.x.ID(i)), int64(t.x.Stat(i).Size), conv.Key())}
	if conv.None() {
		if !all && !slices.Contains(odd, f.digest) {
			return f, false
		}
		if f.class, _ = t.look(i, conv); f.class != "" && all {
			t.addOdd(f.digest)
		}
		return f, f.class != ""
	}
	kind := k.Get(f.digest)
	if all {
		kind = 0
	}
	switch kind {
	case recall.Same:
		return f, false
	case recall.CRLF:
		f.class = "crlf"
	case recall.Converted:
		f.class = Class("filter=" + conv.Filter)
	default:
		f.class, f.kind = t.look(i, conv)
	}
	return f, true
}

// look reads the file of a clean entry to tell its class.
func (t *worktree) look(i int, conv attr.Conversion) (class Class, kind uint64) {
	if conv.IsLFS() && t.x.Stat(i).Size > lfsPointerMax {
		return "filter=lfs", recall.Converted
	}
	b, before, after, err := t.root.ReadFile(t.x.Path(i))
	if err != nil || !before.Same(&after) {
		return "unknown", 0 // reading it will fail as well
	}
	class = conv.ClassOf(b, ID(t.x.ID(i)))
	switch clean := t.rule.Clean(t.x, i, &after); {
	case !clean && class == "":
		return "", 0 // touched, but what it was
	case !clean:
		return "unknown", 0
	case class == "":
		return class, recall.Same
	case class == "crlf":
		return class, recall.CRLF
	case strings.Contains(string(class), "raw="):
		return class, 0
	default:
		return class, recall.Converted
	}
}

// odd notes that the file of clean entry i is not its blob although nothing
// converts it: settings have changed since git saw it. From now on, and in
// later scans, its class tells.
func (t *worktree) odd(i int, b []byte) {
	conv := t.conv.Of(t.x.Path(i))
	t.forms.mu.Lock()
	if t.forms.classes == nil {
		t.forms.classes = map[int32]Class{}
	}
	t.forms.classes[int32(i)] = conv.ClassOf(b, ID(t.x.ID(i)))
	t.forms.mu.Unlock()
	t.addOdd(recall.FormDigest(ID(t.x.ID(i)), int64(t.x.Stat(i).Size), conv.Key()))
}

func (t *worktree) addOdd(digest uint64) {
	t.forms.mu.Lock()
	defer t.forms.mu.Unlock()
	if !slices.Contains(t.forms.odd, digest) {
		t.forms.odd = append(t.forms.odd, digest)
		t.rememberOdd()
	}
}

func (t *worktree) rememberOdd() {
	if t.memory == nil {
		return
	}
	b := binary.LittleEndian.AppendUint64(nil, t.forms.setting)
	for _, d := range t.forms.odd {
		b = binary.LittleEndian.AppendUint64(b, d)
	}
	t.memory.Remember(recall.Key(recall.KeyOdd, t.root.Path), b)
}
