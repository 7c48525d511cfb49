package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"poly/internal/diag"
)

const (
	namedSkips   = 3 // up to so many files a reason are named one by one
	shownSamples = 3
	shownRules   = 5
)

// tally counts what the summary speaks of.
type tally struct {
	findings, errors, warnings int
	fixable, fixed, fixedFiles int
	changed, withheld          int
	skips                      []skipGroup
	failed                     []*diag.FileReport
}

// skipGroup are the files skipped for one reason: how many, and those to name.
type skipGroup struct {
	reason string
	count  int
	files  []*diag.FileReport
}

func tallyOf(r *diag.Report, o Options) tally {
	var t tally
	for i := range r.Files {
		f := &r.Files[i]
		t.findings += len(f.Diagnostics)
		for j := range f.Diagnostics {
			switch severity(&f.Diagnostics[j]) {
			case diag.Error:
				t.errors++
			case diag.Warning:
				t.warnings++
			}
			if len(f.Diagnostics[j].Fix) > 0 && !f.FixWithheld {
				t.fixable++
			}
		}
		if f.Fixed > 0 {
			t.fixed += f.Fixed
			t.fixedFiles++
		}
		if f.Changed {
			t.changed++
		}
		if f.FixWithheld {
			t.withheld++
		}
		switch f.Outcome {
		case diag.Errored:
			t.failed = append(t.failed, f)
		case diag.Skipped:
			g := t.group(f.Reason)
			if g.count++; o.Verbose || g.count <= max(namedSkips, shownSamples) {
				g.files = append(g.files, f)
			}
		}
	}
	slices.SortFunc(t.skips, func(a, b skipGroup) int {
		return cmp.Or(cmp.Compare(b.count, a.count), strings.Compare(a.reason, b.reason))
	})
	return t
}

// group finds the group of a reason. Reasons are few, but most of the files of
// a large repository may be skipped, so a found one moves up: that is faster
// than a map.
func (t *tally) group(reason string) *skipGroup {
	for i := range t.skips {
		if t.skips[i].reason != reason {
			continue
		}
		if i > 0 {
			t.skips[i], t.skips[i-1] = t.skips[i-1], t.skips[i]
			i--
		}
		return &t.skips[i]
	}
	t.skips = append(t.skips, skipGroup{reason: reason})
	return &t.skips[len(t.skips)-1]
}

func appendSummary(dst []byte, r *diag.Report, t tally, o Options) []byte {
	headline, s := t.headline(r)
	dst = o.paint(dst, s, headline)
	dst = append(dst, " ("...)
	dst = append(dst, strings.Join(t.clauses(r), "; ")...)
	dst = append(dst, ")\n"...)
	if r.Verb != "fmt" && t.findings > 0 && t.fixed > 0 {
		dst = append(dst, fixedLine(t)+"\n"...)
	}
	if t.fixable > 0 {
		dst = append(strconv.AppendInt(dst, int64(t.fixable), 10), " fixable with --fix\n"...)
	}
	return dst
}

func fixedLine(t tally) string {
	return "Fixed " + count(t.fixed, "issue") + " in " + count(t.fixedFiles, "file") + "."
}

func (t tally) headline(r *diag.Report) (text string, s style) {
	verb := "Lint"
	if r.Verb == "fmt" {
		verb = "Formatting"
	}
	switch {
	case r.Summary.Errored > 0:
		return verb + " did not complete." + t.found(r), red
	case t.findings > 0 || t.changed > 0:
		return strings.TrimSpace(t.found(r)), bold
	case r.Summary.Checked == 0:
		return "Nothing was checked.", yellow
	case t.fixed > 0:
		return fixedLine(t), green
	case r.Verb == "fmt":
		return "All formatted.", green
	default:
		return "No issues found.", green
	}
}

// found says how much there is to do, after a blank; "" if nothing.
func (t tally) found(r *diag.Report) string {
	switch {
	case r.Verb == "fmt" && t.changed > 0 && r.Fix:
		return " " + count(t.changed, "file") + " reformatted."
	case r.Verb == "fmt" && t.changed > 0:
		return " " + count(t.changed, "file") + " would be reformatted."
	case t.findings > 0:
		return " " + count(t.findings, "issue") + " found."
	default:
		return ""
	}
}

