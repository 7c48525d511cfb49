package dockerfile

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/yamlevent"
)

// nativeNames are the files hadolint reads its settings from.
var nativeNames = []string{".hadolint.yaml", ".hadolint.yml"}

// settings are the options in force for a file.
type settings struct {
	registries []string // hosts images may come from; none: any
	given      bool     // registries stand in poly.toml
	ignored    []string
	levels     map[string]diag.Severity // by code
	noPragmas  bool
}

// with adds what the nearest file of hadolint's says.
func (s *settings) with(in []engine.Input) (*settings, error) {
	if len(in) == 0 {
		return s, nil
	}
	docs, err := yamlevent.Tree(in[0].Text)
	if err != nil {
		return nil, engine.BrokenBy(in[0], err)
	}
	if err := wellFormed(in[0], docs); err != nil {
		return nil, err
	}
	out := &settings{registries: s.registries, given: s.given, levels: map[string]diag.Severity{}}
	if len(docs) == 0 {
		return out, nil
	}
	each(docs[0], func(key string, v *yamlevent.Node) {
		switch key {
		case "ignored":
			out.ignored = texts(v)
		case "trustedRegistries":
			if !s.given {
				out.registries = texts(v)
			}
		case "override":
			each(v, func(level string, codes *yamlevent.Node) {
				for _, c := range texts(codes) {
					if sev, ok := severityOf(level); ok {
						out.levels[c] = sev
					}
				}
			})
		case "disable-ignore-pragma":
			out.noPragmas = slices.Contains([]string{"true", "True", "yes", "on"}, v.Value)
		}
	})
	return out, nil
}

// wellFormed reports what hadolint refuses in a configuration. It knows no
// key that is unknown, and no code.
func wellFormed(in engine.Input, docs []*yamlevent.Node) error {
	if len(docs) == 0 {
		return engine.Broken(in.Path, 1, "it is empty")
	}
	root := docs[0].Follow()
	if root == nil || root.Kind != yamlevent.MappingStart {
		return engine.Broken(in.Path, 1, "it is not a mapping")
	}
	var err error
	want := func(n *yamlevent.Node, key, what string, ok bool) {
		if err == nil && !ok {
			err = engine.Broken(in.Path, in.Line(n.Start), "%s must be %s", key, what)
		}
	}
	each(root, func(key string, v *yamlevent.Node) { typed(key, v, want) })
	return err
}

// typed calls want with what hadolint asks of the value of a key.
func typed(key string, v *yamlevent.Node, want func(n *yamlevent.Node, key, what string, ok bool)) {
	empty := v.Kind == yamlevent.Scalar && v.Style == yamlevent.Plain && slices.Contains([]string{"", "~", "null"}, v.Value)
	switch key {
	case "ignored", "trustedRegistries":
		want(v, key, "a list of strings", empty || isTexts(v))
	case "disable-ignore-pragma", "strict-labels", "no-fail", "no-color", "verbose":
		want(v, key, "a boolean", empty || v.Style == yamlevent.Plain && slices.Contains([]string{"true", "false"}, strings.ToLower(v.Value)))
	case "label-schema":
		want(v, key, "a mapping", empty || v.Kind == yamlevent.MappingStart)
	case "override":
		want(v, key, "a mapping", empty || v.Kind == yamlevent.MappingStart)
		each(v, func(level string, codes *yamlevent.Node) {
			if _, ok := severityOf(level); ok {
				want(codes, key+"."+level, "a list of codes", isTexts(codes))
			}
		})
	}
}

// isTexts tells that a node is a sequence of strings.
func isTexts(n *yamlevent.Node) bool {
	if n.Kind != yamlevent.SequenceStart {
		return false
	}
	for _, i := range n.Items {
		i = i.Follow()
		if i == nil || i.Kind != yamlevent.Scalar {
			return false
		}
		if _, err := strconv.ParseFloat(i.Value, 64); err == nil && i.Style == yamlevent.Plain {
			return false
		}
	}
	return true
}

