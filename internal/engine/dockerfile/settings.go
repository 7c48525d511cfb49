package dockerfile

import (
	"fmt"
	"regexp"
	"slices"
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
		return nil, fmt.Errorf("%s: %w", in[0].Path, err)
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