func (t tally) clauses(r *diag.Report) []string {
	var c []string
	if t.errors > 0 || t.warnings > 0 {
		c = append(c, count(t.errors, "error")+", "+count(t.warnings, "warning"))
	}
	c = append(c, count(r.Summary.Checked, "file")+" checked")
	if r.Summary.Skipped > 0 {
		c = append(c, strconv.Itoa(r.Summary.Skipped)+" skipped"+t.reasons())
	}
	if r.Summary.Errored > 0 {
		c = append(c, strconv.Itoa(r.Summary.Errored)+" failed")
	}
	excluded := 0
	for _, rule := range r.Notes.Excluded {
		excluded += rule.Files
	}
	if excluded > 0 {
		c = append(c, strconv.Itoa(excluded)+" excluded by configuration")
	}
	if n := r.Notes.Unrecognised; n > 0 {
		c = append(c, count(n, "file")+" of unrecognized type not checked")
	}
	if r.Stats.Micros > 0 {
		c = append(c, "in "+duration(r.Stats.Micros)+", "+strconv.Itoa(r.Stats.FromCache)+" from cache")
	}
	return c
}

func (t tally) reasons() string {
	if len(t.skips) == 0 {
		return ""
	}
	if len(t.skips) == 1 {
		return ": " + clean(t.skips[0].reason)
	}
	parts := make([]string, len(t.skips))
	for i, g := range t.skips {
		parts[i] = strconv.Itoa(g.count) + " " + clean(g.reason)
	}
	return ": " + strings.Join(parts, ", ")
}

func duration(micros int64) string {
	switch {
	case micros < 10_000:
		return strconv.FormatFloat(float64(micros)/1e3, 'f', 1, 64) + " ms"
	case micros < 10_000_000:
		return strconv.FormatInt(micros/1000, 10) + " ms"
	default:
		return strconv.FormatFloat(float64(micros)/1e6, 'f', 1, 64) + " s"
	}
}

// AppendNotes appends what people should know besides the findings: what was
// left out and why, fixes that were withheld, warnings, and each file that
// failed. The pretty format ends with it; with any other format, and with
// Options.Diff, it belongs on stderr. With Options.Quiet only the failures stay.
func AppendNotes(dst []byte, r *diag.Report, o Options) []byte {
	return appendNotes(dst, r, tallyOf(r, o), o)
}

func appendNotes(dst []byte, r *diag.Report, t tally, o Options) []byte {
	if !o.Quiet {
		dst = appendScope(dst, &r.Notes, o)
		dst = appendSkips(dst, t.skips, o)
		if t.withheld > 0 {
			dst = o.note(dst, "fixes withheld from "+count(t.withheld, "generated file")+" (--fix-generated applies them)")
		}
		for _, w := range r.Notes.Warnings {
			dst = o.paint(dst, yellow, "warning:")
			dst = append(append(append(dst, ' '), clean(w)...), '\n')
		}
	}
	dst = appendFailed(dst, t.failed, o)
	if n := len(t.failed); n > 0 {
		dst = append(dst, count(n, "file")+" could not be checked\n"...)
	}
	return dst
}

func (o Options) note(dst []byte, text string) []byte {
	dst = o.paint(dst, faint, "note:")
	return append(append(append(dst, ' '), text...), '\n')
}

