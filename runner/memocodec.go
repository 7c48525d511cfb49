package runner

import (
	"slices"

	"poly/internal/diag"
	"poly/internal/discover"
)

// memoFormat is raised when the bytes of a memo are written otherwise.
const memoFormat = "3"

func putStrings(b []byte, list []string) []byte {
	b = putInt(b, len(list))
	for _, s := range list {
		b = putString(b, s)
	}
	return b
}

func (d *decoder) strings() []string {
	n := d.count()
	if n == 0 {
		return nil
	}
	out := make([]string, 0, n)
	for range n {
		out = append(out, d.string())
	}
	return out
}

func (m *memo) encode() []byte {
	b := putInt(putInt(putInt(nil, m.summary.Checked), m.summary.Skipped), m.summary.Errored)
	b = putTally(b, &m.tally)
	for _, l := range [...][]string{m.unknown, m.sniffed, m.configs, m.names, m.paths, m.siblings} {
		b = putStrings(b, l)
	}
	b = append(b, m.controls[:]...)
	kinds := map[kind]int{}
	var table []kind
	for i := range m.files {
		k := kindOf(&m.files[i])
		if _, ok := kinds[k]; !ok {
			kinds[k] = len(table)
			table = append(table, k)
		}
	}
	b = putInt(b, len(table))
	for _, k := range table {
		b = append(b, byte(k.outcome), flag(k.changed), flag(k.more))
		b = putString(putInt(b, k.config), k.reason)
	}
	words := wordsOf(m.files)
	b = words.put(b)
	b = putInt(b, len(m.files))
	last := ""
	for i := range m.files {
		f := &m.files[i]
		b = putTail(b, last, f.Path)
		last = f.Path
		k := kindOf(f)
		b = putInt(b, kinds[k])
		if k.more {
			b = words.putDiags(putString(b, f.Extras().Detail), f.Diagnostics)
		}
	}
	return b
}

// kind is what many files have in common: the records of a memo are few kinds,
// and paths.
type kind struct {
	outcome       diag.Outcome
	changed, more bool
	config        int
	reason        string
}

func kindOf(f *diag.FileReport) kind {
	more := f.Extras().Detail != "" || len(f.Diagnostics) > 0
	return kind{outcome: f.Outcome, changed: f.Changed, more: more, config: f.Config, reason: f.Reason}
}

