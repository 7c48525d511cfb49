package enginetest

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
)

var (
	engineName = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)
	ruleCode   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9/_.@-]*$`)
	// optionName also allows what upstreams call their options: array.preferSingleLine.
	optionName = regexp.MustCompile(`^[a-z][A-Za-z0-9_.-]*$`)
)

// checkSpec: the description is complete, so that help, schema and explain are.
func checkSpec(ctx context.Context, s *suite) []string {
	var out []string
	bad := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	spec := &s.engine.Spec
	if !engineName.MatchString(spec.Name) {
		bad("name %q", spec.Name)
	}
	if spec.Doc == "" {
		bad("no doc")
	}
	if spec.Revision < 1 {
		bad("revision %d, want at least 1", spec.Revision)
	}
	if (spec.Wrapped == "") != (spec.Licence == "") {
		bad("wraps %q under licence %q: name both or neither", spec.Wrapped, spec.Licence)
	}
	if spec.Verbs == 0 || spec.Verbs > engine.Lint|engine.Format {
		bad("verbs %d", spec.Verbs)
	}
	if spec.Cross != (len(spec.Langs) == 0) {
		bad("cross %v with languages %v", spec.Cross, spec.Langs)
	}
	if spec.Verbs&engine.Lint != 0 && len(spec.Rules) == 0 {
		bad("lints but lists no rule")
	}
	out = append(out, checkRules(spec)...)
	out = append(out, checkOptions(spec.Options)...)
	b, w, err := open(ctx, s.engine, defaultEnv(spec, firstLang(spec)))
	if err != nil {
		bad("open with defaults: %v", err)
		return out
	}
	defer func() { _ = w.Close() }()
	if b.PathClass != nil && !spec.UsesPath {
		bad("has a path class but not UsesPath")
	}
	return out
}

func checkRules(spec *engine.Spec) []string {
	var out []string
	seen := map[string]bool{}
	for i := range spec.Rules {
		r := &spec.Rules[i]
		if !ruleCode.MatchString(r.Code) || seen[r.Code] {
			out = append(out, fmt.Sprintf("rule code %q is odd or stands twice", r.Code))
		}
		seen[r.Code] = true
		if r.Severity == diag.SeverityUnset {
			out = append(out, fmt.Sprintf("rule %s has no severity", r.Code))
		}
		if problem := badRuleDoc(r.Doc); problem != "" {
			out = append(out, fmt.Sprintf("rule %s: doc %s", r.Code, problem))
		}
		out = append(out, checkOptions(r.Options)...)
	}
	return out
}

// badRuleDoc tells what explain would lack: the sum, the reason, an example
// and the remedy.
func badRuleDoc(doc string) string {
	paragraphs := strings.Split(strings.TrimRight(doc, "\n"), "\n\n")
	code := func(p string) bool { return strings.HasPrefix(p, "    ") }
	switch first, last := paragraphs[0], paragraphs[len(paragraphs)-1]; {
	case first == "" || strings.Contains(first, "\n"):
		return "does not start with a line of its own that sums it up"
	case !slices.ContainsFunc(paragraphs, code):
		return "has no example, a paragraph indented by four blanks"
	case len(paragraphs) < 4 || code(paragraphs[1]):
		return "does not say why it matters before the example"
	case code(last):
		return "does not end with what to do instead"
	}
	return ""
}

// goTypes are the types of values by [config.Type].
var goTypes = map[config.Type]reflect.Type{
	config.Bool: reflect.TypeFor[bool](), config.Int: reflect.TypeFor[int](), config.String: reflect.TypeFor[string](),
	config.Strings: reflect.TypeFor[[]string](), config.StringMap: reflect.TypeFor[map[string]string](),
	config.Table: reflect.TypeFor[map[string]any](),
}

func checkOptions(options []config.Option) []string {
	var out []string
	for i := range options {
		o := &options[i]
		want, ok := goTypes[o.Type]
		switch {
		case !optionName.MatchString(o.Name) || twice(options[:i], o):
			out = append(out, fmt.Sprintf("option name %q is odd or stands twice", o.Name))
		case o.Doc == "":
			out = append(out, fmt.Sprintf("option %s has no doc", o.Name))
		case !ok:
			out = append(out, fmt.Sprintf("option %s has no type", o.Name))
		case o.Default != nil && reflect.TypeOf(o.Default) != want:
			out = append(out, fmt.Sprintf("option %s: default is %T, want %v", o.Name, o.Default, want))
		case len(o.Enum) > 0 && o.Type == config.String && o.Default != nil && !slices.Contains(o.Enum, o.Default.(string)):
			out = append(out, fmt.Sprintf("option %s: default %q is not allowed", o.Name, o.Default))
		}
	}
	return out
}

// twice reports whether an earlier option may stand in the same table.
func twice(earlier []config.Option, o *config.Option) bool {
	return slices.ContainsFunc(earlier, func(e config.Option) bool {
		return e.Name == o.Name && (e.Langs == nil || o.Langs == nil || slices.ContainsFunc(o.Langs, e.For))
	})
}