func appendScope(dst []byte, n *diag.Notes, o Options) []byte {
	if len(n.Excluded) > 0 {
		var parts []string
		files := 0
		for i, rule := range n.Excluded {
			files += rule.Files
			if i < shownRules {
				parts = append(parts, clean(rule.Pattern)+" ("+strconv.Itoa(rule.Files)+")")
			}
		}
		if more := len(n.Excluded) - shownRules; more > 0 {
			parts = append(parts, "and "+count(more, "more rule"))
		}
		dst = o.note(dst, count(files, "file")+" excluded by configuration: "+strings.Join(parts, ", "))
	}
	if n.Unrecognised > 0 && len(n.Samples) > 0 {
		var names []string
		for _, s := range n.Samples[:min(len(n.Samples), shownSamples)] {
			names = append(names, o.shown(s))
		}
		dst = o.note(dst, count(n.Unrecognised, "file")+" of unrecognized type not checked, such as "+strings.Join(names, ", "))
	}
	if n.Pruned > 0 {
		dst = o.note(dst, count(n.Pruned, "file")+" in directories such as vendor or build not checked (name the directory to check it)")
	}
	if n.Symlinks > 0 {
		dst = o.note(dst, count(n.Symlinks, "symbolic link")+" not followed")
	}
	if n.Submodules > 0 {
		dst = o.note(dst, count(n.Submodules, "submodule")+" not entered")
	}
	return dst
}

// appendIndented appends the lines of text, indented.
func appendIndented(dst []byte, indent, text string) []byte {
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			dst = append(append(append(dst, indent...), clean(line)...), '\n')
		}
	}
	return dst
}

func appendSkips(dst []byte, groups []skipGroup, o Options) []byte {
	total := 0
	for _, g := range groups {
		total += g.count
	}
	if total == 0 {
		return dst
	}
	dst = o.note(dst, count(total, "file")+" skipped:")
	for _, g := range groups {
		if o.Verbose || g.count <= namedSkips {
			for _, f := range g.files {
				dst = append(append(dst, "  "...), o.shown(f.Path)...)
				dst = append(append(append(dst, ": "...), clean(g.reason)...), '\n')
				if o.Verbose {
					dst = appendIndented(dst, "    ", f.Extras().Detail)
				}
			}
			continue
		}
		names := make([]string, shownSamples)
		for i := range names {
			names[i] = o.shown(g.files[i].Path)
		}
		dst = append(append(dst, "  "...), count(g.count, "file")...)
		dst = append(append(dst, ": "...), clean(g.reason)...)
		dst = append(append(append(dst, " ("...), strings.Join(names, ", ")...), ", ...)\n"...)
	}
	return dst
}

// appendFailed names each file that failed, but those that fail in the same way,
// such as by one broken configuration, in one line.
func appendFailed(dst []byte, failed []*diag.FileReport, o Options) []byte {
	same := map[string][]*diag.FileReport{}
	for _, f := range failed {
		same[f.Reason] = append(same[f.Reason], f)
	}
	for _, f := range failed {
		g := same[f.Reason]
		if !o.Verbose && len(g) > namedSkips {
			if g[0] != f {
				continue
			}
			names := make([]string, shownSamples)
			for i := range names {
				names[i] = o.shown(g[i].Path)
			}
			dst = o.paint(dst, red, "error:")
			dst = append(append(append(dst, ' '), count(len(g), "file")...), ": "...)
			dst = append(append(append(dst, clean(f.Reason)...), " ("...), strings.Join(names, ", ")...)
			dst = append(dst, ", ...)\n"...)
			continue
		}
		dst = o.paint(dst, red, "error:")
		dst = append(append(dst, ' '), o.shown(f.Path)...)
		dst = append(append(append(dst, ": "...), clean(f.Reason)...), '\n')
	}
	return dst
}

// AppendOverBudget appends the lines for stderr of a run that skipped more than
// limit files: each skipped file with its reason, then the limit. It appends
// nothing if the run is within its budget.
func AppendOverBudget(dst []byte, r *diag.Report, limit int, o Options) []byte {
	if r.Summary.Skipped <= limit {
		return dst
	}
	for i := range r.Files {
		if f := &r.Files[i]; f.Outcome == diag.Skipped {
			dst = append(append(dst, "skipped "...), o.shown(f.Path)...)
			dst = append(append(append(dst, ": "...), clean(f.Reason)...), '\n')
		}
	}
	dst = o.paint(dst, red, "error:")
	return append(dst, " "+count(r.Summary.Skipped, "file")+" skipped, at most "+strconv.Itoa(limit)+" allowed\n"...)
}
