package compose

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"poly/internal/diag"
	"poly/internal/yamlevent"
)

// project looks at what the parts of a file say about each other.
func (f *file) project() {
	if v := f.get(f.root, "version"); v != nil {
		f.report(f.keyOf(f.root, "version"), codeVersion, diag.Info, "version has no effect",
			"Compose reads every file by the newest specification; only docker-compose of before 2021 looks at it.")
	}
	if n := f.get(f.root, "name"); n != nil && kindOf(n) == isString && n.Value != "" && !projectName().MatchString(n.Value) {
		f.report(n, codeBadName, diag.Error, fmt.Sprintf("Project name %q is not possible", short(n.Value)),
			"It has lower case letters, digits, dashes and underscores, and starts with a letter or digit.")
	}
	services := f.services()
	for _, s := range services {
		f.service(s, services)
	}
	f.resources()
	f.cycles(services)
	f.containers(services)
	f.ports(services)
}

var projectName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`) })

// keyOf returns the node of a key.
func (f *file) keyOf(n *yamlevent.Node, key string) *yamlevent.Node {
	for _, e := range f.entries(n) {
		if e.name == key {
			return e.key
		}
	}
	return n
}

// services returns the services that can be looked at.
func (f *file) services() []entry {
	n := f.get(f.root, "services")
	if n == nil || n.Kind != yamlevent.MappingStart {
		return nil
	}
	var out []entry
	for _, e := range f.entries(n) {
		if e.value != nil && e.value.Kind == yamlevent.MappingStart && !tagged(e.value) {
			out = append(out, e)
		}
	}
	return out
}

func (f *file) service(s entry, all []entry) {
	has := func(key string) bool { return f.get(s.value, key) != nil }
	if f.whole && !has("image") && !has("build") && !has("extends") && !has("provider") {
		f.report(s.key, codeNoImage, diag.Warning, fmt.Sprintf("Service %s has neither image nor build", short(s.name)), "")
	}
	f.exclusive(s)
	if t := f.get(f.get(s.value, "healthcheck"), "test"); t != nil && f.filled(t) && t.Kind == yamlevent.SequenceStart {
		f.probe(t.Items[0], s.name)
	}
	if r := f.get(s.value, "restart"); r != nil && kindOf(r) == isString && !restartPolicy().MatchString(r.Value) {
		f.report(r, codeBadValue, diag.Error, fmt.Sprintf("No restart policy is called %q", short(r.Value)),
			"They are no, always, unless-stopped and on-failure, with :N for at most N times.")
	}
	if f.whole {
		f.references(s, all)
	}
}

// exclusive looks for keys of a service that exclude each other.
func (f *file) exclusive(s entry) {
	if mode := f.get(s.value, "network_mode"); mode != nil && !tagged(mode) && mode.Value != "" && f.filled(f.get(s.value, "networks")) {
		f.report(f.keyOf(s.value, "networks"), codeExclusive, diag.Error,
			fmt.Sprintf("Service %s has both network_mode and networks", short(s.name)), "")
	}
	if b := f.get(s.value, "build"); f.get(b, "dockerfile") != nil && f.get(b, "dockerfile_inline") != nil {
		f.report(f.keyOf(b, "dockerfile_inline"), codeExclusive, diag.Error,
			fmt.Sprintf("Service %s has both dockerfile and dockerfile_inline", short(s.name)), "")
	}
}

// probe looks at the first item of the test of a healthcheck.
func (f *file) probe(item *yamlevent.Node, service string) {
	first := item.Follow()
	if first == nil || kindOf(first) != isString {
		return
	}
	switch first.Value {
	case "CMD", "CMD-SHELL", "NONE":
		return
	}
	f.report(item, codeBadValue, diag.Error, fmt.Sprintf("The test of %s starts with %q", short(service), short(first.Value)),
		"A list starts with CMD, CMD-SHELL or NONE; a string is run by a shell.")
}

var restartPolicy = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(no|always|unless-stopped|on-failure(:[0-9]+)?)?$`)
})

// filled tells that a list or mapping has anything in it.
func (f *file) filled(n *yamlevent.Node) bool { return n != nil && len(n.Items) > 0 && !tagged(n) }

