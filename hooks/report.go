package hooks

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"poly/internal/report"
)

// Pretty appends the outcome of a stage for people: what passed and was
// skipped first, what failed last, each with its output in one piece.
func (r *Run) Pretty(dst []byte, o report.Options) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	if r.Skipped != "" {
		fmt.Fprintf(b, "%s: skipped: %s\n", r.Stage, r.Skipped)
		return b.Bytes(), nil
	}
	if r.Planned != nil {
		return r.prettyPlan(b, o), nil
	}
	if len(r.Results) == 0 && len(r.Notes) == 0 {
		return b.Bytes(), nil
	}
	fmt.Fprintf(b, "%s: %s, %s\n", r.Stage, filesIn(r.Files), r.Judged)
	results := slices.Clone(r.Results)
	slices.SortStableFunc(results, func(a, b Result) int { return rank(&a) - rank(&b) })
	p := &prettyRun{b: b, o: o, width: nameWidth(results)}
	for i := range results {
		if err := p.result(&results[i]); err != nil {
			return nil, err
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(b, "note: %s\n", n)
	}
	return b.Bytes(), nil
}

// prettyPlan appends what would run; with Verbose every file and reason.
func (r *Run) prettyPlan(b *bytes.Buffer, o report.Options) []byte {
	fmt.Fprintf(b, "%s would judge %s, %s:\n", r.Stage, filesIn(r.Files), r.Judged)
	for i := range r.Planned {
		p := &r.Planned[i]
		if p.Skip != "" {
			fmt.Fprintf(b, "  - %s  skipped: %s\n", p.Name, p.Skip)
		} else {
			fmt.Fprintf(b, "  %s  %s\n", p.Name, filesIn(len(p.Files)))
		}
		line := func(what, text string) {
			if text != "" {
				fmt.Fprintf(b, "      %s: %s\n", what, strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n        "))
			}
		}
		line("runs", p.Command)
		if !o.Verbose {
			continue
		}
		line("written at", p.Origin)
		line("sees", p.Where)
		line("asks first", strings.Join(p.Asks, "; "))
		line("waits for", strings.Join(p.After, ", "))
		line("files", strings.Join(p.Files, "\n"))
	}
	return b.Bytes()
}

func rank(r *Result) int {
	switch r.Outcome {
	case Failed:
		return 1
	case Errored, TimedOut, Killed:
		return 2
	}
	return 0
}

func nameWidth(results []Result) int {
	w := 0
	for i := range results {
		w = max(w, len(results[i].Name))
	}
	return min(w, 40)
}

type prettyRun struct {
	b     *bytes.Buffer
	o     report.Options
	width int
}

func (p *prettyRun) result(r *Result) error {
	mark, color := "✓", "32"
	switch r.Outcome {
	case Skipped:
		mark, color = "-", "2"
	case Failed:
		mark, color = "×", "31"
	case Errored, TimedOut, Killed:
		mark, color = "!", "31"
	}
	fmt.Fprintf(p.b, "  %s %-*s", p.paint(mark, color), p.width, r.Name)
	var more []string
	switch {
	case r.Outcome == Skipped:
		more = append(more, "skipped: "+r.Reason)
	case r.Reason != "":
		more = append(more, r.Reason)
	case r.Outcome == TimedOut:
		more = append(more, "timed out")
	}
	if r.Cached {
		more = append(more, "cached")
	}
	if len(r.Fixed) > 0 {
		more = append(more, "fixed "+filesIn(len(r.Fixed)))
	}
	if r.Outcome != Skipped {
		more = append(more, duration(r.Duration))
	}
	p.b.WriteString("  " + strings.Join(more, ", ") + "\n")
	if r.Outcome == Passed || r.Outcome == Skipped {
		return nil
	}
	if r.FailText != "" {
		fmt.Fprintf(p.b, "      %s\n", strings.ReplaceAll(strings.TrimSpace(r.FailText), "\n", "\n      "))
	}
	return p.output(r)
}

func (p *prettyRun) paint(s, color string) string {
	if !p.o.Color {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

// output appends what a result has to say, indented.
func (p *prettyRun) output(r *Result) error {
	text := r.Output
	if r.Report != nil {
		f, err := report.Find(report.Pretty)
		if err != nil {
			return err
		}
		if text, err = f.Report(nil, r.Report, p.o); err != nil {
			return err
		}
	}
	for line := range bytes.Lines(bytes.TrimRight(text, "\n")) {
		p.b.WriteString("      ")
		p.b.Write(bytes.TrimRight(line, "\n"))
		p.b.WriteByte('\n')
	}
	return nil
}

func duration(d time.Duration) string {
	if d >= time.Second {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return fmt.Sprintf("%dms", d.Milliseconds())
}

// Object is the outcome as a document for machines.
func (r *Run) Object() report.Object {
	if r.Planned != nil {
		return r.planObject()
	}
	rows := make([]report.Object, 0, len(r.Results))
	for i := range r.Results {
		rows = append(rows, r.Results[i].Object())
	}
	return report.Object{}.
		With("stage", r.Stage).With("judged", r.Judged).With("files", r.Files).With("exit", r.Code()).With("reason", r.Skipped).
		With("jobs", rows).With("fixed", nonNil(r.Fixed)).With("notes", nonNil(r.Notes)).With("duration_ms", r.Duration.Milliseconds())
}

func (r *Run) planObject() report.Object {
	rows := make([]report.Object, 0, len(r.Planned))
	for i := range r.Planned {
		p := &r.Planned[i]
		files := make([]string, len(p.Files))
		for k, f := range p.Files {
			files[k] = strings.ToValidUTF8(f, "\ufffd")
		}
		rows = append(rows, report.Object{}.With("job", p.Name).With("command", p.Command).With("origin", p.Origin).With("skip", p.Skip).
			With("sees", p.Where).With("asks", nonNil(p.Asks)).With("waits_for", nonNil(p.After)).With("files", files))
	}
	return report.Object{}.With("stage", r.Stage).With("judged", r.Judged).With("files", r.Files).With("plan", rows)
}

// Object is the result as a document for machines.
func (r *Result) Object() report.Object {
	o := report.Object{}.
		With("job", r.Name).With("outcome", string(r.Outcome)).With("reason", r.Reason).With("exit_code", r.Exit).
		With("files", r.Files).With("cached", r.Cached).With("fixed", nonNil(r.Fixed)).With("duration_ms", r.Duration.Milliseconds())
	if r.Report == nil {
		return o.With("output", strings.ToValidUTF8(string(r.Output), "\ufffd"))
	}
	var found []report.Object
	for i := range r.Report.Files {
		f := &r.Report.Files[i]
		if f.Changed {
			found = append(found, report.Object{}.With("path", strings.ToValidUTF8(f.Path, "\ufffd")).With("title", "would be formatted"))
		}
		for j := range f.Diagnostics {
			d := &f.Diagnostics[j]
			line, col := 0, 0
			if d.Span != nil {
				line, col = d.Span.StartLine, d.Span.StartCol
			}
			found = append(found, report.Object{}.With("path", strings.ToValidUTF8(f.Path, "\ufffd")).With("line", line).With("column", col).
				With("severity", d.Severity.String()).With("engine", d.Engine).With("code", d.Code).With("title", d.Title))
		}
	}
	return o.With("findings", found)
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
