// Package diag defines what engines say about a file and what a run says about
// a tree. It is pure data and functions on bytes: it does no I/O.
package diag

import (
	"cmp"
	"slices"
	"strings"
)

// Severity ranks a diagnostic. Only Error makes a run exit 1.
type Severity uint8

// The severities, most severe first. The zero value means "the rule's default".
const (
	SeverityUnset Severity = iota
	Error
	Warning
	Info
	Hint
)

var severityNames = [...]string{"", "error", "warning", "info", "hint"}

// String returns the lower-case name used in documents; "" for SeverityUnset.
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return "unknown"
}

// ParseSeverity reads a level as written in configuration: error, warning or
// warn, info or information, hint or help. ok is false for anything else.
func ParseSeverity(s string) (sev Severity, ok bool) {
	switch strings.ToLower(s) {
	case "error":
		return Error, true
	case "warning", "warn":
		return Warning, true
	case "info", "information":
		return Info, true
	case "hint", "help":
		return Hint, true
	}
	return SeverityUnset, false
}

// Span is a half-open range of a file: End is the first position after it.
// Engines set the byte offsets Start and End only; the runner fills lines
// (1-based) and columns (1-based, in code points) with [Lines.Fill].
type Span struct {
	Start, End         int
	StartLine, EndLine int
	StartCol, EndCol   int
}

// Edit replaces the bytes [Start, End) of a file with Replacement.
type Edit struct {
	Start, End  int
	Replacement string
}

// Diagnostic is one thing an engine has to say about one file.
type Diagnostic struct {
	Engine      string
	Code        string // the rule; "" if the engine has none
	Severity    Severity
	Title       string // one sentence
	Description string // more, or ""
	URL         string
	Span        *Span             // nil: the whole file
	Fix         []Edit            // applied together or not at all; empty: no fix
	Metadata    map[string]string // nil: none
	Excerpt     string            // first line of the span, for people; not part of any document
	Asked       bool              // a tool's own configuration asks for the rule, which is off by default; not part of any document
	State       string            // against a base: "", "new", "old", "moved"; a later issue fills it
}

// Outcome is what became of a file in scope: exactly one of three.
type Outcome uint8

// Errored outranks Skipped, which outranks Checked.
const (
	Checked Outcome = iota
	Skipped
	Errored
)

func (o Outcome) String() string { return [...]string{"checked", "skipped", "errored"}[o] }

// FileReport is the outcome for one file. A checked file without diagnostics,
// changes or fixes has no FileReport in a Report: only its count.
type FileReport struct {
	Path        string // slash-separated, relative to the tree's root; may hold any byte but NUL
	Outcome     Outcome
	Changed     bool   // fmt: it would change, or did
	FixWithheld bool   // it is generated, so its fixes were not applied
	Reason      string // why it was skipped, or the error; "" when Checked
	Diagnostics []Diagnostic
	Config      int     // index into Report.Configs
	Fixed       int     // lint --fix: diagnostics whose fix was applied
	More        *Extras // nil: nothing; see [FileReport.Extras]
}

// Extras are what few reports of files hold: a run may have a hundred thousand
// of those, most of them skips.
type Extras struct {
	Detail  string // more on Reason, for --verbose; no document holds it
	Diff    string
	Engines []EngineRun // with --debug only
	// Total is how many diagnostics there were before the record was cut to the
	// first of them; 0: it was not.
	Total int
}

// Extras returns what More points to, nothing if it is nil.
func (f *FileReport) Extras() Extras {
	if f.More == nil {
		return Extras{}
	}
	return *f.More
}

// EngineRun tells what one engine did for one file.
type EngineRun struct {
	Engine   string
	Version  string
	Micros   int64 // 0 on a cache hit
	CacheHit bool
}

// Truncated tells that a document holds only a part of a report, and how to get
// the rest. Counts are of records, and of the diagnostics in them.
type Truncated struct {
	ShownRecords, TotalRecords         int
	ShownDiagnostics, TotalDiagnostics int
	// Next are files and folders to name for more, as the reader would name
	// them; with what was shown they are all there is, or what comes next of it.
	Next []string
	// Files is how many of Report.Files, from the first, have records. Of the
	// others only errors are listed.
	Files int
}

// Summary counts the outcomes: each file in scope is counted exactly once.
type Summary struct{ Checked, Skipped, Errored int }

// Delta summarises a comparison with a base tree; nil in a Report without one.
type Delta struct {
	Base                  string
	New, Old, Moved, Gone int
}

// Report is the outcome of a run: FileReports sorted by path, diagnostics
// sorted by position, engine and code. It is the same for any number of
// workers and for a cold or warm cache, except for the fields under Stats.
type Report struct {
	Verb    string // "lint" or "fmt"
	Fix     bool   // files were written
	Files   []FileReport
	Summary Summary
	Configs []string // hashes "<format>/<16 hex>"
	Delta   *Delta
	// Truncated is nil for a whole report; only documents for agents are cut.
	Truncated *Truncated
	Notes     Notes
	Stats     Stats
}

// Notes tell what a run left out of scope. They are for people and stderr;
// no document holds them.
type Notes struct {
	Excluded     []Rule // exclude rules that removed files, most effective first
	Unrecognised int    // files of no known language that nothing looked at
	Pruned       int    // files below directories that are never entered, such as node_modules
	Samples      []string
	Symlinks     int
	Submodules   int
	Warnings     []string
}

// Rule is an exclude glob as written, and how many files it removed.
type Rule struct {
	Pattern string
	Files   int
}

// Stats are what a run cost; they never enter a document.
type Stats struct {
	Micros    int64
	FromCache int // files answered by the cache
	Read      int // files read
}

// Sort puts d in document order: whole-file diagnostics first, then by start,
// end, engine, code and title.
func Sort(d []Diagnostic) {
	slices.SortStableFunc(d, func(a, b Diagnostic) int {
		as, ae := offsets(a.Span)
		bs, be := offsets(b.Span)
		return cmp.Or(cmp.Compare(as, bs), cmp.Compare(ae, be),
			strings.Compare(a.Engine, b.Engine), strings.Compare(a.Code, b.Code), strings.Compare(a.Title, b.Title))
	})
}

func offsets(s *Span) (start, end int) {
	if s == nil {
		return -1, -1
	}
	return s.Start, s.End
}
