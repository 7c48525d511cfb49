// Package page cuts the report of a run to what a client takes, and names the
// paths by which the client gets the rest. Following them shows each record
// once, and ends.
package page

import (
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"poly/internal/diag"
	"poly/internal/report"
)

// Limits of a document, in characters where nothing else is said.
const (
	Budget    = 400_000 // up to that a document is whole
	mostNext  = 64      // paths
	roomNext  = 24_000  // for the paths
	roomError = 24_000  // for errors of files that are not shown
	roomRest  = 1_000   // for what is around them
)

// Request is what a report answers.
type Request struct {
	// Key tells requests apart that are alike but for their paths.
	Key string
	// Paths are the paths that were named, as the client did.
	Paths []string
	// Scope are those paths as the files of the report are named; "." is all.
	Scope []string
	// Prefix is as in [report.Options].
	Prefix string
}

// Pager makes documents. It remembers what did not fit among the paths it
// named. Its methods may be called concurrently.
type Pager struct {
	budget int // 0: Budget

	mu   sync.Mutex // guards what follows
	rest map[string][]stop
	used []string // keys of rest, the one that was used last at the end
}

// stop is a file or folder whose records are still to be shown.
type stop struct {
	path                 string // as the files of the report are named
	records, diagnostics int
}

// Document returns the JSON document of rep. One that is longer than the
// budget holds the first records and a member that tells how to get the rest;
// then rep is changed.
func (p *Pager) Document(rep *diag.Report, req Request) []byte {
	budget := p.budget
	if budget == 0 {
		budget = Budget
	}
	o := report.Options{Prefix: req.Prefix}
	later := p.take(key(req.Key, req.Paths))
	doc := report.AppendJSON(nil, rep, o)
	if later == nil && utf8.RuneCount(doc) <= budget {
		return doc
	}
	c := cut{rep: rep, req: req, o: o}
	c.measure()
	c.show(budget)
	stops := append(c.stops(), later...)
	n := c.name(stops)
	p.keep(key(req.Key, c.rep.Truncated.Next), stops[n:])
	if len(stops) == 0 { // one record that is cut, and nothing else, or all
		c.rep.Truncated.Next = nil
		if !c.cutOne {
			c.rep.Truncated = nil
		}
	}
	return report.AppendJSON(doc[:0], rep, o)
}

// cut is a report that is being cut.
type cut struct {
	rep    *diag.Report
	req    Request
	o      report.Options
	sizes  []int // characters that each file adds
	cutOne bool  // the first record was too large alone
}

func (c *cut) measure() {
	c.sizes = make([]int, len(c.rep.Files))
	var b []byte
	for i := range c.rep.Files {
		b = report.AppendRecord(b[:0], c.rep, &c.rep.Files[i], c.o)
		if c.sizes[i] = utf8.RuneCount(b); c.sizes[i] > 0 {
			c.sizes[i] += 2 // commas
		}
	}
}

// show finds out how many files are shown: as many as fit, and one at least.
func (c *cut) show(budget int) {
	files := c.rep.Files
	c.rep.Files = nil
	room := budget - utf8.RuneCount(report.AppendJSON(nil, c.rep, c.o)) - roomNext - roomError - roomRest
	c.rep.Files = files
	t := &diag.Truncated{}
	c.rep.Truncated = t
	for i := range files {
		switch size := c.sizes[i]; {
		case size == 0:
		case size <= room:
			room -= size
		case t.ShownRecords == 0:
			c.shorten(&files[i], max(room, 0))
			room = -1
		default:
			return
		}
		t.Files = i + 1
		if c.sizes[i] > 0 {
			t.ShownRecords++
			t.ShownDiagnostics += len(files[i].Diagnostics)
		}
	}
}

// shorten keeps as many of the first diagnostics of f as fit.
func (c *cut) shorten(f *diag.FileReport, room int) {
	all := f.Diagnostics
	more := f.Extras()
	more.Total = len(all)
	f.More = &more
	lo, hi := 0, len(all)
	for lo < hi { // the most diagnostics that fit
		n := (lo + hi + 1) / 2
		f.Diagnostics = all[:n]
		if utf8.RuneCount(report.AppendRecord(nil, c.rep, f, c.o)) <= room {
			lo = n
		} else {
			hi = n - 1
		}
	}
	f.Diagnostics = all[:lo]
	c.cutOne = true
}

