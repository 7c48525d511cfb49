package peers

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"poly/internal/gen/proof/lab"
)

//go:embed repositories.txt
var repositories string

// entry is a file of a repository.
type entry struct {
	repo, path, mode, id string
	rank                 [sha256.Size]byte // the order in which files are drawn
}

// library is the public repositories that are there.
type library struct {
	lab     *lab.Lab
	sources map[string]string // repository: clone
	entries []entry           // each file once, by content
	absent  []string
}

// open lists the repositories of names.
func open(ctx context.Context, l *lab.Lab, names string) (*library, error) {
	lib := &library{lab: l, sources: map[string]string{}}
	seen := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		source, err := l.Find(name)
		if err != nil {
			lib.absent = append(lib.absent, name)
			continue
		}
		lib.sources[name] = source
		out, err := l.Git(ctx, source, nil, "ls-tree", "-r", "-z", "HEAD")
		if err != nil {
			return nil, err
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
			meta, file, ok := strings.Cut(line, "\t")
			f := strings.Fields(meta)
			if !ok || len(f) != 3 {
				return nil, fmt.Errorf("%s: ls-tree: %q", name, line)
			}
			if f[1] == "blob" && f[0] != "120000" && !seen[f[2]+path.Base(file)] && !copied(file) {
				seen[f[2]+path.Base(file)] = true
				lib.entries = append(lib.entries, entry{name, file, f[0], f[2], sha256.Sum256([]byte(name + "\x00" + file))})
			}
		}
	}
	return lib, nil
}

// copied are places of what was vendored, generated or made wrong on purpose.
func copied(file string) bool {
	for dir := range strings.SplitSeq(strings.ToLower(path.Dir(file)), "/") {
		if slices.Contains(lab.Pruned, dir) || slices.Contains([]string{"third_party", "thirdparty", "external", "gen", "generated"}, dir) {
			return true
		}
	}
	return false
}

// corpus is which files a contest draws.
type corpus struct {
	name        string
	each, total int                                   // at most, of a repository and of all
	want        func(path string) bool                // by name
	look        func(head []byte) bool                // by content, for executables without extension; nil: none
	place       func(path string) string              // where a file goes in its repository; nil: where it was
	group       func(path string) string              // what is drawn as a whole; nil: the file
	apart       bool                                  // each repository is a git repository of its own
	flat        bool                                  // place has the repository's name in its argument
	anchor      string                                // name of files that are drawn first; a repository without is left out
	edit        func(path string, text []byte) []byte // what of a file is drawn; nil: all
}

// largest is the size of a file that is drawn.
const largest = 256 << 10

// tree is a git repository of drawn files.
type tree struct {
	dir   string
	files []string // relative to dir, sorted
}