// references looks for what a service names and the file does not define.
func (f *file) references(s entry, all []entry) {
	for _, n := range f.names(f.get(s.value, "networks")) {
		if n.Value != "default" {
			f.reference(n, "networks", "network", s.name)
		}
	}
	for _, key := range []string{"secrets", "configs"} {
		f.grants(f.get(s.value, key), key, s.name)
	}
	f.grants(f.get(f.get(s.value, "build"), "secrets"), "secrets", s.name)
	for _, n := range f.names(f.get(s.value, "models")) {
		f.reference(n, "models", "model", s.name)
	}
	if v := f.get(s.value, "volumes"); v != nil && v.Kind == yamlevent.SequenceStart && !tagged(v) {
		for _, i := range v.Items {
			f.mount(i, s.name)
		}
	}
	known := func(name string) bool {
		return strings.Contains(name, "$") || slices.ContainsFunc(all, func(e entry) bool { return e.name == name }) || f.untold(name)
	}
	for _, d := range f.dependencies(s.value) {
		if !known(d.name) {
			f.report(d.node, codeUndefined, diag.Warning, fmt.Sprintf("Service %s needs %s, which is not defined", short(s.name), short(d.name)), "")
		}
	}
}

// untold tells that services has an entry that is not looked at.
func (f *file) untold(name string) bool {
	n := f.get(f.root, "services")
	return n == nil || tagged(n) || f.has(n, name)
}

// has tells that a mapping has a key, whatever its value.
func (f *file) has(n *yamlevent.Node, key string) bool {
	return n != nil && n.Kind == yamlevent.MappingStart && slices.ContainsFunc(f.entries(n), func(e entry) bool { return e.name == key })
}

// names returns the items of a list, or the keys of a mapping.
func (f *file) names(n *yamlevent.Node) []*yamlevent.Node {
	var out []*yamlevent.Node
	switch {
	case n == nil || tagged(n):
	case n.Kind == yamlevent.SequenceStart:
		for _, i := range n.Items {
			if v := i.Follow(); v != nil && v.Kind == yamlevent.Scalar && !tagged(v) {
				out = append(out, v)
			}
		}
	case n.Kind == yamlevent.MappingStart:
		for _, e := range f.entries(n) {
			if e.value != nil && !tagged(e.value) {
				out = append(out, e.key.Follow())
			}
		}
	}
	return out
}

// reference reports a name that a part of the file does not have.
func (f *file) reference(n *yamlevent.Node, section, what, service string) {
	defs := f.get(f.root, section)
	if n.Value == "" || strings.Contains(n.Value, "$") || f.has(defs, n.Value) || defs != nil && tagged(defs) {
		return
	}
	f.report(n, codeUndefined, diag.Warning, fmt.Sprintf("Service %s uses the %s %s, which is not defined", short(service), what, short(n.Value)),
		"Define it below "+section+" at the top level.")
}

// grants looks at secrets and configs of a service.
func (f *file) grants(n *yamlevent.Node, section, service string) {
	if n == nil || n.Kind != yamlevent.SequenceStart || tagged(n) {
		return
	}
	for _, i := range n.Items {
		v := i.Follow()
		if v != nil && v.Kind == yamlevent.MappingStart {
			v = f.get(v, "source")
		}
		if v != nil && v.Kind == yamlevent.Scalar {
			f.reference(v, section, strings.TrimSuffix(section, "s"), service)
		}
	}
}

// mount looks at one of the volumes of a service.
func (f *file) mount(i *yamlevent.Node, service string) {
	v := i.Follow()
	switch {
	case v == nil || tagged(v):
	case v.Kind == yamlevent.MappingStart:
		if t := f.get(v, "type"); t != nil && t.Value == "volume" {
			if src := f.get(v, "source"); src != nil && src.Kind == yamlevent.Scalar {
				f.reference(src, "volumes", "volume", service)
			}
		}
	case v.Kind == yamlevent.Scalar:
		src, _, ok := strings.Cut(v.Value, ":")
		if !ok || len(src) < 2 || strings.ContainsAny(v.Value, "$") || strings.IndexByte("./~", src[0]) >= 0 || strings.ContainsAny(src, `\/`) {
			return // anonymous, a path, a drive, or not to be told
		}
		named := *v
		named.Value = src
		f.reference(&named, "volumes", "volume", service)
	}
}

// dependency is a service that another one needs.
type dependency struct {
	name string
	node *yamlevent.Node
}

