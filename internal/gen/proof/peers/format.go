package peers

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"poly/internal/engine"
	"poly/internal/gen/proof/lab"
)

// formatter is a command that an engine must agree with byte by byte.
type formatter struct {
	name   string // of the command
	engine string
	corpus corpus
	fetch  func(context.Context, *kit) (string, error)
	args   []string // before the files
	check  []string // to look and write nothing
	whole  bool     // it takes the tree, not files
	stops  bool     // at the first file that it cannot read, which it names
	bare   bool     // it adds no end to a last line
	// comment begins a comment: a command that loses one is wrong.
	comment string
}

// shellNames are endings of scripts; [shebang] finds the others.
var shellNames = ext(".sh", ".bash", ".bats", ".ksh", ".mksh")

var shebang = regexp.MustCompile(`^#! ?/\S*?(/|env )(ba|da|k|mk|a)?sh\b`)

var starlark = regexp.MustCompile(`(^|/)(BUILD|WORKSPACE|MODULE|REPO)(\.bazel)?$|\.bzl$`)

var formatters = []formatter{
	{
		name: "shfmt", engine: "shfmt", args: []string{"-w"}, check: []string{"-l"}, fetch: golang("mvdan.cc/sh/v3/cmd/shfmt"),
		corpus: corpus{name: "shell", each: 60, total: 2400, want: shellNames, look: shebang.Match},
	},
	{
		name: "buildifier", engine: "buildifier", args: []string{"-mode=fix", "-lint=off"}, check: []string{"-mode=check", "-lint=off"}, comment: "#",
		fetch:  golang("github.com/bazelbuild/buildtools/buildifier"),
		corpus: corpus{name: "starlark", each: 400, total: 2400, want: starlark.MatchString},
	},
	{
		name: "jsonnetfmt", engine: "jsonnet", args: []string{"-i"}, check: []string{"--test"}, stops: true, fetch: golang("github.com/google/go-jsonnet/cmd/jsonnetfmt"),
		corpus: corpus{name: "jsonnet", each: 600, total: 2400, want: ext(".jsonnet", ".libsonnet")},
	},
	{
		name: "terraform fmt", engine: "hcl", args: []string{"fmt", "-recursive"}, check: []string{"fmt", "-check", "-recursive"}, whole: true, bare: true, comment: "#",
		fetch:  here("terraform"),
		corpus: corpus{name: "terraform", each: 400, total: 2400, want: ext(".tf", ".tfvars", ".tftest.hcl", ".tfmock.hcl")},
	},
	{
		name: "hclfmt", engine: "hcl", args: []string{"-w"}, check: []string{"-check"}, bare: true, fetch: golang("github.com/hashicorp/hcl/v2/cmd/hclfmt"),
		corpus: corpus{name: "hcl", each: 200, total: 2400, want: func(p string) bool {
			return ext(".hcl")(p) && !ext(".tftest.hcl", ".tfmock.hcl", ".tfquery.hcl", ".lock.hcl")(p)
		}},
	},
}

func golang(pkg string) func(context.Context, *kit) (string, error) {
	return func(ctx context.Context, k *kit) (string, error) { return k.golang(ctx, pkg) }
}

func here(program string) func(context.Context, *kit) (string, error) {
	return func(_ context.Context, k *kit) (string, error) { return k.here(program) }
}

// config is poly's.
func (f *formatter) config() setup {
	s := setup{engine: f.engine, verb: engine.Format}
	if f.bare {
		s.extra = "[defaults]\nfinal_newline = false\n"
	}
	return s
}

// contrast is what a formatter and poly leave of a corpus.
type contrast struct {
	files, theirs, ours, equal int
	reasons                    map[string][]string // why files differ: which
}

// formats is the part of the formatters.
func (b *bench) formats(ctx context.Context) error {
	b.lab.Page.Line("Two copies of real files, `poly fmt --fix --no-cache .` with this engine alone in one, the command with its default settings in the\n" +
		"other. *Equal*: the same bytes in both, changed or not; every other file has its reason below. `final_newline` is off\n" +
		"for the commands that add none.")
	t := lab.NewTable("command", "engine", "files", "repositories", "changed by the command", "changed by poly", "equal", "different, with reason", "faults")
	reasons := lab.NewTable("command", "files", "reason", "which")
	for i := range formatters {
		f := &formatters[i]
		tool, err := f.fetch(ctx, b.kit)
		if err != nil {
			b.absent(f.name, err)
			continue
		}
		if err := b.format(ctx, f, tool, t, reasons); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	b.lab.Page.Table(t)
	b.lab.Page.Line("Why files differ:")
	b.lab.Page.Table(reasons)
	return nil
}

// absent says that a tool cannot be had: a line, and no fault.
func (b *bench) absent(name string, err error) {
	b.lab.Page.Line("Not here: %s: %s.", name, lab.Clean(err.Error()))
	fmt.Fprintf(b.lab.Log, "   not here: %s: %v\n", name, err)
}

// format adds the row of one formatter.
func (b *bench) format(ctx context.Context, f *formatter, tool string, t, reasons *lab.Table) error {
	before := len(b.lab.Faults)
	tr, err := b.drawn(ctx, &f.corpus)
	if err != nil {
		return err
	}
	ours, theirs := filepath.Join(b.lab.Dir, "ours", f.corpus.name), filepath.Join(b.lab.Dir, "theirs", f.corpus.name)
	for _, dir := range []string{ours, theirs} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if err := os.CopyFS(dir, os.DirFS(tr.dir)); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
	}
	if _, err := b.over(ctx, f, tool, f.args, tree{theirs, tr.files}); err != nil {
		return err
	}
	doc, _, err := b.run(ctx, ours, f.config(), "--fix")
	if err != nil {
		return err
	}
	skipped := map[string]string{}
	for _, x := range doc.Results {
		skipped[x.Path] = x.Skipped
	}
	c := &contrast{reasons: map[string][]string{}}
	for _, name := range tr.files {
		if err := b.compare(f, c, name, [3]string{tr.dir, ours, theirs}, skipped[name]); err != nil {
			return err
		}
	}
	faults := c.reasons[""]
	delete(c.reasons, "")
	t.Row(f.name, f.engine, c.files, tr.repositories(), c.theirs, c.ours, c.equal, c.files-c.equal-len(faults), len(b.lab.Faults)-before)
	for _, reason := range slices.Sorted(maps.Keys(c.reasons)) {
		reasons.Row(f.name, len(c.reasons[reason]), reason, lab.Sample(c.reasons[reason], 6))
	}
	return nil
}

