// Package commitmsg judges commit messages, and tidies them up. It knows the
// bytes of the file git hands to a commit-msg hook: what git will strip from
// it (comments, what follows the scissors) is neither judged nor touched. It
// reads no file and no configuration of git; it is told.
package commitmsg

import (
	"regexp"
	"slices"
	"strings"

	"poly/internal/diag"
)

// EngineName is the engine field of the diagnostics.
const EngineName = "commit"

// Checker judges messages by one configuration. It is immutable and may be
// used by many goroutines.
type Checker struct {
	o        Options
	pattern  *regexp.Regexp
	excludes []exclude
	cleanups []cleanup
	ignores  []*regexp.Regexp
	// conventional: titles have the form "type(scope): subject".
	conventional bool
	simple       bool
	singleLine   bool
	requireBody  bool
}

type exclude struct {
	re      *regexp.Regexp
	message string
}

type cleanup struct {
	re      *regexp.Regexp
	replace string
	what    string
}

// New compiles o. The error is a *usererr.Error: a pattern that is none, an
// unknown preset, or rules that exclude each other.
func New(o Options) (*Checker, error) {
	c := &Checker{o: o, singleLine: o.SingleLine, requireBody: o.RequireBody}
	switch o.Preset {
	case "", "conventional", "default":
		c.conventional = true
	case "conventional-body", "conventional_detailed", "conventional-with-body":
		c.conventional, c.requireBody = true, true
	case "simple", "simple-single-line":
		c.simple, c.singleLine = true, true
	default:
		return nil, badPreset(o.Preset)
	}
	if c.singleLine && c.requireBody {
		return nil, contradiction(o.Preset)
	}
	if o.Pattern != "" {
		c.conventional, c.simple = false, false
	}
	return c, c.compile()
}

func (c *Checker) compile() (err error) {
	if c.o.Pattern != "" {
		if c.pattern, err = compile("message pattern", c.o.Pattern); err != nil {
			return err
		}
	}
	for _, e := range c.o.Excludes {
		re, err := compile("excludes", e.Pattern)
		if err != nil {
			return err
		}
		c.excludes = append(c.excludes, exclude{re, e.Message})
	}
	for _, k := range c.o.Cleanups {
		re, err := compile("cleanup", k.Find)
		if err != nil {
			return err
		}
		c.cleanups = append(c.cleanups, cleanup{re, k.Replace, k.Description})
	}
	for _, p := range c.o.Ignores {
		re, err := compile("ignores", p)
		if err != nil {
			return err
		}
		c.ignores = append(c.ignores, re)
	}
	return nil
}

// Result is what a check found.
type Result struct {
	// Diagnostics in the order of the text, with byte offsets, lines and
	// columns of the file as it was given.
	Diagnostics []diag.Diagnostic
	// Ignored is why the message was not judged, such as "merge"; "" if it was.
	Ignored string
}

// Failed reports whether a diagnostic is an error.
func (r *Result) Failed() bool {
	return slices.ContainsFunc(r.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// Check judges the file text of a message as git g is going to read it.
func (c *Checker) Check(text []byte, g Git) Result {
	m := parse(text, g)
	if why := c.ignored(m, g); why != "" {
		return Result{Ignored: why}
	}
	j := &judge{Checker: c, message: m}
	j.run()
	lines := diag.NewLines(text)
	for i := range j.diags {
		if s := j.diags[i].Span; s != nil {
			lines.Fill(s)
		}
	}
	diag.Sort(j.diags)
	return Result{Diagnostics: j.diags}
}

// judge collects what is wrong with one message.
type judge struct {
	*Checker
	message *message
	diags   []diag.Diagnostic
}

func (j *judge) run() {
	if len(j.message.lines) == 0 {
		at := j.message.start
		j.report(codeEmpty, at, at, "The message is empty")
		return
	}
	title := j.affixes()
	switch {
	case j.conventional:
		j.title(title)
		j.bodyLines()
		j.breaking()
	case j.simple:
		if j.pattern == nil && !startsWithLetter(title.text) {
			j.report(codePattern, title.start, title.end(), "The title does not start with a letter")
		}
	}
	j.matches()
	j.layout()
	j.policies()
	j.machines()
	j.tidy()
}

// report adds a finding in [start, end) with the severity of its rule.
func (j *judge) report(code string, start, end int, title string, fix ...diag.Edit) {
	j.diags = append(j.diags, diag.Diagnostic{
		Engine: EngineName, Code: code, Severity: severityOf(code), Title: title,
		Span: &diag.Span{Start: start, End: end}, Fix: fix,
	})
}

// matches judges by the pattern and the excludes of the configuration.
func (j *judge) matches() {
	whole := j.message.String()
	first := j.message.lines[0]
	if j.pattern != nil && !j.pattern.MatchString(whole) && !j.pattern.MatchString(first.text) {
		title := "The message does not match " + quote(j.o.Pattern)
		if d := j.o.PatternDescription; d != "" {
			title = "The message does not match: " + d
		}
		j.report(codePattern, first.start, first.end(), title)
	}
	for _, x := range j.excludes {
		at := x.re.FindStringIndex(whole)
		if at == nil {
			continue
		}
		title := x.message
		if title == "" {
			title = "The message matches " + quote(x.re.String())
		}
		start, end := j.message.span(at[0], at[1])
		j.report(codeExcluded, start, end, title)
	}
}

func quote(s string) string { return "`" + s + "`" }

func startsWithLetter(s string) bool {
	return strings.IndexFunc(s, isLetter) == 0
}