// dependencies returns the services one needs to be there.
func (f *file) dependencies(s *yamlevent.Node) []dependency {
	var out []dependency
	deps := f.get(s, "depends_on")
	for _, n := range f.names(deps) {
		if r := f.get(f.get(deps, n.Value), "required"); r == nil || r.Value == "true" {
			out = append(out, dependency{n.Value, n})
		}
	}
	for _, n := range f.names(f.get(s, "links")) {
		name, _, _ := strings.Cut(n.Value, ":")
		out = append(out, dependency{name, n})
	}
	out = append(out, f.shared(s)...)
	if n := f.extended(s); n != nil {
		out = append(out, dependency{n.Value, n})
	}
	return out
}

// shared returns the services whose volumes or namespaces one uses.
func (f *file) shared(s *yamlevent.Node) []dependency {
	var out []dependency
	for _, n := range f.names(f.get(s, "volumes_from")) {
		if name, _, _ := strings.Cut(n.Value, ":"); name != "container" {
			out = append(out, dependency{name, n})
		}
	}
	for _, key := range []string{"network_mode", "ipc", "pid", "uts", "cgroup"} {
		if n := f.get(s, key); n != nil && n.Kind == yamlevent.Scalar {
			if name, ok := strings.CutPrefix(n.Value, "service:"); ok {
				out = append(out, dependency{name, n})
			}
		}
	}
	return out
}

// extended returns the name of the service of this file that one extends.
func (f *file) extended(s *yamlevent.Node) *yamlevent.Node {
	n := f.get(s, "extends")
	if n == nil || tagged(n) || f.get(n, "file") != nil {
		return nil
	}
	if n.Kind == yamlevent.MappingStart {
		n = f.get(n, "service")
	}
	if n == nil || n.Kind != yamlevent.Scalar {
		return nil
	}
	return n
}

// containers reports container names that are taken.
func (f *file) containers(all []entry) {
	first := map[string]string{}
	for _, s := range all {
		n := f.get(s.value, "container_name")
		if n == nil || n.Kind != yamlevent.Scalar || n.Value == "" || tagged(n) || f.get(s.value, "profiles") != nil {
			continue
		}
		if other, ok := first[n.Value]; ok {
			f.report(n, codeContainer, diag.Warning, fmt.Sprintf("Container name %s is that of service %s", short(n.Value), short(other)), "")
			continue
		}
		first[n.Value] = s.name
	}
}

// resources looks at networks, volumes, secrets and configs.
func (f *file) resources() {
	for _, section := range []string{"networks", "volumes", "secrets", "configs"} {
		defs := f.get(f.root, section)
		if defs == nil || defs.Kind != yamlevent.MappingStart || tagged(defs) {
			continue
		}
		for _, e := range f.entries(defs) {
			if e.value != nil && e.value.Kind == yamlevent.MappingStart && !tagged(e.value) {
				f.resource(e, section)
			}
		}
	}
}

func (f *file) resource(e entry, section string) {
	if x := f.get(e.value, "external"); x != nil && kindOf(x) == isBool && strings.EqualFold(x.Value, "true") {
		for _, o := range f.entries(e.value) {
			if o.name != "name" && o.name != "external" && !strings.HasPrefix(o.name, "x-") {
				f.report(o.key, codeExclusive, diag.Error, fmt.Sprintf("%s.%s is external and has %s", section, short(e.name), short(o.name)),
					"What is external is neither made nor changed by Compose.")
			}
		}
		return
	}
	switch section {
	case "secrets":
		f.content(e, section, "file", "environment")
	case "configs":
		f.content(e, section, "file", "environment", "content")
	}
}

// content checks that a secret or config gets what it holds in one way.
func (f *file) content(e entry, section string, ways ...string) {
	var have []string
	for _, w := range ways {
		if f.has(e.value, w) {
			have = append(have, w)
		}
	}
	switch {
	case len(have) > 1:
		f.report(f.keyOf(e.value, have[1]), codeExclusive, diag.Error,
			fmt.Sprintf("%s.%s has both %s and %s", section, short(e.name), have[0], have[1]), "")
	case len(have) == 0 && f.whole && !f.has(e.value, "external") && !f.has(e.value, "driver"):
		f.report(e.key, codeMissingKey, diag.Error, fmt.Sprintf("%s.%s has none of %s", section, short(e.name), strings.Join(ways, ", ")), "")
	}
}