// stops lists the files and folders of the records that are not shown: folders
// without a record that is, as high as possible.
func (c *cut) stops() []stop {
	t := c.rep.Truncated
	taken := map[string]bool{}
	for i := range c.rep.Files[:t.Files] {
		if c.sizes[i] > 0 {
			for dir := c.rep.Files[i].Path; dir != "."; {
				dir = path.Dir(dir)
				if taken[dir] {
					break
				}
				taken[dir] = true
			}
		}
	}
	var out []stop
	at := map[string]int{}
	for i := t.Files; i < len(c.rep.Files); i++ {
		f := &c.rep.Files[i]
		if c.sizes[i] == 0 {
			continue
		}
		name := c.highest(f.Path, taken)
		j, ok := at[name]
		if !ok {
			j = len(out)
			at[name] = j
			out = append(out, stop{path: name})
		}
		out[j].records++
		out[j].diagnostics += len(f.Diagnostics)
	}
	return out
}

// highest returns p, or the highest folder around it that was named or is
// below one that was, and has no record that is shown.
func (c *cut) highest(p string, taken map[string]bool) string {
	best := p
	for dir := path.Dir(p); dir != "." && !taken[dir] && c.inScope(dir); dir = path.Dir(dir) {
		best = dir
	}
	return best
}

func (c *cut) inScope(dir string) bool {
	return slices.ContainsFunc(c.req.Scope, func(s string) bool {
		return s == "." || s == dir || strings.HasPrefix(dir, s+"/")
	})
}

// name writes down what is shown, what there is and what comes next, and
// returns how many stops that is.
func (c *cut) name(stops []stop) int {
	t := c.rep.Truncated
	t.TotalRecords, t.TotalDiagnostics = t.ShownRecords, t.ShownDiagnostics
	if c.cutOne {
		for i := range c.rep.Files[:t.Files] {
			if n := c.rep.Files[i].Extras().Total; n > 0 {
				t.TotalDiagnostics += n - len(c.rep.Files[i].Diagnostics)
			}
		}
	}
	for _, s := range stops {
		t.TotalRecords += s.records
		t.TotalDiagnostics += s.diagnostics
	}
	n, room := 0, roomNext
	for n < min(len(stops), mostNext) {
		p := report.Relative(c.req.Prefix, stops[n].path)
		if room -= utf8.RuneCountInString(p) + 3; n > 0 && room < 0 {
			break
		}
		t.Next = append(t.Next, p)
		n++
	}
	c.keepErrors()
	return n
}

// keepErrors leaves of the files that are not shown those that failed, as far
// as there is room.
func (c *cut) keepErrors() {
	shown := c.rep.Truncated.Files
	kept := slices.Clone(c.rep.Files[:shown])
	room := roomError
	for i := shown; i < len(c.rep.Files); i++ {
		f := c.rep.Files[i]
		if f.Outcome != diag.Errored {
			continue
		}
		if room -= c.sizes[i]; room < 0 && len(kept) > shown {
			break
		}
		if room >= 0 {
			kept = append(kept, f)
		}
	}
	c.rep.Files = kept
}

func key(request string, paths []string) string {
	return request + "\x00" + strings.Join(paths, "\x00")
}

// mostKept is how many lists of paths a Pager remembers.
const mostKept = 4096

// keep remembers what follows the paths of key; nothing, if there are no stops.
func (p *Pager) keep(key string, stops []stop) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(stops) == 0 {
		delete(p.rest, key)
		return
	}
	if p.rest == nil {
		p.rest = map[string][]stop{}
	}
	p.rest[key] = stops
	p.touch(key)
	for len(p.used) > mostKept {
		delete(p.rest, p.used[0])
		p.used = p.used[1:]
	}
}

func (p *Pager) take(key string) []stop {
	p.mu.Lock()
	defer p.mu.Unlock()
	stops := p.rest[key]
	if stops != nil {
		p.touch(key)
	}
	return stops
}

func (p *Pager) touch(key string) {
	if i := slices.Index(p.used, key); i >= 0 {
		p.used = slices.Delete(p.used, i, i+1)
	}
	p.used = append(p.used, key)
}
