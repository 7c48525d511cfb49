package actionlint

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	upstream "github.com/rhysd/actionlint"
)

// faults tells what is wrong with the metadata of an action.
func (a *action) faults(tree fs.FS) []string {
	if a.err != nil {
		return []string{a.err.Error()}
	}
	if a.meta == nil {
		return nil
	}
	f := metadata{action: a, tree: tree, runs: &a.meta.Runs}
	m := a.meta
	if m.Name == "" {
		f.add("it has no name")
	}
	if m.Description == "" {
		f.add("it has no description")
	}
	if _, ok := upstream.BrandingIcons[strings.ToLower(m.Branding.Icon)]; !ok && m.Branding.Icon != "" {
		f.add("branding.icon %q is none GitHub has", m.Branding.Icon)
	}
	if _, ok := upstream.BrandingColors[strings.ToLower(m.Branding.Color)]; !ok && m.Branding.Color != "" {
		f.add("branding.color %q is none GitHub has", m.Branding.Color)
	}
	for _, in := range m.Inputs {
		if in.Deprecated && in.DeprecationMessage == "" {
			f.add("input %q is deprecated and its deprecationMessage is empty", in.Name)
		}
	}
	f.kind()
	slices.Sort(f.out)
	return f.out
}

// metadata looks at the metadata of one action.
type metadata struct {
	*action
	tree fs.FS
	runs *upstream.ActionMetadataRuns
	out  []string
}

func (f *metadata) add(format string, args ...any) {
	f.out = append(f.out, fmt.Sprintf("%s: %s", f.file, fmt.Sprintf(format, args...)))
}

// kind looks at what the action runs.
func (f *metadata) kind() {
	switch using := f.runs.Using; using {
	case "":
		f.add("runs.using is missing")
	case "docker":
		f.docker()
	case "composite":
		if f.runs.Steps == nil {
			f.add("a composite action needs runs.steps")
		}
		f.foreign(using, "main", "pre", "pre-if", "post", "post-if", "image", "pre-entrypoint", "entrypoint", "post-entrypoint", "args", "env")
	case "node20", "node24":
		f.javascript()
	default:
		f.add("runs.using %q is none of composite, docker, node20 and node24", using)
		if strings.HasPrefix(using, "node") {
			f.javascript()
		}
	}
}

func (f *metadata) docker() {
	image := f.runs.Image
	switch {
	case image == "":
		f.add("a Docker action needs runs.image")
	case !registry(image):
		f.exists("image", image)
		if path.Base(image) != "Dockerfile" {
			f.add("runs.image %q must be named Dockerfile", image)
		}
	}
	f.exists("pre-entrypoint", f.runs.PreEntrypoint)
	f.exists("entrypoint", f.runs.Entrypoint)
	f.exists("post-entrypoint", f.runs.PostEntrypoint)
	f.foreign("Docker", "main", "pre", "pre-if", "post", "post-if", "steps")
}

// registry reports whether an image is pulled, not built.
func registry(image string) bool {
	return slices.ContainsFunc([]string{"docker://", "gcr.io/", "pkg.dev/", "ghcr.io/", "docker.io/"}, func(p string) bool { return strings.HasPrefix(image, p) })
}

func (f *metadata) javascript() {
	if f.runs.Main == "" {
		f.add("a JavaScript action needs runs.main")
	}
	f.exists("main", f.runs.Main)
	f.exists("pre", f.runs.Pre)
	f.exists("post", f.runs.Post)
	if f.runs.Pre == "" && f.runs.PreIf != "" {
		f.add("runs.pre-if without runs.pre")
	}
	if f.runs.Post == "" && f.runs.PostIf != "" {
		f.add("runs.post-if without runs.post")
	}
	f.foreign("JavaScript", "steps", "image", "pre-entrypoint", "entrypoint", "post-entrypoint", "args", "env")
}

// exists looks for a file of the action, if it is one that may be read.
func (f *metadata) exists(key, file string) {
	file = path.Join(f.dir, file)
	if file == f.dir || !fs.ValidPath(file) || !inside(file) {
		return
	}
	if _, err := fs.Stat(f.tree, file); err != nil {
		f.add("runs.%s names %s, which is not there", key, file)
	}
}

// foreign reports keys that belong to actions of another kind.
func (f *metadata) foreign(kind string, keys ...string) {
	r := f.runs
	set := map[string]bool{
		"main": r.Main != "", "pre": r.Pre != "", "pre-if": r.PreIf != "", "post": r.Post != "", "post-if": r.PostIf != "",
		"steps": len(r.Steps) > 0, "image": r.Image != "", "pre-entrypoint": r.PreEntrypoint != "", "entrypoint": r.Entrypoint != "",
		"post-entrypoint": r.PostEntrypoint != "", "args": r.Args != nil, "env": r.Env != nil,
	}
	for _, k := range keys {
		if set[k] {
			f.add("runs.%s has no place in a %s action", k, kind)
		}
	}
}
