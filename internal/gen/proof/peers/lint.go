package peers

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"poly/internal/engine"
	"poly/internal/gen/proof/lab"
)

// linter is a command whose findings an engine must have.
type linter struct {
	name   string // of the command
	engine string
	corpus corpus
	fetch  func(context.Context, *kit) (string, error)
	// find runs the command over a tree.
	find func(b *bench, ctx context.Context, tool string, t tree) (*heard, error)
	// prefix of the command's codes: the engine has rules of its own too.
	prefix string
	// wrapped: poly has the library of the command, so that findings are equal
	// but for named work-arounds, which the bounds leave out.
	wrapped bool
	// every code of the command is the engine's, whatever its rules are.
	every bool
	// codes are those of both, where the engine has others too; nil: all.
	codes []string
	// place maps lines that mean the same, such as those of one instruction,
	// to one of them; nil: none.
	place func(text string) func(line int) int
	// column: findings are the same only if their columns are.
	column bool
	// foreign tells of files that the command does not look at; nil: none.
	foreign func(t tree, name string) bool
	also    string // the engine that makes poly judge its files
	extra   string // more configuration
	unbound bool   // its time is measured elsewhere
	partial string // why poly finds less on purpose, so that recall has no bound
	// least is what precision and recall must be; 0: the bounds of all.
	least float64
	// whole are codes about files, whose lines do not count.
	whole []string
}

// heard is what a command says of a tree.
type heard struct {
	findings []finding
	unread   map[string]bool // files that it cannot read
	cpu      time.Duration
}

// The bounds that the project has set itself.
const (
	precision = 0.98
	recall    = 0.90
)

// score is a row of the table: findings of both and of one alone.
type score struct{ both, ours, theirs int }

func (s score) precision() float64 { return share(s.both, s.ours) }
func (s score) recall() float64    { return share(s.both, s.theirs) }

func share(n, rest int) float64 {
	if n+rest == 0 {
		return 1
	}
	return float64(n) / float64(n+rest)
}

// match is what became of one linter.
type match struct {
	files, skipped, unread int
	ours, theirs           time.Duration // of CPU
	moved                  int           // same findings at another place of a text that spans lines
	mended                 int           // findings of one side alone that a named work-around makes
	codes                  map[string]*score
	apart                  []disagreement
}

// disagreement is a finding of one side alone.
type disagreement struct {
	finding
	ours  bool
	where string // the finding's words and the line of the source
	cause string
}

// lints is the part of a linter.
func (b *bench) lints(ctx context.Context, l *linter) error {
	tool, err := l.fetch(ctx, b.kit)
	if err != nil {
		b.absent(l.name, err)
		return nil
	}
	m, err := b.lintOne(ctx, l, tool)
	if err != nil {
		return err
	}
	b.judge(l, m)
	b.table(l, m)
	return nil
}

