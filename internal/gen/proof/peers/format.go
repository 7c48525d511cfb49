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
	"poly/internal/gen/proof/judge"
	"poly/internal/gen/proof/lab"
	"poly/internal/lang"
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
	look   bool     // it does so when it looks
	stops  bool     // at the first file that it cannot read, which it names
	again  []string // instead of args, for one file at which it stops; nil: it is left
	extra  string   // more configuration
	lang   lang.ID  // of an engine that not every build has for it
	bare   bool     // it adds no end to a last line
	single bool     // it takes one file
	remark string   // begins a comment
	// comment: the command loses comments, and poly is right not to.
	comment bool
	// explain says why texts differ where the causes do not; nil: nothing does.
	explain func(b *bench, ctx context.Context, tool string, before, ours, theirs []byte, skipped string) (reason string, fault bool, err error)
}

// config is poly's.
func (f *formatter) config() setup {
	s := setup{engine: f.engine, verb: engine.Format, extra: f.extra}
	if f.bare {
		s.extra += "[defaults]\nfinal_newline = false\n"
	}
	return s
}

// contrast is what a formatter and poly leave of a corpus.
type contrast struct {
	files, theirs, ours, equal int
	reasons                    map[string][]string // why files differ: which
	partings                   map[string]string   // of those without a reason
}

// formats is the part of the formatters.
func (b *bench) formats(ctx context.Context) error { return b.formatted(ctx, formatters) }

// extras is the part of those that are in builds with -tags extra only.
func (b *bench) extras(ctx context.Context) error {
	here := slices.DeleteFunc(slices.Clone(extras), func(f formatter) bool { return spec(f.engine).Name == "" })
	if len(here) == 0 {
		b.lab.Page.Line("Not in this build: run with `-tags extra` and the binary of `make extra`.")
		return nil
	}
	if err := b.formatted(ctx, here); err != nil {
		return err
	}
	return b.costs(ctx, here)
}