// over runs a command over the files of a tree and returns the CPU time it took.
func (b *bench) over(ctx context.Context, f *formatter, tool string, args []string, t tree) (time.Duration, error) {
	argv := append([]string{tool}, args...)
	if f.whole {
		r, err := b.lab.Start(ctx, t.dir, nil, argv...)
		return r.CPU, err
	}
	var cpu time.Duration
	for files := t.files; len(files) > 0; {
		chunk := files[:min(len(files), 500)]
		r, err := b.lab.Start(ctx, t.dir, nil, append(slices.Clone(argv), chunk...)...)
		if err != nil {
			return 0, err
		}
		cpu += r.CPU
		n := len(chunk)
		if f.stops && r.Exit != 0 {
			n = stopped(chunk, string(r.Errs))
		}
		files = files[n:]
	}
	return cpu, nil
}

// stopped returns how many files a command is through with that names the one
// it could not read.
func stopped(files []string, errs string) int {
	for i, f := range files {
		if strings.HasPrefix(errs, f+":") {
			return i + 1
		}
	}
	return len(files)
}

// compare counts one file. dirs are as it was, ours and theirs.
func (b *bench) compare(f *formatter, c *contrast, name string, dirs [3]string, skipped string) error {
	var texts [3][]byte
	for i, dir := range dirs {
		var err error
		if texts[i], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	before, ours, theirs := texts[0], texts[1], texts[2]
	c.files++
	if !bytes.Equal(before, ours) {
		c.ours++
	}
	if !bytes.Equal(before, theirs) {
		c.theirs++
	}
	if bytes.Equal(ours, theirs) {
		c.equal++
		return nil
	}
	reason := b.causes.different(f, name, before, ours, theirs, skipped)
	if reason == "" {
		b.lab.Fault("%s: %s: %s", f.name, name, parting(ours, theirs, skipped))
	}
	c.reasons[reason] = append(c.reasons[reason], name)
	return nil
}

// different explains a difference: a skip with its reason, a named
// work-around, or "" for none.
func (k known) different(f *formatter, name string, before, ours, theirs []byte, skipped string) string {
	if skipped != "" && bytes.Equal(before, ours) {
		return "skipped: " + withoutNumbers(skipped)
	}
	if bytes.Equal(plain(ours), plain(theirs)) {
		return "line ends, byte order mark or end of file kept"
	}
	if f.comment != "" && comments(theirs, f.comment) < comments(before, f.comment) && comments(ours, f.comment) == comments(before, f.comment) {
		return "mended: the command loses a comment"
	}
	return k.of(f.name, "", name, parting(ours, theirs, ""))
}

// comments counts the lines that are comments.
func comments(text []byte, begin string) int {
	n := 0
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte(begin)) {
			n++
		}
	}
	return n
}

var number = regexp.MustCompile(`\d+`)

// withoutNumbers makes one reason of those that differ by a line number, and
// cuts off what a tool says at length.
func withoutNumbers(s string) string {
	s = number.ReplaceAllString(s, "N")
	if i := strings.Index(s, "cannot format it:"); i >= 0 {
		return s[:i] + "cannot format it"
	}
	return s
}

// plain undoes what poly keeps by law.
func plain(text []byte) []byte {
	text = bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("\r\n"), []byte("\n"))
	return bytes.TrimRight(text, "\n")
}

// parting shows where two texts part.
func parting(ours, theirs []byte, skipped string) string {
	if skipped != "" {
		skipped = " (poly skipped it: " + skipped + ")"
	}
	a, b := strings.Split(string(ours), "\n"), strings.Split(string(theirs), "\n")
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return fmt.Sprintf("line %d: poly %.90q, the command %.90q%s", i+1, x, y, skipped)
		}
	}
	return "nowhere"
}
