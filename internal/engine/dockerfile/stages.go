package dockerfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"poly/internal/diag"
)

// image is what FROM says.
type image struct {
	ref      string // as written
	name     string // without tag and digest
	tag      string
	tagged   bool
	digest   bool
	alias    string
	platform string
	hasFlag  bool // --platform is there
}

func readImage(in *instruction) image {
	var im image
	if len(in.args) > 0 {
		im.ref = in.args[0]
	}
	if len(in.args) == 3 {
		im.alias = in.args[2]
	}
	if p := in.flag("platform"); len(p) > 0 {
		im.platform, im.hasFlag = p[len(p)-1], true
	}
	im.name, _, im.digest = strings.Cut(im.ref, "@")
	last := strings.LastIndexByte(im.name, '/') + 1
	if i := strings.IndexByte(im.name[last:], ':'); i >= 0 {
		im.name, im.tag, im.tagged = im.name[:last+i], im.name[last+i+1:], true
	}
	return im
}

// registry returns the host an image comes from; "" is Docker's own.
func (im *image) registry() string {
	host, _, ok := strings.Cut(im.name, "/")
	if ok && (strings.ContainsAny(host, ".:") || host == "localhost") {
		return host
	}
	return ""
}

// stage returns the name rules know a stage by: its alias, else its image.
func (im *image) stage() string {
	if im.alias != "" {
		return strings.ToLower(im.alias)
	}
	return im.name
}

// stageMap remembers something of each stage that those built on it inherit.
type stageMap struct {
	current string
	values  map[string]bool
}

func (m *stageMap) from(im *image) {
	if m.values == nil {
		m.values = map[string]bool{}
	}
	m.values[im.stage()] = m.values[strings.ToLower(im.name)]
	m.current = im.stage()
}

func (m *stageMap) set() {
	if m.values == nil {
		m.values = map[string]bool{}
	}
	m.values[m.current] = true
}

func (m *stageMap) get() bool { return m.values[m.current] }

func checkTag(r *reporter, list []*instruction) {
	stages := map[string]bool{}
	for _, in := range list {
		if in.name != "from" {
			continue
		}
		im := &in.from
		known := stages[strings.ToLower(im.name)]
		if im.alias != "" {
			stages[strings.ToLower(im.alias)] = true
		}
		if im.ref == "" || im.name == "scratch" || im.digest || im.tagged || strings.HasPrefix(im.name, "$") || known {
			continue
		}
		r.word(in, im.ref, fmt.Sprintf("Image %s has no tag", short(im.ref)))
	}
}

func checkLatest(r *reporter, list []*instruction) {
	for _, in := range list {
		if in.name == "from" && in.from.tag == "latest" && !in.from.digest {
			r.word(in, in.from.ref, "Tag `latest` is not always the same image")
		}
	}
}

func checkPlatform(r *reporter, list []*instruction) {
	for _, in := range list {
		p := in.from.platform
		if in.from.hasFlag && !strings.Contains(p, "BUILDPLATFORM") && !strings.Contains(p, "TARGETPLATFORM") {
			r.word(in, "--platform", "The platform is fixed in FROM")
		}
	}
}

func checkTargetPlatform(r *reporter, list []*instruction) {
	for _, in := range list {
		p := in.from.platform
		if p != "$TARGETPLATFORM" && p != "${TARGETPLATFORM}" {
			continue
		}
		flag := "--platform=" + p
		start, end := in.word(r.file.text, flag)
		d := r.at(in, start, end, "The target platform is the default of FROM")
		if string(r.file.text[start:end]) == flag && r.blank(end) {
			for r.blank(end) {
				end++
			}
			d.Fix = []diag.Edit{{Start: start, End: end}}
		}
	}
}

func checkAliases(r *reporter, list []*instruction) {
	seen := map[string]bool{}
	for _, in := range list {
		a := strings.ToLower(in.from.alias)
		if a == "" {
			continue
		}
		if seen[a] {
			r.word(in, in.args[2], fmt.Sprintf("Stage name %s is taken", short(in.from.alias)))
		}
		seen[a] = true
	}
}

func checkReserved(r *reporter, list []*instruction) {
	for _, in := range list {
		if a := strings.ToLower(in.from.alias); a == "scratch" || a == "context" {
			r.word(in, in.args[2], "Stage name "+a+" is reserved")
		}
	}
}

