package report

import (
	"slices"

	"poly/internal/rules"
)

// Rules is the document about rules, and their tests if they were run. What is
// wrong with files of rules is in errors, which is there if something is.
func Rules(l *rules.Listing) Object {
	list := make([]Object, len(l.Rules))
	for i := range l.Rules {
		r := &l.Rules[i]
		list[i] = Object{}.With("id", r.ID).With("language", r.Language).With("source", r.Source).With("default_severity", r.DefaultSeverity).
			With("severity", r.Severity).With("enabled", r.Enabled).With("message", r.Message).With("file", r.File)
	}
	o := Object{}.With("dirs", l.Dirs).With("rules", list)
	problems := l.Problems
	if l.Tested != nil {
		problems = slices.Concat(problems, l.Tested.Problems)
	}
	if len(problems) > 0 {
		wrong := make([]Object, len(problems))
		for i := range problems {
			wrong[i] = Object{}.With("path", problems[i].File).With("error", problems[i].Error())
		}
		o = o.With("errors", wrong)
	}
	t := l.Tested
	if t == nil {
		return o
	}
	tests := make([]Object, len(t.Tests))
	for i := range t.Tests {
		x := &t.Tests[i]
		tests[i] = Object{}.With("rule_id", x.RuleID).With("kind", x.Kind).With("index", x.Index).With("passed", x.Passed).With("detail", x.Detail)
	}
	return o.With("tests", tests).With("missing_rule_ids", listOf(t.Missing)).With("untested_rule_ids", listOf(t.Untested)).
		With("ok", t.OK() && len(l.Problems) == 0)
}

// listOf returns a list that is never null.
func listOf(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
