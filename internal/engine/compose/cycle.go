package compose

import (
	"slices"
	"strings"

	"poly/internal/diag"
	"poly/internal/yamlevent"
)

// enabled is a service that starts without a profile, as far as this file
// tells, and those it waits for.
type enabled struct {
	name  string
	needs []dependency
}

// cycles reports services that wait for themselves. One that has, or may have
// by what it extends, a profile is not looked at: without it there is no circle.
func (f *file) cycles(all []entry) {
	byName := map[string]entry{}
	for _, s := range all {
		byName[s.name] = s
	}
	var list []enabled
	at := map[string]int{}
	for _, s := range all {
		if needs, ok := f.started(s, byName, nil); ok {
			at[s.name] = len(list)
			list = append(list, enabled{s.name, needs})
		}
	}
	const open, done = 1, 2
	state := make([]int, len(list))
	var stack []string
	var visit func(n int)
	visit = func(n int) {
		state[n] = open
		stack = append(stack, list[n].name)
		for _, d := range list[n].needs {
			next, ok := at[d.name]
			switch {
			case !ok:
			case state[next] == 0:
				visit(next)
			case state[next] == open:
				f.circle(d, stack[slices.Index(stack, d.name):])
			}
		}
		stack = stack[:len(stack)-1]
		state[n] = done
	}
	for n := range list {
		if state[n] == 0 {
			visit(n)
		}
	}
}

// circle reports the dependency that closes a round of services. Where other
// files of the project may give one of them a profile, it is a warning.
func (f *file) circle(d dependency, round []string) {
	level := diag.Error
	if !f.whole {
		level = diag.Warning
	}
	f.report(d.node, codeCycle, level, "Services wait for each other: "+short(strings.Join(append(slices.Clone(round), d.name), ", ")), "")
}

// started returns what a service waits for; ok is false if it may need a
// profile to be started. path are the services that extend it.
func (f *file) started(s entry, byName map[string]entry, path []string) (needs []dependency, ok bool) {
	if p := f.get(s.value, "profiles"); p != nil && (p.Tag != "" || p.Kind != yamlevent.SequenceStart || len(p.Items) > 0) {
		return nil, false
	}
	if x := f.get(s.value, "extends"); x != nil {
		n := f.extended(s.value)
		if n == nil || slices.Contains(path, n.Value) {
			return nil, false
		}
		base, known := byName[n.Value]
		if !known {
			return nil, false
		}
		if needs, ok = f.started(base, byName, append(path, s.name)); !ok {
			return nil, false
		}
	}
	own := f.get(s.value, "depends_on")
	if own != nil && own.Tag != "" {
		needs = nil
	}
	return append(slices.Clone(needs), f.waits(s.value)...), true
}

// waits returns what a service itself says that it waits for.
func (f *file) waits(s *yamlevent.Node) []dependency {
	var out []dependency
	for _, n := range f.names(f.get(s, "depends_on")) {
		out = append(out, dependency{n.Value, n})
	}
	for _, n := range f.names(f.get(s, "links")) {
		name, _, _ := strings.Cut(n.Value, ":")
		out = append(out, dependency{name, n})
	}
	return append(out, f.shared(s)...)
}
