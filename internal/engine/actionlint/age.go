package actionlint

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	upstream "github.com/rhysd/actionlint"

	"poly/internal/diag"
)

// severity is that of the rule of a kind, as Engine has it, and a warning
// where the library goes by a list of what GitHub had when it was released: a
// name it does not know may be new. One that is nearly on the list is misspelt.
func severity(w *upstream.Workflow, e *upstream.Error, at []byte) diag.Severity {
	switch e.Kind {
	case kindAction, "runner-label", "credentials", "deprecated-commands", "if-cond":
		return diag.Warning
	case kindSyntax:
		return warnIf(agedSyntax(e.Message))
	case "events":
		return warnIf(agedEvent(e.Message))
	case "permissions":
		return warnIf(agedPermission(e.Message))
	case "expression":
		return warnIf(agedExpression(w, e, at))
	}
	return diag.Error
}

func warnIf(aged bool) diag.Severity {
	if aged {
		return diag.Warning
	}
	return diag.Error
}

func agedSyntax(message string) bool {
	switch {
	case strings.HasPrefix(message, "unexpected key "), strings.HasPrefix(message, "expected ") && strings.Contains(message, " key for "):
		name, rest := quoted(message)
		if strings.HasPrefix(message, "expected ") {
			name, _ = quoted(message[strings.LastIndex(message, "got ")+1:])
			rest = message
		}
		return !slices.ContainsFunc(words(rest), func(known string) bool { return misspelt(name, known) }) && !slices.Contains(keys(), name)
	case strings.HasPrefix(message, "anchor ") && strings.HasSuffix(message, "but not used"):
		return true // GitHub does not mind
	}
	return strings.HasPrefix(message, "input type of workflow_dispatch") || strings.HasPrefix(message, "invalid value ") && strings.Contains(message, "for input type of")
}

// keys are those a workflow has anywhere: one that stands elsewhere is out of place.
func keys() []string {
	return []string{
		"branches", "branches-ignore", "cancel-in-progress", "concurrency", "container", "continue-on-error", "credentials", "cron", "default",
		"defaults", "description", "entrypoint", "args", "env", "environment", "exclude", "fail-fast", "group", "id", "if", "image", "include", "inputs",
		"jobs", "labels", "matrix", "max-parallel", "name", "needs", "on", "options", "outputs", "password", "paths", "paths-ignore", "permissions",
		"ports", "required", "run", "run-name", "runs-on", "schedule", "secrets", "services", "shell", "step", "steps", "strategy", "tags", "tags-ignore",
		"timeout-minutes", "type", "types", "url", "username", "uses", "value", "volumes", "with", "working-directory", "workflows",
	}
}

func agedEvent(message string) bool {
	name, rest := quoted(message)
	switch {
	case strings.HasPrefix(message, "unknown Webhook event "):
		for known := range upstream.AllWebhookTypes {
			if misspelt(name, known) {
				return false
			}
		}
		return !slices.ContainsFunc([]string{"schedule", "workflow_call", "workflow_dispatch", "repository_dispatch"}, func(known string) bool { return misspelt(name, known) })
	case strings.HasPrefix(message, "invalid activity type "):
		return !slices.ContainsFunc(words(rest), func(known string) bool { return misspelt(name, known) })
	}
	return strings.Contains(message, "cannot be specified for ") || strings.Contains(message, " filter is not available for ") ||
		strings.HasPrefix(message, "maximum number of inputs")
}

func agedPermission(message string) bool {
	name, rest := quoted(message)
	if strings.Contains(message, " is invalid as permission of scope ") {
		return name == "read" || name == "write" || name == "none"
	}
	return strings.HasPrefix(message, "unknown permission scope ") &&
		!slices.ContainsFunc(words(rest), func(known string) bool { return misspelt(name, known) })
}

// outputOf matches an output of a step.
var outputOf = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^steps\.([\w-]+)\.outputs(?:\.|\[')([\w-]+)`)
})

// agedExpression looks at the text an expression's error is about as well.
func agedExpression(w *upstream.Workflow, e *upstream.Error, at []byte) bool {
	name, rest := quoted(e.Message)
	near := func() bool {
		return slices.ContainsFunc(words(rest), func(known string) bool { return misspelt(name, known) })
	}
	switch {
	case strings.HasPrefix(e.Message, "context ") && strings.Contains(e.Message, " is not allowed here"),
		strings.HasPrefix(e.Message, "calling function ") && strings.Contains(e.Message, " is not allowed here"):
		return true
	case strings.HasPrefix(e.Message, "undefined function "):
		return !near()
	case !strings.HasPrefix(e.Message, "property ") || !strings.Contains(e.Message, " is not defined in object type "):
		return false
	}
	if m := outputOf().FindSubmatch(at); m != nil {
		return strings.EqualFold(string(m[2]), name) && !localStep(w, e.Line, string(m[1])) && !near()
	}
	root, _, _ := strings.Cut(strings.ToLower(string(at[:min(len(at), 16)])), ".")
	switch root {
	case "github", "runner", "job", "strategy":
		return !near()
	}
	return false
}

// localStep reports whether a step of the job at a line runs an action of the
// tree, or none: then its outputs are known.
func localStep(w *upstream.Workflow, line int, id string) bool {
	job := jobAt(w, line)
	if job == nil {
		return true
	}
	for _, s := range job.Steps {
		if s.ID == nil || !strings.EqualFold(s.ID.Value, id) {
			continue
		}
		exec, ok := s.Exec.(*upstream.ExecAction)
		return !ok || exec.Uses == nil || strings.HasPrefix(exec.Uses.Value, "./")
	}
	return true
}

// quoted returns the first quoted word of a message and what follows it.
func quoted(message string) (word, rest string) {
	_, rest, _ = strings.Cut(message, `"`)
	word, rest, _ = strings.Cut(rest, `"`)
	return word, rest
}

// words are the names in a list, whatever stands between them.
func words(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// misspelt tells that a word is meant to be a known one: in another case, with
// one letter wrong, missing, too much or swapped, or another ending.
func misspelt(word, known string) bool {
	word = strings.ReplaceAll(strings.ToLower(word), "_", "-")
	known = strings.ReplaceAll(strings.ToLower(known), "_", "-")
	if len(word) < 3 || len(known) < 3 {
		return word == known
	}
	return word+"ed" == known || word == known+"ed" || distanceOne(word, known)
}

// distanceOne reports whether two words are equal but for one letter.
func distanceOne(a, b string) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	switch len(a) - len(b) {
	case 1:
		return a[1:] == b
	case -1:
		return b[1:] == a
	case 0:
		swapped := len(a) >= 2 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
		return len(a) == 0 || a[1:] == b[1:] || swapped
	}
	return false
}

// port reports whether e is about the port of a service, which GitHub finds by
// a number too: job.services.db.ports[5432].
func port(e *upstream.Error, line []byte) bool {
	return strings.HasPrefix(e.Message, "property access of object must be type of string but got \"number\"") && bytes.Contains(line, []byte(".ports["))
}

// timezone reports whether e is about a name of a time zone that looks like
// one: which there are is asked of the system, and another one knows others.
func timezone(e *upstream.Error) bool {
	name, _ := quoted(e.Message)
	return strings.HasPrefix(e.Message, "invalid timezone ") && strings.Contains(name, "/") && !strings.ContainsAny(name, " ,.:")
}