// table writes what became of a linter.
func (b *bench) table(l *linter, m *match) {
	sum := score{}
	var equal, apart []string
	for _, c := range slices.Sorted(maps.Keys(m.codes)) {
		s := m.codes[c]
		sum = score{sum.both + s.both, sum.ours + s.ours, sum.theirs + s.theirs}
		if s.ours+s.theirs == 0 {
			equal = append(equal, fmt.Sprintf("%s %d", c, s.both))
		} else {
			apart = append(apart, fmt.Sprintf("%s %d, %d, %d", c, s.both, s.ours, s.theirs))
		}
	}
	t := lab.NewTable("engine", "files", "skipped", "not read", "codes met", "both", "poly alone", "command alone", "work-arounds", "precision", "recall", "command s", "poly s", "ratio")
	ratio := "see the cost below"
	switch {
	case l.unbound:
		ratio = "see the benchmark"
	case !l.corpus.apart:
		ratio = b.ratio(l.name, m.ours, m.theirs)
	}
	t.Row(l.engine, m.files, m.skipped, m.unread, len(m.codes), sum.both, sum.ours, sum.theirs, m.mended, percent(sum.precision()), percent(sum.recall()),
		lab.Seconds(m.theirs), lab.Seconds(m.ours), ratio)
	if sum.precision() < max(precision, l.least) || l.partial == "" && sum.recall() < max(recall, l.least) {
		b.lab.Fault("%s: precision %s, recall %s", l.name, percent(sum.precision()), percent(sum.recall()))
	}
	page := &b.lab.Page
	page.Table(t)
	if l.partial != "" {
		page.Line("Recall has no bound here: %s", l.partial)
	}
	if m.moved > 0 {
		page.Line("%d findings of both are at two places: the command says where a text of several lines begins, poly the line in it.", m.moved)
	}
	words := fmt.Sprintf("Equal in every finding: %s.", cmp.Or(strings.Join(equal, ", "), "no code"))
	if len(apart) > 0 {
		words = fmt.Sprintf("Codes that differ, with findings of both, of poly alone and of the command alone: %s.\n%s", strings.Join(apart, "; "), words)
	}
	page.Line("%s", words)
	if len(m.apart) > 0 {
		page.Table(b.known(l, m))
	}
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// lintOne compares one linter over the trees of its corpus.
func (b *bench) lintOne(ctx context.Context, l *linter, tool string) (*match, error) {
	trees, err := b.trees(ctx, &l.corpus)
	if err != nil {
		return nil, err
	}
	m := &match{codes: map[string]*score{}}
	for _, t := range trees {
		ours, err := b.lint(ctx, t.dir, setup{engine: l.engine, verb: engine.Lint, also: l.also, extra: l.extra})
		if err != nil {
			return nil, err
		}
		theirs, err := l.find(b, ctx, tool, t)
		if err != nil {
			return nil, err
		}
		m.ours, m.theirs = m.ours+ours.cpu, m.theirs+theirs.cpu
		if err := b.meet(l, m, t, ours, theirs); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// meet adds a tree to a match.
func (b *bench) meet(l *linter, m *match, t tree, ours *said, theirs *heard) error {
	mine, yours := byFile(ours.findings), byFile(theirs.findings)
	for _, name := range t.files {
		_, refused := ours.syntax[name]
		_, skipped := ours.skipped[name]
		switch {
		case l.foreign != nil && l.foreign(t, name):
			continue
		case skipped:
			m.skipped++
			continue
		case theirs.unread[name] || refused:
			m.unread++
			if !theirs.unread[name] && b.causes.of(l.name, "syntax", name, ours.syntax[name]) == "" {
				b.lab.Fault("%s: %s: an error of syntax in a file that the command reads: %s", l.name, name, ours.syntax[name])
			}
			continue
		}
		m.files++
		if len(mine[name])+len(yours[name]) == 0 {
			continue
		}
		text, err := os.ReadFile(filepath.Join(t.dir, name))
		if err != nil {
			return err
		}
		m.file(b.causes, l, string(text), l.shown(t, mine[name]), l.shown(t, yours[name]))
	}
	return nil
}

// shown is the findings of a file that count, with its repository in its name.
func (l *linter) shown(t tree, fs []finding) []finding {
	fs = l.same(fs)
	for i := range fs {
		if slices.Contains(l.whole, fs[i].code) {
			fs[i].line = 1
		}
		if l.corpus.apart {
			fs[i].path = filepath.Base(t.dir) + "/" + fs[i].path
		}
	}
	return fs
}

// same leaves out findings whose code is not of both.
func (l *linter) same(fs []finding) []finding {
	rules := spec(l.engine).Rules
	has := func(code string) bool {
		if l.codes != nil {
			return slices.Contains(l.codes, code)
		}
		return l.every || slices.ContainsFunc(rules, func(r engine.Rule) bool { return r.Code == code })
	}
	return slices.DeleteFunc(fs, func(f finding) bool {
		return f.code == "syntax" || !strings.HasPrefix(f.code, l.prefix) || !has(f.code)
	})
}

func byFile(fs []finding) map[string][]finding {
	out := map[string][]finding{}
	for _, f := range fs {
		out[f.path] = append(out[f.path], f)
	}
	return out
}

// file adds the findings of one file.
func (m *match) file(k known, l *linter, text string, mine, yours []finding) {
	place := func(line int) int { return line }
	if l.place != nil {
		place = l.place(text)
	}
	type key struct {
		code         string
		line, column int
	}
	keyOf := func(f finding) key {
		if l.column {
			return key{f.code, place(f.line), f.column}
		}
		return key{f.code, place(f.line), 0}
	}
	left := map[key]int{}
	for _, f := range mine {
		left[keyOf(f)]++
	}
	var theirs []finding
	for _, f := range yours {
		if left[keyOf(f)] > 0 {
			m.code(f.code).both++
			left[keyOf(f)]--
			continue
		}
		theirs = append(theirs, f)
	}
	for _, f := range slices.Backward(mine) {
		c := keyOf(f)
		if left[c] == 0 {
			continue
		}
		left[c]--
		if i := slices.IndexFunc(theirs, func(t finding) bool { return l.column && t.spans(f) }); i >= 0 {
			m.code(f.code).both++
			m.moved++
			theirs = slices.Delete(theirs, i, i+1)
			continue
		}
		m.alone(k.disagreement(l, f, true, text), l.wrapped)
	}
	for _, f := range theirs {
		m.alone(k.disagreement(l, f, false, text), l.wrapped)
	}
}

// workAround begins the cause of a difference that is meant.
const workAround = "work-around: "

// alone counts a finding of one side.
func (m *match) alone(d disagreement, wrapped bool) {
	m.apart = append(m.apart, d)
	switch {
	case wrapped && strings.HasPrefix(d.cause, workAround):
		m.mended++
	case d.ours:
		m.code(d.code).ours++
	default:
		m.code(d.code).theirs++
	}
}

// spans reports whether f says of the begin of a text what o says of a place
// further down.
func (f finding) spans(o finding) bool {
	return f.words != "" && f.code == o.code && f.line <= o.line && strings.Contains(letters(o.words), letters(f.words))
}

// letters of words that are joined and quoted in another way.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

func (m *match) code(c string) *score {
	if m.codes[c] == nil {
		m.codes[c] = new(score)
	}
	return m.codes[c]
}

// disagreement describes a finding of one side alone and looks up its cause.
func (k known) disagreement(l *linter, f finding, ours bool, text string) disagreement {
	d := disagreement{finding: f, ours: ours}
	lines := strings.Split(text, "\n")
	if f.line > 0 && f.line <= len(lines) {
		d.where = strings.TrimSpace(lines[f.line-1])
	}
	d.where = fmt.Sprintf("%s: %s: %.160s", d.side(), f.words, d.where)
	d.cause = k.of(l.name, f.code, f.path, d.where)
	return d
}

func (d *disagreement) side() string {
	if d.ours {
		return "poly"
	}
	return "command"
}

// judge makes a fault of each code and side that has findings without a cause.
func (b *bench) judge(l *linter, m *match) {
	without := map[string][]string{}
	for i := range m.apart {
		if d := &m.apart[i]; d.cause == "" {
			key := d.code + ": " + d.side() + " alone"
			without[key] = append(without[key], fmt.Sprintf("%s:%d (%s)", d.path, d.line, lab.Clean(d.where)))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(without)) {
		b.lab.Fault("%s: %s, %d without a known cause: %s", l.name, key, len(without[key]), lab.Sample(without[key], 2))
	}
}

// known is a table of the causes, and a record of each finding.
func (b *bench) known(l *linter, m *match) *lab.Table {
	t := lab.NewTable("side", "findings", "codes", "cause", "which")
	type row struct{ cause, side string }
	sides := map[string]map[string]int{}
	for i := range m.apart {
		d := &m.apart[i]
		if sides[d.cause] == nil {
			sides[d.cause] = map[string]int{}
		}
		sides[d.cause][d.side()]++
	}
	codes, which := map[row]map[string]bool{}, map[row][]string{}
	for i := range m.apart {
		d := &m.apart[i]
		r := row{cmp.Or(d.cause, "**not known**"), d.side() + " alone"}
		if d.cause != "" && len(sides[d.cause]) == 2 {
			r.side = "each alone"
		}
		if codes[r] == nil {
			codes[r] = map[string]bool{}
		}
		codes[r][d.code] = true
		place := fmt.Sprintf("%s:%d", d.path, d.line)
		which[r] = append(which[r], place)
		if l.partial != "" && !d.ours {
			continue // tens of thousands, all of one cause
		}
		b.lab.Records.Add(l.name, fmt.Sprintf("%s: %s: %s", d.side()+" alone", d.code, r.cause), place)
	}
	for _, r := range slices.SortedFunc(maps.Keys(which), func(a, b row) int { return strings.Compare(a.cause+a.side, b.cause+b.side) }) {
		t.Row(r.side, len(which[r]), lab.Sample(slices.Sorted(maps.Keys(codes[r])), 6), r.cause, examples(which[r]))
	}
	return t
}

// examples is a few of a list whose whole is in the records.
func examples(names []string) string { return lab.Sample(names, 3) }