// draw makes the trees of a corpus: files in an order that depends on nothing
// but their names, so that the next run draws the same.
func (lib *library) draw(ctx context.Context, c *corpus) ([]tree, error) {
	by, n := c.wanted(lib.entries), 0
	root := filepath.Join(lib.lab.Dir, "corpus", c.name)
	var out []tree
	if !c.apart {
		out = []tree{{dir: root}}
	}
	for _, repo := range orderOf(by) {
		texts, err := lib.read(ctx, repo, c.cut(by[repo]))
		if err != nil {
			return nil, err
		}
		texts = c.edited(slices.DeleteFunc(texts, func(t text) bool { return !c.want(t.path) && !c.look(t.text) }))
		texts = texts[:min(len(texts), c.each, c.total-n)]
		n += len(texts)
		below := lab.Key(repo) + "/"
		if c.apart {
			out = append(out, tree{dir: filepath.Join(root, lab.Key(repo))})
			below = ""
		}
		if c.flat {
			below, texts = "", under(lab.Key(repo), texts)
		}
		if err := c.fill(&out[len(out)-1], below, texts); err != nil {
			return nil, err
		}
	}
	out = slices.DeleteFunc(out, func(t tree) bool { return len(t.files) == 0 })
	for i := range out {
		slices.Sort(out[i].files)
		if err := lib.index(ctx, out[i].dir); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// wanted returns the files that may be drawn, by repository.
func (c *corpus) wanted(all []entry) map[string][]entry {
	by := map[string][]entry{}
	for _, e := range all {
		if c.want(e.path) || c.look != nil && e.mode == "100755" && path.Ext(e.path) == "" {
			by[e.repo] = append(by[e.repo], e)
		}
	}
	maps.DeleteFunc(by, func(_ string, es []entry) bool {
		return c.anchor != "" && !slices.ContainsFunc(es, func(e entry) bool { return path.Base(e.path) == c.anchor })
	})
	return by
}

// edited leaves of each file what is drawn of it.
func (c *corpus) edited(texts []text) []text {
	for i := range texts {
		if c.edit != nil {
			texts[i].text = c.edit(texts[i].path, texts[i].text)
		}
	}
	return texts
}

// under puts files into a directory.
func under(dir string, texts []text) []text {
	for i := range texts {
		texts[i].path = dir + "/" + texts[i].path
	}
	return texts
}

// fill writes the files of a repository.
func (c *corpus) fill(t *tree, below string, texts []text) error {
	for _, x := range texts {
		name := below + x.path
		if c.place != nil {
			name = below + c.place(x.path)
		}
		if err := writeFile(filepath.Join(t.dir, name), x.text); err != nil {
			return err
		}
		t.files = append(t.files, name)
	}
	return nil
}

// orderOf sorts repositories so that a total takes large and small ones.
func orderOf(by map[string][]entry) []string {
	out := make([]string, 0, len(by))
	for repo := range by {
		out = append(out, repo)
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(by[a]), len(by[b])), cmp.Compare(a, b))
	})
	return out
}

// cut returns at most twice as many of a repository's files as may be drawn,
// since some turn out to be too large or of another kind.
func (c *corpus) cut(es []entry) []entry {
	group := c.group
	if group == nil {
		group = func(p string) string { return p }
	}
	rank := map[string][sha256.Size]byte{}
	for _, e := range es {
		g := group(e.path)
		if r, ok := rank[g]; !ok || bytes.Compare(e.rank[:], r[:]) < 0 {
			rank[g] = e.rank
		}
	}
	first := func(e entry) int {
		if c.anchor != "" && path.Base(e.path) == c.anchor {
			return 0
		}
		return 1
	}
	slices.SortFunc(es, func(a, b entry) int {
		if n := first(a) - first(b); n != 0 {
			return n
		}
		x, y := rank[group(a.path)], rank[group(b.path)]
		return cmp.Or(bytes.Compare(x[:], y[:]), cmp.Compare(a.path, b.path))
	})
	return es[:min(len(es), 2*c.each)]
}

// text is a drawn file.
type text struct {
	path string
	text []byte
}

// read returns the files that the clone has and that are neither empty nor
// large, in the order asked for.
func (lib *library) read(ctx context.Context, repo string, es []entry) ([]text, error) {
	var in bytes.Buffer
	for _, e := range es {
		in.WriteString(e.id + "\n")
	}
	out, err := lib.lab.Git(ctx, lib.sources[repo], in.Bytes(), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	var texts []text
	for _, e := range es {
		line, rest, _ := bytes.Cut(out, []byte("\n"))
		f := strings.Fields(string(line))
		if len(f) != 3 {
			out = rest // missing
			continue
		}
		size, err := strconv.Atoi(f[2])
		if err != nil || size >= len(rest) {
			return nil, fmt.Errorf("%s: cat-file: %q", repo, line)
		}
		if size > 0 && size <= largest {
			texts = append(texts, text{e.path, rest[:size]})
		}
		out = rest[size+1:]
	}
	return texts, nil
}

// index makes dir a git repository that knows its files.
func (lib *library) index(ctx context.Context, dir string) error {
	if _, err := lib.lab.Git(ctx, dir, nil, "init", "-q"); err != nil {
		return err
	}
	_, err := lib.lab.Git(ctx, dir, nil, "add", "-A", "-f")
	return err
}

func writeFile(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

// ext returns a corpus' want for names with one of some endings.
func ext(endings ...string) func(string) bool {
	return func(p string) bool {
		return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(p, e) && len(path.Base(p)) > len(e) })
	}
}
