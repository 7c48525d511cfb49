package gitstate

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"

	"poly/internal/gitstate/attr"
	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/index"
	"poly/internal/gitstate/repo"
	"poly/internal/usererr"
)

// entries is a Tree of recorded content: the stage 0 entries of an index, or
// the entries of a tree object in the same form. Nothing of it lies on disk.
type entries struct {
	repo  *Repo
	x     *index.Index
	order []int32 // the entries that are in the tree; nil: all of them
	state ID
	attrs *attr.Set
	conv  *attr.Converter // not nil: files are read as a checkout writes their line ends
}

// Staged returns the tree of the index that git names: in a hook, what is
// about to be committed. Entries with intent to add are not in it, because
// they have no content. A path with merge conflicts is one File with Conflict
// and no ID; reading it fails. Bytes are those of the blobs: the Class of every
// file is "". The tree is one state of the index, also if git writes a new one
// meanwhile. Closing it ends the repository's git child, not the repository.
func Staged(ctx context.Context, r *Repo) (Tree, error) {
	x, err := r.Index(ctx)
	if err != nil {
		return nil, err
	}
	root, _ := x.Root()
	return newEntries(ctx, r, x, root)
}

// Commit returns the tree of a revision: any expression of gitrevisions(7)
// that names a commit, a tag or a tree. It works in bare repositories too.
// Bytes are those of the blobs: the Class of every file is "". Closing it ends
// the repository's git child, not the repository.
func Commit(ctx context.Context, r *Repo, rev string) (Tree, error) {
	x, id, err := repo.ReadTree(ctx, r, rev)
	if err != nil {
		return nil, err
	}
	return newEntries(ctx, r, x, string(id))
}

// newEntries takes over x. root is the raw id of the tree object that is equal
// to it, "" if that is not known.
func newEntries(ctx context.Context, r *Repo, x *index.Index, root string) (*entries, error) {
	t := &entries{repo: r, x: x}
	outside, info, err := repo.AttributeFiles(r)
	if err != nil {
		return nil, errors.Join(err, x.Close())
	}
	// The index and the commit made of it have the same state.
	state := append([]byte("tree\x00"), root...)
	if root == "" {
		state = append([]byte("entries\x00"), x.Identity()...)
	}
	for _, text := range append(outside, info) {
		sum := sha256.Sum256(text)
		state = append(state, sum[:]...)
	}
	sum := sha256.Sum256(state)
	t.state = ID(sum[:])
	t.select0()
	fold, err := r.Config.Bool("core.ignoreCase", false)
	if err != nil {
		return nil, errors.Join(err, x.Close())
	}
	// Attributes are asked for without a context, some time later.
	ctx = context.WithoutCancel(ctx)
	t.attrs = attr.New(attr.Sources{
		Outside: outside, Info: info, Dirs: t.attributeDirs(), FoldCase: fold,
		Read: func(path string) ([]byte, bool) {
			f, ok := t.Lookup(path)
			if !ok || !f.Mode.Regular() || f.Conflict {
				return nil, false
			}
			b, err := t.Read(ctx, f)
			return b, err == nil
		},
	})
	return t, nil
}

// attributeDirs returns the directories that have a .gitattributes.
func (t *entries) attributeDirs() []string {
	var dirs []string
	for f := range t.Files() {
		if dir, ok := strings.CutSuffix(f.Path, ".gitattributes"); ok && (dir == "" || dir[len(dir)-1] == '/') {
			dirs = append(dirs, strings.TrimSuffix(dir, "/"))
		}
	}
	return dirs
}

// select0 finds the entries that have staged content, and one for each
// conflict. It allocates only if some are left out.
func (t *entries) select0() {
	n := t.x.Len()
	for i := range n {
		if t.keep(i) {
			if t.order != nil {
				t.order = append(t.order, int32(i))
			}
			continue
		}
		if t.order == nil {
			t.order = make([]int32, i, n)
			for j := range i {
				t.order[j] = int32(j)
			}
		}
	}
}

func (t *entries) keep(i int) bool {
	if t.x.Flags(i)&index.IntentToAdd != 0 {
		return false // git add -N stages a name, no content
	}
	return t.x.Stage(i) == 0 || i == 0 || t.x.Path(i-1) != t.x.Path(i)
}

func (t *entries) file(i int) File {
	f := File{Path: t.x.Path(i), Mode: entry.CanonicalMode(t.x.Mode(i)), Size: -1}
	if t.x.Stage(i) != 0 {
		f.Conflict = true
		return f
	}
	f.ID = ID(t.x.ID(i))
	if t.conv.Any() && f.Mode.Regular() {
		f.Class = t.conv.Of(f.Path).CheckoutClass()
	}
	return f
}

// Files yields the entries in path order.
func (t *entries) Files() iter.Seq[File] {
	return func(yield func(File) bool) {
		if t.order == nil {
			for i := range t.x.Len() {
				if !yield(t.file(i)) {
					return
				}
			}
			return
		}
		for _, i := range t.order {
			if !yield(t.file(int(i))) {
				return
			}
		}
	}
}

// Len is the number of entries.
func (t *entries) Len() int {
	if t.order == nil {
		return t.x.Len()
	}
	return len(t.order)
}

// Lookup finds one entry.
func (t *entries) Lookup(path string) (File, bool) {
	i, ok := t.x.Find(path)
	if !ok || !t.keep(i) {
		return File{}, false
	}
	return t.file(i), true
}

// Read returns the content of the blob of f.
func (t *entries) Read(ctx context.Context, f File) ([]byte, error) {
	if f.Conflict {
		return nil, usererr.New("unmerged", f.Path+" has merge conflicts", "resolve them and git add the file")
	}
	if !f.Mode.Regular() && f.Mode != ModeSymlink {
		return nil, &fs.PathError{Op: "read", Path: f.Path, Err: fs.ErrInvalid}
	}
	typ, b, err := t.repo.Objects().Contents(ctx, f.ID)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.Path, err)
	}
	if typ != "blob" {
		return nil, fmt.Errorf("read %s: object %s is a %s", f.Path, f.ID, typ)
	}
	return attr.ToCheckout(f.Class, b), nil
}

// Stat returns the size of the blob of f without reading it.
func (t *entries) Stat(ctx context.Context, f File) (int64, error) {
	info, err := t.repo.Objects().Info(ctx, f.ID.String())
	if err != nil {
		return 0, fmt.Errorf("stat %s: %w", f.Path, err)
	}
	return info.Size, nil
}

// Baseline is the whole tree: nothing deviates from what git has recorded.
func (t *entries) Baseline() Baseline { return Baseline{State: t.state, Total: t.Len()} }

// Problems returns nothing: every entry has been recorded.
func (t *entries) Problems() []Problem { return nil }

// Attr returns the value of a gitattribute, from the tree's own .gitattributes
// and those of the repository and the user. A .gitattributes that cannot be
// read counts as empty.
func (t *entries) Attr(path, name string) string { return t.attrs.Value(path, name) }

// Close releases the index and ends the repository's git child.
func (t *entries) Close() error {
	err := t.x.Close()
	if objErr := t.repo.Close(); err == nil {
		err = objErr
	}
	return err
}

// Sizer is implemented by trees that can tell the size of a file whose Size is
// not known without reading it.
type Sizer interface {
	Stat(ctx context.Context, f File) (int64, error)
}