// formatted compares formatters with their commands.
func (b *bench) formatted(ctx context.Context, all []formatter) error {
	t := lab.NewTable("command", "engine", "files", "repositories", "changed by the command", "changed by poly", "equal", "different, with reason", "faults")
	reasons := lab.NewTable("command", "files", "reason", "which")
	for i := range all {
		f := &all[i]
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
	if _, _, err := b.over(ctx, f, tool, f.args, tree{theirs, tr.files}); err != nil {
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
	c := &contrast{reasons: map[string][]string{}, partings: map[string]string{}}
	for _, name := range tr.files {
		if err := b.compare(ctx, f, c, tool, name, [3]string{tr.dir, ours, theirs}, skipped[name]); err != nil {
			return err
		}
	}
	faults, err := b.settled(ctx, f, c, tool, [2]string{ours, theirs})
	if err != nil {
		return err
	}
	t.Row(f.name, f.engine, c.files, tr.repositories(), c.theirs, c.ours, c.equal, c.files-c.equal-len(faults), len(b.lab.Faults)-before)
	for _, reason := range slices.Sorted(maps.Keys(c.reasons)) {
		reasons.Row(f.name, len(c.reasons[reason]), reason, examples(c.reasons[reason]))
		for _, name := range c.reasons[reason] {
			b.lab.Records.Add("formats", f.name+": "+reason, name)
		}
	}
	return nil
}

// settled gives files that differ without a reason to the command again: its
// first result may not be its last. It returns those that still differ.
func (b *bench) settled(ctx context.Context, f *formatter, c *contrast, tool string, dirs [2]string) ([]string, error) {
	left := c.reasons[""]
	delete(c.reasons, "")
	const passes = 3
	for range passes {
		if len(left) == 0 {
			return nil, nil
		}
		if _, _, err := b.over(ctx, f, tool, f.args, tree{dirs[1], left}); err != nil {
			return nil, err
		}
		var still []string
		for _, name := range left {
			ours, err := os.ReadFile(filepath.Join(dirs[0], name))
			if err != nil {
				return nil, err
			}
			theirs, err := os.ReadFile(filepath.Join(dirs[1], name))
			if err != nil {
				return nil, err
			}
			if bytes.Equal(ours, theirs) {
				const reason = "the command needs more than one pass; equal to its last"
				c.reasons[reason] = append(c.reasons[reason], name)
				continue
			}
			still = append(still, name)
		}
		left = still
	}
	const shown = 3
	if len(left) > shown {
		b.lab.Fault("%s: %d more files differ: %s", f.name, len(left)-shown, lab.Sample(left[shown:], shown))
	}
	for _, name := range left[:min(len(left), shown)] {
		b.lab.Fault("%s: %s: %s", f.name, name, c.partings[name])
	}
	return left, nil
}

// over runs a command over the files of a tree. It returns the CPU time it took
// and the files at which it stopped.
func (b *bench) over(ctx context.Context, f *formatter, tool string, args []string, t tree) (cpu time.Duration, refused []string, err error) {
	argv := append([]string{tool}, args...)
	if f.whole || f.look && slices.Equal(args, f.check) {
		r, err := b.lab.Start(ctx, t.dir, nil, argv...)
		return r.CPU, nil, err
	}
	size := 500
	if f.single {
		size = 1
	}
	for files := t.files; len(files) > 0; {
		chunk := files[:min(len(files), size)]
		r, err := b.lab.Start(ctx, t.dir, nil, append(slices.Clone(argv), chunk...)...)
		if err != nil {
			return 0, nil, err
		}
		cpu += r.CPU
		n, at := len(chunk), ""
		if f.stops && r.Exit != 0 {
			n, at = stopped(chunk, string(r.Errs))
		}
		files = files[n:]
		if at == "" {
			continue
		}
		refused = append(refused, at)
		if f.again != nil {
			if _, err := b.lab.Start(ctx, t.dir, nil, append(append([]string{tool}, f.again...), at)...); err != nil {
				return 0, nil, err
			}
		}
	}
	return cpu, refused, nil
}

// stopped returns how many files a command is through with that names the one
// it could not read, and that one; "" if it names none.
func stopped(files []string, errs string) (n int, at string) {
	for i, f := range files {
		if strings.HasPrefix(errs, f+":") || strings.Contains(errs, " "+f+":") || strings.Contains(errs, "\n"+f+":") {
			return i + 1, f
		}
	}
	return len(files), ""
}

// compare counts one file. dirs are as it was, ours and theirs.
func (b *bench) compare(ctx context.Context, f *formatter, c *contrast, tool, name string, dirs [3]string, skipped string) error {
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
	if f.explain != nil && b.causes.of(f.name, "", name, parting(ours, theirs, "")) == "" {
		why, fault, err := f.explain(b, ctx, tool, before, ours, theirs, skipped)
		if err != nil {
			return err
		}
		if reason = withoutNumbers(why); fault {
			reason = b.causes.of(f.name, "", name, why)
		}
	}
	if reason == "" {
		c.partings[name] = parting(ours, theirs, skipped)
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
	if f.comment && comments(theirs, f.remark) < comments(before, f.remark) && comments(ours, f.remark) == comments(before, f.remark) {
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
	return judge.Parting(ours, theirs) + skipped
}

// yamlfmt asks who knows what it does to meanings.
func (b *bench) yamlfmt(ctx context.Context, tool string, before, ours, theirs []byte, skipped string) (reason string, fault bool, err error) {
	if b.meaning == nil {
		b.meaning = judge.New(ctx, b.lab)
	}
	return b.meaning.Explain(ctx, &judge.Difference{
		Argv: []string{tool, "-no_global_conf", "-conf", os.DevNull, "-continue_on_error", "-quiet"}, Before: before, Ours: ours, Theirs: theirs, Skipped: skipped,
	})
}
