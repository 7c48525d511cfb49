package gitstate

import (
	"strings"

	"golang.org/x/sync/errgroup"
)

// lfsPointerMax is the size from which a file is no LFS pointer.
const lfsPointerMax = 1024

// resolve finds the classes of the entries that the index vouches for. Equal
// stat data do not tell in which form a blob lies in the worktree: git add of a
// file with CRLF leaves it as it is. The form does follow from blob and size,
// so that each pair is looked at once.
func (t *worktree) resolve() {
	if !t.conv.any() {
		return
	}
	t.classes.Do(t.resolveAll)
}

func (t *worktree) resolveAll() {
	k := &kinds{added: map[uint64]uint64{}}
	var key []byte
	if t.memory != nil {
		key = memoryKey(memoryKinds, t.root.path)
		k.old = t.memory.Recall(t.background(), key)
	}
	type found struct {
		entry  int32
		class  Class
		digest uint64
		kind   uint64 // 0: not to be remembered
	}
	const batch = 256
	results := make([][]found, (len(t.state)+batch-1)/batch)
	var g errgroup.Group
	g.SetLimit(t.jobs)
	for n := range results {
		g.Go(func() error {
			for i := n * batch; i < min((n+1)*batch, len(t.state)); i++ {
				if t.state[i] != entryClean || !canonicalMode(t.x.Mode(i)).Regular() {
					continue
				}
				conv := t.conv.of(t.x.Path(i))
				if conv.none() {
					continue
				}
				f := found{entry: int32(i), digest: kindDigest(ID(t.x.ID(i)), int64(t.x.Stat(i).Size), conv.key())}
				switch k.get(f.digest) {
				case kindSame:
					continue
				case kindCRLF:
					f.class = "crlf"
				case kindConverted:
					f.class = Class("filter=" + conv.filter)
				default:
					f.class, f.kind = t.look(i, conv)
				}
				results[n] = append(results[n], f)
			}
			return nil
		})
	}
	_ = g.Wait() // its functions return nil
	t.class = map[int32]Class{}
	for _, list := range results {
		for _, f := range list {
			if f.class != "" {
				t.class[f.entry] = f.class
			}
			if f.kind != 0 {
				k.added[f.digest] = f.kind
			}
		}
	}
	if key != nil && len(k.added) > 0 {
		t.memory.Remember(key, k.encode())
	}
}

// look reads the file of a clean entry to tell its class.
func (t *worktree) look(i int, conv conversion) (class Class, kind uint64) {
	if conv.filter == "lfs" && conv.encoding == "" && !conv.ident && t.x.Stat(i).Size > lfsPointerMax {
		return "filter=lfs", kindConverted
	}
	b, before, after, err := t.root.readFile(t.x.Path(i))
	if err != nil || !before.same(&after) || !t.rule.clean(t.x, i, &after) {
		return "unknown", 0 // reading it will fail as well
	}
	class = conv.classOf(b, ID(t.x.ID(i)), t.x.HashLen())
	switch {
	case class == "":
		return class, kindSame
	case class == "crlf":
		return class, kindCRLF
	case strings.Contains(string(class), "raw="):
		return class, 0
	default:
		return class, kindConverted
	}
}