func severityOf(level string) (diag.Severity, bool) {
	switch level {
	case "error":
		return diag.Error, true
	case "warning":
		return diag.Warning, true
	case "info":
		return diag.Info, true
	case "style":
		return diag.Hint, true
	}
	return 0, false
}

// each calls f with every entry of a mapping.
func each(n *yamlevent.Node, f func(key string, v *yamlevent.Node)) {
	if n = n.Follow(); n == nil || n.Kind != yamlevent.MappingStart {
		return
	}
	for i := 0; i+1 < len(n.Items); i += 2 {
		if v := n.Items[i+1].Follow(); v != nil {
			f(n.Items[i].Value, v)
		}
	}
}

// texts returns the scalars of a sequence.
func texts(n *yamlevent.Node) []string {
	var out []string
	if n.Kind != yamlevent.SequenceStart {
		return nil
	}
	for _, i := range n.Items {
		if i = i.Follow(); i != nil && i.Kind == yamlevent.Scalar {
			out = append(out, i.Value)
		}
	}
	return out
}

// severity returns the level of a code.
func (s *settings) severity(code string) diag.Severity {
	if sev, ok := s.levels[code]; ok {
		return sev
	}
	for i := range rules {
		if rules[i].Code == code {
			return rules[i].Severity
		}
	}
	return diag.Warning
}

// pragmas are the comments that silence rules.
type pragmas struct {
	all    []string
	stages map[int][]string // by the line of FROM
	lines  map[int][]string // by the line of the instruction
	stage  map[int]int      // the line of its FROM by that of an instruction
	places []int            // lines of comments that silence one instruction
}

var pragma = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t]*#[ \t]*hadolint[ \t]+(?:(global|stage)[ \t]+)?ignore[ \t]*=[ \t]*([DLSC0-9]+(?:[ \t]*,[ \t]*[DLSC0-9]+)*)[ \t]*(?:#.*)?$`)
})

var codeList = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Z]+[0-9]+`) })

// pragmas reads the comments of a file. One holds for the instruction below it,
// also if more comments stand between the two.
func (f *file) pragmas() *pragmas {
	p := &pragmas{stages: map[int][]string{}, lines: map[int][]string{}, stage: map[int]int{}}
	if !strings.Contains(string(f.text), "hadolint") {
		return p
	}
	lines := strings.Split(string(f.text), "\n")
	last, from := 0, 0 // the last line of the instruction before, the line of FROM
	for _, in := range f.list {
		if in.name == "from" {
			from = in.StartLine
		}
		p.stage[in.StartLine] = from
		for at := in.StartLine - 1; at > last && at <= len(lines); at-- {
			line := strings.TrimSpace(lines[at-1])
			if !strings.HasPrefix(line, "#") {
				break
			}
			if m := pragma().FindStringSubmatch(line); m != nil && m[1] != "global" {
				codes := codeList().FindAllString(m[2], -1)
				if m[1] == "stage" {
					p.stages[in.StartLine] = append(p.stages[in.StartLine], codes...)
					continue
				}
				p.lines[in.StartLine] = append(p.lines[in.StartLine], codes...)
				p.places = append(p.places, at)
			}
		}
		last = in.EndLine
	}
	for _, line := range lines {
		if m := pragma().FindStringSubmatch(strings.TrimSpace(line)); m != nil && m[1] == "global" {
			p.all = append(p.all, codeList().FindAllString(m[2], -1)...)
		}
	}
	return p
}

// silences tells that a comment switches a code off for an instruction.
func (p *pragmas) silences(code string, in *instruction) bool {
	return in != nil && (slices.Contains(p.all, code) || slices.Contains(p.lines[in.StartLine], code) ||
		slices.Contains(p.stages[p.stage[in.StartLine]], code))
}