// copySource returns the value of --from.
func (in *instruction) copySource() (string, bool) {
	if in.name != "copy" {
		return "", false
	}
	v := in.flag("from")
	if len(v) == 0 {
		return "", false
	}
	return v[len(v)-1], true
}

func checkCopyFrom(r *reporter, list []*instruction) {
	count := 0
	names := map[string]bool{}
	for _, in := range list {
		if in.name == "from" {
			count++
			names[strings.ToLower(in.from.alias)] = true
		}
		src, ok := in.copySource()
		if !ok || strings.Contains(src, ":") || names[strings.ToLower(src)] {
			continue
		}
		if n, err := strconv.Atoi(src); err == nil && n < count {
			continue
		}
		r.word(in, "--from", fmt.Sprintf("No stage before this one is called %s", short(src)))
	}
}

func checkCopyOwn(r *reporter, list []*instruction) {
	own := ""
	for _, in := range list {
		if in.name == "from" {
			own = in.from.alias
		}
		if src, ok := in.copySource(); ok && own != "" && strings.EqualFold(src, own) {
			r.word(in, "--from", "COPY takes files from its own stage")
		}
	}
}

func checkRegistry(r *reporter, list []*instruction) {
	allowed := r.settings.registries
	if len(allowed) == 0 {
		return
	}
	stages := map[string]bool{}
	for _, in := range list {
		ref, ok := in.copySource()
		if in.name == "from" {
			ref, ok = in.from.ref, true
		}
		if ok && !stages[strings.ToLower(ref)] && !trusted(ref, allowed) {
			r.word(in, ref, fmt.Sprintf("Registry of %s is not a trusted one", short(ref)))
		}
		if in.from.alias != "" {
			stages[strings.ToLower(in.from.alias)] = true
		}
	}
}

// trusted tells that an image comes from a host in the list, or that where it
// comes from cannot be told.
func trusted(ref string, allowed []string) bool {
	if _, err := strconv.Atoi(ref); err == nil || strings.HasPrefix(ref, "$") || ref == "scratch" {
		return true
	}
	im := image{name: ref}
	if host := im.registry(); host != "" {
		return matchRegistry(allowed, host)
	}
	return matchRegistry(allowed, "docker.io") || matchRegistry(allowed, "hub.docker.com")
}

// matchRegistry matches a host with names that may start or end with a star.
func matchRegistry(allowed []string, host string) bool {
	return slices.ContainsFunc(allowed, func(a string) bool {
		if tail, ok := strings.CutPrefix(a, "*"); ok {
			return strings.HasSuffix(host, tail)
		}
		if head, ok := strings.CutSuffix(a, "*"); ok {
			return strings.HasPrefix(host, head)
		}
		return a == host
	})
}

func checkFirst(r *reporter, list []*instruction) {
	for _, in := range list {
		switch in.name {
		case "from":
			return
		case "arg":
		default:
			if _, ok := known(in.name); ok {
				r.name(in, strings.ToUpper(in.name)+" stands before the first FROM")
			}
		}
	}
}

func checkOnbuild(r *reporter, list []*instruction) {
	for _, in := range list {
		if in.inner == nil {
			continue
		}
		switch in.inner.name {
		case "onbuild", "from", "maintainer":
			r.name(in, "ONBUILD cannot defer "+strings.ToUpper(in.inner.name))
		}
	}
}

// once finds instructions of which only the last counts.
func once(name, title string) func(*reporter, []*instruction) {
	return func(r *reporter, list []*instruction) {
		seen := false
		for _, in := range list {
			switch {
			case in.name == "from":
				seen = false
			case in.name == name && seen:
				r.name(in, title)
			case in.name == name:
				seen = true
			}
		}
	}
}

func checkMissingHealth(r *reporter, list []*instruction) {
	type stage struct {
		in   *instruction
		base int // the stage it is built on, or -1
		good bool
	}
	var stages []stage
	byName := map[string]int{}
	for _, in := range list {
		switch in.name {
		case "from":
			base, ok := byName[strings.ToLower(in.from.name)]
			if !ok {
				base = -1
			}
			stages = append(stages, stage{in, base, ok && stages[base].good})
			byName[in.from.stage()] = len(stages) - 1
		case "healthcheck":
			for i := len(stages) - 1; i >= 0; i = stages[i].base {
				stages[i].good = true
			}
		}
	}
	for _, s := range stages {
		if !s.good {
			r.name(s.in, "This stage has no HEALTHCHECK")
		}
	}
}
