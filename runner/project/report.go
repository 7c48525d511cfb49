package project

import (
	"slices"
	"strings"

	"poly/internal/report"
	"poly/runner/job"
)

// Report is what became of a phase.
type Report struct {
	Tools    []job.Result
	Fix      bool
	Warnings []string
	code     int
}

// Exit is 0; 1 if a tool said no; 2 if one gave no verdict.
func (r *Report) Exit() int { return r.code }

// Passed reports whether no tool failed, timed out or was cancelled, and none
// that the configuration names was absent.
func (r *Report) Passed() bool { return r.code == 0 }

// Object is the document: {passed, fixed, tools}. fixed tells that the fix forms
// ran. A tool that is skipped or absent has a reason and no exit code.
func (r *Report) Object() report.Object {
	tools := make([]report.Object, len(r.Tools))
	for i := range r.Tools {
		tools[i] = tool(&r.Tools[i])
	}
	return report.Object{{Key: "passed", Value: r.Passed()}, {Key: "fixed", Value: r.Fix}, {Key: "tools", Value: tools}}
}

func tool(t *job.Result) report.Object {
	found := make([]report.Object, len(t.Findings))
	for i := range t.Findings {
		found[i] = finding(&t.Findings[i])
	}
	var exit any
	if t.ExitCode >= 0 {
		exit = t.ExitCode
	}
	return report.Object{
		{Key: "id", Value: t.Job.ID},
		{Key: "outcome", Value: t.Outcome.String()},
		{Key: "reason", Value: optional(t.Reason)},
		{Key: "cached", Value: t.Cached},
		{Key: "duration_ms", Value: t.Duration.Milliseconds()},
		{Key: "exit_code", Value: exit},
		{Key: "output", Value: Plain(t.Output)},
		{Key: "output_truncated", Value: t.Truncated},
		{Key: "diagnostics", Value: found},
	}
}

// finding has the members of a diagnostic of poly lint, and the path.
func finding(f *job.Finding) report.Object {
	var span any
	if s := f.Span; s != nil {
		span = report.Object{{Key: "start_line", Value: s.StartLine}, {Key: "start_col", Value: s.StartCol}, {Key: "end_line", Value: s.EndLine}, {Key: "end_col", Value: s.EndCol}}
	}
	return report.Object{
		{Key: "path", Value: optional(f.Path)},
		{Key: "engine", Value: f.Engine},
		{Key: "code", Value: optional(f.Code)},
		{Key: "severity", Value: f.Severity.String()},
		{Key: "title", Value: f.Title},
		{Key: "description", Value: optional(f.Description)},
		{Key: "span", Value: span},
		{Key: "url", Value: optional(f.URL)},
		{Key: "fix", Value: nil},
		{Key: "metadata", Value: nil},
	}
}

func optional(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// marks are what people see of an outcome.
var marks = map[job.Outcome]string{job.Passed: "✓", job.Failed: "×", job.Skipped: "-", job.Absent: "-", job.TimedOut: "⧖", job.Cancelled: "!"}

// Append appends the report for people. quiet leaves out what passed.
func (r *Report) Append(dst []byte, quiet, color bool) []byte {
	shown := slices.DeleteFunc(slices.Clone(r.Tools), func(t job.Result) bool { return quiet && t.Outcome == job.Passed })
	if len(shown) == 0 {
		return dst
	}
	dst = append(dst, paint("whole-project checks", "1", color)+"\n"...)
	for i := range shown {
		dst = appendTool(dst, &shown[i], color)
	}
	return dst
}

func appendTool(dst []byte, t *job.Result, color bool) []byte {
	mark := marks[t.Outcome]
	switch t.Outcome {
	case job.Passed:
		mark = paint(mark, "32", color)
	case job.Skipped, job.Absent:
	default:
		mark = paint(mark, "31", color)
	}
	dst = append(dst, "  "+mark+" "+t.Job.ID...)
	switch {
	case t.Cached:
		dst = append(dst, " (cached)"...)
	case t.Outcome == job.Passed:
	case t.Outcome == job.Skipped:
		dst = append(dst, " skipped: "+t.Reason...)
	case t.Outcome == job.Absent:
		dst = append(dst, " absent: "+t.Reason...)
	default:
		dst = append(dst, ": "+t.Reason...)
	}
	dst = append(dst, '\n')
	if t.Outcome == job.Passed || t.Outcome == job.Skipped || t.Outcome == job.Absent {
		return dst
	}
	if t.Job.FailText != "" {
		dst = append(dst, "      "+t.Job.FailText+"\n"...)
	}
	text := t.Output
	if !color {
		text = Plain(text)
	}
	for line := range strings.Lines(strings.TrimRight(text, " \t\r\n")) {
		dst = append(dst, "      "+strings.TrimRight(line, "\r\n")+"\n"...)
	}
	return dst
}

func paint(s, code string, on bool) string {
	if !on {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Plain takes escape sequences of terminals, and control characters but
// newlines and tabs, out of a text.
func Plain(s string) string {
	if strings.IndexFunc(s, control) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == 0x1b {
			i += escape(s[i:])
			continue
		}
		if s[i] == '\r' && i+1 < len(s) && s[i+1] != '\n' {
			b.WriteByte('\n') // a progress bar drew over the line
		} else if c := s[i]; c >= 0x20 && c != 0x7f || c == '\n' || c == '\t' {
			b.WriteByte(c)
		}
		i++
	}
	return b.String()
}

func control(c rune) bool { return c < 0x20 && c != '\n' && c != '\t' || c == 0x7f }

// escape is the length of the escape sequence that s begins with.
func escape(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				return i
			}
		}
		return len(s)
	case ']', 'P', '_', '^':
		for i := 2; i < len(s); i++ {
			switch {
			case s[i] == 0x07:
				return i + 1
			case s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\':
				return i + 2
			case s[i] == '\n':
				return i
			}
		}
		return len(s)
	}
	return 2
}
