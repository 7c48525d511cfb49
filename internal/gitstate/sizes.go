package gitstate

import (
	"context"
	"encoding/binary"
	"slices"
	"sync"

	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/recall"
)

// maxSizes bounds what is remembered of blobs; beyond it only those of this
// worktree are kept.
const maxSizes = 1 << 20

// sizes remembers which blobs have which size. A clean entry without a
// conversion stands for its blob only if the file it vouches for is as large:
// after core.autocrlf was switched and switched back git calls a file
// unchanged that lies there with other line ends.
type sizes struct {
	mu    sync.Mutex
	old   []uint64 // sorted
	read  bool     // old was recalled
	added map[uint64]struct{}
}

func sizeDigest(id ID, size int64) uint64 { return recall.FormDigest(id, size, "") }

// recall reads what is remembered, once.
func (s *sizes) recall(ctx context.Context, m Memory) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read {
		return
	}
	s.read = true
	if m == nil {
		return
	}
	b := m.Recall(ctx, []byte(recall.KeySizes))
	s.old = make([]uint64, 0, len(b)/8)
	for ; len(b) >= 8; b = b[8:] {
		s.old = append(s.old, binary.LittleEndian.Uint64(b))
	}
	if !slices.IsSorted(s.old) {
		s.old = nil // damaged
	}
}

func (s *sizes) has(digest uint64) bool {
	if _, ok := slices.BinarySearch(s.old, digest); ok {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.added[digest]
	return ok
}

// add notes that the blob has the size.
func (s *sizes) add(id ID, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.added == nil {
		s.added = map[uint64]struct{}{}
	}
	s.added[sizeDigest(id, size)] = struct{}{}
}

// remember keeps what is new, and reports whether anything is.
func (s *sizes) remember(ctx context.Context, m Memory) bool {
	s.mu.Lock()
	n := len(s.added)
	s.mu.Unlock()
	if n == 0 {
		return false
	}
	s.recall(ctx, m)
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]uint64, 0, len(s.old)+len(s.added))
	if len(s.old) < maxSizes {
		all = append(all, s.old...)
	}
	for d := range s.added {
		all = append(all, d)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) == len(s.old) {
		return false
	}
	b := make([]byte, 0, len(all)*8)
	for _, d := range all {
		b = binary.LittleEndian.AppendUint64(b, d)
	}
	m.Remember([]byte(recall.KeySizes), b)
	s.old = all
	clear(s.added)
	return true
}

// Learnt hands to the memory of a worktree what reading its files has taught,
// and reports whether that is anything. A memory writes with its next
// transaction, so this belongs before the last one.
func Learnt(ctx context.Context, t Tree) bool {
	if o, over := t.(*overlay); over {
		t = o.Tree
	}
	w, is := t.(*worktree)
	return is && w.repo != nil && w.memory != nil && w.sizes.remember(context.WithoutCancel(ctx), w.memory)
}

// Proven reports, for each of some files of a tree, whether its bytes are
// known to be what its ID and Class say. Only a worktree may be wrong about
// it: it believes git's index, which may vouch for a file that lies there in
// another form since settings were switched and switched back. A file that is
// not known yet is read. Whoever is about to trust what is known of a blob
// asks first; one that is not proven is read by [ReadNow], which tells more.
func Proven(ctx context.Context, t Tree, files []File) ([]bool, error) {
	if o, over := t.(*overlay); over {
		return o.proven(ctx, files)
	}
	out := make([]bool, len(files))
	w, is := t.(*worktree)
	if !is || w.repo == nil {
		for i := range out {
			out[i] = true
		}
		return out, nil
	}
	err := each(ctx, w.jobs, 64, len(files), func(ctx context.Context, i int) error {
		out[i] = w.proven(ctx, files[i])
		return nil
	})
	return out, err
}

func (o *overlay) proven(ctx context.Context, files []File) ([]bool, error) {
	out, err := Proven(ctx, o.Tree, files)
	for i := range out {
		if _, over := o.files[files[i].Path]; over {
			out[i] = true
		}
	}
	return out, err
}

func (t *worktree) proven(ctx context.Context, f File) bool {
	if one := t.scanOf(f.Path); one != nil {
		return one.proven(ctx, f)
	}
	if f.Class != "" || f.Size < 0 || !f.Mode.Regular() {
		return true
	}
	if _, deviates := t.dev(f.Path); deviates {
		return true // its bytes were hashed
	}
	t.sizes.recall(ctx, t.memory)
	if t.sizes.has(sizeDigest(f.ID, f.Size)) {
		return true
	}
	b, _, _, err := t.root.ReadFile(f.Path)
	if err != nil || entry.BlobID(b, t.x.HashLen()) != f.ID {
		return false
	}
	t.sizes.add(f.ID, int64(len(b)))
	return true
}