// kinds reads the table of kinds of a memo with so many configurations.
func (d *decoder) kinds(configs int) []kind {
	table := make([]kind, d.count())
	for i := range table {
		k := kind{outcome: diag.Outcome(d.byte()), changed: d.byte() == 1, more: d.byte() == 1, config: d.int(), reason: d.string()}
		if k.outcome > diag.Errored || k.config < 0 || k.config >= configs {
			d.bad = true
		}
		table[i] = k
	}
	return table
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func decodeMemo(value []byte) (*memo, error) {
	d := newDecoder(value)
	m := &memo{summary: diag.Summary{Checked: d.int(), Skipped: d.int(), Errored: d.int()}}
	d.tally(&m.tally)
	for _, l := range [...]*[]string{&m.unknown, &m.sniffed, &m.configs, &m.names, &m.paths, &m.siblings} {
		*l = d.strings()
	}
	if len(d.b) < len(m.controls) {
		return nil, errDecode
	}
	d.b = d.b[copy(m.controls[:], d.b):]
	table := d.kinds(len(m.configs))
	words := d.words()
	m.files = make([]diag.FileReport, d.count())
	for i := range m.files {
		path, n := d.tail(), d.int()
		if d.bad || n < 0 || n >= len(table) {
			return nil, errDecode
		}
		k := &table[n]
		f := &m.files[i]
		f.Path, f.Outcome, f.Changed, f.Config, f.Reason = path, k.outcome, k.changed, k.config, k.reason
		if k.more {
			if detail := d.string(); detail != "" {
				f.More = &diag.Extras{Detail: detail}
			}
			f.Diagnostics = d.memoDiags(&words)
		}
	}
	if d.bad || len(d.b) != 0 {
		return nil, errDecode
	}
	return m, nil
}

func putTally(b []byte, t *discover.Tally) []byte {
	b = putInt(b, len(t.Excluded))
	for _, rule := range t.Rules() {
		b = putString(putString(putString(b, rule.Pattern), rule.Base), rule.Origin)
		b = putInt(b, t.Excluded[rule])
	}
	b = putStrings(putStrings(b, t.Samples), t.Named)
	return putInt(putInt(putInt(putInt(b, t.Unrecognised), t.Pruned), t.Symlinks), t.Submodules)
}

func (d *decoder) tally(t *discover.Tally) {
	for range d.count() {
		rule := discover.Rule{Pattern: d.string(), Base: d.string(), Origin: d.string()}
		if t.Excluded == nil {
			t.Excluded = map[discover.Rule]int{}
		}
		t.Excluded[rule] = d.int()
	}
	t.Samples, t.Named = d.strings(), d.strings()
	t.Unrecognised, t.Pruned, t.Symlinks, t.Submodules = d.int(), d.int(), d.int(), d.int()
}

// words are what the diagnostics of a memo say of a rule, each once, and how
// many diagnostics there are. A decoder has room for all of them at once.
type words struct {
	list  []diag.Diagnostic // nothing else in them
	index map[word]int
	count int
	spans int
	diags []diag.Diagnostic
	room  []diag.Span
}

type word struct {
	engine, code, description, url string
	severity                       diag.Severity
}

func wordOf(d *diag.Diagnostic) word {
	return word{d.Engine, d.Code, d.Description, d.URL, d.Severity}
}

func wordsOf(files []diag.FileReport) *words {
	w := &words{index: map[word]int{}}
	for i := range files {
		for j := range files[i].Diagnostics {
			d := &files[i].Diagnostics[j]
			w.count++
			if d.Span != nil {
				w.spans++
			}
			if k := wordOf(d); w.index[k] == 0 {
				w.list = append(w.list, diag.Diagnostic{Engine: d.Engine, Code: d.Code, Description: d.Description, URL: d.URL, Severity: d.Severity})
				w.index[k] = len(w.list)
			}
		}
	}
	return w
}

func (w *words) put(b []byte) []byte {
	b = putInt(b, len(w.list))
	for i := range w.list {
		d := &w.list[i]
		for _, s := range [...]string{d.Engine, d.Code, d.Description, d.URL} {
			b = putString(b, s)
		}
		b = append(b, byte(d.Severity))
	}
	return putInt(putInt(b, w.count), w.spans)
}

func (d *decoder) words() words {
	w := words{list: make([]diag.Diagnostic, d.count())}
	for i := range w.list {
		w.list[i] = diag.Diagnostic{
			Engine: d.string(), Code: d.string(), Description: d.string(), URL: d.string(), Severity: diag.Severity(d.byte()),
		}
	}
	w.count, w.spans = d.count(), d.count()
	if w.count > len(d.b)/6 || w.spans > w.count { // six bytes are the least one takes
		d.bad, d.b = true, nil
	}
	if !d.bad {
		w.diags, w.room = make([]diag.Diagnostic, w.count), make([]diag.Span, w.spans)
	}
	return w
}

func (w *words) putDiags(b []byte, ds []diag.Diagnostic) []byte {
	b = putInt(b, len(ds))
	for i := range ds {
		d := &ds[i]
		b = putInt(b, w.index[wordOf(d)]-1)
		b = putString(putString(b, d.Title), d.Excerpt)
		b = append(b, flag(d.Span != nil))
		if s := d.Span; s != nil {
			for _, n := range [...]int{s.Start, s.End - s.Start, s.StartLine, s.EndLine - s.StartLine, s.StartCol, s.EndCol} {
				b = putInt(b, n)
			}
		}
		b = putRest(b, d)
	}
	return b
}

// memoDiags reads what putDiags wrote into the room that words has.
func (d *decoder) memoDiags(w *words) []diag.Diagnostic {
	n := d.count()
	if n > len(w.diags) {
		d.bad = true
		return nil
	}
	if n == 0 {
		return nil
	}
	out := slices.Clip(w.diags[:n])
	w.diags = w.diags[n:]
	for i := range out {
		word := d.int()
		if word < 0 || word >= len(w.list) {
			d.bad = true
			return nil
		}
		v := &out[i]
		*v = w.list[word]
		v.Title, v.Excerpt = d.string(), d.string()
		if d.byte() == 1 {
			if len(w.room) == 0 {
				d.bad = true
				return nil
			}
			s := &w.room[0]
			w.room = w.room[1:]
			s.Start, s.End, s.StartLine, s.EndLine, s.StartCol, s.EndCol = d.int(), d.int(), d.int(), d.int(), d.int(), d.int()
			s.End += s.Start
			s.EndLine += s.StartLine
			v.Span = s
		}
		d.rest(v)
	}
	return out
}
